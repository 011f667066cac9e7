/** Endpoints with several calls: the agents' orders, the assignment of facts, and the results of the calls, on a real database. */
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { AllocateOrder, ChangeLoadOrder } from '../../domain/run/orders/orders.ts';
import { HANDLERS } from '../../handlers.ts';
import { insertEvents } from '../../store/run/events.ts';
import { shareInstances } from '../../store/run/instances.ts';
import { everyPage, type ReadQuery, type Run, single } from '../../testing/reading.ts';
import {
  acme,
  allocationFacts,
  FakeAgent,
  isAllocate,
  openWorld,
  outcomeFact,
  startRun,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { everyEndpoint } from '../run-view/calls.ts';
import { knownRun } from '../run-view/runs.ts';

const ENDPOINTS = 4;
const TARGET = 'sip:9@127.0.0.1:5070';
const [CALLING, INCALL, CLOSED] = [2, 5, 7];
const world = await openWorld(t);
const [organization] = acme().organizations;
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
              slug: 'lasting',
              name: 'Lasting',
              durationSeconds: 1,
              load: { shape: 'RATE', callsPerSecond: 20, seconds: 5 },
              groups: [
                {
                  name: 'callers',
                  registrar: 'cloud',
                  callee: { mode: 'EXTERNAL_URI', uri: TARGET },
                  placement: { mode: 'REGION', region: 'local' },
                  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: ENDPOINTS, calls: null }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
});
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
const greet = async (...sipAbilities: string[]) => {
  for (const [i, agent] of agents.entries()) {
    agent.sipAbilities = sipAbilities;
    await agent.greet(agent.welcome ? '' : TOKENS[i]);
  }
};

t.test('agents that do not know such a load are named, and nothing is ordered', async (t) => {
  await greet('INFO');
  const { runId, projectId, context } = await startRun(world);
  await world.work();
  t.equal(await statusOf(world, runId), 'CANNOT_RUN_FOR_NOW');
  const { error } = await HANDLERS.getTestRun(context, { projectId, testRunId: runId });
  t.match(error?.message, /edge-1 lacks LOAD; edge-2 lacks LOAD/);
});

/** Of one call, from its first phase to its end. */
const facts = (number: number, more: Parameters<typeof outcomeFact>[1] = {}) => ({
  phases: [CALLING, INCALL, CLOSED].map((phase) => ({ number, phase })),
  outcome: outcomeFact(number, { calleeUri: TARGET, callId: `call-${number}`, ...more }),
});

const reportCalls = (order: AllocateOrder, calls: readonly ReturnType<typeof facts>[], more: object = {}) => {
  const phases = calls.flatMap((call) => call.phases);
  return allocationFacts(order.allocationId, {
    phases: {
      endpoint: phases.map(({ number }) => number),
      phase: phases.map(({ phase }) => phase),
      unixMs: phases.map(() => world.ports.now().getTime()),
    },
    outcomes: calls.map(({ outcome }) => outcome),
    ...more,
  });
};

t.test('a load that goes on is changed, and each agent told what it is from then on', async (t) => {
  await greet('LOAD');
  // The load lasts 5 s.
  world.hold();
  const { runId, projectId, context } = await startRun(world);
  const change = (callsPerSecond: number) => {
    world.pass(0.05);
    return HANDLERS.updateTestRunLoad(context, { projectId, testRunId: runId, callsPerSecond });
  };
  await t.rejects(change(10), { code: 'CONFLICT', message: /the run is PENDING/ });
  await world.work();
  const orders = await Promise.all(agents.map(async (agent) => (await agent.orders()).filter(isAllocate)));
  for (const [i, agent] of agents.entries())
    await agent.send({
      allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
    });
  for (const agent of agents) await agent.orders();
  const loadOf = async () => (await HANDLERS.getTestRun(context, { projectId, testRunId: runId })).load;
  t.match(await loadOf(), { shape: 'RATE', endpoints: ENDPOINTS, callsPerSecond: 20, callsPerSecondUnpaused: 20 });
  t.equal((await change(40)).status, 'RUNNING');
  t.match(await loadOf(), { callsPerSecond: 40, callsPerSecondUnpaused: 40 });
  await change(0);
  t.match(await loadOf(), { callsPerSecond: 0, callsPerSecondUnpaused: 40 });
  for (const [i, agent] of agents.entries()) {
    const reportCalls = await agent.orders();
    t.match(reportCalls, [
      { kind: 'changeLoad', allocationIds: orders[i]?.map((o) => o.allocationId) },
      { kind: 'changeLoad', allocationIds: orders[i]?.map((o) => o.allocationId) },
    ]);
    const [first, second] = reportCalls as ChangeLoadOrder[];
    t.same(
      [first, second].map((order) => order?.steps.at(-1)?.callsPerSecond),
      [40, 0],
    );
    t.same(second?.steps.slice(0, (first?.steps.length ?? 0) - 1), first?.steps.slice(0, -1), 'what was before stands');
    for (const order of [first, second])
      t.ok(Math.abs((order?.steps ?? []).reduce((sum, { seconds }) => sum + seconds, 0) - 5) < 1e-9, 'its end stands');
  }
  const [{ allocationId = '' } = {}] = orders[0] ?? [];
  const changing = await world.ports.database.transaction(async (tx) => {
    const ofShare = await tx
      .selectFrom('sub_population_instances')
      .where('id', '=', allocationId)
      .select('worker_id')
      .executeTakeFirstOrThrow();
    await shareInstances(tx, ofShare.worker_id, [allocationId]);
    const waits = change(30);
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted and pid in
        (select pid from pg_stat_activity where datname = current_database())`.execute(tx);
      waiting = rows[0]?.n ?? 0;
    }
    await sql`set local lock_timeout = '500ms'`.execute(tx);
    const event = {
      unixMs: [world.ports.now().getTime()],
      endpoint: [Number.NaN],
      kind: ['ACTION' as const],
      detail: ['a'],
    };
    await insertEvents(tx, runId, allocationId, event);
    return { waits };
  });
  t.equal((await changing.waits).status, 'RUNNING', 'facts are written while the change waits for their instance');
  await change(0);
  for (const agent of agents) await agent.orders();
  await t.rejects(change(200), {
    code: 'VALIDATION_ERROR',
    details: [{ path: 'callsPerSecond', message: /would start 100 calls a second, but its host allows 50/ }],
  });
  const { rows } = await HANDLERS.listTestRunEvents(context, {
    projectId,
    testRunId: runId,
    kind: 'LOAD',
    page: 1,
    per_page: 100,
  } as never);
  t.same(
    rows.map(({ detail }) => detail),
    ['40 calls/s', 'paused', '30 calls/s', 'paused'],
  );
  const { marks } = await HANDLERS.getTestRunTimeline(context, { projectId, testRunId: runId });
  t.same(
    marks.filter(({ kind }) => kind === 'LOAD'),
    rows.map(({ at, detail }) => ({ at, kind: 'LOAD', detail })),
    'and are marks of the run over time',
  );
  for (const [i, agent] of agents.entries())
    await agent.send({ allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'DONE' })) });
  await world.work();
  await t.rejects(change(1), { code: 'CONFLICT', message: /the run is COMPLETED/ });
  t.equal(await loadOf(), null, 'nothing is left to change');
});

t.test('each agent has its part, and every call its row and its place in all figures', async (t) => {
  await greet('LOAD');
  const run: Run & { orders: unknown } = { ...(await startRun(world)), orders: [] } as never;
  await world.work();
  const orders = await Promise.all(agents.map(async (agent) => (await agent.orders()).filter(isAllocate)));
  const [[first], [second]] = orders as [[AllocateOrder], [AllocateOrder]];
  t.match(first.load, { shape: 'EVEN', steps: [{ seconds: 5, callsPerSecond: 20 }], calls: 0, callsEach: 0 });
  t.same([first.load?.partFrom, first.load?.partUntil, second.load?.partUntil, first.load?.parts], [0, 2, 4, 4]);
  t.equal(first.load?.runEndpoints, ENDPOINTS);
  for (const [i, order] of [first, second].entries())
    await agents[i]?.send({ allocations: [allocationFacts(order.allocationId, { state: 'READY' })] });
  t.equal(await statusOf(world, run.runId), 'RUNNING');

  const [a = 0, b = 0] = first.endpoints.number;
  // Reported as the first calls begin: a drop one second before the run's first call is in no step.
  const startNoise = () => ({
    unixMs: world.ports.now().getTime(),
    inviteLate: [],
    actionLate: [],
    planned: 6,
    started: 5,
    notStarted: 0,
    heldBack: 0,
    noFreeEndpoint: 1,
  });
  const busy = { outcome: 'CALL_FAILED', cause: 'BUSY', callResult: 'REJECTED', finalStatus: 486 } as const;
  const ends = (endpoint: number, refreshes: number) => ({
    registrationEnds: {
      ...{ endpoint: [endpoint], refreshes: [refreshes] },
      ...{ refreshFailures: [1], refreshLapses: [0], refreshRecoveries: [1] },
    },
  });
  const soFar = { refreshes: 1, refreshFailures: 0, refreshLapses: 0, refreshRecoveries: 0 };
  // The call of b is over before the end of its first call is reported.
  await agents[0].send({ allocations: [reportCalls(first, [], ends(b, 5))] });
  const firstCalls = reportCalls(first, [facts(a, soFar), facts(b, soFar)]);
  await agents[0].send({ allocations: [{ ...firstCalls, startNoise: startNoise() }] });
  // A later call that begins in one batch and ends in another, one that does both in one, one that was not placed.
  const begun = facts(a + ENDPOINTS);
  await agents[0].send({
    allocations: [
      reportCalls(first, [], {
        phases: { endpoint: [a + ENDPOINTS], phase: [CALLING], unixMs: [world.ports.now().getTime()] },
      }),
    ],
  });
  const notPlaced = { outcome: 'CALL_FAILED', cause: 'NOT_STARTED', attempted: false, calleeUri: null } as const;
  const later = [begun, facts(b + ENDPOINTS, busy), facts(b + 3 * ENDPOINTS, { ...notPlaced, callResult: null })];
  await agents[0].send({ allocations: [reportCalls(first, later)] });
  await agents[0].send({ allocations: [reportCalls(first, [], ends(a, 3))] });
  const again = await agents[0].send({ allocations: [reportCalls(first, [facts(a + ENDPOINTS, busy)])] });
  t.equal(again.result, 'committed', 'a second end changes nothing');

  const [c = 0, d = 0] = second.endpoints.number;
  const foreign = await agents[1].send({ allocations: [reportCalls(second, [facts(a + 2 * ENDPOINTS)])] });
  t.same([foreign.ignored, foreign.foreign], [1, 1], 'calls of endpoints of another allocation are not its to tell');
  const others = await agents[1].send({ allocations: [reportCalls(second, [], ends(a, 100))] });
  t.equal(others.foreign, 1, 'nor are their registrations');
  await agents[1].send({ allocations: [reportCalls(second, [facts(c + 7 * ENDPOINTS), facts(c)])] });
  // An endpoint for which the load had no call.
  const spare = facts(d, { attempted: false, callResult: null, finalStatus: 0, finalReason: '', callId: '' });
  await agents[1].send({ allocations: [reportCalls(second, [{ ...spare, phases: [{ number: d, phase: CLOSED }] }])] });
  for (const [i, order] of [first, second].entries())
    await agents[i]?.send({ allocations: [allocationFacts(order.allocationId, { state: 'DONE' })] });
  await world.work();

  t.equal(await statusOf(world, run.runId), 'COMPLETED');
  const detail = await single(run, 'getTestRun');
  t.equal(detail.endpoints, ENDPOINTS);
  t.match(detail.callTiming, { totalCalls: 6, successCount: 5, rejectedCount: 1, inProgressCount: 0 });
  t.match(detail.callQuality, { calls: 6, successful: 5, failed: 1 });
  t.match(detail.starts, { planned: 6, started: 5, noFreeEndpoint: 1, dropped: 0 });
  t.equal(detail.callTiming.callSetup.p50, 3);
  t.same(detail.registrationRefreshes, { made: 8, failed: 2, lapsed: 0, recovered: 2 }, 'once an endpoint');
  const timeline = await single(run, 'getTestRunTimeline');
  const all = (values: readonly (number | null)[]): number => values.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  t.same(Object.values(timeline.drops).map(all), [1, 0, 0], 'when a call found no endpoint free');
  t.same([timeline.endpoints, timeline.freeEndpoints.at(-1)], [ENDPOINTS, ENDPOINTS], 'all are free in the end');
  const rows = await everyPage(run, 'listTestRunCalls', {}, 3);
  const placed = [a, b, c, a + ENDPOINTS, b + ENDPOINTS, b + 3 * ENDPOINTS, c + 7 * ENDPOINTS];
  t.same(
    rows.map((row) => row.number),
    placed.sort((x, y) => x - y),
    'the spare endpoint has no call',
  );
  t.ok(rows.every((row) => row.calleeUri === TARGET && row.endpointType === 'CALLER' && row.worker.name !== ''));
  t.same(
    (await everyPage(run, 'listTestRunCalls', { outcome: 'CALL_FAILED' })).map((row) => row.failure?.cause),
    ['BUSY', 'NOT_STARTED'],
  );
  await listed(t, run, new Map([a, b, c, d].map((n, i) => [n, [2, 3, 2, 0][i] as number])));
  let exported = 0;
  const { db } = world.database;
  const extent = await knownRun(db, { projectId: run.projectId, testRunId: run.runId });
  for await (const some of everyEndpoint(db, extent, 3)) exported += some.length;
  t.equal(exported, rows.length + 1, 'exports have each of them, and an endpoint without a call');
});

/** Endpoints with the results of their calls, and from each the path to these. `calls`: how many an endpoint has. */
async function listed(t: Test, run: Run, calls: ReadonlyMap<number, number>): Promise<void> {
  const endpoints = await everyPage(run, 'listTestRunEndpoints', {}, 3);
  t.same(
    endpoints.map(({ number, calls }) => [number, calls?.listed]),
    [...calls].sort(([x], [y]) => x - y),
  );
  const [b = 0] = [...calls].find(([, n]) => n === 3) ?? [];
  const ofB = endpoints.find(({ number }) => number === b);
  t.match(ofB, {
    callId: `call-${b}`,
    calls: { total: 2, answered: 1, successful: 1, failed: 1, dropped: 0, notPlaced: 1, inProgress: 0 },
  });
  t.same(ofB?.calls?.failures, [
    { cause: 'BUSY', sipStatus: null, calls: 1 },
    { cause: 'NOT_STARTED', sipStatus: null, calls: 1 },
  ]);
  const found = async (asked: ReadQuery) =>
    (await everyPage(run, 'listTestRunEndpoints', asked, 1)).map(({ number }) => number);
  t.same(await found({ outcome: 'CALL_FAILED' }), [b], 'by a call that is not the first');
  t.same((await found({ order: 'worst' })).at(0), b);
  t.equal((await found({ order: 'worst' })).length, ENDPOINTS);
  for (const { id, number } of endpoints) {
    const own = await everyPage(run, 'listTestRunEndpointCalls', { endpointId: id }, 2);
    t.equal(own.length, calls.get(number));
    for (const call of own) {
      t.same([call.endpoint.id, call.endpoint.number, (call.number - number) % ENDPOINTS], [id, number, 0]);
      t.equal(call.endpoint.call, 1 + (call.number - number) / ENDPOINTS);
      const detail = await single(run, 'getTestRunEndpoint', { endpointId: call.id });
      t.same([detail.callId, detail.endpoint], [call.callId, call.endpoint]);
      t.equal(detail.calls?.listed, own.length, 'those of its endpoint');
      t.same(await everyPage(run, 'listTestRunEndpointCalls', { endpointId: call.id }), own, 'by any of its calls');
    }
  }
  const worst = await everyPage(run, 'listTestRunEndpointCalls', { endpointId: ofB?.id ?? '', order: 'worst' });
  t.same(
    worst.map(({ outcome }) => outcome),
    ['CALL_FAILED', 'CALL_FAILED', 'SUCCESS'],
  );
  await t.rejects(single(run, 'listTestRunEndpointCalls', { endpointId: run.runId }), { code: 'NOT_FOUND' });
  t.equal((await single(run, 'getTestRun')).callAfterCall, true);
}
