/** Load shapes: the sum of all workers' plans, the result of the same seed, and numbers that contradict each other. */

import { seedOf } from '@carillon/media/seeded.ts';
import type { LoadOrder } from '@carillon/proto/load/load-clock.ts';
import type { Load } from '@carillon/proto/load/shapes/shapes.ts';
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { Load as LoadSchema } from '../../../contract/test-settings/load.ts';
import { type Callers, callerFaults, isLasting, testCallers } from './callers.ts';
import { instants, instantsOf, loadFaults, loadOrder, loadSeconds, maxCalls } from './load.ts';
import { deal } from './timetable.ts';

const rates = fc.double({ min: 0.01, max: 500, noNaN: true });
const steps = fc.array(
  fc.record({ callsPerSecond: fc.integer({ min: 1, max: 50 }), seconds: fc.integer({ min: 1, max: 10 }) }),
  { minLength: 1, maxLength: 5 },
);
const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 });
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
/** Each places one call. */
const once = (endpoints: number): Callers => ({ endpoints, calls: endpoints });
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
        // The first call of a share is within the first (calls / size) of all.
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
        loadFaults(load, once(calls), null, 5).length === 0 &&
        loadSeconds(load, once(calls), 0, 5) === fromMs / 1000
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
  // Chi-square of 20 classes of equal probability: 1 % of truly exponential samples exceed 36.2; the seed is fixed.
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
  t.same(loadFaults(rate, once(300), 30, 5), []);
  t.same(loadFaults(rate, once(300), null, 5), []);
  t.equal(loadSeconds(rate, once(300), 0, 5), 30);
  t.match(loadFaults(rate, once(200), 30, 5), [
    { path: ['load', 'callsPerSecond'], message: /^10 calls\/s × 30 s = 300 calls, .* the test has 200 callers;/ },
  ]);
  const stairs: Load = {
    shape: 'STEPS',
    steps: [
      { callsPerSecond: 5, seconds: 10 },
      { callsPerSecond: 20, seconds: 5 },
    ],
  };
  t.same(loadFaults(stairs, once(150), null, 5), []);
  t.match(loadFaults(stairs, once(1), null, 5), [
    { message: /^start 5 × 10 \+ 20 × 5 = 150 calls, .* the test has 1 caller$/ },
  ]);
  t.match(loadFaults({ ...rate, callsPerSecond: 0.01 }, once(1000), null, 5), [
    { path: ['load'], message: /100000 s, more than 86400/ },
  ]);
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 800 }), (callsPerSecond, calls) => {
      const load: Load = { shape: 'RATE', callsPerSecond };
      // The response of GET may be sent back.
      return loadFaults(load, once(calls), loadSeconds(load, once(calls), 0, 5), 5).length === 0;
    }),
  );
  t.notOk(LoadSchema.safeParse({ shape: 'RATE' }).success);
  t.notOk(LoadSchema.safeParse({ shape: 'WAVE' }).success);
});

/** The instants as they were planned before endpoints could place more than one call. */
function oldInstants(load: Load, calls: number, buildupSeconds: number): number[] {
  if (load.shape === 'BUILDUP')
    return Array.from({ length: calls }, (_, i) => Math.round((i * buildupSeconds * 1000) / calls));
  if (load.shape === 'POISSON') {
    let atMs = 0;
    return Array.from({ length: calls }, (_, i) => {
      atMs += (-Math.log(((seedOf(load.seed, i) >>> 0) + 0.5) / 2 ** 32) * 1000) / load.callsPerSecond;
      return Math.round(atMs);
    });
  }
  if (load.shape === 'RATE' || load.shape === 'CONCURRENCY')
    return Array.from({ length: calls }, (_, i) => Math.round((i * 1000) / load.callsPerSecond));
  if (load.shape !== 'STEPS') throw new Error(`${load.shape} came later`);
  const starts: number[] = [];
  let gathered = 0;
  let fromMs = 0;
  for (const { callsPerSecond, seconds } of load.steps) {
    const until = gathered + callsPerSecond * seconds - 1e-6;
    while (starts.length < calls && starts.length < until)
      starts.push(Math.round(fromMs + (Math.max(0, starts.length - gathered) * 1000) / callsPerSecond));
    gathered += callsPerSecond * seconds;
    fromMs += seconds * 1000;
  }
  return starts;
}

const fineSteps = fc.array(
  fc.record({
    callsPerSecond: fc.double({ min: 0.01, max: 40, noNaN: true }),
    seconds: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 5 },
);

t.test('where each endpoint places one call, the timetable is what it was, to the millisecond', async () => {
  const shapes = fc.oneof(
    fc.constant<Load>({ shape: 'BUILDUP' }),
    rates.map((callsPerSecond): Load => ({ shape: 'RATE', callsPerSecond })),
    fc.record({ callsPerSecond: rates, seed: fc.nat() }).map((r): Load => ({ shape: 'POISSON', ...r })),
    fineSteps.map((steps): Load => ({ shape: 'STEPS', steps })),
  );
  fc.assert(
    fc.property(shapes, fc.integer({ min: 1, max: 400 }), fc.nat({ max: 600 }), (load, calls, buildup) => {
      const old = oldInstants(load, calls, buildup);
      return JSON.stringify(instants(load, calls, buildup)) === JSON.stringify(old);
    }),
    { numRuns: 500 },
  );
});

const placing = (endpoints: number): Callers => ({ endpoints, calls: null });
const orderOf = (...of: Parameters<typeof loadOrder>) => loadOrder(...of) as LoadOrder;

t.test('a load with a length starts as many calls, whatever its endpoints are', async (t) => {
  const rate: Load = { shape: 'RATE', callsPerSecond: 20, seconds: 60 };
  t.same(loadFaults(rate, placing(7), null, 5), []);
  t.equal(loadSeconds(rate, placing(7), 0, 5), 60);
  t.equal(instantsOf(orderOf(rate, placing(7))).length, 1200);
  t.equal(maxCalls(rate, placing(7)), 1200);
  t.equal(instantsOf(orderOf({ shape: 'RATE', callsPerSecond: 20, calls: 30 }, placing(7))).length, 30);
  t.equal(loadSeconds({ shape: 'RATE', callsPerSecond: 20, calls: 30 }, placing(7), 0, 5), 2);
  const random: Load = { shape: 'POISSON', callsPerSecond: 20, seconds: 60, seed: 3 };
  const count = instantsOf(orderOf(random, placing(7))).length;
  t.ok(Math.abs(count - 1200) < 140 && count <= maxCalls(random, placing(7)), String(count));
  const held: Load = { shape: 'CONCURRENCY', callsPerSecond: 5, calls: 100 };
  t.equal(loadSeconds(held, placing(10), 0, 5), 2 + 9 * 10, 'ten rounds');
  t.equal(maxCalls({ shape: 'CONCURRENCY', callsPerSecond: 5, seconds: 60 }, placing(10)), 300);
});

t.test('SINE has the calls of its integral, and what contradicts them is told', async (t) => {
  const sine: Load = { shape: 'SINE', fromCallsPerSecond: 5, toCallsPerSecond: 15, periodSeconds: 10, seconds: 60 };
  t.same(loadFaults(sine, placing(7), null, 5), []);
  t.same([loadSeconds(sine, placing(7), 0, 5), maxCalls(sine, placing(7))], [60, 600]);
  t.equal(instantsOf(orderOf(sine, placing(7))).length, 600);
  t.equal(loadSeconds({ ...sine, seconds: undefined, calls: 100 }, placing(7), 0, 5), 10, 'a whole period');
  const quarter = instants({ ...sine, seconds: undefined }, 100, 0).filter((ms) => ms < 2500).length;
  t.equal(quarter, Math.ceil(25 - 50 / (2 * Math.PI)), 'fewer while it is slow');
  t.match(loadFaults(sine, once(20), null, 5), [
    { path: ['load', 'seconds'], message: /^a sine from 5 to 15 calls\/s × 60 s = 600 calls, an endpoint places one/ },
  ]);
  t.notOk(LoadSchema.safeParse({ ...sine, periodSeconds: 0 }).success);
  t.notOk(LoadSchema.safeParse({ ...sine, calls: 5 }).success);
});

t.test('endpoints that place several calls make the length of the load', async (t) => {
  const rate: Load = { shape: 'RATE', callsPerSecond: 10 };
  const callers: Callers = { endpoints: 20, calls: 100 };
  t.same(loadFaults(rate, callers, null, 5), []);
  t.equal(loadSeconds(rate, callers, 0, 5), 10);
  t.equal(instantsOf(orderOf(rate, callers)).length, 100);
  t.same(loadFaults({ ...rate, seconds: 10 }, callers, 10, 5), [], 'what says the same twice');
});

t.test('what a load and its callers say against each other is told with the arithmetic', async (t) => {
  const callers: Callers = { endpoints: 20, calls: 100 };
  const table: [Load, Callers, RegExp, readonly PropertyKey[]][] = [
    [{ shape: 'BUILDUP' }, callers, /^BUILDUP starts each caller once/, ['load', 'shape']],
    [{ shape: 'RATE', callsPerSecond: 10 }, placing(20), /^has no end: set seconds or calls/, ['load']],
    [
      { shape: 'RATE', callsPerSecond: 10, calls: 99 },
      callers,
      /^starts 99 calls, and the 20 callers of the test place 100$/,
      ['load', 'calls'],
    ],
    [
      { shape: 'RATE', callsPerSecond: 10, seconds: 5 },
      callers,
      /^10 calls\/s × 5 s = 50 calls, and the 20 callers of the test place 100$/,
      ['load', 'seconds'],
    ],
    [
      { shape: 'RATE', callsPerSecond: 10, seconds: 5 },
      once(60),
      /= 50 calls, an endpoint places one call, and the test has 60 callers$/,
      ['load', 'seconds'],
    ],
    [
      { shape: 'POISSON', callsPerSecond: 10, seconds: 5, seed: 1 },
      callers,
      /^starts calls for 5 s, however many .*: say calls: null there$/,
      ['load', 'seconds'],
    ],
    [
      { shape: 'STEPS', steps: [{ callsPerSecond: 2, seconds: 3 }] },
      callers,
      /^start 2 × 3 = 6 calls, and the 20 callers of the test place 100$/,
      ['load', 'steps'],
    ],
    [
      { shape: 'RATE', callsPerSecond: 20_000, seconds: 86_400 },
      placing(20),
      /^starts 1728000000 calls, but a run can have at most 1000000000$/,
      ['load'],
    ],
    [
      { shape: 'RATE', callsPerSecond: 100, seconds: 1001 },
      { ...placing(20), isPaired: true },
      /^starts 100100 calls among groups of the test, and a run compares both ends of at most 100000$/,
      ['load'],
    ],
  ];
  for (const [load, callers, message, path] of table) t.match(loadFaults(load, callers, null, 5), [{ path, message }]);
  t.same(loadFaults({ shape: 'STEPS', steps: [{ callsPerSecond: 2, seconds: 3 }] }, placing(3), null, 5), []);
  t.notOk(LoadSchema.safeParse({ shape: 'RATE', callsPerSecond: 1, seconds: 5, calls: 5 }).success);
});

t.test('which callers may place more than one call', async (t) => {
  const group = (mode: string, callee: string, ...calls: readonly (number | null)[]) => ({
    mode,
    callee: { mode: callee },
    subPopulations: calls.map((each) => ({
      role: callee === 'RECEIVE' ? ('CALLEE' as const) : ('CALLER' as const),
      endpoints: 3,
      calls: each,
    })),
  });
  const faultsOf = (...groups: ReturnType<typeof group>[]) => callerFaults(groups).map(({ message }) => message);
  t.same(faultsOf(group('CALL', 'EXTERNAL_URI', 1, 5), group('CALL', 'RECEIVE', 1)), []);
  t.match(faultsOf(group('OPTIONS', 'EXTERNAL_URI', 2)), [/callers of mode OPTIONS place none/]);
  t.same(faultsOf(group('CALL', 'GROUP', 5), group('CALL', 'RECEIVE', 5, null)), [], 'callees take what they say');
  t.match(callerFaults([group('CALL', 'EXTERNAL_URI', 4, null)]), [
    { path: ['groups', 0, 'subPopulations', 1, 'calls'] },
  ]);
  const groups = [group('CALL', 'EXTERNAL_URI', 2, 5)];
  t.same(testCallers({ groups }), { endpoints: 6, calls: 21 });
  t.ok(isLasting({ groups }));
  t.ok(testCallers({ groups: [group('CALL', 'GROUP', 5), group('CALL', 'RECEIVE', 5)] }).isPaired);
  const stored = [{ subPopulations: [{ role: 'CALLER' as const, endpoints: 3 }] }];
  t.notOk(isLasting({ groups: stored }), 'tests that were stored before say nothing');
  t.same(testCallers({ groups: stored }), once(3));
});
