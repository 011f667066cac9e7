/** The calls of a folded run: each is added once to the sums of its instance, in the transaction of its end. */
import { readFigures } from '@carillon/proto/figures/call-figures.ts';
import type { ReportedOutcome, StreamFact } from '../../domain/run/facts.ts';
import { addSeconds, type CallSeconds } from '../../domain/sums/call-seconds.ts';
import { addCall, addStreamTo } from '../../domain/sums/call-sums.ts';
import type { FoldedCall } from '../../domain/sums/folded-call.ts';
import type { Tx } from '../../store/db.ts';
import { dropStreams, insertKeptStreams } from '../../store/measured/streams.ts';
import { addCallSeconds, lockCallSums, type SumsOf, type SumsPart, storeCallSums } from '../../store/run/call-sums.ts';
import {
  type CallOrigin,
  closeKeptCalls,
  dropOpenCalls,
  type EndpointEnd,
  type LostCall,
  type ReportedCall,
} from '../../store/run/endpoint-ends.ts';
import { plannedUris } from '../../store/run/endpoints.ts';
import { insertFindings } from '../../store/run/findings.ts';
import { type EndpointRange, endpointRanges, type InstanceRow } from '../../store/run/instances.ts';

type Instance = Pick<InstanceRow, 'runId' | 'id' | 'role'>;

export async function addToSums(
  tx: Tx,
  of: SumsOf,
  calls: readonly FoldedCall[],
  streams: readonly StreamFact[],
): Promise<void> {
  if (calls.length + streams.length === 0) return;
  const sums = await lockCallSums(tx, of);
  const seconds: CallSeconds = new Map();
  for (const call of calls) {
    addCall(sums, call);
    addSeconds(seconds, call);
  }
  for (const stream of streams) addStreamTo(sums, stream);
  const changed = new Set<SumsPart>();
  if (calls.length > 0) changed.add('calls');
  if (streams.length > 0) changed.add('streams');
  const tellsMore = ({ outcome }: FoldedCall): boolean => outcome.outcome !== 'SUCCESS' || outcome.findings.length > 0;
  if (calls.some(tellsMore)) changed.add('failures');
  await storeCallSums(tx, of, sums, changed);
  await addCallSeconds(tx, of, seconds);
}

const NO_URIS: ReadonlyMap<number, string> = new Map();

/**
 * Folds a batch's facts about ended calls of an instance. Kept calls have a row, and so does the first, planned call of
 * each endpoint.
 */
export async function foldEnds(
  tx: Tx,
  instance: Instance,
  origin: CallOrigin,
  range: EndpointRange,
  { ends, streams }: { readonly ends: readonly EndpointEnd[]; readonly streams: readonly StreamFact[] },
): Promise<void> {
  const { runId } = instance;
  const whose = { ...range, role: instance.role };
  const hasRow = ({ outcome }: EndpointEnd): boolean => outcome.kept || outcome.number < range.apart;
  const dropped = ends.filter((end) => !hasRow(end));
  const written = new Map((await closeKeptCalls(tx, origin, ends.filter(hasRow))).map((row) => [row.number, row]));
  const dropping = dropped.map(({ outcome }) => outcome.number);
  const open = new Map((await dropOpenCalls(tx, origin, dropping)).map((row) => [row.number, row]));
  const silent = range.calleeUri === null ? dropped.filter(({ outcome }) => !outcome.calleeUri) : [];
  const endpointOf = ({ outcome }: EndpointEnd): number => outcome.number % range.apart;
  const uris = silent.length > 0 ? await plannedUris(tx, runId, [...new Set(silent.map(endpointOf))]) : NO_URIS;
  const kept = ends.filter(({ outcome }) => written.has(outcome.number));
  const calls = [
    ...kept.map((end) => ended(end, whose, written.get(end.outcome.number), true)),
    ...dropped.map((end) => ended(end, whose, open.get(end.outcome.number), false, uris.get(endpointOf(end)))),
  ];
  await insertFindings(
    tx,
    runId,
    kept.map(({ outcome }) => outcome),
  );
  if (open.size > 0) await dropStreams(tx, runId, [...open.keys()]);
  if (streams.length > 0) await insertKeptStreams(tx, runId, streams);
  await addToSums(tx, { runId, instanceId: instance.id, lost: false }, calls, streams);
}

const first = (one: number, other: number): number => (Number.isNaN(one) ? other : one);

function ended(
  { outcome, phases }: EndpointEnd,
  { role, countsAsCall, registrarUri, calleeUri }: EndpointRange & Pick<Instance, 'role'>,
  row: ReportedCall | undefined,
  isKept: boolean,
  plannedUri = '',
): FoldedCall {
  return {
    outcome,
    phases: row
      ? {
          ...phases,
          reached: Math.max(row.reached, phases.reached),
          calledUnixMs: first(row.calledUnixMs, phases.calledUnixMs),
          answeredUnixMs: first(row.answeredUnixMs, phases.answeredUnixMs),
          leftUnixMs: first(row.leftUnixMs, phases.leftUnixMs),
          closedUnixMs: first(row.closedUnixMs, phases.closedUnixMs),
        }
      : phases,
    answered: outcome.attempted && outcome.finalStatus >= 200 && outcome.finalStatus <= 299,
    endpointType: role,
    countsAsCall,
    calleeUri: outcome.calleeUri || row?.calleeUri || (calleeUri ?? plannedUri),
    registrarUri,
    id: isKept && row ? row.id : null,
  };
}

/** Folds the calls that were open when their worker was lost: without measurements, and apart (takeBack removes them). */
export async function foldLost(tx: Tx, instance: Instance, rows: readonly LostCall[], reason: string): Promise<void> {
  const [range] = await endpointRanges(tx, [instance]);
  if (range === undefined) return;
  const whose = { ...range, role: instance.role };
  const calls = rows.map((row) => ({
    ...ended({ outcome: lostOutcome(row, reason), phases: row }, whose, row, true),
    answered: row.answered,
  }));
  await addToSums(tx, { runId: instance.runId, instanceId: instance.id, lost: true }, calls, []);
}

const lostOutcome = ({ number, attempted }: LostCall, reason: string): ReportedOutcome => ({
  ...readFigures(() => undefined),
  number,
  kept: true,
  outcome: 'CALL_FAILED',
  cause: 'WORKER_LOST',
  causeText: reason,
  causeStatus: 0,
  attempted,
  callResult: attempted ? 'ERROR' : null,
  finalStatus: 0,
  finalReason: null,
  rang: false,
  calleeUri: null,
  callerUri: null,
  callId: null,
  plannedUnixMs: Number.NaN,
  peer: null,
  tls: null,
  refreshes: Number.NaN,
  refreshFailures: Number.NaN,
  refreshLapses: Number.NaN,
  refreshRecoveries: Number.NaN,
  endedBy: null,
  q850: 0,
  reasonText: null,
  warning: null,
  retryAfterSeconds: 0,
  awaitedMs: 0,
  absentMs: 0,
  pausedMs: 0,
  unreported: false,
  findings: [],
});
