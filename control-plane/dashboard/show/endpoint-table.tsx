/**
 * A run's endpoints, worst first; the filters stand in the address, so that they can be sent to a colleague. However many there
 * are, only rows in sight are drawn, and only pages in sight are asked for.
 */
import { Group, Pill, Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CallInput, ListAnswer } from '../../contract/call.ts';
import type { Output } from '../../contract/catalogue.ts';
import { ENDPOINT_TYPES, OUTCOMES } from '../../contract/words.ts';
import { call, useCall } from '../api.ts';
import { number, plural } from './figures.ts';
import { Answer, Empty } from './page.tsx';
import { Mark, plain } from './words.tsx';

type Filters = { outcome?: string; type?: string; order?: string; cause?: string; status?: string };
type Props = { readonly projectId: string; readonly runId: string; readonly everyMs: number | false };
type Input = CallInput<'listTestRunEndpoints'>;
type Endpoint = Output<'listTestRunEndpoints'>;

const WORST = 'worst';
const ROW_PX = 48;
const HEAD_PX = 38;
const PAGE_ROWS = 100;
/** Drawn above and below what is in sight. */
const SPARE_ROWS = 6;
const TALLEST_PX = 600;
const SCROLLBAR_PX = 16;
const COLUMNS = ['Endpoint', 'Outcome', 'What happened', 'Set-up', 'First media', 'Worker'];

export function EndpointTable({ projectId, runId, everyMs }: Props) {
  const search = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const input: Input = {
    projectId,
    testRunId: runId,
    page: 1,
    per_page: PAGE_ROWS,
    order: search.order === 'number' ? 'number' : WORST,
    ...(search.outcome && { outcome: search.outcome as (typeof OUTCOMES)[number] }),
    ...(search.type && { endpoint_type: search.type as (typeof ENDPOINT_TYPES)[number] }),
    ...(search.cause && { cause: search.cause }),
    ...(search.status && { sip_status: Number(search.status) }),
  };
  const first = useCall('listTestRunEndpoints', input, { everyMs });
  const filter = (change: Filters) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, v]) => v));
    void navigate({ to: '.', search: next, resetScroll: false });
  };
  return (
    <>
      <Group gap="xs" px={18} py={10} justify="space-between">
        <Group gap="xs">
          <Select
            aria-label="Outcome"
            placeholder="Every outcome"
            clearable
            size="xs"
            w={180}
            data={OUTCOMES.map((o) => ({ value: o, label: plain(o) }))}
            value={search.outcome ?? null}
            onChange={(outcome) => filter({ outcome: outcome ?? undefined })}
          />
          <Select
            aria-label="Role"
            placeholder="Callers and callees"
            clearable
            size="xs"
            w={170}
            data={ENDPOINT_TYPES.map((o) => ({ value: o, label: `${plain(o)}s` }))}
            value={search.type ?? null}
            onChange={(type) => filter({ type: type ?? undefined })}
          />
          <Select
            aria-label="Order"
            size="xs"
            w={130}
            allowDeselect={false}
            data={[
              { value: WORST, label: 'Worst first' },
              { value: 'number', label: 'In order' },
            ]}
            value={search.order ?? WORST}
            onChange={(order) => filter({ order: order === WORST ? undefined : (order ?? undefined) })}
          />
          {search.cause && (
            <Pill
              withRemoveButton
              onRemove={() => filter({ cause: undefined })}
              removeButtonProps={{ 'aria-label': 'Of every cause', 'aria-hidden': false }}
            >
              {plain(search.cause)}
            </Pill>
          )}
          {search.status && (
            <Pill
              withRemoveButton
              onRemove={() => filter({ status: undefined })}
              removeButtonProps={{ 'aria-label': 'Of every status', 'aria-hidden': false }}
            >
              {search.status}
            </Pill>
          )}
        </Group>
        <span className="quiet">{first.data ? plural(first.data.pagination.total, 'endpoint') : ''}</span>
      </Group>
      <Answer of={first}>
        {({ pagination }) =>
          pagination.total === 0 ? (
            <Empty title="No endpoint of this kind" />
          ) : (
            <Rows
              key={JSON.stringify(input)}
              to={`/projects/${projectId}/runs/${runId}/endpoints/`}
              input={input}
              total={pagination.total}
              everyMs={everyMs}
            />
          )
        }
      </Answer>
    </>
  );
}

type RowsProps = {
  readonly to: string;
  readonly input: Input;
  readonly total: number;
  readonly everyMs: number | false;
};

function Rows({ to, input, total, everyMs }: RowsProps) {
  const frame = useRef<HTMLElement>(null);
  /** The first row in sight. */
  const [top, setTop] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    // In the frame that scrolls: later, rows would come a frame late, and be laid out in the next one's time.
    const onScroll = () => flushSync(() => setTop(Math.floor(element.scrollTop / ROW_PX)));
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);
  const from = Math.max(0, top - SPARE_ROWS);
  const until = Math.min(total, top + Math.ceil(TALLEST_PX / ROW_PX) + SPARE_ROWS);
  const firstPage = Math.floor(from / PAGE_ROWS);
  const lastPage = Math.floor(Math.max(0, until - 1) / PAGE_ROWS);
  const pages = useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, i) => {
      const asked = { ...input, page: firstPage + i + 1 };
      return {
        queryKey: ['listTestRunEndpoints', asked],
        queryFn: (): Promise<ListAnswer<'listTestRunEndpoints'>> => call('listTestRunEndpoints', asked),
        refetchInterval: everyMs,
      };
    }),
  });
  const navigate = useNavigate();
  // One for all rows: a link that knows the router costs more than the rest of its row, each time that one comes into sight.
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: link.pathname });
  };
  const rowAt = (n: number): Endpoint | undefined =>
    pages[Math.floor(n / PAGE_ROWS) - firstPage]?.data?.rows[n % PAGE_ROWS];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links bring keys with them
    <section
      ref={frame}
      onClick={onClick}
      className="rows"
      style={{ height: Math.min(TALLEST_PX, HEAD_PX + total * ROW_PX + SCROLLBAR_PX) }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, keys could not scroll it
      tabIndex={0}
      aria-label="Endpoints table"
    >
      {/* Drawn rows of very many: a table of its own would hold them all. */}
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="table" aria-label="Endpoints" aria-rowcount={total + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" className="rows-head">
          {/* biome-ignore lint/a11y/useSemanticElements: see above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: a row of a table */}
          <div role="row" className="rows-row" aria-rowindex={1} style={{ height: HEAD_PX }}>
            {COLUMNS.map((name) => (
              // biome-ignore lint/a11y/useSemanticElements: see above
              // biome-ignore lint/a11y/useFocusableInteractive: a head of a column
              <div role="columnheader" key={name}>
                {name}
              </div>
            ))}
          </div>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" style={{ height: total * ROW_PX, position: 'relative' }}>
          {Array.from({ length: until - from }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its place in the list is what a row is
            <Row key={from + i} n={from + i} endpoint={rowAt(from + i)} to={to} />
          ))}
        </div>
      </div>
    </section>
  );
}

type RowProps = { readonly n: number; readonly endpoint: Endpoint | undefined; readonly to: string };

const Row = memo(function Row({ n, endpoint: e, to }: RowProps) {
  const place = { height: ROW_PX, top: n * ROW_PX };
  const cells = e
    ? [
        <div key="name">
          <a href={to + e.id}>{plain(e.endpointType)}</a>
          <small>{e.endpointType === 'CALLER' ? e.calleeUri : e.registrar.name}</small>
        </div>,
        <Mark key="outcome" tone={e.outcome === null ? 'accent' : e.outcome === 'SUCCESS' ? 'good' : 'bad'}>
          {plain(e.outcome ?? e.phase)}
        </Mark>,
        happened(e),
        ms(e.callTiming?.callSetupMs),
        ms(e.callTiming?.timeToFirstMediaMs),
        e.worker.name,
      ]
    : COLUMNS.map((_, i) => (i === 0 ? '…' : ''));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table would hold all rows
    // biome-ignore lint/a11y/useFocusableInteractive: a row of a table
    <div role="row" className="rows-row rows-line" aria-rowindex={n + 2} style={place}>
      {cells.map((cell, i) => (
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div role="cell" key={COLUMNS[i]} title={typeof cell === 'string' ? cell : undefined}>
          {cell}
        </div>
      ))}
    </div>
  );
});

const happened = (e: Endpoint): string => {
  if (e.failure)
    return `${e.failure.sipStatus ?? ''} ${e.failure.reason || plain(e.failure.cause)} (${e.failure.party})`.trim();
  const { finalStatusCode, finalReasonPhrase } = e.callTiming ?? {};
  return finalStatusCode ? `${finalStatusCode} ${finalReasonPhrase ?? ''}` : '–';
};

const ms = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${number(value)} ms`;
