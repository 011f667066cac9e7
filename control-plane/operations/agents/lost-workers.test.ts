/** Workers that disconnect: the effect on their runs, and how long they may take to return. */
import t from 'tap';
import { PHASES, type Phase } from '../../contract/run/words.ts';
import type { AllocateOrder } from '../../domain/run/orders/orders.ts';
import { REVISABLE_SECONDS } from '../../domain/run/run-machine.ts';
import { callCountsOf } from '../../domain/sums/call-kinds.ts';
import { HANDLERS } from '../../handlers.ts';
import { callKinds } from '../../store/run/endpoints.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  isAllocate,
  openWorld,
  outcomeFact,
  runningRun,
  runRow,
  startRun,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { depart } from './depart.ts';
import { vouch } from './orders.ts';

const world = await openWorld(t);
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);

const takeOrders = () => Promise.all(agents.map((agent) => agent.orders()));
const running = () => runningRun(world, agents);

async function finishAll(run: Awaited<ReturnType<typeof running>>) {
  for (const [i, agent] of agents.entries()) await agent.send(allDone(run.orders[i] ?? []));
  await world.work();
}

t.test('one of two: the run ends with the other one’s figures', async (t) => {
  const run = await running();
  await takeOrders();
  await agents[1].send(allDone(run.orders[1] ?? []));
  await depart(world.ports, agents[0].connectionId);
  await world.work();
  t.equal(await statusOf(world, run.runId), 'RUNNING', 'within the grace it may come back');
  world.pass(31);
  await world.work();
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
  const lost = await world.database.db
    .selectFrom('endpoints')
    .where('run_id', '=', run.runId)
    .where('cause', '=', 'WORKER_LOST')
    .selectAll()
    .execute();
  t.equal(lost.length, 4);
  const held = (run.orders[0] ?? []).map((o) => o.allocationId);
  t.same((await agents[0].greet('', held)).stopAllocationIds, [], 'for a day it may come with what it measured');
  world.pass(REVISABLE_SECONDS);
  t.same((await agents[0].greet('', held)).stopAllocationIds, held);
  const { projectId, runId: testRunId } = run;
  const told = await HANDLERS.listTestRunEvents(run.context, {
    projectId,
    testRunId,
    kind: 'WORKER',
    page: 1,
    per_page: 10,
  });
  t.same(
    told.rows.map((e) => e.detail.replace(/^(\S+ .*(?:timed out|timeout))\b.*?(with 2 endpoints|:).*/, '$1 $2')),
    [
      'edge-1 timed out with 2 endpoints',
      'edge-1 timed out with 2 endpoints',
      'edge-1 reconnected too late after its timeout :',
    ],
    'what it brings too late is in no figure, and the run says so',
  );
  await takeOrders();
});
t.test('an endpoint that un-registers before its call has no call', async (t) => {
  const run = await running();
  await takeOrders();
  const callers = run.orders[0]?.find((o) => o.role === 'CALLER') as AllocateOrder;
  const [idle, called] = callers.endpoints.number as [number, number];
  const at = [0, 1, 2, 3].map((ms) => world.ports.now().getTime() + ms);
  await agents[0].send({
    allocations: [
      allocationFacts(callers.allocationId, {
        phases: {
          endpoint: [idle, idle, called, called],
          phase: ['REGISTERED', 'DISCONNECTING', 'CALLING', 'DISCONNECTING'].map((p) => PHASES.indexOf(p as Phase)),
          unixMs: at,
        },
      }),
    ],
  });
  const counts = async () => callCountsOf(await callKinds(world.database.db, run.runId));
  t.match(await counts(), { calls: 1, inProgress: 1, answered: 0 });
  await agents[1].send(allDone(run.orders[1] ?? []));
  await depart(world.ports, agents[0].connectionId);
  world.pass(31);
  await world.work();
  const ends = await world.database.db
    .selectFrom('endpoints')
    .where('run_id', '=', run.runId)
    .where('number', 'in', [idle, called])
    .orderBy('number')
    .select(['attempted', 'call_result', 'answered'])
    .execute();
  t.same(ends, [
    { attempted: false, call_result: null, answered: false },
    { attempted: true, call_result: 'ERROR', answered: false },
  ]);
  await agents[0].greet();
  await takeOrders();
});
t.test('all: FAILED, and what had come stays', async (t) => {
  const run = await running();
  await takeOrders();
  const first = run.orders[0]?.find((o) => o.role === 'CALLER') as AllocateOrder;
  await agents[0].send({
    allocations: [
      allocationFacts(first.allocationId, { outcomes: [outcomeFact(first.endpoints.number[0] as number)] }),
    ],
  });
  for (const agent of agents) await depart(world.ports, agent.connectionId);
  world.pass(31);
  await world.work();
  const row = await runRow(world, run.runId);
  t.equal(row.status, 'FAILED');
  t.match(row.error, { code: 'ALL_WORKERS_LOST' });
  t.equal(row.call_timing?.successCount, 1);
  for (const agent of agents) await agent.greet();
  await takeOrders();
});
t.test('a restarted agent has lost its share at once; one that comes back holding it has not', async (t) => {
  const run = await running();
  await takeOrders();
  const held = (run.orders[0] ?? []).map((o) => o.allocationId);
  await depart(world.ports, agents[0].connectionId);
  const welcome = await agents[0].greet('', held);
  t.same(welcome.stopAllocationIds, []);
  world.pass(31);
  await world.work();
  t.equal(await statusOf(world, run.runId), 'RUNNING');
  await new FakeAgent(world, agents[0].publicKey).greet('', []);
  await agents[1].send(allDone(run.orders[1] ?? []));
  await world.work();
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
  world.pass(REVISABLE_SECONDS);
  const again = await agents[0].greet('', held);
  t.same([...again.stopAllocationIds].sort(), [...held].sort(), 'what has ended is to be stopped');
  await takeOrders();
});
t.test('one that saved its last facts has the grace to bring them in', async (t) => {
  const run = await running();
  await takeOrders();
  await agents[0].greet('', []);
  await world.work();
  t.equal(await statusOf(world, run.runId), 'RUNNING');
  await finishAll(run);
  const row = await runRow(world, run.runId);
  t.equal(row.status, 'COMPLETED');
  t.equal(row.call_timing?.successCount, 4, 'and every call counts');
  const late = await running();
  await takeOrders();
  await agents[1].send(allDone(late.orders[1] ?? []));
  await agents[0].greet('', []);
  world.pass(31);
  await world.work();
  t.equal(await statusOf(world, late.runId), 'COMPLETED', 'after the grace they are lost');
});
t.test('an absence before does not shorten the grace', async (t) => {
  const run = await running();
  await takeOrders();
  await depart(world.ports, agents[0].connectionId);
  world.pass(20);
  await vouch(world.ports, [agents[0].connectionId]);
  await depart(world.ports, agents[0].connectionId);
  world.pass(11);
  t.ok((await world.work()).includes('worker.lost'));
  const open = () =>
    world.database.db
      .selectFrom('sub_population_instances')
      .where('run_id', '=', run.runId)
      .where('status', '=', 'RUNNING')
      .selectAll()
      .execute();
  t.equal((await open()).length, 4);
  world.pass(20);
  await world.work();
  t.equal((await open()).length, 2);
  await agents[1].send(allDone(run.orders[1] ?? []));
  await agents[0].greet();
  await world.work();
  await takeOrders();
});
t.test('an allocation that is still on its way is not lost', async (t) => {
  const { runId } = await startRun(world);
  await world.work();
  await agents[0].greet('', []);
  t.equal(await statusOf(world, runId), 'QUEUED');
  t.equal((await takeOrders())[0]?.filter(isAllocate).length, 2);
  world.pass(40);
  await world.work();
  await takeOrders();
});

t.test('a drained worker ends what it carries, takes nothing new, and stays so while its agent is away', async (t) => {
  const run = await running();
  await takeOrders();
  const { context } = run;
  const { workerId } = agents[0];
  const drain = (draining: boolean, id = workerId) => HANDLERS.drainWorker(context, { workerId: id, draining });
  const status = async () =>
    (await HANDLERS.listWorkers(context, { page: 1, per_page: 10, sort: 'name' })).rows.find((w) => w.id === workerId)
      ?.status;
  const placed = async () => {
    const { runId } = await startRun(world);
    await world.work();
    const orders = (await takeOrders()).map((taken) => taken.filter((o) => isAllocate(o) && o.runId === runId).length);
    return { runId, orders };
  };
  t.match(await drain(true), {
    ...{ status: 'DRAINING', drainedAt: /Z$/ },
    ...{ capacity: 21, leftToProbes: 1, capacityLimits: [{ limit: 'CONFIGURED', endpoints: 21 }] },
  });
  t.same(await takeOrders(), [[], []], 'nobody is told to stop');
  t.same((await placed()).orders, [0, 2]);

  await depart(world.ports, agents[0].connectionId);
  await vouch(world.ports, [agents[0].connectionId]);
  t.equal(await status(), 'DRAINING', 'a database that was away changes nothing');
  await depart(world.ports, agents[0].connectionId);
  const held = (run.orders[0] ?? []).map((o) => o.allocationId);
  t.same((await agents[0].greet('', held)).stopAllocationIds, [], 'it keeps what it has');
  t.equal(await status(), 'DRAINING', 'nor does a restart');
  t.same((await placed()).orders, [0, 2]);
  await finishAll(run);
  t.match(await runRow(world, run.runId), { status: 'COMPLETED', call_timing: { successCount: 4 } });

  await drain(true, agents[1].workerId);
  const nowhere = await placed();
  t.match(await runRow(world, nowhere.runId), {
    status: 'CANNOT_RUN_FOR_NOW',
    error: { code: 'NO_ONLINE_WORKER' },
  });

  await depart(world.ports, agents[0].connectionId);
  t.match(await drain(false), { status: 'OFFLINE', drainedAt: null }, 'it need not be there to be wanted again');
  await agents[0].greet();
  t.equal(await status(), 'ONLINE');
  t.same((await placed()).orders, [2, 0]);
  await t.rejects(drain(false), { code: 'CONFLICT' });
});
