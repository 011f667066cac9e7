/**
 * Drift of the sender's clock: the slope of the minimum transit over time. Queueing affects the packets between the
 * minima. The slope is the Theil-Sen median over all pairs, so a single change of route has little effect.
 */

/** Initial number of interval minima per point; it doubles as the stream grows. */
const FIRST_STRIDE = 5;
const MAX_POINTS = 48;
/** Fewer points, or a shorter time, say nothing: 5 us of noise over 20 s are 0.25 ppm. */
const MIN_POINTS = 4;
const MIN_SPAN_MS = 20_000;

export type DriftPoints = {
  /** The base of transits that the points belong to; they start again with another. */
  base: number;
  stride: number;
  /** The number of intervals in the unfinished point, its least transit, and the instant of that. */
  gathered: number;
  leastMs: number;
  leastAtMs: number;
  readonly atMs: number[];
  readonly transitMs: number[];
};

export const noDriftPoints = (): DriftPoints => ({
  base: 0,
  stride: FIRST_STRIDE,
  gathered: 0,
  leastMs: Number.POSITIVE_INFINITY,
  leastAtMs: 0,
  atMs: [],
  transitMs: [],
});

/** Starts again; memory is kept. */
export function forgetDriftPoints(p: DriftPoints, base: number): void {
  p.base = base;
  p.stride = FIRST_STRIDE;
  p.gathered = 0;
  p.leastMs = Number.POSITIVE_INFINITY;
  p.atMs.length = 0;
  p.transitMs.length = 0;
}

/** Adds the minimum transit of one interval around `atMs`; Infinity if no packet arrived. */
export function addDriftPoint(p: DriftPoints, base: number, atMs: number, transitMs: number): void {
  if (base !== p.base) forgetDriftPoints(p, base);
  if (transitMs < p.leastMs) {
    p.leastMs = transitMs;
    p.leastAtMs = atMs;
  }
  p.gathered += 1;
  if (p.gathered < p.stride) return;
  if (p.leastMs !== Number.POSITIVE_INFINITY) {
    p.atMs.push(p.leastAtMs);
    p.transitMs.push(p.leastMs);
  }
  p.gathered = 0;
  p.leastMs = Number.POSITIVE_INFINITY;
  if (p.atMs.length === MAX_POINTS) halve(p);
}

/** Keeps the lower of each pair of points. */
function halve(p: DriftPoints): void {
  for (let i = 0; i < MAX_POINTS / 2; i++) {
    const lesser = p.transitMs[2 * i]! <= p.transitMs[2 * i + 1]! ? 2 * i : 2 * i + 1;
    p.atMs[i] = p.atMs[lesser]!;
    p.transitMs[i] = p.transitMs[lesser]!;
  }
  p.atMs.length = MAX_POINTS / 2;
  p.transitMs.length = MAX_POINTS / 2;
  p.stride *= 2;
}

/** Parts per million by which the sender's clock is faster than ours; NaN if there are too few points. */
export function driftPpm({ atMs, transitMs }: DriftPoints): number {
  const n = atMs.length;
  if (n < MIN_POINTS || atMs[n - 1]! - atMs[0]! < MIN_SPAN_MS) return Number.NaN;
  const slopes: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      if (atMs[j]! > atMs[i]!) slopes.push((transitMs[j]! - transitMs[i]!) / (atMs[j]! - atMs[i]!));
  slopes.sort((a, b) => a - b);
  // A fast sender stamps more units into the same time: its packets seem to arrive ever earlier.
  return -slopes[Math.floor(slopes.length / 2)]! * 1e6;
}
