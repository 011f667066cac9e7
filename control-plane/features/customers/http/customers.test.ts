/**
 * Customers: every operation by every identity, figures of all organizations, new organizations and their first OWNER, and
 * sums of use by month and project.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type KyselyPlugin, sql } from 'kysely';
import t from 'tap';
import { SESSION_HEADER } from '../../../client.ts';
import { ROLES } from '../../../contract/roles.ts';
import type { OperationRow } from '../../../contract/row.ts';
import { createHttpServer } from '../../../http/server.ts';
import type { Context } from '../../../operations/request/perform.ts';
import { giveInstallation } from '../../../store/people/installation.ts';
import {
  acme,
  allDone,
  allocationFacts,
  FakeAgent,
  isAllocate,
  openWorld,
  ownerContext,
  startRun,
  TOKENS,
} from '../../../testing/world.ts';
import { listCustomers } from '../operations/customers.ts';
import { getCustomersUsage } from '../operations/usage.ts';
import { ROWS } from '../rows.ts';

const PASSWORD = 'correct horse battery';
const NOBODY = '0190b8e0-0000-7000-8000-000000000000';
const keyOf = (n: number) => `crl_${String(n).padStart(32, '0')}`;
const OPERATOR_KEY = keyOf(1);
const ACME_KEY = keyOf(2);

const world = await openWorld(t);
const { db } = world.database;
const [organization] = acme().organizations;
const people = ROLES.map((role) => ({
  email: `${role.toLowerCase()}@operator.example`,
  name: role,
  role,
  password: PASSWORD,
}));
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        { email: 'both@example.org', name: 'Both', role: 'OWNER', password: PASSWORD },
        { email: 'owner@customer.example', name: 'Customer', role: 'OWNER', password: PASSWORD },
      ],
      apiKeys: [...(organization?.apiKeys ?? []), { name: 'usage', user: 'owner@customer.example', key: ACME_KEY }],
    },
    {
      slug: 'operator',
      name: 'Zeta Operations',
      runsInstallation: true,
      users: [
        ...people,
        { email: 'narrow@operator.example', name: 'Narrow', role: 'OWNER', password: PASSWORD, projects: ['noc'] },
        { email: 'both@example.org', name: 'Both', role: 'VIEWER' },
      ],
      apiKeys: [{ name: 'invoices', user: 'owner@operator.example', key: OPERATOR_KEY }],
      projects: [{ slug: 'noc', name: 'NOC' }],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());
const agents = [new FakeAgent(world), new FakeAgent(world)];
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
world.hold();

type By = { readonly cookie?: string; readonly key?: string };

async function ask(method: OperationRow['method'], url: string, by: By, body?: object) {
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    headers: {
      ...(by.key ? { authorization: `Bearer ${by.key}` } : { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' }),
      ...(by.cookie && { cookie: by.cookie }),
    },
    ...(body && { payload: body }),
  });
  const isJson = /json/.test(String(response.headers['content-type']));
  const cookies = response.cookies as { name: string; value: string }[];
  return {
    status: response.statusCode,
    text: response.body,
    headers: response.headers,
    // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
    ...((isJson ? response.json() : {}) as { data: any; error: { code: string; message: string } }),
    cookie: cookies.map((c) => `${c.name}=${c.value}`).join('; '),
  };
}
const logIn = async (email: string): Promise<By> => ({
  cookie: (await ask('POST', '/entrance/log-in', {}, { email, password: PASSWORD })).cookie,
});
const owner = await logIn('owner@operator.example');
const customer = await logIn('owner@customer.example');
const both = await logIn('both@example.org');
const idOf = async (slug: string) =>
  (await db.selectFrom('organizations').where('slug', '=', slug).select('id').executeTakeFirstOrThrow()).id;
const [acmeId, operatorId] = [await idOf('acme'), await idOf('operator')];

type Identity = {
  readonly name: string;
  readonly by: By;
  /** An OWNER, with access to all projects, of the organization that is shown. */
  readonly ownsOrganization: boolean;
  readonly ownsInstallation: boolean;
};
const others = await Promise.all(
  people.slice(0, -1).map(async ({ email, name }) => ({ name: `${name} of the operator`, by: await logIn(email) })),
);
const nothing = { ownsOrganization: false, ownsInstallation: false };
const identities: readonly Identity[] = [
  ...others.map((one) => ({ ...one, ...nothing })),
  { name: 'OWNER of some projects', by: await logIn('narrow@operator.example'), ...nothing },
  { name: 'owner of the installation', by: owner, ownsOrganization: true, ownsInstallation: true },
  { name: 'their key', by: { key: OPERATOR_KEY }, ownsOrganization: true, ownsInstallation: true },
  { name: 'OWNER of a customer', by: customer, ownsOrganization: true, ownsInstallation: false },
  { name: 'its key', by: { key: ACME_KEY }, ownsOrganization: true, ownsInstallation: false },
  { name: 'VIEWER of the operator, at the customer', by: both, ownsOrganization: true, ownsInstallation: false },
  { name: 'nobody', by: {}, ...nothing },
];
/** A run of acme over that many seconds, counted in the month in which it ends. */
async function runOf(seconds: number): Promise<string> {
  const { runId } = await startRun(world);
  await world.work();
  const orders = [];
  for (const agent of agents) orders.push((await agent.orders()).filter(isAllocate));
  for (const [i, agent] of agents.entries())
    await agent.send({
      allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
    });
  world.pass(seconds);
  for (const [i, agent] of agents.entries()) await agent.send(allDone(orders[i] ?? []));
  await world.work();
  return runId;
}
const month = () => world.ports.now().toISOString().slice(0, 7);
const contextOf = async (): Promise<Context> => ownerContext(world, 'operator');

t.jobs = 1;

t.test('every operation by every identity: all others are refused, and nothing has changed', async (t) => {
  const counted = async () =>
    (
      await sql<{
        n: number;
      }>`select (select count(*) from organizations) + (select count(*) from invitations) as n`.execute(db)
    ).rows[0]?.n;
  const before = await counted();
  const bodies: Readonly<Record<string, object>> = {
    createCustomer: { name: 'Refused', plan: 'FREE', email: 'x@refused.example' },
    updateCustomer: { plan: 'FREE' },
    inviteCustomerOwner: { email: 'x@refused.example' },
  };
  for (const [name, row] of Object.entries(ROWS) as [string, OperationRow][]) {
    t.ok(row.installation || row.path.startsWith('/usage'), `${name} is for the owner of the installation`);
    for (const identity of identities) {
      const isMine = row.installation ? identity.ownsInstallation : identity.ownsOrganization;
      const may = isMine && !(row.by === 'SESSION' && identity.by.key);
      // Creating is the next test's.
      if (may && name === 'createCustomer') continue;
      const url = row.path.replace('{customerId}', may ? NOBODY : acmeId);
      const { status } = await ask(row.method, url, identity.by, bodies[name]);
      const wanted = may ? (row.method === 'GET' ? 200 : 404) : identity.name === 'nobody' ? 401 : 403;
      t.equal(status, wanted, `${name}, ${identity.name}`);
    }
  }
  t.equal(await counted(), before);
  const plan = await db.selectFrom('organizations').where('id', '=', acmeId).select('plan').executeTakeFirstOrThrow();
  t.equal(plan.plan, 'UNLIMITED');
});

t.test('the owner sees figures, and nothing inside', async (t) => {
  const list = await ask('GET', '/customers', owner);
  t.same(
    list.data.map(({ name }: { name: string }) => name),
    ['Acme Telecom', 'Zeta Operations'],
  );
  t.match(list.data, [
    { id: acmeId, isOwn: false, plan: 'UNLIMITED', people: 3, projects: 1, workers: 2, onlineWorkers: 2, probes: 1 },
    { id: operatorId, isOwn: true, people: 7, projects: 1, workers: 0, probes: 0, health: null, lastRunAt: null },
  ]);
  t.match(list.data[0], { health: 'UNKNOWN', runs: 0, endpointMinutes: 0, endpointMinutesPerMonth: null });
  const { id: projectId } = await db
    .selectFrom('projects')
    .where('organization_id', '=', acmeId)
    .select('id')
    .executeTakeFirstOrThrow();
  for (const url of [`/projects/${projectId}`, `/projects/${projectId}/tests`, `/projects/${projectId}/test-runs`])
    t.equal((await ask('GET', url, owner)).status, 404, url);
  t.equal((await ask('POST', '/me/organization', owner, { organizationId: acmeId })).status, 404, 'nor goes there');
  t.match((await ask('GET', '/me', owner)).data, { organization: { runsInstallation: true } });
  t.match((await ask('GET', '/me', customer)).data, { organization: { runsInstallation: false } });
  t.equal((await ask('POST', '/me/organization', both, { organizationId: operatorId })).status, 200);
  t.equal((await ask('GET', '/customers', both)).status, 403, 'a VIEWER there');
});

t.test('totals count every organization, and the shared workers, on whatever page the list is', async (t) => {
  const totals = async () => (await ask('GET', '/customers/totals', owner)).data;
  t.match(await totals(), { organizations: 2, unhealthy: 0, workers: 2, onlineWorkers: 2, sharedWorkers: 0 });
  const shared = { id: randomUUID(), name: 'shared', region: 'local', capacity: 10, status: 'ONLINE' as const };
  await db.insertInto('workers').values(shared).execute();
  await db.updateTable('probes').set({ status: 'DEGRADED' }).execute();
  t.match(await totals(), { unhealthy: 1, workers: 3, onlineWorkers: 3, sharedWorkers: 1 });
  await db.updateTable('probes').set({ status: 'UNKNOWN' }).execute();
  await db.deleteFrom('workers').where('id', '=', shared.id).execute();
});

t.test('a new customer: its first OWNER comes in by the link, and from then on invites others', async (t) => {
  const asked = { name: 'Northwind', plan: 'STARTER', email: 'ada@northwind.example' };
  const made = await ask('POST', '/customers', owner, asked);
  t.match(made, { status: 201, data: { name: 'Northwind', invitation: { role: 'OWNER', token: /^[\w-]{43}$/ } } });
  const { id } = made.data;
  t.match(await ask('POST', '/customers', owner, asked), { status: 409, error: { message: /has the slug northwind/ } });
  t.match((await ask('GET', '/customers', owner)).data[1], { id, people: 0, invitations: 1, plan: 'STARTER' });
  const mistyped = await ask('POST', `/customers/${id}/invitation`, owner, { email: 'ada@southwind.example' });
  t.equal(mistyped.status, 201);
  const again = await ask('POST', `/customers/${id}/invitation`, owner, { email: asked.email });
  t.equal(again.status, 201);
  const accept = (token: string) =>
    ask('POST', '/entrance/accept-invitation', {}, { token, name: 'Ada', password: PASSWORD });
  t.equal((await accept(made.data.invitation.token)).status, 404, 'the second link replaces the first one');
  t.equal((await accept(mistyped.data.invitation.token)).status, 404, 'also where the address was another');
  const ada = await accept(again.data.invitation.token);
  t.match(ada, {
    status: 200,
    data: { role: 'OWNER', organization: { id, plan: 'STARTER', runsInstallation: false } },
  });
  t.match(await ask('POST', `/customers/${id}/invitation`, owner, { email: 'spy@operator.example' }), {
    status: 409,
    error: { message: /has people/ },
  });
  const changed = await ask('PATCH', `/customers/${id}`, owner, { plan: 'FREE' });
  t.match(changed, { status: 200, data: { id, plan: 'FREE', people: 1, endpointMinutesPerMonth: 500 } });
  t.match((await ask('GET', '/plan', ada)).data, { plan: 'FREE' });
  const entries = (await ask('GET', '/audit-entries', ada)).data as {
    action: string;
    actor: string;
    address: string;
  }[];
  t.match(
    entries.map(({ action, actor, address }) => [action, actor, address]),
    [
      ['updateCustomer', 'OWNER (Zeta Operations)', ''],
      ['acceptInvitation', 'Ada', /./],
      ['inviteCustomerOwner', 'OWNER (Zeta Operations)', ''],
      ['inviteCustomerOwner', 'OWNER (Zeta Operations)', ''],
      ['createCustomer', 'OWNER (Zeta Operations)', ''],
    ],
  );
});

t.test('sums by project are what the plan has counted, month by month', async (t) => {
  const first = month();
  await runOf(90);
  world.pass(31 * 86_400);
  for (const agent of agents) await agent.greet();
  await runOf(30);
  await runOf(45);
  // The sessions have ended with the month.
  const by = { key: OPERATOR_KEY };
  const usage = (await ask('GET', '/customers/usage', by)).data;
  t.equal(usage.lastMonth, month());
  const own = (await ask('GET', '/usage', { key: ACME_KEY })).data;
  t.same(own.rows, usage.rows, 'no other organization has had a run');
  t.match(own.rows, [
    { month: month(), projectName: 'Lab', runs: 2 },
    { month: first, projectName: 'Lab', runs: 1 },
  ]);
  const { used } = (await ask('GET', '/plan', { key: ACME_KEY })).data;
  t.equal(own.rows[0].endpointMinutes, used.endpointMinutes);
  t.ok(used.endpointMinutes > 0);
  t.match((await ask('GET', '/customers', by)).data[0], { runs: 2, endpointMinutes: used.endpointMinutes });
  t.match((await ask('GET', `/customers?month=${first}`, by)).data[0], { runs: 1 });
  t.same((await ask('GET', `/usage?first_month=2000-01&last_month=2000-02`, { key: ACME_KEY })).data.rows, []);
  for (const wrong of [
    'first_month=2026-13',
    'last_month=2026-1',
    'first_month=2026-11&last_month=2026-10',
    'first_month=2020-01&last_month=2026-01',
  ])
    t.equal((await ask('GET', `/usage?${wrong}`, { key: ACME_KEY })).status, 422, wrong);

  await t.test('the migration of an older database makes the same sums', async (t) => {
    const rows = () => db.selectFrom('project_usage_months').selectAll().orderBy('month').execute();
    const counted = await rows();
    await db.deleteFrom('project_usage_months').execute();
    const without = (await ask('GET', '/usage', { key: ACME_KEY })).data.rows;
    t.match(without, [
      { month: month(), projectName: null, runs: 2, endpointMinutes: used.endpointMinutes },
      { month: first, projectName: null, runs: 1 },
    ]);
    const file = path.join(import.meta.dirname, '../store/0016-customers.sql');
    const [, , backfill] =
      /^(create table[^;]*;)[^;]*?(insert into[^;]*;)/m.exec(readFileSync(file, 'utf8').replaceAll(/--.*/g, '')) ?? [];
    await sql.raw(backfill ?? '').execute(db);
    t.same(await rows(), counted);
  });

  await t.test('a deleted project stays in the sums, without its name', async (t) => {
    const deletedAt = (at: Date | null) => db.updateTable('projects').set({ name: '=cmd|lab', deleted_at: at });
    await deletedAt(world.ports.now()).where('slug', '=', 'lab').execute();
    t.match((await ask('GET', '/usage', { key: ACME_KEY })).data.rows[0], {
      projectId: null,
      projectName: null,
      runs: 2,
      endpointMinutes: used.endpointMinutes,
    });
    await deletedAt(null).where('slug', '=', 'lab').execute();
  });

  await t.test('as CSV', async (t) => {
    await ask('PATCH', `/customers/${acmeId}`, await logIn('owner@operator.example'), { plan: 'PRO' });
    for (const [url, key] of [
      ['/customers/usage.csv', OPERATOR_KEY],
      ['/usage.csv', ACME_KEY],
    ] as const) {
      const file = await ask('GET', url, { key });
      t.match(file.headers['content-type'], /^text\/csv/);
      t.match(file.headers['content-disposition'], /usage-\d{4}-\d\d-\d{4}-\d\d\.csv/);
      const lines = file.text.split('\r\n');
      t.equal(
        lines[0],
        'month,organizationId,organizationName,projectId,projectName,runs,endpointMinutes,plan,endpointMinutesPerMonth',
      );
      t.match(
        lines[1],
        new RegExp(`^${month()},${acmeId},Acme Telecom,[\\w-]+,'=cmd\\|lab,2,${used.endpointMinutes},PRO,200000$`),
      );
      t.equal(lines.length, 4);
    }
    await db.updateTable('organizations').set({ plan: 'UNLIMITED' }).where('id', '=', acmeId).execute();
  });
});

t.test('the number of statements does not depend on the number of customers', async (t) => {
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const context = await contextOf();
  const database = { ...world.database, db: db.withPlugin(counter) };
  const counting: Context = { ...context, ports: { ...world.ports, database } };
  const cost = async () => {
    statements = 0;
    const { rows } = await listCustomers(counting, { page: 1, per_page: 100 });
    await getCustomersUsage(counting, {});
    return [rows.length, statements] as const;
  };
  const [few, least] = await cost();
  await sql`insert into organizations (id, slug, name, plan)
    select gen_random_uuid(), 'many-' || i, 'Many ' || i, 'FREE' from generate_series(1, 50) i`.execute(db);
  t.same(await cost(), [few + 50, least]);
});

t.test('it is passed on by the installation, not by a role', async (t) => {
  await giveInstallation(db, acmeId);
  t.equal((await ask('GET', '/customers', { key: ACME_KEY })).status, 200);
  t.equal((await ask('GET', '/customers', { key: OPERATOR_KEY })).status, 403);
});
