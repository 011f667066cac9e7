/** The provisioning file: errors are named by path and line, a valid file is applied once. */

import { randomUUID } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { stringify } from 'yaml';
import { parseProvisionFile } from '../../contract/provision-file.ts';
import { FileError, inFile, NotApplicable } from '../../contract/yaml-file.ts';
import { provisionFaults } from '../../domain/project/provision.ts';
import { insertIncident } from '../../store/probe/incidents.ts';
import { acme, callProbe, callsTest, FakeAgent, openWorld, startRun, statusOf, TOKENS } from '../../testing/world.ts';
import { changeKey } from '../agents/keys.ts';
import { vouch } from '../agents/orders.ts';
import { verifyPassword } from '../people/password.ts';

const world = await openWorld(t);
const { db } = world.database;

const issuesOf = (text: string, environment = {}) => {
  try {
    parseProvisionFile(text, environment, provisionFaults);
    return [];
  } catch (error) {
    if (error instanceof FileError) return error.issues;
    throw error;
  }
};

t.test('errors name path and line', async (t) => {
  const head = ['organizations:', '  - slug: acme', '    name: Acme'];
  const rows: [string, string[], { path: string; line: number; message: RegExp }][] = [
    ['no YAML', ['a: [1'], { path: '', line: 1, message: /flow/i }],
    [
      'unknown key',
      [...head, '    colour: blue'],
      { path: 'organizations[0]', line: 2, message: /unknown key colour/ },
    ],
    ['wrong word', [...head, '    plan: GOLD'], { path: 'organizations[0].plan', line: 4, message: /UNLIMITED/ }],
    [
      'bad slug',
      ['organizations:', '  - slug: Not A Slug', '    name: Acme'],
      { path: 'organizations[0].slug', line: 2, message: /slug/ },
    ],
    [
      'twice',
      [...head, '  - slug: acme', '    name: B'],
      { path: 'organizations', line: 2, message: /each organization slug must be unique/ },
    ],
    [
      'variable',
      [...head, '    apiKeys:', '      - { name: k, user: a@b.cc, key: "env:NONE" }'],
      { path: 'organizations[0].apiKeys[0].key', line: 5, message: /NONE is not set/ },
    ],
    [
      'nobody',
      [...head, '    apiKeys:', `      - { name: k, user: a@b.cc, key: crl_${'0'.repeat(32)} }`],
      { path: 'organizations[0].apiKeys[0].user', line: 5, message: /no user/ },
    ],
    [
      'half a worker',
      [...head, '    workers:', '      - name: w'],
      { path: 'organizations[0].workers[0]', line: 5, message: /joinToken or a publicKey/ },
    ],
    [
      'a join token with a line feed',
      [...head, '    workers:', '      - { name: w, joinToken: "a token for one worker\\n" }'],
      { path: 'organizations[0].workers[0].joinToken', line: 5, message: /white space/ },
    ],
    [
      'a password with a line feed',
      [...head, '    users:', '      - { email: a@b.cc, name: A, role: OWNER, password: "correct horse battery\\n" }'],
      { path: 'organizations[0].users[0].password', line: 5, message: /line feed/ },
    ],
    [
      'one person twice',
      [...head, '    users: [{ email: a@b.cc, name: A, role: OWNER }, { email: A@b.cc, name: B, role: OWNER }]'],
      { path: 'organizations[0].users', line: 4, message: /e-mail address must be unique/ },
    ],
  ];
  for (const [what, lines, expected] of rows) t.match(issuesOf(lines.join('\n'))[0], expected, what);

  const bad = callsTest(2);
  const [callers, callees] = bad.groups;
  const project = (test: object) =>
    stringify({ organizations: [{ slug: 'a', name: 'A', projects: [{ slug: 'p', name: 'P', tests: [test] }] }] });
  t.match(issuesOf(project({ ...bad, groups: [{ ...callers, registrar: 'nope' }, callees] })), [
    { path: 'organizations[0].projects[0].tests[0].groups[0].registrar', message: /no registrar/ },
  ]);
  t.match(issuesOf(project({ ...bad, groups: [{ ...callers, callee: { mode: 'GROUP', group: 'nope' } }, callees] })), [
    { path: /groups\[0\]\.callee/, message: /names no group/ },
  ]);
  t.match(
    issuesOf(
      project({
        ...bad,
        groups: [{ ...callers, subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 3 }] }, callees],
      }),
    ),
    [{ message: /3 callers for the 2 callees/ }],
  );
  t.match(
    issuesOf(project({ ...bad, groups: [{ ...callers, placement: { mode: 'WORKERS', workers: ['gone'] } }, callees] })),
    [{ path: /placement\.workers\[0\]/, message: /no worker/ }],
  );

  const registrar = (more: object) =>
    stringify({
      organizations: [
        {
          slug: 'a',
          name: 'A',
          projects: [
            {
              slug: 'p',
              name: 'P',
              registrars: [{ slug: 'r', name: 'R', uri: 'sip:pbx.example', ...more }],
              tests: [
                {
                  ...bad,
                  groups: [{ ...callers, callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@pbx.example:0' } }],
                },
              ],
            },
          ],
        },
      ],
    });
  const at = 'organizations[0].projects[0]';
  t.same(
    issuesOf(registrar({ uri: 'sip:pbx.example:99999', outboundProxyUri: 'sip:;lr' })).map((i) => i.path),
    [`${at}.registrars[0].uri`, `${at}.registrars[0].outboundProxyUri`, `${at}.tests[0].groups[0].callee.uri`],
    'what planning cannot read is refused here',
  );

  await t.test('several at once, and no secret among them', async (t) => {
    const text = [
      ...head,
      '    plan: GOLD',
      '    users:',
      '      - { email: a@b.cc, name: A, role: BOSS, password: "short pass" }',
    ].join('\n');
    const issues = issuesOf(text);
    t.equal(issues.length, 3);
    t.notMatch(JSON.stringify(issues), /short pass/);
  });
});

t.test('text may come from the environment', async (t) => {
  const text = 'organizations:\n  - { slug: "env:SLUG", name: Acme }';
  t.equal(parseProvisionFile(text, { SLUG: 'acme' }).organizations[0]?.slug, 'acme');
  t.same(parseProvisionFile('', {}), { organizations: [] }, 'an empty file is a file');
});

/** Every row that provisioning writes, without times. */
async function snapshot(): Promise<string> {
  const tables = [
    'organizations',
    'users',
    'memberships',
    'api_keys',
    'projects',
    'project_members',
    'registrars',
    'sip_accounts',
    'tests',
    'probes',
    'probe_thresholds',
    'webhooks',
    'workers',
    'join_tokens',
  ] as const;
  const all = [];
  for (const table of tables) {
    const rows = await db.selectFrom(table).selectAll().execute();
    all.push(...rows.map((row) => JSON.stringify({ table, ...row, updated_at: null, created_at: null })));
  }
  return all.sort().join('\n');
}

const full = () => {
  const file = acme();
  const organization = file.organizations[0] as (typeof file.organizations)[number];
  return {
    organizations: [
      {
        ...organization,
        prune: false,
        users: [{ email: 'Owner@acme.example', name: 'Owner', role: 'OWNER', password: 'correct horse battery' }],
        apiKeys: organization.apiKeys.map((k) => ({ ...k, user: 'Owner@acme.example' })),
        projects: [
          {
            slug: 'lab',
            name: 'Lab',
            registrars: [
              {
                slug: 'pbx',
                name: 'PBX',
                uri: 'sip:127.0.0.1:5070',
                sipAccounts: [
                  { username: '1001', password: 'a' },
                  { username: '1002', password: 'b' },
                ],
              },
            ],
            tests: [callsTest(3)],
            probes: [
              {
                slug: 'front',
                name: 'Front (local)',
                fixedIntervalSec: 300,
                test: {
                  registrar: 'pbx',
                  callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1:5070' },
                  placement: { mode: 'REGION', region: 'local' },
                },
                thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3.6 }],
              },
              {
                slug: 'back',
                name: 'Back',
                fixedIntervalSec: 900,
                parent: 'front',
                test: {
                  registrar: 'cloud',
                  callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1:5070' },
                  placement: { mode: 'WORKERS', workers: ['edge-1'] },
                },
              },
            ],
            webhooks: [
              { url: 'https://hooks.example/a', events: ['incident.opened'], secret: 'a secret of 24 characters' },
            ],
          },
        ],
      },
    ],
  };
};

t.test('applied twice it changes nothing; changed it changes the row', async (t) => {
  await world.provision(full());
  const first = await snapshot();
  await world.provision(full());
  t.equal(await snapshot(), first);
  const changed = full();
  const [organization] = changed.organizations;
  const project = organization?.projects[0];
  if (!organization || !project) return;
  organization.name = 'Acme Telecom Ltd';
  (project.tests[0] as { durationSeconds: number }).durationSeconds = 9;
  project.registrars[0]?.sipAccounts.pop();
  const groupsBefore = (await db.selectFrom('tests').select('config').executeTakeFirstOrThrow()).config.groups.map(
    (g) => g.id,
  );
  await world.provision(changed);
  const test = await db.selectFrom('tests').selectAll().executeTakeFirstOrThrow();
  t.equal(test.duration_seconds, 9);
  t.same(
    test.config.groups.map((g) => g.id),
    groupsBefore,
    'groups keep their ids',
  );
  t.equal((await db.selectFrom('organizations').select('name').executeTakeFirstOrThrow()).name, 'Acme Telecom Ltd');
  t.equal((await db.selectFrom('sip_accounts').selectAll().execute()).length, 2, 'what is not named stays');

  await t.test('unless it is to be pruned', async (t) => {
    organization.prune = true;
    project.webhooks = [];
    organization.workers.pop();
    await world.provision(changed);
    t.equal((await db.selectFrom('sip_accounts').selectAll().execute()).length, 1);
    t.equal((await db.selectFrom('webhooks').selectAll().execute()).length, 0);
    t.same(
      (await db.selectFrom('workers').select('name').execute()).map((w) => w.name),
      ['edge-1'],
    );
    t.equal(
      (await db.selectFrom('registrars').where('is_cloud', '=', true).selectAll().execute()).length,
      1,
      'the built-in registrar stays',
    );
  });

  await t.test('a probe that is deleted during an incident: recipients of the start are told of the end', async (t) => {
    const { id: probeId } = await db.selectFrom('probes').select('id').executeTakeFirstOrThrow();
    await insertIncident(db, {
      id: randomUUID(),
      probeId,
      severity: 'DOWN',
      startedAt: world.ports.now(),
      firstFailedAt: null,
      openedByRunId: randomUUID(),
      reason: 'It is down.',
      publicReason: null,
    });
    project.probes = [];
    await world.provision(changed);
    const told = await db.selectFrom('announcements').select(['kind', 'body']).execute();
    t.match(told, [{ kind: 'incident.resolved', body: { probeId } }]);
    t.equal((await db.selectFrom('probes').select('id').execute()).length, 0);
  });
});

t.test('passwords are hashed, join tokens spent for good', async (t) => {
  const { password_hash } = await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow();
  t.ok(await verifyPassword(new Secret('correct horse battery'), password_hash ?? ''));
  t.notOk(await verifyPassword(new Secret('wrong'), password_hash ?? ''));
  await new FakeAgent(world).greet(TOKENS[0]);
  await world.provision(full());
  await t.rejects(new FakeAgent(world).greet(TOKENS[0]), /JOIN_TOKEN_REFUSED/);
});

t.test('keys and workers may be renamed, swapped and revoked', async (t) => {
  const keys = ['a', 'b', 'c'].map((c) => `crl_${c.repeat(32)}`);
  const publicKeys = [1, 2, 3].map((n) => Buffer.alloc(32, n).toString('base64'));
  const file = (names: Record<string, number>, prune = false) => ({
    organizations: [
      {
        slug: 'names',
        name: 'Names',
        prune,
        users: [{ email: 'n@names.example', name: 'N', role: 'OWNER' }],
        apiKeys: Object.entries(names).map(([name, i]) => ({ name, user: 'n@names.example', key: keys[i] })),
        workers: Object.entries(names).map(([name, i]) => ({ name, publicKey: publicKeys[i] })),
      },
    ],
  });
  const holders = async () => {
    const rows = await db
      .selectFrom('api_keys as k')
      .innerJoin('organizations as o', 'o.id', 'k.organization_id')
      .where('o.slug', '=', 'names')
      .select(['k.name', 'k.last_four'])
      .execute();
    const workers = await db
      .selectFrom('workers as w')
      .innerJoin('organizations as o', 'o.id', 'w.organization_id')
      .where('o.slug', '=', 'names')
      .where('w.public_key', 'is not', null)
      .select(['w.id', 'w.name', 'w.public_key'])
      .execute();
    return {
      keys: Object.fromEntries(rows.map((r) => [r.name, 'abc'.indexOf(r.last_four[0] as string)])),
      workers: Object.fromEntries(workers.map((w) => [w.name, (w.public_key?.[0] ?? 0) - 1])),
      ids: Object.fromEntries(workers.map((w) => [w.name, w.id])),
    };
  };
  await world.provision(file({ one: 0, two: 1 }));
  const before = await holders();
  t.match(before, { keys: { one: 0, two: 1 }, workers: { one: 0, two: 1 } });
  const steps: [string, Record<string, number>, boolean][] = [
    ['renamed', { uno: 0, two: 1 }, false],
    ['swapped', { uno: 1, two: 0 }, false],
    ['one takes the other’s, which is gone', { uno: 0 }, true],
    ['renamed while pruning', { eins: 0 }, true],
    ['a new key under the old name, the old key under a new one', { eins: 2, zwei: 0 }, false],
  ];
  for (const [what, names, prune] of steps) {
    await world.provision(file(names, prune));
    const now = await holders();
    t.same([now.keys, now.workers], [names, names], what);
    if (what === 'renamed') t.equal(now.ids['uno'], before.ids['one'], 'the worker keeps its runs');
  }
  await t.test('a join token is the worker’s, whatever it is called', async (t) => {
    const named = (name: string) => ({
      organizations: [{ slug: 'tokens', name: 'T', workers: [{ name, joinToken: 'a token for one worker' }] }],
    });
    await world.provision(named('before'));
    const agent = new FakeAgent(world);
    await agent.greet('a token for one worker');
    await world.provision(named('after'));
    t.equal((await agent.greet()).name, 'after');
  });
  await t.test('duplicates in the file are named', async (t) => {
    const twice = file({ one: 0, two: 0 });
    const at = 'organizations[0]';
    const issues = issuesOf(stringify(twice));
    t.same(
      issues.map((i) => i.path),
      [`${at}.apiKeys[1].key`, `${at}.workers[1].publicKey`],
    );
    t.notMatch(JSON.stringify(issues), /crl_a/);
  });
  await t.test('a revoked key stays revoked', async (t) => {
    await db.updateTable('api_keys').set({ revoked_at: new Date() }).where('name', '=', 'eins').execute();
    const revokedAt = async () =>
      (await db.selectFrom('api_keys').where('name', '=', 'eins').select('revoked_at').executeTakeFirstOrThrow())
        .revoked_at;
    await world.provision(file({ eins: 2, zwei: 0 }));
    t.ok(await revokedAt());
    await world.provision(file({ eins: 1, zwei: 0 }));
    t.equal(await revokedAt(), null, 'another key is not');
  });
});

t.test('a worker that is pruned is out', async (t) => {
  const file = (names: string[]) => ({
    organizations: [
      {
        ...acme(2).organizations[0],
        slug: 'leavers',
        prune: true,
        users: [{ email: 'l@leavers.example', name: 'L', role: 'OWNER' }],
        apiKeys: [{ name: 'k', user: 'l@leavers.example', key: `crl_${'7'.repeat(32)}` }],
        workers: names.map((name) => ({ name, joinToken: `the join token of ${name}` })),
      },
    ],
  });
  await world.provision(file(['stays', 'leaves', 'unborn']));
  const agent = new FakeAgent(world);
  await agent.greet('the join token of leaves');
  const { runId } = await startRun(world, 'leavers');
  await world.work();
  t.equal(await statusOf(world, runId), 'QUEUED');
  t.same(await vouch(world.ports, [agent.connectionId]), []);
  await world.provision(file(['stays']));
  const row = await db.selectFrom('workers').where('id', '=', agent.workerId).selectAll().executeTakeFirstOrThrow();
  t.match(row, { status: 'OFFLINE', connection_id: null, public_key: null });
  t.same(await vouch(world.ports, [agent.connectionId]), [agent.connectionId], 'its session is to be dropped');
  await t.rejects(agent.greet(), /UNKNOWN_AGENT/);
  await t.rejects(new FakeAgent(world).greet('the join token of unborn'), /JOIN_TOKEN_REFUSED/);
  t.ok((await world.work()).includes('instances.lost'), 'its share is given up at once');
  t.equal(await statusOf(world, runId), 'CANNOT_RUN_FOR_NOW');
});

t.test('a member who is pruned has nothing left, and a key that its agent has changed stays changed', async (t) => {
  const was = Buffer.alloc(32, 41);
  const now = Buffer.alloc(32, 42);
  const file = (names: string[]) => ({
    organizations: [
      {
        slug: 'pruned',
        name: 'Pruned',
        prune: true,
        users: names.map((name) => ({ email: `${name}@pruned.example`, name, role: 'OWNER' })),
        apiKeys: [{ name: 'k', user: 'stays@pruned.example', key: `crl_${'6'.repeat(32)}` }],
        workers: [{ name: 'w', publicKey: was.toString('base64') }],
      },
    ],
  });
  await world.provision(file(['stays', 'goes']));
  const user = await db
    .selectFrom('users')
    .where('email', '=', 'goes@pruned.example')
    .selectAll()
    .executeTakeFirstOrThrow();
  const { id: organization_id } = await db
    .selectFrom('organizations')
    .where('slug', '=', 'pruned')
    .select('id')
    .executeTakeFirstOrThrow();
  const at = new Date();
  const later = new Date(Date.now() + 60_000);
  const id = randomUUID();
  const row = { id, organization_id, created_at: at, expires_at: later };
  await db
    .insertInto('sessions')
    .values({ ...row, hash: was, user_id: user.id, last_seen_at: at, proved_at: at, address: '', user_agent: '' })
    .execute();
  await db
    .insertInto('invitations')
    .values({ ...row, hash: was, email: 'friend@pruned.example', role: 'OWNER', invited_by: user.id })
    .execute();
  const worker = await db
    .selectFrom('workers')
    .where('organization_id', '=', organization_id)
    .selectAll()
    .executeTakeFirstOrThrow();
  t.equal(await changeKey(world.ports, { workerId: worker.id, from: was, to: now }, { address: '' }), null);
  await world.provision(file(['stays']));
  const counts = async (table: 'sessions' | 'invitations' | 'memberships' | 'api_keys') =>
    (await db.selectFrom(table).where('organization_id', '=', organization_id).selectAll().execute()).length;
  t.same(
    [await counts('memberships'), await counts('api_keys'), await counts('sessions'), await counts('invitations')],
    [1, 1, 0, 0],
    'neither a session nor an invitation restores the membership',
  );
  const after = await db.selectFrom('workers').where('id', '=', worker.id).selectAll().executeTakeFirstOrThrow();
  t.same(after.public_key, now, 'the file does not lock the agent out');
});

t.test('build-up is whole seconds', async (t) => {
  const [organization] = full().organizations;
  const project = { ...organization?.projects[0], tests: [{ ...callsTest(1), buildup: 1.5 }] };
  const issues = issuesOf(stringify({ organizations: [{ ...organization, projects: [project] }] }));
  t.match(issues[0], { path: 'organizations[0].projects[0].tests[0].buildup' });
});

t.test("a plan's probes are a file's, too", async (t) => {
  const withProbes = (plan: string, ...probes: string[]) => ({
    organizations: [
      {
        slug: 'small',
        name: 'Small',
        plan,
        prune: probes.length === 0,
        projects: [{ slug: 'lab', name: 'Lab', probes: probes.map((slug) => callProbe(slug, slug)) }],
      },
    ],
  });
  const present = async () =>
    (
      await db
        .selectFrom('probes as b')
        .innerJoin('projects as p', 'p.id', 'b.project_id')
        .innerJoin('organizations as o', 'o.id', 'p.organization_id')
        .where('o.slug', '=', 'small')
        .select('b.slug')
        .orderBy('b.slug')
        .execute()
    ).map((b) => b.slug);
  const refused = async (file: object, message: RegExp) => {
    const before = await present();
    const error = await world.provision(file).then(
      () => null,
      (e: Error) => e,
    );
    if (!(error instanceof NotApplicable)) throw error ?? new Error('it was applied');
    const [fault] = inFile(stringify(file), 'provision.yaml', error).issues;
    t.match(fault, { path: 'organizations[0].plan', line: 4, message });
    t.same(await present(), before, 'nothing of it is applied');
  };
  await refused(
    withProbes('FREE', 'a', 'b'),
    /^the plan FREE includes 1 probe; .* would have 2\. Remove some, or .* STARTER/,
  );
  await world.provision(withProbes('FREE', 'a'));
  await refused(withProbes('FREE', 'b'), /would have 2, 1 of them before it/);
  await world.provision(withProbes('STARTER', 'a', 'b'));
  await world.provision(withProbes('FREE', 'a', 'b'));
  t.same(await present(), ['a', 'b'], 'what is there stays, under a smaller plan as well');
  await refused(withProbes('FREE', 'c'), /would have 3, 2 of them before it/);
  await world.provision(withProbes('FREE'));
  await world.provision(withProbes('FREE', 'c'));
  t.same(await present(), ['c'], 'once they are pruned there is room');
});
