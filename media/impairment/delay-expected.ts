/**
 * Expected delays of an impairment's jitter. Packets leave one packet time T apart and keep their order, so the wait of
 * one is W' = max(W - T, X), with X drawn for it. In the long run P(W < w) is the product of P(X <= w + kT) over k = 0,
 * 1, 2 …
 */
import { delayDistribution, shareUpTo } from './delay-distribution.ts';
import type { Impairment } from './impairment.ts';

type Jitter = Pick<Impairment, 'jitterMs' | 'jitterDistribution'>;

const STEPS = 1500;

/** Distribution functions at the edges of equal steps from 0 to the greatest delay. */
type Waits = { readonly stepMs: number; readonly drawn: Float64Array; readonly waiting: Float64Array };

function waitsOf({ jitterMs, jitterDistribution }: Jitter, packetMs: number): Waits {
  const distribution = delayDistribution(jitterDistribution);
  const widthMs = distribution.greatest * jitterMs;
  const stepMs = widthMs / STEPS;
  const drawn = new Float64Array(STEPS + 1);
  const waiting = new Float64Array(STEPS + 1);
  for (let i = 0; i <= STEPS; i++) {
    drawn[i] = shareUpTo(distribution, (i * stepMs) / jitterMs);
    let product = 1;
    for (let ms = i * stepMs; ms < widthMs; ms += packetMs) product *= shareUpTo(distribution, ms / jitterMs);
    waiting[i] = product;
  }
  return { stepMs, drawn, waiting };
}

/** Moments of |W' - W|, the D of RFC 3550, ms and ms squared. */
export type DelayChange = { readonly mean: number; readonly meanSquare: number };

export function delayChange(jitter: Jitter, packetMs: number): DelayChange {
  const { stepMs, drawn, waiting } = waitsOf(jitter, packetMs);
  const back = packetMs / stepMs;
  let mean = 0;
  let meanSquare = 0;
  for (let i = 0; i < STEPS; i++) {
    const mass = waiting[i + 1]! - waiting[i]!;
    // Up to here the draw does not matter: the packet leaves directly after the previous one.
    const floor = Math.max(0, Math.round(i - back));
    let first = drawn[floor]! * Math.min(packetMs, (i - floor) * stepMs);
    let second = drawn[floor]! * Math.min(packetMs, (i - floor) * stepMs) ** 2;
    for (let j = floor; j < STEPS; j++) {
      const change = Math.abs(j - i) * stepMs;
      // Within one step, two values are on average a third of it apart.
      const distance = j === i ? stepMs / 3 : change;
      const share = drawn[j + 1]! - drawn[j]!;
      first += share * distance;
      second += share * distance ** 2;
    }
    mean += mass * first;
    meanSquare += mass * second;
  }
  return { mean, meanSquare };
}

/**
 * The share of the first `packets` packets of a stream that wait more than `afterMs` longer than the fastest before
 * them. Neighbours are assumed to be independent, which hardly affects the search for the minimum.
 */
export function lateShare(jitter: Jitter, packetMs: number, packets: number, afterMs: number): number {
  if (jitter.jitterMs === 0) return 0;
  const { stepMs, waiting } = waitsOf(jitter, packetMs);
  let share = 0;
  for (let i = 0; i < STEPS; i++) {
    const limit = i - afterMs / stepMs;
    if (limit <= 0) continue;
    // If all earlier packets waited longer than the limit, the packet is not late.
    const longer = 1 - waiting[Math.floor(limit)]!;
    const notLate = longer >= 1 ? packets : (1 - longer ** packets) / (1 - longer);
    share += (waiting[i + 1]! - waiting[i]!) * (1 - notLate / packets);
  }
  return share;
}
