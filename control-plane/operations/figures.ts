/** A run's figures, from the store into the contract's shape: final ones for settling, present ones while it goes on. */
import { CAUSES, isCause } from '@carillon/proto';
import {
  type FailureClusters,
  MOST_CLUSTERS,
  type PARTIES,
  type ProgressCounts,
  type Starts,
} from '../contract/run.ts';
import { PHASES, type Phase } from '../contract/words.ts';
import {
  callTimingOf,
  distributionOf,
  type ScaleFigures,
  type StreamTotals,
  sipRequestsOf,
  sipResponsesOf,
  summaryOf,
} from '../domain/figures.ts';
import type { Tx } from '../store/db.ts';
import { type CallCounts, callCounts, phaseCounts, seizures, timingDistributions } from '../store/endpoints.ts';
import { failureClusters } from '../store/failures.ts';
import { sipCounts } from '../store/sip-counts.ts';
import { startsOf } from '../store/starts.ts';

export async function drawFigures(tx: Tx, runId: string, streams: StreamTotals, scales: readonly ScaleFigures[]) {
  const counts = await sipCounts(tx, runId);
  const calls = await callCounts(tx, runId);
  return {
    summary: summaryOf(streams, scales),
    callTiming: callTimingOf(calls, await seizures(tx, runId), await timingDistributions(tx, runId)),
    sipResponses: sipResponsesOf(counts),
    sipRequests: sipRequestsOf(counts),
    clusters: await drawClusters(tx, runId),
    progress: await drawProgress(tx, runId, calls),
    starts: await drawStarts(tx, runId),
  };
}

/** Who is at fault; what an older or newer agent reports is nobody's. */
export const partyOf = (cause: string | null): (typeof PARTIES)[number] =>
  cause !== null && isCause(cause) ? CAUSES[cause].party : 'unknown';

export async function drawClusters(tx: Tx, runId: string): Promise<FailureClusters> {
  const rows = await failureClusters(tx, runId, MOST_CLUSTERS);
  return {
    failureClusters: rows.map((row) => ({
      phase: PHASES[row.reached] as Phase,
      outcome: row.outcome,
      cause: row.cause ?? '',
      party: partyOf(row.cause),
      sipStatus: row.status,
      reason: row.reason ?? '',
      target: row.target,
      count: row.n,
      firstSeenAt: row.firstAt?.toISOString() ?? null,
      lastSeenAt: row.lastAt?.toISOString() ?? null,
      exampleEndpointIds: row.examples,
    })),
    otherFailures: (rows[0]?.failures ?? 0) - rows.reduce((n, row) => n + row.n, 0),
  };
}

export async function drawStarts(tx: Tx, runId: string): Promise<Starts> {
  const { lateness, ...counts } = await startsOf(tx, runId);
  return { ...counts, lateness: distributionOf(lateness) };
}

export async function drawProgress(tx: Tx, runId: string, calls?: CallCounts): Promise<ProgressCounts> {
  const byPhase = new Map((await phaseCounts(tx, runId)).map((p) => [p.phase, p.n]));
  const { calls: callsStarted, answered, ended, failures } = calls ?? (await callCounts(tx, runId));
  return {
    phases: Object.fromEntries(PHASES.map((phase, i) => [phase, byPhase.get(i) ?? 0])) as Record<Phase, number>,
    callsStarted,
    callsAnswered: answered,
    callsEnded: ended,
    failures,
  };
}
