/** The sentences about executions of a probe, and their effects: incidents that are acknowledged, maintenance windows without alarms. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { blockOf } from '../../../scripts/site/blocks.ts';
import type { Output } from '../../contract/catalogue.ts';
import { MAX_WINDOW_MS, stateOf, windowFault } from '../../domain/probe/maintenance.ts';
import type { ReportedFinding, ReportedOutcome } from '../../domain/run/facts.ts';
import { HANDLERS } from '../../handlers.ts';
import { createHttpServer } from '../../http/server.ts';
import {
  acme,
  allocationFacts,
  callProbe,
  FakeAgent,
  isAllocate,
  KEY,
  openWorld,
  outcomeFact,
  ownerContext,
  TOKENS,
} from '../../testing/world.ts';

const world = await openWorld(t);
const { db } = world.database;
const [organization] = acme().organizations;
const [project] = organization?.projects ?? [];
const SLUGS = ['words', 'jitter', 'expects', 'open', 'quiet', 'kept', 'shown'];
const thresholds = [{ metricKey: 'callSetup', greenValue: 100, orangeValue: 200 }];
await world.provision({
  organizations: [
    {
      ...organization,
      projects: [
        {
          ...project,
          probes: SLUGS.map((slug) =>
            callProbe(slug, `${slug} (local)`, {
              enabled: slug === 'open' || slug === 'quiet',
              thresholds: slug === 'words' ? [] : thresholds,
              alertStrikeRuns: 2,
              escalateAfterMinutes: 30,
              ...(slug === 'expects' && { expectedStatusCodes: [404], thresholds: [] }),
            }),
          ),
        },
      ],
    },
  ],
});
const context = await ownerContext(world);
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());
const { id: projectId } = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
const ids = new Map((await db.selectFrom('probes').select(['id', 'slug']).execute()).map((p) => [p.slug, p.id]));
const idOf = (slug: string): string => ids.get(slug) as string;
const agent = new FakeAgent(world);
await agent.greet(TOKENS[0]);

const base = `/projects/${projectId}`;
const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
  const headers = { authorization: `Bearer ${KEY}` };
  const answer = await app.inject({ method, url: `/api/v1${base}${url}`, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, ...answer.json() };
};

type Instance = Output<'listProbeInstances'>;

/** One execution with this result. */
async function execute(slug: string, outcome: Partial<ReportedOutcome>): Promise<Instance> {
  const { id } = await HANDLERS.runProbe(context, { projectId, probeId: idOf(slug) });
  await world.work();
  const orders = (await agent.orders()).filter(isAllocate);
  await agent.send({ allocations: orders.map((o) => allocationFacts(o.allocationId, { state: 'READY' })) });
  await agent.send({
    allocations: orders.map((o) =>
      allocationFacts(o.allocationId, {
        phases: { endpoint: [0], phase: [outcome.outcome === 'CALL_FAILED' ? 2 : 5], unixMs: [Date.now()] },
        outcomes: [outcomeFact(0, outcome)],
        state: 'DONE',
      }),
    ),
  });
  await world.work();
  const { data } = await ask('GET', `/probes/${idOf(slug)}/instances?per_page=1`);
  t.equal(data[0].id, id);
  return data[0];
}
const read = (slug: string) => HANDLERS.getProbe(context, { projectId, probeId: idOf(slug) });
const announced = async (slug: string) =>
  (await db.selectFrom('announcements').select(['kind', 'body']).orderBy('at').orderBy('id').execute())
    .filter(({ body }) => 'probeId' in body && body.probeId === idOf(slug))
    .map(({ kind, body }) => ({ kind, ...(body as { reason: string | null; to?: string }) }));
const incidentsOf = async (slug: string) => (await ask('GET', `/probes/${idOf(slug)}/incidents`)).data;

const REFUSED: Partial<ReportedOutcome> = {
  outcome: 'CALL_FAILED',
  cause: 'SERVER_ERROR',
  causeStatus: 503,
  causeText: 'Service Unavailable',
  callResult: 'REJECTED',
  finalStatus: 503,
  callSetupMs: Number.NaN,
  q850: 34,
  warning: '399 trunk group 7 full',
};
const NO_MEDIA: ReportedFinding = {
  kind: 'NO_MEDIA',
  stream: 0,
  atUnixMs: Number.NaN,
  lastedMs: 10_000,
  count: 0,
  of: 0,
  detail: '',
  tolerated: false,
};
const UNHEARD: Partial<ReportedOutcome> = {
  outcome: 'CALL_FAILED',
  cause: 'NO_MEDIA',
  causeText: 'No audio came',
  awaitedMs: 10_000,
  absentMs: 10_000,
  findings: [NO_MEDIA],
};
const HEARD: Partial<ReportedOutcome> = { awaitedMs: 10_000, callSetupMs: 81.4 };
const UNREPORTED = { ...HEARD, unreported: true };
const OURS: Partial<ReportedOutcome> = {
  outcome: 'CALL_FAILED',
  cause: 'NOT_STARTED',
  causeText: 'the agent was 2100 ms late',
  callResult: 'ERROR',
  attempted: false,
  finalStatus: 0,
  callSetupMs: Number.NaN,
};

t.test('each execution keeps one sentence', async (t) => {
  const rows: [slug: string, Partial<ReportedOutcome>, Instance['status'], RegExp][] = [
    [
      'words',
      UNREPORTED,
      'HEALTHY',
      /^The call was answered \(200\) after 81 ms, and we heard the far end; it did not report .*\. From worker \S+\.$/,
    ],
    ['words', HEARD, 'HEALTHY', /^The call was answered \(200\) after 81 ms, and heard both ways\. From worker \S+\.$/],
    [
      'words',
      REFUSED,
      'UNHEALTHY',
      /^503 Service Unavailable: No circuit available \(Q\.850 cause 34\)\. Warning: 399 trunk group 7 full\. While calling, from worker \S+, since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/,
    ],
    [
      'words',
      UNHEARD,
      'UNHEALTHY',
      /^No audio packet came in 10\.0 s of the call\. [A-Z][a-z ]+, from worker \S+, since /,
    ],
    ['words', OURS, 'UNKNOWN', /^Not judged, because the agent could not make the call\. .*2100 ms late/],
    ['jitter', { callSetupMs: 150 }, 'DEGRADED', /^Call set-up \(p95\) 150 ms, limit 100 ms\. From worker \S+, since /],
    [
      'jitter',
      { callSetupMs: 250 },
      'UNHEALTHY',
      /^Call set-up \(p95\) 250 ms, limit 200 ms\. From worker \S+, since /,
    ],
    ['jitter', { callSetupMs: Number.NaN }, 'UNKNOWN', /^Not measured: Call set-up \(p95\)\. From worker/],
    [
      'expects',
      { ...REFUSED, finalStatus: 404 },
      'HEALTHY',
      /^The far end answered 404, as expected\. From worker \S+\.$/,
    ],
    ['expects', {}, 'UNHEALTHY', /^The far end answered 200, which was not expected\. [A-Z][a-z ]+, from/],
  ];
  for (const [slug, outcome, status, message] of rows) {
    const instance = await execute(slug, outcome);
    t.equal(instance.status, status, slug);
    t.match(instance.message, message);
    t.equal((await read(slug)).lastMessage, instance.message, 'the probe says the same');
    t.ok(instance.workerName);
  }
  const all = (await ask('GET', `/probes/${idOf('words')}/instances`)).data as Instance[];
  t.same(
    all.map((i) => [i.cause, i.party]),
    [
      ['NOT_STARTED', 'agent'],
      ['NO_MEDIA', 'network'],
      ['SERVER_ERROR', 'network'],
      [null, null],
      [null, null],
    ],
  );
  const since = (await read('words')).failingSince;
  t.equal(since, all[2]?.startedAt, 'since the first bad one; what is not judged ends no series');
  t.ok(all[1]?.message?.includes(`since ${since?.slice(0, 16).replace('T', ' ')} UTC`));
  await execute('words', HEARD);
  t.equal((await read('words')).failingSince, null);
});

t.test('what cannot be carried says why', async (t) => {
  await db.updateTable('workers').set({ status: 'OFFLINE' }).where('id', '=', agent.workerId).execute();
  const { id } = await HANDLERS.runProbe(context, { projectId, probeId: idOf('shown') });
  await world.work();
  await db.updateTable('workers').set({ status: 'ONLINE' }).where('id', '=', agent.workerId).execute();
  const { data } = await ask('GET', `/probes/${idOf('shown')}/instances`);
  t.match(data[0], { id, status: 'UNKNOWN', workerName: null, message: /^Not judged: .*worker/ });
});

t.test('an incident says why wherever it is told, has an address, and can be acknowledged', async (t) => {
  await execute('open', REFUSED);
  await execute('open', UNHEARD);
  const [incident] = await incidentsOf('open');
  const path = `/probes/${idOf('open')}/incidents/${incident.id}`;
  t.match(incident, { severity: 'DOWN', message: null, reason: /^No audio packet came/, acknowledgedAt: null });
  const opened = (await announced('open')).find(({ kind }) => kind === 'incident.opened');
  t.equal(opened?.reason, incident.reason, 'the webhook says the same');
  const times = { firstFailedAt: incident.firstFailedAt, startedAt: incident.startedAt };
  t.match(opened, times, 'and names the same begin');
  t.match((await announced('open'))[0], {
    kind: 'probe.status_changed',
    reason: /^503 Service Unavailable: No circuit/,
  });

  const { data: full } = await ask('GET', path);
  t.match(full, { id: incident.id, probeName: 'open (local)', escalatedAt: null, endedAt: null, note: null });
  t.same(
    full.executions.map((e: Instance) => e.cause),
    ['NO_MEDIA', 'SERVER_ERROR'],
    'from the first bad one',
  );
  const begin = [full.executions.at(-1).startedAt, full.startedAt].toSorted()[0];
  t.equal(full.firstFailedAt, begin, 'its begin, which is not after its opening');
  t.equal(full.openedByTestRunId, full.executions[0].testRunId);

  const body = JSON.parse(blockOf('docs/guide/probes.md', '"acknowledged"').text);
  const taken = await ask('PATCH', path, body);
  t.match(taken, { status: 200, data: { note: 'Ticket 4711', acknowledgedBy: /\w/, acknowledgedAt: /^20/ } });
  world.pass(60);
  const again = await ask('PATCH', path, { acknowledged: true, note: null });
  t.match(again.data, { note: null, acknowledgedAt: taken.data.acknowledgedAt }, 'the first time counts');
  world.pass(40 * 60);
  await world.work();
  t.equal((await ask('GET', path)).data.escalatedAt, null, 'somebody looks after it: it is not escalated');
  t.match((await ask('PATCH', path, { acknowledged: false })).data, { acknowledgedAt: null, acknowledgedBy: null });
  await world.work();
  t.ok((await ask('GET', path)).data.escalatedAt, 'nobody does any more');
  const escalated = (await announced('open')).find(({ kind }) => kind === 'incident.escalated');
  t.match(escalated, { reason: /^No audio packet came/, ...times });

  await execute('open', REFUSED);
  t.match((await incidentsOf('open'))[0], { reason: /^503/ }, 'what was found last');
  await execute('open', OURS);
  t.match((await incidentsOf('open'))[0], { reason: /^503/ }, "the agent's own trouble is no reason");
  await execute('open', HEARD);
  const [over] = await incidentsOf('open');
  t.match(over, { endedAt: /^20/, reason: /^503/ });
  const durationMs = Date.parse(over.endedAt) - Date.parse(over.startedAt);
  t.equal(over.durationMs, durationMs, 'from its opening, as its two instants say');
  t.equal((await ask('GET', path)).data.executions.length, 5, 'to the one that resolved it');
  t.match((await announced('open')).at(-1), { kind: 'incident.resolved', reason: /^503/, durationMs, ...times });
  t.match(await ask('PATCH', path, { note: 'A cable.' }), { status: 200, data: { note: 'A cable.' } });

  for (const wrong of [randomUUID(), 'nothing']) {
    t.equal((await ask('GET', `/probes/${idOf('open')}/incidents/${wrong}`)).status, 404);
    t.equal((await ask('PATCH', `/probes/${idOf('open')}/incidents/${wrong}`, { note: 'x' })).status, 404);
  }
  t.equal(
    (await ask('GET', `/probes/${idOf('words')}/incidents/${incident.id}`)).status,
    404,
    'it is of another probe',
  );
  t.equal((await ask('PATCH', path, { note: 'x'.repeat(2001) })).status, 422);
});

const window = (fromMinutes: number, toMinutes: number, more: object = {}) => {
  const now = world.ports.now().getTime();
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  return { startsAt: at(fromMinutes), endsAt: at(toMinutes), note: 'New firmware', ...more };
};

t.test('in maintenance probes are graded, and alarm nobody', async (t) => {
  const made = await ask('POST', '/maintenance-windows', window(-1, 60, { probeId: idOf('quiet') }));
  t.match(made, {
    status: 201,
    data: { state: 'CURRENT', probeName: 'quiet (local)', note: 'New firmware', version: 1 },
  });
  t.equal((await read('quiet')).maintenanceUntil, made.data.endsAt);
  for (let i = 0; i < 3; i++) {
    const instance = await execute('quiet', REFUSED);
    t.match(instance, { status: 'UNHEALTHY', inMaintenance: true, message: /^503/ }, 'it stays visible');
  }
  t.match(await read('quiet'), { status: 'UNHEALTHY', strikes: 0 });
  t.same(await incidentsOf('quiet'), []);
  t.same(await announced('quiet'), []);
  t.match(await execute('kept', REFUSED), { inMaintenance: false }, 'another probe has none');
  const verdicts = await db.selectFrom('probe_verdicts').where('probe_id', '=', idOf('quiet')).selectAll().execute();
  t.same(verdicts, [], 'it is no downtime');

  world.pass(61 * 60);
  await agent.greet(TOKENS[0]);
  t.equal((await read('quiet')).maintenanceUntil, null);
  t.match(await execute('quiet', REFUSED), { inMaintenance: false });
  t.match(await announced('quiet'), [{ kind: 'probe.status_changed', to: 'UNHEALTHY' }], 'after it, it is told');
  await execute('quiet', REFUSED);
  t.match(await incidentsOf('quiet'), [{ severity: 'DOWN' }]);

  const rest = await ask('POST', '/maintenance-windows', window(-1, 120));
  t.match(rest.data, { probeId: null, probeName: null, state: 'CURRENT' }, 'of the whole project');
  world.pass(31 * 60);
  await world.work();
  const [open] = await incidentsOf('quiet');
  const path = `/probes/${idOf('quiet')}/incidents/${open.id}`;
  t.equal((await ask('GET', path)).data.escalatedAt, null, 'nor is an open incident escalated');
  world.pass(90 * 60);
  await agent.greet(TOKENS[0]);
  await world.work();
  t.ok((await ask('GET', path)).data.escalatedAt, 'until it is over');
  await ask('POST', '/maintenance-windows', window(-1, 60));
  await execute('quiet', HEARD);
  t.match((await incidentsOf('quiet'))[0], { endedAt: /^20/ }, 'that all is well again is told at any time');
});

t.test('windows are planned, changed and deleted', async (t) => {
  await db.deleteFrom('maintenance_windows').execute();
  const past = (await ask('POST', '/maintenance-windows', window(-60, -30))).data;
  const planned = (await ask('POST', '/maintenance-windows', window(10, 20, { probeId: idOf('kept') }))).data;
  const current = (await ask('POST', '/maintenance-windows', window(-5, 5))).data;
  const list = async (query: string) => {
    const { data, meta } = await ask('GET', `/maintenance-windows?${query}`);
    t.equal(meta.pagination.total, data.length);
    return data.map((w: { id: string }) => w.id);
  };
  t.same(await list(''), [planned.id, current.id, past.id], 'the latest first');
  t.same(await list('state=PLANNED'), [planned.id]);
  t.same(await list('state=CURRENT'), [current.id]);
  t.same(await list('state=PAST'), [past.id]);
  t.same(await list(`probe_id=${idOf('words')}`), [current.id, past.id]);
  t.match(await ask('GET', '/maintenance-windows?probe_id=nothing'), { status: 404 });
  t.same(
    (await ask('GET', '/maintenance-windows?per_page=1&page=3')).data.map((w: { id: string }) => w.id),
    [past.id],
  );

  const path = `/maintenance-windows/${planned.id}`;
  t.match(await ask('PATCH', path, { note: 'Later', endsAt: window(0, 30).endsAt }), {
    status: 200,
    data: { note: 'Later', version: 2, startsAt: planned.startsAt },
  });
  const wrong: [object, string][] = [
    [window(10, 10), 'endsAt'],
    [window(0, MAX_WINDOW_MS / 60_000 + 1), 'endsAt'],
    [window(0, 10, { probeId: randomUUID() }), 'probeId'],
    [window(0, 10, { probeId: 'nothing' }), 'probeId'],
    [{ ...window(0, 10), startsAt: 'tomorrow' }, 'startsAt'],
  ];
  for (const [body, where] of wrong) {
    const answer = await ask('POST', '/maintenance-windows', body);
    t.match(answer, { status: 422, error: { details: [{ path: where }] } }, where);
  }
  t.equal((await ask('PATCH', path, { endsAt: planned.startsAt })).status, 422);
  t.match(await ask('DELETE', path), { status: 200, data: { id: planned.id, deleted: true } });
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    t.equal((await ask(method, path, method === 'PATCH' ? { note: 'x' } : undefined)).status, 404, method);
  }
});

t.test('when a window is open', async (t) => {
  const at = (ms: number) => new Date(ms);
  const one = { startsAt: at(1000), endsAt: at(2000) };
  t.same(
    [999, 1000, 1999, 2000].map((ms) => stateOf(one, at(ms))),
    ['PLANNED', 'CURRENT', 'CURRENT', 'PAST'],
  );
  t.equal(windowFault(one), null);
  t.match(windowFault({ startsAt: at(5), endsAt: at(5) }), /ends after/);
  t.equal(windowFault({ startsAt: at(0), endsAt: at(MAX_WINDOW_MS) }), null);
  t.match(windowFault({ startsAt: at(0), endsAt: at(MAX_WINDOW_MS + 1) }), /31 days/);
});

t.test('executions by when they were scheduled', async (t) => {
  const path = `/probes/${idOf('words')}/instances`;
  const all = (await ask('GET', path)).data as Instance[];
  const from = all[2]?.scheduledAt as string;
  const later = await ask('GET', `${path}?from=${from}`);
  t.same(
    later.data.map((i: Instance) => i.id),
    all.slice(0, 3).map((i) => i.id),
  );
  t.equal(later.meta.pagination.total, 3);
  const earlier = await ask('GET', `${path}?to=${from}&status=UNHEALTHY`);
  t.same(
    earlier.data.map((i: Instance) => i.id),
    all
      .slice(3)
      .filter((i) => i.status === 'UNHEALTHY')
      .map((i) => i.id),
  );
  t.equal((await ask('GET', `${path}?from=yesterday`)).status, 422);
});

t.test("the end of a run is announced with what its calls came to, and an execution's grade", async (t) => {
  const webhook = { url: 'https://127.0.0.1:9/', events: ['test_run.status_changed'] };
  t.match(await ask('POST', '/webhooks', webhook), { status: 201 });
  await execute('shown', REFUSED);
  const steps = (await db.selectFrom('announcements').select(['kind', 'body']).orderBy('at').orderBy('id').execute())
    .filter(({ kind }) => kind === 'test_run.status_changed')
    .map(({ body }) => body as { to: string; result: object | null });
  t.match(steps.at(-1), {
    to: 'COMPLETED',
    result: { calls: 1, successful: 0, failures: 1, health: 'UNHEALTHY', passed: null },
  });
  t.same(new Set(steps.slice(0, -1).map(({ result }) => result)), new Set([null]), 'no result before the end');
});
