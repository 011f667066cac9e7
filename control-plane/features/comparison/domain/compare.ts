/**
 * Comparison of two runs: a figure is better or worse if the difference is significant, over all figures together
 * (Holm), and large enough to matter. Pure.
 */
import { changeOfPercentile, type PercentileChange, type TimeBlock } from './block-bootstrap.ts';
import { holm } from './holm.ts';
import {
  type Bounds,
  designEffect,
  differenceOfShares,
  effective,
  newcombe,
  type Share,
  wilson,
} from './proportions.ts';

type Verdict = 'BETTER' | 'WORSE' | 'NO_DIFFERENCE' | 'TOO_LITTLE_DATA';

/** The significance level, over all figures together. */
const ALPHA = 0.05;

export type ShareFigure = {
  readonly kind: 'SHARE';
  readonly key: string;
  readonly higherIsBetter: boolean;
  /** In percentage points. */
  readonly leastEffect: number;
  readonly of: readonly [Share, Share];
  /** Both runs by blocks of 10 s; empty: not known, and calls are assumed to be independent. */
  readonly blocks: readonly [readonly Share[], readonly Share[]];
};
export type TimingFigure = {
  readonly kind: 'TIMING';
  readonly key: string;
  readonly quantile: number;
  /** In percent of the baseline. */
  readonly leastEffect: number;
  readonly blocks: readonly [readonly TimeBlock[], readonly TimeBlock[]];
};

export type ComparedFigure = {
  readonly key: string;
  readonly verdict: Verdict;
  /** For shares, percentage points; for timings, percent of the baseline; null: not known. */
  readonly by: number | null;
  /** The 95 % interval of `by`. */
  readonly interval: Bounds | null;
  /** Corrected for all figures; null: not tested. */
  readonly p: number | null;
  /** The 95 % interval of each run's share; null for timings. */
  readonly intervals: readonly [Bounds, Bounds] | null;
};

type Tested = Omit<ComparedFigure, 'verdict' | 'p'> & {
  readonly p: number;
  readonly leastEffect: number;
  readonly isWorse: boolean;
};

const scaled = ({ from, to }: Bounds): Bounds => ({ from: from * 100, to: to * 100 });

function testShare({ key, higherIsBetter, leastEffect, of, blocks }: ShareFigure): Tested | null {
  if (Math.min(of[0].of, of[1].of) < 1) return null;
  const a = effective(of[0], designEffect(blocks[0]));
  const b = effective(of[1], designEffect(blocks[1]));
  const by = (b.hits / b.of - a.hits / a.of) * 100;
  return {
    key,
    by,
    interval: scaled(newcombe(a, b)),
    intervals: [scaled(wilson(a)), scaled(wilson(b))],
    p: differenceOfShares(a, b),
    leastEffect,
    isWorse: by > 0 !== higherIsBetter,
  };
}

function testTiming({ key, quantile, leastEffect, blocks }: TimingFigure, seed: number): Tested | null {
  const change: PercentileChange | null = changeOfPercentile(blocks[0], blocks[1], quantile, seed);
  if (change === null) return null;
  const by = change.by * 100;
  return { key, by, interval: scaled(change.interval), intervals: null, p: change.p, leastEffect, isWorse: by > 0 };
}

/** Returns the figures in the given order. The second run of each pair is judged against the first. */
export function compareFigures(figures: readonly (ShareFigure | TimingFigure)[], seed: number): ComparedFigure[] {
  const tested = figures.map((figure) => (figure.kind === 'SHARE' ? testShare(figure) : testTiming(figure, seed)));
  const ps = holm(tested.flatMap((one) => (one === null ? [] : [one.p])));
  let next = 0;
  return tested.map((one, i) => {
    const { key } = figures[i] as (typeof figures)[number];
    if (one === null) return { key, verdict: 'TOO_LITTLE_DATA', by: null, interval: null, p: null, intervals: null };
    const p = ps[next++] as number;
    const { leastEffect, isWorse, ...rest } = one;
    const isDifferent = p < ALPHA && Math.abs(one.by ?? 0) >= leastEffect;
    return { ...rest, p, verdict: isDifferent ? (isWorse ? 'WORSE' : 'BETTER') : 'NO_DIFFERENCE' };
  });
}

/** The verdict over all figures: a single worse one decides. */
export function overall(all: readonly ComparedFigure[]): Verdict {
  const has = (verdict: Verdict): boolean => all.some((one) => one.verdict === verdict);
  if (has('WORSE')) return 'WORSE';
  if (has('BETTER')) return 'BETTER';
  return all.every((one) => one.verdict === 'TOO_LITTLE_DATA') ? 'TOO_LITTLE_DATA' : 'NO_DIFFERENCE';
}
