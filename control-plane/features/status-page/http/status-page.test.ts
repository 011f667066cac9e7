/** Status pages: the public sees what was published, correct, escaped, cacheable, and no more. */
import { createHash, randomUUID } from 'node:crypto';
import t from 'tap';
import { createHttpServer } from '../../../http/server.ts';
import { retain } from '../../../operations/retain.ts';
import { EDITOR, FOREIGN, openApi, probeBody } from '../../../testing/api.ts';
import { STATUS_DAYS, StatusPage } from '../contract/status-page.ts';
import { DARK, LIGHT } from './style.ts';

const EVIL = `<script>alert("x")</script> & 'co'`;
const DAY_MS = 86_400_000;

const { world, ask, projectId, hiddenId, cloudId } = await openApi(t);
world.hold();
const { db } = world.database;
const lab = `/projects/${projectId}`;
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());
const get = async (path: string, headers: Record<string, string> = {}) => {
  // Each replica caches a page for seconds.
  world.pass(6);
  return app.inject({ method: 'GET', url: path, headers });
};
const pageOf = async (slug: string) => StatusPage.parse((await get(`/status/${slug}.json`)).json());

const newProbe = async (name: string): Promise<string> => {
  const made = await ask('POST', `${lab}/probes`, probeBody(cloudId, { name }));
  if (made.status !== 201) throw new Error(made.text);
  return made.data.id;
};
const door = await newProbe('Internal door name (berlin)');
const backdoor = await newProbe('Secret backdoor');
const unshown = await newProbe('Not for the public');
const theirs = (await ask('GET', '/projects', undefined, FOREIGN)).data[0].id as string;

type Verdict = 'HEALTHY' | 'DEGRADED' | 'UNHEALTHY' | 'UNKNOWN';
const { id: testId } = (
  await ask('POST', `${lab}/tests`, {
    name: 'One call',
    durationSeconds: 5,
    groups: [
      {
        name: 'callers',
        registrarId: cloudId,
        callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5070' },
        placement: { mode: 'REGION', region: 'local' },
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
      },
    ],
  })
).data;

/** An execution from `days` days and `hours` hours ago, graded as executions are: inserted as UNKNOWN, then changed. */
async function graded(probeId: string, verdict: Verdict, { days = 0, hours = 0 } = {}): Promise<string> {
  const run = (await ask('POST', `${lab}/tests/${testId}/run`)).data.testRunId;
  const id = randomUUID();
  const scheduled_at = new Date(world.ports.now().getTime() - days * DAY_MS - hours * 3_600_000);
  await db.insertInto('probe_instances').values({ id, probe_id: probeId, test_run_id: run, scheduled_at }).execute();
  await db.updateTable('probe_instances').set({ status: verdict }).where('id', '=', id).execute();
  return id;
}

const settings = {
  published: true,
  slug: 'acme-status',
  title: `Acme ${EVIL}`,
  description: EVIL,
  probes: [
    { probeId: door, displayName: `Telephony ${EVIL}` },
    { probeId: backdoor, displayName: 'Voicemail' },
  ],
};

t.jobs = 1;

t.test('settings are the administrators’, and of their own probes', async (t) => {
  t.match((await ask('GET', `${lab}/status-page`)).data, { published: false, slug: null, path: null, probes: [] });
  t.equal((await ask('PATCH', `${lab}/status-page`, settings, EDITOR)).status, 403);
  t.match(await ask('PATCH', `${lab}/status-page`, { published: true }), { status: 422, paths: ['slug'] });
  const untitled = await ask('PATCH', `${lab}/status-page`, { ...settings, title: undefined });
  t.match(untitled, { status: 422, paths: ['title'] }, "the project's name is no title");
  const wrong: [object, string][] = [
    [{ slug: 'Has Spaces' }, 'slug'],
    [{ probes: [{ probeId: randomUUID(), displayName: 'x' }] }, 'probes.0.probeId'],
    [{ probes: [{ probeId: 'nothing', displayName: 'x' }] }, 'probes.0.probeId'],
    [{ probes: [settings.probes[0], settings.probes[0]] }, 'probes'],
  ];
  for (const [change, path] of wrong) {
    t.match(await ask('PATCH', `${lab}/status-page`, { ...settings, ...change }), { status: 422, paths: [path] }, path);
  }
  t.equal((await get('/status/acme-status')).statusCode, 404, 'nothing of what was refused was kept');
  const set = await ask('PATCH', `${lab}/status-page`, { ...settings, published: false });
  t.match(set, {
    status: 200,
    etag: '"1"',
    data: { published: false, path: '/status/acme-status', probes: settings.probes },
  });
  t.equal((await get('/status/acme-status')).statusCode, 404, 'not published');
  t.match(await ask('PATCH', `${lab}/status-page`, { published: true }, { headers: { 'if-match': '"7"' } }), {
    status: 412,
  });
  t.match(await ask('PATCH', `${lab}/status-page`, { published: true }), { status: 200, etag: '"2"' });
  const stranger = await ask('PATCH', `/projects/${theirs}/status-page`, { slug: 'acme-status' }, FOREIGN);
  t.match(stranger, { status: 409, message: /slug/ });
  t.match(
    await ask('PATCH', `/projects/${theirs}/status-page`, { slug: 'theirs', probes: settings.probes }, FOREIGN),
    { status: 422, paths: ['probes.0.probeId'] },
    "nobody shows another organization's probes",
  );
  const hidden = await ask('PATCH', `/projects/${hiddenId}/status-page`, { slug: 'hidden', probes: settings.probes });
  t.match(hidden, { status: 422 }, "nor another project's");
});

t.test('days, uptime and incidents follow the graded executions', async (t) => {
  const empty = await pageOf('acme-status');
  t.equal(empty.components[0]?.days.length, STATUS_DAYS);
  t.match(empty.components[0], { uptime: { last24Hours: null, last90Days: null } });
  for (const verdict of ['HEALTHY', 'HEALTHY', 'HEALTHY', 'UNKNOWN'] as const) await graded(door, verdict);
  const shown = async () =>
    [...(await get('/status/acme-status')).body.matchAll(/<dt>[^<]+<\/dt><dd>([^<]*)/g)]
      .slice(0, 4)
      .map(([, one]) => one);
  t.same(await shown(), ['100.00 %', '–', '–', '–'], 'a page that began today says nothing of 90 days');
  await graded(door, 'UNHEALTHY', { days: 3 });
  await graded(door, 'HEALTHY', { days: 3 });
  await graded(door, 'DEGRADED', { days: 20 });
  await graded(door, 'UNHEALTHY', { days: 60 });
  await graded(door, 'UNHEALTHY', { days: 95 });
  const again = await graded(door, 'UNHEALTHY', { days: 40 });
  await db.updateTable('probe_instances').set({ status: 'HEALTHY' }).where('id', '=', again).execute();
  await graded(unshown, 'UNHEALTHY');
  await db.updateTable('probes').set({ status: 'DEGRADED' }).where('id', '=', door).execute();
  const startedAt = world.ports.now();
  const ended = new Date(startedAt.getTime() - 3 * DAY_MS);
  const incident = { id: randomUUID(), probe_id: door, severity: 'DOWN' as const };
  const first = new Date(ended.getTime() - 90_000);
  const times = { first_failed_at: first, started_at: new Date(ended.getTime() - 60_000) };
  await db
    .insertInto('probe_incidents')
    .values([
      { ...incident, started_at: startedAt },
      { ...incident, id: randomUUID(), ...times, ended_at: ended },
      { ...incident, id: randomUUID(), probe_id: unshown, started_at: startedAt },
    ])
    .execute();
  const page = await pageOf('acme-status');
  const [telephony, voicemail] = page.components as [StatusPage['components'][0], StatusPage['components'][0]];
  const day = (ago: number) => telephony.days[STATUS_DAYS - 1 - ago];
  t.match(
    [0, 3, 20, 40, 60, 61].map((ago) => [day(ago)?.status, day(ago)?.uptime]),
    [
      ['HEALTHY', 100],
      ['UNHEALTHY', 50],
      ['DEGRADED', 100],
      ['HEALTHY', 100],
      ['UNHEALTHY', 0],
      ['UNKNOWN', null],
    ],
  );
  t.same(telephony.uptime, { last24Hours: 100, last7Days: 80, last30Days: 83.33, last90Days: 75 });
  t.same(await shown(), ['100.00 %', '80.00 %', '83.33 %', '75.00 %']);
  t.equal(page.status, 'DEGRADED');
  t.match(voicemail, { name: 'Voicemail', status: 'UNKNOWN', uptime: { last90Days: null } });
  t.match(page.openIncidents, [{ component: settings.probes[0]?.displayName, severity: 'DOWN', endedAt: null }]);
  t.match(page.pastIncidents, [{ durationMs: 60_000, firstFailedAt: first.toISOString() }]);
  t.equal(page.openIncidents.length + page.pastIncidents.length, 2, 'of chosen probes only');
});

t.test('what the executions said stays when they are gone', async (t) => {
  const before = await pageOf('acme-status');
  await db.deleteFrom('probe_instances').where('probe_id', '=', door).execute();
  await retain(world.ports);
  t.same((await pageOf('acme-status')).components[0]?.days, before.components[0]?.days);
});

t.test('the page: escaped, without script, cacheable', async (t) => {
  const page = await get('/status/acme-status');
  t.equal(page.statusCode, 200);
  t.match(page.headers['content-type'], /^text\/html/);
  t.notMatch(page.body, /<script|alert\("/, 'what was written is shown, not run');
  t.match(page.body, /Acme &lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt; &amp; &#39;co&#39;/);
  t.notMatch(page.body, /Internal door|backdoor|Not for the public|berlin/, 'no internal names');
  for (const id of [projectId, door, backdoor]) t.notMatch(page.body, id, 'no identifiers');
  t.notMatch((await get('/status/acme-status.json')).body, /Internal door|backdoor|Not for|berlin|probeId|projectId/);
  t.match(
    page.headers['content-security-policy'],
    /^default-src 'none'; style-src 'sha256-[\w+/]+=*';.*frame-ancestors 'none'$/,
  );
  t.equal((page.body.match(/<rect /g) ?? []).length, 2 * STATUS_DAYS);
  t.match(page.body, /<html lang="en">/);
  t.match(page.body, /role="img" aria-label="[^"]+, the last 90 days: 2 operational, 1 degraded, 2 down, 85 no data"/);
  for (const path of ['/status/acme-status', '/status/acme-status.json']) {
    const { headers } = await get(path);
    t.equal(headers['cache-control'], 'public, max-age=30', path);
    const unchanged = await get(path, { 'if-none-match': `"other", W/${headers.etag}` });
    t.same([unchanged.statusCode, unchanged.body], [304, ''], path);
    t.equal((await get(path, { 'if-none-match': '"other"' })).statusCode, 200, path);
  }
  await graded(door, 'UNHEALTHY');
  const changed = await get('/status/acme-status.json', { 'if-none-match': page.headers.etag as string });
  t.equal(changed.statusCode, 200, 'what has changed is told');
});

t.test('the brand of the organization is above the page, and only as long as that is published', async (t) => {
  const logo = { bytes: Buffer.from('\x89PNG'), widthPx: 30, heightPx: 20 };
  const colours = { band: '#0050a0', onBand: '#ffffff', linkOnLight: '#0050a1', linkOnDark: '#66aaff' };
  const organizations: string[] = [];
  const brand = async (_: unknown, organizationId: string) => {
    organizations.push(organizationId);
    return { name: EVIL, isNameShown: true, logo, colours };
  };
  t.equal((await get('/status/acme-status/logo')).statusCode, 404, 'there is none');
  const { hooks } = world.ports;
  Object.assign(world.ports, { hooks: [...hooks.map(({ brand: _, ...others }) => others), { brand }] });
  const page = await get('/status/acme-status');
  t.match(
    page.body,
    '<b>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;</b></div></header>\n<main>',
  );
  const [style = ''] = /(?<=<style>)[^<]+/.exec(page.body) ?? [];
  t.match(style, /#0050a0; color: #ffffff/);
  const hash = createHash('sha256').update(style).digest('base64');
  t.ok(String(page.headers['content-security-policy']).includes(`style-src 'sha256-${hash}'`));
  const [, source = ''] = /<img src="([^"]+)"/.exec(page.body) ?? [];
  const image = await get(new URL(source, 'http://x/status/acme-status').pathname);
  t.ok(image.rawPayload.equals(logo.bytes));
  t.match(image.headers, {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /default-src 'none'; sandbox/,
    etag: /./,
  });
  t.notMatch((await get('/status/acme-status.json')).body, '#0050a0');
  await ask('PATCH', `${lab}/status-page`, { published: false });
  for (const path of ['/status/acme-status/logo', '/status/other/logo', '/status/acme-status.json/logo'])
    t.equal((await get(path)).statusCode, 404, path);
  await ask('PATCH', `${lab}/status-page`, { published: true });
  const { organization_id } = await db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select('organization_id')
    .executeTakeFirstOrThrow();
  t.same([...new Set(organizations)], [organization_id]);
  Object.assign(world.ports, { hooks });
});

t.test('names that are tried push nothing out', async (t) => {
  const path = '/status/acme-status.json';
  const first = (await get(path)).body;
  const title = (await ask('PATCH', `${lab}/status-page`, { title: 'Another' })).status;
  t.equal(title, 200);
  for (let n = 0; n < 1100; n++) await app.inject({ method: 'GET', url: `/status/guess-${n}` });
  t.equal((await app.inject({ method: 'GET', url: path })).body, first, 'kept');
  t.not((await get(path)).body, first);
  await ask('PATCH', `${lab}/status-page`, { title: settings.title });
});

t.test('what is not published is not there', async (t) => {
  for (const path of ['/status/nothing', '/status/nothing.json', '/status/..', '/status/%00', `/status/${projectId}`]) {
    const reply = await get(path);
    t.ok([400, 404].includes(reply.statusCode), `${path}: ${reply.statusCode}`);
    t.notMatch(reply.body, /acme/i);
  }
  await ask('PATCH', `${lab}/status-page`, { published: false });
  t.equal((await get('/status/acme-status')).statusCode, 404);
  await ask('PATCH', `${lab}/status-page`, { published: true });
  t.equal((await get('/status/acme-status')).statusCode, 200);
  await db.updateTable('projects').set({ deleted_at: new Date() }).where('id', '=', projectId).execute();
  t.equal((await get('/status/acme-status')).statusCode, 404, 'nor is a deleted project');
});

/** WCAG 2.2, "contrast ratio". */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [r, g, bl] = [1, 3, 5].map((i) => {
      const c = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
      return c <= 0.040_45 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

t.test('colours can be told from the page', async (t) => {
  for (const [name, palette] of Object.entries({ LIGHT, DARK })) {
    for (const key of ['text', 'quiet', 'link', 'healthy', 'degraded', 'unhealthy', 'unknown'] as const) {
      const ratio = contrast(palette[key], palette.page);
      t.ok(ratio >= 4.5, `${name} ${key}: ${ratio.toFixed(2)}`);
    }
  }
});
