/**
 * A run's endpoints or calls, worst first. The filters are in the address, so that it can be shared. Only visible rows are drawn,
 * and only visible pages are loaded.
 */
import { Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CallInput, ListAnswer } from '../../../contract/call.ts';
import { call, useCall } from '../../api.ts';
import { count, plural } from '../basics/figures.ts';
import { useLinkClicks } from '../basics/link-clicks.ts';
import { Answer, Empty } from '../basics/page.tsx';
import { useAddress } from '../basics/use-address.ts';
import { EndpointFilters } from './endpoint-filters.tsx';
import { columnsOf, EndpointRow, type ListedRow, type RowKind } from './endpoint-row.tsx';
import { endpointsQueryOf, type Filters, PAGE_ROWS, type PlaceSearch, placedQueryOf } from './endpoint-search.ts';

type Props = {
  readonly projectId: string;
  readonly runId: string;
  readonly everyMs: number | false;
  readonly kind: RowKind;
  /** The endpoint whose calls are listed; absent: all endpoints. */
  readonly endpointId?: string;
};
type List = 'listTestRunEndpoints' | 'listTestRunCalls' | 'listTestRunEndpointCalls';
type Input = CallInput<List>;

/**
 * The heights of a row and of the line with the columns' names. On narrow screens a row has several lines, which include the names.
 */
const WIDE = { rowPx: 48, headPx: 38 } as const;
const NARROW = { rowPx: 142, headPx: 0 } as const;
/** A call has five lines there. */
const NARROW_CALL = { rowPx: 182, headPx: 0 } as const;
const IS_NARROW = '(max-width: 700px)';
/** The number of rows that are drawn above and below the visible part. */
const SPARE_ROWS = 6;
const TALLEST_PX = 600;
/** Browsers do not lay out elements that are much taller. */
const TALLEST_LIST_PX = 15_000_000;
const SCROLLBAR_PX = 16;

export function EndpointTable({ projectId, runId, everyMs, kind, endpointId }: Props) {
  const [search, filter] = useAddress<Filters>();
  const isNarrow = useMediaQuery(IS_NARROW, false, { getInitialValueInEffect: false });
  const size = sizeOf(kind, isNarrow);
  const list = kind !== 'call' ? 'listTestRunEndpoints' : endpointId ? 'listTestRunEndpointCalls' : 'listTestRunCalls';
  const paged = { page: 1, per_page: PAGE_ROWS, ...endpointsQueryOf(search) };
  const input = { projectId, testRunId: runId, ...(endpointId && { endpointId }), ...paged } as Input;
  const first = useCall(list, input as never, { everyMs });
  const noun = kind === 'call' ? 'call' : 'endpoint';
  return (
    <>
      <Group gap="xs" px={18} py={10} justify="space-between">
        <EndpointFilters filters={search} isOfOne={endpointId !== undefined} onChange={filter} />
        <span className="quiet">{first.data ? plural(first.data.pagination.total, noun) : ''}</span>
      </Group>
      {first.data && shownOf(first.data.pagination.total, size) < first.data.pagination.total && (
        <Text size="sm" c="dimmed" px={18} pb={10}>
          The first {count(shownOf(first.data.pagination.total, size))} of them are listed. Filters and the CSV file
          reach the others.
        </Text>
      )}
      <Answer of={first}>
        {({ pagination }) =>
          pagination.total === 0 ? (
            <Empty title={`No matching ${noun}`} />
          ) : (
            <Rows
              key={JSON.stringify([list, input, isNarrow])}
              kind={kind}
              list={list}
              to={`/projects/${projectId}/runs/${runId}/endpoints/`}
              search={endpointId === undefined ? search : { ...search, in: 'endpoint' }}
              input={input}
              total={shownOf(pagination.total, size)}
              size={size}
              everyMs={everyMs}
            />
          )
        }
      </Answer>
    </>
  );
}

type Size = { readonly rowPx: number; readonly headPx: number };
const sizeOf = (kind: RowKind, isNarrow: boolean): Size =>
  !isNarrow ? WIDE : kind === 'endpointOfCalls' ? NARROW : NARROW_CALL;
const shownOf = (total: number, { rowPx }: Size): number => Math.min(total, Math.floor(TALLEST_LIST_PX / rowPx));

type RowsProps = {
  readonly kind: RowKind;
  readonly list: List;
  readonly to: string;
  /** For the pages of calls: the way back, and to their neighbours. */
  readonly search: Filters & PlaceSearch;
  readonly input: Input;
  readonly total: number;
  readonly size: Size;
  readonly everyMs: number | false;
};

function Rows({ kind, list, to, search, input, total, size: { rowPx, headPx }, everyMs }: RowsProps) {
  const frame = useRef<HTMLElement>(null);
  /** The index of the first visible row. */
  const [top, setTop] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    // The rows are drawn in the frame that scrolls. Otherwise they would come a frame late, and take layout time of the next one.
    const onScroll = () => flushSync(() => setTop(Math.floor(element.scrollTop / rowPx)));
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [rowPx]);
  const from = Math.max(0, top - SPARE_ROWS);
  const until = Math.min(total, top + Math.ceil(TALLEST_PX / rowPx) + SPARE_ROWS);
  const firstPage = Math.floor(from / PAGE_ROWS);
  const lastPage = Math.floor(Math.max(0, until - 1) / PAGE_ROWS);
  const pages = useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, i) => {
      const filtersOf = { ...input, page: firstPage + i + 1 };
      return {
        queryKey: [list, filtersOf],
        queryFn: (): Promise<ListAnswer<List>> => call(list, filtersOf as never),
        refetchInterval: everyMs,
      };
    }),
  });
  const onClick = useLinkClicks();
  const rowAt = (n: number): ListedRow | undefined =>
    pages[Math.floor(n / PAGE_ROWS) - firstPage]?.data?.rows[n % PAGE_ROWS];
  const name = kind === 'call' ? 'Calls' : 'Endpoints';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links bring keys with them
    <section
      ref={frame}
      onClick={onClick}
      className={kind === 'endpointOfCalls' ? 'rows' : 'rows of-calls'}
      style={{ height: Math.min(TALLEST_PX, headPx + total * rowPx + SCROLLBAR_PX) }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, keys could not scroll it
      tabIndex={0}
      aria-label={`${name} table`}
    >
      {/* For very many rows: a table element would have to contain them all. */}
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="table" aria-label={name} aria-rowcount={total + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" className="rows-head">
          {/* biome-ignore lint/a11y/useSemanticElements: see above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: a row of a table */}
          <div role="row" className="rows-row" aria-rowindex={1} style={{ height: WIDE.headPx }}>
            {columnsOf(kind).map((name) => (
              // biome-ignore lint/a11y/useSemanticElements: see above
              // biome-ignore lint/a11y/useFocusableInteractive: a head of a column
              <div role="columnheader" key={name}>
                {name}
              </div>
            ))}
          </div>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" style={{ height: total * rowPx, position: 'relative' }}>
          {Array.from({ length: until - from }, (_, i) => from + i).map((n) => (
            <EndpointRow
              key={n}
              kind={kind}
              n={n}
              listed={rowAt(n)}
              to={to}
              query={placedQueryOf(search, n)}
              heightPx={rowPx}
            />
          ))}
        </div>
      </div>
    </section>
  );
}
