/** The findings of a run's canary: compares its executions before the load with those during the load. Pure. */

import type { HealthState } from '../../../contract/run/measured-words.ts';
import type { Validity } from '../../../contract/run/validity.ts';
import type { Outcome } from '../../../contract/run/words.ts';
import type { ProbeMode } from '../../../contract/test-settings/words.ts';
import { stoodStill } from '../../../domain/probe/grade.ts';
import { START_LEAD_MS } from '../../../domain/run/run-machine.ts';
import type { Canary } from '../contract/canary.ts';
import type { CanaryPhase, CanaryResult } from '../contract/words.ts';

export type CanaryExecution = {
  readonly testRunId: string;
  readonly submittedAt: string;
  readonly startedAt: string | null;
  /** Null: the execution has not ended. */
  readonly result: CanaryResult | null;
  readonly setUpMs: number | null;
  readonly mos: number | null;
  readonly heard: boolean | null;
  readonly message: string | null;
};

/** The canary as the run stores it, even if the probe and its executions are deleted. */
export type StoredCanary = {
  readonly probeId: string;
  readonly probeName: string;
  readonly mode: ProbeMode;
  readonly calls: number;
  readonly everySeconds: number;
  /** The load waits for the executions that precede it no longer than this. */
  readonly idleSeconds: number;
  readonly executions: readonly CanaryExecution[];
};

type Span = {
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The duration of the load; null: it was changed in the meantime. */
  readonly loadSeconds: number | null;
};

/** The load lasts while calls start or, if they start together, while these are established; then it fades. */
export const loadSeconds = (buildupSeconds: number, durationSeconds: number, isChanged: boolean): number | null =>
  isChanged ? null : Math.max(buildupSeconds, durationSeconds);

/** Null: not known yet. */
function loadEndsAt({ startedAt, endedAt, loadSeconds }: Span): number | null {
  const planned = startedAt === null || loadSeconds === null ? null : startedAt.getTime() + loadSeconds * 1000;
  const known = [planned, endedAt?.getTime() ?? null].flatMap((ms) => ms ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** Phases with fewer values are not compared. */
const MIN_VALUES = 3;
/** A difference counts if it exceeds both the ratio and the absolute limit. */
const CLEAR_RATIO = 1.25;
const CLEAR_MS = 20;
/** The maximum number of executions during a load: they are stored with the run, and read with it. */
const MAX_EXECUTIONS = 200;

export type CanaryAction =
  | { readonly does: 'EXECUTE' | 'LOAD' | 'NOTHING' }
  | { readonly does: 'WAIT'; readonly until: Date };

type Now = Span & {
  readonly status: string;
  readonly submittedAt: Date;
  readonly isEnding: boolean;
  /** The longest possible duration of the run. */
  readonly longestSeconds: number;
  readonly at: Date;
};

/** The next action. LOAD: the executions before the load have ended. */
export function canaryAction(
  { calls, everySeconds, idleSeconds, executions }: StoredCanary,
  { status, submittedAt, isEnding, longestSeconds, at, ...load }: Now,
): CanaryAction {
  const isBusy = executions.some(({ result }) => result === null);
  if (status === 'PENDING') {
    if (at.getTime() >= submittedAt.getTime() + idleSeconds * 1000) return { does: 'LOAD' };
    if (isBusy) return { does: 'NOTHING' };
    return { does: executions.length < calls ? 'EXECUTE' : 'LOAD' };
  }
  const endMs = loadEndsAt(load) ?? Number.POSITIVE_INFINITY;
  if (status !== 'RUNNING' || isEnding || isBusy || at.getTime() + START_LEAD_MS >= endMs) return { does: 'NOTHING' };
  const last = executions.at(-1);
  const pauseSeconds = Math.max(everySeconds, longestSeconds / MAX_EXECUTIONS);
  const until = new Date(Date.parse(last?.submittedAt ?? submittedAt.toISOString()) + pauseSeconds * 1000);
  const isFirst = executions.length <= calls;
  return isFirst || until <= at ? { does: 'EXECUTE' } : { does: 'WAIT', until };
}

type Ended = {
  readonly status: HealthState;
  readonly outcome: Outcome | null;
  readonly validity: Pick<Validity, 'reasons' | 'checks'> | null;
};

/** Late sending by the agent affects what the far end measures, and not what the agent measures. */
const OF_SENDING: readonly string[] = ['pacingError', 'skippedSlots', 'actionLateness'];
const isDoubtful = (validity: Ended['validity']): boolean =>
  stoodStill(validity) ||
  (validity?.reasons ?? []).some(({ level, check }) => level === 'VOID' && !OF_SENDING.includes(check));

/** A refusal that the probe expects is good; so is a successful call with a bad value. */
export function canaryResult({ status, outcome, validity }: Ended): CanaryResult {
  if (outcome === null || isDoubtful(validity)) return 'NOT_JUDGED';
  if (status === 'HEALTHY' || outcome === 'SUCCESS') return 'GOOD';
  return status === 'UNKNOWN' ? 'NOT_JUDGED' : 'FAILED';
}

/** A call that is refused at once does not count as a short wait. */
export const canarySetUp = (result: CanaryResult, isAnswered: boolean, setUpMs: number | null): number | null =>
  result === 'GOOD' || isAnswered ? setUpMs : null;

function phaseOf({ submittedAt, startedAt }: CanaryExecution, load: Span): CanaryPhase {
  // An execution that has not started yet starts no earlier than this.
  const at = startedAt === null ? Date.parse(submittedAt) + START_LEAD_MS : Date.parse(startedAt);
  if (load.startedAt === null || at < load.startedAt.getTime()) return 'IDLE';
  return at < (loadEndsAt(load) ?? Number.POSITIVE_INFINITY) ? 'LOADED' : 'AFTER';
}

function spreadOf(values: readonly number[]): Canary['idle']['setUpMs'] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (i: number): number | null => sorted[i] ?? null;
  return { count: sorted.length, min: at(0), median: at(Math.ceil(sorted.length / 2) - 1), max: at(sorted.length - 1) };
}

function tally(executions: readonly CanaryExecution[]): Canary['idle'] {
  const ended = executions.filter(({ result }) => result !== null);
  const judged = ended.filter(({ result }) => result !== 'NOT_JUDGED');
  const failed = judged.filter(({ result }) => result === 'FAILED');
  const values = (name: 'setUpMs' | 'mos') => spreadOf(judged.flatMap((e) => e[name] ?? []));
  return {
    executions: ended.length,
    notJudged: ended.length - judged.length,
    good: judged.length - failed.length,
    failed: failed.length,
    notHeard: failed.filter(({ heard }) => heard === false).length,
    setUpMs: values('setUpMs'),
    mos: values('mos'),
  };
}

export function canaryView({ idleSeconds: _, executions, ...canary }: StoredCanary, load: Span): Canary {
  const shown = executions.map(({ submittedAt: _, ...e }, i) => ({
    ...e,
    phase: phaseOf(executions[i] as CanaryExecution, load),
  }));
  const of = (phase: CanaryPhase) => tally(executions.filter((_, i) => shown[i]?.phase === phase));
  const [idle, loaded] = [of('IDLE'), of('LOADED')];
  const setUpRatio = isEnough(idle.setUpMs, loaded.setUpMs) ? ratio(loaded.setUpMs.median, idle.setUpMs.median) : null;
  const found = { ...canary, idle, loaded, setUpRatio };
  return { ...found, sentences: sentencesOf(found, load), executions: shown };
}

type CanaryFigures = Pick<Canary, 'mode' | 'idle' | 'loaded' | 'setUpRatio'>;
type Spread = Canary['idle']['setUpMs'];

const isEnough = (a: Spread, b: Spread): boolean => a.count >= MIN_VALUES && b.count >= MIN_VALUES;
const ratio = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b === 0 ? null : Math.round((a / b) * 100) / 100;

const WAITS: Readonly<Record<ProbeMode, string>> = {
  CALL: 'for ringing',
  REGISTER: 'for its registration',
  OPTIONS: 'for the answer to OPTIONS',
};

const ms = (n: number | null): string =>
  `${(n ?? 0).toLocaleString('en-US', { maximumFractionDigits: (n ?? 0) < 10 ? 1 : 0 })} ms`;
const mosText = (n: number | null): string => (n ?? 0).toFixed(2);
const plural = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

function sentencesOf(found: CanaryFigures, { startedAt, endedAt }: Span): string[] {
  const { idle, loaded } = found;
  if (startedAt === null) return endedAt === null ? [] : ['The load did not start: there is nothing to compare.'];
  const notJudged = idle.notJudged + loaded.notJudged;
  return [
    setUpSentence(found),
    ...failureSentence(found),
    ...mosSentence(found),
    ...(notJudged > 0
      ? [`Not counted: ${plural(notJudged, 'execution')} that could not be judged. Their own runs say why.`]
      : []),
  ];
}

function setUpSentence({
  mode,
  idle: { setUpMs: before },
  loaded: { setUpMs: on },
  setUpRatio,
}: CanaryFigures): string {
  if (!isEnough(before, on) || before.median === null || on.median === null)
    return (
      `Too few values to compare set-up times: ${before.count} before the load and ${on.count} while it was on; ` +
      `${MIN_VALUES} of each are needed.`
    );
  const isClear = Math.abs(on.median - before.median) >= CLEAR_MS;
  const times = setUpRatio ?? Number.POSITIVE_INFINITY;
  const compared =
    isClear && times >= CLEAR_RATIO && setUpRatio !== null
      ? `${setUpRatio.toFixed(1)} times as long as before it`
      : isClear && times >= CLEAR_RATIO
        ? 'longer than before it'
        : isClear && times <= 1 / CLEAR_RATIO
          ? 'less than before it'
          : 'about as long as before it';
  return (
    `While the load was on, a caller waited ${ms(on.median)} ${WAITS[mode]} (median of ${on.count}), ` +
    `${compared} (${ms(before.median)}, of ${before.count}).`
  );
}

function failureSentence({ idle, loaded }: CanaryFigures): string[] {
  const [before, on] = [idle.good + idle.failed, loaded.good + loaded.failed];
  if (on === 0) return [];
  const heard = loaded.notHeard > 0 ? `, ${loaded.notHeard} of them answered and not heard` : '';
  const was =
    before === 0 ? 'none was judged' : idle.failed === 0 ? `none of ${before}` : `${idle.failed} of ${before}`;
  return [
    `${loaded.failed === 0 ? 'None' : loaded.failed} of ${on} failed while it was on${heard}; before it, ${was}.`,
  ];
}

function mosSentence({ idle: { mos: before }, loaded: { mos: on } }: CanaryFigures): string[] {
  if (!isEnough(before, on)) return [];
  return [`MOS was ${mosText(on.median)} while it was on, ${mosText(before.median)} before it (medians).`];
}
