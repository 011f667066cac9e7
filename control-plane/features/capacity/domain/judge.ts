/** Judges a trial: whether its level met the SLOs, beyond chance. Pure. */

import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import type { VERDICTS } from '../../../contract/run/measured-words.ts';
import type { RunErrorCode } from '../../../contract/run/words.ts';
import type { RunStatus } from '../../../contract/run-status.ts';
import { binomialTail } from '../../../domain/statistics/distributions.ts';
import type { JudgedSlo, Slo } from '../contract/capacity.ts';
import type { SearchMethod, TrialResult } from '../contract/words.ts';

export type TrialRun = {
  readonly status: RunStatus;
  readonly error: { readonly code: RunErrorCode; readonly message: string } | null;
  readonly verdict: (typeof VERDICTS)[number] | null;
  /** The number of calls that were due in the whole trial. */
  readonly due: number;
  readonly heldBack: number;
  readonly noFreeEndpoint: number;
  /** The calls that failed after the warm-up. */
  readonly failed: number;
  readonly calls: number;
  readonly figures: Readonly<Record<string, { readonly value: number; readonly count: number }>>;
};

type Limits = {
  readonly method: SearchMethod;
  readonly slos: readonly Slo[];
  readonly backgroundFailureShare: number;
};

export type Judged = {
  /** Null: no level could be tried; the search cannot continue. */
  readonly result: TrialResult | null;
  readonly slos: JudgedSlo[];
  readonly reasons: string[];
};

/** An excess of failures counts if chance would cause it in at most this share of trials: one in a hundred. */
const CHANCE = 0.01;
/** The limit, in percent, of due calls that found no free endpoint. */
const MAX_WITHOUT_ENDPOINT = 1;

/** These errors are limits of the generator: more agents, accounts or a wider policy would remove them. */
const LIMITS: readonly RunErrorCode[] = [
  'INSUFFICIENT_CAPACITY',
  'WORKER_REFUSED',
  'PLAN_ENDPOINT_LIMIT',
  'SIP_ACCOUNTS_MISSING',
];
/** These errors decide nothing, and the trial is repeated. */
const PASSING: readonly RunErrorCode[] = ['ALL_WORKERS_LOST', 'EXECUTION_TIME_EXCEEDED', 'INTERNAL', 'PLAN_RUN_LIMIT'];

/** Percentages of calls: of good ones, or of bad ones. */
const SHARES: Readonly<Partial<Record<MetricKey, 'GOOD' | 'BAD'>>> = {
  successShare: 'GOOD',
  asr: 'GOOD',
  ner: 'GOOD',
  heardShare: 'GOOD',
  callDropRate: 'BAD',
};

export function judgeTrial(run: TrialRun, limits: Limits): Judged {
  const unusable = withoutFigures(run);
  if (unusable) return unusable;
  const slos = limits.slos.map((slo) => judgeSlo(slo, run.figures[slo.metricKey], limits.backgroundFailureShare));
  const unmeasured = slos.filter(({ count }) => count === 0);
  // A value that was not measured says nothing about the load, unless failed calls are the reason.
  if (unmeasured.length > 0 && run.failed === 0)
    return { result: 'VOID', slos, reasons: unmeasured.map(({ metricKey }) => `${metricKey} was not measured`) };
  if (limits.method === 'RFC7502_STRICT') {
    const lost = run.failed + run.noFreeEndpoint + run.heldBack;
    return { result: lost === 0 ? 'PASSED' : 'FAILED', slos, reasons: lost === 0 ? [] : [`${lost} sessions failed`] };
  }
  const reasons = [...slos.filter(({ passed }) => !passed).map(sentence), ...notCarried(run)];
  return { result: reasons.length === 0 ? 'PASSED' : 'FAILED', slos, reasons };
}

function withoutFigures({ status, error, verdict }: TrialRun): Judged | null {
  const of = (result: TrialResult | null, reason: string): Judged => ({ result, slos: [], reasons: [reason] });
  const said = error ? `${error.code}: ${error.message}` : `the run is ${status}`;
  if (status === 'CANCELLED') return of(null, 'the run of a trial was cancelled');
  if (error && LIMITS.includes(error.code)) return of('LIMITED', said);
  if (status === 'FAILED' || (error && PASSING.includes(error.code))) return of('VOID', said);
  if (status !== 'COMPLETED') return of(null, said);
  return verdict === 'VOID' ? of('VOID', "the run is VOID by the agents' own noise") : null;
}

function judgeSlo(slo: Slo, figure: { value: number; count: number } | undefined, background: number): JudgedSlo {
  if (figure === undefined || figure.count === 0) return { ...slo, value: null, count: 0, passed: false };
  const { value, count } = figure;
  const { higherIsBetter } = METRIC_KEYS[slo.metricKey];
  const isKept = higherIsBetter ? value >= slo.limit : value <= slo.limit;
  return { ...slo, value, count, passed: isKept || isChance(slo, value, count, background) };
}

/** The probability of at least as many bad calls, if their share equals the limit or the base failure rate. */
function isChance({ metricKey, limit }: Slo, value: number, count: number, background: number): boolean {
  const side = SHARES[metricKey];
  if (side === undefined) return false;
  const badOf = (percent: number): number => (side === 'GOOD' ? 100 - percent : percent) / 100;
  const allowed = Math.max(badOf(limit), background);
  return binomialTail(Math.round(badOf(value) * count), count, allowed) >= CHANCE;
}

const sentence = ({ metricKey, value, limit, count }: JudgedSlo): string => {
  const { displayName, unit, higherIsBetter } = METRIC_KEYS[metricKey];
  const side = higherIsBetter ? 'at least' : 'at most';
  if (value === null) return `${displayName}: not measured, asked ${side} ${limit} ${unit}`;
  return `${displayName}: ${Math.round(value * 1000) / 1000} ${unit} of ${count} values, asked ${side} ${limit} ${unit}`;
};

function notCarried({ due, heldBack, noFreeEndpoint }: TrialRun): string[] {
  const percent = due > 0 ? (100 * noFreeEndpoint) / due : 0;
  return [
    ...(heldBack > 0 ? [`the circuit breaker held back ${heldBack} calls`] : []),
    ...(percent > MAX_WITHOUT_ENDPOINT
      ? [`${noFreeEndpoint} of ${due} calls found no free endpoint: calls took longer than planned`]
      : []),
  ];
}
