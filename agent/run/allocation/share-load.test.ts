/** Endpoints that place several calls: on virtual time, against a far end that answers, or refuses, at once. */
import { queryObjects } from 'node:v8';
import { WHOLE } from '@carillon/proto/load/load-part.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { MediaEngine } from '../../rtp/media-engine.ts';
import { always, answerSdp, endpoint, engine, failure, open, plan } from '../../testing/run/share-world.ts';
import { Caller } from '../endpoint/talking/caller.ts';
import type { LoadPlan } from '../plan.ts';

const ENDPOINTS = 7;
const endless = Number.POSITIVE_INFINITY;

const load = (order: Partial<LoadPlan['order']>, more: Partial<LoadPlan> = {}): LoadPlan => ({
  order: { shape: 'EVEN', steps: [{ seconds: 10, callsPerSecond: 20 }], calls: endless, seed: 1, ...order },
  part: WHOLE,
  callsEach: endless,
  runEndpoints: ENDPOINTS,
  ...more,
});

/** User agents that exist. */
const countOf = (kind: typeof Caller): number => queryObjects(kind, { format: 'count' });

type World = Awaited<ReturnType<typeof open>>;

/** Calls are answered at once, or refused, and end when they are hung up. Returns the highest number of concurrent calls. */
function live({ go }: World, untilMs: number, refuse = false): number {
  const over = new Set<object>();
  let most = 0;
  for (let atMs = engine.nowMs + 1; atMs <= untilMs; atMs++) {
    go(atMs);
    for (const { call } of engine.agents) {
      if (call === null || over.has(call)) continue;
      if (call.within.length === 0) {
        call.within.push('told');
        if (refuse) {
          over.add(call);
          call.events.onFailed(failure('STATUS', 486));
        } else call.events.onAnswered(engine.nowMs, 200, 'OK', answerSdp());
      } else if (call.hungUp) {
        over.add(call);
        call.events.onEnded('LOCAL', engine.nowMs, engine.nowMs);
      }
    }
    most = Math.max(most, engine.agents.filter(({ call }) => call !== null && !over.has(call)).length);
    engine.agents = engine.agents.filter(({ call }) => call === null || !over.has(call));
  }
  return most;
}

const sumOf = (world: World) =>
  world.noise().reduce(
    (n, x) => ({
      planned: n.planned + x.planned,
      started: n.started + x.started,
      none: n.none + x.noFreeEndpoint,
      not: n.not + x.notStarted + x.heldBack,
    }),
    { planned: 0, started: 0, none: 0, not: 0 },
  );

const endpoints = Array.from({ length: ENDPOINTS }, (_, i) => endpoint(i, 0));
const loaded = (of: LoadPlan, callDurationMs: number) => open(plan({ endpoints, callDurationMs, load: of }));

t.test('calls of the next tenth of a second are created together, and each starts at its instant', async (t) => {
  const signalling = plan({ endpoints, callDurationMs: 1000, load: load({}) }, { tracks: [] });
  const world = await open(signalling);
  world.share.start(0);
  const counts = [1, 50, 99, 149, 150, 151].map((atMs) => {
    world.go(atMs);
    return [engine.agents.length, engine.agents.filter(({ call }) => call !== null).length];
  });
  t.same(counts, [
    [3, 1],
    [3, 2],
    [3, 2],
    [3, 3],
    [6, 4],
    [6, 4],
  ]);
});

t.test('each call that is due is placed or dropped, never both, never later, and endpoints take turns', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 900 }),
      fc.constantFrom('EVEN' as const, 'POISSON' as const),
      fc.boolean(),
      async (callsPerSecond, lastMs, shape, refuse) => {
        const world = await loaded(load({ shape, steps: [{ seconds: 3, callsPerSecond }] }), lastMs);
        world.share.start(0);
        const most = live(world, 3000 + lastMs + 50, refuse);
        const outcomes = world.outcomes().filter(({ attempted }) => attempted);
        const sums = sumOf(world);
        t.ok(most <= ENDPOINTS, `${most} at once`);
        t.equal(sums.planned, sums.started + sums.none);
        t.equal(sums.not, 0);
        t.equal(outcomes.length, sums.started);
        if (shape === 'EVEN') t.equal(sums.planned, 3 * callsPerSecond);
        t.ok(
          outcomes.every(({ inviteLateMs }) => inviteLateMs <= 2),
          'none waits for an endpoint',
        );
        const numbers = outcomes.map((o) => o.endpoint);
        t.equal(new Set(numbers).size, numbers.length, 'each call has a number of its own');
        const each = endpoints.map((e) => numbers.filter((n) => n % ENDPOINTS === e.number).length);
        const dense = each.flatMap((count, i) => Array.from({ length: count }, (_, k) => i + k * ENDPOINTS));
        t.ok(
          dense.every((number) => numbers.includes(number)),
          'the k-th call of an endpoint has the k-th of its numbers',
        );
        if (sums.none === 0 && shape === 'EVEN') t.ok(Math.max(...each) - Math.min(...each) <= 1, each.join());
        t.match(world.states(), ['READY', 'DONE']);
      },
    ),
    { numRuns: 25 },
  );
});

t.test('a sine starts few calls at first and many half a period later', async (t) => {
  const wave = { toCallsPerSecond: 30, periodSeconds: 4 };
  const world = await loaded(load({ shape: 'SINE', steps: [{ seconds: 8, callsPerSecond: 2, wave }] }), 10);
  world.share.start(0);
  live(world, 8100);
  const { planned, started } = sumOf(world);
  t.same([planned, started], [16 * 8, planned]);
  t.ok(world.outcomes().every(({ inviteLateMs }) => inviteLateMs <= 2));
});

t.test('as many calls as fit at once, and what finds no endpoint free is counted', async (t) => {
  const world = await loaded(load({}), 1000);
  world.share.start(0);
  t.equal(live(world, 12_000), ENDPOINTS);
  const { planned, started, none } = sumOf(world);
  t.equal(planned, 200);
  t.ok(started >= 65 && started <= 70, `${started} of 20 a second, seven at once, a second each`);
  t.equal(none, planned - started);
  t.ok(world.outcomes().every(({ outcome }) => outcome === 'SUCCESS'));
});

t.test('endpoints that place so many each place no more, and the load ends with them', async (t) => {
  const world = await loaded(
    load({ steps: [{ seconds: endless, callsPerSecond: 50 }], calls: 21 }, { callsEach: 3 }),
    100,
  );
  world.share.start(0);
  live(world, 2000);
  const numbers = world.outcomes().map((o) => o.endpoint);
  t.same(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 21 }, (_, i) => i),
  );
  t.match(world.states(), ['READY', 'DONE']);
});

t.test('HOLD keeps every endpoint in a call, and drops none', async (t) => {
  const world = await loaded(load({ shape: 'HOLD', steps: [{ seconds: 10, callsPerSecond: 100 }] }), 500);
  world.share.start(0);
  live(world, 11_000);
  const { planned, started, none } = sumOf(world);
  t.equal(none, 0);
  t.equal(planned, started);
  // Each of them: a call of 500 ms and a turn between two.
  t.ok(started >= 19 * ENDPOINTS && started <= 20 * ENDPOINTS, `${started} calls`);
  t.match(world.states(), ['READY', 'DONE']);
});

t.test('HOLD begins no more in a second than it may, where every call fails at once', async (t) => {
  const world = await loaded(load({ shape: 'HOLD', steps: [{ seconds: 5, callsPerSecond: 30 }] }), 500);
  world.share.start(0);
  live(world, 6000, true);
  const { started } = sumOf(world);
  t.ok(started <= 150 && started >= 145, `${started} in 5 s`);
});

t.test('a load that is paused and raised: nothing of it is lost or done twice', async (t) => {
  for (const shape of ['EVEN', 'POISSON'] as const) {
    const world = await loaded(load({ shape }), 10);
    world.share.start(0);
    live(world, 1990);
    const before = sumOf(world).planned;
    const paused = [{ seconds: 2, callsPerSecond: 20 }];
    world.share.changeLoad([...paused, { seconds: 8, callsPerSecond: 0 }]);
    live(world, 4900);
    t.equal(sumOf(world).planned, before, 'none while it is paused');
    world.share.changeLoad([...paused, { seconds: 3, callsPerSecond: 0 }, { seconds: 5, callsPerSecond: 40 }]);
    live(world, 11_000);
    const { planned, started, none } = sumOf(world);
    t.equal(planned, started + none);
    if (shape === 'EVEN') t.same([before, planned, none], [40, 240, 0]);
    t.match(world.states(), ['READY', 'DONE']);
    const numbers = world.outcomes().map((o) => o.endpoint);
    t.equal(new Set(numbers).size, numbers.length);
  }
});

const STARTED_MS = 1000;

/** Of a load that changes during the run: which call was placed when, how many were not, and when their streams were requested. */
async function changing(of: LoadPlan, lastMs: number, changedMs: number, callsPerSecond: number, media: boolean) {
  const askedAtMs = new Map<number, number>();
  const noting: MediaEngine = {
    ...always,
    request: (...asked) => {
      for (const number of asked[2]) askedAtMs.set(number, engine.nowMs);
      always.request(...asked);
    },
  };
  const group = media ? {} : { tracks: [], withoutMedia: { sdp: 'OFFER', codecs: ['PCMU'] } as const };
  const world = await open(plan({ endpoints, callDurationMs: lastMs, load: of }, group), noting);
  world.share.start(STARTED_MS);
  live(world, STARTED_MS + changedMs);
  const rate = of.order.steps[0]?.callsPerSecond ?? 0;
  world.share.changeLoad([
    { seconds: changedMs / 1000, callsPerSecond: rate },
    { seconds: 1, callsPerSecond },
  ]);
  live(world, STARTED_MS + changedMs + 3000);
  const placed = world.outcomes().filter(({ attempted }) => attempted);
  const calls = placed.map((o) => [o.endpoint, o.plannedAtMs] as const).sort(([a], [b]) => a - b);
  return { calls, sums: sumOf(world), askedAtMs };
}

t.test('that streams are opened before calls changes nothing about which endpoint has which', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 900 }),
      fc.integer({ min: 1, max: 2000 }),
      fc.constantFrom('EVEN' as const, 'POISSON' as const),
      async (callsPerSecond, lastMs, changedMs, shape) => {
        const of = load({ shape, steps: [{ seconds: 10, callsPerSecond }] });
        const before = await changing(of, lastMs, changedMs, 30, true);
        const without = await changing(of, lastMs, changedMs, 30, false);
        t.same([before.calls, before.sums], [without.calls, without.sums]);
        t.equal(without.askedAtMs.size, 0);
      },
    ),
    { numRuns: 20 },
  );
});

t.test('streams are asked for a quarter of a second before a call whose endpoint is free by then', async (t) => {
  const of = load({ steps: [{ seconds: 10, callsPerSecond: 10 }] });
  const { calls, askedAtMs } = await changing(of, 100, 2000, 5, true);
  const waits = calls.flatMap(([number, atMs]) =>
    // The very first calls have less time.
    atMs > STARTED_MS + 250 ? [atMs - (askedAtMs.get(number) ?? Number.NaN)] : [],
  );
  const [least = 0, ...others] = waits.sort((a, b) => a - b);
  t.ok(least >= 149, 'one that a change took back was asked for again');
  t.ok(others.length > 20 && others.every((ms) => ms >= 249 && ms <= 360), others.join());
});

t.test('streams are asked for once a call, however long they take to open', async (t) => {
  const asked: number[] = [];
  const late: (() => void)[][] = [[], [], [], []];
  const slow: MediaEngine = {
    ...always,
    request: (...request) => {
      asked.push(...request[2]);
      late.at(-1)?.push(() => always.request(...request));
    },
    turn: () => {
      for (const answer of late.shift() ?? []) answer();
      late.push([]);
    },
  };
  const held = load({ shape: 'HOLD', steps: [{ seconds: 3, callsPerSecond: 100 }] });
  const world = await open(plan({ endpoints, callDurationMs: 200, load: held }), slow);
  world.share.start(0);
  live(world, 4000);
  const calls = world.outcomes().filter(({ attempted }) => attempted);
  t.ok(calls.length > 50, `${calls.length} calls`);
  t.equal(new Set(asked).size, asked.length);
});

t.test('endpoints that the load had no call for close without one', async (t) => {
  const world = await loaded(load({ steps: [{ seconds: endless, callsPerSecond: 10 }], calls: 3 }), 50);
  world.share.start(0);
  live(world, 1000);
  const outcomes = world.outcomes();
  t.same(
    outcomes.map((o) => [o.endpoint, o.attempted, o.outcome, o.cause]),
    Array.from({ length: ENDPOINTS }, (_, i) => [i, i < 3, 'SUCCESS', null]),
  );
  t.match(world.states(), ['READY', 'DONE']);
});

t.test('a stop ends it: no call after it, and those that go on are hung up', async (t) => {
  const world = await loaded(load({}), 60_000);
  world.share.start(0);
  live(world, 2000);
  world.share.stop('enough');
  live(world, 2100);
  t.equal(world.outcomes().length, ENDPOINTS);
  t.match(world.states(), ['READY', 'DONE']);
});

t.test('without a control plane its calls are not placed, and that is counted', async (t) => {
  const world = await loaded(load({}), 100);
  world.share.start(0);
  live(world, 1000);
  world.share.hold(true);
  live(world, 2000);
  world.share.hold(false);
  live(world, 11_000);
  const { planned, started, not } = sumOf(world);
  t.equal(planned, 200);
  t.equal(not, 20);
  t.equal(started, 180);
});

t.test(
  'of calls that are over nothing stays until the minute is up for which their answer would have been waited',
  async (t) => {
    const held = countOf(Caller);
    const world = await loaded(load({ steps: [{ seconds: 20, callsPerSecond: 50 }] }), 100);
    world.share.start(0);
    live(world, 10_000);
    engine.agents.length = 0;
    const { length } = world.outcomes();
    t.ok(length > 500 - ENDPOINTS, `${length} are over`);
    const left = countOf(Caller) - held;
    t.ok(left <= ENDPOINTS, `${left} of ${length} are still there`);
  },
);
