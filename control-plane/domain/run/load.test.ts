/** Load shapes: what the plans of all workers add up to, what the same seed gives, and which numbers do not fit each other. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { Load } from '../../contract/test/scenario.ts';
import { instants, loadFaults, loadSeconds } from './load.ts';
import { deal } from './timetable.ts';

const rates = fc.double({ min: 0.01, max: 500, noNaN: true });
const steps = fc.array(
  fc.record({ callsPerSecond: fc.integer({ min: 1, max: 50 }), seconds: fc.integer({ min: 1, max: 10 }) }),
  { minLength: 1, maxLength: 5 },
);
const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 });
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const ascending = (a: number, b: number): number => a - b;

t.test('what is dealt to the workers is the shape, whole, and each carries its part of every stretch', async () => {
  const shapes = fc.oneof(
    fc.constant<Load>({ shape: 'BUILDUP' }),
    rates.map((callsPerSecond): Load => ({ shape: 'RATE', callsPerSecond })),
    fc.record({ callsPerSecond: rates, seed: fc.nat() }).map((r): Load => ({ shape: 'POISSON', ...r })),
  );
  fc.assert(
    fc.property(shapes, sizes, fc.integer({ min: 0, max: 600 }), (load, sizes, buildup) => {
      const calls = sum(sizes);
      const plan = instants(load, calls, buildup);
      const starts = deal(
        sizes,
        plan,
        sizes.map(() => false),
      );
      const all = starts
        .flat()
        .map((s) => s.callAtMs)
        .sort(ascending);
      const shares = starts.every((row, i) => {
        const size = sizes[i] as number;
        // The first of a share is within the first (calls / size) of all.
        return (
          row.length === size && (size === 0 || (row[0]?.callAtMs ?? 0) <= (plan[Math.ceil(calls / size) - 1] ?? 0))
        );
      });
      return JSON.stringify(all) === JSON.stringify(plan) && shares;
    }),
  );
});

t.test('where some register, all wait for them: the shape stays', async (t) => {
  const plan = instants({ shape: 'BUILDUP' }, 4, 2);
  const [registered, plain] = deal([2, 2], plan, [true, false]);
  t.same(
    [...(registered ?? []), ...(plain ?? [])].map((s) => s.callAtMs).sort(ascending),
    plan.map((at) => at + 1000),
  );
  t.same(
    registered?.map((s) => s.callAtMs - s.registerAtMs),
    [1000, 1000],
    'REGISTER comes before, at the same rate',
  );
});

t.test('BUILDUP spreads evenly, RATE is constant', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 600 }), (calls, seconds) =>
      instants({ shape: 'BUILDUP' }, calls, seconds).every(
        (at, i) => Math.abs(at - (i * seconds * 1000) / calls) <= 0.5,
      ),
    ),
  );
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 300 }), (callsPerSecond, calls) => {
      const plan = instants({ shape: 'RATE', callsPerSecond }, calls, 0);
      return plan.length === calls && plan.every((at, i) => Math.abs(at - (i * 1000) / callsPerSecond) <= 0.5);
    }),
  );
});

t.test('STEPS starts exactly so many calls in each step', async () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const calls = sum(steps.map((s) => s.callsPerSecond * s.seconds));
      const load: Load = { shape: 'STEPS', steps };
      const plan = instants(load, calls, 0);
      let fromMs = 0;
      const exact = steps.every(({ callsPerSecond, seconds }) => {
        const untilMs = fromMs + seconds * 1000;
        const within = plan.filter((at) => at >= fromMs && at < untilMs).length;
        fromMs = untilMs;
        return within === callsPerSecond * seconds;
      });
      return (
        exact &&
        plan.length === calls &&
        loadFaults(load, calls, null).length === 0 &&
        loadSeconds(load, calls, 0) === fromMs / 1000
      );
    }),
  );
});

t.test('POISSON: the pauses are exponential, and the same seed gives the same instants', async (t) => {
  const calls = 20_000;
  const load: Load = { shape: 'POISSON', callsPerSecond: 5, seed: 7 };
  const plan = instants(load, calls, 0);
  t.same(instants(load, calls, 0), plan);
  t.not(instants({ ...load, seed: 8 }, calls, 0)[0], plan[0]);
  t.same(instants(load, 100, 0), plan.slice(0, 100), 'more callers do not move the first ones');
  // Chi-square of 20 classes of equal probability: 36.2 is passed by 1 % of truly exponential samples; the seed is fixed.
  const classes = 20;
  const bounds = Array.from({ length: classes }, (_, i) => -Math.log(1 - (i + 1) / classes) * 200);
  const counts = new Array<number>(classes).fill(0);
  plan.forEach((at, i) => {
    const gap = at - (plan[i - 1] ?? 0);
    const found = bounds.findIndex((bound) => gap <= bound);
    counts[found] = (counts[found] ?? 0) + 1;
  });
  const expected = calls / classes;
  t.ok(sum(counts.map((n) => (n - expected) ** 2 / expected)) < 36.2, String(counts));
});

t.test('what does not fit is told with the arithmetic', async (t) => {
  const rate: Load = { shape: 'RATE', callsPerSecond: 10 };
  t.same(loadFaults(rate, 300, 30), []);
  t.same(loadFaults(rate, 300, null), []);
  t.equal(loadSeconds(rate, 300, 0), 30);
  t.match(loadFaults(rate, 200, 30), [
    { path: ['load', 'callsPerSecond'], message: /^10 calls\/s × 30 s = 300 calls, .* the test has 200 callers;/ },
  ]);
  const stairs: Load = {
    shape: 'STEPS',
    steps: [
      { callsPerSecond: 5, seconds: 10 },
      { callsPerSecond: 20, seconds: 5 },
    ],
  };
  t.same(loadFaults(stairs, 150, null), []);
  t.match(loadFaults(stairs, 1, null), [{ message: /^start 5 × 10 \+ 20 × 5 = 150 calls, .* the test has 1 caller$/ }]);
  t.match(loadFaults({ ...rate, callsPerSecond: 0.01 }, 1000, null), [
    { path: ['load'], message: /100000 s, more than 86400/ },
  ]);
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 800 }), (callsPerSecond, calls) => {
      const load: Load = { shape: 'RATE', callsPerSecond };
      // What GET tells may be sent back.
      return loadFaults(load, calls, loadSeconds(load, calls, 0)).length === 0;
    }),
  );
  t.notOk(Load.safeParse({ shape: 'RATE' }).success);
  t.notOk(Load.safeParse({ shape: 'WAVE' }).success);
});
