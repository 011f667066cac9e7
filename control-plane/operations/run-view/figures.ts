/** A run's figures, from the store into the contract's shape: final ones for settling, present ones while it goes on. */
import { FINDINGS, type FindingKind, isCause, isFault, partyAtFault, partyOfFinding } from '@carillon/proto';
import type { RunFinding } from '../../contract/run/findings.ts';
import { type FailureClusters, MOST_CLUSTERS, type ProgressCounts, type Starts } from '../../contract/run/run.ts';
import { type EndpointType, type Party, PHASES, type Phase } from '../../contract/words.ts';
import { callQualityOf } from '../../domain/figures/call-quality.ts';
import {
  callTimingOf,
  distributionOf,
  type RunTotals,
  type ScaleFigures,
  sipRequestsOf,
  sipResponsesOf,
  summaryOf,
} from '../../domain/figures/figures.ts';
import { numberPattern } from '../../domain/figures/number-pattern.ts';
import type { Tx } from '../../store/db.ts';
import { sipCounts } from '../../store/measured/sip-counts.ts';
import {
  callCounts,
  type EndpointCounts,
  phaseCounts,
  qualityCounts,
  seizures,
  timingDistributions,
} from '../../store/run/endpoints.ts';
import { failureClusters } from '../../store/run/failures.ts';
import { countFindings } from '../../store/run/findings.ts';
import { startsOf } from '../../store/run/starts.ts';

export async function drawFigures(tx: Tx, runId: string, streams: RunTotals, scales: readonly ScaleFigures[]) {
  const counts = await sipCounts(tx, runId);
  const calls = await callCounts(tx, runId);
  return {
    summary: summaryOf(streams, scales),
    callTiming: callTimingOf(calls, await seizures(tx, runId), await timingDistributions(tx, runId)),
    callQuality: await drawQuality(tx, runId),
    findings: await drawFindings(tx, runId),
    sipResponses: sipResponsesOf(counts),
    sipRequests: sipRequestsOf(counts),
    clusters: await drawClusters(tx, runId),
    progress: await drawProgress(tx, runId, calls),
    starts: await drawStarts(tx, runId),
  };
}

/** Of the causes that agents name, one of this version's table. */
export const isKnownCause = (cause: string | null): cause is string => cause !== null && isCause(cause);

/** Which side is at fault, of an endpoint of that type; what an older or newer agent reports is nobody's. */
export const partyOf = (cause: string | null, end: EndpointType = 'CALLER', q850: number | null = null): Party =>
  cause !== null && isCause(cause) ? partyAtFault(cause, end, q850) : 'unknown';

/** The same as that of a failure by it. `q850`: what the far end said of how the call ended; null: nothing. */
export const findingParty = (kind: FindingKind, end: EndpointType, q850: number | null): Party =>
  isCause(kind) ? partyAtFault(kind, end, q850) : partyOfFinding(kind, end);

export const drawQuality = async (tx: Tx, runId: string) => callQualityOf(await qualityCounts(tx, runId));

/** Faults first, then by count. */
export async function drawFindings(tx: Tx, runId: string): Promise<RunFinding[]> {
  const counts = await countFindings(tx, runId);
  return counts
    .map(({ kind, endpointType, n, tolerated, answered, examples, q850 }) => ({
      finding: kind,
      endpointType,
      severity: FINDINGS[kind].severity,
      party: findingParty(kind, endpointType, q850),
      title: FINDINGS[kind].title,
      count: n,
      tolerated,
      answered,
      sharePercent: answered > 0 ? Math.round((n / answered) * 1e8) / 1e6 : 0,
      exampleEndpointIds: examples,
    }))
    .sort(
      (a, b) =>
        Number(isFault(b.finding)) - Number(isFault(a.finding)) ||
        b.count - a.count ||
        a.finding.localeCompare(b.finding) ||
        b.endpointType.localeCompare(a.endpointType),
    );
}

export async function drawClusters(tx: Tx, runId: string): Promise<FailureClusters> {
  const rows = await failureClusters(tx, runId, MOST_CLUSTERS);
  return {
    failureClusters: rows.map((row) => ({
      phase: PHASES[row.reached] as Phase,
      endpointType: row.endpointType,
      outcome: row.outcome,
      cause: row.cause ?? '',
      party: partyOf(row.cause, row.endpointType, row.q850),
      sipStatus: row.status,
      reason: row.reason ?? '',
      q850: row.q850,
      explanation: row.explanation,
      target: row.target,
      number: numberPattern(row),
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

export async function drawProgress(tx: Tx, runId: string, calls?: EndpointCounts): Promise<ProgressCounts> {
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
