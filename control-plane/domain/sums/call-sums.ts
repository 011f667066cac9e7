/**
 * Calls without rows: each is added once, when it ends, to mergeable sums. All figures of a folded run come from these.
 * Counts, sums, minimum and maximum are exact; percentiles are those of spread.ts. Pure.
 */
import { SPREADS, type SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import { PHASES } from '../../contract/run/words.ts';
import type { RawDistribution } from '../figures/figures.ts';
import { isDroppedBy, isUnheardBy } from '../figures/findings.ts';
import type { StreamFact } from '../run/facts.ts';
import { type CallKind, type CountedKind, ENOUGH_MS, type KindSums } from './call-kinds.ts';
import { addFailure, addFailures, type FailureSums, noFailures } from './failure-sums.ts';
import { addFindings, addFound, type FindingSums } from './finding-sums.ts';
import type { FoldedCall } from './folded-call.ts';
import { addSpread, addValue, chartBuckets, noValues, spreadOf, type ValueSpread } from './spread.ts';
import { addStream, addStreams, noStreams, type StreamSums } from './stream-sums.ts';

/** Plain data, as it is stored. */
export type RunSums = {
  /** Kinds as JSON keys; each with its KindSums. */
  kinds: Record<string, number[]>;
  timings: Record<SpreadKey, ValueSpread>;
  /** The delays of callers' INVITEs after their planned instants, and the number of late ones. */
  lateness: ValueSpread;
  late: number;
  failures: FailureSums;
  findings: FindingSums;
  streams: StreamSums;
};

export const noCalls = (): RunSums => ({
  kinds: {},
  timings: Object.fromEntries(SPREADS.map(({ key }) => [key, noValues()])) as RunSums['timings'],
  lateness: noValues(),
  late: 0,
  failures: noFailures(),
  findings: {},
  streams: noStreams(),
});

/**
 * An INVITE sent more than this after its planned instant is late; this is the first limit of the verdict
 * (domain/figures/validity.ts).
 */
export const LATE_MS = 20;

const CLOSED = PHASES.indexOf('CLOSED');
const SUMMED = ['n', 'awaitedMs', 'absentMs', 'pausedMs'] as const satisfies readonly (keyof KindSums)[];

export function addCall(sums: RunSums, call: FoldedCall): void {
  const { outcome, countsAsCall, endpointType } = call;
  addKind(sums.kinds, JSON.stringify(kindOf(call)), kindSums(call));
  for (const { key, figure, of } of SPREADS)
    if (countsAsCall || of === 'ENDPOINTS') addValue(sums.timings[key], outcome[figure]);
  if (endpointType === 'CALLER') {
    addValue(sums.lateness, outcome.inviteLateMs);
    if (outcome.inviteLateMs > LATE_MS) sums.late += 1;
  }
  addFailure(sums.failures, call);
  addFound(sums.findings, call);
}

export const addStreamTo = (sums: RunSums, stream: StreamFact): void => addStream(sums.streams, stream);

function addSums(sums: RunSums, from: RunSums): void {
  for (const [kind, counted] of Object.entries(from.kinds)) addKind(sums.kinds, kind, counted);
  for (const { key } of SPREADS) addSpread(sums.timings[key], from.timings[key]);
  addSpread(sums.lateness, from.lateness);
  sums.late += from.late;
  addFailures(sums.failures, from.failures);
  addFindings(sums.findings, from.findings);
  addStreams(sums.streams, from.streams);
}

export function merged(all: readonly RunSums[]): RunSums {
  const sums = noCalls();
  for (const one of all) addSums(sums, one);
  return sums;
}

function addKind(kinds: RunSums['kinds'], kind: string, counted: readonly number[]): void {
  const known = kinds[kind];
  kinds[kind] = known === undefined ? [...counted] : SUMMED.map((_, i) => (known[i] ?? 0) + (counted[i] ?? 0));
}

function kindOf({ outcome, answered, countsAsCall, endpointType }: FoldedCall): CallKind {
  const { findings, cause } = outcome;
  return {
    endpointType,
    countsAsCall,
    phase: CLOSED,
    calling: false,
    outcome: outcome.outcome,
    attempted: outcome.attempted,
    callResult: outcome.callResult,
    answered,
    finalStatus: outcome.finalStatus || null,
    rang: outcome.rang,
    gaveUp: cause === 'NO_ANSWER',
    unheard: isUnheardBy(findings),
    unreported: outcome.unreported,
    dropped: isDroppedBy(findings, cause),
    soundAsked: answered && outcome.awaitedMs >= ENOUGH_MS,
  };
}

/** The values are in the order of SUMMED. */
function kindSums({ outcome: { awaitedMs, absentMs, pausedMs } }: FoldedCall): number[] {
  const isAwaited = awaitedMs > 0;
  return [1, isAwaited ? awaitedMs : 0, ...[absentMs, pausedMs].map((ms) => (isAwaited && !Number.isNaN(ms) ? ms : 0))];
}

export const countedKinds = ({ kinds }: RunSums): CountedKind[] =>
  Object.entries(kinds).map(([kind, counted]) => ({
    ...(JSON.parse(kind) as CallKind),
    ...(Object.fromEntries(SUMMED.map((name, i) => [name, counted[i] ?? 0])) as KindSums),
  }));

export const timingSpreads = ({ timings }: RunSums): Record<SpreadKey, RawDistribution> =>
  Object.fromEntries(SPREADS.map(({ key }) => [key, spreadOf(timings[key])])) as Record<SpreadKey, RawDistribution>;

/** The values of each charted timing by bucket, this many per decade. */
export const chartedSpreads = ({ timings }: RunSums, aDecade: number) =>
  SPREADS.filter(({ isCharted }) => isCharted).flatMap(({ key }) =>
    chartBuckets(timings[key], aDecade).map((bucket) => ({ timing: key as string, ...bucket })),
  );
