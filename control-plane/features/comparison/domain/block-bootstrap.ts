/**
 * Compares percentiles of two runs with dependent values: slowness persists for a while. Each run is a series of blocks
 * of 10 s, each with its histogram; blocks are resampled in stretches of random length (the stationary bootstrap: D. N.
 * Politis, J. P. Romano, JASA 89 (1994) 1303-1313), merged, and the percentile of the merged values is taken:
 * percentiles are never averaged. The spread of the resampled logarithms is the standard error of the change, which is
 * judged by Student's t. Pure: the same seed gives the same result.
 */
import { type Random, seeded } from '@carillon/media/seeded.ts';
import { studentQuantile, studentTails } from '../../../domain/statistics/distributions.ts';
import { middleOf } from '../../../domain/sums/spread.ts';
import type { Bounds } from './proportions.ts';

/** Counts by bucket (domain/sums/spread.ts). */
export type TimeBlock = ReadonlyMap<number, number>;

export type PercentileChange = {
  /** The relative change from the first to the second: 0.1 is 10 % more. */
  readonly by: number;
  /** The 95 % interval. */
  readonly interval: Bounds;
  /** The probability of at least such a change without a real difference. */
  readonly p: number;
};

const DRAWS = 600;
/** Fewer blocks say too little about how a run varies. */
const MIN_BLOCKS = 5;
/** Smaller values are not a measurable difference, and 0 has no logarithm. */
const MIN_MS = 0.05;

type Columns = { readonly values: Float64Array; readonly blocks: readonly Float64Array[] };

/** The buckets of both runs as columns, so that a draw is a sum of rows. */
function columnsOf(series: readonly TimeBlock[], buckets: readonly number[]): Columns {
  const place = new Map(buckets.map((bucket, i) => [bucket, i]));
  const blocks = series.map((block) => {
    const row = new Float64Array(buckets.length);
    for (const [bucket, count] of block) row[place.get(bucket) as number] = count;
    return row;
  });
  return { values: Float64Array.from(buckets, (bucket) => Math.log(Math.max(MIN_MS, middleOf(bucket)))), blocks };
}

/** The quantile is interpolated within a bucket by its share: the percentile moves evenly, although buckets are 2 % wide. */
function quantile({ values }: Columns, merged: Float64Array, q: number): number {
  let total = 0;
  for (let i = 0; i < merged.length; i++) total += merged[i] as number;
  let left = q * total;
  for (let i = 0; i < merged.length; i++) {
    const count = merged[i] as number;
    if (left <= count && count > 0) return (values[i] as number) + (left / count - 0.5) * WIDTH;
    left -= count;
  }
  return values.at(-1) ?? 0;
}
/** The width of a bucket, in natural logarithms: 120 a decade. */
const WIDTH = Math.LN10 / 120;

const add = (to: Float64Array, from: Float64Array): void => {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + (from[i] as number);
};

/**
 * For each place in the series, the sum of the earlier blocks: a stretch of blocks is a difference of two. Counts are
 * integers.
 */
function sumsOf({ values, blocks }: Columns): readonly Float64Array[] {
  const sums = [new Float64Array(values.length)];
  for (const [i, row] of blocks.entries()) {
    const next = (sums[i] as Float64Array).slice();
    add(next, row);
    sums.push(next);
  }
  return sums;
}

function addBetween(to: Float64Array, until: Float64Array, from: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + (until[i] as number) - (from[i] as number);
}

type Stretch = {
  /**
   * The mean length in blocks: the cube root of the series (P. Hall, J. Horowitz, B.-Y. Jing 1995), longer if
   * neighbours are alike.
   */
  readonly length: number;
  /**
   * The underestimation of the variance by stretches of this length, for a series with this correlation (first-order
   * autoregression).
   */
  readonly missed: number;
};

function stretchOf({ blocks, ...columns }: Columns, q: number): Stretch {
  const each = blocks.filter((row) => row.some((n) => n > 0)).map((row) => quantile({ blocks, ...columns }, row, q));
  const mean = each.reduce((sum, x) => sum + x, 0) / each.length;
  const off = each.map((x) => x - mean);
  const square = off.reduce((sum, x) => sum + x * x, 0);
  const alike = square > 0 ? off.slice(1).reduce((sum, x, i) => sum + x * (off[i] as number), 0) / square : 0;
  const rho = Math.min(0.9, Math.max(0, alike + 1 / each.length));
  const length = Math.min(Math.max(1, Math.cbrt(blocks.length) * (1 + 2 * rho)), Math.max(1, blocks.length / 3));
  const kept = rho * (1 - 1 / length);
  return { length, missed: (1 + rho) / (1 - rho) / (1 + (2 * kept) / (1 - kept)) };
}

/** The variance of the run's percentile. */
function varianceOf(columns: Columns, q: number, { length, missed }: Stretch, random: Random): number {
  const n = columns.blocks.length;
  const merged = new Float64Array(columns.values.length);
  const sums = sumsOf(columns);
  let [sum, squares] = [0, 0];
  for (let draw = 0; draw < DRAWS; draw++) {
    merged.fill(0);
    let first = Math.floor(random() * n);
    let at = first;
    for (let i = 0; i < n; i++) {
      const isNew = random() < 1 / length;
      const next = isNew ? Math.floor(random() * n) : (at + 1) % n;
      if (isNew || next === 0 || i === n - 1) {
        addBetween(merged, sums[at + 1] as Float64Array, sums[first] as Float64Array);
        first = next;
      }
      at = next;
    }
    const value = quantile(columns, merged, q);
    sum += value;
    squares += value * value;
  }
  const mean = sum / DRAWS;
  // Resampling n blocks underestimates their spread by (n - 1) / n, and few stretches by the same factor for their
  // number.
  const few = Math.max(2, n / length);
  return (Math.max(0, squares / DRAWS - mean * mean) * missed * few) / (few - 1);
}

/** Null: too few blocks, or nothing measured. */
export function changeOfPercentile(
  a: readonly TimeBlock[],
  b: readonly TimeBlock[],
  q: number,
  seed: number,
): PercentileChange | null {
  const filled = (series: readonly TimeBlock[]) => series.filter((block) => block.size > 0).length;
  if (Math.min(filled(a), filled(b)) < MIN_BLOCKS) return null;
  const buckets = [...new Set([...a, ...b].flatMap((block) => [...block.keys()]))].sort((x, y) => x - y);
  const [ca, cb] = [columnsOf(a, buckets), columnsOf(b, buckets)];
  const whole = (columns: Columns): number => {
    const merged = new Float64Array(buckets.length);
    for (const row of columns.blocks) add(merged, row);
    return quantile(columns, merged, q);
  };
  const random = seeded(seed);
  const stretches = [stretchOf(ca, q), stretchOf(cb, q)] as const;
  const va = varianceOf(ca, q, stretches[0], random);
  const vb = varianceOf(cb, q, stretches[1], random);
  const log = whole(cb) - whole(ca);
  const deviation = Math.sqrt(va + vb);
  const parts = [a.length / stretches[0].length - 1, b.length / stretches[1].length - 1].map((n) => Math.max(1, n));
  // The degrees of freedom by Welch-Satterthwaite.
  const freedom = (va + vb) ** 2 / (va ** 2 / (parts[0] as number) + vb ** 2 / (parts[1] as number)) || 1;
  const half = deviation * studentQuantile(0.05, freedom);
  return {
    by: Math.exp(log) - 1,
    interval: { from: Math.exp(log - half) - 1, to: Math.exp(log + half) - 1 },
    p: deviation > 0 ? studentTails(log / deviation, freedom) : log === 0 ? 1 : 0,
  };
}
