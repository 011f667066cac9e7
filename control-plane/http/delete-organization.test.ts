/** Deletion of an organization: who may delete it, what ends immediately, and that no table keeps any of its rows. */
import { sql } from 'kysely';
import t from 'tap';
import { SESSION_HEADER } from '../client.ts';
import { retain } from '../operations/retain.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  KEY,
  openWorld,
  runningRun,
  someSamples,
  startRun,
  TOKENS,
} from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const PASSWORD = 'correct horse battery';
const OTHER_KEY = `crl_${'9'.repeat(32)}`;
const world = await openWorld(t);
const { db } = world.database;
const [organization] = acme().organizations;
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        { email: 'ada@acme.example', name: 'Ada', role: 'OWNER', password: PASSWORD },
        { email: 'eve@acme.example', name: 'Eve', role: 'ADMIN', password: PASSWORD },
      ],
    },
    {
      slug: 'other',
      name: 'Other',
      users: [{ email: 'eve@acme.example', name: 'Eve', role: 'OWNER' }],
      apiKeys: [{ name: 'key', user: 'eve@acme.example', key: OTHER_KEY }],
      projects: [{ slug: 'lab', name: 'Lab' }],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

async function ask(method: 'GET' | 'POST', url: string, body?: object, by: { cookie?: string; key?: string } = {}) {
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    headers: {
      ...(by.key ? { authorization: `Bearer ${by.key}` } : { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' }),
      ...(by.cookie && { cookie: by.cookie }),
    },
    ...(body && { payload: body }),
  });
  const cookies = response.cookies as { name: string; value: string }[];
  const cookie = cookies.map((c) => `${c.name}=${c.value}`).join('; ');
  return { status: response.statusCode, ...(response.json() as { data: { id: string }; error: object }), cookie };
}
const logIn = async (email: string) => (await ask('POST', '/entrance/log-in', { email, password: PASSWORD })).cookie;

/** Tables with any of these values in any column. */
const naming = async (texts: readonly string[]): Promise<string[]> => {
  const patterns = texts.map((text) => `%${text}%`);
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const found: string[] = [];
  for (const { name } of rows) {
    const there =
      await sql`select from ${sql.raw(name)} t where t::text like any (${sql.val(patterns)}::text[]) limit 1`.execute(
        db,
      );
    if (there.rows.length > 0) found.push(name);
  }
  return found;
};

/** Every identifier that relates a row to its organization: from rows with the organization's id, and from rows that depend on those. */
async function identifiersOf(organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with p as (select id from projects where organization_id = ${organizationId}::uuid),
      r as (select id from test_runs where organization_id = ${organizationId}::uuid)
    select ${organizationId}::text as id
    union select id::text from p
    union select id::text from r
    union select id::text from workers where organization_id = ${organizationId}::uuid
    union select id::text from api_keys where organization_id = ${organizationId}::uuid
    union select id::text from sessions where organization_id = ${organizationId}::uuid
    union select id::text from invitations where organization_id = ${organizationId}::uuid
    union select id::text from tests where project_id in (select id from p)
    union select id::text from probes where project_id in (select id from p)
    union select id::text from registrars where project_id in (select id from p)
    union select id::text from webhooks where project_id in (select id from p)
    union select id::text from endpoints where run_id in (select id from r)
    union select id::text from sub_population_instances where run_id in (select id from r)`.execute(db);
  return rows.map((row) => row.id);
}

t.test(
  'an owner with a fresh proof, who types its name: nothing of it is left, and others have lost nothing',
  async (t) => {
    const agents = [new FakeAgent(world), new FakeAgent(world)];
    for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
    const run = await runningRun(world, agents);
    const nowMs = world.ports.now().getTime();
    for (const [i, agent] of agents.entries()) {
      for (const order of run.orders[i] ?? []) {
        const samples = someSamples(nowMs, [order.endpoints.number[0] ?? 0], 2);
        await agent.send({ allocations: [allocationFacts(order.allocationId, { samples })] });
      }
      await agent.send(allDone(run.orders[i] ?? []));
    }
    await world.work();
    const key = { key: KEY };
    const webhook = { url: 'https://hooks.example/x', events: ['PROBE_INCIDENT_OPENED'], description: '' };
    await ask('POST', `/projects/${run.projectId}/webhooks`, webhook, key);
    const [ada, eve] = [{ cookie: await logIn('ada@acme.example') }, { cookie: await logIn('eve@acme.example') }];
    const invited = { email: 'new@acme.example', role: 'VIEWER', projectIds: null };
    t.equal((await ask('POST', '/invitations', invited, ada)).status, 201);
    const { organization_id: id } = await db
      .selectFrom('projects')
      .where('id', '=', run.projectId)
      .select('organization_id')
      .executeTakeFirstOrThrow();
    // One that still has to be stopped, and one that waits.
    await runningRun(world, agents);
    const open = await startRun(world);

    const deletion = (body: object, by: object) => ask('POST', '/organization/deletion', body, by);
    const name = { name: 'Acme Telecom' };
    t.match(await deletion(name, key), { status: 403 }, 'people do this, no key');
    t.equal(
      (await db.selectFrom('memberships').where('organization_id', '=', id).select('user_id').execute()).length,
      3,
    );
    t.match(await deletion({ name: 'acme' }, ada), { status: 422, error: { details: [{ path: 'name' }] } });
    await db
      .updateTable('sessions')
      .set({ proved_at: new Date(0) })
      .execute();
    t.match(await deletion(name, ada), { status: 403, error: { code: 'PROOF_REQUIRED' } });
    t.equal((await ask('POST', '/me/proof', { password: PASSWORD }, ada)).status, 200);

    const ids = await identifiersOf(id);
    t.ok(ids.length > 30, `${ids.length} identifiers`);
    t.ok((await naming(ids)).length > 25, 'in many tables');
    t.match(await deletion(name, ada), { status: 200, data: { id, deleted: true } });
    t.equal((await ask('GET', '/me', undefined, ada)).status, 401, 'its sessions are over');
    t.equal((await ask('GET', '/projects', undefined, key)).status, 401, 'its keys are refused');
    t.equal((await ask('GET', `/projects/${run.projectId}/test-runs/${open.runId}`, undefined, key)).status, 401);
    for (const agent of agents) await t.rejects(agent.greet(), 'its agents are refused');
    t.equal((await db.selectFrom('users').where('email', '=', 'ada@acme.example').select('id').execute()).length, 0);

    await world.work();
    for (let hours = 0; hours < 24 && (await naming([id])).length > 0; hours++) {
      world.pass(3600);
      await world.work();
      await retain(world.ports);
    }
    t.same(await naming(ids), []);
    t.same(await db.selectFrom('organization_deletions').select(['name', 'actor']).execute(), [
      { name: 'Acme Telecom', actor: 'Ada' },
    ]);

    t.equal((await ask('GET', '/projects', undefined, { key: OTHER_KEY })).status, 200);
    t.ok((await logIn('eve@acme.example')) !== '', 'members of another organization stay');
    t.equal((await ask('GET', '/me', undefined, eve)).status, 401);
    await world.provision(acme());
    t.equal((await ask('GET', '/projects', undefined, key)).status, 401, 'the same file does not make it again');
    const [organization] = acme().organizations;
    await world.provision({ organizations: [{ ...organization, name: 'Acme again' }] });
    t.equal((await ask('GET', '/projects', undefined, key)).status, 200, 'its slug is free');
  },
);
