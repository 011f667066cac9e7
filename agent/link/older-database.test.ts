/**
 * A control plane whose database was restored from an older state: facts that it had committed are sent again, and those no
 * longer stored are reported as lost.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeFacts, wire } from '@carillon/proto';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { KeptBatches, sizeOf } from './kept-batches.ts';
import { type Forgotten, Outbox, openOutbox } from './outbox.ts';

const lostFacts = ({ first, last }: Forgotten): number => last - first + 1;
const { DONE } = wire.agent.v1.AllocationState;

/** As the link does it; `seen` stands for a control plane's tables: by outbox, the facts in the order of their batches. */
class Tables {
  readonly seen: { readonly outboxId: string; readonly number: number; readonly fact: number }[] = [];
  readonly lost: Forgotten[] = [];

  connect(outbox: Outbox): void {
    for (;;) {
      const { forgotten } = outbox;
      if (forgotten && !this.seen.some((s) => s.outboxId === outbox.id)) this.lost.push(forgotten);
      if (outbox.resume(this.next(outbox.id))) return;
    }
  }

  next(outboxId: string): number {
    return this.seen.filter((s) => s.outboxId === outboxId).length + 1;
  }

  commit(outbox: Outbox, most: number): void {
    for (const batch of outbox.from(this.next(outbox.id), most)) {
      if (Number(batch.number) !== this.next(outbox.id)) throw new Error(`batch ${batch.number} is out of turn`);
      const [noise] = decodeFacts(batch).noise;
      this.seen.push({ outboxId: outbox.id, number: Number(batch.number), fact: Number(noise?.seconds) });
    }
    outbox.acknowledge(this.next(outbox.id) - 1);
  }
}

t.test('whatever comes back older: each fact is there once, in order, or within what is told as lost', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('append' as const), n: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ do: fc.constant('commit' as const), n: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ do: fc.constant('older' as const), n: fc.integer({ min: 1, max: 30 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 400 }), (steps, kept) => {
      const outbox = new Outbox(randomUUID(), 1, [], null, kept);
      const tables = new Tables();
      let told = 0;
      let lost = 0;
      for (const { do: what, n } of steps) {
        if (what === 'append') for (let i = 0; i < n; i++) outbox.append({ noise: [{ seconds: ++told }] }, told * 1000);
        if (what === 'commit') tables.commit(outbox, n);
        if (what === 'older') {
          // Not before the beginning of this outbox.
          const present = tables.next(outbox.id) - 1;
          tables.seen.splice(tables.seen.length - Math.min(n, present));
          const before = tables.lost.length;
          tables.connect(outbox);
          if (tables.lost.length > before) lost += lostFacts(tables.lost.at(-1) as Forgotten);
        }
      }
      tables.commit(outbox, 1000);
      const facts = tables.seen.map((s) => s.fact);
      const isOnce = new Set(facts).size === facts.length;
      const isInOrder = facts.every((fact, i) => i === 0 || fact > (facts[i - 1] as number));
      return isOnce && isInOrder && facts.length + lost === told;
    }),
  );
});

t.test('a second or two back, all of it is kept: nothing is lost, and the numbers go on', async (t) => {
  const outbox = new Outbox(randomUUID());
  const tables = new Tables();
  const { id } = outbox;
  for (let i = 1; i <= 20; i++) outbox.append({ noise: [{ seconds: i }] }, i * 1000);
  tables.commit(outbox, 15);
  tables.seen.splice(12);
  tables.connect(outbox);
  t.same([outbox.id === id, outbox.first, outbox.last, outbox.forgotten], [true, 13, 20, null]);
  tables.commit(outbox, 100);
  t.same(
    tables.seen.map((s) => s.fact),
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
});

t.test('restored twice, the second time to before the first: what was lost is told again', async (t) => {
  const outbox = new Outbox(randomUUID(), 1, [], null, 1000);
  const tables = new Tables();
  const { id } = outbox;
  for (let i = 1; i <= 200; i++) outbox.append({ noise: [{ seconds: i }] }, i * 1000);
  tables.commit(outbox, 200);
  tables.seen.splice(20);
  tables.connect(outbox);
  t.match(tables.lost, [{ outboxId: id, first: 21, fromUnixMs: 21_000 }]);
  const [{ last }] = tables.lost as [Forgotten];
  t.ok(last < 200, 'the last ones are kept');
  tables.commit(outbox, 200);
  tables.seen.splice(10);
  tables.connect(outbox);
  t.match(tables.lost.slice(1), [{ outboxId: id, first: 21, last, fromUnixMs: 0 }], 'from when on is not known');
  tables.commit(outbox, 200);
  t.same(
    tables.seen.map((s) => s.fact),
    [...Array.from({ length: 10 }, (_, i) => i + 1), ...Array.from({ length: 200 - last }, (_, i) => last + 1 + i)],
    'and what is kept comes again',
  );
  tables.connect(outbox);
  t.equal(outbox.forgotten, null, 'told');
});

t.test('what was on disk only is numbered from 1 in a new outbox, on disk too, and its ends are held', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-older-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const before = await openOutbox(dir);
  for (let i = 1; i <= 5; i++) before.append({ noise: [{ seconds: i }] });
  const allocationId = new Uint8Array(16).fill(7);
  before.append({ allocations: [{ allocationId, state: DONE }] });
  before.acknowledge(4);
  await before.save(dir);

  const outbox = await openOutbox(dir);
  t.notOk(outbox.resume(3), 'batches 3 and 4 are nowhere');
  t.match(outbox.forgotten, { outboxId: before.id, first: 3, last: 4, fromUnixMs: 0, toUnixMs: 0 });
  t.not(outbox.id, before.id);
  t.same(
    outbox.from(1, 10).map((b) => Number(b.number)),
    [1, 2],
  );
  t.same(outbox.endedBefore, [allocationId]);
  const saved = JSON.parse(await readFile(path.join(dir, 'outbox.json'), 'utf8'));
  t.match(saved, { id: outbox.id, next: 3, batches: [{ number: 1 }, { number: 2 }] }, 'a kill now tells nothing twice');
  t.ok(outbox.resume(1));
  t.equal(outbox.forgotten, null, 'told');
});

t.test('what is lost has its time, and room is kept', async (t) => {
  const outbox = new Outbox(randomUUID(), 1, [], null, 0);
  for (let i = 1; i <= 10; i++) outbox.append({ noise: [{ seconds: i }] }, i * 1000);
  outbox.acknowledge(9);
  t.notOk(outbox.resume(4));
  t.match(outbox.forgotten, { first: 4, last: 9, fromUnixMs: 4000, toUnixMs: 9000 });

  const kept = new KeptBatches(1000);
  const batches = Array.from({ length: 30 }, (_, i) => ({ number: i + 1, facts: new Uint8Array(100) }));
  kept.add(batches);
  const left = kept.takeFrom(1);
  t.same([left.length, left[0]?.number, left.reduce((sum, b) => sum + sizeOf(b), 0)], [10, 21, 1000]);
  for (let i = 0; i < 10_000; i++) kept.made(i, i * 1000);
  t.ok(kept.madeAt(9000) <= 9_000_000 && kept.madeAt(9000) > 8_900_000, `${kept.madeAt(9000)}`);
});
