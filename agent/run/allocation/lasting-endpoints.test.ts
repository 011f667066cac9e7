/** Endpoints that register once and have several calls: on virtual time, against a far end and a registrar of the test. */
import { WHOLE } from '@carillon/proto/load/load-part.ts';
import t from 'tap';
import { readPolicy } from '../../policy/policy.ts';
import type { CallEvents } from '../../sip/engine.ts';
import { answerSdp, endpoint, engine, failure, incoming, open, plan } from '../../testing/run/share-world.ts';
import type { LoadPlan, SharePlan } from '../plan.ts';

const ENDPOINTS = 3;
const endless = Number.POSITIVE_INFINITY;
type World = Awaited<ReturnType<typeof open>>;
type Agent = (typeof engine.agents)[number];

const calls = { callsEach: endless, runEndpoints: ENDPOINTS };
const load = (order: Partial<LoadPlan['order']>, more: Partial<LoadPlan> = {}): LoadPlan => ({
  order: { shape: 'EVEN', steps: [{ seconds: 2, callsPerSecond: 10 }], calls: endless, seed: 1, ...order },
  part: WHOLE,
  ...calls,
  ...more,
});
const account = (number: number) => ({ username: `100${number}`, credentials: null });
const endpoints = Array.from({ length: ENDPOINTS }, (_, i) =>
  endpoint(i, 0, { registerAtMs: 100 * i, account: account(i) }),
);
const ALONE = { tracks: [], withoutMedia: { sdp: 'NONE' as const, codecs: [] } };
/** `media` {}: a track; such calls are created before they are due. */
const callers = (of: LoadPlan, callDurationMs = 100, media: Partial<SharePlan['group']> = ALONE) =>
  open(plan({ endpoints, callDurationMs, load: of }, { register: true, ...media }));

const registering = (): Agent[] => engine.agents.filter(({ registration }) => registration !== null);
const registrationsOf = (world: World) => world.registrations();

/** The registrar answers; true: it grants. */
function register(world: World, grants: (i: number) => boolean): void {
  world.go(engine.nowMs + 100 * ENDPOINTS);
  for (const [i, { registration }] of registering().entries()) {
    if (grants(i)) registration?.onRegistered(engine.nowMs, 300);
    else registration?.onRegistrationFailed(failure('STATUS', 403, 'Forbidden'));
  }
  world.go(engine.nowMs + 1);
}

/** Calls are answered at once and end when they are hung up. */
function live({ go }: World, untilMs: number): void {
  while (engine.nowMs < untilMs) {
    go(engine.nowMs + 1);
    for (const { call } of engine.agents) {
      if (call === null) continue;
      if (call.within.length === 0) {
        call.within.push('told');
        call.events.onAnswered(engine.nowMs, 200, 'OK', call.offer === '' ? '' : answerSdp());
      } else if (call.hungUp && call.within.length === 1) {
        call.within.push('over');
        call.events.onEnded('LOCAL', engine.nowMs, engine.nowMs);
      }
    }
  }
}

t.test('an endpoint registers once, before the start, and places call after call over it', async (t) => {
  const world = await callers(load({}));
  t.same(world.states(), []);
  register(world, () => true);
  world.go(engine.nowMs + 1);
  t.same(world.states(), ['READY']);
  world.share.start(1000);
  live(world, 1900);
  registering()[1]?.registration?.onRefreshed?.(engine.nowMs, 300);
  t.same(registrationsOf(world), [], 'it goes on');
  live(world, 4000);
  const outcomes = world.outcomes();
  t.equal(outcomes.length, 20);
  t.ok(outcomes.every(({ outcome, cause }) => outcome === 'SUCCESS' && cause === null));
  t.same(
    outcomes.filter(({ registerRttMs }) => !Number.isNaN(registerRttMs)).map((o) => o.endpoint),
    [0, 1, 2],
    'figures of a registration are told with the first call of its endpoint',
  );
  t.same(
    registrationsOf(world).map(({ endpoint, refreshes }) => [endpoint, refreshes.granted]),
    [
      [0, 0],
      [1, 1],
      [2, 0],
    ],
  );
  t.equal(world.phases().filter((phase) => phase === 'REGISTERED').length, ENDPOINTS);
  t.same(
    registering().map(({ unregistered, closed }) => [unregistered, closed]),
    [
      [1, true],
      [1, true],
      [1, true],
    ],
  );
  const placed = engine.agents.filter(({ call }) => call !== null);
  t.ok(placed.every(({ options }) => registering().includes(options.over as Agent) && options.registrarUri === null));
  t.equal(new Set(placed.map(({ options }) => options.contactUser)).size, 20, 'each call has a user agent of its own');
  t.same(world.states(), ['READY', 'DONE']);
});

t.test('one that cannot register places none, and the others have its calls', async (t) => {
  const world = await callers(load({ steps: [{ seconds: endless, callsPerSecond: 10 }], calls: 9 }, { callsEach: 3 }));
  register(world, (i) => i !== 1);
  world.share.start(1000);
  live(world, 4000);
  const failed = world.outcomes().filter(({ outcome }) => outcome !== 'SUCCESS');
  t.match(failed, [{ endpoint: 1, outcome: 'REGISTRATION_FAILED', cause: 'REGISTRATION_DENIED', attempted: false }]);
  const [planned, started, none] = sums(world);
  t.same([planned, started, none], [9, 6, 3]);
  t.same(world.states(), ['READY', 'DONE']);
});

t.test(
  'nobody can register: what was to be called is counted, and a load that holds calls up ends at once',
  async (t) => {
    const held = { shape: 'HOLD', steps: [{ seconds: endless, callsPerSecond: 10 }], calls: 9 } as const;
    const world = await callers(load(held, { callsEach: 3 }));
    register(world, () => false);
    world.share.start(1000);
    live(world, 1100);
    t.same(sums(world), [9, 0, 9]);
    t.equal(world.outcomes().length, ENDPOINTS);
    t.same(world.states(), ['READY', 'DONE']);
  },
);

t.test('a registration that lapses: its call goes on, and it has no more', async (t) => {
  const world = await callers(load({}), 300);
  register(world, () => true);
  world.share.start(1000);
  live(world, 1250);
  const [, second] = registering();
  second?.registration?.onRegistrationFailed(failure('TIMEOUT'));
  t.equal(second?.unregistered, 0, 'its call is up');
  live(world, 4500);
  t.equal(second?.unregistered, 1);
  const own = world.outcomes().filter(({ endpoint }) => endpoint % ENDPOINTS === 1);
  t.match(own, [{ endpoint: 1, outcome: 'SUCCESS' }]);
  t.equal(own.length, 1);
  const [planned = 0, started = 0, none = 0] = sums(world);
  t.equal(planned, 20);
  t.equal(started + none, planned);
  t.ok(none > 0);
  t.match(registrationsOf(world).find(({ endpoint }) => endpoint === 1)?.refreshes, { lapsed: 1 });
});

t.test('a stop hangs up and un-registers, and an endpoint without a call is told of', async (t) => {
  for (const media of [ALONE, {}]) {
    const world = await callers(load({ steps: [{ seconds: 100, callsPerSecond: 1 }] }), 60_000, media);
    register(world, () => true);
    world.share.start(1000);
    live(world, 2700);
    world.share.stop('enough');
    live(world, 2800);
    t.same(
      world
        .outcomes()
        .map(({ endpoint, attempted }) => [endpoint, attempted])
        .sort(),
      [
        [0, true],
        [1, true],
        [2, false],
      ],
    );
    t.ok(registering().every(({ unregistered }) => unregistered === 1));
    t.same(world.states(), ['READY', 'DONE']);
  }
});

t.test(
  'a policy that comes to forbid the registrar: nothing is placed over it any more, and each endpoint says why',
  async (t) => {
    const world = await callers(load({ steps: [{ seconds: 100, callsPerSecond: 1 }] }), 60_000);
    register(world, () => true);
    world.share.start(1000);
    live(world, 1500);
    const policy = await readPolicy(null);
    world.share.obey({ ...policy, targetDomains: ['elsewhere.example'] }, engine.nowMs);
    live(world, 1600);
    t.same(
      world
        .outcomes()
        .map(({ endpoint, attempted, cause }) => [endpoint, attempted, cause])
        .sort(),
      [0, 1, 2].map((number) => [number, number === 0, 'TARGET_NOT_ALLOWED']),
    );
    t.ok(registering().every(({ unregistered }) => unregistered === 1));
    live(world, 102_000);
    t.same(world.states(), ['READY', 'DONE']);
  },
);

t.test('a registrar that does not answer is not waited for after a stop', async (t) => {
  const world = await callers(load({}));
  register(world, () => true);
  for (const one of registering()) one.unregister = () => undefined;
  world.share.start(1000);
  live(world, 1500);
  world.share.stop('enough');
  live(world, 5000);
  t.same(world.states(), ['READY']);
  live(world, 6000);
  t.same(world.states(), ['READY', 'DONE']);
  t.equal(registrationsOf(world).length, ENDPOINTS);
});

const sums = (world: World): number[] =>
  world
    .noise()
    .reduce(
      ([planned = 0, started = 0, none = 0], x) => [planned + x.planned, started + x.started, none + x.noFreeEndpoint],
      [0, 0, 0],
    );

/** A peer calls a registered endpoint; how it is answered, and how the call continues. */
function call(line: Agent): { log: string[]; events: CallEvents | null; of: string } {
  const taker = (line.options.owner.taker?.() ?? line) as Agent;
  const coming = incoming('');
  const events = taker.options.owner.onIncomingCall(coming);
  return { log: coming.log, events, of: taker.options.contactUser };
}

const callees = (callsEach: number, register = true, more = {}) =>
  open(
    plan(
      { role: 'CALLEE', endpoints: endpoints.slice(0, 1), receives: { callsEach, runEndpoints: ENDPOINTS }, ...more },
      { register, takesAnyCall: true, ...ALONE },
    ),
  );

/** The first endpoint takes two calls, which their callers end. */
function takeTwoCalls(world: Awaited<ReturnType<typeof callees>>): void {
  const [line] = engine.agents as [Agent];
  for (const _ of [1, 2]) {
    const { events } = call(line);
    events?.onAnswered(engine.nowMs, 200, 'OK', '');
    events?.onEnded('REMOTE', engine.nowMs, engine.nowMs);
    world.go(engine.nowMs + 1);
  }
}

t.test('a callee takes call after call, one at a time, each with a row of its own', async (t) => {
  const world = await callees(endless);
  world.go(1);
  registering()[0]?.registration?.onRegistered(engine.nowMs, 300);
  world.share.start(10);
  world.go(20);
  const [line] = registering() as [Agent];
  t.equal(world.share.takeAnyCall(), line, 'a call to any number is the endpoint’s');
  for (const k of [0, 1, 2]) {
    t.equal(line.options.owner.isBusy?.(), false);
    const { log, events, of } = call(line);
    t.same([log, of], [['ring', 'answer without media'], `e0-${k}`]);
    events?.onAnswered(engine.nowMs, 200, 'OK', '');
    t.equal(line.options.owner.isBusy?.(), true);
    t.equal(world.share.takeAnyCall(), null);
    t.same(call(line).log, ['reject 486'], 'one at a time');
    world.go(engine.nowMs + 10);
    events?.onEnded('REMOTE', engine.nowMs, engine.nowMs);
  }
  world.share.finish();
  world.go(engine.nowMs + 10);
  t.same(
    world.outcomes().map(({ endpoint, outcome, attempted }) => [endpoint, outcome, attempted]),
    [0, 1, 2].map((k) => [k * ENDPOINTS, 'SUCCESS', true]),
  );
  t.equal(line.unregistered, 1);
  t.equal(registrationsOf(world).length, 1);
  t.same(world.states(), ['READY', 'DONE']);
  t.ok(engine.agents.every(({ closed }) => closed));
});

t.test('an endpoint whose next call would have no number of 31 bits is done', async (t) => {
  const far = { callsEach: endless, runEndpoints: 2 ** 30 };
  const calling = await callers(load({ steps: [{ seconds: 60, callsPerSecond: 10 }], calls: 20 }, far));
  register(calling, () => true);
  calling.share.start(engine.nowMs);
  live(calling, 20_000);
  t.same(
    calling
      .outcomes()
      .map(({ endpoint }) => endpoint)
      .sort((a, b) => a - b),
    [0, 1, 2].flatMap((i) => [i, i + 2 ** 30]).sort((a, b) => a - b),
  );
  const world = await callees(endless, false, { receives: far });
  world.share.start(10);
  world.go(20);
  takeTwoCalls(world);
  t.same(
    world.outcomes().map(({ endpoint }) => endpoint),
    [0, 2 ** 30],
  );
  t.same(world.states(), ['READY', 'DONE']);
});

t.test('so many calls, and the endpoint is done', async (t) => {
  const world = await callees(2, false);
  world.share.start(10);
  world.go(20);
  takeTwoCalls(world);
  t.same(world.states(), ['READY', 'DONE'], 'without a registration there is nothing to wait for');
  t.equal(world.outcomes().length, 2);
});

t.test('nobody calls: one row says so, by the end of its time or of the callers', async (t) => {
  for (const ends of ['window', 'finish', 'stop'] as const) {
    const world = await callees(endless, false, { receiveWindowMs: 500 });
    world.share.start(10);
    world.go(20);
    if (ends === 'finish') world.share.finish();
    if (ends === 'stop') world.share.stop('enough');
    world.go(600);
    t.match(world.outcomes(), [{ endpoint: 0, cause: ends === 'stop' ? 'STOPPED' : 'NO_CALL_RECEIVED' }]);
    t.equal(world.outcomes().length, 1);
    t.same(world.states(), ['READY', 'DONE']);
  }
});

t.test('a call that is up when its time ends goes on', async (t) => {
  const world = await callees(endless, false, { receiveWindowMs: 500 });
  world.share.start(10);
  world.go(400);
  const [line] = engine.agents as [Agent];
  const { events } = call(line);
  events?.onAnswered(engine.nowMs, 200, 'OK', '');
  world.go(700);
  t.same(world.states(), ['READY']);
  events?.onEnded('REMOTE', engine.nowMs, engine.nowMs);
  world.go(710);
  t.match(world.outcomes(), [{ endpoint: 0, outcome: 'SUCCESS' }]);
  t.same(world.states(), ['READY', 'DONE']);
});
