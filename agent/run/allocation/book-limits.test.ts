/** What the agent's book takes on: loads of its threads, calls a second, endpoints and streams, the breaker. */
import { wire } from '@carillon/proto';
import { loadClock } from '@carillon/proto/load/load-clock.ts';
import type { LoadPart } from '@carillon/proto/load/load-part.ts';
import t from 'tap';
import { nowMs } from '../../clock.ts';
import { allocation, openBook, stateFacts } from '../../testing/run/open-book.ts';
import type { ShareFacts } from '../report/facts.ts';

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
    [{ load: { callsEach: 2, runEndpoints: 3 }, role: wire.agent.v1.Role.CALLEE }, 'MALFORMED', /4 endpoints of 3/],
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
