import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { G711 } from '../codec/impairments.ts';
import { gapBurstOf } from '../testing/gap-burst-of.ts';
import { burstRatio, trustedBurstRatio } from './burst-ratio.ts';
import { mosOfR } from './e-model.ts';
import { fractionByte } from './gap-burst.ts';
import {
  add,
  addDelay,
  BUCKETS,
  copy,
  count,
  createHistogram,
  fromSparse,
  greatest,
  HISTOGRAM_BYTES,
  type Histogram,
  least,
  mean,
  merge,
  quantile,
  RELATIVE_ERROR,
  since,
  sum,
  toSparse,
} from './histogram.ts';
import { conversationalR, delaySourceOf, listeningR, mosOf, mouthToEarMs, pplPercent } from './rating.ts';

const near = (actual: number, expected: number, tolerance: number): boolean => Math.abs(actual - expected) <= tolerance;

t.test('every R has its MOS', async (t) => {
  t.equal(mosOfR(Number.NaN), 1);
  fc.assert(fc.property(fc.double({ min: -10, max: 110, noNaN: true }), (r) => mosOfR(r) >= 1 && mosOfR(r) <= 4.5));
});

t.test('gaps and bursts (RFC 3611), burst ratio (G.107)', async (t) => {
  const ones = (n: number): string => '1'.repeat(n);
  const vectors: [
    string,
    pattern: string,
    ms: number,
    ppl: number,
    burstR: number,
    bursts: number,
    burstDensity: number,
    gapDensity: number,
    burstMs: number,
    gapMs: number,
  ][] = [
    [
      'the RFC’s example',
      '11110111111111111111111X111X1011110111111111111111111X111111111',
      10,
      9.524,
      1,
      1,
      85,
      10,
      120,
      255,
    ],
    ['no loss', ones(100), 20, 0, 1, 0, 0, 0, 0, 2000],
    ['an isolated loss', `${ones(50)}0${ones(49)}`, 20, 1, 1, 0, 0, 2, 0, 2000],
    ['every 20th', `${ones(10)}0${`${ones(19)}0`.repeat(4)}${ones(9)}`, 20, 5, 1, 0, 0, 12, 0, 2000],
    ['a run of 5', `${ones(50)}00000${ones(45)}`, 20, 5, 4.75, 1, 255, 0, 100, 950],
    ['two runs of 3', `${ones(40)}000${ones(10)}000${ones(44)}`, 20, 6, 2.82, 1, 96, 0, 320, 840],
  ];
  for (const [name, pattern, ms, ppl, burstR, bursts, burstDensity, gapDensity, burstMs, gapMs] of vectors) {
    const good = [...pattern].map((symbol) => symbol === '1');
    const missing = good.filter((ok) => !ok).length;
    const runs = good.filter((ok, i) => !ok && (i === 0 || good[i - 1])).length;
    const actual = gapBurstOf(good);
    t.ok(near((100 * missing) / good.length, ppl, 0.001), `${name}: Ppl`);
    t.ok(near(burstRatio(missing, runs, good.length), burstR, 0.001), `${name}: BurstR`);
    t.equal(actual.bursts, bursts, `${name}: bursts`);
    t.equal(fractionByte(actual.burstDensity), burstDensity, `${name}: burst density`);
    t.equal(fractionByte(actual.gapDensity), gapDensity, `${name}: gap density`);
    t.equal(actual.meanBurstPackets * ms, burstMs, `${name}: burst duration`);
    t.equal(actual.meanGapPackets * ms, gapMs, `${name}: gap duration`);
  }

  t.equal(burstRatio(90, 1, 1000), 8, 'G.107 ends at 8');
  t.equal(trustedBurstRatio(20, 9, 1000), 1, 'nine runs say nothing yet');
  t.ok(near(trustedBurstRatio(20, 10, 1000), 1.96, 1e-9));
  t.equal(burstRatio(0, 0, 0), 1);

  t.test('clusters agree with the definition', async (t) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 400 }), (digits) => {
        const good = digits.map((digit) => digit > 0);
        const bad = good.flatMap((ok, i) => (ok ? [] : [i]));
        const clusters: number[][] = [];
        for (const i of bad) {
          const cluster = clusters.at(-1);
          if (cluster && i - cluster.at(-1)! - 1 < 16) cluster.push(i);
          else clusters.push([i]);
        }
        const bursts = clusters.filter((cluster) => cluster.length > 1);
        const packets = bursts.reduce((n, b) => n + b.at(-1)! - b[0]! + 1, 0);
        const actual = gapBurstOf(good);
        const gapPackets = actual.meanGapPackets * actual.gaps;
        return (
          actual.bursts === bursts.length &&
          near(actual.meanBurstPackets * actual.bursts, packets, 1e-6) &&
          (actual.gaps === 0 ? packets === good.length : near(gapPackets, good.length - packets, 1e-6))
        );
      }),
      { numRuns: 300 },
    );
    t.pass();
  });
});

t.test('rating of a stream', async (t) => {
  const counts = { expected: 1000, lost: 0, lateDiscarded: 0, burstRatio: 1 };
  const codec = G711;
  t.equal(mouthToEarMs(40, 20), 100);
  t.equal(mouthToEarMs(Number.NaN, 20), 80);
  t.equal(delaySourceOf(Number.NaN), 'RECEIVER_ONLY');
  t.equal(delaySourceOf(0), 'RTT');
  const clean = mosOf(codec, conversationalR(codec, counts, 0.2, 20));
  t.ok(clean > 4.3 && clean < 4.5, `a clean call on loopback reads ${clean}`);
  t.ok(near(listeningR(codec, counts), 93.206, 0.001), 'listening knows no delay');
  t.equal(pplPercent({ expected: 200, lost: 3, lateDiscarded: 1 }), 2);
  t.equal(pplPercent({ expected: 200, lost: -3, lateDiscarded: 0 }), 0, 'a late repair is no negative loss');
  t.ok(Number.isNaN(conversationalR(codec, { ...counts, expected: 0 }, 0, 20)), 'nothing expected, nothing rated');
  t.ok(Number.isNaN(mosOf(codec, Number.NaN)));
  t.ok(Number.isNaN(conversationalR(null, counts, 0, 20)), 'what has no Ie is not rated');
});

t.test('histogram', async (t) => {
  const values = fc.array(fc.double({ min: 0.001, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  const of = (list: readonly number[], into: Histogram = createHistogram()): Histogram => {
    for (const value of list) add(into, value);
    return into;
  };
  const nearestRank = (list: readonly number[], q: number): number =>
    [...list].sort((a, b) => a - b)[Math.max(1, Math.ceil(q * list.length)) - 1]!;

  t.test('every quantile is within 2.5 % of the value of its rank', async (t) => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, q) => {
        const exact = nearestRank(list, q);
        return near(quantile(of(list), q), exact, exact * (RELATIVE_ERROR + 1e-9));
      }),
      { numRuns: 500 },
    );
    t.pass();
  });

  t.test('count, sum, least and greatest are exact', async (t) => {
    const h = of([3, 1, 2]);
    t.match([count(h), sum(h), mean(h), least(h), greatest(h)], [3, 6, 2, 1, 3]);
    add(h, 10, 5);
    t.match([count(h), sum(h), greatest(h)], [8, 56, 10]);
    add(h, Number.NaN);
    t.equal(count(h), 8);
    const none = createHistogram();
    t.ok([least(none), greatest(none), mean(none), quantile(none, 0.5)].every(Number.isNaN));
  });

  t.test('zero, negative and enormous values have a place', async (t) => {
    const h = of([0, -5, 1e300, Number.POSITIVE_INFINITY]);
    t.equal(count(h), 4);
    t.equal(h.counts[0], 2);
    t.equal(h.counts[BUCKETS - 1], 2);
    t.equal(quantile(h, 0), 0.001, 'all below 1 us is 1 us');
    t.ok(near(quantile(h, 1), 3_600_000, 0.025 * 3_600_000), 'all above an hour is an hour');
  });

  t.test('a delay counts for every millisecond that it made wait', async (t) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(1, 2, 4, 20), (delayMs, everyMs) => {
        const h = createHistogram();
        addDelay(h, delayMs, everyMs);
        const waited = count(h) - everyMs;
        return (
          greatest(h) === delayMs &&
          Math.abs(waited - delayMs) <= Math.max(everyMs, 0.5 * Math.min(1000, delayMs / everyMs)) &&
          (waited < 200 || near(quantile(h, 0.5), delayMs / 2, 0.1 * delayMs))
        );
      }),
      { numRuns: 500 },
    );
    const h = createHistogram();
    add(h, 0.1, 10_000);
    addDelay(h, 2500, 2);
    t.ok(quantile(h, 0.99) > 2000, 'frozen for 2.5 s of 12.5');
  });

  t.test('merged histograms equal the histogram of all values', async (t) => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const merged = of(a);
        merge(merged, of(b));
        const together = of([...a, ...b]);
        t.same(merged.counts, together.counts);
        return (
          count(merged) === a.length + b.length &&
          least(merged) === least(together) &&
          greatest(merged) === greatest(together) &&
          near(sum(merged), sum(together), 1e-6 * sum(together))
        );
      }),
      { numRuns: 50 },
    );
    const one = of([5]);
    merge(one, createHistogram());
    t.equal(least(one), 5);
  });

  t.test('sparse and back', async (t) => {
    fc.assert(
      fc.property(values, (list) => {
        const h = of(list);
        const sparse = toSparse(h);
        t.ok(sparse.bucket.length <= list.length);
        t.same(fromSparse(sparse), h);
      }),
      { numRuns: 50 },
    );
    t.same(toSparse(createHistogram()), { bucket: [], count: [], sum: 0, min: 0, max: 0 });
    t.throws(() => fromSparse({ bucket: [BUCKETS], count: [1], sum: 1, min: 1, max: 1 }), RangeError);
    t.throws(() => fromSparse({ bucket: [1], count: [], sum: 1, min: 1, max: 1 }), RangeError);
  });

  t.test('what came since a copy', async (t) => {
    const h = of([1, 100]);
    const before = copy(h);
    of([5, 7], h);
    const delta = since(h, before);
    t.equal(count(delta), 2);
    t.equal(sum(delta), 12);
    t.ok(near(least(delta), 5, 0.125) && near(greatest(delta), 7, 0.175));
    t.equal(count(since(h, copy(h))), 0);
  });

  t.test('over shared memory', async (t) => {
    const shared = new SharedArrayBuffer(HISTOGRAM_BYTES * 2);
    add(createHistogram(shared, HISTOGRAM_BYTES), 42);
    t.equal(count(createHistogram(shared, HISTOGRAM_BYTES)), 1);
    t.equal(count(createHistogram(shared, 0)), 0);
  });
});
