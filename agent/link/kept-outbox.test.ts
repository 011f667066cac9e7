/** Batches in the outbox: numbers, the limit of memory, and what a stop or a crash leaves on disk. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeFacts } from '@carillon/proto';
import t from 'tap';
import { bytesFrom, seeded } from '../../scripts/peers/seeded.ts';
import fc from '../../scripts/test-run/properties.ts';
import { Outbox, openOutbox } from './outbox.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-outbox-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

t.test('outbox: numbered, kept until committed, thinned when full', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant('append' as const), fc.integer({ min: 0, max: 30 })), { maxLength: 60 }),
      (steps) => {
        const outbox = new Outbox('o');
        let committed = 0;
        let appended = 0;
        for (const step of steps) {
          if (step === 'append') {
            outbox.append({ noise: [{ seconds: ++appended }] });
          } else {
            committed = Math.max(committed, Math.min(step, appended));
            outbox.acknowledge(Math.min(step, appended));
          }
          const left = outbox.from(committed + 1, 100).map((b) => Number(b.number));
          const expected = Array.from({ length: appended - committed }, (_, i) => committed + 1 + i);
          if (JSON.stringify(left) !== JSON.stringify(expected) || outbox.last !== appended) return false;
        }
        return true;
      },
    ),
  );
  const full = new Outbox('o');
  const bytes = bytesFrom(seeded(66), 2 * 1024 * 1024);
  const facts = {
    allocations: [{ messages: [{ text: bytes }], samples: { endpoint: [1] }, outcomes: [{ outcome: 'SUCCESS' }] }],
  };
  for (let i = 0; i < 36; i++) full.append(facts);
  t.equal(full.counters.thinned, 4);
  const last = decodeFacts(full.from(36, 1)[0] ?? {}).allocations[0];
  t.same(
    [last?.messages?.length ?? 0, last?.samples ?? null, last?.outcomes?.length],
    [0, null, 1],
    'outcomes are never dropped',
  );
  full.append({ allocations: [{ outcomes: [{ outcome: 'SUCCESS' }] }] });
  t.equal(full.counters.thinned, 4, 'what had nothing to lose has lost nothing');
});

t.test('outbox: an orderly stop leaves it on disk, a crash leaves a new name', async (t) => {
  const outbox = await openOutbox(dir);
  outbox.append({ noise: [{ seconds: 1 }] });
  outbox.append({ noise: [{ seconds: 2 }] });
  outbox.acknowledge(1);
  await outbox.save(dir);
  const next = await openOutbox(dir);
  t.equal(next.id, outbox.id);
  t.equal(next.depth, 1);
  t.equal(decodeFacts(next.from(2, 1)[0] ?? {}).noise[0]?.seconds, 2);
  next.acknowledge(2);
  await next.save(dir);
  const crashed = await openOutbox(dir);
  t.not(crashed.id, outbox.id);
  t.equal(crashed.depth, 0);
});

t.test('outbox: a file that is damaged is moved aside, and told', async (t) => {
  const file = path.join(dir, 'outbox.json');
  await writeFile(file, '{"id":"x","next":');
  const told: object[] = [];
  t.equal((await openOutbox(dir, (damage) => told.push(damage))).depth, 0);
  t.match(told, [{ file: `${file}.damaged`, error: /JSON/ }]);
  t.equal(await readFile(`${file}.damaged`, 'utf8'), '{"id":"x","next":');
  await openOutbox(dir, (damage) => told.push(damage));
  t.equal(told.length, 1, 'that there is none is no damage');
});
