/** Rules that end a run: reports of agents, the jobs of the control plane, on a real database. */
import t from 'tap';
import { HANDLERS } from '../../handlers.ts';
import {
  acme,
  allDone,
  allocationFacts,
  callsTest,
  FakeAgent,
  openWorld,
  outcomeFact,
  runningRun,
  runRow,
  someSamples,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { recentFigures } from '../run-view/recent-figures.ts';

const CLOSED = 7;
const INCALL = 5;
const world = await openWorld(t);
world.hold();
const [organization] = acme(40, 200).organizations;
const provision = (abortOn: string | null) =>
  world.provision({
    organizations: [
      {
        ...organization,
        projects: [{ slug: 'lab', name: 'Lab', tests: [{ ...callsTest(40), abortOn, breaker: null }] }],
      },
    ],
  });
await provision(null);
const agent = new FakeAgent(world);
await agent.greet(TOKENS[0]);

/** A run that started just now, and its callers. */
async function started(abortOn: string | null) {
  await provision(abortOn);
  const run = await runningRun(world, [agent]);
  await world.work();
  const { started_at } = await runRow(world, run.runId);
  world.pass(((started_at as Date).getTime() - world.ports.now().getTime()) / 1000);
  const callers = run.orders[0]?.find(({ role }) => role === 'CALLER') as (typeof run.orders)[number][number];
  let next = 0;
  /** These calls end now, after a set-up of this length. */
  const ends = async (good: number, bad: number, setupMs = 100) => {
    const numbers = callers.endpoints.number.slice(next, next + good + bad);
    next += good + bad;
    const nowMs = world.ports.now().getTime();
    const outcomes = numbers.map((number, i) =>
      outcomeFact(number, {
        callSetupMs: setupMs,
        ...(i >= good && { outcome: 'CALL_FAILED', callResult: 'REJECTED', finalStatus: 503, cause: 'SERVER_FAILURE' }),
      }),
    );
    const answered = numbers.slice(0, good);
    const phases = {
      endpoint: [...answered, ...numbers],
      phase: [...answered.map(() => INCALL), ...numbers.map(() => CLOSED)],
      unixMs: [...answered, ...numbers].map(() => nowMs),
    };
    await agent.send({ allocations: [allocationFacts(callers.allocationId, { outcomes, phases })] });
  };
  /** Jobs are done in each second. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      world.pass(1);
      await world.work();
    }
  };
  const isEnding = async () => (await runRow(world, run.runId)).ending_event !== null;
  const finish = async () => {
    await agent.orders();
    await agent.send(allDone(run.orders[0] ?? []));
    await world.work();
  };
  return { ...run, callers, ends, pass, isEnding, finish };
}

t.test('a target that breaks ends the run, which says why and keeps its figures', async (t) => {
  const { runId, projectId, context, ends, pass, isEnding, finish } = await started('successShare<90 for 5s');
  await ends(10, 0);
  await pass(6);
  await ends(9, 1);
  await pass(1);
  t.notOk(await isEnding(), '90 % is no miss');
  await ends(0, 1);
  await pass(2);
  t.ok(await isEnding());
  const orders = (await agent.orders()).filter(({ kind }) => kind !== 'start');
  t.same([...new Set(orders.map(({ kind }) => kind))], ['stop'], 'agents are stopped');
  await finish();
  const run = await HANDLERS.getTestRun(context, { projectId, testRunId: runId });
  t.match(run, {
    status: 'FAILED',
    error: {
      code: 'ABORTED',
      message: /^successShare<90 for 5s: Successful calls was 81\.8182 % \(11 values\)\.$/,
    },
  });
  t.ok(run.callTiming.totalCalls >= 21, 'its figures stand');
});

t.test('what does not end a run', async (t) => {
  const run = await started('successShare<90 for 5s, callSetup>2000 for 4s, avgMos<3 for 3s');
  await run.pass(10);
  t.notOk(await run.isEnding(), 'nothing was measured');
  await run.ends(18, 2, 2000);
  await run.pass(7);
  t.notOk(await run.isEnding(), 'all is at its limit');
  await HANDLERS.cancelTestRun(run.context, { projectId: run.projectId, testRunId: run.runId });
  await run.ends(0, 20);
  await run.pass(7);
  await run.finish();
  t.equal(await statusOf(world, run.runId), 'CANCELLED', 'the first cause counts');
});

t.test('a rule waits for its seconds, and the first one of a text that misses is named', async (t) => {
  const run = await started('callSetup>2000 for 8s, successShare<90 for 4s');
  await run.ends(0, 10);
  await run.pass(3);
  t.notOk(await run.isEnding(), 'after 3 s');
  await run.pass(1);
  t.ok(await run.isEnding(), 'after 4 s');
  await run.finish();
  t.match((await runRow(world, run.runId)).error, { message: /^successShare/ });
});

t.test('slow answers, bad ratings', async (t) => {
  const slow = await started('callSetup>2000 for 3s');
  await slow.pass(2);
  await slow.ends(19, 0);
  await slow.ends(1, 0, 2001);
  await slow.pass(2);
  t.notOk(await slow.isEnding(), 'p95 is good');
  await slow.ends(1, 0, 2001);
  await slow.pass(1);
  t.ok(await slow.isEnding());
  await slow.finish();

  const bad = await started('avgMos<4.2 for 3s');
  await bad.pass(3);
  const samples = someSamples(world.ports.now().getTime() - 1000, bad.callers.endpoints.number, 1);
  await agent.send({ allocations: [allocationFacts(bad.callers.allocationId, { samples })] });
  await bad.pass(1);
  const figures = await recentFigures(
    world.database.db,
    { id: bad.runId, isFolded: false },
    new Date(world.ports.now().getTime() - 3000),
  );
  const mean = Array.from(samples.mos).reduce((sum, mos) => sum + mos, 0) / samples.mos.length;
  t.equal(figures.avgMos.count, samples.mos.length);
  t.ok(Math.abs(figures.avgMos.value - mean) < 1e-3, `${figures.avgMos.value} of ${mean}`);
  t.ok(await bad.isEnding());
  await bad.finish();
});

t.test('a test without rules asks nothing, and a run that has ended is not asked again', async (t) => {
  const { finish, pass, runId } = await started(null);
  t.same(
    world.jobs.filter(({ name }) => name === 'run.abort'),
    [],
  );
  await finish();
  t.equal(await statusOf(world, runId), 'COMPLETED');
  const run = await started('successShare<1 for 600s');
  await run.finish();
  await pass(2);
  t.same(
    world.jobs.filter(({ name }) => name === 'run.abort'),
    [],
  );
});
