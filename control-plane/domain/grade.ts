/** What an execution of a probe says of its target (design 3, "grading"). Pure. */
import { METRIC_KEYS, type MetricKey } from '../contract/metric-keys.ts';
import type { ThresholdResult } from '../contract/probe.ts';
import type { CallTiming, Summary, Validity } from '../contract/run.ts';
import type { HealthState, RunErrorCode, RunStatus } from '../contract/words.ts';

export type Limits = { readonly metricKey: MetricKey; readonly greenValue: number; readonly orangeValue: number };

export type Evidence = {
  readonly status: RunStatus;
  readonly summary: Summary | null;
  readonly callTiming: CallTiming | null;
  readonly verdict: Validity['verdict'] | null;
  /** The execution's one endpoint; null: it never had one. */
  readonly endpoint: {
    readonly succeeded: boolean;
    /** Who is at fault where it did not. */
    readonly party: 'caller' | 'callee' | 'network' | 'agent' | 'unknown';
    /** Last final response; null: there was none. */
    readonly finalStatus: number | null;
  } | null;
};

export type Grade = { readonly status: HealthState; readonly results: ThresholdResult[] };

/** What is bad is told before what is not known, and what is not known before what is good. */
const WORST_FIRST: readonly HealthState[] = ['UNHEALTHY', 'DEGRADED', 'UNKNOWN', 'HEALTHY'];

const worst = (states: readonly HealthState[]): HealthState => WORST_FIRST.find((s) => states.includes(s)) ?? 'HEALTHY';

const NOT_GRADED: Grade = { status: 'UNKNOWN', results: [] };

/** `expected`: final statuses that are what the target should answer; null: it should accept. */
export function grade(e: Evidence, limits: readonly Limits[], expected: readonly number[] | null): Grade {
  if (e.status !== 'COMPLETED' || !e.endpoint || !e.summary || !e.callTiming) return NOT_GRADED;
  // Where the agent's own noise drowns its figures, they say nothing, and nor does silence; what the target answered stands.
  const trusted = e.verdict !== 'VOID';
  const results = limits.map((limit) =>
    judge(limit, trusted ? figureOf(limit.metricKey, e.summary, e.callTiming) : null),
  );
  const heard = trusted || e.endpoint.succeeded || e.endpoint.finalStatus !== null;
  const outcome = heard ? outcomeOf(e.endpoint, expected) : 'UNKNOWN';
  return { status: worst([outcome, ...results.map((r) => r.status)]), results };
}

function outcomeOf(end: NonNullable<Evidence['endpoint']>, expected: readonly number[] | null): HealthState {
  if (expected !== null)
    return end.finalStatus !== null && expected.includes(end.finalStatus) ? 'HEALTHY' : missed(end);
  return end.succeeded ? 'HEALTHY' : missed(end);
}

/** Agent trouble is not target trouble. */
const missed = ({ succeeded, party }: NonNullable<Evidence['endpoint']>): HealthState =>
  !succeeded && party === 'agent' ? 'UNKNOWN' : 'UNHEALTHY';

function judge({ metricKey, greenValue, orangeValue }: Limits, value: number | null): ThresholdResult {
  const { displayName, unit, higherIsBetter } = METRIC_KEYS[metricKey];
  const status = value === null ? 'UNKNOWN' : health(value, greenValue, orangeValue, higherIsBetter);
  return { metricKey, displayName, unit, value: value ?? 0, status, higherIsBetter };
}

export function health(value: number, green: number, orange: number, higherIsBetter: boolean): HealthState {
  const within = (limit: number) => (higherIsBetter ? value >= limit : value <= limit);
  if (within(green)) return 'HEALTHY';
  return within(orange) ? 'DEGRADED' : 'UNHEALTHY';
}

type Figure = (summary: Summary, calls: CallTiming) => readonly [value: number, count: number];
type TimingKey =
  | 'pdd'
  | 'callSetup'
  | 'timeToTrying'
  | 'timeToRinging'
  | 'timeToFirstMedia'
  | 'registerRtt'
  | 'optionsRtt';

const timing =
  (key: TimingKey): Figure =>
  (_, calls) => [calls[key].p95, calls[key].count];

const FIGURES: { readonly [K in MetricKey]: Figure } = {
  avgMos: (s) => [s.avgMos, s.measured.mos],
  minMos: (s) => [s.minMos, s.measured.mos],
  avgRFactor: (s) => [s.avgRFactor, s.measured.rFactor],
  minRFactor: (s) => [s.minRFactor, s.measured.rFactor],
  avgJitter: (s) => [s.avgJitter, s.measured.jitter],
  maxJitter: (s) => [s.maxJitter, s.measured.jitter],
  avgPacketLossFraction: (s) => [s.avgPacketLossFraction, s.measured.loss],
  avgRtt: (s) => [s.avgRtt, s.measured.rtt],
  maxRtt: (s) => [s.maxRtt, s.measured.rtt],
  asr: (_, c) => [c.asr, c.totalCalls],
  ner: (_, c) => [c.ner, c.totalCalls],
  pdd: timing('pdd'),
  callSetup: timing('callSetup'),
  timeToTrying: timing('timeToTrying'),
  timeToRinging: timing('timeToRinging'),
  timeToFirstMedia: timing('timeToFirstMedia'),
  registerRtt: timing('registerRtt'),
  optionsRtt: timing('optionsRtt'),
};

/** A run's figure by its metric key; null: it was not measured. */
export function figureOf(key: MetricKey, summary: Summary | null, calls: CallTiming | null): number | null {
  if (!summary || !calls) return null;
  const [value, count] = FIGURES[key](summary, calls);
  return count > 0 ? value : null;
}

/** The plan refused it before it began; the target was not asked, and the probe's health stays what it was. */
const REFUSED_BY_PLAN: readonly RunErrorCode[] = [
  'PLAN_ENDPOINT_LIMIT',
  'PLAN_RUN_LIMIT',
  'CREDITS_EXHAUSTED',
  'SUBSCRIPTION_INACTIVE',
];
export const isRefusedByPlan = (code: RunErrorCode | undefined): boolean =>
  code !== undefined && REFUSED_BY_PLAN.includes(code);

/** No worker could carry it, or none did to its end. */
const WORKER_TROUBLE: readonly RunErrorCode[] = [
  'NO_ONLINE_WORKER',
  'INSUFFICIENT_CAPACITY',
  'WORKER_REFUSED',
  'ALL_WORKERS_LOST',
];
export const isWorkerTrouble = (code: RunErrorCode | undefined): boolean =>
  code !== undefined && WORKER_TROUBLE.includes(code);
