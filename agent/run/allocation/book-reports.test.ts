/** What the book collects between two batches: by allocation, once, and nothing of what is unknown or may not be kept. */
import t from 'tap';
import { traceHeader, traceStream } from '../../rtp/figures/header-trace.ts';
import { ACTIVE, CLOSED, createMediaMemory, type MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { AUDIO, sharePlan } from '../../testing/run/pair.ts';
import { phaseIndex } from '../phases.ts';
import type { OutcomeFact, ShareFacts } from '../report/facts.ts';
import { FactsBuffer } from '../report/facts-buffer.ts';
import { BookReports } from './book-reports.ts';
import type { HeldAllocation } from './held-allocation.ts';

const held = (owner: number): HeldAllocation =>
  ({ id: `a${owner}`, owner, withheld: null }) as unknown as HeldAllocation;
const PLAN = sharePlan('CALLER', { tracks: [AUDIO] });

function opened(memories: readonly MediaMemory[] = [], owners: readonly number[] = [1, 2]) {
  const all = new Map(owners.map((owner) => [owner, held(owner)]));
  const mayKeep = { messages: true, bodies: true, rtpHeaders: true };
  const outcomes: number[] = [];
  const streams: number[] = [];
  const warned: object[] = [];
  const reports = new BookReports({
    memories,
    openOpus: null,
    events: {
      onOutcome: ({ endpoint }) => outcomes.push(endpoint),
      onSip: () => undefined,
      onSamples: () => undefined,
      onStream: ({ endpointNumber }) => streams.push(endpointNumber),
    },
    heldBy: (owner) => all.get(owner),
    mayKeep: () => mayKeep as never,
    log: { warn: (fields: object) => warned.push(fields) } as never,
  });
  return { reports, of: (owner: number) => all.get(owner) as HeldAllocation, mayKeep, outcomes, streams, warned };
}

/** One phase of an endpoint, and its outcome with so many streams. */
function factsOf(owner: number, endpoint: number, streams: number): ShareFacts {
  const buffer = new FactsBuffer(owner);
  buffer.phase(endpoint, 'CALLING', 1);
  buffer.phase(endpoint, 'CLOSED', 2);
  const evidence = { streams, talkMs: 0, q850: null, transfer: null } as unknown as OutcomeFact['evidence'];
  buffer.outcome({ endpoint, outcome: 'SUCCESS', cause: null, findings: [], evidence } as unknown as OutcomeFact);
  return buffer.take(2) as ShareFacts;
}

/** A stream that has begun; the row is free. */
function begins({ streams, received }: MediaMemory, row: number, owner: number): void {
  streams.owner[row] = owner;
  streams.endpointNumber[row] = row;
  streams.generation[row]! += 1;
  streams.startedAtMs[row] = 1000;
  streams.packetMs[row] = 20;
  received.unitsPerMs[row] = 8;
  Atomics.store(streams.state, row, ACTIVE);
}
function ends({ streams }: MediaMemory, row: number): void {
  streams.closedAtMs[row] = 2000;
  Atomics.store(streams.state, row, CLOSED);
}

t.test('one collection for each allocation, which is another after it was taken', async (t) => {
  const { reports, of } = opened();
  const first = reports.of(of(1));
  t.equal(reports.of(of(1)), first);
  t.not(reports.of(of(2)), first);
  t.same(
    reports.take().map(({ id }) => id),
    ['a1', 'a2'],
  );
  t.same(reports.take(), []);
  t.not(reports.of(of(1)), first);
});

t.test('an outcome waits for as many records as its call had streams', async (t) => {
  for (const count of [0, 1, 2]) {
    const memory = createMediaMemory(2);
    const { reports, of, outcomes } = opened([memory]);
    for (let row = 0; row < count; row++) {
      begins(memory, row, 1);
      memory.streams.endpointNumber[row] = 0;
    }
    reports.add(of(1), factsOf(1, 0, count), PLAN);
    for (let row = 0; row < count; row++) {
      t.same(outcomes, [], `${row} of ${count} records`);
      ends(memory, row);
      reports.settle();
    }
    t.same(outcomes, [0], `${count} streams`);
    const [pending] = reports.take();
    t.match(pending?.closed, [{ outcome: { endpoint: 0 }, closedAtMs: 2 }]);
    t.notOk(pending?.facts[0]?.phases.phase.includes(phaseIndex('CLOSED')), 'closed with its outcome, not before');
  }
});

t.test('without a plan facts stay as they are', async (t) => {
  const { reports, of, outcomes } = opened();
  const facts = factsOf(1, 0, 1);
  reports.add(of(1), facts, undefined);
  t.equal(reports.take()[0]?.facts[0], facts);
  t.same(outcomes, []);
});

t.test('streams are read early only while an outcome waits for them', async (t) => {
  const memory = createMediaMemory(2);
  const { reports, of, streams } = opened([memory]);
  begins(memory, 0, 1);
  ends(memory, 0);
  reports.settle();
  t.same(streams, []);
  reports.add(of(1), factsOf(1, 1, 1), PLAN);
  reports.settle();
  t.same(streams, [0]);
});

t.test('an allocation is closed once none of its streams is left, whatever others have', async (t) => {
  const memory = createMediaMemory(3);
  const { reports, of, outcomes } = opened([createMediaMemory(1), memory]);
  begins(memory, 0, 1);
  begins(memory, 1, 2);
  reports.add(of(1), factsOf(1, 0, 2), PLAN);
  t.equal(reports.close(of(1)), false);
  ends(memory, 0);
  reports.sample(2000);
  t.same(outcomes, [], 'a record is missing');
  t.equal(reports.close(of(1)), true);
  t.same(outcomes, [0], 'and will not come');
});

t.test('a stream of nobody is told of, and collected for nobody', async (t) => {
  const memory = createMediaMemory(1);
  const { reports, streams } = opened([memory]);
  begins(memory, 0, 9);
  ends(memory, 0);
  reports.sample(2000);
  t.same(streams, [0]);
  t.same(reports.take(), []);
});

t.test('a forgotten one leaves nothing', async (t) => {
  const { reports, of, outcomes } = opened();
  reports.add(of(1), factsOf(1, 0, 1), PLAN);
  reports.forget(of(1));
  t.same(reports.take(), []);
  t.equal(reports.close(of(1)), true);
  t.same(outcomes, []);
});

t.test('headers that came too fast are counted in the log', async (t) => {
  const memory = createMediaMemory(1);
  const { reports, of, warned } = opened([memory]);
  begins(memory, 0, 1);
  traceStream(memory.headers, 0, '127.0.0.1', 10_000);
  const kept = 8192;
  for (let i = 0; i < kept + 5; i++)
    traceHeader(memory.headers, memory.streams, 0, {
      ...{ sent: true, atMs: 0, header: new Uint8Array(12), packetBytes: 172 },
    });
  reports.sample(1500);
  reports.sample(1600);
  t.same(warned, [{ missed: 5 }]);
  t.equal(reports.of(of(1)).headers.length, kept);
});

t.test('what was gathered, by its urgency', async (t) => {
  const { reports, of } = opened();
  t.equal(reports.gathered, 'NOTHING');
  reports.add(of(1), factsOf(1, 0, 0), undefined);
  t.equal(reports.gathered, 'FACTS');
  reports.of(of(2)).state = 'READY';
  t.equal(reports.gathered, 'URGENT');
  reports.of(of(1)).state = 'DONE';
  t.equal(reports.gathered, 'END', 'an end before all others');
  reports.of(of(1)).state = null;
  reports.of(of(2)).state = 'DONE';
  t.equal(reports.gathered, 'END');
});
