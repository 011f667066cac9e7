/** The limits of a plan: runs beyond it are refused with a sentence, of two concurrent ones one passes, credits are counted once. */

import t, { type Test } from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { DEFAULT_PLANS, type PlanLimits, type PlanTable } from '../../contract/people/plans.ts';
import { TIERS, type Tier } from '../../contract/people/words.ts';
import { longestRun, planRefusal, type RunSize, usedSeconds } from '../../domain/plans.ts';
import { TEARDOWN_SECONDS } from '../../domain/run/run-machine.ts';
import { HANDLERS } from '../../handlers.ts';
import type { Ports } from '../../ports.ts';
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
import { validateRun } from '../run/validate.ts';

/** A world whose organization has a plan with these limits; 4 calls need 8 endpoints for 2 s of build-up and 5 s of call. */
async function openPlan(t: Test, limits: Partial<PlanLimits>, plan: Tier = 'FREE') {
  const world = await openWorld(t);
  const plans: PlanTable = { ...DEFAULT_PLANS, [plan]: { ...DEFAULT_PLANS.UNLIMITED, ...limits } };
  Object.assign(world.ports.settings, { plans });
  const [organization] = acme().organizations;
  await world.provision({ organizations: [{ ...organization, plan }] });
  const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
  for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
  const validate = async () => {
    const run = await startRun(world);
    await validateRun(world.ports, run.runId);
    return { ...run, row: await runRow(world, run.runId) };
  };
  return { world, agents, validate };
}

const ENDPOINTS = 8;
const NEED_SECONDS = ENDPOINTS * (2 + 5 + TEARDOWN_SECONDS);

t.test('each limit refuses the run that goes beyond it, and says what to do', async (t) => {
  const rows = [
    {
      limits: { concurrentEndpoints: 2 * ENDPOINTS - 1 },
      code: 'PLAN_ENDPOINT_LIMIT',
      sentence:
        'The plan FREE includes 15 endpoints at once; open runs use 8, and this one needs 8. Wait until other runs end, or upgrade to STARTER or above (dashboard: Organization, Plan).',
    },
    {
      limits: { concurrentRuns: 1 },
      code: 'PLAN_RUN_LIMIT',
      sentence:
        'The plan FREE includes 1 run at once; 1 is open. Wait until one ends, or upgrade to STARTER or above (dashboard: Organization, Plan).',
    },
    {
      limits: { endpointMinutesPerMonth: 2 },
      code: 'CREDITS_EXHAUSTED',
      sentence:
        /^The plan FREE includes 2 endpoint minutes a month; in \d{4}-\d\d \(UTC\) 1\.3 are used or held by open runs, and this one needs 1\.3\. Wait for the next month, make the test shorter or smaller, or upgrade to STARTER/,
    },
  ] as const;
  for (const { limits, code, sentence } of rows) {
    await t.test(code, async (t) => {
      const { world, agents, validate } = await openPlan(t, limits);
      const first = await validate();
      t.equal(first.row.status, 'QUEUED', 'what fits is let in');
      const second = await validate();
      t.match(second.row, { status: 'CANNOT_RUN_FOR_NOW', error: { code, message: sentence } });
      const { endpoints } = await world.database.db
        .selectFrom('endpoints')
        .where('run_id', '=', second.runId)
        .select(({ fn }) => fn.countAll<number>().as('endpoints'))
        .executeTakeFirstOrThrow();
      t.equal(endpoints, 0, 'no endpoints, no traffic');
      t.equal(
        (await HANDLERS.getTestRun(second.context, { projectId: second.projectId, testRunId: second.runId })).error
          ?.code,
        code,
      );

      await HANDLERS.cancelTestRun(first.context, { projectId: first.projectId, testRunId: first.runId });
      t.equal((await validate()).row.status, 'QUEUED', 'once the other has ended there is room again');
      for (const agent of agents) await agent.orders();
    });
  }
});

t.test('of runs that are validated at once, no more pass than fit', async (t) => {
  for (const limits of [
    { concurrentEndpoints: 3 * ENDPOINTS },
    { concurrentRuns: 3 },
    { endpointMinutesPerMonth: Math.floor((3.5 * NEED_SECONDS) / 60) },
  ]) {
    await t.test(JSON.stringify(limits), async (t) => {
      const { world } = await openPlan(t, limits);
      const runs = [];
      for (let i = 0; i < 8; i++) runs.push(await startRun(world));
      await Promise.all(runs.map(({ runId }) => validateRun(world.ports, runId)));
      const statuses = await Promise.all(runs.map(async ({ runId }) => (await runRow(world, runId)).status));
      t.same(
        Object.entries(Object.groupBy(statuses, (s) => s))
          .map(([s, of]) => [s, of?.length])
          .sort(),
        [
          ['CANNOT_RUN_FOR_NOW', 5],
          ['QUEUED', 3],
        ],
      );
    });
  }
});

t.test('credits are counted once, when a run ends, in the month in which it does', async (t) => {
  const { world, agents } = await openPlan(t, { endpointMinutesPerMonth: 1000 });
  world.hold();
  const { db } = world.database;
  const usage = () =>
    db.selectFrom('usage_months').select(['month', 'endpoint_seconds', 'runs']).orderBy('month').execute();
  const run = await startRun(world);
  await world.work();
  const held = [];
  for (const agent of agents) held.push((await agent.orders()).filter(isAllocate));
  for (const [i, agent] of agents.entries()) {
    await agent.send({ allocations: (held[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })) });
  }
  t.same(await usage(), [], 'nothing before the end');
  world.pass(90);
  for (const [i, agent] of agents.entries()) await agent.send(allDone(held[i] ?? []));
  await world.work();
  const { status, started_at, ended_at } = await runRow(world, run.runId);
  t.equal(status, 'COMPLETED');
  const seconds = usedSeconds(ENDPOINTS, started_at as Date, ended_at as Date);
  t.ok(seconds >= 88 * ENDPOINTS && seconds <= 95 * ENDPOINTS, `${seconds} endpoint seconds`);
  const expected = [{ month: (ended_at as Date).toISOString().slice(0, 7), endpoint_seconds: seconds, runs: 1 }];
  t.same(await usage(), expected);
  await world.ports.jobs.enqueue(db, 'run.settle', { runId: run.runId });
  await world.ports.jobs.enqueue(db, 'run.watch', { runId: run.runId, status: 'RUNNING' });
  await world.work();
  t.same(await usage(), expected, 'once');

  const cancelled = await startRun(world);
  await world.work();
  await HANDLERS.cancelTestRun(cancelled.context, { projectId: cancelled.projectId, testRunId: cancelled.runId });
  t.same(await usage(), expected, 'a run that never started has used nothing');

  await db
    .updateTable('usage_months')
    .set({ endpoint_seconds: 1000 * 60 })
    .execute();
  const spent = await startRun(world);
  await validateRun(world.ports, spent.runId);
  t.match(await runRow(world, spent.runId), { status: 'CANNOT_RUN_FOR_NOW', error: { code: 'CREDITS_EXHAUSTED' } });
  // A new month: at most 31 days later.
  const later: Ports = { ...world.ports, now: () => new Date(world.ports.now().getTime() + 31 * 86_400_000) };
  const fresh = await startRun(world);
  await validateRun(later, fresh.runId);
  t.equal((await runRow(world, fresh.runId)).status, 'QUEUED');
});

t.test('no run is longer than its plan allows', async (t) => {
  const { world, validate } = await openPlan(t, { maxRunSeconds: 60 });
  const { row } = await validate();
  t.same([row.status, row.max_execution_seconds], ['QUEUED', 60]);
  await world.database.db.updateTable('organizations').set({ plan: 'UNLIMITED' }).execute();
  t.equal((await validate()).row.max_execution_seconds, 2 + 5 + 120);
  t.equal(longestRun({ ...DEFAULT_PLANS.FREE, maxRunSeconds: 300 }, 20), 20, 'a shorter one stays');
});

const Limit = fc.option(fc.integer({ min: 0, max: 100 }));
const Size = fc.record<RunSize>({
  endpoints: fc.integer({ min: 1, max: 40 }),
  buildupSeconds: fc.integer({ min: 0, max: 60 }),
  durationSeconds: fc.integer({ min: 1, max: 300 }),
  maxExecutionSeconds: fc.integer({ min: 1, max: 400 }),
});

t.test(
  'by arithmetic: what fits passes, what does not is refused by name, and the way up leads where it would fit',
  (t) => {
    const limits = fc.record({ concurrentEndpoints: Limit, concurrentRuns: Limit, endpointMinutesPerMonth: Limit });
    fc.assert(
      fc.property(
        fc.tuple(limits, limits, limits),
        fc.array(Size, { maxLength: 5 }),
        fc.integer({ min: 0, max: 6000 }),
        Size,
        ([free, starter, pro], open, usedEndpointSeconds, run) => {
          const plan = (l: object): PlanLimits => ({ ...DEFAULT_PLANS.UNLIMITED, ...l });
          const plans: PlanTable = {
            ...DEFAULT_PLANS,
            FREE: plan(free),
            STARTER: plan(starter),
            PRO: plan(pro),
            BUSINESS: plan({ concurrentEndpoints: 0, concurrentRuns: 0, endpointMinutesPerMonth: 0 }),
          };
          const seconds = (r: RunSize) =>
            r.endpoints * Math.min(r.buildupSeconds + r.durationSeconds + TEARDOWN_SECONDS, r.maxExecutionSeconds);
          const total = {
            concurrentEndpoints: [...open, run].reduce((n, r) => n + r.endpoints, 0),
            concurrentRuns: open.length + 1,
            endpointMinutesPerMonth: (usedEndpointSeconds + [...open, run].reduce((n, r) => n + seconds(r), 0)) / 60,
          };
          const over = (Object.keys(total) as (keyof typeof total)[]).find(
            (key) => free[key] !== null && total[key] > (free[key] as number),
          );
          const refusal = planRefusal(plans, 'FREE', { open, usedEndpointSeconds }, run, new Date());
          if (over === undefined) return refusal === null;
          const codes = {
            concurrentEndpoints: 'PLAN_ENDPOINT_LIMIT',
            concurrentRuns: 'PLAN_RUN_LIMIT',
            endpointMinutesPerMonth: 'CREDITS_EXHAUSTED',
          };
          const up = TIERS.slice(1).find((p) => {
            const limit = plans[p][over];
            return limit === null || total[over] <= limit;
          });
          return (
            refusal?.code === codes[over] &&
            refusal.message.startsWith(`The plan FREE includes ${free[over]} `) &&
            refusal.message.includes(`upgrade to ${up} or above`)
          );
        },
      ),
      { numRuns: 500 },
    );
    const refusal = planRefusal(
      { ...DEFAULT_PLANS, UNLIMITED: { ...DEFAULT_PLANS.UNLIMITED, concurrentRuns: 0 } },
      'UNLIMITED',
      { open: [], usedEndpointSeconds: 0 },
      { endpoints: 1, buildupSeconds: 0, durationSeconds: 1, maxExecutionSeconds: 10 },
      new Date(),
    );
    t.match(
      refusal?.message,
      /0 runs at once; 0 are open\. .* ask the operator of this installation\.$/,
      'the highest plan',
    );
    t.end();
  },
);
