/** The agent's allocations on its main thread: what is reported, and when one has ended. */
import { wire } from '@carillon/proto';
import { loadClock } from '@carillon/proto/load/load-clock.ts';
import type { LoadPart } from '@carillon/proto/load/load-part.ts';
import t from 'tap';
import { until } from '../../../scripts/peers/process.ts';
import fc from '../../../scripts/test-run/properties.ts';
import { nowMs } from '../../clock.ts';
import { reachPredicate } from '../../policy/judge.ts';
import { readPolicy } from '../../policy/policy.ts';
import { abilitiesOf } from '../../rtp/abilities.ts';
import { traceHeader, traceStream } from '../../rtp/figures/header-trace.ts';
import { ACTIVE, CLOSED, createMediaMemory, FREE, type MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { indexOf } from '../phases.ts';
import type { OutcomeFact, ReportedState, ShareFacts } from '../report/facts.ts';
import type { SignallingThread } from '../threads/signalling-host.ts';
import type { ToSignalling } from '../threads/thread-messages.ts';
import { Book } from './book.ts';
import type { MediaHolder } from './held-allocation.ts';

const PATIENCE_MS = 60_000;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never;
const policy = await readPolicy(null);
const { Allocation, Role } = wire.agent.v1;

/** A book over signalling threads that only record their orders. */
function openBook(
  listeners: number,
  library?: MediaHolder,
  owner = { policy },
  memories: readonly MediaMemory[] = [],
  onOutcome: (outcome: OutcomeFact) => void = () => undefined,
) {
  const told: ToSignalling[][] = Array.from({ length: listeners }, () => []);
  const threads = told.map((log): SignallingThread => ({ tell: (m: ToSignalling) => log.push(m) }) as never);
  const limits = () => ({
    policy: owner.policy,
    mayReach: reachPredicate(owner.policy),
    room: 1000,
    streamRoom: 1000,
    abilities: abilitiesOf({ fingerprint: null }),
  });
  const none = () => undefined;
  const book = new Book({
    threads,
    memories,
    limits,
    log: quiet,
    events: { onOutcome, onSip: none, onSamples: none, onStream: none },
    library,
  });
  return { book, told, words: (listener: number) => told[listener]?.map((m) => m.op) };
}

const allocation = (endpoints: number, listeners: number, more: object = {}) => {
  const each = <T>(value: (i: number) => T) => Array.from({ length: endpoints }, (_, i) => value(i));
  const columns = {
    number: each((i) => i),
    listener: each((i) => i % listeners),
    registerAtMs: each(() => 0),
    callAtMs: each((i) => i * 100),
    user: each((i) => `e${i}`),
    accountUser: each(() => ''),
    accountPassword: each(() => ''),
    targetUri: each(() => 'sip:9@127.0.0.1:5070'),
  };
  const words = { role: Role.CALLER, callDurationMs: 5000, group: { audioCodecs: ['PCMU'] }, endpoints: columns };
  return Allocation.decode(Allocation.encode({ ...words, ...more }).finish()) as wire.agent.v1.Allocation;
};

const stateFacts = (owner: number, state: ReportedState): ShareFacts => ({
  owner,
  phases: { endpoint: [], phase: [], atMs: [] },
  progress: { endpoint: [], phase: [], atMs: [] },
  outcomes: [],
  registrations: [],
  sipCounts: [],
  messages: [],
  withheldMessages: [],
  actions: { endpoint: [], failed: [], detail: [], atMs: [] },
  withheldActions: { endpoint: [], failed: [], detail: [], atMs: [] },
  breaches: [],
  strangers: [],
  tally: null,
  startNoise: null,
  state,
  reasonCode: 'CODE',
  reason: 'why',
});

t.test('ready when all listeners are, done after all are, held until that is committed', async (t) => {
  const { book, words } = openBook(2);
  await book.allocate('a', 'run', allocation(4, 2));
  t.same([words(0), words(1)], [['allocate'], ['allocate']]);
  book.onFacts(0, stateFacts(1, 'READY'));
  t.equal(book.take()[0]?.state, null);
  book.onFacts(1, stateFacts(1, 'READY'));
  t.equal(book.take()[0]?.state, 'READY');
  book.left(4);
  book.committed(4);
  t.same(book.held, ['a']);
  book.onFacts(0, stateFacts(1, 'DONE'));
  book.onFacts(1, stateFacts(1, 'DONE'));
  book.sample(0);
  t.equal(book.take()[0]?.state, 'DONE');
  book.left(9);
  book.left(10);
  book.committed(8);
  t.same(book.held, ['a'], 'its last facts went in more than one batch');
  book.committed(9);
  t.same(book.held, []);
});

t.test('what is stopped before it is taken holds no media', async (t) => {
  const held = new Set<string>();
  const gate = Promise.withResolvers<void>();
  const library: MediaHolder = {
    async hold(id) {
      held.add(id);
      await gate.promise;
      throw new Error('gone');
    },
    release: (id) => held.delete(id),
    h264: () => null,
  };
  const { book } = openBook(1, library);
  const resolving = book.allocate('a', 'run', allocation(1, 1));
  book.stop(['a'], 'enough');
  await resolving;
  t.equal(held.size, 0, 'while its hosts are resolved');
  const loading = book.allocate('b', 'run', allocation(1, 1));
  await until('it is held', () => held.has('b'), PATIENCE_MS, 1);
  book.stop(['b'], 'enough');
  held.add('b');
  gate.resolve();
  await loading;
  t.equal(held.size, 0, 'while its media are loaded');
});

t.test('a policy that comes while media are loaded is asked again', async (t) => {
  const gate = Promise.withResolvers<void>();
  const held = new Set<string>();
  const library: MediaHolder = {
    hold: (id) => {
      held.add(id);
      return gate.promise;
    },
    release: (id) => held.delete(id),
    h264: () => null,
  };
  const owner = { policy };
  const { book, words } = openBook(1, library, owner);
  const taken = [1, 2].map((n) => book.allocate(`${n}`, 'run', allocation(n, 1)));
  await until('both are held', () => held.size === 2, PATIENCE_MS, 1);
  owner.policy = { ...policy, targetNetworks: ['192.0.2.0/24'] };
  gate.resolve();
  await Promise.all(taken);
  t.match(book.take(), [
    { state: 'REFUSED', reasonCode: 'TARGET_NOT_ALLOWED' },
    { state: 'REFUSED', reasonCode: 'TARGET_NOT_ALLOWED' },
  ]);
  t.same([words(0), held.size, book.endpoints], [[], 0, 0]);
  owner.policy = { ...policy, maxCallsPerSecond: 12 };
  await book.allocate('3', 'run', allocation(11, 1));
  t.same(words(0), ['allocate'], 'its own calls, endpoints and streams are not counted against it');
});

t.test('headers of RTP stay here once the owner does not let them leave', async (t) => {
  const memory = createMediaMemory(2);
  const owner = { policy };
  const { book } = openBook(1, undefined, owner, [memory]);
  await book.allocate('a', 'run', allocation(1, 1));
  memory.streams.owner[0] = 1;
  traceStream(memory.headers, 0, '127.0.0.1', 10);
  const packet = () => traceHeader(memory.headers, memory.streams, 0, true, 0, new Uint8Array(172), 0, 12, 172);
  packet();
  book.sample(0);
  t.equal(book.take()[0]?.headers.length, 1);
  packet();
  owner.policy = { ...policy, mayKeep: { ...policy.mayKeep, rtpHeaders: false } };
  book.sample(1000);
  t.same(book.take(), []);
});

t.test('one listener that refuses stops the shares of the others', async (t) => {
  const { book, words } = openBook(3);
  await book.allocate('a', 'run', allocation(6, 3));
  book.onFacts(1, stateFacts(1, 'REFUSED'));
  t.same(
    [words(0), words(2)],
    [
      ['allocate', 'stop'],
      ['allocate', 'stop'],
    ],
  );
  t.match(book.take(), [{ state: 'REFUSED', reasonCode: 'CODE', reason: 'why' }]);
});

t.test('calls in a second: all open allocations together, as long as their calls are to come', async (t) => {
  const { book } = openBook(1);
  const state = (id: string) => book.take().find((p) => p.id === id)?.state ?? null;
  const thirty = () => {
    const a = allocation(30, 1);
    a.endpoints?.callAtMs?.fill(0);
    return a;
  };
  await book.allocate('a', 'run', thirty());
  await book.allocate('b', 'run', thirty());
  t.equal(state('b'), 'REFUSED', '60 in a second, of one run');
  await book.allocate('c', 'other', thirty());
  t.equal(state('c'), 'REFUSED', 'of two runs that may start together');
  book.start(['a'], nowMs() + 60_000);
  await book.allocate('d', 'other', thirty());
  t.equal(state('d'), 'REFUSED');
  book.start(['a'], nowMs() - 10);
  await book.allocate('e', 'other', thirty());
  t.equal(state('e'), null, 'those of the first have begun');
});

t.test('an allocation occupies what of it is at work at once, by its own timetable at least', async (t) => {
  const { book } = openBook(1);
  const apart = (atOnce: number) => {
    const a = allocation(30, 1, { atOnce, callDurationMs: 1000 });
    const callAtMs = a.endpoints?.callAtMs ?? [];
    for (const i of callAtMs.keys()) callAtMs[i] = i * 500;
    return a;
  };
  const held: [string, number, number][] = [
    ['as was said', 7, 7],
    ['no fewer than there are', 1, 2],
    ['no more than its endpoints', 99, 30],
    ['not said: all', 0, 30],
  ];
  for (const [what, atOnce, expected] of held) {
    const before = book.endpoints;
    await book.allocate(what, what, apart(atOnce));
    t.same([book.endpoints - before, book.streams], [expected, book.endpoints], what);
    book.take();
  }
});

t.test('a load is divided among the threads: together they have its part, to the call', async (t) => {
  const load = {
    shape: 'EVEN',
    steps: [{ seconds: 0, callsPerSecond: 30 }],
    calls: 90,
    partFrom: 10,
    partUntil: 24,
    parts: 30,
    runEndpoints: 15,
    callsEach: 2,
  };
  const { book, told } = openBook(3);
  await book.allocate('a', 'run', allocation(7, 3, { load }));
  const plans = told.flat().flatMap((m) => (m.op === 'allocate' ? [m.plan] : []));
  const instants = (part: LoadPart): number[] => {
    const clock = loadClock(
      { ...load, shape: 'EVEN', steps: [{ seconds: 9, callsPerSecond: 30 }], seed: 0 },
      part,
      () => 0,
    );
    const all: number[] = [];
    for (; clock.nextMs < Number.POSITIVE_INFINITY; clock.take(clock.nextMs)) all.push(clock.nextMs);
    return all;
  };
  t.same(
    plans.flatMap((plan) => instants(plan.load?.part as LoadPart)).sort((a, b) => a - b),
    instants({ from: 10, until: 24, of: 30 }),
  );
  t.same(
    plans.map(({ load, endpoints }) => [
      (load?.part.until ?? 0) - (load?.part.from ?? 0),
      load?.callsEach,
      endpoints.length,
    ]),
    [
      [6, 2, 3],
      [4, 2, 2],
      [4, 2, 2],
    ],
  );
});

t.test('a load that cannot be, or that this agent cannot do, is refused by name', async (t) => {
  const sound = {
    shape: 'EVEN',
    steps: [{ callsPerSecond: 30 }],
    calls: 90,
    partUntil: 4,
    parts: 4,
    runEndpoints: 4,
  };
  const refusals: [object, string, RegExp][] = [
    [{ load: { ...sound, shape: 'WAVE' } }, 'LOAD', /does not know the load "WAVE"/],
    [{ load: sound, group: { audioCodecs: ['PCMU'], mode: 'OPTIONS' } }, 'LOAD', /loads of calls only/],
    [{ load: { callsEach: 2, runEndpoints: 3 }, role: Role.CALLEE }, 'MALFORMED', /4 endpoints of 3/],
    [{ load: { ...sound, partUntil: 5 } }, 'MALFORMED', /part 0 to 5 of 4 for 4 endpoints/],
    [{ load: { ...sound, partUntil: 3 } }, 'MALFORMED', /part 0 to 3 of 4 for 4 endpoints/],
    [{ load: { ...sound, runEndpoints: 3 } }, 'MALFORMED', /4 endpoints of 3/],
    [{ load: { ...sound, steps: [] } }, 'MALFORMED', /0 steps/],
    [{ load: { ...sound, steps: [{ callsPerSecond: -1 }] } }, 'MALFORMED', /one without a rate/],
    [
      { load: { ...sound, steps: [{ callsPerSecond: 51 }] } },
      'POLICY',
      /51 calls in a second, and this host allows 50/,
    ],
  ];
  for (const [i, [more, code, reason]] of refusals.entries()) {
    const { book } = openBook(1);
    await book.allocate(`a${i}`, 'run', allocation(4, 1, more));
    t.match(book.take(), [{ state: 'REFUSED', reasonCode: code, reason }]);
  }
});

t.test('calls in a second: what loads begin counts, of other runs too', async (t) => {
  const of = (callsPerSecond: number) => ({
    load: { shape: 'EVEN', steps: [{ callsPerSecond }], partUntil: 5, parts: 10, runEndpoints: 10 },
  });
  const { book } = openBook(1);
  await book.allocate('a', 'run', allocation(5, 1, of(60)));
  t.equal(book.take().length, 0, 'half of sixty');
  await book.allocate('b', 'other', allocation(5, 1, of(60)));
  t.match(book.take(), [{ state: 'REFUSED', reason: /^60 calls in a second/ }]);
  await book.allocate('c', 'other', allocation(5, 1, of(40)));
  t.equal(book.take().length, 0);
});

t.test('streams are counted beside endpoints, as long as an allocation is open', async (t) => {
  const { book } = openBook(1);
  await book.allocate('a', 'run', allocation(10, 1));
  await book.allocate('b', 'run', allocation(5, 1, { group: { audioCodecs: ['PCMU'], videoCodecs: ['H264'] } }));
  t.same([book.endpoints, book.streams], [15, 20]);
  book.onFacts(0, stateFacts(2, 'REFUSED'));
  t.same([book.endpoints, book.streams], [10, 10]);
});

t.test('threads that have each seen too little open the breaker together', async (t) => {
  const { book, told } = openBook(2);
  const breaker = { failurePercent: 50, minCalls: 20, blockedCalls: 10 };
  await book.allocate('a', 'run', allocation(40, 2, { breaker }));
  const owner = 1;
  const tally = (calls: number, failures: number, blocked = 0) => ({ atMs: 1000, calls, failures, blocked });
  const facts = (thread: number, one: ShareFacts['tally']): ShareFacts => {
    const said = { ...stateFacts(owner, 'READY'), state: null, breaches: [], tally: one };
    book.onFacts(thread, said);
    return said;
  };
  facts(0, tally(10, 4));
  t.same(
    told.flat().filter(({ op }) => op === 'breakOff'),
    [],
  );
  const said = facts(1, tally(10, 6));
  t.match(said.breaches, [{ reason: '10 of 20 calls of the last 10 s failed', untilMs: Number.POSITIVE_INFINITY }]);
  t.equal(told.flat().filter(({ op }) => op === 'breakOff').length, 2, 'both are told');
  facts(0, tally(10, 10));
  t.equal(told.flat().filter(({ op }) => op === 'breakOff').length, 2, 'once');
});

const CALLS = 6;

/** What a thread reports of ended calls; `streams`: how many records of each will follow. */
const ends = (owner: number, endpoints: readonly number[], streams: number): ShareFacts => ({
  ...stateFacts(owner, 'DONE'),
  state: null,
  phases: {
    endpoint: [...endpoints],
    phase: endpoints.map(() => indexOf('CLOSED')),
    atMs: endpoints.map((n) => 100 + n),
  },
  outcomes: endpoints.map(
    (endpoint) =>
      ({
        ...{ endpoint, outcome: 'SUCCESS', cause: null, findings: [], timeToFirstMediaMs: 10, awaitedMs: Number.NaN },
        evidence: {
          ...{ talkMs: 5000, endedBy: 'LOCAL', unansweredBye: '', byeStatus: 200, sentAgain: 0, cameAgain: 0 },
          ...{ unacknowledged: 0, peerAddress: '127.0.0.1', streams },
        },
      }) as unknown as OutcomeFact,
  ),
});

/** The row of an endpoint's stream, to which media were owed for 2^n ms; none were missing. */
function fill(memory: MediaMemory, owner: number, n: number): void {
  const { streams, received } = memory;
  streams.owner[n] = owner;
  streams.endpointNumber[n] = n;
  streams.generation[n]! += 1;
  streams.startedAtMs[n] = 1000;
  streams.packetMs[n] = 20;
  received.unitsPerMs[n] = 8;
  received.awaitedBeforeMs[n] = 2 ** n;
  Atomics.store(streams.state, n, ACTIVE);
}

t.test(
  'whatever comes first, ends or last figures: each outcome is told once, and DONE after all of them',
  async (t) => {
    const memory = createMediaMemory(CALLS);
    const { state, closedAtMs } = memory.streams;
    type Step = { readonly closes?: number; readonly ends?: number; readonly does?: 'sample' | 'settle' | 'take' };
    const events: Step[] = Array.from({ length: CALLS }, (_, n) => [{ closes: n }, { ends: n }]).flat();
    const reads = fc.array(fc.constantFrom<Step>({ does: 'sample' }, { does: 'settle' }, { does: 'take' }), {
      maxLength: 12,
    });
    const order = reads.chain((more) => {
      const all = [...events, ...more];
      return fc.shuffledSubarray(all, { minLength: all.length });
    });
    let settledEarly = 0;
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), async (steps, hasLostARecord) => {
        const outcomes: OutcomeFact[] = [];
        const { book } = openBook(2, undefined, { policy }, [memory], (outcome) => outcomes.push(outcome));
        await book.allocate('a', 'run', allocation(CALLS, 2));
        for (let n = 0; n < CALLS; n++) fill(memory, 1, n);
        const told: number[] = [];
        let state1: ReportedState | null = null;
        const take = (): void => {
          for (const { closed, state } of book.take()) {
            told.push(...closed.map(({ outcome }) => outcome.endpoint));
            if (state !== null) {
              state1 = state;
              if (state === 'DONE' && told.length < CALLS) throw new Error(`DONE after ${told.length} of ${CALLS}`);
            }
          }
        };
        const open = [new Set([0, 2, 4]), new Set([1, 3, 5])];
        for (const { closes, ends: ended, does } of steps) {
          if (closes !== undefined) {
            closedAtMs[closes] = 2000;
            Atomics.store(state, closes, CLOSED);
          }
          if (ended !== undefined) {
            const listener = ended % 2;
            book.onFacts(listener, ends(1, [ended], hasLostARecord ? 2 : 1));
            open[listener]?.delete(ended);
            if (open[listener]?.size === 0) book.onFacts(listener, stateFacts(1, 'DONE'));
          }
          if (does === 'sample') book.sample(2000);
          if (does === 'settle') book.settle();
          if (does === 'take') take();
        }
        settledEarly += outcomes.length;
        book.sample(2100);
        take();
        if (state1 !== 'DONE') throw new Error('never done');
        const all = Array.from({ length: CALLS }, (_, n) => n);
        if (told.toSorted().join() !== all.join()) throw new Error(`told of ${told}`);
        if (
          outcomes
            .map((o) => o.endpoint)
            .toSorted()
            .join() !== all.join()
        )
          throw new Error('counted otherwise');
        for (const { endpoint, awaitedMs } of outcomes)
          if (awaitedMs !== 2 ** endpoint) throw new Error(`${endpoint} without its record: ${awaitedMs}`);
        for (const row of all) if (state[row] !== FREE) throw new Error('a row is kept');
        book.sample(2200);
        if (book.take().length > 0) throw new Error('told of after its end');
        book.left(1);
        book.committed(1);
        if (book.held.length > 0) throw new Error('held after its last batch was committed');
      }),
      { numRuns: 200 },
    );
    t.ok(settledEarly > 100, `${settledEarly} outcomes did not wait for the end of the allocation`);
  },
);

t.test('an end whose record never comes is told when its allocation ends', async (t) => {
  const told: OutcomeFact[] = [];
  const { book } = openBook(1, undefined, { policy }, [createMediaMemory(2)], (outcome) => told.push(outcome));
  await book.allocate('a', 'run', allocation(2, 1));
  book.onFacts(0, ends(1, [0], 0));
  book.onFacts(0, ends(1, [1], 1));
  t.same(
    told.map((o) => o.endpoint),
    [0],
    'one without streams need not wait',
  );
  book.settle();
  book.sample(1000);
  t.equal(told.length, 1, 'its stream may be told of yet');
  book.onFacts(0, stateFacts(1, 'DONE'));
  t.equal(book.take()[0]?.state, null, 'not before the last figures are read');
  book.sample(2000);
  t.match(book.take(), [{ state: 'DONE', closed: [{ outcome: { endpoint: 1 }, closedAtMs: 101 }] }]);
  t.equal(told.length, 2);
});

t.test('an allocation that is not known any more: what is left of it is told to nobody', async (t) => {
  const memory = createMediaMemory(2);
  const told: OutcomeFact[] = [];
  const { book } = openBook(1, undefined, { policy }, [memory], (outcome) => told.push(outcome));
  await book.allocate('a', 'run', allocation(1, 1));
  fill(memory, 1, 0);
  book.onFacts(0, ends(1, [0], 1));
  book.onFacts(0, { ...stateFacts(1, 'REFUSED') });
  t.match(book.take(), [{ state: 'REFUSED' }]);
  book.forget(['a'], 'unknown');
  t.same(book.held, []);
  memory.streams.closedAtMs[0] = 2000;
  Atomics.store(memory.streams.state, 0, CLOSED);
  book.settle();
  book.sample(2000);
  t.same(book.take(), []);
  t.same(told, []);
  t.equal(memory.streams.state[0], FREE, 'the row is free for others');
  await book.allocate('b', 'run', allocation(1, 1));
  fill(memory, 2, 0);
  book.onFacts(0, ends(1, [0], 0));
  t.same([book.take(), told], [[], []], 'a thread that tells of it late');
  book.onFacts(0, ends(2, [0], 1));
  memory.streams.closedAtMs[0] = 3000;
  Atomics.store(memory.streams.state, 0, CLOSED);
  book.settle();
  t.match(book.take(), [{ id: 'b', closed: [{ owner: 2 }] }], 'the same number in another allocation');
});
