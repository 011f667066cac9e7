/** Restarts with a provisioning file: what people have changed since stays, and only what the file says differently is applied. */

import { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import t from 'tap';
import { acme, callProbe, callsTest, openWorld, type World } from '../../testing/world.ts';
import { hashPassword, verifyPassword } from '../people/password.ts';

const FIRST = 'correct horse battery';
const OWN = 'a word of my own choice';
const KEY = `crl_${'a'.repeat(32)}`;

const file = (prune: boolean) => ({
  organizations: [
    {
      ...acme().organizations[0],
      prune,
      users: [
        { email: 'owner@acme.example', name: 'Owner', role: 'OWNER', password: FIRST },
        { email: 'tess@acme.example', name: 'Tess', role: 'EDITOR', password: FIRST },
        { email: 'gone@acme.example', name: 'Gone', role: 'VIEWER' },
        { email: 'late@acme.example', name: 'Late', role: 'VIEWER', projects: ['lab'] },
      ],
      apiKeys: [
        { name: 'pipeline', user: 'owner@acme.example', key: KEY },
        { name: 'deleted', user: 'owner@acme.example', key: `crl_${'b'.repeat(32)}` },
      ],
      projects: [
        {
          slug: 'lab',
          name: 'Lab',
          registrars: ['pbx', 'trunk'].map((slug) => ({
            ...{ slug, name: slug, uri: 'sip:127.0.0.1:5070' },
            sipAccounts: ['1001', '1002'].map((username) => ({ username, password: 'p' })),
          })),
          tests: [callsTest(2), { ...callsTest(3), slug: 'other', name: 'Other' }],
          probes: [callProbe('front', 'Front'), callProbe('back', 'Back', { parent: 'front' })],
          webhooks: ['a', 'b'].map((path) => ({
            ...{ url: `https://hooks.example/${path}`, events: ['incident.opened'] },
            secret: 'a secret of 24 characters',
          })),
        },
        { slug: 'second', name: 'Second' },
      ],
    },
  ],
});

const TABLES = [
  ...['organizations', 'users', 'memberships', 'api_keys', 'projects', 'project_members', 'registrars', 'workers'],
  ...['sip_accounts', 'tests', 'probes', 'probe_thresholds', 'webhooks', 'join_tokens', 'provisioned_entries'],
];

type Db = World['database']['db'];

async function snapshot(db: Db): Promise<string[]> {
  const all: string[] = [];
  for (const table of TABLES) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db);
    all.push(...rows.map((row) => `${table} ${JSON.stringify(row)}`));
  }
  return all.sort();
}

const run = (db: Db, ...statements: string[]) =>
  statements.reduce<Promise<unknown>>((before, one) => before.then(() => sql.raw(one).execute(db)), Promise.resolve());

const hashWith = (world: World, password: string) =>
  hashPassword(new Secret(password), world.ports.settings.passwordCost);

/** One change by people before each of ten restarts. */
const CHANGES: readonly [what: string, change: (db: Db, world: World) => Promise<unknown>][] = [
  [
    'a password',
    async (db, world) =>
      db
        .updateTable('users')
        .set({ password_hash: await hashWith(world, OWN) })
        .where('email', '=', 'tess@acme.example')
        .execute(),
  ],
  ['a role', (db) => run(db, `update memberships set role = 'VIEWER' where role = 'EDITOR'`)],
  [
    'members who left, or reach something else',
    (db) =>
      run(
        db,
        `delete from memberships where user_id = (select id from users where email = 'gone@acme.example')`,
        'delete from project_members',
      ),
  ],
  ['names', (db) => run(db, `update organizations set name = 'Renamed'`, `update users set name = 'Somebody'`)],
  ['a project that was deleted', (db) => run(db, `delete from projects where slug = 'second'`)],
  [
    'tests: one changed, one deleted',
    (db) => run(db, `update tests set duration_seconds = 77`, `delete from tests where slug = 'other'`),
  ],
  [
    'probes: one off, its parent deleted',
    (db) => run(db, `delete from probes where slug = 'front'`, 'update probes set enabled = false'),
  ],
  [
    'a registrar and an account changed, others deleted',
    (db) =>
      run(
        db,
        `delete from registrars where slug = 'trunk'`,
        `delete from sip_accounts where username = '1002'`,
        `update registrars set uri = 'sip:192.0.2.1'`,
        `update sip_accounts set number = '+49'`,
      ),
  ],
  [
    'a webhook off, another deleted; a key revoked, another deleted',
    (db) =>
      run(
        db,
        `delete from webhooks where url like '%/b'`,
        'update webhooks set enabled = false',
        'update api_keys set revoked_at = now()',
        `delete from api_keys where name = 'deleted'`,
      ),
  ],
  [
    'a worker changed, another deleted, and a project of their own',
    (db) =>
      run(
        db,
        'update workers set capacity = 5',
        `delete from workers where name = 'edge-2'`,
        `insert into projects (id, organization_id, slug, name, description) select gen_random_uuid(), id, 'mine', 'Mine', '' from organizations`,
      ),
  ],
];

for (const prune of [false, true])
  t.test(`ten restarts with the same file undo nothing${prune ? ', nor do they prune' : ''}`, async (t) => {
    const world = await openWorld(t);
    const { db } = world.database;
    await world.provision(file(prune));
    for (const [what, change] of CHANGES) {
      await change(db, world);
      const before = await snapshot(db);
      await world.provision(file(prune));
      t.same(await snapshot(db), before, what);
    }
    t.equal(CHANGES.length, 10);
    const tess = await hashOf(db, 'tess@acme.example');
    t.ok(await verifyPassword(new Secret(OWN), tess), 'she logs in with her own password');
    t.notOk(await verifyPassword(new Secret(FIRST), tess), 'and nobody does with that of the file');
  });

const hashOf = async (db: Db, email: string) =>
  (await db.selectFrom('users').where('email', '=', email).select('password_hash').executeTakeFirstOrThrow())
    .password_hash ?? '';

t.test('what the file says differently is applied, and only that', async (t) => {
  const world = await openWorld(t);
  const { db } = world.database;
  const all = file(false);
  const [organization] = all.organizations;
  const [project] = organization?.projects ?? [];
  if (!organization || !project) throw new Error('the file has a project');
  await world.provision(all);
  for (const [, change] of CHANGES) await change(db, world);
  const first = await snapshot(db);
  const [, tess] = organization.users;
  if (tess) tess.role = 'TESTER';
  const [test] = project.tests ?? [];
  Object.assign(test ?? {}, { durationSeconds: 33 });
  await world.provision(all);
  const rows = await db.selectFrom('tests').select(['slug', 'duration_seconds']).execute();
  t.same(rows, [{ slug: callsTest(2).slug, duration_seconds: 33 }], 'the deleted one does not come back beside it');
  const roles = await sql<{ role: string }>`
    select role from memberships m join users u on u.id = m.user_id where email = 'tess@acme.example'`.execute(db);
  t.same(roles.rows, [{ role: 'TESTER' }]);
  t.ok(
    await verifyPassword(new Secret(OWN), await hashOf(db, 'tess@acme.example')),
    'another role is no other password',
  );
  const untouched = (line: string) => !/^(tests|memberships|provisioned_entries) /.test(line);
  t.same((await snapshot(db)).filter(untouched), first.filter(untouched));

  if (tess) tess.password = 'the next word of the file';
  await world.provision(all);
  t.ok(await verifyPassword(new Secret('the next word of the file'), await hashOf(db, 'tess@acme.example')));

  await t.test('what a changed test needs is made again', async (t) => {
    const [callers] = test?.groups ?? [];
    const group = {
      ...{ ...callers, registrar: 'trunk', placement: { mode: 'WORKERS', workers: ['edge-2'] } },
      callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5070' },
      subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 2, sipAccounts: ['1001', '1002'] }],
    };
    Object.assign(test ?? {}, { groups: [group] });
    await world.provision(all);
    const { config } = await db.selectFrom('tests').select('config').executeTakeFirstOrThrow();
    const trunk = await db.selectFrom('registrars').where('slug', '=', 'trunk').select('id').executeTakeFirstOrThrow();
    const edge = await db.selectFrom('workers').where('name', '=', 'edge-2').select('id').executeTakeFirstOrThrow();
    t.match(config.groups[0], { registrarId: trunk.id, placement: { workerIds: [edge.id] } });
    t.ok(config.groups[0]?.subPopulations[0]?.sipAccountIds?.every((id) => id !== ''));
  });

  await t.test('an owner that is made again has all that belongs to it', async (t) => {
    await run(db, `delete from projects where slug = 'lab'`);
    await world.provision(all);
    t.equal((await db.selectFrom('tests').selectAll().execute()).length, 0, 'it stays deleted');
    project.name = 'Laboratory';
    await world.provision(all);
    t.equal((await db.selectFrom('tests').selectAll().execute()).length, 2);
    t.equal((await db.selectFrom('sip_accounts').selectAll().execute()).length, 4);
  });

  await t.test('an account that has a password keeps it when a file names it for the first time', async (t) => {
    await run(db, 'delete from provisioned_entries');
    await db
      .updateTable('users')
      .set({ password_hash: await hashWith(world, OWN) })
      .execute();
    await world.provision(all);
    t.ok(await verifyPassword(new Secret(OWN), await hashOf(db, 'tess@acme.example')));
    await run(db, 'update users set password_hash = null', 'delete from provisioned_entries');
    await world.provision(all);
    t.ok(await verifyPassword(new Secret('the next word of the file'), await hashOf(db, 'tess@acme.example')));
  });
});

const passwordsOf = (words: readonly (string | null)[], email = 'tess@acme.example') =>
  words.map((password) => {
    const all = file(false);
    const tess = { email, name: 'Tess', role: 'EDITOR', ...(password !== null && { password }) };
    for (const o of all.organizations) Object.assign(o, { users: o.users?.map((u, i) => (i === 1 ? tess : u)) });
    return all;
  });

t.test('a password that the file leaves out for a while, or never had, replaces none of their own', async (t) => {
  const OTHER = 'another word of the file';
  const rows: [before: (string | null)[], after: (string | null)[], holds: string][] = [
    [[FIRST], [null, FIRST], OWN],
    [[FIRST], [null, null, FIRST, FIRST], OWN],
    [[FIRST], [null, OTHER], OTHER],
    [[null, FIRST], [null, FIRST], OWN],
    [[null], [FIRST], OWN],
    [[null], [FIRST, OTHER], OTHER],
    [[], [null, FIRST], FIRST],
    [[FIRST], [OTHER, null, OTHER], OTHER],
  ];
  for (const [before, after, holds] of rows) {
    const world = await openWorld(t);
    const { db } = world.database;
    for (const one of passwordsOf(before)) await world.provision(one);
    await db
      .updateTable('users')
      .set({ password_hash: await hashWith(world, OWN) })
      .execute();
    for (const one of passwordsOf(after)) await world.provision(one);
    const hash = await hashOf(db, 'tess@acme.example');
    t.ok(await verifyPassword(new Secret(holds), hash), `${JSON.stringify(before)}, then ${JSON.stringify(after)}`);
  }
});

t.test('an address in other letters names the same person', async (t) => {
  const world = await openWorld(t);
  const { db } = world.database;
  for (const one of passwordsOf([FIRST], 'Tess@Acme.example')) await world.provision(one);
  await run(db, `update memberships set role = 'VIEWER' where role = 'EDITOR'`, `update users set name = 'Somebody'`);
  const before = (await snapshot(db)).filter((line) => !line.startsWith('provisioned_entries '));
  for (const one of passwordsOf([FIRST], 'tess@acme.example')) await world.provision(one);
  const after = (await snapshot(db)).filter((line) => !line.startsWith('provisioned_entries '));
  t.same(after, before);
});

t.test('digests of passwords are sealed, and of a lost key count as unknown', async (t) => {
  const world = await openWorld(t);
  const { db } = world.database;
  await world.provision(file(false));
  const { rows } = await sql<{
    text: string;
  }>`select string_agg(digest::text, ' ') as text from provisioned_entries`.execute(db);
  t.notMatch(rows[0]?.text, Buffer.from(FIRST).toString('hex'));
  await run(db, `update provisioned_entries set digest = '\\x00'`);
  const before = await db.selectFrom('users').select(['email', 'password_hash']).orderBy('email').execute();
  await world.provision(file(false));
  t.same(await db.selectFrom('users').select(['email', 'password_hash']).orderBy('email').execute(), before);
});

t.test('of a member that people changed, only what the file says otherwise is changed', async (t) => {
  const world = await openWorld(t);
  const { db } = world.database;
  const saying = (role: string, projects: readonly string[]) => {
    const [organization] = acme().organizations;
    const [user] = organization?.users ?? [];
    const late = { ...user, email: 'late@acme.example', name: 'Late', role, projects };
    return { organizations: [{ ...organization, users: [...(organization?.users ?? []), late] }] };
  };
  const member = async () => {
    const { role, id } = await db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .where('email', '=', 'late@acme.example')
      .select(['role', 'users.id'])
      .executeTakeFirstOrThrow();
    const reached = await db.selectFrom('project_members').where('user_id', '=', id).selectAll().execute();
    return [role, reached.length];
  };
  const [slug = ''] = (await db.selectFrom('projects').select('slug').execute()).map((p) => p.slug);
  const first = acme().organizations[0]?.projects[0]?.slug ?? slug;
  await world.provision(saying('VIEWER', []));
  await run(db, `update memberships set role = 'ADMIN' where role = 'VIEWER'`);
  await world.provision(saying('VIEWER', [first]));
  t.same(await member(), ['ADMIN', 1], 'projects');
  await run(db, 'delete from project_members');
  await world.provision(saying('EDITOR', [first]));
  t.same(await member(), ['EDITOR', 0], 'the role');
});
