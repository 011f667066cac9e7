/** REST: every row answers in its envelope, every mistake has its code, and users see only their own objects. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import type * as z from 'zod';
import { until } from '../../scripts/peers/process.ts';
import fc from '../../scripts/test-run/properties.ts';
import { CATALOGUE } from '../catalogue.ts';
import { type OperationName, type OperationRow, pathParameters } from '../contract/catalogue.ts';
import { CONFIGURATION } from '../contract/configuration.ts';
import { ErrorEnvelope, list, single } from '../contract/envelope.ts';
import { NOTIFICATIONS } from '../contract/notify/notification-rows.ts';
import {
  acme,
  allocationFacts,
  callsTest,
  FakeAgent,
  KEY,
  messageChunk,
  openWorld,
  outcomeFact,
  startRun,
  TOKENS,
} from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const world = await openWorld(t);
const OTHER_KEY = `crl_${'b'.repeat(32)}`;
const VIEWER_KEY = `crl_${'c'.repeat(32)}`;
const LIMITED_KEY = `crl_${'d'.repeat(32)}`;
const EXPIRED_KEY = `crl_${'e'.repeat(32)}`;
const file = acme();
const [organization] = file.organizations;
await world.provision({
  organizations: [
    {
      ...organization,
      runsInstallation: true,
      users: [
        ...(organization?.users ?? []),
        { email: 'viewer@acme.example', name: 'Viewer', role: 'VIEWER' },
        { email: 'limited@acme.example', name: 'Limited', role: 'EDITOR', projects: ['second'] },
      ],
      apiKeys: [
        ...(organization?.apiKeys ?? []),
        { name: 'viewer', user: 'viewer@acme.example', key: VIEWER_KEY },
        { name: 'limited', user: 'limited@acme.example', key: LIMITED_KEY },
        { name: 'expired', user: 'owner@acme.example', key: EXPIRED_KEY, expiresAt: '2020-01-01T00:00:00Z' },
      ],
      projects: [...(organization?.projects ?? []), { slug: 'second', name: 'Second', tests: [callsTest(1, 'one')] }],
    },
    {
      slug: 'other',
      name: 'Other',
      users: [{ email: 'owner@other.example', name: 'Owner', role: 'OWNER' }],
      apiKeys: [{ name: 'key', user: 'owner@other.example', key: OTHER_KEY }],
      projects: [{ slug: 'lab', name: 'Other lab', tests: [callsTest(1)] }],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

const get = (url: string, key = KEY, method: OperationRow['method'] = 'GET', more: object = {}) =>
  app.inject({ method, url: `/api/v1${url}`, headers: { authorization: `Bearer ${key}` }, ...more });

/** A run that has ended, so that every row has something to show. */
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
const { projectId, runId } = await startRun(world);
await world.work();
for (const agent of agents) {
  const orders = (await agent.orders()).flatMap((o) => (o.kind === 'allocate' ? [o] : []));
  await agent.send({ allocations: orders.map((o) => allocationFacts(o.allocationId, { state: 'READY' })) });
  world.jobs.push();
  Object.assign(agent, { held: orders });
}
for (const agent of agents) {
  const held = (agent as unknown as { held: { allocationId: string; endpoints: { number: number[] } }[] }).held;
  await agent.send({
    allocations: held.map((o) =>
      allocationFacts(o.allocationId, {
        outcomes: o.endpoints.number.map((n) => outcomeFact(n)),
        messages: o.endpoints.number.map((n) => messageChunk(n, ['OPTIONS sip:nobody@example.org SIP/2.0\r\n\r\n'])),
        state: 'DONE',
      }),
    ),
  });
}
await world.work();
const testId = (await get(`/projects/${projectId}/tests`)).json().data[0].id as string;
const endpointId = (await get(`/projects/${projectId}/test-runs/${runId}/endpoints`)).json().data[0].id as string;
const probeId = (await get(`/projects/${projectId}/probes`)).json().data[0].id as string;
const messageId = (await get(`/projects/${projectId}/test-runs/${runId}/messages`)).json().data[0].id as string;
const { db } = world.database;
const incidentId = randomUUID();
await db
  .insertInto('probe_incidents')
  .values({ id: incidentId, probe_id: probeId, severity: 'DOWN', started_at: world.ports.now() })
  .execute();
const maintenanceWindowId = randomUUID();
const [starts_at, ends_at] = [new Date(0), new Date(1000)];
await db
  .insertInto('maintenance_windows')
  .values({ id: maintenanceWindowId, project_id: projectId, starts_at, ends_at })
  .execute();
const ids: Record<string, string> = {
  ...{ projectId, testId, testRunId: runId, probeId, endpointId, messageId },
  ...{ incidentId, maintenanceWindowId },
};
const fill = (path: string, values = ids) => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
/** The parameters that a row requires besides those of its path: other runs, and words. */
const queryOf = ({ input }: OperationRow): string => {
  const required = Object.entries(input.shape).filter(
    ([name, schema]) => /_run_id$|^text$/.test(name) && !schema.isOptional(),
  );
  return required.length === 0
    ? ''
    : `?${required.map(([name]) => `${name}=${name === 'text' ? 'front' : runId}`).join('&')}`;
};
/** Those that write configuration are in write.test.ts and alarms.test.ts, those for people in accounts.test.ts and the files beside it. */
const names = (Object.keys(CATALOGUE) as OperationName[]).filter(
  (name) =>
    !(name in CONFIGURATION) &&
    !(name in NOTIFICATIONS) &&
    (CATALOGUE[name] as OperationRow).by === undefined &&
    !/^(create|update|delete)/.test(name),
);

t.test('every row answers in its envelope, as its schema says', async (t) => {
  for (const name of names) {
    const row: OperationRow = CATALOGUE[name];
    // What a feature's `create…` makes is read in the feature's own tests.
    if (pathParameters(row.path).some((parameter) => ids[parameter] === undefined)) continue;
    const response = await get(`${fill(row.path)}${queryOf(row)}`, KEY, row.method);
    if (row.status === 201 && row.answers === 'single') {
      // A path of the same kind reads it: tests/{testId}/capacity-searches, capacity-searches/{capacitySearchId}.
      const kind = row.path.slice(row.path.lastIndexOf('/'));
      const idName = names
        .map((one) => new RegExp(`${kind}/\\{(\\w+)\\}$`).exec(CATALOGUE[one].path)?.[1])
        .find(Boolean);
      if (idName) ids[idName] ??= response.json().data.id;
    }
    if (name === 'cancelTestRun') {
      t.equal(response.statusCode, 409, 'a run that has ended cannot be cancelled');
      continue;
    }
    t.equal(response.statusCode, row.status, name);
    if (row.answers === 'file' || row.answers === 'events') {
      t.equal(response.headers['content-type'], row.contentType, name);
      continue;
    }
    const envelope: z.ZodType = row.answers === 'list' ? list(row.output) : single(row.output);
    const parsed = envelope.safeParse(response.json());
    t.ok(parsed.success, `${name}: ${parsed.error?.message ?? 'schema'}`);
    t.equal(response.headers['x-request-id'], response.json().meta.requestId);
  }
});

t.test('lists are paged', async (t) => {
  const page = async (query: string) =>
    (await get(`/projects/${projectId}/test-runs/${runId}/endpoints?${query}`)).json();
  const all = await page('');
  t.same(all.meta.pagination, { page: 1, perPage: 25, total: 8, totalPages: 1 });
  const third = await page('page=3&per_page=3');
  t.same(third.meta.pagination, { page: 3, perPage: 3, total: 8, totalPages: 3 });
  t.same(
    third.data.map((e: { id: string }) => e.id),
    all.data.slice(6).map((e: { id: string }) => e.id),
  );
  t.same((await page('page=4&per_page=3')).data, []);
});

t.test('what is wrong with a request is said by code', async (t) => {
  const expectError = async (
    what: string,
    response: Awaited<ReturnType<FastifyInstance['inject']>>,
    status: number,
    code: string,
  ) => {
    t.equal(response.statusCode, status, what);
    const parsed = ErrorEnvelope.safeParse(response.json());
    t.ok(parsed.success, `${what}: error envelope`);
    t.equal(parsed.data?.error.code, code, what);
    return parsed.data?.error;
  };
  const runs = `/projects/${projectId}/test-runs`;
  for (const query of ['page=0', 'page=x', 'page=1.5', 'per_page=101', 'per_page=0', 'page=']) {
    const error = await expectError(query, await get(`${runs}?${query}`), 422, 'VALIDATION_ERROR');
    t.equal(error?.details?.[0]?.path, query.split('=')[0]);
  }
  await expectError('resolution', await get(`${runs}/${runId}/metrics?resolution=2s`), 422, 'VALIDATION_ERROR');
  await expectError('no endpoint', await get(`${runs}/${runId}/metrics?endpoint_id=${projectId}`), 404, 'NOT_FOUND');
  t.equal((await get(`${runs}/${runId}/metrics?endpoint_id=${endpointId}`)).statusCode, 200);
  await expectError('unknown path', await get('/nothing'), 404, 'NOT_FOUND');
  const wrongMethod = await get('/projects', KEY, 'DELETE');
  await expectError('method', wrongMethod, 405, 'METHOD_NOT_ALLOWED');
  t.equal(wrongMethod.headers['allow'], 'GET, POST');
  const run = `/projects/${projectId}/tests/${testId}/run`;
  const json = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  await expectError(
    'broken JSON',
    await get(run, KEY, 'POST', { headers: json, payload: '{"a":' }),
    400,
    'BAD_REQUEST',
  );
  for (const bytes of [[0xff], [0xc3], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]]) {
    const payload = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(bytes), Buffer.from('"}')]);
    const answer = await get(`/projects/${projectId}`, KEY, 'PATCH', { headers: json, payload });
    const error = await expectError(`bytes ${bytes}`, answer, 400, 'BAD_REQUEST');
    t.match(error?.message, /not UTF-8/);
  }
  const name = 'Prüfstand 試験 \u{1f4de} \ufffd';
  const payload = Buffer.from(JSON.stringify({ name }));
  const renamed = await get(`/projects/${projectId}`, KEY, 'PATCH', { headers: json, payload });
  t.match([renamed.statusCode, renamed.json().data.name], [200, name]);
  await get(`/projects/${projectId}`, KEY, 'PATCH', { headers: json, payload: '{"name":"Lab"}' });
  const xml = { ...json, 'content-type': 'application/xml' };
  await expectError('content type', await get(run, KEY, 'POST', { headers: xml, payload: '<a/>' }), 400, 'BAD_REQUEST');
  const long = { authorization: `Bearer ${KEY}`, 'idempotency-key': 'x'.repeat(201) };
  await expectError('idempotency key', await get(run, KEY, 'POST', { headers: long }), 422, 'VALIDATION_ERROR');
  await expectError(
    'huge',
    await get(run, KEY, 'POST', { headers: json, payload: `"${'x'.repeat(2 ** 21)}"` }),
    400,
    'BAD_REQUEST',
  );
});

t.test('keys', async (t) => {
  const missing = await app.inject({ url: '/api/v1/projects' });
  t.equal(missing.statusCode, 401);
  t.equal(missing.json().error.code, 'UNAUTHORIZED');
  for (const key of [
    '',
    'crl_',
    KEY.toUpperCase(),
    `crl_${'0'.repeat(32)}`,
    EXPIRED_KEY,
    `${KEY}0`,
    'x'.repeat(10_000),
  ]) {
    const response = await get('/projects', key);
    t.equal(response.statusCode, 401, key.slice(0, 40));
    t.match(response.json().error.message, /API key/);
  }
  const { db } = world.database;
  const hash = createHash('sha256').update(VIEWER_KEY).digest();
  t.equal((await get('/projects', VIEWER_KEY)).statusCode, 200);
  t.ok(
    (await db.selectFrom('api_keys').where('hash', '=', hash).select('last_used_at').executeTakeFirst())?.last_used_at,
  );
  await db.updateTable('users').set({ suspended_at: new Date() }).where('email', '=', 'viewer@acme.example').execute();
  t.equal((await get('/projects', VIEWER_KEY)).statusCode, 401, 'suspending the user stops the key');
  await db.updateTable('users').set({ suspended_at: null }).where('email', '=', 'viewer@acme.example').execute();
  await db.updateTable('api_keys').set({ revoked_at: new Date() }).where('hash', '=', hash).execute();
  t.equal((await get('/projects', VIEWER_KEY)).statusCode, 401);
  await db.updateTable('api_keys').set({ revoked_at: null }).where('hash', '=', hash).execute();
  const text = JSON.stringify(await db.selectFrom('api_keys').selectAll().execute());
  t.notOk(text.includes(KEY.slice(4)), 'keys are not stored');
});

t.test('roles and reach', async (t) => {
  const run = `/projects/${projectId}/tests/${testId}/run`;
  const forbidden = await get(run, VIEWER_KEY, 'POST');
  t.equal(forbidden.statusCode, 403);
  t.match(forbidden.json().error, { code: 'FORBIDDEN', message: /TESTER.*VIEWER/ });
  t.equal((await get(`/projects/${projectId}`, VIEWER_KEY)).statusCode, 200);
  t.same(
    (await get('/projects', LIMITED_KEY)).json().data.map((p: { slug: string }) => p.slug),
    ['second'],
  );
  t.equal((await get(`/projects/${projectId}`, LIMITED_KEY)).statusCode, 404, 'what a key may not see does not exist');
  t.same(
    (await get('/projects', OTHER_KEY)).json().data.map((p: { name: string }) => p.name),
    ['Other lab'],
  );
});

t.test('no row shows another organization’s things, or one project’s in another', async (t) => {
  const second = (await get('/projects', LIMITED_KEY)).json().data[0].id as string;
  for (const name of names) {
    const row: OperationRow = CATALOGUE[name];
    if (pathParameters(row.path).length === 0) continue;
    const query = queryOf(row);
    const foreign = await get(`${fill(row.path)}${query}`, OTHER_KEY, row.method);
    t.equal(foreign.statusCode, 404, `${name}, foreign organization`);
    if (pathParameters(row.path).length < 2) continue;
    const crossed = await get(`${fill(row.path, { ...ids, projectId: second })}${query}`, KEY, row.method);
    t.equal(crossed.statusCode, 404, `${name}, other project`);
  }
});

t.test('a repeated start with one Idempotency-Key is one run', async (t) => {
  const post = (key: string) =>
    get(`/projects/${projectId}/tests/${testId}/run`, KEY, 'POST', {
      headers: { authorization: `Bearer ${KEY}`, 'idempotency-key': key },
    });
  const answers = await Promise.all([post('a'), post('a'), post('a'), post('b')]);
  t.same(
    answers.map((a) => a.statusCode),
    [201, 201, 201, 201],
  );
  const [a1, a2, a3, b] = answers.map((a) => a.json().data) as [
    { id: string; testRunId: string },
    { id: string },
    { id: string },
    { id: string },
  ];
  t.equal(new Set([a1.id, a2.id, a3.id]).size, 1);
  t.not(a1.id, b.id);
  t.equal(a1.testRunId, a1.id);
});

t.test('a client without a key gets 401 first, and its body is not read', async (t) => {
  const run = `/api/v1/projects/${projectId}/tests/${testId}/run`;
  const stranger = (options: object) => app.inject({ method: 'POST', url: run, ...options });
  const json = { 'content-type': 'application/json' };
  const rows = [
    await app.inject({ url: '/api/v1/projects?page=0' }),
    await stranger({ headers: json, payload: '{"a":' }),
    await stranger({ headers: { 'content-type': 'application/xml' }, payload: '<a/>' }),
    await stranger({ headers: json, payload: 'x'.repeat(2 ** 21) }),
  ];
  for (const response of rows) {
    t.equal(response.statusCode, 401);
    t.equal(response.json().error.code, 'UNAUTHORIZED');
  }
});

t.test('an empty list has one page', async (t) => {
  const second = (await get('/projects', LIMITED_KEY)).json().data[0].id as string;
  const { data, meta } = (await get(`/projects/${second}/test-runs`)).json();
  t.same(data, []);
  t.same(meta.pagination, { page: 1, perPage: 25, total: 0, totalPages: 1 });
});

t.test('an empty body is none, whatever its type', async (t) => {
  const run = `/projects/${projectId}/tests/${testId}/run`;
  const post = (type: string, payload: string) =>
    get(run, KEY, 'POST', { headers: { authorization: `Bearer ${KEY}`, 'content-type': type }, payload });
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json', 'application/xml']) {
    t.equal((await post(type, '')).statusCode, 201, type);
    if (type !== 'application/json') t.equal((await post(type, 'a=b')).json().error.code, 'BAD_REQUEST', type);
  }
});

t.test('what never becomes a request is answered in the envelope, too', async (t) => {
  const check = (what: string, status: number, headers: Record<string, unknown>, body: string, code: string) => {
    const parsed = ErrorEnvelope.safeParse(JSON.parse(body));
    t.equal(parsed.data?.error.code, code, what);
    t.equal(headers['x-request-id'], parsed.data?.meta.requestId, what);
    return status;
  };
  const bad = await get('/projects/%ZZ');
  t.equal(check('no percent-encoding', bad.statusCode, bad.headers, bad.body, 'BAD_REQUEST'), 400);
  const long = await get(`/projects/${'x'.repeat(201)}`);
  t.equal(check('a long identifier', long.statusCode, long.headers, long.body, 'NOT_FOUND'), 404);

  const { app: listening } = await createHttpServer(world.ports);
  const refusesRequests = new Promise<void>((resolve) => {
    listening.addHook('preClose', async () => resolve());
  });
  await listening.listen({ host: '127.0.0.1', port: 0 });
  const { port } = listening.server.address() as AddressInfo;
  const say = (...texts: (string | (() => unknown))[]) =>
    new Promise<{ status: number; headers: Record<string, string>; body: string }>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', async () => {
        for (const text of texts) {
          if (typeof text === 'string') socket.write(text);
          else await text();
        }
      });
      let all = '';
      socket.on('data', (data) => {
        all += data;
      });
      // The server need not read all of what it refuses: then its answer is followed by a reset.
      socket.on('error', (error) => all || reject(error));
      socket.on('close', () => {
        const [head = '', body = ''] = all.split('\r\n\r\n');
        const [line = '', ...fields] = head.split('\r\n');
        const headers = fields.map((f) => f.split(': ')).map(([k = '', v = '']) => [k.toLowerCase(), v]);
        resolve({ status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body });
      });
    });
  const rows: [string, string][] = [
    ['no HTTP', 'hello\r\n\r\n'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`],
  ];
  for (const [what, text] of rows) {
    const { status, headers, body } = await say(text);
    t.equal(check(what, status, headers, body, 'BAD_REQUEST'), 400);
  }
  const bearers = [`Authorization: Bearer ${KEY}`, 'authorization: Bearer crl_another'].join('\r\n');
  const twice = await say(`GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bearers}\r\n\r\n`);
  t.equal(check('two Authorization headers', twice.status, twice.headers, twice.body, 'BAD_REQUEST'), 400);
  let closed: Promise<unknown> = Promise.resolve();
  const begin = async () => {
    const connection = await accepted;
    await until('the head is read', () => connection.bytesRead >= head.length, { everyMs: 5 });
    closed = listening.close();
    await refusesRequests;
  };
  const head = 'GET /healthz HTTP/1.1\r\nHost: x\r\n';
  const accepted = once(listening.server, 'connection').then(([socket]) => socket as Socket);
  const late = await say(head, begin, '\r\n');
  t.equal(check('while closing', late.status, late.headers, late.body, 'UNAVAILABLE'), 503);
  await closed;
});

t.test('random parameters never get a 500', async (t) => {
  const value = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.uuid(),
    fc.integer().map(String),
    fc.constantFrom(...Object.values(ids), '%00', "'", '\u0000'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.array(value, { minLength: 6, maxLength: 6 }),
      async (name, values) => {
        const row: OperationRow = CATALOGUE[name];
        let i = 0;
        const next = () => encodeURIComponent(values[i++ % values.length] ?? '');
        const path = row.path
          .replace(/\{projectId\}/, () => (i % 2 === 0 ? projectId : next()))
          .replace(/\{\w+\}/g, () => next() || 'x');
        const query = Object.keys(row.input.shape)
          .map((key) => `${key}=${next()}`)
          .join('&');
        const response = await get(`${path}?${query}`, KEY, row.method);
        return response.statusCode < 500;
      },
    ),
    { numRuns: 400 },
  );
  t.pass('400 requests');
});

t.test('an autoscaler reads how many endpoints the open runs want', async (t) => {
  const wanted = async () => {
    // What was said lately is said again.
    world.pass(10);
    return Number(/^carillon_endpoints_wanted (\d+)$/m.exec((await app.inject({ url: '/metrics' })).body)?.[1]);
  };
  const before = await wanted();
  await startRun(world);
  t.equal(await wanted(), before + 8, 'four callers and four callees');
});

t.test('health and metrics', async (t) => {
  t.equal((await app.inject({ url: '/healthz' })).statusCode, 200);
  const ready = await app.inject({ url: '/readyz' });
  t.match({ code: ready.statusCode, ...ready.json() }, { code: 200, status: 'ok', faults: [], warnings: [] });
  t.equal((await app.inject({ url: '/api/v1/%0x' })).statusCode, 400);
  const metrics = await app.inject({ url: '/metrics' });
  t.match(metrics.body, /carillon_workers\{status="ONLINE"\} 2/);
  t.match(metrics.body, /^carillon_ready 1$/m);
  t.match(metrics.body, /^carillon_trouble\{kind="DISK_FULL"\} 0$/m);
  t.match(metrics.body, /carillon_http_request_duration_seconds_bucket/);
  t.match(metrics.body, /duration_seconds_count\{route="none",method="GET",status="400"\} \d/, 'an unreadable address');
});
