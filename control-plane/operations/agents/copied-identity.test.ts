/** Two agents with one copied state folder: the second is refused, everybody concerned is told, and no run of theirs is VALID. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { listCandidates } from '../../store/agents/workers.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  isAllocate,
  openWorld,
  runRow,
  startRun,
  TOKENS,
} from '../../testing/world.ts';
import { depart } from './depart.ts';
import { greet } from './greet.ts';
import { changeKey } from './keys.ts';
import { vouch } from './orders.ts';

const world = await openWorld(t);
await world.provision(acme());
const { db } = world.database;
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
await agents[0].greet(TOKENS[0]);
await agents[1].greet(TOKENS[1]);
const [agent] = agents;
const { workerId } = agent;

const worker = () => db.selectFrom('workers').where('id', '=', workerId).selectAll().executeTakeFirstOrThrow();
const statusOf = async () => (await worker()).status;
/** A process of this agent's state folder. */
const process = () => ({ bootId: randomUUID() });
type Process = ReturnType<typeof process>;
async function connect({ bootId }: Process, held: readonly string[] = []) {
  const connectionId = randomUUID();
  const answer = await greet(world.ports, { ...agent.greeting('', held), bootId, connectionId });
  return { connectionId, code: 'code' in answer ? answer.code : 'WELCOME', answer };
}
const refusals = async () =>
  (await db.selectFrom('audit_entries').where('action', '=', 'agentRefused').select('target').execute()).map(
    ({ target }) => (target as unknown as { reason: string }).reason,
  );

t.jobs = 1;

t.test('an agent that is restarted comes back at once, noticed or not', async (t) => {
  for (let n = 0; n < 30; n++) {
    const one = process();
    t.equal((await connect(one)).code, 'WELCOME', 'while its last connection seems to be there');
    const again = await connect(one);
    t.equal(again.code, 'WELCOME', 'by another connection');
    if (n % 2) await depart(world.ports, again.connectionId);
    t.equal((await connect(one)).code, 'WELCOME');
    t.equal(await statusOf(), 'ONLINE');
  }
  t.ok((await worker()).former_boots.length <= 20);
});

t.test('a process that was replaced comes back: refused, said, and no run is VALID', async (t) => {
  const [one, copy] = [process(), process()];
  await connect(one);
  const run = await startRun(world);
  await world.work();
  const orders = await Promise.all(agents.map(async (each) => (await each.orders()).filter(isAllocate)));
  for (const [i, each] of agents.entries())
    await each.send({
      allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
    });
  const held = (orders[0] ?? []).map((o) => o.allocationId);
  const second = await connect(copy, held);
  t.equal(second.code, 'WELCOME', 'nobody can know yet');
  t.match((await connect(one, held)).answer, { code: 'KEY_COPIED', reason: 'KEY_COPIED', retryAfterMs: 30_000 });
  t.equal(await statusOf(), 'ERROR');
  t.same(await refusals(), ['KEY_COPIED']);
  for (let n = 0; n < 5; n++) t.equal((await connect(one)).code, 'KEY_COPIED');
  t.same(await refusals(), ['KEY_COPIED'], 'once');
  t.equal((await connect(copy, held)).code, 'WELCOME', 'the one that is there stays');
  t.equal(await statusOf(), 'ERROR');
  t.notOk((await listCandidates(db, (await worker()).organization_id ?? '')).some(({ id }) => id === workerId));

  for (const [i, each] of agents.entries()) await each.send(allDone(orders[i] ?? []));
  await world.work();
  const { validity } = await runRow(world, run.runId);
  t.match(validity, { verdict: 'VOID', reasons: [{ check: 'identity', level: 'VOID' }] });
  t.match(validity, { sentence: /^VOID: two agents had the key of / });

  const key = { workerId, from: agent.publicKey, to: Buffer.alloc(32, 7) };
  t.match(await changeKey(world.ports, key, { address: '' }), /Two agents use the present key/);

  const { events } = await db
    .selectFrom('run_events')
    .where('run_id', '=', run.runId)
    .where('detail', 'like', '%two agents with one key%')
    .select((eb) => eb.fn.countAll<string>().as('events'))
    .executeTakeFirstOrThrow();
  t.equal(Number(events), 1);
  const changes = await db
    .selectFrom('announcements')
    .where('kind', '=', 'worker.status_changed')
    .selectAll()
    .execute();
  t.ok(
    changes.some((row) => JSON.stringify(row).includes('ERROR')),
    'webhooks announce it',
  );

  const last = await connect(copy);
  world.pass(300);
  await vouch(world.ports, [last.connectionId]);
  t.equal(await statusOf(), 'ERROR', 'the other may only be waiting');
  world.pass(400);
  await vouch(world.ports, [last.connectionId]);
  t.equal(await statusOf(), 'ONLINE', 'no other for ten minutes');

  await depart(world.ports, last.connectionId);
  t.equal((await connect(one)).code, 'WELCOME', 'the first one may come back when the other has left');
  t.equal(await statusOf(), 'ONLINE');
  t.equal((await connect(copy)).code, 'KEY_COPIED');
  t.equal(await statusOf(), 'ERROR');
});

t.test('a run that was over before the first agent came back is judged again', async (t) => {
  world.pass(700);
  const [one, copy] = [process(), process()];
  const present = await connect(one);
  await vouch(world.ports, [present.connectionId]);
  t.equal(await statusOf(), 'ONLINE');
  t.equal((await connect(copy)).code, 'WELCOME', 'nobody can know yet');
  const run = await startRun(world);
  await world.work();
  const orders = await Promise.all(agents.map(async (each) => (await each.orders()).filter(isAllocate)));
  const tell = async (facts: (i: number) => object[]) => {
    for (const [i, each] of agents.entries()) await each.send({ allocations: facts(i) as never });
    await world.work();
  };
  await tell((i) => (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })));
  for (const [i, each] of agents.entries()) await each.send(allDone(orders[i] ?? []));
  await world.work();
  const before = await runRow(world, run.runId);
  t.equal(before.status, 'COMPLETED');
  t.notMatch(before.validity, { reasons: [{ check: 'identity' }] }, 'nobody knows');
  world.pass(60);
  t.equal((await connect(one)).code, 'KEY_COPIED');
  await world.work();
  const after = await runRow(world, run.runId);
  t.match(after.validity, { verdict: 'VOID', reasons: [{ check: 'identity', level: 'VOID' }] });
  t.equal(after.passed, null, 'and it passes no gate');
});
