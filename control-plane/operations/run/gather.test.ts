/** What a folded run has by the second and by agent is gathered: fewer rows, and the same answers, for a run of any length. */
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { Timeline } from '../../contract/run/timeline.ts';
import type { StartNoiseFact } from '../../domain/run/facts.ts';
import { startNoiseOfRun } from '../../store/measured/noise.ts';
import { single } from '../../testing/reading.ts';
import { acme, allocationFacts, FakeAgent, openWorld, outcomeFact, runningRun, TOKENS } from '../../testing/world.ts';
import { CORE_JOB_HANDLERS, resumeRuns, wantedJobs } from '../jobs.ts';
import { streamTestRun } from '../run-view/live-run.ts';
import { gatherRun } from './gather.ts';

const ENDPOINTS = 4;
const BATCHES = 30;
const CALLS_A_BATCH = 3;
const [INCALL, CLOSED] = [5, 7];

const world = await openWorld(t);
const { db } = world.database;
const [organization] = acme().organizations;
const group = {
  ...{ name: 'callers', registrar: 'cloud', callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1:5070' } },
  placement: { mode: 'REGION', region: 'local' },
  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: ENDPOINTS, calls: null }],
};
const load = { shape: 'RATE', callsPerSecond: 20, seconds: 40_000 };
const lasting = { slug: 'lasting', name: 'Lasting', durationSeconds: 1, load, groups: [group] };
await world.provision({
  organizations: [{ ...organization, projects: [{ slug: 'lab', name: 'Lab', tests: [lasting] }] }],
});
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) {
  agent.sipAbilities = ['LOAD', 'CALL_AFTER_CALL'];
  await agent.greet(TOKENS[i]);
}
world.hold();
Object.assign(world.ports.settings, { exactCalls: 1 });

const rowsOf = async (table: 'call_seconds' | 'start_noise', runId: string): Promise<number> =>
  (
    await sql<{
      n: number;
    }>`select count(*)::float8 as n from ${sql.table(table)} where run_id = ${runId}::uuid`.execute(db)
  ).rows[0]?.n ?? Number.NaN;

const startNoise = (unixMs: number, n: number): StartNoiseFact => ({
  ...{ unixMs, inviteLate: [1, n, 5 + (n % 2), 1], actionLate: n % 3 === 0 ? [] : [2, 1] },
  ...{ planned: n + 3, started: n, notStarted: 1, heldBack: 0, noFreeEndpoint: 2 },
});

/** Each second of the run's time one agent has a batch; `lagSeconds`: how long ago the run has begun. */
async function running(lagSeconds: number) {
  const run = await runningRun(world, agents);
  const startedMs = Math.floor(world.ports.now().getTime() / 60_000) * 60_000 - lagSeconds * 1000;
  await sql`update test_runs set started_at = ${new Date(startedMs)} where id = ${run.runId}::uuid`.execute(db);
  const send = async (batch: number): Promise<void> => {
    const i = batch % agents.length;
    const order = run.orders[i]?.[0];
    const atMs = startedMs + batch * 1000;
    const mine = order?.endpoints.number[0] ?? 0;
    const numbers = Array.from({ length: CALLS_A_BATCH }, (_, k) => mine + ENDPOINTS * (batch * CALLS_A_BATCH + k));
    const phases = numbers.flatMap((number) => [
      { number, phase: INCALL, unixMs: atMs + 40 },
      { number, phase: CLOSED, unixMs: atMs + 1500 },
    ]);
    await agents[i]?.send({
      allocations: [
        allocationFacts(order?.allocationId ?? '', {
          progress: {
            endpoint: phases.map((p) => p.number),
            phase: phases.map((p) => p.phase),
            unixMs: phases.map((p) => p.unixMs),
          },
          outcomes: numbers.map((number) =>
            outcomeFact(number, { kept: false, plannedUnixMs: atMs, callSetupMs: 1 + (number % 50) }),
          ),
          startNoise: startNoise(atMs + 900, batch),
        }),
      ],
    });
  };
  return { run, send };
}

async function answers(run: Awaited<ReturnType<typeof running>>['run']) {
  const late = new Map<string, number>();
  for await (const { workerName, invite_late, action_late, planned, not_started } of startNoiseOfRun(db, run.runId)) {
    const count = (what: string, n: number) =>
      late.set(`${workerName} ${what}`, (late.get(`${workerName} ${what}`) ?? 0) + n);
    count('planned', planned);
    count('not started', not_started);
    for (const [what, pairs] of Object.entries({ invite_late, action_late }))
      for (let i = 0; i < pairs.length; i += 2) count(`${what} ${pairs[i]}`, pairs[i + 1] as number);
  }
  return {
    run: await single(run, 'getTestRun'),
    timeline: await single(run, 'getTestRunTimeline'),
    histograms: await single(run, 'getTestRunHistograms'),
    late: [...late].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

async function isGathered(t: Test, lagSeconds: number, stepSeconds: number): Promise<void> {
  const { run, send } = await running(lagSeconds);
  for (let batch = 0; batch < BATCHES; batch++) {
    await send(batch);
    if (batch % 7 !== 6) continue;
    const before = await answers(run);
    await gatherRun(world.ports, run.runId);
    t.same(await answers(run), before, `after batch ${batch}`);
  }
  await gatherRun(world.ports, run.runId);
  const steps = Math.ceil((BATCHES + 3) / stepSeconds) + 1;
  const seconds = await rowsOf('call_seconds', run.runId);
  t.ok(seconds <= steps, `${seconds} rows of ${steps} steps`);
  const starts = await rowsOf('start_noise', run.runId);
  t.ok(starts <= steps + agents.length, `${starts} rows of ${steps} steps and ${agents.length} agents`);
  const before = await answers(run);
  await gatherRun(world.ports, run.runId);
  t.same(await answers(run), before, 'once more');
  for (const [i, agent] of agents.entries())
    await agent.send({
      allocations: (run.orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'DONE' })),
    });
  await world.work();
  const ended = await single(run, 'getTestRun');
  t.match(ended, {
    status: 'COMPLETED',
    starts: before.run.starts,
    callTiming: { totalCalls: BATCHES * CALLS_A_BATCH },
  });
}

for (const [lagSeconds, stepSeconds] of [
  [100, 1],
  [3000, 5],
  [30_000, 30],
] as const)
  t.test(`a run that lasts ${lagSeconds} s has a row for ${stepSeconds} s`, (t) =>
    isGathered(t, lagSeconds, stepSeconds),
  );

t.test('the last seconds stay as they are, and those that rules of the test look back at', async (t) => {
  const { run, send } = await running(BATCHES);
  for (let batch = 0; batch < BATCHES; batch++) await send(batch);
  const all = await rowsOf('call_seconds', run.runId);
  await sql`update test_runs set config = config || '{"abortOn": "successShare<1 for 600s"}' where id = ${run.runId}::uuid`.execute(
    db,
  );
  await gatherRun(world.ports, run.runId);
  t.equal(await rowsOf('call_seconds', run.runId), all);
  await sql`update test_runs set config = config || '{"abortOn": null}' where id = ${run.runId}::uuid`.execute(db);
  await gatherRun(world.ports, run.runId);
  const left = await rowsOf('call_seconds', run.runId);
  t.ok(left < all && left > 10, `${left} of ${all} rows`);
});

t.test('a run is gathered at an interval, also after the control plane that did it was killed', async (t) => {
  const { run, send } = await running(100);
  for (let batch = 0; batch < BATCHES; batch++) await send(batch);
  const all = await rowsOf('call_seconds', run.runId);
  world.jobs.length = 0;
  for (let restarts = 0; restarts < 3; restarts++) await resumeRuns(world.ports);
  const waiting = () => world.jobs.filter(({ name }) => name === 'runs.gather').length;
  t.equal(waiting(), 0, 'a restart adds nothing to what is proposed at an interval');
  t.equal(await wantedJobs(world.ports)['runs.gather'](), true);
  await CORE_JOB_HANDLERS['runs.gather'](world.ports, {}, 1);
  const left = await rowsOf('call_seconds', run.runId);
  t.ok(left < all, `${left} of ${all} rows`);
  t.equal(waiting(), 0, 'nor does the job itself');
  await sql`update test_runs set folded = false where folded`.execute(db);
  t.equal(await wantedJobs(world.ports)['runs.gather'](), false, 'nothing is proposed without a folded run');
  await sql`update test_runs set folded = true where id = ${run.runId}::uuid`.execute(db);
});

t.test('a watched page has the curves that a request gives, although a look draws only the last of them', async (t) => {
  const { run, send } = await running(100);
  for (let batch = 0; batch < BATCHES; batch++) await send(batch);
  const path = { projectId: run.projectId, testRunId: run.runId };
  const watch = () => streamTestRun(run.context, path);
  const first = await watch();
  await first.next();
  await send(98);
  const wanted = (await single(run, 'getTestRunTimeline')).setupMs;
  const counted = (count: readonly number[]): number => count.reduce((sum, n) => sum + n, 0);
  for (let counts = 0; counts < counted(wanted.count); ) {
    await first.next();
    const other = await watch();
    const [, { data }] = (await other.next()) as unknown as [unknown, { readonly data: Timeline }];
    other.close();
    counts = counted(data.setupMs.count);
    if (counts === counted(wanted.count)) t.same(data.setupMs, wanted);
  }
  first.close();
});
