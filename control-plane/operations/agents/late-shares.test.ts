/** Shares that were given up, and whose agents return with their measurements: these count, and the run says so. */
import t from 'tap';
import { PHASES } from '../../contract/run/words.ts';
import type { AllocateOrder } from '../../domain/run/orders/orders.ts';
import { HANDLERS } from '../../handlers.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  openWorld,
  outcomeFact,
  runningRun,
  runRow,
  someSamples,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { depart } from './depart.ts';

const world = await openWorld(t);
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);

const takeOrders = () => Promise.all(agents.map((agent) => agent.orders()));
type Running = Awaited<ReturnType<typeof runningRun>>;
const detail = ({ context, projectId, runId }: Running) =>
  HANDLERS.getTestRun(context, { projectId, testRunId: runId });
const eventsOf = async ({ context, projectId, runId: testRunId }: Running, kind: 'WORKER' | 'STATUS') =>
  (await HANDLERS.listTestRunEvents(context, { projectId, testRunId, kind, page: 1, per_page: 20 })).rows.map(
    (e) => e.detail,
  );
const held = (run: Running) => (run.orders[0] ?? []).map((o) => o.allocationId);

/** Both get ready; the first reports a sample and is away for longer than its grace period. */
async function lose(): Promise<Running> {
  const run = await runningRun(world, agents);
  await takeOrders();
  const [callers] = run.orders[0] as [AllocateOrder];
  const samples = someSamples(world.ports.now().getTime(), callers.endpoints.number, 2);
  const phases = {
    endpoint: [callers.endpoints.number[0] as number],
    phase: [PHASES.indexOf('CALLING')],
    unixMs: [world.ports.now().getTime()],
  };
  await agents[0].send({ allocations: [allocationFacts(callers.allocationId, { samples, phases })] });
  await depart(world.ports, agents[0].connectionId);
  world.pass(31);
  await world.work();
  return run;
}

t.test('the run goes on: the share does, too, and nothing is revised', async (t) => {
  const run = await lose();
  t.equal(await statusOf(world, run.runId), 'RUNNING');
  t.same((await agents[0].greet('', held(run))).stopAllocationIds, []);
  await agents[0].send(allDone(run.orders[0] ?? []));
  await agents[1].send(allDone(run.orders[1] ?? []));
  await world.work();
  t.match(await detail(run), { status: 'COMPLETED', revisedAt: null, callTiming: { successCount: 4, errorCount: 0 } });
  t.match((await eventsOf(run, 'WORKER')).at(-1), /^edge-1 reconnected with its share, which had timed out: /);
  await takeOrders();
});

t.test('the run has ended: the agent is told to stop, the figures are drawn again, the status stands', async (t) => {
  const run = await lose();
  await agents[1].send(allDone(run.orders[1] ?? []));
  await world.work();
  const before = await detail(run);
  t.match(before, { status: 'COMPLETED', revisedAt: null, callTiming: { totalCalls: 3, successCount: 2 } });
  const streams = () =>
    world.database.db.selectFrom('streams').where('run_id', '=', run.runId).select(['codec']).execute();
  t.same(await streams(), [{ codec: '' }, { codec: '' }], 'estimated from samples');

  await agents[0].greet('', held(run));
  const [callers, ...others] = run.orders[0] as [AllocateOrder, ...AllocateOrder[]];
  const [first, second] = callers.endpoints.number as [number, number];
  await agents[0].send({ allocations: [allocationFacts(callers.allocationId, { outcomes: [outcomeFact(first)] })] });
  t.same(await streams(), []);
  t.match(
    (await takeOrders())[0],
    [{ kind: 'stop', allocationIds: [callers.allocationId], reason: 'The run has ended.' }],
    'nothing of a run that has ended goes on',
  );
  await world.work();
  t.equal((await detail(run)).revisedAt, null, 'not before it is over');
  const done = allocationFacts(callers.allocationId, { outcomes: [outcomeFact(second)], state: 'DONE' });
  await agents[0].send({ allocations: [done, ...(allDone(others).allocations ?? [])] });
  await world.work();
  const after = await detail(run);
  t.match(after, { status: 'COMPLETED', endedAt: before.endedAt, callTiming: { totalCalls: 4, successCount: 4 } });
  t.ok(after.revisedAt);
  t.match((await eventsOf(run, 'STATUS')).at(-1), /^COMPLETED: the figures were recalculated/);
  await agents[0].send(allDone(run.orders[0] ?? []));
  await world.work();
  t.equal((await detail(run)).revisedAt, after.revisedAt, 'once');
  const usage = await world.database.db.selectFrom('run_history').where('run_id', '=', run.runId).selectAll().execute();
  t.equal(usage.filter((h) => h.to_status === 'COMPLETED').length, 1, 'it ended once');
  await takeOrders();
});

t.test('a share that comes back in part is given up again, and the figures have that part', async (t) => {
  const run = await lose();
  await agents[1].send(allDone(run.orders[1] ?? []));
  await world.work();
  const [callers] = run.orders[0] as [AllocateOrder];
  const [first] = callers.endpoints.number as [number];
  await agents[0].greet('', held(run));
  await agents[0].send({ allocations: [allocationFacts(callers.allocationId, { outcomes: [outcomeFact(first)] })] });
  await world.work();
  world.pass(31);
  await world.work();
  const after = await detail(run);
  t.match(after, { status: 'COMPLETED', callTiming: { successCount: 3 } });
  t.ok(after.revisedAt);
  t.same(after.subPopulationInstances.map((i) => i.status).sort(), ['DONE', 'DONE', 'LOST', 'LOST']);
  t.match((await eventsOf(run, 'WORKER')).at(-1), /timed out .* reconnected with part of its measurements/);
  await takeOrders();
});

t.test('every worker was lost: it stays FAILED, and has the figures of all calls', async (t) => {
  const run = await runningRun(world, agents);
  await takeOrders();
  for (const agent of agents) await depart(world.ports, agent.connectionId);
  world.pass(31);
  await world.work();
  t.match(await runRow(world, run.runId), { status: 'FAILED', error: { code: 'ALL_WORKERS_LOST' } });
  for (const [i, agent] of agents.entries()) {
    await agent.greet(
      '',
      (run.orders[i] ?? []).map((o) => o.allocationId),
    );
    await agent.send(allDone(run.orders[i] ?? []));
  }
  await world.work();
  const after = await detail(run);
  t.match(after, { status: 'FAILED', callTiming: { successCount: 4, errorCount: 0 }, passed: null });
  t.ok(after.revisedAt);
  await takeOrders();
});
