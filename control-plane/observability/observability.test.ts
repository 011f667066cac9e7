/** Probes as gauges; the alert rules and the dashboard use metrics that exist in a scrape. */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Secret } from '@carillon/proto/base/secret.ts';
import { FAULT_KINDS, isUnheard } from '@carillon/proto/words/findings.ts';
import t from 'tap';
import { createHttpServer } from '../http/server.ts';
import { openApi, probeBody } from '../testing/api.ts';
import { acme, openWorld } from '../testing/world.ts';

const FOLDER = path.resolve(import.meta.dirname, '.');
const TOKEN = 'a token of the scraper';

const { world, ask, projectId, cloudId } = await openApi(t);
const { db } = world.database;
const made = await ask(
  'POST',
  `/projects/${projectId}/probes`,
  probeBody(cloudId, { name: 'Front "door" \\ (berlin)' }),
);
const probeId: string = made.data.id;
await ask('POST', `/projects/${projectId}/probes/${probeId}/run`);
const gradedAt = new Date();
const threshold_results = JSON.stringify([
  { metricKey: 'avgMos', displayName: 'Mean MOS', unit: 'MOS', value: 3.7, status: 'DEGRADED', higherIsBetter: true },
  { metricKey: 'pdd', displayName: 'Post-dial delay', unit: 'ms', value: 0, status: 'UNKNOWN', higherIsBetter: false },
]);
const graded = { status: 'UNHEALTHY' as const, graded_at: gradedAt, threshold_results, cause: 'NO_MEDIA' };
await db.updateTable('probe_instances').set(graded).where('probe_id', '=', probeId).execute();
await db
  .updateTable('probes')
  .set({ status: 'DEGRADED', last_skip_reason: 'the plan' })
  .where('id', '=', probeId)
  .execute();
await db
  .insertInto('probe_incidents')
  .values({ id: randomUUID(), probe_id: probeId, severity: 'DOWN', started_at: gradedAt })
  .execute();
const guarded = (await createHttpServer(world.ports, { metricsToken: new Secret(TOKEN) })).app;
const open = (await createHttpServer(world.ports)).app;
const alone = await openWorld(t);
// Its scrapes are cached for 5 s.
alone.hold();
await alone.provision(acme());
const single = (await createHttpServer(alone.ports)).app;
for (const app of [guarded, open, single]) {
  await app.ready();
  t.teardown(() => app.close());
}
const scrape = async (app: typeof open, token?: string, remoteAddress = '127.0.0.1') =>
  app.inject({
    method: 'GET',
    url: '/metrics',
    remoteAddress,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  });
const named = await scrape(guarded, TOKEN);
const unnamed = await scrape(open);
const ofOne = await scrape(single);
const fromAfar = await scrape(single, undefined, '192.0.2.7');
const mapped = await scrape(single, undefined, '::ffff:127.0.0.1');
const refused = [await scrape(guarded), await scrape(guarded, `${TOKEN}x`)];

t.test('gauges say what the database says', async (t) => {
  t.equal(named.statusCode, 200);
  const labels = `organization="acme",project="lab",probe="front-door-berlin",region="berlin"`;
  const lines = named.body.split('\n');
  const value = (name: string, more = '') => {
    const line = lines.find((one) => one.startsWith(`carillon_probe_${name}{${labels}${more}} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  t.same(
    {
      status: value('status'),
      enabled: value('enabled'),
      skipped: value('skipped'),
      interval: value('interval_seconds'),
      lastRun: value('last_run_timestamp_seconds'),
      mos: value('threshold_value', ',metric="avgMos"'),
      unmeasured: value('threshold_value', ',metric="pdd"'),
      green: value('threshold_limit', ',metric="avgMos",limit="green"'),
      orange: value('threshold_limit', ',metric="avgMos",limit="orange"'),
      down: value('incident_open', ',severity="DOWN"'),
      degraded: value('incident_open', ',severity="DEGRADED"'),
      unheard: value('failure', ',cause="NO_MEDIA"'),
    },
    {
      status: 1,
      enabled: 1,
      skipped: 1,
      interval: 300,
      lastRun: gradedAt.getTime() / 1000,
      mos: 3.7,
      unmeasured: undefined,
      green: 4,
      orange: 3.6,
      down: 1,
      degraded: 0,
      unheard: 1,
    },
  );
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: named.body, encoding: 'utf8' });
  t.same({ code: checked.status, said: checked.stdout + checked.stderr }, { code: 0, said: '' });
});

t.test('why a probe fails is told by one cause that is known, and while it counts', async (t) => {
  const causes = async (more: object) => {
    await db.updateTable('probe_instances').set(more).where('probe_id', '=', probeId).execute();
    world.pass(6);
    return [...(await scrape(guarded, TOKEN)).body.matchAll(/^carillon_probe_failure\{.*cause="(\w+)"\} 1$/gm)].map(
      (m) => m[1],
    );
  };
  t.same(await causes({ cause: 'BUSY' }), ['BUSY']);
  t.same(await causes({ cause: 'made_up_by_an_agent' }), []);
  t.same(await causes({ cause: 'NO_MEDIA', in_maintenance: true }), []);
  t.same(await causes({ in_maintenance: false, status: 'UNKNOWN' }), [], 'the agent stalled');
  t.same(await causes({ status: 'UNHEALTHY', cause: null }), [], 'a threshold was crossed');
});

t.test('the alert is about every way of not being heard', (t) => {
  const rules = readFileSync(path.join(FOLDER, 'alert-rules.yaml'), 'utf8');
  t.same(/carillon_probe_failure\{cause=~"([^"]*)"\}/.exec(rules)?.[1]?.split('|'), FAULT_KINDS.filter(isUnheard));
  t.end();
});

t.test('nobody reads of another organization', async (t) => {
  t.notMatch(unnamed.body, /^carillon_probe_\w+\{/m, 'several organizations, no token: no names');
  t.match(unnamed.body, /^carillon_probes_unlisted 1$/m);
  t.match(ofOne.body, /^carillon_probe_status\{organization="acme"/m, 'one organization: its own names');
  t.match(mapped.body, /^carillon_probe_status\{organization="acme"/m, 'on the same host');
  t.notMatch(fromAfar.body, /^carillon_probe_\w+\{/m, 'from another host, no token: no names');
  for (const reply of refused) {
    t.equal(reply.statusCode, 401);
    t.notMatch(reply.body, /carillon_/);
  }
});

t.test('continuous scrapes query the database every 5 s; deleted objects have no series', async (t) => {
  const statusLine = async () => /^carillon_probe_status\{.*/m.exec((await scrape(single)).body)?.[0];
  const before = await statusLine();
  await alone.database.db.updateTable('probes').set({ status: 'UNHEALTHY' }).execute();
  t.equal(await statusLine(), before);
  alone.pass(6);
  t.match(await statusLine(), / 2$/);
  await alone.database.db.updateTable('projects').set({ deleted_at: new Date() }).execute();
  alone.pass(6);
  const { body } = await scrape(single);
  t.notMatch(body, /^carillon_probe_\w+\{/m);
  t.match(body, /^carillon_probes_unlisted 0$/m);
});

t.test('promtool accepts the rules and what they say', async (t) => {
  for (const args of [
    ['check', 'rules', 'alert-rules.yaml'],
    ['test', 'rules', 'alert-rules.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
    t.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  }
});

t.test('what rules and dashboard name is scraped', async (t) => {
  const scraped = new Set([...named.body.matchAll(/^# TYPE (\w+) /gm)].map((m) => m[1]));
  const dashboard = readFileSync(path.join(FOLDER, 'dashboard.json'), 'utf8');
  t.ok(JSON.parse(dashboard).panels.length >= 10);
  for (const [file, text] of [
    ['dashboard.json', dashboard],
    ['alert-rules.yaml', readFileSync(path.join(FOLDER, 'alert-rules.yaml'), 'utf8')],
    ['README.md', readFileSync(path.join(FOLDER, 'README.md'), 'utf8')],
  ] as const) {
    const names = new Set([...text.matchAll(/\bcarillon_\w+/g)].map(([name]) => name));
    t.ok(names.size > 5, file);
    for (const name of names) t.ok(scraped.has(name.replace(/_(bucket|sum|count)$/, '')), `${file}: ${name}`);
  }
});
