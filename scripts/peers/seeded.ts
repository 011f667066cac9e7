/** A generator of numbers from 0 to 1 with the same sequence everywhere for the same seed (mulberry32): failures can be repeated. */

export type Random = () => number;

/** This many bytes of it. */
export const bytesFrom = (random: Random, length: number): Buffer<ArrayBuffer> =>
  Buffer.from(Uint8Array.from({ length }, () => random() * 256));

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}
