/** Outcomes in the agent's book: each once, when the last figures of its streams have been read. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { ACTIVE, CLOSED, createMediaMemory, FREE, type MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { allocation, openBook, policy, stateFacts } from '../../testing/run/open-book.ts';
import { phaseIndex } from '../phases.ts';
import type { OutcomeFact, ReportedState, ShareFacts } from '../report/facts.ts';

const CALLS = 6;

/** What a thread reports of ended calls; `streams`: how many records of each will follow. */
const ends = (owner: number, endpoints: readonly number[], streams: number): ShareFacts => ({
  ...stateFacts(owner, 'DONE'),
  state: null,
  phases: {
    endpoint: [...endpoints],
    phase: endpoints.map(() => phaseIndex('CLOSED')),
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
