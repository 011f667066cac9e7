/** The provisioning file: what is wrong is named by path and line, what is right is applied once. */
import t from 'tap';
import { stringify } from 'yaml';
import { ProvisionFileError, parseProvisionFile } from '../contract/provision-file.ts';
import { provisionFaults } from '../domain/provision.ts';
import { verifyPassword } from '../operations/provision/password.ts';
import { acme, callsTest, FakeAgent, openWorld, TOKENS } from './world.ts';

const world = await openWorld(t);
const { db } = world.database;

const issuesOf = (text: string, environment = {}) => {
  try {
    parseProvisionFile(text, environment, provisionFaults);
    return [];
  } catch (error) {
    if (error instanceof ProvisionFileError) return error.issues;
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
      { path: 'organizations', line: 2, message: /organization slug may stand once/ },
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
});

t.test('passwords are hashed, join tokens spent for good', async (t) => {
  const { password_hash } = await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow();
  t.ok(await verifyPassword('correct horse battery', password_hash ?? ''));
  t.notOk(await verifyPassword('wrong', password_hash ?? ''));
  await new FakeAgent(world).greet(TOKENS[0]);
  await world.provision(full());
  await t.rejects(new FakeAgent(world).greet(TOKENS[0]), /JOIN_TOKEN_REFUSED/);
});
