/** Old rows and their dependent rows are deleted; the rest stays. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import { addInterval, type NoiseTally } from '../domain/figures/noise-tally.ts';
import { HANDLERS } from '../handlers.ts';
import { insertNoise, noiseOfRun } from '../store/measured/noise.ts';
import { ensureSamplePartitions, storeSamples } from '../store/measured/samples.ts';
import { deleteOldDetails, deleteRetired } from '../store/retention.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  openWorld,
  ownerContext,
  runningRun,
  someSamples,
  startRun,
  TOKENS,
} from '../testing/world.ts';
import { retain } from './retain.ts';

const world = await openWorld(t);
const { db } = world.database;
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);

const noise = (unixMs: number) => ({
  unixMs,
  seconds: 1,
  pacingError: [1, 2],
  slotsPlanned: 10,
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

/** A run that has ended, with a row in every table. */
async function ended() {
  const run = await runningRun(world, agents);
  const nowMs = world.ports.now().getTime();
  for (const [i, agent] of agents.entries()) {
    const [order, ...others] = run.orders[i] ?? [];
    if (!order) continue;
    const [number = 0] = order.endpoints.number;
    await agent.send({
      noise: [noise(nowMs)],
      allocations: [
        allocationFacts(order.allocationId, {
          phases: { endpoint: [number], phase: [1], unixMs: [nowMs] },
          samples: someSamples(nowMs, [number], 2),
          startNoise: {
            unixMs: null,
            inviteLate: [1, 1],
            actionLate: [],
            planned: 1,
            started: 1,
            notStarted: 0,
            heldBack: 0,
            noFreeEndpoint: 0,
          },
          sipCounts: { sent: [true], method: ['INVITE'], status: [0], reason: [''], count: [1], retransmissions: [0] },
          messages: [
            {
              endpoint: [number],
              number: [0],
              text: Buffer.from('x'),
              unixMs: [nowMs],
              sent: [true],
              length: [1],
              method: ['INVITE'],
              status: [0],
              retransmission: [false],
              peer: [''],
              callId: [''],
              localAddress: null,
              transport: ['UDP'],
              localPort: [0],
            },
          ],
        }),
      ],
    });
    await agent.send(allDone([order, ...others]));
  }
  await world.work();
  return run.runId;
}

const DETAILS = ['sip_messages', 'sip_chunks', 'run_events', 'run_counts', 'noise', 'start_noise', 'rollups'] as const;
const KEPT = ['endpoints', 'sip_counts', 'sub_population_instances', 'run_history'] as const;
const countOf = async (
  table: (typeof DETAILS)[number] | (typeof KEPT)[number] | 'samples' | 'streams',
  runId: string,
) =>
  (
    await db
      .selectFrom(table)
      .where('run_id', '=', runId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;
const runRowOf = (id: string) => db.selectFrom('test_runs').where('id', '=', id).selectAll().executeTakeFirst();

t.test('details go with the samples, figures stay', async (t) => {
  const old = await ended();
  world.pass(20 * 86_400);
  const recent = await ended();
  world.pass(11 * 86_400);
  const outboxId = randomUUID();
  await db
    .insertInto('outboxes')
    .values([{ worker_id: agents[0].workerId, outbox_id: outboxId, updated_at: new Date(0) }])
    .execute();
  await db
    .updateTable('outboxes')
    .set({ updated_at: new Date(1) })
    .where('outbox_id', '!=', outboxId)
    .execute();
  for (const table of DETAILS) t.ok((await countOf(table, old)) > 0, `${table} is there`);
  await retain(world.ports);
  for (const table of DETAILS) t.equal(await countOf(table, old), 0, table);
  for (const table of DETAILS) t.ok((await countOf(table, recent)) > 0, `${table} of a recent run`);
  for (const table of KEPT) t.ok((await countOf(table, old)) > 0, `${table} stays`);
  t.ok((await runRowOf(old))?.call_timing);
  const outboxes = await db.selectFrom('outboxes').select('outbox_id').execute();
  t.same(
    outboxes.map((o) => o.outbox_id).sort(),
    agents.map((a) => a.outboxId).sort(),
    'a worker’s last outbox stays, however old: batches count on from it',
  );
});

t.test('in small statements', async (t) => {
  const runId = await ended();
  await db.updateTable('test_runs').set({ details_deleted_at: null }).where('id', '=', runId).execute();
  const before = new Date(world.ports.now().getTime() + 1000);
  let steps = 0;
  while (await deleteOldDetails(db, before, 3)) steps++;
  t.ok(steps > 3);
  for (const table of DETAILS) t.equal(await countOf(table, runId), 0, table);
  t.ok((await runRowOf(runId))?.details_deleted_at);
});

t.test('executions of probes go whole, many at a time; other runs stay', async (t) => {
  const [execution, young, other] = [await ended(), await ended(), await ended()];
  const { id: probeId } = await db.selectFrom('probes').select('id').executeTakeFirstOrThrow();
  const startedAt = world.ports.now();
  const longAgo = new Date(startedAt.getTime() - 91 * 86_400_000);
  for (const id of [execution, young])
    await db.updateTable('test_runs').set({ probe_id: probeId }).where('id', '=', id).execute();
  for (const id of [execution, other])
    await db.updateTable('test_runs').set({ ended_at: longAgo }).where('id', '=', id).execute();
  await sql`insert into probe_instances (id, probe_id, test_run_id, scheduled_at, status)
    values (${randomUUID()}, ${probeId}, ${execution}, ${longAgo}, 'HEALTHY')`.execute(db);
  await retain(world.ports);
  t.notOk(await runRowOf(execution));
  for (const table of [...DETAILS, ...KEPT, 'streams'] as const) t.equal(await countOf(table, execution), 0, table);
  t.equal((await db.selectFrom('probe_instances').selectAll().where('probe_id', '=', probeId).execute()).length, 0);
  t.ok((await runRowOf(young))?.probe_id, 'a young one stays');
  t.ok((await countOf('endpoints', other)) > 0, 'the run of a test stays');
});

/** Tables of the catalogue that contain this id anywhere. */
async function tablesNaming(id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const found: string[] = [];
  for (const { name } of rows) {
    const there = await sql`select from ${sql.raw(name)} t where t::text like ${`%${id}%`} limit 1`.execute(db);
    if (there.rows.length > 0) found.push(name);
  }
  return found;
}

const totalOf = async (projectId: string) =>
  (await db.selectFrom('test_run_totals').where('project_id', '=', projectId).select('runs').executeTakeFirst())?.runs;

t.test('a run that is deleted leaves nothing, in no table; an open one is refused', async (t) => {
  const [gone, stays] = [await ended(), await ended()];
  const context = await ownerContext(world);
  const { project_id: projectId } = (await runRowOf(gone)) as { project_id: string };
  const runs = (await totalOf(projectId)) ?? 0;
  t.ok((await tablesNaming(gone)).length > DETAILS.length);
  t.same(await HANDLERS.deleteTestRun(context, { projectId, testRunId: gone }), { id: gone, deleted: true });
  await t.rejects(HANDLERS.getTestRun(context, { projectId, testRunId: gone }), { code: 'NOT_FOUND' }, 'at once');
  await t.rejects(HANDLERS.deleteTestRun(context, { projectId, testRunId: gone }), { code: 'NOT_FOUND' });
  t.equal(await totalOf(projectId), runs - 1);
  t.match(await world.work(), ['data.retain'], 'its rows do not wait for the hour');
  t.same(await tablesNaming(gone), []);
  t.ok((await tablesNaming(stays)).length > DETAILS.length, 'others stay');
  t.equal(await totalOf(projectId), runs - 1);
  const open = await startRun(world);
  await t.rejects(HANDLERS.deleteTestRun(context, { projectId, testRunId: open.runId }), {
    code: 'CONFLICT',
    message: 'The run is PENDING. Cancel it, or wait until it has ended.',
  });
  await HANDLERS.cancelTestRun(context, { projectId, testRunId: open.runId });
  await db.updateTable('test_runs').set({ probe_id: randomUUID() }).where('id', '=', stays).execute();
  await t.rejects(HANDLERS.deleteTestRun(context, { projectId, testRunId: stays }), {
    code: 'CONFLICT',
    message: /probe/,
  });
});

t.test('a thousand samples go by the statement, in the partitions of their days only', async (t) => {
  const [gone, stays] = [await ended(), await ended()];
  const { project_id: projectId } = (await runRowOf(gone)) as { project_id: string };
  const nowMs = world.ports.now().getTime();
  for (const id of [gone, stays]) {
    for (const dayMs of [0, -86_400_000]) {
      await ensureSamplePartitions(db, [nowMs + dayMs], new Set());
      await storeSamples(db, id, someSamples(nowMs + dayMs, [7], 30));
    }
  }
  const before = await countOf('samples', stays);
  await HANDLERS.deleteTestRun(await ownerContext(world), { projectId, testRunId: gone });
  let steps = 0;
  while (await deleteRetired(db, 10)) steps++;
  t.ok(steps > 6, `${steps} statements`);
  t.same(await tablesNaming(gone), []);
  t.equal(await countOf('samples', stays), before);
});

t.test('runs of tests go by their own time, where it is set', async (t) => {
  const [old, young] = [await ended(), await ended()];
  const longAgo = new Date(world.ports.now().getTime() - 8 * 86_400_000);
  await db.updateTable('test_runs').set({ ended_at: longAgo }).where('id', '=', old).execute();
  await retain(world.ports);
  t.ok(await runRowOf(old), 'by default they stay');
  await retain({ ...world.ports, settings: { ...world.ports.settings, runRetentionDays: 7 } });
  t.same(
    await tablesNaming(old),
    (await tablesNaming(old)).filter((name) => name === 'announcements'),
  );
  t.notOk(await runRowOf(old));
  t.ok(await runRowOf(young));
});

t.test('noise is read chunk by chunk, each interval once', async (t) => {
  const runId = await ended();
  const { workerId } = agents[0];
  await db.deleteFrom('noise').where('run_id', '=', runId).execute();
  for (const agent of agents) {
    // Closer than a millisecond, which a Date cannot distinguish.
    const rows = Array.from({ length: 10 }, (_, i) => noise(1_800_000_000_000 + i * 0.25));
    await insertNoise(db, [runId], agent.workerId, rows);
  }
  const tally: NoiseTally = new Map();
  let mine = 0;
  for await (const n of noiseOfRun(db, runId, null, 3)) {
    if (n.worker_id === workerId) mine++;
    addInterval(tally, {
      worker: n.workerName,
      seconds: n.seconds,
      pacingError: n.pacing_error,
      slotsPlanned: n.slots_planned,
      slotsSkipped: n.slots_skipped,
      loopDelay: n.loop_delay,
      threadCpu: n.thread_cpu,
      steal: n.steal,
      receiveDrops: n.receive_drops,
      received: n.received,
      coldSeconds: n.cold_seconds,
      clockSteps: n.clock_steps,
    });
  }
  t.equal(mine, 10);
  t.same(
    [...tally.values()].map((w) => [w.intervals, w.slotsPlanned]),
    [
      [10, 100],
      [10, 100],
    ],
  );
});

t.test('a project that is deleted leaves nothing, in no table', async (t) => {
  const context = await ownerContext(world);
  const { id: projectId } = await db
    .selectFrom('projects')
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirstOrThrow();
  await HANDLERS.deleteProject(context, { projectId });
  while (world.jobs.length > 0 && (await world.work()).includes('data.retain'));
  t.same(await tablesNaming(projectId), []);
  // Otherwise what was deleted stays so.
  await db.deleteFrom('provisioned_entries').execute();
  await world.provision(acme());
});

t.test('a project takes its runs with it', async (t) => {
  const runId = await ended();
  await db.deleteFrom('projects').execute();
  for (const table of ['test_run_totals', 'probe_instance_totals', 'probe_incident_totals'] as const) {
    t.same(await db.selectFrom(table).selectAll().execute(), [], table);
  }
  for (const table of [...DETAILS, ...KEPT, 'samples', 'streams'] as const)
    t.equal(await countOf(table, runId), 0, table);
});
