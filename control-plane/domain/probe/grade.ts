/** The grade of a probe's execution (docs/decisions.md, Grading). Pure. */

import { METRIC_KEYS, type MetricKey } from '../../contract/metric-keys.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';
import { type Figure, type Figures, figureOf } from '../../contract/run/metric-figures.ts';
import type { Validity } from '../../contract/run/run.ts';
import type { RunErrorCode } from '../../contract/run/words.ts';
import type { RunStatus } from '../../contract/run-status.ts';
import type { JudgedThreshold, ThresholdResult } from '../../contract/threshold.ts';

export type ThresholdLimits = {
  readonly metricKey: MetricKey;
  readonly greenValue: number;
  readonly orangeValue: number;
};

export type Evidence = {
  readonly status: RunStatus;
  /** Null: the run has none. */
  readonly figures: Figures | null;
  readonly validity: Validity | null;
  /** The execution's one endpoint; null: the run had no endpoint. */
  readonly endpoint: {
    readonly succeeded: boolean;
    /** The side at fault if the call did not succeed. */
    readonly party: 'caller' | 'callee' | 'network' | 'agent' | 'unknown';
    /** The last final response; null: no final response. */
    readonly finalStatus: number | null;
    /** The call was answered, and failed because of a finding. */
    readonly isFaulty: boolean;
    /** True: found from received media, not from the far end's reports. */
    readonly isOfReceived: boolean;
  } | null;
};

/**
 * What the status is based on. CALL: the result of the call; THRESHOLDS: limits that were crossed; NOT_MEASURED: limits
 * without a figure; NOISE, AGENT: the agent's own trouble; NO_RESULT: the run did not complete.
 */
export type Because = 'CALL' | 'THRESHOLDS' | 'NOT_MEASURED' | 'NOISE' | 'AGENT' | 'NO_RESULT';
export type Grade = {
  readonly status: HealthState;
  readonly because: Because;
  readonly results: ThresholdResult[];
};

/** Bad values precede unknown ones, and these precede good ones. */
const WORST_FIRST: readonly HealthState[] = ['UNHEALTHY', 'DEGRADED', 'UNKNOWN', 'HEALTHY'];

const worst = (states: readonly HealthState[]): HealthState => WORST_FIRST.find((s) => states.includes(s)) ?? 'HEALTHY';

export const NOT_GRADED: Grade = { status: 'UNKNOWN', because: 'NO_RESULT', results: [] };

/** `expected`: the final statuses that the target should answer with; null: it should accept. */
export function grade(e: Evidence, limits: readonly ThresholdLimits[], expected: readonly number[] | null): Grade {
  const { endpoint, figures, validity } = e;
  if (e.status !== 'COMPLETED' || !endpoint || !figures) return NOT_GRADED;
  // If the agent's own noise is too high, its figures and missing media are not used, but the target's answer is.
  const isStill = stoodStill(validity);
  const trusted = validity?.verdict !== 'VOID' && !isStill;
  const results = limits.map((limit) => judge(limit, trusted ? figureOf(limit.metricKey, figures) : NOT_MEASURED));
  const isHeard = !isStill || figures.quality.soundAsked === 0 || expected !== null;
  const isAnswered = endpoint.succeeded ? isHeard : endpoint.finalStatus !== null;
  const isSeen = trusted || (endpoint.isFaulty ? !isStill && isFaultSeen(endpoint, validity) : isAnswered);
  const outcome = isSeen ? outcomeOf(endpoint, expected) : 'UNKNOWN';
  const status = worst([outcome, ...results.map((r) => r.status)]);
  return { status, because: becauseOf(status, outcome, isSeen, trusted), results };
}

function becauseOf(status: HealthState, outcome: HealthState, isSeen: boolean, trusted: boolean): Because {
  if (status === outcome) {
    if (status !== 'UNKNOWN') return 'CALL';
    return isSeen ? 'AGENT' : 'NOISE';
  }
  if (status !== 'UNKNOWN') return 'THRESHOLDS';
  return trusted ? 'NOT_MEASURED' : 'NOISE';
}

/** An agent that sends late or not at all still receives correctly. */
function isFaultSeen({ isOfReceived }: NonNullable<Evidence['endpoint']>, validity: Validity | null): boolean {
  const voids = (validity?.reasons ?? []).filter(({ level }) => level === 'VOID');
  return isOfReceived && voids.length > 0 && voids.every(({ check }) => OF_SENDING.includes(check));
}
const OF_SENDING: readonly string[] = ['inviteLateness', 'pacingError', 'skippedSlots', 'notStarted'];

/** An agent that stalled for as long as a media hole may have caused a hole, or missed one. */
export const stoodStill = (validity: Pick<Validity, 'checks'> | null): boolean =>
  (validity?.checks ?? []).some(({ check, value }) => check === 'stall' && value !== null && value >= HOLE_MS);
const HOLE_MS = 1000;

function outcomeOf(end: NonNullable<Evidence['endpoint']>, expected: readonly number[] | null): HealthState {
  // The answer was expected, in a call without audio.
  if (end.isFaulty) return missed(end);
  if (expected !== null)
    return end.finalStatus !== null && expected.includes(end.finalStatus) ? 'HEALTHY' : missed(end);
  return end.succeeded ? 'HEALTHY' : missed(end);
}

/** A fault of the agent is not a fault of the target. */
const missed = ({ succeeded, party }: NonNullable<Evidence['endpoint']>): HealthState =>
  !succeeded && party === 'agent' ? 'UNKNOWN' : 'UNHEALTHY';

function judge({ metricKey, greenValue, orangeValue }: ThresholdLimits, { value, count }: Figure): ThresholdResult {
  const { displayName, unit, higherIsBetter } = METRIC_KEYS[metricKey];
  const status = count === 0 ? 'UNKNOWN' : health(value, greenValue, orangeValue, higherIsBetter);
  return { metricKey, displayName, unit, value: count === 0 ? 0 : value, count, status, higherIsBetter };
}

export type Judgement = { readonly thresholds: JudgedThreshold[]; readonly passed: boolean | null };

/**
 * Judges a test's thresholds: passed if no value is beyond its orange limit and all were measured; null: not judged, or
 * no thresholds.
 */
export function judgeTest(
  figures: Figures,
  verdict: Validity['verdict'],
  isComplete: boolean,
  limits: readonly ThresholdLimits[],
): Judgement {
  const judged = isComplete && verdict !== 'VOID';
  const thresholds = limits.map((limit) => ({
    ...judge(limit, judged ? figureOf(limit.metricKey, figures) : NOT_MEASURED),
    greenValue: limit.greenValue,
    orangeValue: limit.orangeValue,
  }));
  if (!judged || thresholds.length === 0) return { thresholds, passed: null };
  return { thresholds, passed: thresholds.every(({ status }) => status === 'HEALTHY' || status === 'DEGRADED') };
}

export function health(value: number, green: number, orange: number, higherIsBetter: boolean): HealthState {
  const within = (limit: number) => (higherIsBetter ? value >= limit : value <= limit);
  if (within(green)) return 'HEALTHY';
  return within(orange) ? 'DEGRADED' : 'UNHEALTHY';
}

const NOT_MEASURED: Figure = { value: 0, count: 0 };

/** The plan refused the execution at its start; the target was not contacted, and the probe's health does not change. */
const REFUSED_BY_PLAN: readonly RunErrorCode[] = [
  'PLAN_ENDPOINT_LIMIT',
  'PLAN_RUN_LIMIT',
  'CREDITS_EXHAUSTED',
  'SUBSCRIPTION_INACTIVE',
];
export const isRefusedByPlan = (code: RunErrorCode | undefined): boolean =>
  code !== undefined && REFUSED_BY_PLAN.includes(code);

/** No worker could run the execution, or none completed it. */
const WORKER_TROUBLE: readonly RunErrorCode[] = [
  'NO_ONLINE_WORKER',
  'INSUFFICIENT_CAPACITY',
  'WORKER_REFUSED',
  'ALL_WORKERS_LOST',
];
export const isWorkerTrouble = (code: RunErrorCode | undefined): boolean =>
  code !== undefined && WORKER_TROUBLE.includes(code);
