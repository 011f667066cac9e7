/** The life of a run, with real operations on a real database: every state, every transition out of it, every figure once. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { INSTANCE } from '../../domain/run/instance-machine.ts';
import type { AllocateOrder } from '../../domain/run/orders/orders.ts';
import { RUN } from '../../domain/run/run-machine.ts';
import { HANDLERS } from '../../handlers.ts';
import { lockCandidates } from '../../store/agents/workers.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  isAllocate,
  openWorld,
  runRow,
  startRun,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { greet } from '../agents/greet.ts';
import { resumeRuns } from '../jobs.ts';

const world = await openWorld(t);
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
await agents[0].greet(TOKENS[0]);
await agents[1].greet(TOKENS[1]);

const takeOrders = () => Promise.all(agents.map((agent) => agent.orders()));

/** A run whose agents have their allocations. */
async function allocated() {
  const run = await startRun(world);
  await world.work();
  const orders = (await takeOrders()).map((list) => list.filter(isAllocate));
  return { ...run, orders };
}

/** A run that its agents carry. */
async function running() {
  const run = await allocated();
  for (const [i, agent] of agents.entries()) {
    await agent.send({
      allocations: (run.orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
    });
  }
  return run;
}

async function finishAll(run: Awaited<ReturnType<typeof running>>) {
  for (const [i, agent] of agents.entries()) await agent.send(allDone(run.orders[i] ?? []));
  await world.work();
}

t.test('the way of a good run', async (t) => {
  const run = await allocated();
  t.equal(await statusOf(world, run.runId), 'QUEUED');
  const all = run.orders.flat();
  t.equal(
    all.reduce((n, o) => n + o.endpoints.number.length, 0),
    8,
    'every endpoint is ordered once',
  );
  t.same(
    [...all.flatMap((o) => o.endpoints.number)].sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
  t.ok(
    run.orders.every((list) => list.length === 2),
    'both workers carry callers and callees',
  );
  const callees = new Set(all.filter((o) => o.role === 'CALLEE').flatMap((o) => o.endpoints.user));
  const targets = all.filter((o) => o.role === 'CALLER').flatMap((o) => o.endpoints.targetUri);
  t.equal(new Set(targets).size, 4, 'each caller has a callee of its own');
  t.ok(targets.every((uri) => callees.has(/^sip:([^@]+)@127\.0\.0\.1:5060$/.exec(uri)?.[1] ?? '')));

  await agents[0].send({
    allocations: (run.orders[0] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
  });
  t.equal(await statusOf(world, run.runId), 'QUEUED', 'the barrier waits for all');
  await agents[1].send({
    allocations: (run.orders[1] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
  });
  t.equal(await statusOf(world, run.runId), 'RUNNING');
  const starts = (await takeOrders()).flat();
  t.same(
    starts.map((o) => o.kind),
    ['start', 'start'],
  );
  t.equal(new Set(starts.map((o) => (o as { startUnixMs: number }).startUnixMs)).size, 1, 'one start instant');

  await finishAll(run);
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
  const history = await world.database.db
    .selectFrom('run_history')
    .where('run_id', '=', run.runId)
    .orderBy('seq')
    .select('to_status')
    .execute();
  t.same(
    history.map((h) => h.to_status),
    ['PENDING', 'QUEUED', 'RUNNING', 'COMPLETED'],
  );
  const detail = await HANDLERS.getTestRun(run.context, { projectId: run.projectId, testRunId: run.runId });
  t.equal(detail.callTiming.totalCalls, 4, 'callees whom callers call are no calls of their own');
  t.equal(detail.callTiming.successCount, 4);
  t.equal(detail.callTiming.asr, 100);
  t.equal(detail.callTiming.pdd.count, 4);
  t.equal(detail.summary.avgMos, 0);
  t.equal(detail.summary.measured.mos, 0, 'without a stream nothing was measured');
  t.ok(detail.subPopulationInstances.every((i) => i.status === 'DONE'));
  await takeOrders();
});

t.test('an order that is not acknowledged is given again, acknowledged it is gone', async (t) => {
  const run = await startRun(world);
  await world.work();
  const first = (await takeOrders()).flat().length;
  t.equal(first, 4);
  t.same((await takeOrders()).flat(), []);
  await HANDLERS.cancelTestRun(run.context, { projectId: run.projectId, testRunId: run.runId });
  t.equal(await statusOf(world, run.runId), 'CANCELLED', 'before the start a cancel takes effect at once');
  t.same(
    (await takeOrders()).flat().map((o) => o.kind),
    ['stop', 'stop'],
    'and the agents forget it',
  );
});

t.test('callees are told when the last caller is done', async (t) => {
  const run = await running();
  await takeOrders();
  const callersOf = (list: readonly AllocateOrder[] | undefined) => (list ?? []).filter((o) => o.role === 'CALLER');
  await agents[0].send(allDone(callersOf(run.orders[0])));
  t.same((await takeOrders()).flat(), []);
  await agents[1].send(allDone(callersOf(run.orders[1])));
  t.same(
    (await takeOrders()).flat().map((o) => o.kind),
    ['finish', 'finish'],
  );
  await finishAll(run);
  t.equal(await statusOf(world, run.runId), 'COMPLETED');
});

t.test('a refusal ends the run, and the others are released', async (t) => {
  const run = await allocated();
  const [first, second] = run.orders[0] as [AllocateOrder, AllocateOrder];
  await agents[0].send({
    allocations: [allocationFacts(first.allocationId, { state: 'REFUSED', reason: 'POLICY: no' })],
  });
  const row = await runRow(world, run.runId);
  t.equal(row.status, 'CANNOT_RUN_FOR_NOW');
  t.match(row.error, { code: 'WORKER_REFUSED', message: /POLICY: no/ });
  const stops = (await takeOrders()).flat();
  t.ok(stops.every((o) => o.kind === 'stop'));
  t.ok(stops.some((o) => 'allocationIds' in o && o.allocationIds.includes(second.allocationId)));
  const ignored = await agents[0].send({ allocations: [allocationFacts(second.allocationId, { state: 'READY' })] });
  t.equal(ignored.ignored, 1, 'what comes late is not counted');
});

t.test('endpoints of a group with video occupy two streams', async (t) => {
  const run = await allocated();
  const { db } = world.database;
  const { config, organization_id: organizationId } = await runRow(world, run.runId);
  const { groups } = config as unknown as TestConfig;
  const [group] = groups;
  group?.mediaTracks.push({ ...group.mediaTracks[0]!, kind: 'VIDEO', source: 'PATTERN' });
  const reserved = async () => {
    const all = await world.database.transaction((tx) => lockCandidates(tx, organizationId));
    const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((n, one) => n + of(one), 0);
    return [sum((one) => one.reserved), sum((one) => one.reservedStreams)];
  };
  const [endpoints = 0, streams = 0] = await reserved();
  t.equal(streams, endpoints);
  await db
    .updateTable('test_runs')
    .set({ config: JSON.stringify(config) })
    .where('id', '=', run.runId)
    .execute();
  const withVideo = group?.subPopulations.reduce((n, s) => n + s.endpoints, 0) ?? 0;
  t.ok(withVideo > 0);
  t.same(await reserved(), [endpoints, endpoints + withVideo]);
  const [first] = run.orders[0] as [AllocateOrder];
  await agents[0].send({ allocations: [allocationFacts(first.allocationId, { state: 'REFUSED', reason: 'enough' })] });
  await takeOrders();
});

t.test('why an agent refuses is the error of the run', async (t) => {
  const codes = {
    MEDIA_MISSING: 'MEDIA_MISSING',
    TARGET_NOT_ALLOWED: 'TARGET_NOT_ALLOWED',
    CAPACITY: 'INSUFFICIENT_CAPACITY',
    POLICY: 'WORKER_REFUSED',
  };
  for (const [reasonCode, code] of Object.entries(codes)) {
    const run = await allocated();
    const [first] = run.orders[0] as [AllocateOrder];
    const refusal = { state: 'REFUSED' as const, reasonCode, reason: 'so it is' };
    await agents[0].send({ allocations: [allocationFacts(first.allocationId, refusal)] });
    t.match((await runRow(world, run.runId)).error, { code, message: /so it is/ });
    await takeOrders();
  }
});

t.test('every waiting state has its time', async (t) => {
  await t.test('a run that stays PENDING for too long ends', async (t) => {
    const { runId } = await startRun(world);
    world.jobs.splice(0, world.jobs.length, ...world.jobs.filter((j) => j.name !== 'run.validate'));
    world.pass(61);
    await world.work();
    const row = await runRow(world, runId);
    t.equal(row.status, 'CANNOT_RUN_FOR_NOW');
    t.match(row.error, { code: 'INTERNAL' });
  });
  await t.test('QUEUED: agents that do not get ready', async (t) => {
    const { runId } = await allocated();
    world.pass(33);
    await world.work();
    t.match(await runRow(world, runId), { status: 'CANNOT_RUN_FOR_NOW', error: { code: 'WORKER_REFUSED' } });
    t.ok((await takeOrders()).flat().every((o) => o.kind === 'stop'));
  });
  await t.test('QUEUED: agents that have a long recording to encode', async (t) => {
    const { runId, projectId } = await startRun(world);
    const { db } = world.database;
    const file = {
      id: randomUUID(),
      project_id: projectId,
      name: 'long',
      sha256: Buffer.alloc(32),
      size_bytes: 1,
      duration_ms: 200_000,
      sample_rate_hz: 8000,
      channels: 1,
      bits_per_sample: 8,
      content: Buffer.alloc(1),
    };
    await db.insertInto('media_files').values(file).execute();
    const { config } = await runRow(world, runId);
    const { groups } = config as unknown as TestConfig;
    for (const group of groups)
      group.mediaTracks = [{ ...group.mediaTracks[0]!, source: 'FILE', mediaFileId: file.id }];
    await db
      .updateTable('test_runs')
      .set({ config: JSON.stringify(config) })
      .where('id', '=', runId)
      .execute();
    await world.work();
    world.pass(33);
    await world.work();
    t.equal(await statusOf(world, runId), 'QUEUED', 'a tenth of its time, once for the codec of both groups');
    world.pass(20);
    await world.work();
    t.equal(await statusOf(world, runId), 'CANNOT_RUN_FOR_NOW');
    await takeOrders();
  });
  await t.test('RUNNING: over the maximum execution time', async (t) => {
    const run = await running();
    await takeOrders();
    world.pass(2 + 5 + 120 + 2);
    await world.work();
    t.equal(await statusOf(world, run.runId), 'RUNNING', 'agents have time to hang up');
    t.ok((await takeOrders()).flat().every((o) => o.kind === 'stop'));
    world.pass(9);
    await world.work();
    const row = await runRow(world, run.runId);
    t.equal(row.status, 'FAILED');
    t.match(row.error, { code: 'EXECUTION_TIME_EXCEEDED' });
    const open = await world.database.db
      .selectFrom('endpoints')
      .where('run_id', '=', run.runId)
      .where('outcome', 'is', null)
      .selectAll()
      .execute();
    t.same(open, [], 'every endpoint is closed');
  });
});

t.test('a user stops a running run', async (t) => {
  const run = await running();
  await takeOrders();
  const input = { projectId: run.projectId, testRunId: run.runId };
  t.equal((await HANDLERS.cancelTestRun(run.context, input)).status, 'RUNNING', 'while calls are hung up');
  t.same(
    (await takeOrders()).flat().map((o) => o.kind),
    ['stop', 'stop'],
  );
  await finishAll(run);
  t.equal(await statusOf(world, run.runId), 'CANCELLED');
  await t.rejects(HANDLERS.cancelTestRun(run.context, input), { code: 'CONFLICT' });
  await t.test('and its agents never answer', async (t) => {
    const silent = await running();
    await HANDLERS.cancelTestRun(silent.context, { projectId: silent.projectId, testRunId: silent.runId });
    world.pass(9);
    await world.work();
    t.equal(await statusOf(world, silent.runId), 'CANCELLED');
    await takeOrders();
  });
});

t.test('room is never given twice', async (t) => {
  const many = await Promise.all(Array.from({ length: 8 }, () => startRun(world)));
  await world.work();
  const statuses = await Promise.all(many.map(({ runId }) => statusOf(world, runId)));
  t.equal(statuses.filter((s) => s === 'QUEUED').length, 5, '40 endpoints of room, 8 a run');
  const short = await runRow(world, many[statuses.indexOf('CANNOT_RUN_FOR_NOW')]?.runId ?? '');
  t.match(short.error, { code: 'INSUFFICIENT_CAPACITY', message: /room for 0/ });
  const used = await world.database.db
    .selectFrom('sub_population_instances')
    .where('status', '=', 'ALLOCATED')
    .groupBy('worker_id')
    .select((eb) => eb.fn.sum<number>('endpoints').as('n'))
    .execute();
  t.same(
    used.map((u) => Number(u.n)),
    [20, 20],
  );
  const [{ context, projectId } = await startRun(world)] = many;
  const { id: probeId } = await world.database.db.selectFrom('probes').select('id').executeTakeFirstOrThrow();
  const probed = await HANDLERS.runProbe(context, { projectId, probeId });
  await world.work();
  t.equal(await statusOf(world, probed.testRunId), 'QUEUED', 'a probe has the room that loads leave');
  world.pass(40);
  await world.work();
  await takeOrders();
});

t.test('a batch that is sent twice counts once', async (t) => {
  const run = await running();
  await takeOrders();
  const [caller] = (run.orders[0] ?? []).filter((o) => o.role === 'CALLER') as [AllocateOrder];
  const facts = {
    allocations: [
      allocationFacts(caller.allocationId, {
        sipCounts: { sent: [true], method: ['INVITE'], status: [0], reason: [''], count: [2], retransmissions: [1] },
      }),
    ],
  };
  const next = agents[0].welcome?.nextBatch ?? 0;
  const before = await agents[0].send(facts);
  t.equal(before.result, 'committed');
  const count = async () =>
    (await world.database.db.selectFrom('sip_counts').where('run_id', '=', run.runId).select('count').execute()).map(
      (r) => r.count,
    );
  t.same(await count(), [2]);
  const last = await world.database.db
    .selectFrom('outboxes')
    .where('outbox_id', '=', agents[0].outboxId)
    .select('last_batch')
    .executeTakeFirstOrThrow();
  t.equal((await agents[0].send(facts, last.last_batch)).result, 'repeated');
  t.equal((await agents[0].send(facts, last.last_batch + 2)).result, 'gap');
  t.same(await count(), [2]);
  t.ok(next <= last.last_batch);
  t.equal(
    (await agents[0].greet('', [caller.allocationId])).nextBatch,
    last.last_batch + 1,
    'the greeting says where to go on',
  );

  await t.test('nobody writes into another worker’s share', async (t) => {
    const foreign = await agents[1].send(facts);
    t.equal(foreign.ignored, 1);
    t.same(await count(), [2]);
  });
  await t.test("nor headers of another agent's endpoint", async (t) => {
    const header = { stream: 0, localAddress: '192.0.2.1', localPort: 4000, peer: '192.0.2.2:4000' };
    const columns = {
      header: Buffer.alloc(12),
      headerBytes: [12],
      packetBytes: [172],
      sent: [true],
      unixMs: [Date.now()],
    };
    const rtpHeaders = [{ endpoint: 999_999, ...header, ...columns }];
    const lie = { allocations: [allocationFacts(caller.allocationId, { rtpHeaders })] };
    t.match(await agents[0].send(lie, ++last.last_batch), { result: 'committed', ignored: 1, foreign: 1 });
  });
  await t.test('two at a time: one of them counts', async (t) => {
    const again = await Promise.all([
      agents[0].send(facts, last.last_batch + 1),
      agents[0].send(facts, last.last_batch + 1),
    ]);
    t.same(again.map((a) => a.result).sort(), ['committed', 'repeated']);
    t.same(await count(), [4]);
  });
});

t.test('unknown agents and used tokens are refused', async (t) => {
  const stranger = new FakeAgent(world);
  t.match(await greet(world.ports, stranger.greeting()), { code: 'UNKNOWN_AGENT' });
  t.match(
    await greet(world.ports, stranger.greeting(TOKENS[0])),
    { code: 'JOIN_TOKEN_REFUSED' },
    'a token enrolls once',
  );
  t.match(await greet(world.ports, stranger.greeting('no such token at all')), { code: 'JOIN_TOKEN_REFUSED' });
});

t.test('after a crash every open run has its next job again', async (t) => {
  const { runId } = await startRun(world);
  world.jobs.length = 0;
  await resumeRuns(world.ports);
  await world.work();
  t.equal(await statusOf(world, runId), 'QUEUED');
  world.pass(40);
  await world.work();
  t.equal(await statusOf(world, runId), 'CANNOT_RUN_FOR_NOW');
});

t.test('the tables of run and instance hold in the database, too', async (t) => {
  const { runId } = await startRun(world);
  const rows = await world.database.db.selectFrom('run_transitions').selectAll().execute();
  const inDatabase = new Set(rows.map((r) => `${r.from_status} ${r.to_status}`));
  const inDomain = new Set(
    Object.entries(RUN.transitions).flatMap(([from, row]) => Object.values(row).map((to) => `${from} ${to}`)),
  );
  t.same([...inDatabase].sort(), [...inDomain].sort());
  const set = (status: string) =>
    world.database.db
      .updateTable('test_runs')
      .set({ status: status as never })
      .where('id', '=', runId)
      .execute();
  await t.rejects(set('RUNNING'), /cannot go from PENDING to RUNNING/);
  await set('CANCELLED');
  for (const status of Object.keys(RUN.transitions)) {
    if (status !== 'CANCELLED') await t.rejects(set(status), /cannot go from CANCELLED/);
  }
  await t.rejects(
    world.database.db
      .updateTable('sub_population_instances')
      .set({ status: 'GONE' as never })
      .execute(),
    /check constraint/,
  );
  t.ok(Object.keys(INSTANCE.transitions).length > 0);
});
