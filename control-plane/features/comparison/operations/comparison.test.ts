/** Two runs compared with real operations on a real database. */
import t from 'tap';
import { HANDLERS } from '../../../handlers.ts';
import { runDetail } from '../../../store/run/run-rows.ts';
import {
  acme,
  allocationFacts,
  FakeAgent,
  openWorld,
  outcomeFact,
  runningRun,
  runRow,
  TOKENS,
} from '../../../testing/world.ts';
import { drawAhead } from './comparison.ts';

const CALLS = 60;
const SECONDS = 60;
const world = await openWorld(t);
await world.provision(acme(CALLS, 1000));
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
await agents[0].greet(TOKENS[0]);
await agents[1].greet(TOKENS[1]);

/** One call a second, set up in about this many milliseconds. */
async function ran(setupMs: number) {
  const run = await runningRun(world, agents);
  const startMs = (await runRow(world, run.runId)).started_at?.getTime() ?? 0;
  for (const [i, agent] of agents.entries()) {
    const allocations = (run.orders[i] ?? []).map((order) =>
      allocationFacts(order.allocationId, {
        outcomes: order.endpoints.number.map((number) => {
          const second = number % SECONDS;
          return outcomeFact(number, {
            plannedUnixMs: startMs + second * 1000,
            callSetupMs: setupMs * (1 + (second % 7) / 50),
          });
        }),
        state: 'DONE',
      }),
    );
    await agent.send({ allocations });
  }
  await world.work();
  return run;
}

const first = await ran(100);
const { projectId, context } = first;
const compared = (testRunId: string, baseline: string) =>
  HANDLERS.compareTestRuns(context, { projectId, testRunId, baseline_run_id: baseline });
const second = await ran(130);
const third = await ran(100);

t.test('what is kept of a large run compares as what is drawn', async (t) => {
  const { db } = world.database;
  const drawn = await compared(second.runId, first.runId);
  await db.updateTable('test_runs').set({ endpoints: 5000 }).where('id', '=', second.runId).execute();
  const row = await runDetail(db, projectId, second.runId);
  await drawAhead(db, row as NonNullable<typeof row>);
  const kept = () => db.selectFrom('kept_figures').where('run_id', '=', second.runId).select('name').execute();
  const names = await kept();
  t.equal(names.length, 3);
  t.same(await compared(second.runId, first.runId), drawn);
  t.same(await kept(), names);
});

t.test('a slower set-up is worse, what is alike is not different', async (t) => {
  const slower = await compared(second.runId, first.runId);
  t.equal(slower.verdict, 'WORSE');
  t.match(slower.sentence, /Call set-up, p50 is worse by [23]\d/);
  const setup = slower.figures.find(({ key }) => key === 'callSetup.p50');
  t.match(setup, { verdict: 'WORSE', higherIsBetter: false, baseline: { count: CALLS }, run: { count: CALLS } });
  t.ok((setup?.interval?.from ?? 0) > 10 && (setup?.interval?.to ?? 0) < 50);
  const share = slower.figures.find(({ key }) => key === 'successShare');
  t.match(share, { verdict: 'NO_DIFFERENCE', by: 0, run: { value: 100, count: CALLS, interval: { to: 100 } } });
  t.equal((await compared(first.runId, second.runId)).verdict, 'BETTER');
  t.match(await compared(third.runId, first.runId), {
    verdict: 'NO_DIFFERENCE',
    sentence: 'No difference beyond chance.',
  });
});

t.test('SUSPECT runs are compared with a warning, VOID ones and those that did not complete are not', async (t) => {
  const { validity } = await runRow(world, third.runId);
  const judged = (verdict: 'SUSPECT' | 'VOID') =>
    world.database.db
      .updateTable('test_runs')
      .set({
        validity: JSON.stringify({ ...(validity as object), verdict, sentence: `${verdict}: calls were started late` }),
      })
      .where('id', '=', third.runId)
      .execute();
  await judged('SUSPECT');
  t.match(await compared(third.runId, first.runId), {
    verdict: 'NO_DIFFERENCE',
    warnings: [/is SUSPECT: calls were started late/],
  });
  await judged('VOID');
  t.match(await compared(third.runId, first.runId), {
    verdict: 'NOT_COMPARABLE',
    sentence: /is VOID/,
    figures: [],
  });
  await t.rejects(compared(first.runId, 'none'), { code: 'NOT_FOUND' });
  const open = await runningRun(world, agents);
  t.match(await compared(open.runId, first.runId), { verdict: 'NOT_COMPARABLE', sentence: /is RUNNING/ });
});

t.test('the trend of a test has its ended runs, last first, and leaves out those that a feature started', async (t) => {
  const { test_id: testId } = await runRow(world, first.runId);
  const trend = (page: { page: number; per_page: number } = { page: 1, per_page: 25 }, as = context) =>
    HANDLERS.listTestTrend(as, { projectId, testId, sort: '-submittedAt', ...page });
  const { rows, total } = await trend();
  t.equal(total, 3);
  t.same(
    rows.map(({ testRunId }) => testRunId),
    [third.runId, second.runId, first.runId],
  );
  t.match(rows[2], {
    status: 'COMPLETED',
    figures: { successShare: { value: 100, count: CALLS }, avgMos: { value: null, count: 0, scale: null } },
  });
  t.ok((rows[1]?.figures.setupP50Ms.value ?? 0) > 130);
  t.equal((await trend({ page: 3, per_page: 1 })).rows[0]?.testRunId, first.runId);
  await world.database.db
    .updateTable('test_runs')
    .set({ labels: JSON.stringify({ search: 'x', trial: '1' }) })
    .where('id', '=', second.runId)
    .execute();
  t.equal((await trend()).total, 3);
  const withOwn = (...ownLabels: string[]) =>
    trend(undefined, { ...context, ports: { ...context.ports, hooks: [{}, { ownLabels: [] }, { ownLabels }] } });
  t.equal((await withOwn('search', 'trial')).total, 2);
  t.equal((await withOwn('search', 'other')).total, 3, 'people may use one of these labels, too');
  const none = { projectId, testId: 'none', page: 1, per_page: 25, sort: '-submittedAt' } as const;
  await t.rejects(HANDLERS.listTestTrend(context, none), { code: 'NOT_FOUND' });
});
