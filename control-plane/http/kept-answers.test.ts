/**
 * Cached answers about ended runs, in two replicas with one database: what they must not reveal, what invalidates them, and
 * their headers.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { until } from '../../scripts/peers/process.ts';
import { CATALOGUE } from '../catalogue.ts';
import { SESSION_HEADER } from '../contract/call.ts';
import type { OperationRow } from '../contract/catalogue.ts';
import { beginSession } from '../operations/request/session.ts';
import { retain } from '../operations/retain.ts';
import type { Ports } from '../ports.ts';
import { Memory, watchChanges } from '../store/memory.ts';
import { openReading, type Run } from '../testing/reading.ts';
import { acme, allocationFacts, KEY, someSamples } from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const OTHER_KEY = `crl_${'b'.repeat(32)}`;
const MEMBER_KEY = `crl_${'c'.repeat(32)}`;
const { world, agents, begin, report } = await openReading(t, 2);
const { db } = world.database;
const [organization] = acme(2, 1000).organizations;
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        { email: 'member@acme.example', name: 'Member', role: 'EDITOR', projects: ['lab'] },
      ],
      apiKeys: [...(organization?.apiKeys ?? []), { name: 'member', user: 'member@acme.example', key: MEMBER_KEY }],
    },
    {
      slug: 'other',
      name: 'Other',
      users: [{ email: 'owner@other.example', name: 'Owner', role: 'OWNER' }],
      apiKeys: [{ name: 'key', user: 'owner@other.example', key: OTHER_KEY }],
      projects: [{ slug: 'lab', name: 'Other lab' }],
    },
  ],
});

async function replica() {
  const memory = new Memory();
  const ports: Ports = { ...world.ports, memory, database: { ...world.database } };
  const changes = watchChanges(memory, world.database.config, () => undefined);
  const { app } = await createHttpServer(ports);
  await app.ready();
  t.teardown(async () => {
    await app.close();
    await changes.close();
  });
  const get = (url: string, key = KEY, headers: object = {}) =>
    app.inject({ url: `/api/v1${url}`, headers: { authorization: `Bearer ${key}`, ...headers } });
  return { app, ports, get };
}

const here = await replica();
const there = await replica();
type Replica = typeof here;

/** The answer, once it is a cached one. */
function kept(at: Replica, url: string, key = KEY) {
  return becomes(at, url, ({ headers, statusCode }) => headers.etag !== undefined || statusCode !== 200, key);
}

/** Waits until a replica gives the expected answer: notifications take time. */
async function becomes(
  at: Replica,
  url: string,
  isIt: (answer: Awaited<ReturnType<Replica['get']>>) => boolean,
  key = KEY,
) {
  let answer = await at.get(url, key);
  const renew = async (): Promise<boolean> => {
    answer = await at.get(url, key);
    return isIt(answer);
  };
  if (!isIt(answer)) await until(() => `${url} changes: ${answer.statusCode} ${answer.body}`, renew, { everyMs: 5 });
  return answer;
}

async function ended(): Promise<Run> {
  const run = await begin();
  for (const [i, agent] of agents.entries()) {
    const allocations = (run.orders[i] ?? []).map((order) =>
      allocationFacts(order.allocationId, {
        samples: someSamples(world.ports.now().getTime(), order.endpoints.number, 3),
      }),
    );
    await agent.send({ allocations });
  }
  await report(run, () => ({ outcome: {} }));
  return run;
}

const run = await ended();
const { projectId, runId } = run;
const base = `/projects/${projectId}/test-runs/${runId}`;
const endpointId = (await here.get(`${base}/endpoints`)).json().data[0].id as string;
const READINGS = Object.values(CATALOGUE)
  .filter((row: OperationRow) => row.kept)
  .map((row) =>
    row.path.replace('{projectId}', projectId).replace('{testRunId}', runId).replace('{endpointId}', endpointId),
  );

t.test('the same answer, made once', async (t) => {
  for (const url of READINGS) {
    const fresh = await here.get(url);
    const first = await kept(here, url);
    // A notification of what ended the run may come this late.
    const again = await kept(here, url);
    t.same(again.json().data, first.json().data, url);
    t.same({ ...again.json().meta, requestId: '' }, { ...fresh.json().meta, requestId: '' }, url);
    t.same(again.json().data, (await there.get(url)).json().data, 'as another replica has it');
    t.equal(again.json().meta.requestId, again.headers['x-request-id']);
    t.not(again.json().meta.requestId, first.json().meta.requestId);
    t.match(again.headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-cache' });
    t.equal(Number(again.headers['content-length']), Buffer.byteLength(again.body));
  }
});

t.test('a client that holds the answer gets 304, and the request counts against its budget', async (t) => {
  for (const url of READINGS) {
    const { headers } = await kept(here, url);
    const etag = headers.etag as string;
    t.match(etag, /^W\/"[\w-]{22}"$/);
    for (const held of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const before = Number((await here.get(url)).headers['ratelimit-remaining']);
      const answer = await here.get(url, KEY, { 'if-none-match': held });
      t.equal(answer.statusCode, 304, held);
      t.equal(answer.body, '');
      t.match(answer.headers, { etag, 'cache-control': 'private, no-cache', 'x-request-id': /./ });
      t.not(Number(answer.headers['ratelimit-remaining']), before);
    }
    for (const other of ['"x"', 'W/""', 'nonsense', ''])
      t.equal((await here.get(url, KEY, { 'if-none-match': other })).statusCode, 200, other);
    t.equal((await kept(there, url)).headers.etag, etag, 'the same at every replica');
  }
});

t.test('a run that goes on is read each time', async (t) => {
  const open = await begin();
  const url = `/projects/${projectId}/test-runs/${open.runId}`;
  for (const end of ['', '/endpoints', '/metrics', '/timeline', '/histograms']) {
    await here.get(url + end);
    const { headers } = await here.get(url + end);
    t.equal(headers.etag, undefined, end);
    t.equal(headers['cache-control'], 'no-store');
  }
  const answer = await here.get(url, KEY, { 'if-none-match': '*' });
  t.equal(answer.json().data.status, 'RUNNING');
  await report(open, () => ({ outcome: {} }));
  t.equal((await here.get(url)).json().data.status, 'COMPLETED');
});

t.test('what somebody else may read is told to nobody else', async (t) => {
  for (const url of READINGS) {
    await kept(here, url);
    t.equal((await here.get(url, OTHER_KEY)).statusCode, 404, "another organization's key");
    t.equal((await here.get(url, `crl_${'0'.repeat(32)}`)).statusCode, 401);
    t.equal((await here.get(url, OTHER_KEY, { 'if-none-match': '*' })).statusCode, 404);
    const theirs = (await here.get('/projects', OTHER_KEY)).json().data[0].id as string;
    t.equal(
      (await here.get(url.replace(projectId, theirs), OTHER_KEY)).statusCode,
      404,
      'not under their project either',
    );
  }
});

t.test('what is taken from somebody is gone at once here, and soon at every replica', async (t) => {
  const owner = await db
    .selectFrom('users')
    .where('email', '=', 'owner@acme.example')
    .select('id')
    .executeTakeFirstOrThrow();
  const { id: organizationId } = await db
    .selectFrom('organizations')
    .where('slug', '=', 'acme')
    .select('id')
    .executeTakeFirstOrThrow();
  const visitor = { address: '127.0.0.1', userAgent: '', device: null };
  const { token } = await world.database.transaction((tx) =>
    beginSession(world.ports, tx, visitor, { userId: owner.id, organizationId }),
  );
  const page = { cookie: `carillon=${token.reveal()}`, [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' };
  const change = (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    here.app.inject({ method, url: `/api/v1${url}`, headers: page, ...(payload && { payload }) });
  const both = async () => {
    t.equal((await kept(here, base, MEMBER_KEY)).statusCode, 200);
    t.equal((await kept(there, base, MEMBER_KEY)).statusCode, 200);
  };
  const keyId = (await db.selectFrom('api_keys').where('name', '=', 'member').select('id').executeTakeFirstOrThrow())
    .id;
  const member = (
    await db.selectFrom('users').where('email', '=', 'member@acme.example').select('id').executeTakeFirstOrThrow()
  ).id;

  const elsewhere = (await change('POST', '/projects', { name: 'Elsewhere' })).json().data.id as string;
  await both();
  t.equal((await change('PATCH', `/members/${member}`, { projectIds: [elsewhere] })).statusCode, 200);
  t.equal((await here.get(base, MEMBER_KEY)).statusCode, 404, 'no project is reached any more');
  await becomes(there, base, ({ statusCode }) => statusCode === 404, MEMBER_KEY);
  t.equal((await change('PATCH', `/members/${member}`, { projectIds: null })).statusCode, 200);
  t.equal((await here.get(base, MEMBER_KEY)).statusCode, 200);
  await becomes(there, base, ({ statusCode }) => statusCode === 200, MEMBER_KEY);

  await both();
  t.equal((await change('POST', `/api-keys/${keyId}/revoke`)).statusCode, 200);
  t.equal((await here.get(base, MEMBER_KEY)).statusCode, 401, 'the key is revoked');
  await becomes(there, base, ({ statusCode }) => statusCode === 401, MEMBER_KEY);

  const mine = await here.app.inject({ url: `/api/v1${base}`, headers: page });
  t.equal(mine.statusCode, 200, 'a session reads it, too');
  t.equal((await there.app.inject({ url: `/api/v1${base}`, headers: page })).statusCode, 200);
  const [{ id: sessionId }] = (await here.app.inject({ url: '/api/v1/me/sessions', headers: page })).json().data;
  t.equal((await change('DELETE', `/me/sessions/${sessionId}`)).statusCode, 200);
  t.equal((await here.app.inject({ url: `/api/v1${base}`, headers: page })).statusCode, 401, 'the session has ended');
});

/** Everything that is shown of an ended run and may change, changed without any replica's API. */
const CHANGES: Readonly<
  Record<string, { readonly url?: string; readonly change: () => Promise<unknown>; readonly shown: RegExp }>
> = {
  'the project is renamed': {
    change: () => db.updateTable('projects').set({ name: 'Renamed lab' }).where('id', '=', projectId).execute(),
    shown: /"projectName":"Renamed lab"/,
  },
  'the organization is renamed': {
    change: () => db.updateTable('organizations').set({ name: 'Renamed Telecom' }).where('slug', '=', 'acme').execute(),
    shown: /"organizationName":"Renamed Telecom"/,
  },
  'a worker is renamed': {
    change: () => db.updateTable('workers').set({ name: 'edge-eleven' }).where('name', '=', 'edge-1').execute(),
    shown: /edge-eleven/,
  },
  'a registrar is renamed': {
    url: `${base}/endpoints/${endpointId}`,
    change: () =>
      db.updateTable('registrars').set({ name: 'Renamed cloud' }).where('project_id', '=', projectId).execute(),
    shown: /Renamed cloud/,
  },
  'it is graded as an execution of a probe': {
    change: async () => {
      const probe = await db
        .selectFrom('probes')
        .where('project_id', '=', projectId)
        .select('id')
        .executeTakeFirstOrThrow();
      const execution = { id: randomUUID(), probe_id: probe.id, test_run_id: runId, scheduled_at: world.ports.now() };
      await db.insertInto('probe_instances').values(execution).execute();
      await db.updateTable('probe_instances').set({ status: 'HEALTHY' }).where('id', '=', execution.id).execute();
    },
    shown: /"health":"HEALTHY"/,
  },
  'its details have gone': {
    change: async () => {
      world.pass(31 * 86_400);
      await retain(world.ports);
      world.pass(-31 * 86_400);
    },
    shown: /"counts":\{"events":0,"sipMessages":0\}/,
  },
};

for (const [what, { url = base, change, shown }] of Object.entries(CHANGES)) {
  t.test(`another replica knows when ${what}`, async () => {
    const before = await kept(here, url);
    await change();
    await becomes(here, url, ({ body, headers }) => shown.test(body) && headers.etag !== before.headers.etag);
  });
}

t.test('a run that is deleted, a project that is', async (t) => {
  const gone = await ended();
  const url = `/projects/${projectId}/test-runs/${gone.runId}`;
  await kept(here, url);
  await db.deleteFrom('test_runs').where('id', '=', gone.runId).execute();
  await becomes(here, url, ({ statusCode }) => statusCode === 404);
  await kept(here, base);
  await kept(there, base);
  const deleted = await here.app.inject({
    method: 'DELETE',
    url: `/api/v1/projects/${projectId}`,
    headers: { authorization: `Bearer ${KEY}` },
  });
  t.equal(deleted.statusCode, 200, deleted.body);
  t.equal((await here.get(base)).statusCode, 404);
  await becomes(there, base, ({ statusCode }) => statusCode === 404);
});

t.test('a stranger who reads the page of the log-in lets nothing be forgotten', async (t) => {
  await kept(here, base);
  let reads = 0;
  const read = async () => ({ reads: ++reads });
  const asked = () => here.ports.memory.answer(`${runId} asked`, read, () => 1);
  await asked();
  t.equal((await here.app.inject({ url: '/api/v1/entrance' })).statusCode, 200);
  await asked();
  t.equal(reads, 1);
});
