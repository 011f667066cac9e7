/** A stretch of a load in which calls fall due at a rate, and calculations with a list of such steps. Pure. */
import { type Wave, waveCalls, waveRate, waveSeconds } from './shapes/sine-wave.ts';

export type LoadStep = {
  /** Infinity: until all calls have started. */
  readonly seconds: number;
  /** 0: no calls, a pause. */
  readonly callsPerSecond: number;
  /** Absent: the rate is constant. */
  readonly wave?: Wave;
};

/** The part of a call, or of a millisecond, by which a value may be too low only because of rounding. */
export const NEARLY = 1e-6;

/** The number of calls that fall due in a step. An endless pause has none either. */
export function gatheredIn({ callsPerSecond, seconds, wave }: LoadStep): number {
  if (wave) return waveCalls(callsPerSecond, wave, seconds);
  return callsPerSecond > 0 ? callsPerSecond * seconds : 0;
}

/** The time until a step has gathered this many calls, in parts of a second. */
const timeUntil = ({ callsPerSecond, wave }: LoadStep, calls: number, partsOfSecond: number): number =>
  wave ? waveSeconds(callsPerSecond, wave, calls) * partsOfSecond : (calls * partsOfSecond) / callsPerSecond;

/**
 * On a wave the result is a whole number of nanoseconds: an approximated instant must not fall before the end of a step if the
 * exact instant is at that end.
 */
export const msUntil = (step: LoadStep, calls: number): number =>
  step.wave ? Math.round(timeUntil(step, calls, 1e9)) / 1e6 : timeUntil(step, calls, 1000);

/** The rate this many seconds after the step's start. */
const rateIn = ({ callsPerSecond, wave }: LoadStep, seconds: number): number =>
  wave ? waveRate(callsPerSecond, wave, seconds) : callsPerSecond;

const otherRate = ({ callsPerSecond, wave }: LoadStep): number => wave?.toCallsPerSecond ?? callsPerSecond;
const highestOf = (step: LoadStep): number => Math.max(step.callsPerSecond, otherRate(step));
const lowestOf = (step: LoadStep): number => Math.min(step.callsPerSecond, otherRate(step));

/** A step as the wire has it. `seconds` 0: without end; `periodSeconds` 0 or absent: no wave. */
type WireStep = { readonly [N in 'seconds' | 'callsPerSecond' | keyof Wave]?: number | null };
type WrittenStep = { seconds: number; callsPerSecond: number } & Partial<Wave>;

export const wireStep = ({ seconds, callsPerSecond, wave }: LoadStep): WrittenStep => ({
  seconds: Number.isFinite(seconds) ? seconds : 0,
  callsPerSecond,
  ...wave,
});

const isRate = (callsPerSecond: number): boolean => callsPerSecond >= 0 && callsPerSecond < Number.POSITIVE_INFINITY;

/** Null: the values of the step are impossible. */
export function readStep(step: WireStep): LoadStep | null {
  const seconds = step.seconds || Number.POSITIVE_INFINITY;
  const callsPerSecond = step.callsPerSecond ?? 0;
  if (!(seconds > 0 && isRate(callsPerSecond))) return null;
  if (!step.periodSeconds) return { seconds, callsPerSecond };
  const wave: Wave = { toCallsPerSecond: step.toCallsPerSecond ?? 0, periodSeconds: step.periodSeconds };
  const isWave =
    wave.periodSeconds > 0 &&
    Number.isFinite(wave.periodSeconds) &&
    isRate(wave.toCallsPerSecond) &&
    callsPerSecond + wave.toCallsPerSecond > 0;
  return isWave ? { seconds, callsPerSecond, wave } : null;
}

type Steps = readonly LoadStep[];

export const lengthOf = (steps: Steps): number => steps.reduce((sum, { seconds }) => sum + seconds, 0);

/** The number of calls that fall due in the steps. The last step may be partial. */
export const gathered = (steps: Steps): number => steps.reduce((sum, step) => sum + gatheredIn(step), 0);

/** The number of calls in the steps, if the first is due at once. */
export const callsIn = (steps: Steps): number => Math.ceil(gathered(steps) - NEARLY);

/** The highest rate of the steps, in calls per second. */
export const fastestOf = (steps: Steps): number => Math.max(...steps.map(highestOf));
export const slowestOf = (steps: Steps): number => Math.min(...steps.map(lowestOf));

/** The part of the steps that is completed this many seconds after the start. */
export function stepsUntil(steps: Steps, seconds: number): LoadStep[] {
  const over: LoadStep[] = [];
  let left = seconds;
  for (const step of steps) {
    if (left > 0) over.push(step.seconds <= left ? step : { ...step, seconds: left });
    left -= step.seconds;
  }
  return over;
}

/** The rate in calls per second, this many seconds after the start; undefined: all steps are completed. */
export function rateAt(steps: Steps, seconds: number): number | undefined {
  let from = 0;
  for (const step of steps) {
    if (from + step.seconds > seconds) return rateIn(step, seconds - from);
    from += step.seconds;
  }
  return undefined;
}

/** The seconds until this many calls are gathered; Infinity: they never are. */
export function secondsUntil(steps: Steps, calls: number): number {
  let [from, left] = [0, calls];
  for (const step of steps) {
    const within = gatheredIn(step);
    if (left <= within && highestOf(step) > 0) return from + timeUntil(step, left, 1);
    left -= within;
    from += step.seconds;
  }
  return Number.POSITIVE_INFINITY;
}
