/**
 * Random numbers that are the same everywhere for the same seed: schedules of calls, simulated networks, test signals
 * and resampling use them. Published seeds rely on them: the results of both functions must never change.
 */

export type Random = () => number;

/** Numbers from 0 to below 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Derives a seed for each of many streams (endpoint, media description, socket …): well mixed, and equal for equal numbers.
 */
export function seedOf(seed: number, ...numbers: readonly number[]): number {
  let state = 0;
  for (const number of [seed, ...numbers]) {
    state = Math.imul(state ^ (number + 0x9e3779b9), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return state >>> 0;
}
