/** One endpoint of the list: what came of its call, what was found of it, and how it sounded. */
import { memo, type ReactNode } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { count, DASH, number, percent } from '../basics/figures.ts';
import { Mark, plain } from '../basics/words.tsx';
import { failureTitle } from '../heard/failure-words.ts';
import { SHORT, weightOf } from '../heard/finding-words.ts';

type Endpoint = Output<'listTestRunEndpoints'>;
type Finding = Endpoint['findings'][number];

/** Their names; those in the middle stand before each figure, too, where the screen is narrow. */
export const COLUMNS = [
  'Endpoint',
  'Outcome',
  'Findings',
  'MOS',
  'Lost',
  'Sent / received',
  'Longest gap',
  'Set-up',
  'Worker',
] as const;

/** As many as a row has room for. */
const MOST_MARKS = 2;

type Props = {
  /** Its place in the list. */
  readonly n: number;
  /** undefined: it is still asked for. */
  readonly endpoint: Endpoint | undefined;
  /** What comes before and after its id in its address. */
  readonly to: string;
  readonly query: string;
  readonly heightPx: number;
};

export const EndpointRow = memo(function EndpointRow({ n, endpoint: e, to, query, heightPx }: Props) {
  const cells = e ? cellsOf(e, `${to}${e.id}${query}`) : COLUMNS.map((_, i) => (i === 0 ? '…' : ''));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table would hold all rows
    // biome-ignore lint/a11y/useFocusableInteractive: a row of a table
    <div
      role="row"
      className="rows-row rows-line"
      aria-rowindex={n + 2}
      style={{ height: heightPx, top: n * heightPx }}
    >
      {cells.map((cell, i) => (
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div role="cell" key={COLUMNS[i]} data-column={COLUMNS[i]} title={typeof cell === 'string' ? cell : undefined}>
          {cell}
        </div>
      ))}
    </div>
  );
});

function cellsOf(e: Endpoint, address: string): ReactNode[] {
  const { media } = e;
  const said = happened(e);
  const { callSetupMs = null, timeToFirstMediaMs = null } = e.callTiming ?? {};
  return [
    <div key="name">
      <a href={address}>
        {plain(e.endpointType)} {e.number}
      </a>
      <small>{e.endpointType === 'CALLER' ? e.calleeUri : e.registrar.name}</small>
    </div>,
    <div key="outcome" title={e.failure?.sentence}>
      <Mark tone={e.outcome === null ? 'accent' : e.outcome === 'SUCCESS' ? 'good' : 'bad'}>
        {plain(e.outcome ?? e.phase)}
      </Mark>
      <small>{said}</small>
    </div>,
    <Marks key="findings" findings={e.findings} />,
    number(media?.mos),
    percent(media?.lossFraction == null ? null : media.lossFraction * 100, 2),
    media ? `${count(media.packetsSent)} / ${count(media.packetsReceived)}` : DASH,
    short(media?.longestGapMs ?? null),
    <div key="times">
      {ms(callSetupMs)}
      {timeToFirstMediaMs !== null && <small>media +{short(timeToFirstMediaMs)}</small>}
    </div>,
    e.worker.name,
  ];
}

function Marks({ findings }: { findings: readonly Finding[] }) {
  const shown = findings.length > MOST_MARKS ? findings.slice(0, MOST_MARKS - 1) : findings;
  const others = findings.slice(shown.length);
  return (
    <span className="chips">
      {shown.map((f) => (
        <span key={`${f.finding} ${f.stream}`} className={`chip ${weightOf(f)[0]}`} title={told(f)}>
          {SHORT[f.finding]}
        </span>
      ))}
      {others.length > 0 && (
        <span className="chip none" title={others.map(told).join('\n')}>
          {others.length} more
        </span>
      )}
    </span>
  );
}

const told = (f: Finding): string => `${weightOf(f)[1]}: ${f.title}. ${f.message}`;

const happened = (e: Endpoint): string => {
  if (e.failure) return `${failureTitle(e.failure)} (${e.failure.party})`;
  const { finalStatusCode, finalReasonPhrase } = e.callTiming ?? {};
  return finalStatusCode ? `${finalStatusCode} ${finalReasonPhrase ?? ''}` : DASH;
};

const ms = (value: number | null): string => (value === null ? DASH : `${number(value)} ms`);
const short = (value: number | null): string =>
  value === null ? DASH : value < 1000 ? `${number(value, 0)} ms` : `${number(value / 1000, 1)} s`;
