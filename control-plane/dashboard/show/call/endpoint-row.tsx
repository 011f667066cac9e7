/** One row of a list: a call with its result and quality; or an endpoint with several calls and their results. */
import { memo, type ReactNode } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { CLOUD_URI } from '../../../contract/sip-uri.ts';
import { count, DASH, number, percent, plural, share } from '../basics/figures.ts';
import { Mark, plain } from '../basics/words.tsx';
import { SHORT } from '../heard/finding-marks.ts';
import { causeWords, weightOf } from '../heard/finding-words.ts';
import { CalledCell, CallIdCell, EndingCell, WhenCell } from './call-cells.tsx';

type Endpoint = Output<'listTestRunEndpoints'>;
type Call = Output<'listTestRunCalls'>;
type Finding = Endpoint['findings'][number];
/** A row of the list: an endpoint, or a call. */
export type ListedRow = Endpoint | Call;

/** The columns and their names. On narrow screens, the names of figures also precede them. */
const CALL_COLUMNS = ['Time (UTC)', 'Called', 'Call-ID', 'Status', 'Findings', 'Set-up', 'MOS', 'Talk time'];
const COLUMNS = {
  call: ['Call', ...CALL_COLUMNS],
  endpoint: ['Endpoint', ...CALL_COLUMNS],
  endpointOfCalls: [
    'Endpoint',
    'Calls',
    'Failures',
    'Good',
    'Failed',
    'Answered',
    'Not placed',
    'In progress',
    'Worker',
  ],
} as const;
export type RowKind = keyof typeof COLUMNS;
export const columnsOf = (kind: RowKind): readonly string[] => COLUMNS[kind];

/** Shorter gaps between packets say nothing about a call. */
const LONG_GAP_MS = 1000;

/** The number of marks that fit into a row. */
const MAX_MARKS = 2;

type Props = {
  readonly kind: RowKind;
  /** The place of the row in the list. */
  readonly n: number;
  /** Undefined: the row is still loading. */
  readonly listed: ListedRow | undefined;
  /** The address of the row consists of these parts before and after the id. */
  readonly to: string;
  readonly query: string;
  readonly heightPx: number;
};

export const EndpointRow = memo(function EndpointRow({ kind, n, listed, to, query, heightPx }: Props) {
  const columns = COLUMNS[kind];
  const cells = listed ? cellsOf(listed, to, query) : columns.map((_, i) => (i === 0 ? '…' : ''));
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
        <div role="cell" key={columns[i]} data-column={columns[i]} title={typeof cell === 'string' ? cell : undefined}>
          {cell}
        </div>
      ))}
    </div>
  );
});

const cellsOf = (e: ListedRow, to: string, query: string): ReactNode[] =>
  'calls' in e && e.calls !== null
    ? cellsOfCalls(e, e.calls, `${to}${e.id}/calls`)
    : cellsOfCall(e, `${to}${e.id}${query}`);

/** `Caller 3`; if the endpoint has several calls: `Caller 3, call 7`. */
export const nameOf = (
  e: Pick<ListedRow, 'endpointType' | 'number'> & Partial<Pick<Call, 'endpoint'>>,
  hasMore: boolean,
): string =>
  e.endpoint === undefined || !hasMore
    ? `${plain(e.endpointType)} ${e.endpoint?.number ?? e.number}`
    : `${plain(e.endpointType)} ${e.endpoint.number}, call ${e.endpoint.call}`;

/** The way of its requests: `over Carrier A (sip:192.0.2.1)`, or `directly`. */
export const viaWords = ({ name, uri }: Endpoint['registrar']): string =>
  uri === CLOUD_URI ? 'directly' : `over ${name} (${uri})`;

function cellsOfCalls(e: Endpoint, calls: NonNullable<Endpoint['calls']>, address: string): ReactNode[] {
  const { total, successful, failed, notPlaced, answered, inProgress, failures, listed } = calls;
  const bad = (failed ?? 0) + (notPlaced ?? 0);
  const ended = (successful ?? 0) + bad;
  const tone = total === null || ended === 0 ? 'none' : bad === 0 ? 'good' : 2 * bad < ended ? 'warn' : 'bad';
  return [
    <div key="name">
      <a href={address}>{nameOf(e, false)}</a>
      <small>{e.endpointType === 'CALLER' ? e.calleeUri : e.registrar.name}</small>
    </div>,
    <div key="calls">
      <Mark tone={tone}>{total === null ? `${count(listed)} listed` : plural(total, 'call')}</Mark>
      <small>{ended === 0 ? DASH : `${share((100 * (successful ?? 0)) / ended)} good`}</small>
    </div>,
    <div key="failures" title={failuresWords(failures)}>
      {failures.length === 0 ? DASH : failuresWords(failures.slice(0, 1))}
      <small>{failuresWords(failures.slice(1))}</small>
    </div>,
    counted(successful),
    counted(failed),
    counted(answered),
    counted(notPlaced),
    count(inProgress),
    e.worker.name,
  ];
}

type Failure = NonNullable<Endpoint['calls']>['failures'][number];
/** `28 Busy (486), 2 No answer` */
export const failuresWords = (failures: readonly Failure[]): string =>
  failures
    .map((f) => `${count(f.calls)} ${causeWords(f.cause)}${f.sipStatus === null ? '' : ` (${f.sipStatus})`}`)
    .join(', ');
/** Null: the run counts its calls only together. */
const counted = (n: number | null): string => (n === null ? DASH : count(n));

function cellsOfCall(e: ListedRow & Partial<Pick<Call, 'endpoint'>>, address: string): ReactNode[] {
  const { media, callTiming } = e;
  const { callSetupMs = null, timeToFirstMediaMs = null, callDurationMs = null } = callTiming ?? {};
  const loss = media?.lossFraction ?? null;
  const gap = media?.longestGapMs ?? null;
  return [
    <div key="name">
      <a href={address} aria-label={nameOf(e, true)}>
        {nameOf(e, false)}
      </a>
      <small>{e.endpoint === undefined ? e.worker.name : `call ${e.endpoint.call}, ${e.worker.name}`}</small>
    </div>,
    <WhenCell key="time" at={e.inviteAt} />,
    <CalledCell key="called" uri={e.calleeUri} />,
    <CallIdCell key="callId" callId={e.callId} />,
    <EndingCell
      key="status"
      sentence={e.failure?.sentence}
      of={{
        outcome: e.outcome,
        failure: e.failure,
        phase: e.phase,
        finalStatus: callTiming?.finalStatusCode ?? null,
        finalReason: callTiming?.finalReasonPhrase ?? null,
      }}
    />,
    <Marks key="findings" findings={e.findings} />,
    <div key="times">
      {ms(callSetupMs)}
      {timeToFirstMediaMs !== null && <small>RTP +{short(timeToFirstMediaMs)}</small>}
    </div>,
    <div key="mos">
      {number(media?.mos)}
      {loss !== null && loss > 0 && <small>{percent(loss * 100, 2)} lost</small>}
    </div>,
    <div key="talk">
      {short(callDurationMs)}
      {gap !== null && gap >= LONG_GAP_MS && <small>gap {short(gap)}</small>}
    </div>,
  ];
}

function Marks({ findings }: { findings: readonly Finding[] }) {
  const shown = findings.length > MAX_MARKS ? findings.slice(0, MAX_MARKS - 1) : findings;
  const others = findings.slice(shown.length);
  return (
    <span className="chips">
      {shown.map((f) => (
        <span key={`${f.finding} ${f.stream}`} className={`chip ${weightOf(f)[0]}`} title={findingText(f)}>
          {SHORT[f.finding]}
        </span>
      ))}
      {others.length > 0 && (
        <span className="chip none" title={others.map(findingText).join('\n')}>
          {others.length} more
        </span>
      )}
    </span>
  );
}

const findingText = (f: Finding): string => `${weightOf(f)[1]}: ${f.title}. ${f.message}`;

const ms = (value: number | null): string => (value === null ? DASH : `${number(value)} ms`);
const short = (value: number | null): string =>
  value === null ? DASH : value < 1000 ? `${number(value, 0)} ms` : `${number(value / 1000, 1)} s`;
