/** Abnormal ends of runs: overtime, facts that cannot be stored, figures that cannot be computed. */
import { sql } from 'kysely';
import t from 'tap';
import { HANDLERS } from '../../handlers.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  openWorld,
  runningRun,
  runRow,
  someSamples,
  startRun,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { depart } from '../agents/depart.ts';
import { settleRun } from './settle.ts';

const world = await openWorld(t);
const { db } = world.database;
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);

const running = () => runningRun(world, agents);
type Running = Awaited<ReturnType<typeof running>>;

async function finish(run: Running): Promise<void> {
  for (const [i, agent] of agents.entries()) await agent.send(allDone(run.orders[i] ?? []));
}

t.test('agents that stop by themselves at the hard end do not make an overlong run a good one', async (t) => {
  const run = await running();
  for (const order of run.orders.flat()) {
    t.ok(order.hardEndMs > 127_000, 'the stop of the control plane comes first');
  }
  world.jobs.length = 0;
  world.pass(2 + 5 + 120 + 2);
  await finish(run);
  await world.work();
  t.match(await runRow(world, run.runId), { status: 'FAILED', error: { code: 'EXECUTION_TIME_EXCEEDED' } });
});

t.test('a batch that the database never accepts does not stop later ones', async (t) => {
  const run = await running();
  const [first] = run.orders[0] ?? [];
  const counts = (status: number, count = 1) => ({
    sent: [false],
    method: ['INVITE'],
    status: [status],
    reason: ['OK'],
    count: [count],
    retransmissions: [0],
  });
  const send = (status: number) =>
    agents[0].send({ allocations: [allocationFacts(first?.allocationId ?? '', { sipCounts: counts(status) })] });
  t.equal((await send(70_000)).result, 'refused');
  t.equal((await send(200)).result, 'committed', 'the outbox has moved on');
  const rows = await db.selectFrom('sip_counts').where('run_id', '=', run.runId).select('status').execute();
  t.same(rows, [{ status: 200 }]);
  await finish(run);
  await world.work();
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
});

t.test('streams are drawn from samples only where the agent was lost', async (t) => {
  const run = await running();
  for (const [i, agent] of agents.entries()) {
    const allocations = (run.orders[i] ?? []).map((o) =>
      allocationFacts(o.allocationId, { samples: someSamples(world.ports.now().getTime(), o.endpoints.number, 3) }),
    );
    await agent.send({ allocations });
  }
  await agents[1].send(allDone(run.orders[1] ?? []));
  await depart(world.ports, agents[0].connectionId);
  world.pass(31);
  await world.work();
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
  const drawn = await db.selectFrom('streams').where('run_id', '=', run.runId).select('endpoint_number').execute();
  const lost = (run.orders[0] ?? []).flatMap((o) => o.endpoints.number);
  t.same(
    drawn.map((s) => s.endpoint_number).sort((a, b) => a - b),
    [...lost].sort((a, b) => a - b),
  );
  await agents[0].greet();
});

t.test('a run whose figures cannot be drawn ends', async (t) => {
  const unsettled = async (cancelled: boolean) => {
    const run = await running();
    await agents[0].send({ noise: [noise(world.ports.now().getTime())] });
    await db
      .updateTable('noise')
      .set({ pacing_error: [99_999, 1] })
      .where('run_id', '=', run.runId)
      .execute();
    if (cancelled) await HANDLERS.cancelTestRun(run.context, { projectId: run.projectId, testRunId: run.runId });
    await finish(run);
    world.jobs.length = 0;
    await t.rejects(settleRun(world.ports, run.runId, 1), /bucket/);
    t.equal(await statusOf(world, run.runId), 'RUNNING', 'it may yet succeed');
    await settleRun(world.ports, run.runId, 5);
    return runRow(world, run.runId);
  };
  t.match(await unsettled(false), { status: 'FAILED', error: { code: 'INTERNAL' } });
  t.match(await unsettled(true), { status: 'CANCELLED', error: null });
});

const noise = (unixMs: number) => ({
  unixMs,
  seconds: 1,
  pacingError: [1, 1],
  slotsPlanned: 1,
  slotsSkipped: 0,
  loopDelay: [1, 1],
  threadCpu: 0.1,
  steal: 0,
  receiveDrops: 0,
  received: 1,
  clockSteps: 0,
  coldSeconds: 0,
  stamps: 'kernel',
});

t.test('a run that cannot be planned says so, and is not tried repeatedly', async (t) => {
  const { runId } = await startRun(world);
  await db
    .updateTable('test_runs')
    .set({ config: sql`jsonb_set(config, '{groups,0,callee,groupId}', '"gone"')` })
    .where('id', '=', runId)
    .execute();
  await world.work();
  t.match(await runRow(world, runId), { status: 'CANNOT_RUN_FOR_NOW', error: { code: 'INTERNAL' } });
});
