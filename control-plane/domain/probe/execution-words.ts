/** An execution of a probe in one sentence, for users; and for the public, without names and addresses. Pure. */
import { FINDINGS, isFault } from '@carillon/proto/words/findings.ts';
import { METRIC_KEYS, type MetricKey } from '../../contract/metric-keys.ts';
import type { CallFinding } from '../../contract/run/findings.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';
import type { Phase } from '../../contract/run/words.ts';
import type { RunStatus } from '../../contract/run-status.ts';
import type { ProbeMode } from '../../contract/test-settings/words.ts';
import type { ThresholdResult } from '../../contract/threshold.ts';
import { type FailureWords, failureSentence } from '../figures/findings.ts';
import type { Because, ThresholdLimits } from './grade.ts';

export type ExecutionFacts = {
  readonly mode: ProbeMode;
  readonly status: HealthState;
  readonly because: Because;
  readonly results: readonly ThresholdResult[];
  readonly limits: readonly ThresholdLimits[];
  /** Null: the call did not fail. */
  readonly failure: FailureWords | null;
  readonly findings: readonly CallFinding[];
  readonly phase: Phase | null;
  readonly finalStatus: number | null;
  /** True: the refusal was expected. */
  readonly isExpected: boolean;
  /** The time of the answer, the registration or the answer to OPTIONS. */
  readonly tookMs: number | null;
  /** Null: no audio was expected. */
  readonly heard: boolean | null;
  /** True: the far end has reported its reception (RTCP). */
  readonly isReported: boolean;
  /** The actual destination of its request, in a sentence, if its address names another place. */
  readonly elsewhere: string | null;
  readonly worker: string | null;
  /** The start of the current series of bad executions; null: this is not one of them. */
  readonly since: Date | null;
  readonly runStatus: RunStatus;
  readonly runError: string | null;
  /** The verdict in a sentence; null: no verdict. */
  readonly noise: string | null;
};

/** How far an endpoint came, in the field's words. */
const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  INITIALIZING: 'before the call',
  REGISTERED: 'before the call',
  CALLING: 'while calling',
  RINGING: 'while it rang',
  NEGOTIATING: 'after the answer',
  INCALL: 'during the call',
  DISCONNECTING: 'while hanging up',
  CLOSED: 'after the call',
};

function phaseWords({ phase, because, mode, failure }: ExecutionFacts): string | null {
  // OPTIONS has no phases.
  if (phase === null || because !== 'CALL' || mode === 'OPTIONS') return null;
  const registers = phase === 'INITIALIZING' && (mode === 'REGISTER' || failure?.cause.startsWith('REGISTRATION_'));
  if (registers) return 'while registering';
  return mode === 'REGISTER' ? 'while registered' : PHASE_WORDS[phase];
}

/**
 * An example is `503 Service Unavailable: No circuit available (Q.850 cause 34). While calling, from worker edge-1,
 * since 2026-11-22 21:05 UTC.`
 */
export function executionSentence(e: ExecutionFacts): string {
  const worker = e.worker === null ? null : `from worker ${e.worker}`;
  const since = e.since === null ? null : `since ${instant(e.since)}`;
  const where = e.status === 'HEALTHY' ? [worker] : [phaseWords(e), worker, since];
  const suffix = where.filter((one) => one !== null).join(', ');
  const more = suffix === '' ? null : `${suffix.charAt(0).toUpperCase()}${suffix.slice(1)}.`;
  // A request that did not reach the wire has no destination.
  const went = e.because === 'AGENT' || e.because === 'NO_RESULT' || e.mode === 'REGISTER' ? null : e.elsewhere;
  return [whatOf(e), more, went].filter((one) => one !== null).join(' ');
}

function whatOf(e: ExecutionFacts): string {
  switch (e.because) {
    case 'CALL':
      return e.status === 'HEALTHY' ? goodOf(e) : badOf(e);
    case 'THRESHOLDS':
      return `${crossed(e).join('; ')}.`;
    case 'NOT_MEASURED':
      return `Not measured: ${names(e.results.filter((r) => r.status === 'UNKNOWN')).join(', ')}.`;
    case 'NOISE':
      return `Not judged, because the agent was disturbed. ${e.noise ?? ''}`.trim();
    case 'AGENT':
      return `Not judged, because the agent could not make the call. ${badOf(e)}`;
    case 'NO_RESULT':
      return `Not judged: ${e.runError ?? `the run is ${e.runStatus}.`}`;
  }
}

function goodOf({ mode, isExpected, finalStatus, tookMs, heard, isReported }: ExecutionFacts): string {
  const after = tookMs === null ? '' : ` after ${Math.round(tookMs)} ms`;
  if (isExpected && finalStatus !== null) return `The far end answered ${finalStatus}${after}, as expected.`;
  const status = finalStatus === null ? '' : ` (${finalStatus})`;
  if (mode === 'REGISTER') return `Registered${status}${after}.`;
  if (mode === 'OPTIONS') {
    const isPlain = finalStatus === null || (finalStatus >= 200 && finalStatus < 300);
    const why = isPlain ? '' : ': a far end that answers so is there (only 408 and 5xx except 501 say that it is not)';
    return `OPTIONS was answered${status}${after}${why}.`;
  }
  if (heard === null) return `The call was answered${status}${after}.`;
  if (!heard) return `The call was answered${status}${after}; it was not heard for the whole time.`;
  return isReported
    ? `The call was answered${status}${after}, and heard both ways.`
    : `The call was answered${status}${after}, and we heard the far end; it did not report what it heard.`;
}

function badOf({ failure, findings, finalStatus }: ExecutionFacts): string {
  if (failure !== null) return failureSentence(failure, findings);
  return finalStatus === null
    ? 'The far end gave no final answer.'
    : `The far end answered ${finalStatus}, which was not expected.`;
}

/** The heaviest is first: `Mean jitter 45 ms, limit 20 ms`. */
function crossed({ status, results, limits }: ExecutionFacts): string[] {
  const limitOf = new Map(limits.map((limit) => [limit.metricKey, limit]));
  return results
    .filter((r) => r.status === status)
    .map((r) => {
      const limit = limitOf.get(r.metricKey);
      const crossed = limit && (status === 'UNHEALTHY' ? limit.orangeValue : limit.greenValue);
      const suffix = crossed === undefined ? '' : `, limit ${figure(crossed, r.unit)}`;
      return `${r.displayName} ${figure(r.value, r.unit)}${suffix}`;
    });
}

const figure = (value: number, unit: string): string => {
  const text = String(Math.round(value * 1000) / 1000);
  return unit === '' ? text : `${text} ${unit}`;
};

const names = (results: readonly { readonly metricKey: MetricKey }[]): string[] =>
  results.map(({ metricKey }) => METRIC_KEYS[metricKey].displayName);

/** Details for the public, without names, numbers, addresses and text of peers. Null: nothing about the target. */
export function publicSentence(e: ExecutionFacts): string | null {
  if (e.status === 'HEALTHY' || e.status === 'UNKNOWN') return null;
  if (e.because === 'THRESHOLDS')
    return `Quality was below its limits: ${names(e.results.filter((r) => r.status === e.status)).join(', ')}.`;
  const found = e.findings.find(({ finding, tolerated }) => finding === e.failure?.cause && !tolerated);
  if (found !== undefined && isFault(found.finding)) return `${FINDINGS[found.finding].title}.`;
  const status = e.failure?.sipStatus ?? e.finalStatus;
  const what = { CALL: 'Calls', REGISTER: 'Registrations', OPTIONS: 'Requests' }[e.mode];
  return status === null ? `${what} were not answered.` : `${what} were refused (SIP status ${status}).`;
}

/** The instant in UTC, to the minute. */
const instant = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
