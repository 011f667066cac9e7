/**
 * Packet delay variation (RFC 5481, 4.2: delay minus the minimum delay) as a small histogram per row: eight buckets per
 * octave from 8 us to 4 s, so a quantile is within 6.3 %. The minimum is that of the last 10 to 20 s, so that clock
 * drift does not count as delay.
 */
import type { Columns } from './columns.ts';

const STEPS = 8;
const FIRST_OCTAVE = 3; // below 8 us everything is one bucket
const LAST_OCTAVE = 21; // the same above 4.19 s
const VARIATION_BUCKETS = (LAST_OCTAVE - FIRST_OCTAVE + 1) * STEPS + 1;

export const VARIATION_COLUMNS = { variation: ['u32', VARIATION_BUCKETS] } as const;
export type VariationColumns = Columns<typeof VARIATION_COLUMNS>;

/**
 * Counts one packet that was `aboveMs` slower than the fastest. It uses the bits of whole microseconds instead of a
 * logarithm.
 */
export function countVariation(c: VariationColumns, row: number, aboveMs: number): void {
  const us = (aboveMs * 1000) | 0;
  const octave = 31 - Math.clz32(us);
  let bucket = 0;
  if (octave > LAST_OCTAVE || aboveMs > 2_000_000) bucket = VARIATION_BUCKETS - 1;
  else if (octave >= FIRST_OCTAVE) bucket = (octave - FIRST_OCTAVE) * STEPS + ((us >>> (octave - 3)) & 7) + 1;
  c.variation[row * VARIATION_BUCKETS + bucket]! += 1;
}

/** The number of packets that were counted. */
export function variationCount(c: VariationColumns, row: number): number {
  let total = 0;
  for (let i = row * VARIATION_BUCKETS; i < (row + 1) * VARIATION_BUCKETS; i++) total += c.variation[i]!;
  return total;
}

/** The delay variation at `q` (0 to 1) by nearest rank, ms; NaN if nothing was counted. Buckets below 8 us read 0. */
export function variationMs(c: VariationColumns, row: number, q: number): number {
  const total = variationCount(c, row);
  if (total === 0) return Number.NaN;
  const rank = Math.max(1, Math.ceil(q * total));
  let seen = 0;
  let bucket = 0;
  while (bucket < VARIATION_BUCKETS - 1) {
    seen += c.variation[row * VARIATION_BUCKETS + bucket]!;
    if (seen >= rank) break;
    bucket += 1;
  }
  if (bucket === 0) return 0;
  const octave = FIRST_OCTAVE + Math.floor((bucket - 1) / STEPS);
  return (2 ** octave * (1 + (((bucket - 1) % STEPS) + 0.5) / STEPS)) / 1000;
}
