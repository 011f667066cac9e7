/**
 * Rights of a key that was created with less than its user's rights; lifetimes of keys and proofs; what belongs to the whole
 * organization.
 */

import { type AddressInfo, connect } from 'node:net';
import t from 'tap';
import { CATALOGUE } from '../catalogue.ts';
import { SESSION_HEADER } from '../client.ts';
import { type OperationName, type OperationRow, pathParameters, scopeOf } from '../contract/catalogue.ts';
import { SCOPES, type Scope } from '../contract/people/words.ts';
import { PROOF_SECONDS } from '../operations/request/actor.ts';
import { acme, openWorld } from '../testing/world.ts';
import { VERSION } from '../version.ts';
import { bodyLimitMs, limitBodyTime } from './body-time.ts';
import { createHttpServer } from './server.ts';

const PASSWORD = 'correct horse battery';
const world = await openWorld(t);
const [organization] = acme().organizations;
const hidden = { slug: 'hidden', name: 'Hidden' };
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        { email: 'ada@acme.example', name: 'Ada', role: 'OWNER', password: PASSWORD },
        { email: 'eve@acme.example', name: 'Eve', role: 'ADMIN', password: PASSWORD, projects: ['lab'] },
      ],
      projects: [...(organization?.projects ?? []), hidden],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

async function ask(
  method: OperationRow['method'],
  url: string,
  body?: object,
  by: { cookie?: string; key?: string } = {},
) {
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    headers: {
      'if-match': '"0"',
      ...(by.key ? { authorization: `Bearer ${by.key}` } : { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' }),
      ...(by.cookie && { cookie: by.cookie }),
    },
    ...(body && { payload: body }),
  });
  const isJson = /\bjson\b/.test(String(response.headers['content-type']));
  const answered = isJson ? response.json() : {};
  const cookies = response.cookies as { name: string; value: string }[];
  return {
    status: response.statusCode,
    // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
    ...(answered as { data: any; error: { code: string; message: string; details?: object[] } }),
    cookie: cookies.map((c) => `${c.name}=${c.value}`).join('; '),
  };
}
const logIn = async (email: string) => (await ask('POST', '/entrance/log-in', { email, password: PASSWORD })).cookie;
const ada = { cookie: await logIn('ada@acme.example') };
const projects = (await ask('GET', '/projects', undefined, ada)).data as { id: string; name: string }[];
const idOf = (name: string) => projects.find((p) => p.name === name)?.id as string;
let made = 0;
const makeKey = async (more: object) => {
  const { data, status } = await ask('POST', '/api-keys', { name: `key ${++made}`, ...more }, ada);
  t.equal(status, 201);
  return { key: data.key as string, id: data.id as string, data };
};

t.jobs = 1;

t.test('a key is told whose it is, what it may, and where tests may be placed', async (t) => {
  const { key, id } = await makeKey({ scopes: ['READ'], projectIds: [idOf('Lab')] });
  const me = await ask('GET', '/whoami', undefined, { key });
  t.match(me.data, {
    by: 'KEY',
    key: { id, lastFour: key.slice(-4), expiresAt: null },
    user: { name: 'Ada', email: 'ada@acme.example' },
    organization: { name: 'Acme Telecom' },
    role: 'OWNER',
    scopes: ['READ'],
    projectIds: [idOf('Lab')],
    plan: { name: 'UNLIMITED', limits: { apiAccess: true, concurrentEndpoints: null } },
    version: VERSION,
  });
  t.notMatch(JSON.stringify(me.data), key.slice(0, -4));
  const all = await makeKey({});
  t.match((await ask('GET', '/whoami', undefined, all)).data, { projectIds: null, scopes: [...SCOPES] });
  t.match((await ask('GET', '/whoami', undefined, ada)).data, { by: 'SESSION', key: null });
  const eve = { cookie: await logIn('eve@acme.example') };
  t.match((await ask('GET', '/whoami', undefined, eve)).data, { role: 'ADMIN', projectIds: [idOf('Lab')] });
  const workers = (await ask('GET', '/workers', undefined, { key })).data as { name: string; region: string }[];
  t.same(workers.map((w) => w.name).sort(), ['edge-1', 'edge-2']);
  t.same((await ask('GET', '/regions', undefined, { key })).data, [
    { region: 'local', workers: 2, online: 0, capacity: 0, endpoints: 0 },
  ]);
  t.match(await ask('POST', '/workers', { name: 'x' }, all), { status: 403 }, 'reading is all that keys do there');
});

t.test('every row by keys of every scope: what the scope has not is refused before anything is read', async (t) => {
  const combinations: Scope[][] = [['READ'], ['READ', 'RUN'], ['READ', 'WRITE'], [...SCOPES]];
  for (const scopes of combinations) {
    const { key, data } = await makeKey({ scopes });
    t.same(data.scopes, scopes);
    for (const name of Object.keys(CATALOGUE) as OperationName[]) {
      const row: OperationRow = CATALOGUE[name];
      if (row.by !== undefined || row.answers === 'events') continue;
      const url = row.path.replace('{projectId}', idOf('Lab')).replaceAll(/\{\w+\}/g, 'unknown');
      const { status, error } = await ask(row.method, url, undefined, { key });
      const wanted = scopeOf(row);
      if (scopes.includes(wanted)) t.not(status, 403, `${scopes}: ${name}: ${error?.message}`);
      else t.match({ status, error }, { status: 403, error: { message: `may ${wanted}` } }, `${scopes}: ${name}`);
    }
  }
  const refused = await world.database.db
    .selectFrom('audit_entries')
    .where('action', '=', 'operationRefused')
    .select('via')
    .execute();
  t.ok(refused.length > 0 && refused.every((e) => e.via === 'KEY'), 'and is in the audit log');
  t.equal((await ask('POST', '/api-keys', { name: 'none', scopes: ['RUN'] }, ada)).status, 422, 'READ at least');
});

t.test('a key of one project sees that, and makes no others', async (t) => {
  const { key } = await makeKey({ projectIds: [idOf('Lab')] });
  t.same(
    (await ask('GET', '/projects', undefined, { key })).data.map((p: { name: string }) => p.name),
    ['Lab'],
  );
  t.equal((await ask('GET', `/projects/${idOf('Lab')}/tests`, undefined, { key })).status, 200);
  t.equal((await ask('GET', `/projects/${idOf('Hidden')}/tests`, undefined, { key })).status, 404);
  t.equal((await ask('GET', `/overview?project_id=${idOf('Hidden')}`, undefined, { key })).status, 404);
  t.equal((await ask('POST', '/projects', { name: 'New' }, { key })).status, 403);
  const foreign = { name: 'foreign', projectIds: ['0190b8e0-0000-7000-8000-000000000000'] };
  t.match(await ask('POST', '/api-keys', foreign, ada), {
    status: 422,
    error: { details: [{ path: 'projectIds[0]' }] },
  });
});

t.test('keys end: none is made that has ended, and the organization says how long they are good at most', async (t) => {
  const past = { name: 'past', expiresAt: '2020-01-01T00:00:00Z' };
  t.match(await ask('POST', '/api-keys', past, ada), { status: 422, error: { details: [{ path: 'expiresAt' }] } });
  const { key, id } = await makeKey({});
  t.match(await ask('PATCH', '/organization', { keyDays: 30 }, ada), { status: 200, data: { keyDays: 30 } });
  t.equal((await ask('POST', '/api-keys', { name: 'for ever' }, ada)).status, 422);
  const inDays = (days: number) => new Date(world.ports.now().getTime() + days * 86_400_000).toISOString();
  t.equal((await ask('POST', '/api-keys', { name: 'long', expiresAt: inDays(31) }, ada)).status, 422);
  await makeKey({ expiresAt: inDays(29) });
  t.equal((await ask('GET', '/projects', undefined, { key })).status, 200, 'the old one for a while');
  const listed = (await ask('GET', '/api-keys?per_page=100', undefined, ada)).data as {
    id: string;
    expiresAt: string;
  }[];
  const ends = Date.parse(listed.find((k) => k.id === id)?.expiresAt ?? '');
  t.ok(Math.abs(ends - Date.parse(inDays(30))) < 3600_000, 'its end is told');
  await world.database.db
    .updateTable('api_keys')
    .set({ created_at: new Date(inDays(-31)) })
    .where('id', '=', id)
    .execute();
  t.equal((await ask('GET', '/projects', undefined, { key })).status, 401);
  t.match(await ask('PATCH', '/organization', { keyDays: null }, ada), { status: 200, data: { keyDays: null } });
  t.equal((await ask('GET', '/projects', undefined, { key })).status, 200);
});

t.test('keys, members and secrets are changed after a fresh proof only', async (t) => {
  const by = { cookie: await logIn('ada@acme.example') };
  const proved = (Object.keys(CATALOGUE) as OperationName[]).filter((n) => (CATALOGUE[n] as OperationRow).proof);
  t.ok(proved.length >= 9, proved.join());
  world.pass(PROOF_SECONDS + 1);
  for (const name of proved) {
    const row: OperationRow = CATALOGUE[name];
    const url = row.path.replace('{projectId}', idOf('Lab')).replaceAll(/\{\w+\}/g, 'unknown');
    t.match(await ask(row.method, url, undefined, by), { status: 403, error: { code: 'PROOF_REQUIRED' } }, name);
  }
  t.equal((await ask('GET', '/api-keys', undefined, by)).status, 200, 'what is read is not asked for');
  t.match(await ask('POST', '/me/proof', { password: 'guess' }, by), { status: 422 });
  t.equal((await ask('POST', '/api-keys', { name: 'too early' }, by)).status, 403);
  t.match(await ask('POST', '/me/proof', { password: PASSWORD }, by), { status: 200, data: { role: 'OWNER' } });
  t.equal((await ask('POST', '/api-keys', { name: 'proved' }, by)).status, 201);
  const guesses = [];
  for (let n = 0; n < 11; n++) guesses.push((await ask('POST', '/me/proof', { password: 'guess' }, by)).status);
  t.same(guesses.slice(-1), [429], 'guesses of somebody at an open screen are limited');
});

t.test('a member with some projects reads neither the audit log nor the members', async (t) => {
  const eve = { cookie: await logIn('eve@acme.example') };
  const whole = (Object.keys(CATALOGUE) as OperationName[]).filter((n) => (CATALOGUE[n] as OperationRow).whole);
  t.ok(whole.includes('listAuditEntries') && whole.includes('listMembers'));
  for (const name of whole) {
    const row: OperationRow = CATALOGUE[name];
    const url = row.path.replaceAll(/\{\w+\}/g, 'unknown');
    const message = row.role === 'OWNER' ? /role OWNER/ : /all projects/;
    t.match(await ask(row.method, url, undefined, eve), { status: 403, error: { message } }, name);
    if (row.method === 'GET') t.equal((await ask('GET', url, undefined, ada)).status, 200, name);
  }
  t.equal(pathParameters('/members/{userId}').length, 1);
});

t.test('passwords that are easy to guess are refused where they are set', async (t) => {
  const by = { cookie: await logIn('ada@acme.example') };
  const weak = [
    'password1234',
    'aaaaaaaaaaaa',
    'qwertyuiop12',
    'ada@acme.example',
    'acmetelecom2026',
    '123456789012',
    'Passw0rd!Passw0rd!',
  ];
  for (const newPassword of weak) {
    const answer = await ask('POST', '/me/password', { currentPassword: PASSWORD, newPassword }, by);
    t.match(
      answer,
      { status: 422, error: { details: [{ path: 'newPassword', message: /easy to guess/ }] } },
      newPassword,
    );
  }
  const good = { currentPassword: PASSWORD, newPassword: 'staple under violet tram' };
  t.equal((await ask('POST', '/me/password', good, by)).status, 200);
});

t.test('a body that comes byte by byte', async (t) => {
  t.equal(bodyLimitMs(0, 1e6), 10_000);
  t.equal(bodyLimitMs(undefined, 32 * 1024 * 20), 30_000);
  t.equal(bodyLimitMs(1e12, 32 * 1024 * 20), 30_000, 'not longer than the route takes');
  const { default: Fastify } = await import('fastify');
  const slow = Fastify();
  t.teardown(() => slow.close());
  let limitMs = 200;
  limitBodyTime(
    slow,
    () => undefined,
    () => limitMs,
  );
  slow.post('/', async () => 'taken');
  await slow.listen({ host: '127.0.0.1', port: 0 });
  const { port } = slow.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let text = '';
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (data) => {
    text += data;
  });
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  await closed;
  t.match(text, /^HTTP\/1.1 400 .*The body did not arrive within 1 s\./s);
  limitMs = 60_000;
  const whole = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  t.equal(await whole.text(), 'taken');
});
