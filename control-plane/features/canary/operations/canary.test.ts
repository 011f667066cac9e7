/** A run with a canary, on rows: executions before its load, the load, executions while it is on; the state of the probe. */
import t from 'tap';
import type { AllocateOrder } from '../../../domain/run/orders/orders.ts';
import { HANDLERS } from '../../../handlers.ts';
import { resumeRuns } from '../../../operations/jobs.ts';
import {
  acme,
  allDone,
  allocationFacts,
  callProbe,
  FakeAgent,
  isAllocate,
  openWorld,
  outcomeFact,
  ownerContext,
  TOKENS,
} from '../../../testing/world.ts';

const world = await openWorld(t);
// Executions are 5 s apart, and none may be due before.
world.hold();
const { db } = world.database;
const [organization] = acme(4, 1000).organizations;
const [project] = organization?.projects ?? [];
const door = callProbe('door', 'Front door', { enabled: false, thresholds: [], alertStrikeRuns: 1 });
await world.provision({ organizations: [{ ...organization, projects: [{ ...project, probes: [door] }] }] });
const agent = new FakeAgent(world);
await agent.greet(TOKENS[0]);
const context = await ownerContext(world, 'acme');
const test = await db.selectFrom('tests').select(['id', 'project_id as projectId']).executeTakeFirstOrThrow();
const { id: probeId } = await db.selectFrom('probes').select('id').executeTakeFirstOrThrow();
const { projectId } = test;
const start = (canary: object) =>
  HANDLERS.runTest(context, {
    ...{ projectId, testId: test.id, overrides: { durationSeconds: 60 } },
    canary: { probeId, calls: 2, everySeconds: 5, ...canary },
  });
const read = (testRunId: string) => HANDLERS.getTestRun(context, { projectId, testRunId });
const probe = () => HANDLERS.getProbe(context, { projectId, probeId });

async function due(): Promise<AllocateOrder[]> {
  await world.work();
  return (await agent.orders()).filter(isAllocate);
}
const ready = (orders: readonly AllocateOrder[]) =>
  agent.send({ allocations: orders.map((o) => allocationFacts(o.allocationId, { state: 'READY' })) });

/** The canary's next execution, with this set-up time, or refused. */
async function execution(pddMs: number | 'BUSY'): Promise<void> {
  const orders = await due();
  t.equal(orders.length, 1, 'one execution and nothing else');
  await ready(orders);
  const said =
    pddMs === 'BUSY'
      ? ({ outcome: 'CALL_FAILED', cause: 'BUSY', callResult: 'REJECTED', finalStatus: 486, pddMs: 4 } as const)
      : { pddMs };
  await agent.send({
    allocations: orders.map((o) =>
      allocationFacts(o.allocationId, {
        outcomes: o.endpoints.number.map((n) => outcomeFact(n, said)),
        state: 'DONE',
      }),
    ),
  });
  // The next one begins later.
  world.pass(0.01);
}

t.test('executions before the load, then the load, then executions while it is on', async (t) => {
  const { testRunId, status } = await start({});
  t.equal(status, 'PENDING');
  for (const pddMs of [40, 60]) {
    await execution(pddMs);
    // A restart in between neither loses nor doubles one.
    world.jobs.splice(0);
    await resumeRuns(world.ports);
    t.match(await read(testRunId), { status: 'PENDING', startedAt: null });
  }
  const load = await due();
  t.equal(load.length, 2, 'callers and callees');
  t.match(await read(testRunId), { status: 'QUEUED', canary: { idle: { good: 2, setUpMs: { median: 40 } } } });
  await ready(load);
  t.equal((await read(testRunId)).status, 'RUNNING');
  world.pass(2);
  for (const pddMs of [300, 310, 'BUSY'] as const) {
    await execution(pddMs);
    t.same(await due(), [], 'not before its time');
    world.pass(5);
  }
  await execution(320);
  world.pass(43);
  t.same(await due(), [], 'what would begin after the load is not executed');
  await agent.send(allDone(load));
  await world.work();
  world.pass(60);
  t.same(await due(), [], 'after the load there is none');
  const run = await read(testRunId);
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 4 } });
  t.match(run.canary, {
    ...{ probeId, probeName: 'Front door', mode: 'CALL', calls: 2, everySeconds: 5, setUpRatio: null },
    loaded: { executions: 4, good: 3, failed: 1 },
  });
  t.match(run.canary?.sentences, [/^Too few values .* 2 before the load/, /^1 of 4 failed while it was on/]);
  t.match(
    run.canary?.executions.map(({ phase, result }) => `${phase} ${result}`),
    ['IDLE GOOD', 'IDLE GOOD', 'LOADED GOOD', 'LOADED GOOD', 'LOADED FAILED', 'LOADED GOOD'],
  );
  const { rows } = await HANDLERS.listProbeInstances(context, {
    ...{ projectId, probeId, page: 1, per_page: 10, sort: '-scheduledAt' },
  });
  t.equal(rows.length, 6);
  t.ok(
    rows.every((i) => i.canaryOf === testRunId && i.testRunId !== testRunId),
    'executions as all others, and said to be of a canary',
  );
  const found = await probe();
  t.match(found, { status: 'HEALTHY', strikes: 0 });
  t.same(await db.selectFrom('probe_incidents').selectAll().execute(), [], 'a load that was ordered alarms nobody');
});

t.test('stopped before its load, and without its probe', async (t) => {
  const stopped = await start({});
  t.equal((await due()).length, 1);
  await HANDLERS.cancelTestRun(context, { projectId, testRunId: stopped.testRunId });
  await world.work();
  t.match(await read(stopped.testRunId), { status: 'CANCELLED', canary: { executions: [{ result: null }] } });
  await agent.orders();
  const { testRunId } = await start({ calls: 1 });
  await HANDLERS.deleteProbe(context, { projectId, probeId });
  t.equal((await due()).length, 2, 'the load starts without executions before it');
  t.match(await read(testRunId), { status: 'QUEUED', canary: { probeName: 'Front door', executions: [] } });
  await t.rejects(start({}), { code: 'VALIDATION_ERROR' }, 'there is no such probe any more');
});
