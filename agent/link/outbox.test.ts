/** Facts in the outbox: too many for one frame, refused permanently, or left by a process that was killed. */

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeFacts, encodeAgentFrame, MAX_FRAME_BYTES, wire } from '@carillon/proto';
import t from 'tap';
import { until } from '../../scripts/peers/process.ts';
import { bytesFrom, seeded } from '../../scripts/peers/seeded.ts';
import fc from '../../scripts/test-run/properties.ts';
import { Outbox, openOutbox } from './outbox.ts';
import { inParts, isThin, thin } from './parts.ts';
import { Quarantine } from './quarantine.ts';

type Facts = wire.agent.v1.Facts.$Properties;
type AllocationFacts = wire.agent.v1.AllocationFacts.$Properties;
const { DONE, REFUSED } = wire.agent.v1.AllocationState;

const id = (n: number): Uint8Array => new Uint8Array(16).fill(n);
const random = seeded(17);
const noise = (bytes: number): Uint8Array => bytesFrom(random, bytes);
const everything = (outbox: Outbox): wire.agent.v1.Facts[] => outbox.from(outbox.first, 1e6).map(decodeFacts);

/** The facts of each allocation that arrive, in the order of the batches. */
function arrived(parts: readonly wire.agent.v1.Facts[]) {
  const all = parts.flatMap((p) => p.allocations);
  return {
    outcomes: all.flatMap((a) => (a.outcomes ?? []).map((o) => o.endpoint)),
    messages: all.flatMap((a) => (a.messages ?? []).map((m) => m.endpoint)),
    blocks: all.flatMap((a) => (a.messageBlocks ?? []).map((m) => m.endpoint)),
    samples: all.flatMap((a) => a.samples?.endpoint ?? []),
    mos: all.flatMap((a) => a.samples?.mos ?? []),
    phases: all.flatMap((a) => a.phases?.endpoint ?? []),
    states: all.flatMap((a) => (a.state ? [a.state] : [])),
    noise: parts.flatMap((p) => p.noise).length,
  };
}

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-outbox-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const file = path.join(dir, 'outbox.json');
const isThere = () =>
  stat(file).then(
    () => true,
    () => false,
  );

t.test('what one frame cannot carry goes in several, states last', async (t) => {
  const outbox = new Outbox('o');
  const numbers = Array.from({ length: 40 }, (_, i) => i);
  outbox.append({
    allocations: [1, 2].map((n) => ({
      allocationId: id(n),
      baseUnixMs: n,
      outcomes: numbers.map((endpoint) => ({ endpoint, outcome: 'SUCCESS' })),
      messages: numbers.map((endpoint) => ({ endpoint, text: noise(100_000) })),
      messageBlocks: numbers.map((n) => ({ endpoint: [n, n], text: noise(100_000) })),
      samples: { endpoint: numbers, mos: numbers.map((i) => i / 8) },
      state: DONE,
    })),
    noise: [{ seconds: 1 }],
  });
  t.ok(outbox.depth > 5);
  t.equal(outbox.last, outbox.depth);
  for (const batch of outbox.from(1, 1000)) t.ok(encodeAgentFrame({ batch }).length < MAX_FRAME_BYTES);
  const parts = everything(outbox);
  const twice = [...numbers, ...numbers];
  t.same(arrived(parts), {
    outcomes: twice,
    messages: twice,
    blocks: twice.map((n) => [n, n]),
    samples: twice,
    mos: twice.map((i) => i / 8),
    phases: [],
    states: [DONE, DONE],
    noise: 1,
  });
  t.same(
    parts.at(-1)?.allocations.map((a) => [a.state, a.baseUnixMs]),
    [
      [DONE, 1],
      [DONE, 2],
    ],
  );
  t.ok(parts.every((p) => p.allocations.every((a) => a.allocationId?.length === 16)));
  t.equal(outbox.counters.thinned, 0);
});

t.test('headers of RTP are divided like all else, and go first where there is no room', (t) => {
  const numbers = Array.from({ length: 40 }, (_, i) => i);
  const allocation: AllocationFacts = {
    allocationId: id(1),
    rtpHeaders: numbers.map((endpoint) => ({ endpoint, header: noise(200_000), headerBytes: [12] })),
    actions: { endpoint: numbers, failed: numbers.map(() => false), detail: numbers.map(() => 'HOLD'), atMs: numbers },
    outcomes: [{ endpoint: 1 }],
  };
  const parts = inParts({ allocations: [allocation] });
  t.ok(parts.length > 2 && parts.every(({ thinned }) => !thinned));
  const all = parts.flatMap(({ bytes }) => decodeFacts({ facts: bytes }).allocations);
  t.same(
    all.flatMap((a) => (a.rtpHeaders ?? []).map((h) => h.endpoint)),
    numbers,
  );
  t.same(
    all.flatMap((a) => a.actions?.endpoint ?? []),
    numbers,
  );
  t.same([isThin({ allocations: [allocation] }), isThin(thin({ allocations: [allocation] }))], [false, true]);
  t.match(thin({ allocations: [allocation] }).allocations?.[0], { outcomes: [{ endpoint: 1 }], rtpHeaders: undefined });
  t.end();
});

t.test('nothing is lost, doubled or put out of order by dividing, whatever the facts and the limit', async () => {
  const count = fc.integer({ min: 0, max: 30 });
  const allocation = fc
    .record({ outcomes: count, messages: count, blocks: count, samples: count, phases: count, state: fc.boolean() })
    .map(
      (n, ..._): AllocationFacts => ({
        allocationId: id(1),
        outcomes: Array.from({ length: n.outcomes }, (_, endpoint) => ({ endpoint, calleeUri: 'sip:9@127.0.0.1' })),
        messages: Array.from({ length: n.messages }, (_, endpoint) => ({ endpoint, text: new Uint8Array(20) })),
        messageBlocks: Array.from({ length: n.blocks }, (_, n) => ({ endpoint: [n, n + 1], text: new Uint8Array(20) })),
        samples: { endpoint: Array.from({ length: n.samples }, (_, i) => i), mos: Array(n.samples).fill(4.25) },
        phases: { endpoint: Array.from({ length: n.phases }, (_, i) => i) },
        ...(n.state && { state: DONE, reason: 'x' }),
      }),
    );
  fc.assert(
    fc.property(fc.array(allocation, { maxLength: 4 }), fc.integer({ min: 200, max: 2000 }), (allocations, most) => {
      const facts: Facts = { allocations, noise: [{ seconds: 1 }] };
      const parts = inParts(facts, most);
      if (parts.some((p) => p.bytes.length > most || p.thinned)) return false;
      const before = arrived([decodeFacts({ facts: inParts(facts, 1e9)[0]?.bytes ?? null })]);
      const after = arrived(parts.map((p) => decodeFacts({ facts: p.bytes })));
      const lastBulk = parts.findLastIndex((p) => decodeFacts({ facts: p.bytes }).allocations.some((a) => !a.state));
      const firstState = parts.findIndex((p) => decodeFacts({ facts: p.bytes }).allocations.some((a) => a.state));
      const ordered = parts.length === 1 || firstState === -1 || firstState > lastBulk;
      return ordered && JSON.stringify(after) === JSON.stringify(before);
    }),
  );
});

t.test('a message that no frame can carry is dropped and counted', async (t) => {
  const outcomes = [{ endpoint: 7, outcome: 'SUCCESS' }];
  const tooLarge = [{ text: noise(5_000_000) }];
  for (const large of [{ messages: tooLarge }, { messageBlocks: tooLarge }]) {
    const outbox = new Outbox('o');
    outbox.append({ allocations: [{ allocationId: id(1), ...large, outcomes, state: REFUSED }] });
    t.equal(outbox.counters.thinned, 1);
    t.match(arrived(everything(outbox)), { messages: [], blocks: [], outcomes: [7], states: [REFUSED] });
  }
});

t.test('quarantine: patience in number and in time, then states only, then nothing', async (t) => {
  const quarantine = new Quarantine(3, 1000);
  const refusals: [number, number][] = [
    [7, 0],
    [7, 100],
    [7, 999],
    [7, 1000],
    [7, 1100],
    [7, 1200],
    [7, 2100],
    [8, 2200],
    [8, 2300],
    [8, 3200],
  ];
  t.same(
    refusals.map(([number, atMs]) => quarantine.refused(number, atMs)),
    [null, null, null, 'STATES', null, null, 'NOTHING', null, null, 'STATES'],
  );
});

t.test('a batch is reduced under its own number, and what it gave up is told', async (t) => {
  const outbox = new Outbox('o');
  outbox.append({ noise: [{ seconds: 1 }] });
  const samples = { endpoint: [1, 2, 3] };
  outbox.append({
    allocations: [
      { allocationId: id(1), baseUnixMs: 5, samples, outcomes: [{}], state: DONE },
      { allocationId: id(2) },
    ],
    noise: [{}],
  });
  t.match(outbox.reduce(2, 'STATES'), { samples: 3, outcomes: 1, noise: 1, states: 0 });
  const [left] = outbox.from(2, 1).map(decodeFacts);
  t.match(left, { noise: [], allocations: [{ allocationId: id(1), baseUnixMs: 5, state: DONE }] });
  t.same([left?.allocations.length, left?.allocations[0]?.outcomes?.length ?? 0], [1, 0]);
  t.match(outbox.reduce(2, 'NOTHING'), { states: 1 });
  t.same(decodeFacts(outbox.from(2, 1)[0] ?? {}).allocations, []);
  t.equal(outbox.counters.refused, 2);
  outbox.acknowledge(2);
  t.equal(outbox.reduce(2, 'NOTHING'), null);
  outbox.append({});
  t.equal(outbox.first, 3);
});

t.test('what is on disk stays there until all of it is committed', async (t) => {
  const first = await openOutbox(dir);
  first.append({ allocations: [{ allocationId: id(1), outcomes: [{}] }] });
  first.append({ allocations: [{ allocationId: id(2), state: DONE }] });
  await first.save(dir);
  t.same(first.endedBefore, [], 'its own are held by the book');

  const killed = await openOutbox(dir);
  t.same(killed.endedBefore, [id(2)], 'the control plane must not give up what is about to arrive');
  killed.acknowledge(1);
  const second = await openOutbox(dir);
  t.equal(second.id, first.id, 'a process that is killed before the commit loses nothing');
  t.equal(second.depth, 2);
  second.acknowledge(1);
  t.ok(await isThere());
  second.append({});
  t.equal(second.last, 3);
  second.acknowledge(2);
  t.same(second.endedBefore, []);
  await until('its file is gone', async () => !(await isThere()), { everyMs: 5 });
  t.notOk(await isThere());
  await second.save(dir);
  t.equal(JSON.parse(await readFile(file, 'utf8')).batches.length, 1, 'and is written again for what came after');

  const late = await openOutbox(dir);
  late.acknowledge(9);
  late.append({});
  t.equal(late.last, 10, 'committed by a process that was killed before it could tidy up: no number is used again');
  await late.save(dir);
  late.acknowledge(10);
  await late.save(dir);
  t.notOk(await isThere());
});
