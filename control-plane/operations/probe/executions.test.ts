/** From a tick to an incident, on rows: who executes it, what is skipped, what is graded and repeated, who is informed. */
import { sql } from 'kysely';
import t from 'tap';
import type { HealthState } from '../../contract/run/measured-words.ts';
import type { ReportedOutcome } from '../../domain/run/facts.ts';
import { HANDLERS } from '../../handlers.ts';
import {
  acme,
  allocationFacts,
  callProbe,
  FakeAgent,
  isAllocate,
  openWorld,
  outcomeFact,
  ownerContext,
  statusOf,
  TOKENS,
} from '../../testing/world.ts';
import { resumeRuns } from '../jobs.ts';
import { tickProbes } from './tick.ts';

const world = await openWorld(t);
const { db } = world.database;
const file = acme();
const [organization] = file.organizations;
const [project] = organization?.projects ?? [];
const SLUGS = [
  'graded',
  'healed',
  'repeated',
  'alone',
  'refused',
  'ticked',
  'missed',
  'busy',
  'expects',
  'deleted',
  'again',
  'late',
  'refuser',
  'first',
  'second',
  'third',
];
const YEARLY = ['first', 'second', 'third'];
const thresholds = [{ metricKey: 'callSetup', greenValue: 100, orangeValue: 200 }];
const probe = (slug: string, more: object = {}) =>
  callProbe(slug, `${slug} (local)`, { enabled: false, thresholds, ...more });
const provisioned = {
  organizations: [
    {
      ...organization,
      projects: [
        {
          ...project,
          probes: SLUGS.map((slug) =>
            probe(slug, {
              escalateAfterMinutes: 30,
              ...(slug === 'again' && { alertStrikeRuns: 1, autoPauseAfterHours: 1, enabled: true }),
              ...(slug === 'graded' && { alertStrikeRuns: 2, autoPauseAfterHours: 1, enabled: true }),
              // No tick of its own comes while the test goes on.
              ...(YEARLY.includes(slug) && {
                fixedIntervalSec: null,
                scheduleType: 'CRON',
                cronExpression: '0 0 29 2 *',
              }),
              ...(slug === 'expects' && { expectedStatusCodes: [486], thresholds: [] }),
            }),
          ),
        },
      ],
    },
  ],
};
await world.provision(provisioned);
const context = await ownerContext(world);
const { id: projectId } = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
const [one, two] = [new FakeAgent(world), new FakeAgent(world)];
const rows = await db.selectFrom('probes').select(['id', 'slug']).execute();
const idOf = (slug: string): string => rows.find((r) => r.slug === slug)?.id as string;
const read = (slug: string) => HANDLERS.getProbe(context, { projectId, probeId: idOf(slug) });
const announced = async (slug: string) =>
  (await db.selectFrom('announcements').select(['kind', 'body']).orderBy('at').orderBy('id').execute()).filter(
    ({ body }) => 'probeId' in body && body.probeId === idOf(slug),
  );
const incidents = (slug: string) =>
  db.selectFrom('probe_incidents').where('probe_id', '=', idOf(slug)).selectAll().orderBy('started_at').execute();

/** The agent that got the next run completes it; returns that agent. */
async function carry(...outcome: Partial<ReportedOutcome>[]): Promise<FakeAgent[]> {
  const carried: FakeAgent[] = [];
  for (const end of outcome) {
    await world.work();
    for (const agent of [one, two]) {
      if (agent.workerId === '') continue;
      const orders = (await agent.orders()).filter(isAllocate);
      if (orders.length === 0) continue;
      carried.push(agent);
      await agent.send({ allocations: orders.map((o) => allocationFacts(o.allocationId, { state: 'READY' })) });
      await agent.send({
        allocations: orders.map((o) =>
          allocationFacts(o.allocationId, {
            outcomes: [outcomeFact(o.endpoints.number[0] as number, end)],
            state: 'DONE',
          }),
        ),
      });
    }
  }
  await world.work();
  return carried;
}
const setUpIn = (callSetupMs: number): Partial<ReportedOutcome> => ({ callSetupMs });
const FAILED: Partial<ReportedOutcome> = {
  outcome: 'CALL_FAILED',
  cause: 'CALL_TIMEOUT',
  callResult: 'TIMEOUT',
  finalStatus: 0,
  callSetupMs: Number.NaN,
};
const NOT_STARTED: Partial<ReportedOutcome> = {
  ...FAILED,
  cause: 'NOT_STARTED',
  callResult: 'ERROR',
  attempted: false,
};
const now = (slug: string) => HANDLERS.runProbe(context, { projectId, probeId: idOf(slug) });
async function execute(slug: string, ...outcome: Partial<ReportedOutcome>[]) {
  const { id } = await now(slug);
  const carried = await carry(...outcome);
  const instance = await db.selectFrom('probe_instances').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
  return { instance, carried };
}

/** What a control plane does after a restart: its file is applied again, open runs continue. */
async function restart(): Promise<void> {
  await world.provision(provisioned);
  await resumeRuns(world.ports);
}

t.test('without a worker nothing is known, nobody strikes, and no probe cries', async (t) => {
  const { instance } = await execute('alone');
  t.match(instance, { status: 'UNKNOWN', threshold_results: [] });
  t.equal(await statusOf(world, instance.test_run_id), 'CANNOT_RUN_FOR_NOW');
  t.match(await read('alone'), { status: 'UNKNOWN', strikes: 0, lastSkipReason: null });
  t.same(await announced('alone'), []);
});

t.test('graded executions open, worsen and resolve one incident; the clock escalates and pauses', async (t) => {
  await one.greet(TOKENS[0]);
  const table: [Partial<ReportedOutcome>, HealthState, strikes: number, incident: string | null][] = [
    [setUpIn(50), 'HEALTHY', 0, null],
    [setUpIn(150), 'DEGRADED', 1, null],
    [NOT_STARTED, 'UNKNOWN', 1, null],
    [setUpIn(150), 'DEGRADED', 2, 'DEGRADED'],
    [FAILED, 'UNHEALTHY', 3, 'DOWN'],
    [setUpIn(150), 'DEGRADED', 4, 'DOWN'],
  ];
  for (const [i, [outcome, status, strikes, severity]] of table.entries()) {
    const { instance } = await execute('graded', outcome);
    t.equal(instance.status, status, `execution ${i}`);
    await restart();
    const [open] = await incidents('graded');
    t.match(await read('graded'), { status, strikes });
    t.equal(open?.severity ?? null, severity, `incident after ${i}`);
  }
  const last = await HANDLERS.listProbeInstances(context, {
    projectId,
    probeId: idOf('graded'),
    page: 1,
    per_page: 2,
    sort: '-scheduledAt',
  });
  t.match(last.rows[0], {
    status: 'DEGRADED',
    thresholdResults: [{ metricKey: 'callSetup', value: 150, unit: 'ms', status: 'DEGRADED', higherIsBetter: false }],
    steps: { answerMs: 150, tryingMs: 1, ringingMs: 2, firstMediaMs: 20, byeMs: 1, dnsMs: null, connectMs: null },
  });
  t.match(last.rows[1]?.thresholdResults, [{ status: 'UNKNOWN', value: 0 }]);

  world.pass(31 * 60);
  await world.work();
  t.ok((await incidents('graded'))[0]?.escalated_at);
  t.equal((await read('graded')).enabled, true);
  world.pass(30 * 60);
  await world.work();
  await restart();
  t.match(await read('graded'), { enabled: false, autoPauseReason: /open for 1 h/, nextTickAt: null });
  t.equal((await incidents('graded'))[0]?.ended_at, null, 'the incident stays open');
  world.pass(7200);
  await world.work();
  await execute('graded', setUpIn(60));
  const [ended] = await incidents('graded');
  t.ok(ended?.ended_at);
  t.match(await read('graded'), { status: 'HEALTHY', strikes: 0, enabled: false });
  const kinds = (await announced('graded')).map(({ kind, body }) => ('to' in body ? `${body.from}>${body.to}` : kind));
  t.same(kinds, [
    'UNKNOWN>HEALTHY',
    'HEALTHY>DEGRADED',
    'DEGRADED>UNKNOWN',
    'UNKNOWN>DEGRADED',
    'incident.opened',
    'DEGRADED>UNHEALTHY',
    'UNHEALTHY>DEGRADED',
    'incident.escalated',
    'DEGRADED>HEALTHY',
    'incident.resolved',
  ]);
  const resolved = (await announced('graded')).at(-1)?.body;
  t.match(resolved, { severity: 'DOWN', region: 'local', probeName: 'graded (local)' });
  await HANDLERS.updateProbe(context, { projectId, probeId: idOf('graded'), enabled: true });
  t.match(await read('graded'), { enabled: true, autoPausedAt: null, autoPauseReason: null });
});

t.test('a refusal may be what is expected', async (t) => {
  const busy: Partial<ReportedOutcome> = { ...FAILED, cause: 'BUSY', callResult: 'REJECTED', finalStatus: 486 };
  t.equal((await execute('expects', busy)).instance.status, 'HEALTHY');
  t.equal((await execute('expects', {})).instance.status, 'UNHEALTHY', 'it was answered');
  const unregistered: Partial<ReportedOutcome> = { ...FAILED, cause: 'REGISTRATION_REJECTED', causeStatus: 486 };
  t.equal((await execute('expects', unregistered)).instance.status, 'UNHEALTHY', 'the registrar is not the target');
});

t.test('enabling a paused probe during its incident restarts the time; an early watch loses nothing', async (t) => {
  await execute('again', FAILED);
  const early = world.jobs.splice(0).map((job) => ({ ...job, dueMs: 0 }));
  world.jobs.push(...early);
  await world.work();
  t.match(await incidents('again'), [{ escalated_at: null, ended_at: null }]);
  world.pass(61 * 60);
  await world.work();
  t.ok((await incidents('again'))[0]?.escalated_at);
  t.match(await read('again'), { enabled: false, autoPauseReason: /open for 1 h/ });
  await enable('again');
  await world.work();
  world.pass(59 * 60);
  await world.work();
  t.match(await read('again'), { enabled: true, autoPausedAt: null });
  world.pass(2 * 60);
  await world.work();
  t.match(await read('again'), { enabled: false, autoPauseReason: /open for 1 h/ });
});

t.test('before it counts, what failed is repeated once, from another worker', async (t) => {
  await two.greet(TOKENS[1]);
  const healed = await execute('healed', FAILED, setUpIn(50));
  t.equal(healed.carried.length, 2);
  t.not(healed.carried[0], healed.carried[1], 'another worker');
  t.match(healed.instance, { status: 'HEALTHY' });
  t.ok(healed.instance.repeated_run_id);
  t.match(await read('healed'), { status: 'HEALTHY', strikes: 0 });

  const failed = await execute('repeated', FAILED, setUpIn(150));
  t.match(failed.instance, { status: 'DEGRADED' }, 'the second word counts');
  t.match(await read('repeated'), { strikes: 1 }, 'once');
  t.equal(
    (await db.selectFrom('test_runs').where('probe_id', '=', idOf('repeated')).select('id').execute()).length,
    2,
    'and is not repeated again',
  );

  const unseen = await execute('repeated', FAILED, NOT_STARTED);
  t.match(
    unseen.instance,
    { status: 'UNHEALTHY', repeated_run_id: null },
    'a repetition that could not start leaves the first result',
  );
  t.match(await read('repeated'), { strikes: 2, recentInstances: [{ id: unseen.instance.id }, {}] });
  t.match(await incidents('repeated'), [{ severity: 'DOWN' }]);
});

/** The agent that is asked next has no capacity. */
async function refuse(): Promise<void> {
  await world.work();
  for (const agent of [one, two]) {
    const orders = (await agent.orders()).filter(isAllocate);
    const full = { state: 'REFUSED', reasonCode: 'CAPACITY', reason: 'full' } as const;
    if (orders.length > 0) await agent.send({ allocations: orders.map((o) => allocationFacts(o.allocationId, full)) });
  }
  await world.work();
}
const changes = async (slug: string) =>
  (await announced(slug)).flatMap(({ body }) => ('to' in body ? `${body.from}>${body.to}` : []));

t.test('a worker that refuses is told of by the probe: nobody else does', async (t) => {
  await now('refuser');
  await carry(FAILED);
  await refuse();
  t.match(await read('refuser'), { status: 'UNHEALTHY', strikes: 1 });
  t.same(await changes('refuser'), ['UNKNOWN>UNHEALTHY'], 'the repetition was refused, the first word counts');
  await now('refuser');
  await refuse();
  t.same(await changes('refuser'), ['UNKNOWN>UNHEALTHY', 'UNHEALTHY>UNKNOWN']);
  await execute('refuser', setUpIn(50));
  const gone = { status: 'OFFLINE', gone_at: world.ports.now() } as const;
  await db.updateTable('workers').set(gone).where('id', '=', one.workerId).execute();
  await now('refuser');
  await refuse();
  await db.updateTable('workers').set({ status: 'ONLINE', gone_at: null }).where('id', '=', one.workerId).execute();
  t.match(await read('refuser'), { status: 'UNKNOWN' });
  t.equal((await changes('refuser')).at(-1), 'UNKNOWN>HEALTHY', 'a worker is gone: that was told');
});

t.test('what the plan refuses does not change the health and says why, until the next success', async (t) => {
  await execute('refused', setUpIn(50));
  const month = world.ports.now().toISOString().slice(0, 7);
  const usage = { organization_id: context.actor.organizationId, month, endpoint_seconds: 60 * 1e6, runs: 1 };
  await db.deleteFrom('usage_months').execute();
  await db.insertInto('usage_months').values(usage).execute();
  await db.updateTable('organizations').set({ plan: 'PRO' }).execute();
  const { instance } = await execute('refused');
  t.match(instance, { status: 'UNKNOWN', threshold_results: [] });
  t.match(
    await read('refused'),
    { status: 'HEALTHY', lastSkipReason: null },
    'a user asked for it, no tick was skipped',
  );
  await enable('refused');
  const { id } = await now('refused');
  const tick = { tick_at: world.ports.now() };
  await db.updateTable('probe_instances').set(tick).where('id', '=', id).execute();
  await carry({});
  t.match(await read('refused'), {
    status: 'HEALTHY',
    strikes: 0,
    lastSkipReason: /endpoint minutes/,
    lastSkipAt: /^20/,
    lastInstanceStatus: 'CANNOT_RUN_FOR_NOW',
  });
  await db.updateTable('organizations').set({ plan: 'UNLIMITED' }).execute();
  await execute('refused', setUpIn(50));
  t.match(await read('refused'), { lastSkipReason: null, lastSkipAt: null });
});

const enable = (slug: string) => HANDLERS.updateProbe(context, { projectId, probeId: idOf(slug), enabled: true });
const ran = (slug: string) =>
  db.selectFrom('probe_instances').where('probe_id', '=', idOf(slug)).select(['tick_at', 'test_run_id']).execute();
const skips = (slug: string) =>
  db.selectFrom('probe_skips').where('probe_id', '=', idOf(slug)).selectAll().orderBy('tick_at').execute();

t.test('a tick is executed once, whichever process finds it', async (t) => {
  await enable('ticked');
  t.equal((await read('ticked')).nextTickAt, null, 'not planned yet');
  await tickProbes(world.ports);
  const { nextTickAt } = await read('ticked');
  t.ok(Date.parse(nextTickAt as string) > world.ports.now().getTime());
  t.same(await ran('ticked'), []);
  world.pass((Date.parse(nextTickAt as string) - world.ports.now().getTime()) / 1000 + 1);
  await Promise.all([1, 2, 3, 4].map(() => tickProbes(world.ports)));
  const instances = await ran('ticked');
  t.same(
    instances.map((i) => i.tick_at?.toISOString()),
    [nextTickAt],
  );
  t.equal(Date.parse((await read('ticked')).nextTickAt as string) - Date.parse(nextTickAt as string), 300_000);
  await carry(setUpIn(50));
  t.match(await read('ticked'), { status: 'HEALTHY', lastInstanceStatus: 'COMPLETED', lastInstanceAt: nextTickAt });
});

t.test('a tick that nobody found in time is recorded, and the next one is executed', async (t) => {
  await enable('missed');
  await tickProbes(world.ports);
  const first = Date.parse((await read('missed')).nextTickAt as string);
  world.pass((first - world.ports.now().getTime()) / 1000 + 3 * 300 + 5);
  await tickProbes(world.ports);
  t.match(await skips('missed'), [
    { tick_at: new Date(first), last_tick_at: new Date(first + 600_000), ticks: 3, reason: /Nobody was there/ },
  ]);
  t.match(await ran('missed'), [{ tick_at: new Date(first + 900_000) }], 'one, not four');
  t.match(await read('missed'), { lastSkipReason: /Nobody was there/ });
  await carry(setUpIn(50));
  t.equal((await read('missed')).lastSkipReason, null);
});

t.test('a disabled probe announces nothing of the tick in progress', async (t) => {
  await enable('late');
  await tickProbes(world.ports);
  world.pass((Date.parse((await read('late')).nextTickAt as string) - world.ports.now().getTime()) / 1000 + 1);
  await tickProbes(world.ports);
  await HANDLERS.updateProbe(context, { projectId, probeId: idOf('late'), enabled: false, alertStrikeRuns: 1 });
  await carry(FAILED);
  t.match(await read('late'), { strikes: 0, recentInstances: [{ status: 'UNHEALTHY' }] });
  t.same([await incidents('late'), await announced('late')], [[], []]);
  t.equal((await db.selectFrom('test_runs').where('probe_id', '=', idOf('late')).select('id').execute()).length, 1);
});

t.test('one that cannot be executed keeps no other waiting', async (t) => {
  for (const slug of YEARLY) await enable(slug);
  await tickProbes(world.ports);
  const dueAt = new Date(world.ports.now().getTime() - 1000);
  await db.updateTable('probes').set({ next_tick_at: dueAt }).where('slug', 'in', YEARLY).execute();
  // A tick that already has its execution is repeated: a clock was set back.
  const { id } = await now('first');
  await carry(setUpIn(50));
  await db.updateTable('probe_instances').set({ tick_at: dueAt }).where('id', '=', id).execute();
  await sql`alter table test_runs add constraint broken
    check (probe_id is distinct from ${sql.lit(idOf('second'))}::uuid) not valid`.execute(db);
  await t.rejects(tickProbes(world.ports), /broken/);
  await sql`alter table test_runs drop constraint broken`.execute(db);
  t.same(await Promise.all(YEARLY.map(async (slug) => (await ran(slug)).length)), [1, 0, 1]);
  t.same((await read('second')).nextTickAt, dueAt.toISOString(), 'it stays due');
  await tickProbes(world.ports);
  await carry(setUpIn(50));
  t.equal((await ran('second')).length, 1);
});

t.test('no execution begins while the one before goes on', async (t) => {
  await enable('busy');
  await tickProbes(world.ports);
  await now('busy');
  const next = Date.parse((await read('busy')).nextTickAt as string);
  world.pass((next - world.ports.now().getTime()) / 1000 + 1);
  await tickProbes(world.ports);
  t.match(await skips('busy'), [{ tick_at: new Date(next), ticks: 1, reason: /had not ended/ }]);
  t.equal((await ran('busy')).length, 1);
  await world.work();
});

t.test('what is changed is followed: schedule, deletion', async (t) => {
  const probeId = idOf('ticked');
  const before = (await read('ticked')).nextTickAt;
  await HANDLERS.updateProbe(context, { projectId, probeId, description: 'as before' });
  t.equal((await read('ticked')).nextTickAt, before, 'a tick is not lost by another change');
  await HANDLERS.updateProbe(context, { projectId, probeId, scheduleType: 'CRON', cronExpression: '0 3 * * *' });
  await tickProbes(world.ports);
  t.match((await read('ticked')).nextTickAt, /T03:00:/);
  await t.rejects(HANDLERS.updateProbe(context, { projectId, probeId, cronExpression: '0 3 * *' }), {
    code: 'VALIDATION_ERROR',
  });
  await HANDLERS.updateProbe(context, { projectId, probeId: idOf('deleted'), alertStrikeRuns: 1 });
  await execute('deleted', FAILED, FAILED);
  await HANDLERS.deleteProbe(context, { projectId, probeId: idOf('deleted') });
  t.same(
    (await announced('deleted')).map((a) => a.kind),
    ['probe.status_changed', 'incident.opened', 'incident.resolved'],
    'recipients of the start are told of the end',
  );
});
