/**
 * The distribution of values in milliseconds: counts by buckets whose widths grow by a constant factor. A percentile is
 * within 1 % of the true value; count, sum, minimum and maximum are exact. Merging is independent of partition and
 * order. Pure.
 */
import type { RawDistribution } from '../figures/figures.ts';

/** Plain data, as it is stored. */
export type ValueSpread = {
  /** The bucket of the first of `counts`. */
  first: number;
  counts: number[];
  count: number;
  sum: number;
  /** Null while nothing is counted. */
  min: number | null;
  max: number | null;
};

/** A multiple of a chart's buckets (domain/figures/timeline.ts), which are unions of these. */
const BUCKETS_A_DECADE = 120;
/** The relative error of a bucket's middle: (g - 1) / (g + 1) of the factor g = 10^(1/120). */
export const RELATIVE_ERROR = 0.01;

/** Smaller values are in the bucket below 1 us; larger ones are in the last one. */
const MIN_MS = 0.001;
const MIN_BUCKET = Math.floor(Math.log10(MIN_MS) * BUCKETS_A_DECADE) - 1;
const MAX_BUCKET = 9 * BUCKETS_A_DECADE;

export const noValues = (): ValueSpread => ({ first: 0, counts: [], count: 0, sum: 0, min: null, max: null });

export const bucketOf = (ms: number): number =>
  ms < MIN_MS ? MIN_BUCKET : Math.min(MAX_BUCKET, Math.floor(Math.log10(ms) * BUCKETS_A_DECADE));

/** The middle is within 1 % of every value of the bucket. */
export const middleOf = (bucket: number): number => {
  if (bucket === MIN_BUCKET) return 0;
  const growth = 10 ** (1 / BUCKETS_A_DECADE);
  return (2 * growth ** (bucket + 1)) / (growth + 1);
};

/** NaN means not measured, and is not counted. */
export function addValue(spread: ValueSpread, ms: number): void {
  if (Number.isNaN(ms)) return;
  count(spread, bucketOf(ms), 1);
  spread.count += 1;
  spread.sum += ms;
  extend(spread, ms, ms);
}

export function addSpread(spread: ValueSpread, from: ValueSpread): void {
  if (from.min === null || from.max === null) return;
  for (let i = from.counts.length - 1; i >= 0; i--)
    if (from.counts[i] !== 0) count(spread, from.first + i, from.counts[i] as number);
  spread.count += from.count;
  spread.sum += from.sum;
  extend(spread, from.min, from.max);
}

function count(spread: ValueSpread, bucket: number, times: number): void {
  const { counts } = spread;
  if (counts.length === 0) spread.first = bucket;
  if (bucket < spread.first) {
    counts.unshift(...new Array<number>(spread.first - bucket).fill(0));
    spread.first = bucket;
  }
  while (counts.length <= bucket - spread.first) counts.push(0);
  counts[bucket - spread.first] = (counts[bucket - spread.first] as number) + times;
}

function extend(spread: ValueSpread, min: number, max: number): void {
  spread.min = spread.min === null ? min : Math.min(spread.min, min);
  spread.max = spread.max === null ? max : Math.max(spread.max, max);
}

type BucketCount = { readonly bucket: number; readonly count: number };

/** The value by nearest rank, from ascending buckets. */
function atRank(buckets: readonly BucketCount[], rank: number): number {
  let left = rank;
  for (const { bucket, count } of buckets) {
    left -= count;
    if (left <= 0) return middleOf(bucket);
  }
  return Number.NaN;
}

/** The percentiles of every distribution. */
export const PERCENTILES = [0.5, 0.95, 0.99] as const;

/** The percentiles from ascending buckets, of which several may be equal; null: nothing was counted. */
export function percentilesOf(buckets: readonly BucketCount[]): number[] | null {
  const total = buckets.reduce((n, { count }) => n + count, 0);
  return total === 0 ? null : PERCENTILES.map((q) => atRank(buckets, Math.max(1, Math.ceil(q * total))));
}

const bucketsOf = ({ first, counts }: ValueSpread): BucketCount[] =>
  counts.flatMap((count, i) => (count === 0 ? [] : [{ bucket: first + i, count }]));

export function spreadOf(spread: ValueSpread): RawDistribution {
  const { count, sum, min, max } = spread;
  if (min === null || max === null) return { percentiles: null, avg: null, min: null, max: null, count: 0 };
  const within = (ms: number): number => Math.min(max, Math.max(min, ms));
  return { percentiles: percentilesOf(bucketsOf(spread))?.map(within) ?? null, avg: sum / count, min, max, count };
}

/**
 * Ascending, in buckets of a chart: this many per decade. The first bucket starts at 1 ms, and smaller values are in
 * the one below it.
 */
export function chartBuckets(spread: ValueSpread, aDecade: number): BucketCount[] {
  const counts = new Map<number, number>();
  for (const { bucket, count } of bucketsOf(spread)) {
    const wide = Math.max(-1, Math.floor((bucket * aDecade) / BUCKETS_A_DECADE));
    counts.set(wide, (counts.get(wide) ?? 0) + count);
  }
  return [...counts].map(([bucket, count]) => ({ bucket, count }));
}
