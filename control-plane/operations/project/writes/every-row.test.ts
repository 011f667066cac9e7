/** Each operation that writes configuration: who may, under which project, and there and back. */
import t from 'tap';
import { CATALOGUE } from '../../../catalogue.ts';
import { createClient } from '../../../client.ts';
import type { OperationRow } from '../../../contract/catalogue.ts';
import type { CONFIGURATION } from '../../../contract/configuration.ts';
import { single } from '../../../contract/envelope.ts';
import { atLeast } from '../../../contract/roles.ts';
import { callsBody, IDENTITIES, OWNER } from '../../../testing/api.ts';
import { noPasswordReturned, openWrites } from '../../../testing/writes.ts';

const { api, lab, fresh, make, registrar, newRegistrar, newAccount, webhook, media, test, probe } = await openWrites(t);
const { ask, projectId, hiddenId } = api;

type Request = { readonly url: string; readonly body?: object };

/** A valid request of each row: the objects that it needs are created first. */
const REQUESTS: Record<keyof typeof CONFIGURATION, () => Promise<Request>> = {
  createProject: async () => ({ url: '/projects', body: { name: fresh('Project') } }),
  updateProject: async () => ({ url: lab, body: { description: fresh('Where it rings') } }),
  deleteProject: async () => ({ url: await make('/projects', { name: fresh('Short-lived') }) }),
  createRegistrar: async () => ({ url: `${lab}/registrars`, body: registrar() }),
  getRegistrar: async () => ({ url: await newRegistrar() }),
  updateRegistrar: async () => ({ url: await newRegistrar(), body: { name: fresh('PBX') } }),
  deleteRegistrar: async () => ({ url: await newRegistrar() }),
  checkRegistrar: async () => ({ url: `${await newRegistrar()}/check`, body: {} }),
  listSipAccounts: async () => ({ url: `${await newRegistrar()}/sip-accounts` }),
  createSipAccounts: async () => ({
    url: `${await newRegistrar()}/sip-accounts`,
    body: { sipAccounts: [{ username: '1001', password: 'a' }] },
  }),
  updateSipAccount: async () => ({ url: await newAccount(), body: { password: 'b' } }),
  deleteSipAccount: async () => ({ url: await newAccount() }),
  createTest: async () => ({ url: `${lab}/tests`, body: test() }),
  preflightTest: async () => ({ url: `${await make(`${lab}/tests`, test())}/preflight` }),
  checkTest: async () => {
    const registrarId = (await newRegistrar()).split('/').at(-1) as string;
    const body = { ...callsBody(registrarId, 1, { name: fresh('Calls') }) };
    const groups = [
      { ...body.groups[0], callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@192.0.2.1' }, ice: 'stun:192.0.2.3' },
    ];
    return { url: `${await make(`${lab}/tests`, { ...body, groups })}/check`, body: {} };
  },
  updateTest: async () => ({ url: await make(`${lab}/tests`, test()), body: { durationSeconds: 9 } }),
  deleteTest: async () => ({ url: await make(`${lab}/tests`, test()) }),
  createProbe: async () => ({ url: `${lab}/probes`, body: probe() }),
  updateProbe: async () => ({ url: await make(`${lab}/probes`, probe()), body: { enabled: false } }),
  deleteProbe: async () => ({ url: await make(`${lab}/probes`, probe()) }),
  listMediaFiles: async () => ({ url: `${lab}/media-files` }),
  createMediaFile: async () => ({ url: `${lab}/media-files`, body: media() }),
  getMediaFile: async () => ({ url: await make(`${lab}/media-files`, media()) }),
  downloadMediaFile: async () => ({ url: `${await make(`${lab}/media-files`, media())}/content` }),
  deleteMediaFile: async () => ({ url: await make(`${lab}/media-files`, media()) }),
  listWebhooks: async () => ({ url: `${lab}/webhooks` }),
  createWebhook: async () => ({ url: `${lab}/webhooks`, body: webhook() }),
  getWebhook: async () => ({ url: await make(`${lab}/webhooks`, webhook()) }),
  updateWebhook: async () => ({
    url: await make(`${lab}/webhooks`, webhook()),
    body: { events: ['incident.resolved'] },
  }),
  deleteWebhook: async () => ({ url: await make(`${lab}/webhooks`, webhook()) }),
};
const names = Object.keys(REQUESTS) as (keyof typeof CONFIGURATION)[];

t.test('every row by every identity', async (t) => {
  t.comment(`${'operation'.padEnd(20)}${IDENTITIES.map((i) => i.name.padEnd(17)).join('')}`);
  for (const name of names) {
    const row: OperationRow = CATALOGUE[name];
    const cells: number[] = [];
    for (const identity of IDENTITIES) {
      const { url, body } = await REQUESTS[name]();
      const role = row.path === '/projects' ? identity.own : identity.role;
      const mayMake = name !== 'createProject' || identity.name !== 'ADMIN elsewhere';
      const wanted = role === null ? 404 : atLeast(role, row.role) && mayMake ? row.status : 403;
      const reply = await ask(row.method, url, body, { key: identity.key });
      cells.push(reply.status);
      t.equal(reply.status, wanted, `${name}, ${identity.name}: ${reply.message}`);
      if (reply.status < 300 && row.answers === 'single') {
        const parsed = single(row.output).safeParse(JSON.parse(reply.text));
        t.ok(parsed.success, `${name}: ${parsed.error?.message ?? 'as its schema says'}`);
      }
      if (reply.status < 300 && row.versioned && row.method !== 'DELETE') {
        t.equal(reply.etag, `"${reply.data.version}"`, `${name}: ETag`);
      }
    }
    t.comment(`${name.padEnd(20)}${cells.map((c) => String(c).padEnd(17)).join('')}`);
  }
});

t.test("one project's things do not exist under another", async (t) => {
  for (const name of names) {
    const row: OperationRow = CATALOGUE[name];
    if (row.path === '/projects' || row.path === '/projects/{projectId}') continue;
    const { url, body } = await REQUESTS[name]();
    if (row.answers === 'single' && !url.match(/\/(registrars|tests|probes|webhooks|media-files)$/)) {
      const crossed = url.replace(projectId, hiddenId);
      t.equal((await ask(row.method, crossed, body)).status, 404, name);
      const unknown = url.replace(/[^/]+$/, 'nothing');
      if (!url.endsWith('sip-accounts')) t.equal((await ask(row.method, unknown, body)).status, 404, `${name}, no id`);
    }
  }
});

t.test('made, read, changed, deleted', async (t) => {
  type Trip = {
    readonly what: string;
    readonly where: string;
    readonly body: object;
    readonly change: object;
    /** GET returns what the body said. */
    readonly told: readonly string[];
    readonly versioned: boolean;
  };
  const trips: Trip[] = [
    {
      what: 'project',
      where: '/projects',
      body: { name: 'Trip', slug: 'trip', description: 'there and back' },
      change: { name: 'Trip 2' },
      told: ['name', 'slug', 'description'],
      versioned: true,
    },
    {
      what: 'registrar',
      where: `${lab}/registrars`,
      body: { ...registrar(), slug: 'trip', register: false, outboundProxyUri: 'sip:proxy.example:5080;lr' },
      change: { outboundProxyUri: null },
      told: ['name', 'slug', 'uri', 'register', 'outboundProxyUri'],
      versioned: true,
    },
    {
      what: 'test',
      where: `${lab}/tests`,
      body: test({
        slug: 'trip',
        maxExecutionSeconds: 60,
        thresholds: [{ metricKey: 'asr', greenValue: 99, orangeValue: 95 }],
      }),
      change: { buildup: 7, maxExecutionSeconds: null },
      told: ['name', 'slug', 'buildup', 'durationSeconds', 'maxExecutionSeconds', 'thresholds'],
      versioned: true,
    },
    {
      what: 'probe',
      where: `${lab}/probes`,
      body: probe({ slug: 'trip', scheduleType: 'CRON', cronExpression: '*/5 * * * *', timezone: 'Europe/Paris' }),
      change: { enabled: false, thresholds: [] },
      told: ['name', 'slug', 'scheduleType', 'cronExpression', 'timezone'],
      versioned: true,
    },
    {
      what: 'webhook',
      where: `${lab}/webhooks`,
      body: webhook(),
      change: { url: 'https://b.example/' },
      told: ['url', 'events'],
      versioned: true,
    },
  ];
  for (const { what, where, body, change, told, versioned } of trips) {
    const made = await ask('POST', where, body);
    t.equal(made.status, 201, `${what}: ${made.message}`);
    t.equal(made.etag, '"1"', what);
    const url = `${where}/${made.data.id}`;
    const read = await ask('GET', url);
    for (const field of told) t.same(read.data[field], (body as Record<string, unknown>)[field], `${what}.${field}`);
    t.same(
      { ...made.data, secret: undefined },
      { ...read.data, secret: undefined },
      `${what}: creation tells what GET tells`,
    );
    const list = (await ask('GET', `${where}?per_page=100`)).data as { id: string }[];
    t.ok(
      list.some((item) => item.id === made.data.id),
      `${what} is listed`,
    );

    const changed = await ask('PATCH', url, change, { headers: { 'if-match': made.etag ?? '' } });
    t.equal(changed.status, 200, `${what}: ${changed.message}`);
    t.match(changed.data, change, what);
    const apart = ['version', 'updatedAt', ...Object.keys(change)];
    const rest = (data: object) => Object.fromEntries(Object.entries(data).filter(([key]) => !apart.includes(key)));
    t.same(rest(changed.data), rest(read.data), `${what}: what was not named stays`);
    if (versioned) t.equal(changed.etag, '"2"');
    const stale = await ask('DELETE', url, undefined, { headers: { 'if-match': '"1"' } });
    t.match(stale, { status: 412, code: 'PRECONDITION_FAILED', message: /version is 2/, paths: ['If-Match'] }, what);
    const gone = await ask('DELETE', url, undefined, { headers: { 'if-match': '"2"' } });
    t.same([gone.status, gone.data], [200, { id: made.data.id, deleted: true }], what);
    t.equal((await ask('GET', url)).status, 404, what);
    t.equal((await ask('DELETE', url)).status, 404, what);
    t.equal((await ask('POST', where, body)).status, 201, `${what}: its name is free again`);
  }
});

t.test('the typed client writes, too', async (t) => {
  const call = createClient(await api.listen(), OWNER.key);
  const made = await call('createRegistrar', { projectId, name: 'By client', uri: 'sip:client.example' });
  t.match(made, { slug: 'by-client', version: 1 });
  const ids = { projectId, registrarId: made.id };
  const change = { ...ids, outboundProxyUri: 'sip:proxy.example' };
  t.equal((await call('updateRegistrar', change, { 'if-match': '"1"' })).version, 2);
  await t.rejects(call('updateRegistrar', change, { 'if-match': '"1"' }), { status: 412, code: 'PRECONDITION_FAILED' });
  t.match(await call('getRegistrar', ids), { outboundProxyUri: 'sip:proxy.example', name: 'By client' });
  t.same(await call('deleteRegistrar', ids), { id: made.id, deleted: true });
  await t.rejects(call('createTest', { projectId } as never), /name: is required/);
});

t.test('no password is told or logged', async (t) => noPasswordReturned(t, api, OWNER.key));
