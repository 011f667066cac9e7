/** Intervals against published values, and verdicts against simulated pairs of runs whose truth is known. */
import t, { type Test } from 'tap';
import { type Random, seeded } from '../../../../scripts/peers/seeded.ts';
import fc from '../../../../scripts/test-run/properties.ts';
import { loadDistributions } from '../../../domain/statistics/distributions.ts';
import { bucketOf } from '../../../domain/sums/spread.ts';
import { changeOfPercentile, type TimeBlock } from './block-bootstrap.ts';
import { compareFigures, overall, type ShareFigure, type TimingFigure } from './compare.ts';
import { holm } from './holm.ts';
import { designEffect, differenceOfShares, newcombe, type Share, wilson } from './proportions.ts';

await loadDistributions();

const near = (t: Test, found: number, wanted: number, within = 1e-4) =>
  t.ok(Math.abs(found - wanted) <= within, `${found} is not ${wanted}`);

t.test('the test of two shares as SciPy 1.17 has it', (t) => {
  for (const [a, na, b, nb, p] of [
    [1, 10, 11, 14, 0.0027594561852200836],
    [0, 50, 5, 50, 0.05628449442882433],
    [2, 1000, 12, 2000, 0.1619748441586611],
    [990, 1000, 1999, 2000, 0.00012634879568108572],
  ] as const)
    near(t, differenceOfShares({ hits: a, of: na }, { hits: b, of: nb }) / p, 1, 1e-8);
  t.end();
});

t.test("Wilson's and Newcombe's intervals as published", (t) => {
  // Newcombe (1998), page 861, method 3, and page 877, method 10.
  for (const [hits, of, from, to] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    near(t, wilson({ hits, of }).from, from);
    near(t, wilson({ hits, of }).to, to);
  }
  for (const [a, na, b, nb, from, to] of [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 20, 0.6791, 1],
  ] as const) {
    const found = newcombe({ hits: b, of: nb }, { hits: a, of: na });
    near(t, found.from, from);
    near(t, found.to, to);
  }
  near(t, differenceOfShares({ hits: 3, of: 4 }, { hits: 1, of: 4 }), 0.4857142857, 1e-9);
  near(t, differenceOfShares({ hits: 200, of: 1000 }, { hits: 250, of: 1000 }), 0.00745, 1e-4);
  t.same(
    holm([0.01, 0.04, 0.03, 0.005]).map((p) => Math.round(p * 1000) / 1000),
    [0.03, 0.06, 0.06, 0.02],
  );
  t.end();
});

t.test('laws of intervals and of tests', (t) => {
  const share = fc
    .tuple(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([of, p]): Share => ({ of, hits: Math.round(of * p) }));
  fc.assert(
    fc.property(share, share, (a, b) => {
      const one = wilson(a);
      const by = newcombe(a, b);
      const back = newcombe(b, a);
      const p = differenceOfShares(a, b);
      const share = a.hits / a.of;
      return (
        one.from <= share + 1e-12 &&
        share <= one.to + 1e-12 &&
        one.from >= 0 &&
        one.to <= 1 &&
        Math.abs(by.from + back.to) < 1e-9 &&
        p >= 0 &&
        p <= 1 &&
        Math.abs(p - differenceOfShares(b, a)) < 1e-6
      );
    }),
    { numRuns: 2000 },
  );
  t.end();
});

const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

type Truth = { readonly medianMs: number; readonly failing: number };
const [SECONDS, PER_SECOND] = [300, 20];
/** Of the slow part of the noise: its relative standard deviation, and its duration in seconds. */
const [SLOW, LASTS] = [0.05, 8];

/** Set-up times that are slow for a while, and failures in bursts. */
function simulated({ medianMs, failing }: Truth, random: Random) {
  const blocks = Math.ceil(SECONDS / 10);
  const timings = Array.from({ length: blocks }, () => new Map<number, number>());
  const shares = Array.from({ length: blocks }, () => ({ hits: 0, of: 0 }));
  const keeps = Math.exp(-1 / LASTS);
  let slow = SLOW * normal(random);
  let isBad = false;
  for (let second = 0; second < SECONDS; second++) {
    const at = Math.floor(second / 10);
    const block = timings[at] as Map<number, number>;
    const share = shares[at] as { hits: number; of: number };
    slow = keeps * slow + SLOW * Math.sqrt(1 - keeps * keeps) * normal(random);
    isBad = isBad ? random() < 0.8 : random() < 0.02;
    for (let call = 0; call < PER_SECOND; call++) {
      share.of++;
      if (random() < failing * (isBad ? 6 : 0.5)) continue;
      share.hits++;
      const bucket = bucketOf(medianMs * Math.exp(slow + 0.35 * normal(random)));
      block.set(bucket, (block.get(bucket) ?? 0) + 1);
    }
  }
  return { timings, shares };
}

function comparedPair(a: Truth, b: Truth, seed: number) {
  const random = seeded(seed);
  const [x, y] = [simulated(a, random), simulated(b, random)];
  const total = (shares: readonly Share[]): Share => ({
    hits: shares.reduce((sum, s) => sum + s.hits, 0),
    of: shares.reduce((sum, s) => sum + s.of, 0),
  });
  const timing = (quantile: number): TimingFigure => ({
    kind: 'TIMING',
    key: `p${quantile * 100}`,
    quantile,
    leastEffect: 5,
    blocks: [x.timings, y.timings],
  });
  const share: ShareFigure = {
    kind: 'SHARE',
    key: 'successShare',
    higherIsBetter: true,
    leastEffect: 0.5,
    of: [total(x.shares), total(y.shares)],
    blocks: [x.shares, y.shares],
  };
  return compareFigures([timing(0.5), timing(0.95), share], seed);
}

const PAIRS = 200;
const same: Truth = { medianMs: 80, failing: 0.005 };

t.test('of 200 pairs without a difference at most 5 % are called different', (t) => {
  const called = Array.from({ length: PAIRS }, (_, i) => overall(comparedPair(same, same, 1000 + i)));
  const different = called.filter((verdict) => verdict !== 'NO_DIFFERENCE').length;
  t.ok(different <= PAIRS * 0.05, `${different} of ${PAIRS}`);
  t.comment(`${different} of ${PAIRS} called different`);
  t.end();
});

t.test('of 200 pairs with a 10 % worse set-up time at least 95 % are found', (t) => {
  const called = Array.from({ length: PAIRS }, (_, i) => {
    const found = comparedPair(same, { ...same, medianMs: 88 }, 5000 + i);
    return found.filter(({ key, verdict }) => key !== 'successShare' && verdict === 'WORSE').length > 0;
  });
  const found = called.filter(Boolean).length;
  t.ok(found >= PAIRS * 0.95, `${found} of ${PAIRS}`);
  t.comment(`${found} of ${PAIRS} found`);
  t.end();
});

t.test('the test by itself, without the least effect, is wrong as often as it says', (t) => {
  const ps = Array.from({ length: PAIRS }, (_, i) => {
    const random = seeded(9000 + i);
    return changeOfPercentile(simulated(same, random).timings, simulated(same, random).timings, 0.5, i)?.p ?? 1;
  });
  const wrong = ps.filter((p) => p < 0.05).length;
  t.ok(wrong <= PAIRS * 0.08, `${wrong} of ${PAIRS} below 0.05`);
  t.comment(`${wrong} of ${PAIRS} below 0.05`);
  t.end();
});

t.test('the same twice is the same, and the same seed says the same', (t) => {
  const { timings } = simulated(same, seeded(3));
  t.match(changeOfPercentile(timings, timings, 0.95, 1), { by: 0, p: 1 });
  t.same(comparedPair(same, same, 7), comparedPair(same, same, 7));
  t.end();
});

t.test('what is too short is not judged', (t) => {
  const short: TimeBlock[] = Array.from({ length: 4 }, () => new Map([[bucketOf(80), 100]]));
  t.equal(changeOfPercentile(short, short, 0.5, 1), null);
  const none: ShareFigure = {
    ...{ kind: 'SHARE', key: 'asr', higherIsBetter: true, leastEffect: 0.5 },
    ...{
      of: [
        { hits: 0, of: 0 },
        { hits: 1, of: 1 },
      ] as const,
      blocks: [[], []] as const,
    },
  };
  t.match(compareFigures([none], 1), [{ verdict: 'TOO_LITTLE_DATA', by: null }]);
  t.end();
});

t.test('calls that fail together count as fewer', (t) => {
  const spread = Array.from({ length: 20 }, () => ({ hits: 95, of: 100 }));
  const inBursts = Array.from({ length: 20 }, (_, i) => ({ hits: i === 7 ? 0 : 100, of: 100 }));
  t.equal(designEffect(spread), 1);
  t.ok(designEffect(inBursts) > 50);
  t.end();
});
