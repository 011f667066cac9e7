/**
 * Settles a call once the records of its streams are available: its findings, and their effect on its outcome. Pure.
 */
import { CAUSES, type FaultKind, FINDINGS, isFault } from '@carillon/proto';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { SharePlan } from '../plan.ts';
import type { FindingFact, OutcomeFact } from '../report/facts.ts';
import { findingsOf } from './call-findings.ts';

type Plan = Pick<SharePlan, 'role' | 'callDurationMs' | 'group'>;

/**
 * The signalling result is kept; an answered call with a fault that the group does not tolerate has failed. The first
 * cause counts.
 */
export function settleCall(outcome: OutcomeFact, records: readonly StreamRecord[], plan: Plan): OutcomeFact {
  const { evidence, timeToFirstMediaMs } = outcome;
  if (evidence === null) return outcome;
  const { role, group, callDurationMs: plannedMs } = plan;
  const findings = findingsOf({ evidence, records, role, plannedMs, timeToFirstMediaMs, group });
  // The outcome stays as the signalling thread made it.
  if (findings.length === 0 && records.length === 0) return outcome;
  const settled = { ...outcome, findings, unreported: isUnreported(records), ...audioTime(records) };
  const fault = outcome.cause === null ? faultOf(findings) : undefined;
  if (fault === undefined) return settled;
  return { ...settled, cause: fault, causeText: FINDINGS[fault].title, outcome: CAUSES[fault].outcome };
}

function faultOf(findings: readonly FindingFact[]): FaultKind | undefined {
  for (const { kind, tolerated } of findings) if (!tolerated && isFault(kind)) return kind;
  return undefined;
}

/** The far end's reports do not say whether some of our audio arrived. */
const isUnreported = (records: readonly StreamRecord[]): boolean =>
  records.some((r) => r.video === null && r.packetsSent > 0 && r.hearing === 'UNKNOWN');

/** NaN: no audio was expected. */
function audioTime(records: readonly StreamRecord[]): Pick<OutcomeFact, 'awaitedMs' | 'absentMs' | 'pausedMs'> {
  const awaited = records.filter((r) => r.video === null && r.absence.awaitedMs > 0);
  const sum = (pick: (r: StreamRecord) => number) => awaited.reduce((n, r) => n + pick(r), 0);
  if (awaited.length === 0) return { awaitedMs: Number.NaN, absentMs: Number.NaN, pausedMs: Number.NaN };
  return {
    awaitedMs: sum((r) => r.absence.awaitedMs),
    absentMs: sum((r) => r.absence.absentMs),
    pausedMs: sum((r) => r.absence.pausedMs),
  };
}
