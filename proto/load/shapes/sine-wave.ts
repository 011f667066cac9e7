/** A rate that changes from one value to another and back, as a cosine; the number of calls is its integral. Pure. */

export type Wave = {
  /** Calls per second after half a period. */
  readonly toCallsPerSecond: number;
  readonly periodSeconds: number;
};

/** The rate this many seconds after the start, at which it is `from`. */
export const waveRate = (from: number, { toCallsPerSecond: to, periodSeconds }: Wave, seconds: number): number =>
  (from + to) / 2 + ((from - to) / 2) * Math.cos((2 * Math.PI * seconds) / periodSeconds);

const callsOfPeriod = (from: number, { toCallsPerSecond: to, periodSeconds }: Wave): number =>
  ((from + to) / 2) * periodSeconds;

/** The number of calls that are due in the first seconds of a period. */
const callsWithin = (from: number, { toCallsPerSecond: to, periodSeconds }: Wave, seconds: number): number =>
  ((from + to) / 2) * seconds +
  (((from - to) / 2) * periodSeconds * Math.sin((2 * Math.PI * seconds) / periodSeconds)) / (2 * Math.PI);

/** Whole periods are counted separately, because the sine of a large angle is not exact. */
export function waveCalls(from: number, wave: Wave, seconds: number): number {
  if (!Number.isFinite(seconds)) return seconds;
  const periods = Math.floor(seconds / wave.periodSeconds);
  return periods * callsOfPeriod(from, wave) + callsWithin(from, wave, seconds - periods * wave.periodSeconds);
}

/**
 * The maximum number of steps. In the worst case each halves the bracket, and a double has 53 bits; usually five steps are
 * enough.
 */
const MAX_STEPS = 60;

/** The seconds until this many calls are due, by Newton's method; a step that would leave the bracket halves it instead. */
export function waveSeconds(from: number, wave: Wave, calls: number): number {
  const perPeriod = callsOfPeriod(from, wave);
  const periods = Math.floor(calls / perPeriod);
  const wanted = calls - periods * perPeriod;
  let [low, high] = [0, wave.periodSeconds];
  let at = (wanted / perPeriod) * wave.periodSeconds;
  for (let i = 0; i < MAX_STEPS; i++) {
    const missing = wanted - callsWithin(from, wave, at);
    if (missing > 0) low = at;
    else high = at;
    const next = at + missing / waveRate(from, wave, at);
    const inside = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(inside - at) <= Number.EPSILON * at) break;
    at = inside;
  }
  return periods * wave.periodSeconds + at;
}
