/** Writing configuration over the API: who may, the result, and what is refused and why. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { CATALOGUE, type OperationRow } from '../../contract/catalogue.ts';
import { createClient } from '../../contract/client.ts';
import type { CONFIGURATION } from '../../contract/configuration.ts';
import { single } from '../../contract/envelope.ts';
import type { TestConfig } from '../../contract/test/test.ts';
import { atLeast } from '../../contract/words.ts';
import { draftOfProbe, probeBody as probeBodyOf } from '../../dashboard/show/probe/probe-draft.ts';
import { bodyOf, draftOf } from '../../dashboard/show/test/test-draft.ts';
import { asTest, type Names, readTest, UNSAID, yamlOf } from '../../dashboard/show/test/test-yaml.ts';
import { openIn } from '../../store/secrets/sealing.ts';
import { acmeFile, callsBody, IDENTITIES, OWNER, openApi, probeBody, wavBase64 } from '../../testing/api.ts';
import { callProbe, callsTest } from '../../testing/world.ts';

const api = await openApi(t);
const { ask, world, projectId, hiddenId, cloudId, workerIds } = api;
const { db } = world.database;
const lab = `/projects/${projectId}`;

let n = 0;
const fresh = (what: string) => `${what} ${++n}`;

/** Creates one, and returns its address. */
const make = async (where: string, body: object): Promise<string> => {
  const made = await ask('POST', where, body);
  if (made.status !== 201) throw new Error(`${where}: ${made.text}`);
  return `${where}/${made.data.id}`;
};
const registrar = (more: object = {}) => ({ name: fresh('PBX'), uri: 'sip:127.0.0.1:5070', ...more });
const newRegistrar = (more: object = {}) => make(`${lab}/registrars`, registrar(more));
const idOf = (url: string) => url.split('/').at(-1) as string;

async function newAccounts(registrarUrl: string, usernames: string[]): Promise<{ id: string; username: string }[]> {
  const sipAccounts = usernames.map((username) => ({ username, password: `secret-${username}` }));
  const made = await ask('POST', `${registrarUrl}/sip-accounts`, { sipAccounts });
  return made.data.sipAccounts;
}
async function newAccount(): Promise<string> {
  const url = await newRegistrar();
  const [account] = await newAccounts(url, ['1001']);
  return `${url}/sip-accounts/${account?.id}`;
}
const webhook = () => ({ url: `https://hooks.example/${++n}`, events: ['incident.opened'] });
const pattern = (name: string): string =>
  readFileSync(new URL(import.meta.resolve(`@carillon/media/video/pattern/${name}`))).toString('base64');
const media = () => ({ name: fresh('greeting'), content: wavBase64() });
const test = (more: object = {}) => callsBody(cloudId, 1, { name: fresh('Calls'), ...more });
const probe = (more: object = {}) => probeBody(cloudId, { name: fresh('Door'), ...more });

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

t.test('a test is the same, made by the API or by the file', async (t) => {
  const slug = 'both';
  const asFile = {
    ...callsTest(3, slug),
    groups: callsTest(3).groups.map((g) => ({
      ...g,
      registrar: 'pbx',
      placement: { mode: 'WORKERS', workers: ['edge-1', 'edge-2'] },
      mediaTracks: [{ kind: 'AUDIO', source: 'SPEECH', direction: 'SEND' }],
      subPopulations: g.subPopulations.map((s, i) => ({ ...s, ...(i === 0 && { sipAccounts: ['1', '2', '3'] }) })),
    })),
    thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3 }],
  };
  const sipAccounts = ['1', '2', '3', '4'].map((username) => ({ username, password: 'p' }));
  await world.provision(
    acmeFile({
      registrars: [{ slug: 'pbx', name: 'PBX', uri: 'sip:127.0.0.1:5070', sipAccounts }],
      tests: [asFile],
      probes: [callProbe('both', 'Both')],
    }),
  );
  const all = (await ask('GET', `${lab}/registrars?per_page=100`)).data as { id: string; slug: string }[];
  const pbx = all.find((r) => r.slug === 'pbx')?.id as string;
  const accounts = (await ask('GET', `${lab}/registrars/${pbx}/sip-accounts`)).data as {
    id: string;
    username: string;
  }[];
  t.same(
    accounts.map((a) => a.username),
    ['1', '2', '3', '4'],
  );
  const asBody = {
    ...callsBody(pbx, 3),
    groups: callsBody(pbx, 3).groups.map((g) => ({
      ...g,
      placement: { mode: 'WORKERS', workerIds: [workerIds['edge-1'], workerIds['edge-2']] },
      mediaTracks: [{ kind: 'AUDIO', source: 'SPEECH', direction: 'SEND' }],
      subPopulations: g.subPopulations.map((s) => ({ ...s, sipAccountIds: accounts.slice(0, 3).map((a) => a.id) })),
    })),
    thresholds: asFile.thresholds,
  };
  const made = await ask('POST', `${lab}/tests`, asBody);
  t.equal(made.status, 201, made.message);
  const rows = await db
    .selectFrom('tests')
    .where('project_id', '=', projectId)
    .where((eb) => eb.or([eb('slug', '=', slug), eb('id', '=', made.data.id)]))
    .select(['config', 'endpoints', 'duration_seconds', 'buildup_seconds'])
    .execute();
  /** Ids are new each time; the objects that they name are the same. */
  const named = (config: TestConfig) => {
    const ids = [...JSON.stringify(config).matchAll(/"id":"([^"]+)"/g)].map((m) => m[1] as string);
    return ids.reduce((text, id, i) => text.replaceAll(id, `id-${i}`), JSON.stringify(config));
  };
  t.equal(rows.length, 2);
  t.same(named(rows[0]?.config as TestConfig), named(rows[1]?.config as TestConfig));
  t.same({ ...rows[0], config: 0 }, { ...rows[1], config: 0 });

  const call = { registrarId: cloudId, ...callProbe('x', 'X').test, registrar: undefined };
  const probed = await ask('POST', `${lab}/probes`, { ...callProbe('x', 'Both'), slug: undefined, test: call });
  t.equal(probed.status, 201, probed.message);
  const probes = await db
    .selectFrom('probes')
    .where('name', '=', 'Both')
    .select(['config', 'duration_seconds', 'schedule_type', 'fixed_interval_sec', 'alert_strike_runs', 'timezone'])
    .execute();
  t.equal(probes.length, 2);
  t.same(named(probes[0]?.config as TestConfig), named(probes[1]?.config as TestConfig));
  t.same({ ...probes[0], config: 0 }, { ...probes[1], config: 0 });
});

t.test('what GET tells of groups may be sent back, and they keep who they are', async (t) => {
  const url = await make(`${lab}/tests`, test());
  const before = (await ask('GET', url)).data;
  const same = await ask('PATCH', url, { groups: before.groups, thresholds: before.thresholds, load: before.load });
  t.equal(same.status, 200, same.message);
  t.same(same.data.groups, before.groups);
  const [callers, callees] = before.groups;
  const renamed = await ask('PATCH', url, {
    groups: [
      { ...callees, name: 'those who listen' },
      { ...callers, subPopulations: [...callers.subPopulations, { name: 'more', role: 'CALLER', endpoints: 1 }] },
      { ...callees, id: undefined, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 5 }] },
    ],
  });
  t.match(renamed, { status: 422, message: /2 callers for the 1 callees/, paths: ['groups[1].callee.group'] });
  const wider = await ask('PATCH', url, {
    groups: [
      { ...callees, name: 'those who listen', subPopulations: [{ ...callees.subPopulations[0], endpoints: 2 }] },
      { ...callers, subPopulations: [...callers.subPopulations, { name: 'more', role: 'CALLER', endpoints: 1 }] },
      { ...callees, id: undefined, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 5 }] },
    ],
  });
  t.equal(wider.status, 200, wider.message);
  const [listen, call, third] = wider.data.groups;
  t.same([listen.id, call.id, call.callee.groupId], [callees.id, callers.id, callees.id]);
  t.same(call.subPopulations[0].id, callers.subPopulations[0].id);
  t.equal(new Set([listen.id, call.id, third.id]).size, 3, 'a group that takes an old name is a new one');
  t.equal(wider.data.endpoints, 9);
  const copy = await ask('POST', `${lab}/tests`, { ...test(), groups: wider.data.groups });
  t.equal(copy.status, 201, copy.message);
  t.not(copy.data.groups[0].id, listen.id);
  t.equal(copy.data.groups[1].callee.groupId, copy.data.groups[0].id, 'a copy points to itself');
});

t.test('what the form saves without a change is what was there', async (t) => {
  const pbx = idOf(await newRegistrar());
  const heard = [await make(`${lab}/media-files`, media()), await make(`${lab}/media-files`, media())].map(idOf);
  const { groups } = test();
  const [callers, callees] = groups;
  const renamed = (group: object | undefined, name: string, more: object = {}) => ({ ...group, name, ...more });
  const share = (name: string, role: string) => ({ subPopulations: [{ name, role, endpoints: 3 }] });
  const played = (mediaFileId: string | undefined) => ({
    mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId }],
  });
  const external = { callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5070' }, registrarId: pbx };
  const towards = { callee: { mode: 'GROUP', group: 'Support desk' } };
  const rows = (await ask('GET', `${lab}/registrars?per_page=100`)).data;
  const cases: [string, object, boolean][] = [
    ['callees of our own', { groups }, true],
    [
      'other names',
      {
        groups: [
          renamed(callers, 'Branch offices', { ...towards, ...share('Berlin', 'CALLER') }),
          renamed(callees, 'Support desk', share('night shift', 'CALLEE')),
        ],
        description: 'As it rings at night',
        breaker: null,
        maxExecutionSeconds: 90,
        thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3 }],
      },
      true,
    ],
    ['a PBX', { groups: [renamed(callers, 'callees', { ...external, ...share('Berlin', 'CALLER') })] }, true],
    [
      'callees that play something else',
      {
        groups: [
          renamed(callers, 'callers', { ...towards, ...played(heard[0]) }),
          renamed(callees, 'Support desk', played(heard[1])),
        ],
      },
      false,
    ],
  ];
  const named = (rows: { id: string; name: string }[]) => new Map(rows.map((r) => [r.id, r.name]));
  const none = new Map<string, string>();
  const names: Names = { registrars: named(rows), workers: none, accounts: none, mediaFiles: none };
  for (const [what, more, fits] of cases) {
    const url = await make(`${lab}/tests`, test(more));
    const before = (await ask('GET', url)).data;
    const draft = draftOf(before, rows);
    t.equal(draft !== null, fits, `${what}: ${fits ? 'the form holds it' : 'only as YAML'}`);
    if (!draft) continue;
    const body = bodyOf(draft, cloudId, before);
    const saved = await ask('PATCH', url, { ...UNSAID, ...body, slug: undefined });
    t.equal(saved.status, 200, saved.text);
    const { version: _, updatedAt: __, ...kept } = before;
    t.match((await ask('GET', url)).data, kept, what);
    const read = readTest(yamlOf(asTest(body, before), names), names);
    t.notOk('faults' in read);
    if ('faults' in read) continue;
    t.same(draftOf(asTest(read.body, before), rows), draft, `${what}: by way of YAML`);
    const written = await ask('PATCH', url, { ...UNSAID, ...read.body, slug: undefined });
    t.equal(written.status, 200, written.text);
    t.match((await ask('GET', url)).data, kept, `${what}: saved as YAML`);
  }
});

t.test('what is wrong with a body is named', async (t) => {
  const theirWorker = workerIds['theirs'] as string;
  const none = '01900000-0000-7000-8000-000000000000';
  const [callers, callees] = test().groups;
  const groups = (more: object) => test({ groups: [{ ...callers, ...more }, callees] });
  const pbx = idOf(await newRegistrar());
  const file = (mediaFileId: unknown, source = 'FILE') =>
    groups({ mediaTracks: [{ kind: 'AUDIO', source, mediaFileId }] });
  const tracks = (...mediaTracks: object[]) => groups({ mediaTracks });
  const clip = idOf(await make(`${lab}/media-files`, { name: fresh('clip'), content: pattern('pattern.ivf') }));
  const sound = idOf(await make(`${lab}/media-files`, media()));
  const film = (videoCodecs: string[], mediaFileId: unknown) =>
    groups({ videoCodecs, mediaTracks: [{ kind: 'AUDIO' }, { kind: 'VIDEO', source: 'FILE', mediaFileId }] });
  const [foreignAccount] = await newAccounts(await newRegistrar(), ['1']);
  const subs = (more: object) => groups({ subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1, ...more }] });
  const rows: [string, string, object | string, string[], RegExp][] = [
    ['nothing', 'tests', {}, ['name', 'durationSeconds', 'groups'], /name: is required/],
    ['a list', 'tests', [], [''], /must be an object, not (a list|null)/],
    ['null', 'tests', 'null', [''], /must be an object, not (a list|null)/],
    ['an unknown field', 'tests', test({ colour: 'blue' }), ['colour'], /colour: unknown field/],
    ['an unknown field inside', 'tests', groups({ colour: 1 }), ['groups[0].colour'], /unknown field/],
    ['a name of the path', 'tests', test({ projectId: hiddenId }), ['projectId'], /unknown field/],
    [
      'a prototype',
      'tests',
      JSON.stringify(test()).replace('{', '{"__proto__":{"a":1},'),
      ['__proto__'],
      /unknown field/,
    ],
    ['no registrar', 'tests', groups({ registrarId: none }), ['groups[0].registrarId'], /no registrar has the id/],
    ['no id', 'tests', groups({ registrarId: 'cloud' }), ['groups[0].registrarId'], /no registrar has the id cloud/],
    [
      'their worker',
      'tests',
      groups({ placement: { mode: 'WORKERS', workerIds: [workerIds['edge-1'], theirWorker] } }),
      ['groups[0].placement.workerIds[1]'],
      /no worker/,
    ],
    [
      'another registrar’s account',
      'tests',
      subs({ sipAccountIds: [foreignAccount?.id] }),
      ['groups[0].subPopulations[0].sipAccountIds[0]'],
      /has no account/,
    ],
    ['no media file', 'tests', file(none), ['groups[0].mediaTracks[0].mediaFileId'], /no media file/],
    ['FILE without one', 'tests', file(null), ['groups[0].mediaTracks[0].mediaFileId'], /source FILE/],
    ['one without FILE', 'tests', file(none, 'TONE'), ['groups[0].mediaTracks[0].mediaFileId'], /source FILE/],
    [
      'no such group',
      'tests',
      groups({ callee: { mode: 'GROUP', group: 'nobody' } }),
      ['groups[0].callee.group'],
      /names no group/,
    ],
    [
      'no such group id',
      'tests',
      groups({ callee: { mode: 'GROUP', groupId: none } }),
      ['groups[0].callee.group'],
      /names no group/,
    ],
    [
      'two words for a group',
      'tests',
      groups({ callee: { mode: 'GROUP', group: 'callees', groupId: none } }),
      ['groups[0].callee'],
      /groupId/,
    ],
    ['itself', 'tests', groups({ callee: { mode: 'GROUP', group: 'callers' } }), ['groups[0].callee.group'], /RECEIVE/],
    ['nobody who could call', 'tests', test({ groups: [callees] }), ['groups[0].callsFrom'], /say ANYBODY/],
    ['too many callers', 'tests', subs({ endpoints: 2 }), ['groups[0].callee.group'], /2 callers for the 1 callees/],
    [
      'a callee that calls',
      'tests',
      subs({ role: 'CALLEE' }),
      ['groups[0].subPopulations[0].role'],
      /CALLER sub-populations only/,
    ],
    ['cloud and SIP server', 'tests', groups({ registrarId: pbx }), ['groups[0].registrarId'], /must both/],
    [
      'no SIP URI',
      'tests',
      groups({ callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@pbx.example:0' } }),
      ['groups[0].callee.uri'],
      /port/,
    ],
    ['a name twice', 'tests', test({ groups: [callees, callees] }), ['groups'], /each group must be unique/],
    [
      'an id twice',
      'tests',
      test({
        groups: [
          { ...callers, id: 'a' },
          { ...callees, id: 'a' },
        ],
      }),
      ['groups'],
      /each group id/,
    ],
    ['half a second', 'tests', test({ buildup: 1.5 }), ['buildup'], /must be a whole number from 0 to 86400/],
    [
      'very many endpoints',
      'tests',
      groups({
        callee: { mode: 'EXTERNAL_URI', uri: 'sip:a@b' },
        subPopulations: Array(11).fill({ name: 'all', role: 'CALLER', endpoints: 100_000 }),
      }),
      ['groups'],
      /1100001 endpoints/,
    ],
    ['NUL', 'tests', test({ name: 'a\u0000b' }), ['name'], /NUL/],
    ['half a character', 'tests', test({ description: 'a\ud800' }), ['description'], /half/],
    ['a bad slug', 'tests', test({ slug: 'Not A Slug' }), ['slug'], /slug/],
    ['encryption', 'tests', groups({ encryption: 'SRTP' }), ['groups[0].encryption'], /NONE/],
    ['no codec', 'tests', groups({ audioCodecs: ['SPEEX'] }), ['groups[0].audioCodecs[0]'], /OPUS/],
    ['a codec twice', 'tests', groups({ audioCodecs: ['PCMU', 'PCMU'] }), ['groups[0].audioCodecs'], /must be unique/],
    [
      'video without a track',
      'tests',
      groups({ videoCodecs: ['VP8'] }),
      ['groups[0].videoCodecs'],
      /track of kind VIDEO/,
    ],
    [
      'a track without a codec',
      'tests',
      tracks({ kind: 'AUDIO' }, { kind: 'VIDEO' }),
      ['groups[0].mediaTracks[1].kind'],
      /videoCodecs/,
    ],
    [
      'a track too many',
      'tests',
      tracks({ kind: 'AUDIO' }, { kind: 'AUDIO', source: 'SPEECH' }),
      ['groups[0].mediaTracks[1].kind'],
      /AUDIO already/,
    ],
    [
      'a tone as video',
      'tests',
      tracks({ kind: 'VIDEO', source: 'TONE' }),
      ['groups[0].mediaTracks[0].source'],
      /PATTERN/,
    ],
    ['video as sound', 'tests', file(clip), ['groups[0].mediaTracks[0].mediaFileId'], /is video/],
    ['sound as video', 'tests', film(['VP8'], sound), ['groups[0].mediaTracks[1].mediaFileId'], /recording of sound/],
    [
      'video in another codec',
      'tests',
      film(['VP8', 'H264'], clip),
      ['groups[0].mediaTracks[1].mediaFileId'],
      /is VP8, and is sent as it is/,
    ],
    [
      'no audio',
      'tests',
      groups({ videoCodecs: ['VP8'], mediaTracks: [{ kind: 'VIDEO' }] }),
      ['groups[0].mediaTracks'],
      /track of kind AUDIO/,
    ],
    ['no SDP of media', 'tests', groups({ sdp: 'NONE' }), ['groups[0].sdp'], /mediaTracks: \[\]/],
    [
      'loss of no media',
      'tests',
      groups({ mediaTracks: [], impairment: { lossPercent: 1 } }),
      ['groups[0].impairment'],
      /no mediaTracks/,
    ],
    ['a DSCP', 'tests', tracks({ kind: 'AUDIO', dscp: 64 }), ['groups[0].mediaTracks[0].dscp'], /63/],
    [
      'digits where nothing is sent',
      'tests',
      groups({ dtmf: { digits: '1' }, mediaTracks: [{ kind: 'AUDIO', direction: 'RECEIVE' }] }),
      ['groups[0].dtmf'],
      /AUDIO that sends/,
    ],
    [
      'digits after the call',
      'tests',
      { ...groups({ dtmf: { digits: '12', afterMs: 2701 } }), durationSeconds: 3 },
      ['groups[0].dtmf'],
      /takes 3001 ms from the answer, and a call lasts 3 s/,
    ],
    ['no digits', 'tests', groups({ dtmf: { digits: '12x' } }), ['groups[0].dtmf.digits'], /0-9/],
    ['loss', 'tests', groups({ impairment: { lossPercent: 91 } }), ['groups[0].impairment.lossPercent'], /90/],
    ['the cloud', 'registrars', registrar({ slug: 'cloud' }), ['slug'], /built-in/],
    ['a URI without host', 'registrars', registrar({ outboundProxyUri: 'sip:;lr' }), ['outboundProxyUri'], /host/],
    ['http', 'registrars', registrar({ uri: 'http://pbx' }), ['uri'], /sip:/],
    ['no interval', 'probes', probe({ fixedIntervalSec: null }), ['fixedIntervalSec'], /300/],
    ['an odd interval', 'probes', probe({ fixedIntervalSec: 301 }), ['fixedIntervalSec'], /./],
    ['no expression', 'probes', probe({ scheduleType: 'CRON' }), ['cronExpression'], /expression/],
    ['no time zone', 'probes', probe({ timezone: 'Mars/Olympus' }), ['timezone'], /time zone/],
    ['no parent', 'probes', probe({ parentProbeId: none }), ['parentProbeId'], /no probe/],
    [
      'a registrar that is gone',
      'probes',
      { ...probe(), test: { ...probe().test, registrarId: none } },
      ['test.registrarId'],
      /no registrar/,
    ],
    [
      'an unknown metric',
      'probes',
      probe({ thresholds: [{ metricKey: 'luck', greenValue: 1, orangeValue: 2 }] }),
      ['thresholds[0].metricKey'],
      /./,
    ],
    [
      'a metric twice',
      'probes',
      probe({ thresholds: [1, 2].map((greenValue) => ({ metricKey: 'asr', greenValue, orangeValue: 0 })) }),
      ['thresholds'],
      /must be unique/,
    ],
    ['no URL', 'webhooks', { ...webhook(), url: 'hooks.example' }, ['url'], /http/],
    ['no event', 'webhooks', { ...webhook(), events: [] }, ['events'], /./],
    ['a short secret', 'webhooks', { ...webhook(), secret: 'short' }, ['secret'], /24/],
  ];
  for (const [what, where, body, paths, message] of rows) {
    const reply = await ask('POST', `${lab}/${where}`, body);
    t.match(reply, { status: 422, code: 'VALIDATION_ERROR', message }, `${what}: ${reply.status} ${reply.message}`);
    t.same(reply.paths, paths, what);
  }
  t.match(await ask('POST', `${lab}/tests`, '{"a":'), { status: 400, code: 'BAD_REQUEST' });
  const xml = { headers: { 'content-type': 'application/xml' } };
  t.match(await ask('POST', `${lab}/tests`, '<a/>', xml), { status: 400, code: 'BAD_REQUEST' });
  t.match(await ask('POST', `${lab}/tests`), { status: 422 }, 'no body');
  const long = await ask('POST', `${lab}/tests`, test({ description: 'x'.repeat(2 ** 20) }));
  t.match(long, { status: 400, code: 'BAD_REQUEST', message: /longer than 1048576 bytes/ });
  const wide = await ask('POST', `${lab}/tests`, `{"groups":[${'0,'.repeat(300_000)}0]}`);
  t.match(wide, { status: 422, message: /200000 values/ });
  const many = await ask('POST', `${lab}/tests`, test({ groups: Array(1000).fill(0) }));
  t.equal(many.paths.length, 100, 'a hundred mistakes are told');
  const self = await make(`${lab}/probes`, probe());
  t.match(await ask('PATCH', self, { parentProbeId: idOf(self) }), { status: 422, paths: ['parentProbeId'] });
  t.match(await ask('PATCH', self, { scheduleType: 'CRON' }), { status: 422, paths: ['cronExpression'] });
});

t.test('a call may not become too short for its keys', async (t) => {
  const [callers, callees] = test().groups;
  const groups = [{ ...callers, dtmf: { digits: '12', afterMs: 2700 } }, callees];
  const url = await make(`${lab}/tests`, { ...test(), groups, durationSeconds: 3 });
  t.match(await ask('PATCH', url, { durationSeconds: 2 }), { status: 422, paths: ['durationSeconds'] });
  t.match(await ask('PATCH', url, { durationSeconds: 4, name: 'Longer' }), { status: 200 });
  t.equal((await ask('DELETE', url)).status, 200);
});

t.test('slugs', async (t) => {
  const slugOf = async (body: object) =>
    (await ask('POST', `${lab}/registrars`, { uri: 'sip:a.example', ...body })).data.slug;
  t.equal(await slugOf({ name: 'Zürich Süd (1)' }), 'zurich-sud-1');
  t.equal(await slugOf({ name: 'Zürich Süd (1)' }), 'zurich-sud-1-2');
  t.equal(await slugOf({ name: 'ZURICH-SUD-1' }), 'zurich-sud-1-3');
  t.equal(await slugOf({ name: '電話' }), 'registrar');
  t.equal(await slugOf({ name: 'Cloud' }), 'cloud-2');
  t.match(await slugOf({ name: `${'x'.repeat(80)}` }), /^x{56}$/);
  t.match(await ask('POST', `${lab}/registrars`, registrar({ slug: 'zurich-sud-1' })), {
    status: 409,
    code: 'CONFLICT',
    message: /zurich-sud-1 is taken/,
  });
  t.equal((await ask('POST', '/projects', { name: 'Lab', slug: 'lab' })).status, 409);
  t.equal((await ask('POST', '/projects', { name: 'Lab' })).data.slug, 'lab-2');
});

t.test('what is in use stays, and who uses it is named', async (t) => {
  const url = await newRegistrar();
  const pbx = idOf(url);
  const [account, unused] = await newAccounts(url, ['1', '2']);
  const recording = await make(`${lab}/media-files`, media());
  const body = callsBody(pbx, 1, { name: 'Uses it all' });
  const [callers, callees] = body.groups;
  const testUrl = await make(`${lab}/tests`, {
    ...body,
    groups: [
      { ...callers, mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId: idOf(recording) }] },
      { ...callees, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 1, sipAccountIds: [account?.id] }] },
    ],
  });
  const probeUrl = await make(`${lab}/probes`, probeBody(pbx, { name: 'Uses it, too' }));
  const refused = async (url: string, message: RegExp) => {
    const reply = await ask('DELETE', url);
    t.match(reply, { status: 409, code: 'CONFLICT', message }, reply.message);
    return reply;
  };
  const named = await refused(url, /used by test Uses it all, probe Uses it, too\. Change or delete/);
  t.same(named.paths, ['tests', 'probes']);
  await refused(`${url}/sip-accounts/${account?.id}`, /account 1 is used by test Uses it all\./);
  await refused(recording, /used by test Uses it all\./);
  t.equal((await ask('DELETE', `${url}/sip-accounts/${unused?.id}`)).status, 200);
  t.equal((await ask('DELETE', probeUrl)).status, 200);
  await refused(url, /used by test Uses it all\./);
  t.equal((await ask('DELETE', testUrl)).status, 200);
  for (const free of [`${url}/sip-accounts/${account?.id}`, recording, url])
    t.equal((await ask('DELETE', free)).status, 200);

  const cloud = `${lab}/registrars/${cloudId}`;
  t.match(await ask('PATCH', cloud, { name: 'Mine' }), { status: 409, message: /built-in/ });
  t.match(await ask('DELETE', cloud), { status: 409, message: /built-in/ });
  const account1 = { sipAccounts: [{ username: '1', password: '1' }] };
  t.match(await ask('POST', `${cloud}/sip-accounts`, account1), { status: 409, message: /built-in/ });
});

t.test('SIP accounts come in bulk, all or none', async (t) => {
  const url = await newRegistrar();
  const where = `${url}/sip-accounts`;
  const accounts = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ username: String(from + i), password: `hidden ${from + i}` }));
  const startMs = performance.now();
  const made = await ask('POST', where, { sipAccounts: accounts(100_000, 10_000) });
  t.equal(made.status, 201, made.message);
  t.comment(`10,000 accounts in ${Math.round(performance.now() - startMs)} ms`);
  t.same(
    made.data.sipAccounts.map((a: { username: string }) => a.username),
    accounts(100_000, 10_000).map((a) => a.username),
  );
  t.equal((await ask('GET', url)).data.sipAccountCount, 10_000);
  const page = await ask('GET', `${where}?per_page=2&page=3`);
  t.same(
    page.data.map((a: { username: string }) => a.username),
    ['100004', '100005'],
  );
  t.match(page.data[0], { secret: 'PASSWORD', authName: null, displayName: null, number: null, values: {} });
  t.notMatch(JSON.stringify(page.data), 'hidden');
  t.equal(page.total, 10_000);

  const half = await ask('POST', where, { sipAccounts: accounts(109_998, 4) });
  t.match(half, { status: 409, code: 'CONFLICT', message: /has 109998, 109999 already; no account/ });
  t.same(half.paths, ['sipAccounts[0].username', 'sipAccounts[1].username']);
  const twice = await ask('POST', where, { sipAccounts: [...accounts(1, 3), ...accounts(2, 1)] });
  t.match(twice, { status: 422, paths: ['sipAccounts[3].username'], message: /2 is already in the list/ });
  t.equal((await ask('GET', url)).data.sipAccountCount, 10_000, 'none of them');
  t.match(await ask('POST', where, { sipAccounts: accounts(1, 10_001) }), { status: 422, paths: ['sipAccounts'] });
  t.match(await ask('POST', where, { sipAccounts: [] }), { status: 422 });
  for (const username of ['', 'a b', 'a@b', 'a\r\nVia: x', '<a>', '"', '\u0000', 'x'.repeat(129)]) {
    const reply = await ask('POST', where, { sipAccounts: [{ username, password: '' }] });
    t.match(reply, { status: 422, paths: ['sipAccounts[0].username'] }, JSON.stringify(username));
  }

  const [first, second] = made.data.sipAccounts;
  const one = `${where}/${first.id}`;
  t.equal((await ask('PATCH', one, { username: 'alice' })).data.username, 'alice');
  t.match(await ask('PATCH', one, { username: second.username }), { status: 409, message: /account 100001 already/ });
  t.equal((await ask('PATCH', one, {})).status, 200, 'nothing to change');
  t.match(await ask('PATCH', one, { password: 'x' }, { headers: { 'if-match': '"1"' } }), { status: 412 });
  t.equal((await ask('PATCH', one, { password: 'renewed password' })).status, 200);
  const stored = await db.selectFrom('sip_accounts').where('id', '=', first.id).select('password').executeTakeFirst();
  const row = { table: 'sip_accounts', id: first.id } as const;
  t.equal(openIn(db, row, stored?.password as Buffer).reveal(), 'renewed password');
});

t.test('a trunk may have further gateways, and a domain of its own', async (t) => {
  const trunk = { name: 'Trunk', uri: 'sip:192.0.2.1', register: false };
  const made = await ask('POST', `${lab}/registrars`, {
    ...trunk,
    domain: 'home.example',
    gateways: ['192.0.2.2:5070', '[2001:db8::1]'],
  });
  t.equal(made.status, 201, made.message);
  t.match(made.data, { domain: 'home.example', gateways: ['192.0.2.2:5070', '[2001:db8::1]'] });
  const one = `${lab}/registrars/${made.data.id}`;
  t.match((await ask('PATCH', one, { gateways: [] })).data, { domain: 'home.example', gateways: [] });
  const refused: [object, string][] = [
    [{ gateways: ['gw.example'] }, 'gateways[0]'],
    [{ gateways: ['192.0.2.2', '192.0.2.2'] }, 'gateways'],
    [{ gateways: ['192.0.2.2:99999'] }, 'gateways[0]'],
    [{ uri: 'sip:pbx.example', gateways: ['192.0.2.2'] }, 'gateways'],
    [{ outboundProxyUri: 'sip:192.0.2.9', gateways: ['192.0.2.2'] }, 'gateways'],
    [{ domain: 'sip:home' }, 'domain'],
  ];
  for (const [more, path] of refused)
    t.match(await ask('PATCH', one, more), { status: 422, paths: [path] }, JSON.stringify(more));
});

t.test('an account is more than a user name and a password', async (t) => {
  const url = await newRegistrar();
  const where = `${url}/sip-accounts`;
  const ha1 = '939e7578ed9e3c518a452acee763bce9';
  const whole = {
    username: '1001',
    ha1,
    authName: 'auth',
    displayName: 'Zo\u00eb',
    number: '+4930',
    values: { 'the pin': '4711' },
  };
  const made = await ask('POST', where, { sipAccounts: [whole, { username: '1002' }] });
  t.equal(made.status, 201, made.message);
  const listed = await ask('GET', where);
  const { ha1: _, ...told } = whole;
  t.match(listed.data, [
    { ...told, secret: 'HA1' },
    { username: '1002', secret: 'NONE' },
  ]);
  t.notMatch(JSON.stringify(listed.data), ha1, 'no secret is told');
  const one = `${where}/${made.data.sipAccounts[0].id}`;
  t.match((await ask('PATCH', one, { password: 'p', number: null })).data, { secret: 'PASSWORD', number: null });
  t.match(
    (await ask('PATCH', one, { ha1 })).data,
    { secret: 'HA1', authName: 'auth' },
    'one takes the place of the other',
  );
  t.match((await ask('PATCH', one, { ha1: null, values: {} })).data, { secret: 'NONE', values: {} });
  const refused: [object, string][] = [
    [{ password: 'p', ha1 }, 'ha1'],
    [{ ha1: 'no hash' }, 'ha1'],
    [{ number: 'a b' }, 'number'],
    [{ displayName: 'a\r\nb' }, 'displayName'],
    [{ values: { 'a..b': '1' } }, 'values.a..b'],
    [{ values: { number: '1' } }, 'values'],
    [{ values: { pin: 'a\nb' } }, 'values.pin'],
    [{ values: { pin: 1 } }, 'values.pin'],
  ];
  for (const [more, path] of refused) {
    const reply = await ask('POST', where, { sipAccounts: [{ username: '1003', ...more }] });
    t.match(reply, { status: 422, paths: [`sipAccounts[0].${path}`] }, JSON.stringify(more));
  }
  t.match(await ask('PATCH', one, { password: 'p', ha1 }), { status: 422, paths: ['ha1'] });

  const registrarId = url.split('/').at(-1);
  const test = (callerNumber: string) => ({
    name: `Names ${callerNumber}`,
    durationSeconds: 5,
    groups: [
      {
        name: 'callers',
        registrarId,
        callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1' },
        placement: { mode: 'REGION', region: 'local' },
        callerNumber,
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
      },
    ],
  });
  await ask('PATCH', one, { values: { pin: '1' } });
  t.equal((await ask('POST', `${lab}/tests`, test('0{{pin}}'))).status, 201);
  t.match(await ask('POST', `${lab}/tests`, test('0{{code}}')), {
    status: 422,
    paths: ['groups[0].callerNumber'],
    message: /no value for|has a value for \{\{code\}\}: there are pin/,
  });
});

t.test('recordings', async (t) => {
  const where = `${lab}/media-files`;
  const content = wavBase64(1500, 16_000, 16);
  const made = await ask('POST', where, { name: 'welcome', content });
  t.match(made.data, {
    name: 'welcome',
    kind: 'AUDIO',
    video: null,
    durationMs: 1500,
    sampleRateHz: 16_000,
    channels: 1,
    bitsPerSample: 16,
    sizeBytes: 48_044,
  });
  const stored = await db
    .selectFrom('media_files')
    .where('id', '=', made.data.id)
    .selectAll()
    .executeTakeFirstOrThrow();
  t.equal(stored.content.toString('base64'), content);
  const { createHash } = await import('node:crypto');
  t.equal(made.data.sha256, createHash('sha256').update(stored.content).digest('hex'));
  t.equal((await ask('GET', lab)).data.mediaFileCount, (await ask('GET', where)).total);
  t.match(await ask('POST', where, { name: 'welcome', content }), { status: 409, message: /welcome already/ });
  for (const [name, codec] of [
    ['pattern.ivf', 'VP8'],
    ['pattern.h264', 'H264'],
  ] as const) {
    const film = await ask('POST', where, { name, content: pattern(name) });
    const { durationMs, video, ...rest } = film.data;
    t.match(rest, { kind: 'VIDEO', sampleRateHz: null, channels: null, bitsPerSample: null }, film.message);
    t.match(video, { codec, framesPerSecond: 15 });
    t.equal(durationMs, Math.round((video.frames * 1000) / 15));
    t.same((await ask('GET', `${where}/${film.data.id}`)).data, film.data);
  }
  const rows: [string, string, RegExp][] = [
    [
      'a video that is cut off',
      Buffer.from(pattern('pattern.ivf'), 'base64').subarray(0, 500).toString('base64'),
      /in the middle of frame/,
    ],
    ['no base64', 'ÄÖ', /not base64/],
    ['without padding', content.replace(/=+$/, '').slice(0, -1), /not base64/],
    ['no WAV', Buffer.from('hello, this is text').toString('base64'), /begin with RIFF/],
    ['cut off', Buffer.from(content, 'base64').subarray(0, 100).toString('base64'), /ends early/],
    ['11 minutes', wavBase64(660_000, 8000, 8), /lasts 660000 ms/],
    ['over 20 MiB', wavBase64(218_500, 48_000, 16), /over 20971520/],
  ];
  for (const [what, wrong, message] of rows) {
    const reply = await ask('POST', where, { name: 'x', content: wrong });
    t.match(reply, { status: 422, code: 'VALIDATION_ERROR', paths: ['content'], message }, `${what}: ${reply.message}`);
  }
  const largest = await ask('POST', where, { name: 'largest', content: wavBase64(327_000, 32_000, 16) });
  t.equal(largest.status, 201, largest.message);
  t.match(await ask('POST', where, { name: 'x', content: 'A'.repeat(30_000_000) }), {
    status: 400,
    message: /longer than/,
  });
});

t.test('webhooks tell their secret once', async (t) => {
  const made = await ask('POST', `${lab}/webhooks`, webhook());
  t.match(made.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.equal(Buffer.from(made.data.secret.slice(6), 'base64').length, 32);
  const url = `${lab}/webhooks/${made.data.id}`;
  const given = 'a secret of twenty-four letters';
  const own = await ask('POST', `${lab}/webhooks`, { ...webhook(), secret: given });
  t.equal(own.data.secret, given);
  const later = [
    await ask('GET', url),
    await ask('GET', `${lab}/webhooks?per_page=100`),
    await ask('PATCH', url, { secret: `${given} and more` }),
    await ask('DELETE', `${lab}/webhooks/${own.data.id}`),
  ];
  for (const { status, text } of later) {
    t.equal(status, 200);
    t.notMatch(text, /whsec_|secret/);
  }
  const row = await db.selectFrom('webhooks').where('id', '=', made.data.id).select('secret').executeTakeFirst();
  const sealed = { table: 'webhooks', id: made.data.id } as const;
  t.equal(openIn(db, sealed, row?.secret as Buffer).reveal(), `${given} and more`);
  const other = await ask('POST', `${lab}/webhooks`, webhook());
  const same = await ask('PATCH', url, { url: other.data.url });
  t.match(same, { status: 409, code: 'CONFLICT', message: /has a webhook for/ });
  t.match(await ask('POST', `${lab}/webhooks`, { url: other.data.url, events: ['incident.opened'] }), { status: 409 });
});

t.test("a probe's call has what a group's has, and its form keeps it", async (t) => {
  const { test: call, ...rest } = probe();
  const said = {
    ...{ ice: 'stun:192.0.2.3', rtcpMux: true, registerRetry: { afterSeconds: 2, withinSeconds: 20 } },
    signalling: {
      sessionTimer: { expiresSeconds: 600, minSeconds: 90, refresher: 'UAC' },
      reliableProvisional: 'SUPPORTED',
    },
  };
  const registrarId = idOf(await newRegistrar());
  await newAccounts(`${lab}/registrars/${registrarId}`, ['1001']);
  const url = await make(`${lab}/probes`, { ...rest, test: { ...call, registrarId, ...said } });
  const { data } = await ask('GET', url);
  t.match(data.test, said);
  const written = await ask('PATCH', url, probeBodyOf(draftOfProbe(data), data));
  t.same(written.data?.test, data.test, written.message);
  const other = { ...draftOfProbe(data), ice: 'NONE', rtcpMux: false };
  const changed = await ask('PATCH', url, probeBodyOf(other, data));
  t.match(changed.data.test, { ...said, ice: 'NONE', rtcpMux: false });
  const refused = await ask('PATCH', url, { test: { ...call, registrarId, ice: 'turn:x' } });
  t.match(refused, { status: 422, paths: ['test.ice'] });
});

t.test('a probe that is enabled again is not paused', async (t) => {
  const url = await make(`${lab}/probes`, probe());
  const parent = await make(`${lab}/probes`, probe());
  const paused = { enabled: false, auto_paused_at: new Date(), auto_pause_reason: 'open for 4 h' };
  await db.updateTable('probes').set(paused).where('id', '=', idOf(url)).execute();
  t.match((await ask('PATCH', url, { name: 'Still paused' })).data, {
    enabled: false,
    autoPauseReason: 'open for 4 h',
  });
  const again = await ask('PATCH', url, { enabled: true, parentProbeId: idOf(parent) });
  t.match(again.data, { enabled: true, autoPausedAt: null, autoPauseReason: null, parentProbeId: idOf(parent) });
  const changed = await ask('PATCH', url, {
    thresholds: [
      { metricKey: 'avgMos', greenValue: 4.1, orangeValue: 3.6, enabled: false },
      { metricKey: 'asr', greenValue: 99, orangeValue: 90 },
    ],
  });
  const before = again.data.thresholds[0].id;
  t.same(
    changed.data.thresholds.map((x: { metricKey: string; enabled: boolean }) => [x.metricKey, x.enabled]),
    [
      ['asr', true],
      ['avgMos', false],
    ],
  );
  t.equal(changed.data.thresholds[1].id, before, 'a threshold keeps its id');
  t.equal((await ask('DELETE', parent)).status, 200);
  t.equal((await ask('GET', url)).data.parentProbeId, null, 'children outlive their parent');
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

t.test('no password is told or logged', async (t) => {
  const text = api.heard.join('\n');
  t.ok(text.includes('100001'), 'user names are told');
  t.notMatch(text, /secret-1001|hidden 1000|renewed password/);
  t.notOk(text.includes(OWNER.key.slice(4)), 'nor a key');
});
