import t from 'tap';
import { delayDistribution, shareUpTo, valueAt } from './delay-distribution.ts';
import {
  IMPAIRMENT_LIMITS,
  type Impairment,
  impairmentFault,
  JITTER_DISTRIBUTIONS,
  NO_IMPAIRMENT,
} from './impairment.ts';
import { ImpairmentModel } from './model.ts';

const PACKET_MS = 20;

type Fate = {
  readonly sentMs: number;
  readonly lost: boolean;
  readonly arrivalMs: number;
  readonly duplicate: boolean;
};

function fates(setting: Partial<Impairment>, seed: number, datagrams: number): Fate[] {
  const model = new ImpairmentModel({ ...NO_IMPAIRMENT, ...setting }, seed);
  return Array.from({ length: datagrams }, (_, i) => {
    const sentMs = i * PACKET_MS;
    const lost = !model.decide(sentMs, PACKET_MS);
    return { sentMs, lost, arrivalMs: model.arrivalMs, duplicate: model.duplicate };
  });
}

const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;

t.test('values outside the limits are refused', async (t) => {
  t.equal(impairmentFault(NO_IMPAIRMENT), null);
  for (const [name, [least, greatest]] of Object.entries(IMPAIRMENT_LIMITS)) {
    for (const value of [least, greatest]) t.equal(impairmentFault({ ...NO_IMPAIRMENT, [name]: value }), null);
    for (const value of [least - 1, greatest + 1, Number.NaN, '3'])
      t.match(impairmentFault({ ...NO_IMPAIRMENT, [name]: value }), new RegExp(`impairment.${name} is`));
  }
  t.match(impairmentFault({ ...NO_IMPAIRMENT, seed: 1.5 }), /whole number/);
  t.match(impairmentFault({ ...NO_IMPAIRMENT, jitterDistribution: 'FLAT' as never }), /UNIFORM, NORMAL, SPIKES/);
});

t.test('the same seed decides the same fates', async (t) => {
  t.same(fates({ lossPercent: 10, jitterMs: 5 }, 7, 200), fates({ lossPercent: 10, jitterMs: 5 }, 7, 200));
});

t.test('nothing asked for: nothing is done', async (t) => {
  t.ok(
    fates({}, 1, 1000).every(({ sentMs, lost, arrivalMs, duplicate }) => !lost && arrivalMs === sentMs && !duplicate),
  );
});

t.test('distributions begin at 0, deviate by 1, and are their own inverse', async (t) => {
  for (const name of JITTER_DISTRIBUTIONS) {
    const distribution = delayDistribution(name);
    const values = Array.from({ length: 100_000 }, (_, i) => valueAt(distribution, (i + 0.5) / 100_000));
    const middle = mean(values);
    t.ok(Math.abs(Math.sqrt(mean(values.map((value) => (value - middle) ** 2))) - 1) < 1e-3, name);
    t.equal(distribution.quantiles[0], 0);
    for (let i = 1; i < 100; i++) {
      t.ok(Math.abs(shareUpTo(distribution, valueAt(distribution, i / 100)) - i / 100) < 1e-9);
      t.ok(valueAt(distribution, i / 100) > valueAt(distribution, (i - 1) / 100), 'they rise');
    }
    t.equal(shareUpTo(distribution, 0), 0);
    t.equal(shareUpTo(distribution, distribution.greatest), 1);
  }
});

t.test('in the long run each share is what was asked for', async (t) => {
  const n = 400_000;
  for (const [lossPercent, burstRatio] of [
    [1, 1],
    [3, 1],
    [10, 1],
    [10, 3],
    [5, 8],
  ] as const) {
    const all = fates({ lossPercent, burstRatio }, 3, n);
    const lost = all.filter((fate) => fate.lost).length;
    const runs = all.filter((fate, i) => fate.lost && !all[i - 1]?.lost).length;
    t.ok(Math.abs(lost / n - lossPercent / 100) < 0.003, `${lossPercent} %: ${lost / n}`);
    const ratio = (lost / runs) * (1 - lost / n);
    t.ok(Math.abs(ratio / burstRatio - 1) < 0.05, `burst ratio ${burstRatio}: ${ratio}`);
  }
  const some = fates({ duplicatePercent: 5, reorderPercent: 5 }, 4, n);
  t.ok(Math.abs(some.filter((fate) => fate.duplicate).length / n - 0.05) < 0.003);
  t.ok(Math.abs(some.filter((fate) => fate.arrivalMs > fate.sentMs).length / n - 0.05) < 0.003);
});

t.test('jitter keeps the order; what is reordered is overtaken by the next, and by no other', async (t) => {
  for (const jitterDistribution of JITTER_DISTRIBUTIONS) {
    const all = fates({ jitterDistribution, jitterMs: 50, delayMs: 100 }, 5, 20_000);
    t.ok(
      all.every((fate, i) => i === 0 || fate.arrivalMs >= all[i - 1]!.arrivalMs),
      jitterDistribution,
    );
    t.ok(all.every((fate) => fate.arrivalMs >= fate.sentMs + 100));
  }
  const all = fates({ reorderPercent: 30 }, 6, 20_000);
  all.forEach((fate, i) => {
    const later = all.slice(i + 1, i + 4).filter((other) => other.arrivalMs < fate.arrivalMs);
    const expected = fate.arrivalMs > fate.sentMs && i + 1 < all.length ? 1 : 0;
    if (later.length !== expected) t.fail(`datagram ${i} is overtaken by ${later.length}`);
  });
});
