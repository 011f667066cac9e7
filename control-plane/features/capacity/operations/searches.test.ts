/** A capacity search with real operations on a real database: trials are runs, carried by an agent that knows the ceiling. */
import t from 'tap';
import { CATALOGUE } from '../../../catalogue.ts';
import type { Input } from '../../../contract/catalogue.ts';
import type { AllocateOrder } from '../../../domain/run/orders/orders.ts';
import { isOver } from '../../../domain/run/run-machine.ts';
import { HANDLERS } from '../../../handlers.ts';
import { resumeRuns } from '../../../operations/jobs.ts';
import {
  acme,
  allocationFacts,
  FakeAgent,
  isAllocate,
  openWorld,
  outcomeFact,
  ownerContext,
  TOKENS,
} from '../../../testing/world.ts';

const world = await openWorld(t);
const [organization] = acme(4, 1000).organizations;
const TARGET = 'sip:9@127.0.0.1:5070';
await world.provision({
  organizations: [
    {
      ...organization,
      projects: [
        {
          slug: 'lab',
          name: 'Lab',
          tests: [
            {
              slug: 'calls',
              name: 'Calls',
              durationSeconds: 1,
              groups: [
                {
                  name: 'callers',
                  registrar: 'cloud',
                  callee: { mode: 'EXTERNAL_URI', uri: TARGET },
                  placement: { mode: 'REGION', region: 'local' },
                  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
});
const agent = new FakeAgent(world);
agent.sipAbilities = ['LOAD'];
await agent.greet(TOKENS[0]);
const context = await ownerContext(world, 'acme');
const test = await world.database.db
  .selectFrom('tests')
  .select(['id', 'project_id as projectId'])
  .executeTakeFirstOrThrow();
const { projectId } = test;

const searchInput = (more: object): Input<'startCapacitySearch'> =>
  CATALOGUE.startCapacitySearch.input.parse({ projectId, testId: test.id, ...more });
const start = (more: object) => HANDLERS.startCapacitySearch(context, searchInput(more));
const read = (capacitySearchId: string) => HANDLERS.getCapacitySearch(context, { projectId, capacitySearchId });

/** Refuses calls beyond `ceiling` in each second; in the first second, the warm-up, it refuses all. */
async function carry(order: AllocateOrder, ceiling: number): Promise<void> {
  await agent.send({ allocations: [allocationFacts(order.allocationId, { state: 'READY' })] });
  const row = await world.database.db
    .selectFrom('test_runs')
    .where('id', '=', order.runId)
    .select('started_at as startedAt')
    .executeTakeFirstOrThrow();
  const startMs = row.startedAt?.getTime() ?? 0;
  const [load] = order.load?.steps ?? [];
  const rate = load?.callsPerSecond ?? 0;
  const calls = order.load?.calls || Math.round(rate * (load?.seconds ?? 0));
  const numbers = order.endpoints.number;
  const apart = order.load?.runEndpoints ?? 1;
  const inSecond = new Map<number, number>();
  const outcomes = Array.from({ length: calls }, (_, i) => {
    const at = i / rate;
    const second = Math.floor(at);
    const rank = (inSecond.get(second) ?? 0) + 1;
    inSecond.set(second, rank);
    const isRefused = second === 0 || rank > ceiling;
    return outcomeFact((numbers[i % numbers.length] ?? 0) + Math.floor(i / numbers.length) * apart, {
      calleeUri: TARGET,
      plannedUnixMs: startMs + at * 1000,
      ...(isRefused && { outcome: 'CALL_FAILED', cause: 'BUSY', callResult: 'REJECTED', finalStatus: 503 }),
    });
  });
  // Endpoints for which the load had no call.
  const spare = numbers
    .slice(calls)
    .map((n) => outcomeFact(n, { attempted: false, callResult: null, finalStatus: 0, finalReason: '', callId: '' }));
  const startNoise = {
    unixMs: startMs,
    inviteLate: [],
    actionLate: [],
    planned: calls,
    started: calls,
    ...{ notStarted: 0, heldBack: 0, noFreeEndpoint: 0 },
  };
  await agent.send({
    allocations: [allocationFacts(order.allocationId, { outcomes: [...outcomes, ...spare], startNoise })],
  });
  await agent.send({ allocations: [allocationFacts(order.allocationId, { state: 'DONE' })] });
}

/** Until the search has ended; `each`: before each trial. */
async function through(id: string, ceiling: number, each?: () => Promise<void>): Promise<void> {
  for (let trials = 0; trials < 60; trials++) {
    await each?.();
    await world.work();
    for (const order of (await agent.orders()).filter(isAllocate)) await carry(order, ceiling);
    await world.work();
    if ((await read(id)).endedAt !== null) return;
    world.pass(6);
  }
  throw new Error('the search goes on');
}

const QUICK = { trialSeconds: 4, warmUpSeconds: 1, drainSeconds: 5, precisionPercent: 5, backgroundFailureShare: 0 };

t.test('the ceiling of a target is found, its warm-up left out, by runs that anybody can look at', async (t) => {
  const search = await start(QUICK);
  t.match(search, { status: 'WAITING', trialCount: 0, answer: null, settings: { start: 10, callSeconds: 1 } });
  // After each restart of the control plane: nothing is lost, and nothing is done twice.
  await through(search.id, 22, async () => {
    world.jobs.splice(0);
    await resumeRuns(world.ports);
    await resumeRuns(world.ports);
  });
  const { status, answer, trials, trialCount, testName } = await read(search.id);
  t.match({ status, testName }, { status: 'COMPLETED', testName: 'Calls' });
  t.match(answer, { found: 'CEILING', sentence: /^2\d(\.\d)? calls\/s, ceiling found; the ceiling lies between/ });
  t.ok(Math.abs((answer?.level ?? 0) - 22) <= 1.1, `found ${answer?.level}`);
  t.equal(trials.length, trialCount);
  t.equal(new Set(trials.map((trial) => trial.testRunId)).size, trials.length);
  t.match(trials[0], { level: 10, phase: 'BRACKET', result: 'PASSED', evidence: { planned: 40, failed: 0 } });
  t.ok(trials.some((trial) => trial.phase === 'CONFIRM'));
  const failed = trials.find((trial) => trial.result === 'FAILED');
  t.match(failed?.evidence?.reasons, [/Successful calls: .* asked at least 99 %/]);
  t.ok((failed?.evidence?.carried ?? 0) <= 22.5, 'what is carried is what the target takes');
  const run = await HANDLERS.getTestRun(context, { projectId, testRunId: trials[0]?.testRunId ?? '' });
  t.match(run, { status: 'COMPLETED', testName: 'Calls' });
  const { rows } = await HANDLERS.listCapacitySearches(context, {
    projectId,
    page: 1,
    per_page: 25,
    sort: '-createdAt',
  });
  t.match(rows, [{ id: search.id, status: 'COMPLETED', method: 'BISECT', objective: 'CALLS_PER_SECOND' }]);
});

t.test('strict: the steps of RFC 7502, and its form', async (t) => {
  const rfc7502 = { sessions: 30, startRate: 10, window: 0.5, mostSteps: 4 };
  const search = await start({ method: 'RFC7502_STRICT', rfc7502, drainSeconds: 0 });
  await world.work();
  // The whole first second is refused: every step fails.
  await through(search.id, 1000);
  const { answer, trials, report } = await read(search.id);
  t.same(
    trials.map(({ level }) => level),
    [10, 7, 6, 5],
    'd is 0.25, then 0.125, then 0.1',
  );
  t.match(answer, { found: 'UNSETTLED', level: null });
  t.match(report?.form, /Session Attempt Rate = 5 session attempts\/sec/);
  t.match(report?.form, /Total Sessions Attempted = 120 sessions/);
});

t.test('a search is cancelled with the run of its trial', async (t) => {
  const search = await start(QUICK);
  await world.work();
  await agent.orders();
  t.equal((await read(search.id)).status, 'TRYING');
  const cancelled = await HANDLERS.cancelCapacitySearch(context, { projectId, capacitySearchId: search.id });
  t.equal(cancelled.status, 'CANCELLED');
  const [trial] = cancelled.trials;
  const run = await HANDLERS.getTestRun(context, { projectId, testRunId: trial?.testRunId ?? '' });
  t.ok(isOver(run.status));
  await world.work();
  t.equal((await read(search.id)).status, 'CANCELLED', 'what comes late changes nothing');
  await t.rejects(HANDLERS.cancelCapacitySearch(context, { projectId, capacitySearchId: search.id }), {
    code: 'CONFLICT',
  });
});

t.test('what cannot be searched is refused by name', async (t) => {
  const refused = (more: object, path: string) =>
    t.rejects(start(more), { code: 'VALIDATION_ERROR', details: [{ path }] }, path);
  await refused({ least: 5, most: 2 }, 'least');
  await refused({ start: 5000 }, 'start');
  await refused({ objective: 'CALLS_AT_ONCE', least: 0.5 }, 'objective');
  await refused({ rfc7502: { sessions: 10 } }, 'rfc7502');
  await t.rejects(HANDLERS.startCapacitySearch(context, searchInput({ testId: 'none' })), { code: 'NOT_FOUND' });
});

t.test('no agent: the search says why it ended', async (t) => {
  await world.database.db.updateTable('workers').set({ status: 'OFFLINE' }).execute();
  const search = await start(QUICK);
  await world.work();
  t.match(await read(search.id), { status: 'FAILED', error: /^NO_ONLINE_WORKER: / });
});
