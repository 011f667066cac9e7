/** The grade of an execution's run, and what is said of it. */
import { isFindingKind } from '@carillon/proto';
import { PHASES } from '../../contract/run/words.ts';
import { findingView } from '../../domain/figures/findings.ts';
import { type Grade, grade, NOT_GRADED, type ThresholdLimits } from '../../domain/probe/grade.ts';
import type { Tx } from '../../store/db.ts';
import { evidenceOf, type lockExecution } from '../../store/probe/probe-grades.ts';
import { thresholdsOf } from '../../store/probe/probes.ts';
import { findingParty, partyOf } from '../run-view/figures.ts';
import { explanationOf, type Shown } from './words.ts';

export type LockedExecution = NonNullable<Awaited<ReturnType<typeof lockExecution>>>;
type RunEvidence = NonNullable<Awaited<ReturnType<typeof evidenceOf>>>;

export type Settled = {
  readonly grade: Grade;
  readonly runId: string;
  /** The result of the run; null: the run was deleted. */
  readonly shown: Shown | null;
};

export async function gradeRun(tx: Tx, execution: LockedExecution, runId: string): Promise<Settled> {
  const found = await evidenceOf(tx, runId);
  if (!found) return { grade: NOT_GRADED, runId, shown: null };
  const limits = (await thresholdsOf(tx, [execution.probeId])).filter((t) => t.enabled);
  const { status, summary, callTiming, callQuality: quality, validity } = found;
  const figures = summary && callTiming && quality ? { summary, callTiming, quality } : null;
  const endpoint = endpointOf(found, execution);
  return {
    grade: grade({ status, figures, validity, endpoint }, limits, execution.expectedStatusCodes),
    runId,
    shown: shownOf(found, execution, limits),
  };
}

/** What the grade needs of the caller; null: the run had none. */
function endpointOf(found: RunEvidence, execution: LockedExecution) {
  const { endpointId, outcome, cause, q850 } = found;
  if (endpointId === null) return null;
  const isFaulty = cause !== null && isFindingKind(cause);
  return {
    succeeded: outcome === 'SUCCESS',
    party: partyOf(cause, 'CALLER', q850),
    finalStatus: finalStatusOf(found, execution),
    isFaulty,
    isOfReceived: isFaulty && cause !== 'ONE_WAY_AUDIO',
  };
}

/** If a call ended before its INVITE, the cause is the registrar's answer, not the target's. */
const finalStatusOf = ({ finalStatus, causeStatus }: RunEvidence, { mode }: LockedExecution): number | null =>
  finalStatus ?? (mode === 'CALL' ? null : causeStatus);

function shownOf(found: RunEvidence, execution: LockedExecution, limits: readonly ThresholdLimits[]): Shown {
  const { status, startedAt, endedAt, error, cause, causeStatus, q850, callQuality: quality } = found;
  return {
    status,
    startedAt,
    endedAt,
    error,
    limits,
    cause,
    steps: found.endpointId === null ? null : stepsOf(found),
    finalStatus: finalStatusOf(found, execution),
    worker: found.workerName,
    noise: found.validity?.sentence ?? null,
    party: cause === null ? null : partyOf(cause, 'CALLER', q850),
    failure:
      cause === null ? null : { cause, sipStatus: causeStatus, reason: found.causeText ?? '', ...explanationOf(found) },
    findings: (found.findings ?? []).map((f) => findingView(f, findingParty(f.kind, 'CALLER', q850))),
    phase: found.reached === null ? null : (PHASES[found.reached] ?? null),
    heard: quality && quality.soundAsked > 0 ? quality.heard + quality.unreported === quality.soundAsked : null,
    isReported: quality?.unreported === 0,
  };
}

const stepsOf = (found: RunEvidence) => {
  const { dnsMs, registerMs, tryingMs, ringingMs, answerMs, firstMediaMs, byeMs, optionsMs } = found;
  return { dnsMs, connectMs: null, registerMs, tryingMs, ringingMs, answerMs, firstMediaMs, byeMs, optionsMs };
};
