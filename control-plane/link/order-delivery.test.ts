/** Orders to one agent: each once on its connection, in order, until it acknowledges them. */
import { randomUUID } from 'node:crypto';
import { decodeControlFrame } from '@carillon/proto';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { until } from '../../scripts/peers/process.ts';
import type { Ports } from '../ports.ts';
import { insertCommand } from '../store/agents/commands.ts';
import { acme, openWorld } from '../testing/world.ts';
import { OrderDelivery } from './order-delivery.ts';

const world = await openWorld(t);
await world.provision(acme());
const { db } = world.database;
const { id: workerId } = await db.selectFrom('workers').select('id').limit(1).executeTakeFirstOrThrow();

/** A subtest that starts without orders. Not a hook of `t`, which is that of other files of the process, too. */
const withoutOrders = (title: string, body: (t: Test) => Promise<void>): unknown =>
  t.test(title, async (t) => {
    await db.deleteFrom('worker_commands').execute();
    await body(t);
  });

/** Orders that can be told apart by their reason. */
async function order(...reasons: string[]): Promise<void> {
  for (const reason of reasons) {
    const runId = randomUUID();
    const body = { kind: 'stop', runId, allocationIds: [], reason } as const;
    await insertCommand(db, { workerId, runId, kind: 'stop', body });
  }
}
const openIds = async (): Promise<number[]> =>
  (await db.selectFrom('worker_commands').select('id').orderBy('id').execute()).map(({ id }) => Number(id));

/** One connection of the agent. */
function connected(ports: Ports = world.ports) {
  const state = { isWelcomed: true };
  const sent: { id: number; reason: string }[] = [];
  const failures: string[] = [];
  const delivery = new OrderDelivery({
    ports,
    send: (frame) => {
      const { command } = decodeControlFrame(frame);
      sent.push({ id: Number(command?.id), reason: command?.stop?.reason ?? '' });
    },
    isWelcomed: () => state.isWelcomed,
    onFailure: (why) => failures.push(why),
  });
  const reasons = (): string[] => sent.map(({ reason }) => reason);
  /** Whatever else it was to send comes before an order that is written last. */
  const settled = async (): Promise<string[]> => {
    const last = randomUUID();
    await order(last);
    delivery.deliver(workerId);
    await until('the last order is sent', () => reasons().includes(last), { everyMs: 1 });
    return reasons().filter((reason) => reason !== last);
  };
  return { delivery, state, sent, failures, settled };
}

withoutOrders('in order, each once on a connection, more than one reading takes', async (t) => {
  const { delivery, settled } = connected();
  const all = Array.from({ length: 120 }, (_, i) => `${i}`);
  const rows = all.map((reason) => {
    const runId = randomUUID();
    const body = JSON.stringify({ kind: 'stop', runId, allocationIds: [], reason });
    return { worker_id: workerId, run_id: runId, kind: 'stop', body };
  });
  await db.insertInto('worker_commands').values(rows).execute();
  for (let i = 0; i < 5; i++) delivery.deliver(workerId);
  t.same(await settled(), all);
  const next = connected();
  t.same(
    (await next.settled()).filter((reason) => all.includes(reason)),
    all,
    'again on the next connection',
  );
});

withoutOrders('an acknowledged order is forgotten; the next connection gets the others', async (t) => {
  await order('a', 'b');
  const { delivery, sent, settled } = connected();
  await settled();
  const [first] = sent;
  await delivery.acknowledged(workerId, first?.id ?? 0);
  t.notOk((await openIds()).includes(first?.id ?? 0));
  t.ok((await openIds()).includes(sent[1]?.id ?? 0));
  const again = await connected().settled();
  t.notOk(again.includes('a'));
  t.ok(again.includes('b'));
});

withoutOrders('orders of another agent are not this one’s', async (t) => {
  const others = await db.selectFrom('workers').where('id', '!=', workerId).select('id').limit(1).executeTakeFirst();
  const runId = randomUUID();
  const body = { kind: 'stop', runId, allocationIds: [], reason: 'not for it' } as const;
  await insertCommand(db, { workerId: others?.id ?? '', runId, kind: 'stop', body });
  t.same(await connected().settled(), []);
});

withoutOrders('before the greeting nothing is sent, and nothing is asked', async (t) => {
  await order('early');
  const ports = { ...world.ports, database: new Proxy({}, { get: () => t.fail('it was asked') }) };
  const closed = connected(ports as never);
  closed.state.isWelcomed = false;
  closed.delivery.deliver(workerId);
  t.same([closed.sent, closed.failures], [[], []]);
});

withoutOrders('an order that cannot be encoded is dropped, and the others are sent', async (t) => {
  await order('before');
  const runId = randomUUID();
  const broken = { kind: 'stop', runId: 'no id', allocationIds: ['no id either'], reason: 'broken' };
  await db
    .insertInto('worker_commands')
    .values({ worker_id: workerId, run_id: runId, kind: 'stop', body: JSON.stringify(broken) })
    .execute();
  await order('after');
  const { settled } = connected();
  t.same(await settled(), ['before', 'after']);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from worker_commands where body->>'reason' = 'broken'`.execute(db);
  t.equal(rows[0]?.n, 0, 'it is not tried again');
});

withoutOrders('a database that fails is told, and the next delivery sends what waits', async (t) => {
  await order('waits');
  let isDown = true;
  const database = new Proxy(world.database, {
    get(target, name) {
      if (isDown && name === 'db') throw new Error('the database is down');
      return Reflect.get(target, name);
    },
  });
  const { delivery, failures, settled } = connected({ ...world.ports, database });
  delivery.deliver(workerId);
  await until('the failure is told', () => failures.length > 0, { everyMs: 1 });
  t.same(failures, ['orders cannot be read: the database is down']);
  isDown = false;
  t.same(await settled(), ['waits']);
});
