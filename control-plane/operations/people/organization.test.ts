/** The organization as a whole: its activity, and who may see it; the contents and the usage of its plan; the noise of its workers. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import { CATALOGUE } from '../../catalogue.ts';
import { HANDLERS } from '../../handlers.ts';
import { acme, allDone, FakeAgent, openWorld, ownerContext, runningRun, TOKENS } from '../../testing/world.ts';
import type { Context } from '../request/perform.ts';

const world = await openWorld(t);
const [organization] = acme().organizations;
await world.provision({
  organizations: [
    organization,
    {
      slug: 'other',
      name: 'Other',
      users: [{ email: 'owner@other.example', name: 'Owner', role: 'OWNER' }],
      apiKeys: [{ name: 'key', user: 'owner@other.example', key: `crl_${'9'.repeat(32)}` }],
    },
  ],
});
const agents = [new FakeAgent(world), new FakeAgent(world)];
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
const owner = await ownerContext(world);
const stranger = await ownerContext(world, 'other');
/** A member who has access to no project. */
const narrow: Context = { ...owner, actor: { ...owner.actor, userId: randomUUID(), allProjects: false } };
const { db } = world.database;

const NOTHING = { runs: 0, incidents: 0, probes: 0 };

t.test('what goes on, and for whom', async (t) => {
  const probe = await db.selectFrom('probes').select('id').executeTakeFirstOrThrow();
  const at = world.ports.now();
  const said = { reason: 'No audio packet came.', acknowledged_at: at, acknowledged_by: owner.actor.userId };
  const incident = { id: randomUUID(), probe_id: probe.id, severity: 'DOWN', started_at: at, ...said } as const;
  await db.insertInto('probe_incidents').values(incident).execute();
  const { id: projectId } = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
  const { testRunId } = await HANDLERS.runProbe(owner, { projectId, probeId: probe.id });
  const window = { startsAt: at.toISOString(), endsAt: new Date(at.getTime() + 60_000).toISOString(), note: '' };
  await HANDLERS.createMaintenanceWindow(owner, { projectId, probeId: null, ...window });
  const seen = await HANDLERS.getOverview(owner, {});
  t.match(seen, {
    runs: [{ id: testRunId, status: 'PENDING', isProbeRun: true, projectName: 'Lab' }],
    incidents: [
      {
        ...{
          id: incident.id,
          probeId: probe.id,
          probeName: 'Front door (local)',
          projectName: 'Lab',
          severity: 'DOWN',
        },
        ...{ reason: said.reason, acknowledgedAt: at.toISOString(), acknowledgedBy: /\w/ },
      },
    ],
    probes: [
      {
        ...{ id: probe.id, status: 'UNKNOWN', enabled: true, lastInstances: [{ testRunId, status: 'UNKNOWN' }] },
        ...{ lastMessage: null, maintenanceUntil: window.endsAt },
      },
    ],
    counts: { runs: 1, incidents: 1, probes: 1, workers: 2, onlineWorkers: 2, waitingWorkers: 0 },
  });
  t.match(seen.probes[0]?.lastInstances[0]?.scheduledAt, /^\d{4}-.*Z$/);
  const listed = async (more: object) => {
    const input = CATALOGUE.listProbes.input.parse({ projectId, ...more });
    return (await HANDLERS.listProbes(owner, input)).rows.map(({ lastInstances }) => lastInstances);
  };
  t.same(await listed({ last_instances: 1 }), [seen.probes[0]?.lastInstances], 'each row of the list has them, too');
  t.same(await listed({}), [undefined], 'where they are asked for');
  t.match((await HANDLERS.getOverview(narrow, {})).counts, { ...NOTHING, workers: 2 }, 'nothing of other projects');
  t.match((await HANDLERS.getOverview(stranger, {})).counts, { ...NOTHING, workers: 0 });
  const { id: other } = await HANDLERS.createProject(owner, { name: 'Other', description: '' });
  t.match((await HANDLERS.getOverview(owner, { project_id: other })).counts, { ...NOTHING, workers: 2 });
  t.match((await HANDLERS.getOverview(owner, { project_id: projectId })).counts, { runs: 1, incidents: 1, probes: 1 });
  for (const [context, id] of [
    [stranger, projectId],
    [narrow, projectId],
    [owner, 'nothing'],
  ] as const)
    await t.rejects(HANDLERS.getOverview(context, { project_id: id }), { code: 'NOT_FOUND' });
  const { id: workerId } = await HANDLERS.createWorker(owner, { name: 'edge-3', region: 'local', capacity: 1 });
  const joined = { workers: 3, onlineWorkers: 2, waitingWorkers: 1 };
  t.match((await HANDLERS.getOverview(owner, {})).counts, joined, 'the agent of the third one has not joined');
  await HANDLERS.revokeWorker(owner, { workerId });
  const found = await HANDLERS.findByName(owner, { text: 'DOOR front' });
  t.match(found, {
    probes: [{ id: probe.id, name: 'Front door (local)', projectId, projectName: 'Lab' }],
    runs: [{ id: testRunId, testName: 'Front door (local)', status: 'PENDING', projectId }],
  });
  const byId = await HANDLERS.findByName(owner, { text: testRunId });
  t.match(byId, { tests: [], probes: [], runs: [{ id: testRunId, projectName: 'Lab' }] });
  t.equal(byId.runs.length, 1, 'this run, and no other');
  t.same((await HANDLERS.findByName(owner, { text: 'front \\% door' })).probes, [], 'every word, as it is');
  for (const context of [narrow, stranger])
    for (const text of ['front', testRunId])
      t.same(await HANDLERS.findByName(context, { text }), { tests: [], probes: [], runs: [] });
  await HANDLERS.cancelTestRun(owner, { projectId: seen.runs[0]?.projectId as string, testRunId });
  t.equal((await HANDLERS.getOverview(owner, {})).counts.runs, 0, 'what has ended goes on no more');
});

t.test('of many probes only the worst are listed, and all are counted', async (t) => {
  const copies = sql`
    insert into probes (id, project_id, slug, name, mode, enabled, status, schedule_type, fixed_interval_sec, timezone,
      duration_seconds, alert_strike_runs, escalate_after_minutes, config)
    select gen_random_uuid(), project_id, slug || n, name || n, mode, n <> 40,
      case when n <= 25 then 'UNHEALTHY' when n <= 30 then 'UNKNOWN' else 'HEALTHY' end, schedule_type, fixed_interval_sec,
      timezone, duration_seconds, alert_strike_runs, escalate_after_minutes, config
    from probes, generate_series(1, 40) n`;
  await copies.execute(db);
  const { probes, counts } = await HANDLERS.getOverview(owner, {});
  t.equal(probes.length, 20);
  t.ok(probes.every(({ status }) => status === 'UNHEALTHY'));
  t.match(counts, { probes: 41, enabledProbes: 40, badProbes: 25, unknownProbes: 6 });
  await db.deleteFrom('probes').where('name', '<>', 'Front door (local)').execute();
});

t.test('what is used while a run goes on and afterwards, and how noisy its workers are', async (t) => {
  const before = await HANDLERS.getPlan(owner, {});
  t.match(before, { plan: 'UNLIMITED', used: { endpointMinutes: 0, concurrentRuns: 0, probes: 1 } });
  t.equal(before.plans.length, 5);
  t.equal(Date.parse(before.period.from) <= world.ports.now().getTime(), true);

  const noise = async (context: Context) =>
    (await HANDLERS.listWorkers(context, { page: 1, per_page: 25, sort: 'name' })).rows;
  t.same(
    (await noise(owner)).map((w) => w.noise),
    [null, null],
    'an idle worker reports nothing',
  );
  const { orders } = await runningRun(world, agents);
  const during = await HANDLERS.getPlan(owner, {});
  t.match(during.used, { concurrentRuns: 1, concurrentEndpoints: 8 });
  t.ok(during.used.heldEndpointMinutes > 0);
  t.match((await HANDLERS.getPlan(stranger, {})).used, { concurrentRuns: 0, concurrentEndpoints: 0, probes: 0 });

  const calm = {
    unixMs: world.ports.now().getTime(),
    seconds: 1,
    pacingError: [],
    slotsPlanned: 1000,
    slotsSkipped: 0,
    loopDelay: [],
    threadCpu: 0.2,
    steal: 0,
    receiveDrops: 0,
    received: 1000,
    clockSteps: 0,
    coldSeconds: 0,
    stamps: 'kernel',
  };
  await agents[0]?.send({ noise: [calm] });
  await agents[1]?.send({ noise: [{ ...calm, slotsSkipped: 50 }] });
  t.same(
    (await noise(owner)).map((w) => w.noise?.verdict),
    ['VALID', 'VOID'],
  );
  world.pass(60);
  t.same(
    (await noise(owner)).map((w) => w.noise),
    [null, null],
    'what is a minute old is not now',
  );
  for (const [i, agent] of agents.entries()) await agent.send(allDone(orders[i] ?? []));
  await world.work();
  const after = await HANDLERS.getPlan(owner, {});
  t.match(after.used, { concurrentRuns: 0, concurrentEndpoints: 0, heldEndpointMinutes: 0 });
  t.ok(after.used.runs > before.used.runs && after.used.endpointMinutes > 0, 'counted when it ends');
});
