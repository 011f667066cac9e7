/** Jobs in pg-boss: stored with the transaction that decides them, done once, repeated when they fail. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { holds } from '../../scripts/peers/process.ts';
import { JOB_HANDLERS } from '../handlers.ts';
import { JOB_CATALOGUE, JOB_NAMES } from '../job-catalogue.ts';
import { testDatabase } from '../testing/database.ts';
import { startQueue } from './boss.ts';

const database = await testDatabase(t);
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const queues = [await startQueue(database.config, log), await startQueue(database.config, log)] as const;
t.teardown(() => Promise.all(queues.map((q) => q.stop())));

const done: { name: string; data: { runId?: string } }[] = [];
let failing = 0;
let isTickWanted = false;
for (const queue of queues) {
  await queue.work(
    async (name, data) => {
      if (name === 'run.settle' && failing-- > 0) throw new Error('not yet');
      done.push({ name, data: data as { runId?: string } });
    },
    { 'probes.tick': async () => isTickWanted },
  );
}

const doneFor = (runId: string) => done.filter((d) => d.data.runId === runId);

t.test('every job has a handler and a catalogue row', async (t) => {
  t.same([...JOB_NAMES].sort(), Object.keys(JOB_HANDLERS).sort());
  t.ok(JOB_NAMES.every((name) => JOB_CATALOGUE[name].pollSeconds > 0));
});

t.test('a job exists if and only if its transaction commits', async (t) => {
  const [rolledBack, committed] = [randomUUID(), randomUUID()];
  await t.rejects(
    database.transaction(async (tx) => {
      await queues[0].enqueue(tx, 'run.validate', { runId: rolledBack });
      throw new Error('no');
    }),
    /no/,
  );
  await database.transaction((tx) => queues[0].enqueue(tx, 'run.validate', { runId: committed }));
  t.ok(await holds(() => doneFor(committed).length === 1));
  t.equal(doneFor(rolledBack).length, 0);
});

t.test('of two replicas one does it', async (t) => {
  const ids = Array.from({ length: 40 }, () => randomUUID());
  await Promise.all(ids.map((runId, i) => queues[i % 2]?.enqueue(database.db, 'run.allocate', { runId })));
  t.ok(await holds(() => ids.every((id) => doneFor(id).length > 0)));
  t.ok(ids.every((id) => doneFor(id).length === 1));
});

t.test('a job that fails is repeated', async (t) => {
  failing = 2;
  const runId = randomUUID();
  await queues[0].enqueue(database.db, 'run.settle', { runId });
  t.ok(await holds(() => doneFor(runId).length === 1));
});

t.test('a later job waits for its time', async (t) => {
  const runId = randomUUID();
  const due = new Date(Date.now() + 1500);
  await queues[0].enqueue(database.db, 'run.watch', { runId, status: 'RUNNING' }, { startAfter: due });
  t.ok(await holds(() => doneFor(runId).length === 1));
  t.ok(Date.now() >= due.getTime());
});

t.test(
  'whatever its queue, a later job is found soon after its time, though nobody is notified and nobody polls',
  async (t) => {
    const due = new Date(Date.now() + 1000);
    const startAfter = { startAfter: due };
    const before = done.length;
    await queues[0].enqueue(database.db, 'incident.watch', { incidentId: randomUUID() }, startAfter);
    await queues[0].enqueue(database.db, 'webhook.deliver', { deliveryId: randomUUID(), attempt: 1 }, startAfter);
    await queues[0].enqueue(database.db, 'invitation.mail', { invitationId: randomUUID() }, startAfter);
    const names = () => done.slice(before).map(({ name }) => name);
    t.ok(
      await holds(() =>
        ['incident.watch', 'invitation.mail', 'webhook.deliver'].every((name) => names().includes(name)),
      ),
    );
  },
);

t.test('it is seen that jobs are done', async (t) => {
  t.ok(await holds(async () => (await queues[0].seen()).waitingSeconds === null), 'none waits that is due');
});

t.test('a recurring job is done as long as there is something to do', async (t) => {
  const ticks = () => done.filter(({ name }) => name === 'probes.tick').length;
  t.equal(ticks(), 0, 'none was wanted');
  t.ok(await holds(() => done.some(({ name }) => name === 'workers.sweep')), 'one that nobody asks about is done');
  isTickWanted = true;
  t.ok(await holds(() => ticks() >= 2));
});
