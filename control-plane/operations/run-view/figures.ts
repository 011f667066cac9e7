/** A run's figures, from the store to the contract's shape: final ones for settling, current ones during the run. */
import { FINDINGS, type FindingKind, isCause, isFault, partyAtFault, partyOfFinding } from '@carillon/proto';
import type { RunFinding } from '../../contract/run/findings.ts';
import { type FailureClusters, MAX_CLUSTERS, type ProgressCounts, type Starts } from '../../contract/run/run.ts';
import { PHASES, type Phase } from '../../contract/run/words.ts';
import type { Party } from '../../contract/run-status.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
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
import {
  type CountedKind,
  callCountsOf,
  phaseCountsOf,
  qualityCountsOf,
  seizuresOf,
} from '../../domain/sums/call-kinds.ts';
import type { Tx } from '../../store/db.ts';
import { sipCounts } from '../../store/measured/sip-counts.ts';
import { startsOf } from '../../store/run/starts.ts';
import type { CallSource } from './call-source.ts';

export async function drawFigures(
  tx: Tx,
  runId: string,
  calls: CallSource,
  streams: RunTotals,
  scales: readonly ScaleFigures[],
) {
  const counts = await sipCounts(tx, runId);
  const kinds = await calls.kinds();
  return {
    summary: summaryOf(streams, scales),
    callTiming: callTimingOf(callCountsOf(kinds), seizuresOf(kinds), await calls.timings()),
    callQuality: qualityOf(kinds),
    findings: await drawFindings(calls),
    sipResponses: sipResponsesOf(counts),
    sipRequests: sipRequestsOf(counts),
    clusters: await drawClusters(calls),
    progress: progressOf(kinds),
    starts: await drawStarts(tx, runId, calls),
  };
}

/** True if a cause reported by an agent is in this version's table. */
export const isKnownCause = (cause: string | null): cause is string => cause !== null && isCause(cause);

/** The party at fault, for an endpoint of that type; unknown causes of older or newer agents have none. */
export const partyOf = (cause: string | null, end: EndpointType = 'CALLER', q850: number | null = null): Party =>
  cause !== null && isCause(cause) ? partyAtFault(cause, end, q850) : 'unknown';

/** The same as for a failure with this finding. `q850`: the far end's reason for the end of the call; null: none. */
export const findingParty = (kind: FindingKind, end: EndpointType, q850: number | null): Party =>
  isCause(kind) ? partyAtFault(kind, end, q850) : partyOfFinding(kind, end);

export const qualityOf = (kinds: readonly CountedKind[]) => callQualityOf(qualityCountsOf(kinds));

/** Lists faults first, then by count. */
export async function drawFindings(calls: CallSource): Promise<RunFinding[]> {
  const counts = await calls.findings();
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

export async function drawClusters(calls: CallSource): Promise<FailureClusters> {
  const rows = await calls.clusters(MAX_CLUSTERS);
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

export async function drawStarts(tx: Tx, runId: string, calls: CallSource): Promise<Starts> {
  const { late, lateness } = await calls.lateness();
  return { ...(await startsOf(tx, runId)), late, lateness: distributionOf(lateness) };
}

export function progressOf(kinds: readonly CountedKind[]): ProgressCounts {
  const byPhase = phaseCountsOf(kinds);
  const { calls, answered, ended, failures } = callCountsOf(kinds);
  return {
    phases: Object.fromEntries(PHASES.map((phase, i) => [phase, byPhase[i] ?? 0])) as Record<Phase, number>,
    callsStarted: calls,
    callsAnswered: answered,
    callsEnded: ended,
    failures,
  };
}
