/**
 * The jitter of an impairment, as a table of quantiles with linear interpolation. It can be sampled by one draw, and
 * expected figures can be computed from it. Each distribution starts at 0 and has a standard deviation of 1.
 */
import type { JitterDistribution } from './impairment.ts';

const INTERVALS = 1024;

/** Pareto's exponent, and the share of the tail that is cut off: the greatest delay is 14.5 deviations. */
const PARETO_EXPONENT = 2.5;
const PARETO_TAIL = 0.001;
const NORMAL_DEVIATIONS = 3;

/** The values at shares from 0 to 1, in 1024 steps. */
export type DelayDistribution = { readonly quantiles: Float64Array; readonly greatest: number };

const QUANTILES: Readonly<Record<JitterDistribution, () => Float64Array>> = {
  UNIFORM: () => Float64Array.from({ length: INTERVALS + 1 }, (_, i) => i / INTERVALS),
  NORMAL: normalQuantiles,
  SPIKES: () =>
    Float64Array.from(
      { length: INTERVALS + 1 },
      (_, i) => (1 - (i / INTERVALS) * (1 - PARETO_TAIL)) ** (-1 / PARETO_EXPONENT),
    ),
};

const distributions = new Map<JitterDistribution, DelayDistribution>();

export function delayDistribution(name: JitterDistribution): DelayDistribution {
  let distribution = distributions.get(name);
  if (!distribution) {
    distribution = scaled(QUANTILES[name]());
    distributions.set(name, distribution);
  }
  return distribution;
}

/** The value at the share `u`, 0 <= u < 1. */
export function valueAt({ quantiles }: DelayDistribution, u: number): number {
  const place = u * INTERVALS;
  const i = Math.floor(place);
  const low = quantiles[i]!;
  return low + (place - i) * (quantiles[i + 1]! - low);
}

/** The share of values up to `value`. */
export function shareUpTo({ quantiles, greatest }: DelayDistribution, value: number): number {
  if (value <= 0) return 0;
  if (value >= greatest) return 1;
  let low = 0;
  let high = INTERVALS;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (quantiles[middle]! <= value) low = middle;
    else high = middle;
  }
  return (low + (value - quantiles[low]!) / (quantiles[high]! - quantiles[low]!)) / INTERVALS;
}

/** Shifted to start at 0 and scaled to a deviation of 1, by the moments of the linear pieces. */
function scaled(quantiles: Float64Array): DelayDistribution {
  let first = 0;
  let second = 0;
  for (let i = 0; i < INTERVALS; i++) {
    const a = quantiles[i]!;
    const b = quantiles[i + 1]!;
    first += (a + b) / 2 / INTERVALS;
    second += (a * a + a * b + b * b) / 3 / INTERVALS;
  }
  const deviation = Math.sqrt(second - first * first);
  const least = quantiles[0]!;
  const result = quantiles.map((value) => (value - least) / deviation);
  return { quantiles: result, greatest: result[INTERVALS]! };
}

/** Computed by adding up the bell curve in small steps. */
function normalQuantiles(): Float64Array {
  const steps = 60_000;
  const width = (2 * NORMAL_DEVIATIONS) / steps;
  const at = (step: number): number => -NORMAL_DEVIATIONS + step * width;
  const mass = (step: number): number => Math.exp(-((at(step) + width / 2) ** 2) / 2);
  let all = 0;
  for (let step = 0; step < steps; step++) all += mass(step);
  const quantiles = new Float64Array(INTERVALS + 1);
  let sum = 0;
  let next = 0;
  for (let step = 0; step < steps; step++) {
    for (; next < INTERVALS && sum >= (next / INTERVALS) * all; next++) quantiles[next] = at(step);
    sum += mass(step);
  }
  quantiles[INTERVALS] = NORMAL_DEVIATIONS;
  return quantiles;
}
