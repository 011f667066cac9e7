/** Reading probes: thresholds, executions and incidents, their order and their filters; and one execution now. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { regionOf } from '../../domain/probe/probe.ts';
import { createHttpServer } from '../../http/server.ts';
import { acme, callProbe, KEY, openWorld } from '../../testing/world.ts';

const world = await openWorld(t);
const [organization] = acme().organizations;
const [project] = organization?.projects ?? [];
await world.provision({
  organizations: [
    {
      ...organization,
      projects: [
        {
          ...project,
          probes: [
            callProbe('alone', 'Alone'),
            callProbe('parent', 'Front door (eu-west)'),
            callProbe('child', 'Front door (us-east)', { parent: 'parent' }),
            callProbe('other-child', 'Front door ()', { parent: 'parent', enabled: false }),
          ],
        },
      ],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());
const { db } = world.database;

const ask = async (url: string, method: 'GET' | 'POST' = 'GET') =>
  (await app.inject({ method, url: `/api/v1${url}`, headers: { authorization: `Bearer ${KEY}` } })).json();
const projectId = (await ask('/projects')).data[0].id as string;
type Probe = { id: string; name: string };
const probes = (await ask(`/projects/${projectId}/probes`)).data as Probe[];
const probe = (name: string) => probes.find((p) => p.name === name)?.id as string;
const base = `/projects/${projectId}/probes`;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

t.test('lists are by name; what never ran has neither status nor instant', async (t) => {
  t.same(
    probes.map((p) => p.name),
    ['Alone', 'Front door ()', 'Front door (eu-west)', 'Front door (us-east)'],
  );
  t.match(probes[0], {
    status: 'UNKNOWN',
    enabled: true,
    scheduleType: 'FIXED_INTERVAL',
    fixedIntervalSec: 300,
    cronExpression: null,
    lastInstanceStatus: null,
    lastInstanceAt: null,
    lastSkipReason: null,
    autoPausedAt: null,
    thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3.6, enabled: true }],
  });
});

t.test('an execution now is a run, and the probe tells of it', async (t) => {
  const { data } = await ask(`${base}/${probe('Alone')}/run`, 'POST');
  t.match(data, { status: 'UNKNOWN', startedAt: null, completedAt: null, thresholdResults: [] });
  const run = (await ask(`/projects/${projectId}/test-runs/${data.testRunId}`)).data;
  t.match(run, { isProbeRun: true, testName: 'Alone', endpoints: 1, status: 'PENDING' });
  const { data: now } = await ask(`${base}/${probe('Alone')}`);
  t.match(now, {
    lastInstanceStatus: 'PENDING',
    lastInstanceAt: data.scheduledAt,
    recentInstances: [{ id: data.id, testRunId: data.testRunId }],
  });
  await world.work();
  t.equal((await ask(`${base}/${probe('Alone')}`)).data.lastInstanceStatus, 'CANNOT_RUN_FOR_NOW', 'no agent is online');
  t.equal((await ask(`${base}/${randomUUID()}/run`, 'POST')).error.code, 'NOT_FOUND');
});

t.test('executions: most recently scheduled first, filtered by status', async (t) => {
  const id = probe('Front door (eu-west)');
  const states = ['HEALTHY', 'DEGRADED', 'UNHEALTHY', 'HEALTHY', 'UNKNOWN'] as const;
  for (const [i, status] of states.entries()) {
    const { data } = await ask(`${base}/${id}/run`, 'POST');
    await db
      .updateTable('probe_instances')
      .set({ status, scheduled_at: at(i) })
      .where('id', '=', data.id)
      .execute();
  }
  const list = async (query: string) => ask(`${base}/${id}/instances?${query}`);
  const all = await list('');
  t.same(
    all.data.map((i: { status: string }) => i.status),
    [...states].reverse(),
  );
  for (const status of new Set(states)) {
    const { data, meta } = await list(`status=${status}`);
    t.equal(meta.pagination.total, states.filter((s) => s === status).length, status);
    t.ok(data.every((i: { status: string }) => i.status === status));
  }
  t.same(
    (await list('per_page=2&page=3')).data.map((i: { status: string }) => i.status),
    ['HEALTHY'],
  );
  t.equal((await list('status=GREEN')).error.code, 'VALIDATION_ERROR');
});

t.test('incidents: of all siblings, open ones first, then most recently started first', async (t) => {
  const rows = [
    { probe: 'Front door (eu-west)', severity: 'DOWN', from: 10, to: 20 },
    { probe: 'Front door (us-east)', severity: 'DEGRADED', from: 5, to: null },
    { probe: 'Front door ()', severity: 'DOWN', from: 30, to: 31 },
    { probe: 'Front door (eu-west)', severity: 'DEGRADED', from: 12, to: null },
    { probe: 'Front door (eu-west)', severity: 'DEGRADED', from: 1, to: 2 },
    { probe: 'Alone', severity: 'DOWN', from: 50, to: null },
  ] as const;
  for (const row of rows) {
    await db
      .insertInto('probe_incidents')
      .values({
        id: randomUUID(),
        probe_id: probe(row.probe),
        severity: row.severity,
        started_at: at(row.from),
        ended_at: row.to === null ? null : at(row.to),
      })
      .execute();
  }
  type Incident = {
    startedAt: string;
    endedAt: string | null;
    durationMs: number | null;
    region: string | null;
    severity: string;
  };
  const list = async (name: string, query = '') =>
    (await ask(`${base}/${probe(name)}/incidents?${query}`)).data as Incident[];
  const minutes = (incidents: Incident[]) => incidents.map((i) => new Date(i.startedAt).getUTCMinutes());
  for (const name of ['Front door (eu-west)', 'Front door (us-east)', 'Front door ()']) {
    const all = await list(name);
    t.same(minutes(all), [12, 5, 30, 10, 1], `asked of ${name}`);
    t.same(
      all.map((i) => i.region),
      ['eu-west', 'us-east', null, 'eu-west', 'eu-west'],
    );
    t.same(
      all.map((i) => i.durationMs),
      [null, null, 60_000, 600_000, 60_000],
    );
    t.ok(all.every((i) => (i as unknown as { message: null }).message === null));
  }
  t.same(minutes(await list('Alone')), [50], 'others are no siblings');
  const tables: [string, number[]][] = [
    ['state=open', [12, 5]],
    ['state=resolved', [30, 10, 1]],
    ['severity=DOWN', [30, 10]],
    ['severity=DEGRADED', [12, 5, 1]],
    ['severity=DEGRADED&state=open', [12, 5]],
    ['severity=DOWN&state=open', []],
    ['per_page=2&page=2', [30, 10]],
    ['per_page=2&page=3', [1]],
  ];
  for (const [query, expected] of tables) t.same(minutes(await list('Front door (eu-west)', query)), expected, query);
});

t.test('the region is what the name ends with', (t) => {
  const rows: [string, string | null][] = [
    ['Front door (eu-west)', 'eu-west'],
    ['Front (old) door (eu)', 'eu'],
    ['Front door', null],
    ['(eu) front door', null],
    ['Front door ()', null],
    ['Front door ( eu ) ', 'eu'],
  ];
  for (const [name, region] of rows) t.equal(regionOf(name), region, name);
  t.end();
});
