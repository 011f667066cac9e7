/** Writing configuration twice, concurrently, from an old version, at random; and the effects on a run. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { CATALOGUE, type OperationName, type OperationRow, otherParameters } from '../../contract/catalogue.ts';
import { CONFIGURATION } from '../../contract/configuration.ts';
import { DEFAULT_PLANS } from '../../contract/people/plans.ts';
import { mediaChecksums } from '../../store/project/media-files.ts';
import { acmeFile, callsBody, EDITOR, FOREIGN, openApi, probeBody, type Reply, wavBase64 } from '../../testing/api.ts';
import { allDone, allocationFacts, callProbe, callsTest, FakeAgent, isAllocate, TOKENS } from '../../testing/world.ts';
import { readRecording } from '../agents/recordings.ts';
import { retain } from '../retain.ts';
import { validateRun } from '../run/validate.ts';

const api = await openApi(t);
const { ask, world, projectId, cloudId } = api;
const { db } = world.database;
const lab = `/projects/${projectId}`;
const unhurried = { ...DEFAULT_PLANS, UNLIMITED: { ...DEFAULT_PLANS.UNLIMITED, requestsPerMinute: 1_000_000 } };
Object.assign(world.ports.settings, { plans: unhurried });

let n = 0;
const fresh = (what: string) => `${what} ${++n}`;
const make = async (where: string, body: object): Promise<string> => {
  const made = await ask('POST', where, body);
  if (made.status !== 201) throw new Error(`${where}: ${made.text}`);
  return `${where}/${made.data.id}`;
};
const registrar = () => ({ name: fresh('PBX'), uri: 'sip:127.0.0.1:5070' });
const test = (more: object = {}) => callsBody(cloudId, 1, { name: fresh('Calls'), ...more });
/** A test that calls a server, and no agents. */
const outwards = async () => {
  const registrarId = (await make(`${lab}/registrars`, registrar())).split('/').at(-1) as string;
  const body = callsBody(registrarId, 1, { name: fresh('Calls') });
  return { ...body, groups: [{ ...body.groups[0], callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1' } }] };
};
const statuses = (replies: readonly Reply[]) => replies.map((r) => r.status).sort();
const under = (key: string) => ({ headers: { 'idempotency-key': key } });
const matching = (version: string) => ({ headers: { 'if-match': version } });

/** Each POST that creates an object, and the table where it is one row. */
const CREATIONS: [
  string,
  () => object | undefined,
  (
    | 'projects'
    | 'registrars'
    | 'sip_accounts'
    | 'tests'
    | 'probes'
    | 'webhooks'
    | 'media_files'
    | 'probe_instances'
    | 'maintenance_windows'
    | 'test_runs'
    | 'capacity_searches'
  ),
][] = [
  ['/projects', () => ({ name: fresh('Project') }), 'projects'],
  [`${lab}/registrars`, registrar, 'registrars'],
  [
    `${await make(`${lab}/registrars`, registrar())}/sip-accounts`,
    () => ({ sipAccounts: [{ username: fresh('u').replace(' ', ''), password: 'p' }] }),
    'sip_accounts',
  ],
  [`${lab}/tests`, test, 'tests'],
  [`${lab}/probes`, () => probeBody(cloudId, { name: fresh('Door') }), 'probes'],
  [`${lab}/media-files`, () => ({ name: fresh('greeting'), content: wavBase64() }), 'media_files'],
  [`${lab}/webhooks`, () => ({ url: `https://hooks.example/${++n}`, events: ['incident.opened'] }), 'webhooks'],
  [
    `${lab}/maintenance-windows`,
    () => ({ note: fresh('Upgrade'), startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T01:00:00Z' }),
    'maintenance_windows',
  ],
  [`${await make(`${lab}/probes`, probeBody(cloudId))}/run`, () => undefined, 'probe_instances'],
  [`${await make(`${lab}/registrars`, registrar())}/check`, () => ({ region: `r-${++n}` }), 'test_runs'],
  [`${await make(`${lab}/tests`, await outwards())}/check`, () => undefined, 'test_runs'],
  [
    `${await make(`${lab}/tests`, callsBody(cloudId))}/capacity-searches`,
    () => ({ trialSeconds: 10 + ++n }),
    'capacity_searches',
  ],
  [`${await make(`${lab}/tests`, callsBody(cloudId))}/run`, () => ({ labels: { n: String(++n) } }), 'test_runs'],
  [
    `${lab}/test-runs/${(await ask('POST', `${await make(`${lab}/tests`, callsBody(cloudId))}/run`)).data.id}/replay`,
    () => ({ labels: { n: String(++n) } }),
    'test_runs',
  ],
];

const rowsOf = async (table: (typeof CREATIONS)[number][2]): Promise<number> =>
  Number((await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);

t.test('a request with one Idempotency-Key happens once', async (t) => {
  t.same(
    CREATIONS.length,
    Object.values(CATALOGUE as Record<string, OperationRow>).filter((row) => row.once).length,
    'every row that makes something',
  );
  for (const [where, bodyOf, table] of CREATIONS) {
    const key = fresh('key');
    const body = bodyOf();
    const before = await rowsOf(table);
    const many = await Promise.all(Array.from({ length: 5 }, () => ask('POST', where, body, under(key))));
    t.same(statuses(many), [201, 201, 201, 201, 201], `${where}: ${many.map((m) => m.message)}`);
    t.equal(await rowsOf(table), before + 1, `${where}: one row`);
    const again = await ask('POST', where, body, under(key));
    for (const reply of [...many, again]) t.same(reply.data, many[0]?.data, 'the first answer');
    t.equal(again.etag, many[0]?.etag);
    const reordered = body && Object.fromEntries(Object.entries(body).reverse());
    t.same((await ask('POST', where, reordered, under(key))).data, again.data, 'the same body, however it is written');
    const other = bodyOf();
    if (other) {
      const refused = await ask('POST', where, other, under(key));
      t.match(refused, { status: 422, message: /another request/, paths: ['Idempotency-Key'] });
    }
    t.equal(await rowsOf(table), before + 1);
  }
});

t.test("a webhook's secret is kept in its own row alone, and a repetition reads it there", async (t) => {
  const where = `${lab}/webhooks`;
  const secret = 'whsec_c29tZWJvZHkgbWFkZSB0aGlzIHVwIGZvciBhIHRlc3Q=';
  const bodies = [secret, undefined].map((given) => ({
    url: `https://hooks.example/${++n}`,
    events: ['incident.opened'],
    ...(given && { secret: given }),
  }));
  for (const body of bodies) {
    const key = under(fresh('key'));
    const made = await ask('POST', where, body, key);
    t.match(made.data, { secret: /^whsec_/ });
    const kept = await db.selectFrom('idempotency_keys').selectAll().execute();
    t.ok(kept.some((row) => JSON.stringify(row.answer).includes(made.data.id)));
    t.notMatch(JSON.stringify(kept), made.data.secret);
    t.same((await ask('POST', where, body, key)).data, made.data, 'who did not hear it is told all the same');
    const url = `${where}/${made.data.id}`;
    await ask('POST', `${url}/rotate-secret`);
    t.same((await ask('POST', where, body, key)).data, { ...made.data, secret: null }, 'not once it was replaced');
    await ask('DELETE', url);
    t.same((await ask('POST', where, body, key)).data, { ...made.data, secret: null }, 'nor once it is gone');
  }
});

t.test('whose key it is, and how long', async (t) => {
  const body = registrar();
  const where = `${lab}/registrars`;
  const first = await ask('POST', where, body, under('mine'));
  const other = await ask('POST', where, body, { ...under('mine'), key: EDITOR.key });
  t.equal(other.status, 201, 'another API key has its own');
  t.not(other.data.id, first.data.id);
  t.match(
    await ask('POST', `${lab}/tests`, test(), under('mine')),
    { status: 422 },
    'another operation is another request',
  );

  const broken = { ...body, uri: 'sip:;lr' };
  t.equal((await ask('POST', where, broken, under('second'))).status, 422);
  t.equal((await ask('POST', where, body, under('second'))).status, 201, 'what was refused did not use the key up');

  world.pass(86_399);
  t.equal((await ask('POST', where, body, under('mine'))).data.id, first.data.id, 'a day less a second later');
  world.pass(2);
  t.not((await ask('POST', where, body, under('mine'))).data.id, first.data.id, 'a day later it is new');
  world.pass(86_401);
  await retain(world.ports);
  const left = await db.selectFrom('idempotency_keys').select('key').execute();
  t.same(left, [], 'and then it is forgotten');
});

t.test('who changes what he has not seen is refused', async (t) => {
  const urls = [
    await make('/projects', { name: fresh('Project') }),
    await make(`${lab}/registrars`, registrar()),
    await make(`${lab}/tests`, test()),
    await make(`${lab}/probes`, probeBody(cloudId)),
    await make(`${lab}/webhooks`, { url: `https://hooks.example/${++n}`, events: ['incident.opened'] }),
  ];
  for (const url of urls) {
    const isWebhook = url.includes('webhooks');
    const change = () => (isWebhook ? { secret: fresh('a secret that is long enough') } : { name: fresh('Name') });
    const { etag, data } = await ask('GET', url);
    t.equal(etag, '"1"', url);
    t.equal(data.version, 1);
    const race = await Promise.all(Array.from({ length: 8 }, () => ask('PATCH', url, change(), matching('"1"'))));
    t.same(statuses(race), [200, ...Array(7).fill(412)], 'of eight at once exactly one passes');
    t.ok(race.every((r) => r.status === 200 || /version is 2/.test(r.message)));
    t.equal((await ask('GET', url)).etag, '"2"');
    const blind = await Promise.all(Array.from({ length: 4 }, () => ask('PATCH', url, change())));
    t.same(statuses(blind), [200, 200, 200, 200], 'without If-Match the last one wins');
    t.equal((await ask('GET', url)).etag, '"6"', 'and each counts');
    t.equal((await ask('PATCH', url, change(), matching('*'))).status, 200);
    t.equal((await ask('PATCH', url, change(), matching('"5", "7"'))).status, 200, 'one of several');
    t.equal((await ask('PATCH', url, change(), matching('W/"8"'))).status, 412, 'weakly is not enough');
    for (const wrong of ['8', '"8', 'a b', '', ',']) {
      t.match(await ask('PATCH', url, change(), matching(wrong)), { status: 422, paths: ['If-Match'] }, wrong);
    }
    t.equal((await ask('DELETE', url, undefined, matching('"7"'))).status, 412);
    const gone = await Promise.all([1, 2, 3].map(() => ask('DELETE', url, undefined, matching('"8"'))));
    t.same(statuses(gone), [200, 404, 404], 'of three deletions one');
  }
});

t.test('provisioning counts a version where something changed', async (t) => {
  const file = (
    more: { name?: string; uri?: string; seconds?: number; green?: number; parent?: string; events?: string[] } = {},
  ) =>
    acmeFile({
      name: more.name ?? 'Lab',
      registrars: [{ slug: 'pbx', name: 'PBX', uri: more.uri ?? 'sip:127.0.0.1:5070' }],
      tests: [{ ...callsTest(1, 'versions'), durationSeconds: more.seconds ?? 5 }],
      probes: [
        callProbe('parent', 'Parent'),
        callProbe('child', 'Child', {
          parent: more.parent ?? null,
          thresholds: [{ metricKey: 'avgMos', greenValue: more.green ?? 4, orangeValue: 3 }],
        }),
      ],
      webhooks: [
        {
          url: 'https://hooks.example/v',
          events: more.events ?? ['incident.opened'],
          secret: 'a secret of 24 characters',
        },
      ],
    });
  const of = async (table: 'registrars' | 'tests' | 'probes', slug: string) =>
    await db
      .selectFrom(table)
      .where('project_id', '=', projectId)
      .where('slug', '=', slug)
      .select(['version', 'updated_at'])
      .executeTakeFirstOrThrow();
  const state = async () => {
    const project = await db
      .selectFrom('projects')
      .where('id', '=', projectId)
      .select(['version', 'updated_at'])
      .executeTakeFirstOrThrow();
    const webhook = await db
      .selectFrom('webhooks')
      .where('url', '=', 'https://hooks.example/v')
      .select(['version', 'updated_at'])
      .executeTakeFirstOrThrow();
    const rows = [
      project,
      await of('registrars', 'pbx'),
      await of('tests', 'versions'),
      await of('probes', 'child'),
      webhook,
    ];
    return { versions: rows.map((r) => r.version), times: rows.map((r) => r.updated_at.getTime()) };
  };
  await world.provision(file());
  const first = await state();
  await world.provision(file());
  t.same(await state(), first, 'nothing changed');
  const steps: [string, Parameters<typeof file>[0], number][] = [
    ['project', { name: 'Laboratory' }, 0],
    ['registrar', { uri: 'sip:127.0.0.1:5071' }, 1],
    ['test', { seconds: 6 }, 2],
    ['a threshold of a probe', { green: 4.2 }, 3],
    ['the parent of a probe', { parent: 'parent' }, 3],
    ['webhook', { events: ['incident.resolved'] }, 4],
  ];
  for (const [what, more, index] of steps) {
    await world.provision(file());
    const before = await state();
    await world.provision(file(more));
    const { versions } = await state();
    t.same(
      versions,
      before.versions.map((v, i) => (i === index ? v + 1 : v)),
      what,
    );
  }
  const testUrl = `${lab}/tests/${(await db.selectFrom('tests').where('slug', '=', 'versions').where('project_id', '=', projectId).select('id').executeTakeFirstOrThrow()).id}`;
  const { etag = '' } = await ask('GET', testUrl);
  await world.provision(file({ seconds: 7 }));
  t.equal(
    (await ask('PATCH', testUrl, { buildup: 1 }, matching(etag))).status,
    412,
    'the file counts as another author',
  );
});

t.test('what is named cannot vanish meanwhile', async (t) => {
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 20; round++) {
    const url = await make(`${lab}/registrars`, registrar());
    const id = url.split('/').at(-1) as string;
    const accounts = await ask('POST', `${url}/sip-accounts`, { sipAccounts: [{ username: '1', password: '1' }] });
    const sipAccountIds = [accounts.data.sipAccounts[0].id];
    const body = callsBody(id, 1, { name: fresh('Race') });
    const [callers, callees] = body.groups;
    const groups = [
      callers,
      { ...callees, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 1, sipAccountIds }] },
    ];
    const [made, probed, gone, account] = await Promise.all([
      ask('POST', `${lab}/tests`, { ...body, groups }),
      ask('POST', `${lab}/probes`, probeBody(id, { name: fresh('Race') })),
      ...(round % 2 === 0
        ? [ask('DELETE', url), undefined]
        : [undefined, ask('DELETE', `${url}/sip-accounts/${sipAccountIds[0]}`)]),
    ]);
    const there = (await ask('GET', url)).status === 200;
    const accountThere = there && (await ask('GET', url)).data.sipAccountCount === 1;
    if (made.status === 201) t.ok(there && accountThere, 'the test has all that it names');
    else t.match(made, { status: 422, paths: [/registrarId|sipAccountIds/] }, made.text);
    if (probed.status === 201) t.ok(there);
    else t.match(probed, { status: 422, paths: [/test\.registrarId/] }, probed.text);
    const deleted = gone ?? account;
    const key = `test ${made.status}, probe ${probed.status}, deletion ${deleted?.status}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    t.ok(deleted?.status === 200 || deleted?.status === 409, `deletion ${deleted?.text}`);
  }
  t.comment(JSON.stringify([...outcomes]));
});

t.test('one slug, one URL, one name for many at once', async (t) => {
  const same = { name: 'At once', uri: 'sip:a.example' };
  const made = await Promise.all(Array.from({ length: 6 }, () => ask('POST', `${lab}/registrars`, same)));
  t.same(statuses(made), Array(6).fill(201));
  t.same(made.map((m) => m.data.slug).sort(), [
    'at-once',
    'at-once-2',
    'at-once-3',
    'at-once-4',
    'at-once-5',
    'at-once-6',
  ]);
  const given = await Promise.all(
    Array.from({ length: 4 }, () => ask('POST', `${lab}/registrars`, { ...same, slug: 'given' })),
  );
  t.same(statuses(given), [201, 409, 409, 409]);
  const hook = { url: 'https://hooks.example/at-once', events: ['incident.opened'] };
  const hooks = await Promise.all(Array.from({ length: 4 }, () => ask('POST', `${lab}/webhooks`, hook)));
  t.same(statuses(hooks), [201, 409, 409, 409]);
  const file = { name: 'at once', content: wavBase64() };
  const files = await Promise.all(Array.from({ length: 4 }, () => ask('POST', `${lab}/media-files`, file)));
  t.same(statuses(files), [201, 409, 409, 409]);
  const sipAccounts = Array.from({ length: 500 }, (_, i) => ({ username: `u${i}`, password: 'p' }));
  const [url] = made.map((m) => `${lab}/registrars/${m.data.id}`);
  const bulk = await Promise.all(
    [sipAccounts, sipAccounts.toReversed()].map((a) => ask('POST', `${url}/sip-accounts`, { sipAccounts: a })),
  );
  t.same(statuses(bulk), [201, 409], 'all of one, none of the other');
  t.equal((await ask('GET', url as string)).data.sipAccountCount, 500);
});

t.test('no more probes than the plan has', async (t) => {
  const organization = await db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select('organization_id as id')
    .executeTakeFirstOrThrow();
  const onPlan = (plan: 'PRO' | 'UNLIMITED') =>
    db.updateTable('organizations').set({ plan }).where('id', '=', organization.id).execute();
  const have = Number(
    (
      await db
        .selectFrom('probes')
        .where('project_id', '=', projectId)
        .select(db.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );
  const plans = { ...unhurried, PRO: { ...DEFAULT_PLANS.PRO, requestsPerMinute: 10_000, probes: have + 3 } };
  Object.assign(world.ports.settings, { plans });
  await onPlan('PRO');
  const made = await Promise.all(
    Array.from({ length: 8 }, () => ask('POST', `${lab}/probes`, probeBody(cloudId, { name: fresh('Door') }))),
  );
  t.same(statuses(made), [201, 201, 201, ...Array(5).fill(403)]);
  const refused = made.find((m) => m.status === 403);
  t.match(refused, {
    code: 'FORBIDDEN',
    message: new RegExp(`plan PRO includes ${have + 3} probes; the organization has ${have + 3}\\. .*BUSINESS`),
  });
  const there = made.find((m) => m.status === 201)?.data.id;
  t.equal((await ask('PATCH', `${lab}/probes/${there}`, { enabled: false })).status, 200, 'changing one is no new one');
  t.equal((await ask('DELETE', `${lab}/probes/${there}`)).status, 200);
  t.equal((await ask('POST', `${lab}/probes`, probeBody(cloudId))).status, 201);
  t.equal((await ask('GET', '/projects', undefined, { key: FOREIGN.key })).status, 200);
  await onPlan('UNLIMITED');
});

t.test('a test that was made over the API runs', async (t) => {
  const home = await make('/projects', { name: 'Runs' });
  const [registrarRow] = (await ask('GET', `${home}/registrars`)).data;
  t.match(registrarRow, { slug: 'cloud', isCloud: true }, 'a new project has the built-in registrar');
  const testUrl = await make(`${home}/tests`, callsBody(registrarRow.id, 3));
  const agents = [new FakeAgent(world), new FakeAgent(world)];
  for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
  const started = await ask('POST', `${testUrl}/run`);
  t.equal(started.status, 201, started.message);
  await world.work();
  const orders = (await Promise.all(agents.map((a) => a.orders()))).map((all) =>
    all.filter(isAllocate).filter((o) => o.runId === started.data.id),
  );
  t.equal(
    orders.flat().reduce((sum, o) => sum + o.endpoints.number.length, 0),
    6,
    'every endpoint is planned',
  );
  const runUrl = `${home}/test-runs/${started.data.id}`;
  t.equal((await ask('GET', runUrl)).data.status, 'QUEUED');

  t.match(await ask('DELETE', home), { status: 409, code: 'CONFLICT', message: /1 of its test runs is open/ });
  t.equal((await ask('DELETE', testUrl)).status, 200, 'the run has its own copy of the test');
  for (const [i, agent] of agents.entries()) {
    await agent.send({
      allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
    });
  }
  for (const [i, agent] of agents.entries()) await agent.send(allDone(orders[i] ?? []));
  await world.work();
  t.match((await ask('GET', runUrl)).data, { status: 'COMPLETED', testName: 'Calls', callTiming: { totalCalls: 3 } });

  const recordings = async (when: 'checked' | 'handed out') => {
    const mediaFileId = (await make(`${home}/media-files`, { name: 'x', content: wavBase64() })).split('/').at(-1);
    const body = callsBody(registrarRow.id, 1);
    const groups = body.groups.map((g) => ({ ...g, mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId }] }));
    const made = await ask('POST', `${home}/tests`, { ...body, groups });
    t.same(made.data.media, [{ kind: 'AUDIO', source: 'FILE' }]);
    const run = await ask('POST', `${home}/tests/${made.data.id}/run`);
    if (when === 'handed out') await validateRun(world.ports, run.data.id);
    t.equal((await ask('DELETE', `${home}/tests/${made.data.id}`)).status, 200);
    t.equal((await ask('DELETE', `${home}/media-files/${mediaFileId}`)).status, 200);
    await world.work();
    const ended = (await ask('GET', `${home}/test-runs/${run.data.id}`)).data;
    t.match(ended, {
      status: 'CANNOT_RUN_FOR_NOW',
      error: { code: 'MEDIA_MISSING', message: /media file .* is gone/ },
    });
  };
  await t.test('one whose recording is gone by the time it is checked says so', () => recordings('checked'));
  await t.test('and one whose recording goes before it is handed out', () => recordings('handed out'));

  await t.test('an agent is sent what its runs play, and nothing else of their project', async (t) => {
    const store = async (name: string, ms: number) => {
      const content = wavBase64(ms);
      const id = (await make(`${home}/media-files`, { name, content })).split('/').at(-1) as string;
      const [sha256] = (await mediaChecksums(world.database.db, home.split('/').at(-1) as string, [id])).values();
      return { id, sha256: Buffer.from(sha256 as string, 'hex') };
    };
    const played = await store('played', 100);
    const other = await store('other', 200);
    const body = callsBody(registrarRow.id, 1);
    const groups = body.groups.map((g) => ({
      ...g,
      mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId: played.id }],
    }));
    const made = await ask('POST', `${home}/tests`, { ...body, groups });
    const run = await ask('POST', `${home}/tests/${made.data.id}/run`);
    await world.work();
    const bearers = await Promise.all(
      agents.map(async (agent) => ({ agent, orders: (await agent.orders()).filter(isAllocate) })),
    );
    for (const { agent, orders } of bearers) {
      const mine = orders.some((order) => order.runId === run.data.id);
      t.equal((await readRecording(world.ports, agent.workerId, played.sha256, 0)) !== null, mine);
      t.equal(await readRecording(world.ports, agent.workerId, other.sha256, 0), null);
    }
    t.ok(bearers.some(({ orders }) => orders.length > 0));
    for (const { agent, orders } of bearers)
      await agent.send({
        allocations: orders.map((o) => allocationFacts(o.allocationId, { state: 'REFUSED', reason: 'enough' })),
      });
    t.equal((await ask('DELETE', `${home}/tests/${made.data.id}`)).status, 200);
    for (const { id } of [played, other]) t.equal((await ask('DELETE', `${home}/media-files/${id}`)).status, 200);
  });

  await t.test('a project goes with all that is in it', async (t) => {
    const id = home.split('/').at(-1) as string;
    const testLeft = await make(`${home}/tests`, callsBody(registrarRow.id, 1));
    const [gone, late] = await Promise.all([ask('DELETE', home), sleep(3).then(() => ask('POST', `${testLeft}/run`))]);
    if (gone.status === 409) {
      t.equal(late.status, 201, 'the run was first');
      await ask('POST', `${home}/test-runs/${late.data.id}/cancel`);
      await world.work();
      t.equal((await ask('DELETE', home)).status, 200);
    } else {
      t.equal(gone.status, 200);
      t.equal(late.status, 404);
    }
    for (const url of [home, runUrl, `${home}/tests`]) t.equal((await ask('GET', url)).status, 404, url);
    t.notOk((await ask('GET', '/projects?per_page=100')).data.some((p: { id: string }) => p.id === id));
    t.equal((await ask('POST', '/projects', { name: 'Runs' })).data.slug, 'runs', 'its slug is free');
    for (const table of ['tests', 'probes', 'registrars', 'media_files', 'webhooks'] as const) {
      t.same(await db.selectFrom(table).where('project_id', '=', id).select('id').execute(), [], table);
    }
    t.ok((await db.selectFrom('test_runs').where('project_id', '=', id).select('id').execute()).length > 0);
    await retain(world.ports);
    for (const { run_id } of await db.selectFrom('streams').select('run_id').execute()) t.not(run_id, started.data.id);
    t.same(await db.selectFrom('test_runs').where('project_id', '=', id).select('id').execute(), []);
    t.same(await db.selectFrom('run_events').where('run_id', '=', started.data.id).select('run_id').execute(), []);
    t.same(await db.selectFrom('projects').where('id', '=', id).select('id').execute(), [], 'retention takes the rest');
  });
});

t.test('bodies at random never get a 500', async (t) => {
  const names = Object.keys(CONFIGURATION) as (keyof typeof CONFIGURATION)[];
  const testUrl = await make(`${lab}/tests`, test());
  const probeUrl = await make(`${lab}/probes`, probeBody(cloudId));
  const registrarUrl = await make(`${lab}/registrars`, registrar());
  const own: Record<string, string> = {
    projectId,
    testId: testUrl.split('/').at(-1) ?? '',
    probeId: probeUrl.split('/').at(-1) ?? '',
    registrarId: registrarUrl.split('/').at(-1) ?? '',
  };
  /** Valid in every field, by name. */
  const good: Record<string, unknown> = {
    ...registrar(),
    ...test(),
    ...probeBody(cloudId),
    slug: undefined,
    url: 'https://hooks.example/random',
    events: ['incident.opened'],
    content: wavBase64(),
    username: 'u',
    password: 'p',
    sipAccounts: [{ username: 'u', password: 'p' }],
  };
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '\u0000',
      '\ud800',
      '01900000-0000-7000-8000-000000000000',
      cloudId,
      2 ** 31,
      -1,
      1e308,
      '__proto__',
    ),
  );
  const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  /** Changes one value, at any depth. */
  const spoiled = (value: unknown): fc.Arbitrary<unknown> =>
    value !== null && typeof value === 'object' && Object.keys(value).length > 0
      ? fc.oneof(
          { weight: 1, arbitrary: odd },
          {
            weight: 4,
            arbitrary: fc
              .constantFrom(...Object.keys(value))
              .chain((key) =>
                spoiled((value as Record<string, unknown>)[key]).map((inner) =>
                  Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner },
                ),
              ),
          },
        )
      : odd;
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names).chain((name) => {
        const row: OperationRow = CATALOGUE[name as OperationName];
        const body = Object.fromEntries(
          otherParameters(row).flatMap((key) => (good[key] === undefined ? [] : [[key, good[key]]])),
        );
        return fc.record({
          row: fc.constant(row),
          body: fc.oneof(spoiled(body), fc.constant(body)),
          id: fc.oneof(odd.map(written), fc.constant(null)),
        });
      }),
      async ({ row, body, id }) => {
        const destroys = row.method === 'DELETE' || row.path === '/projects/{projectId}';
        const url = row.path.replace(/\{(\w+)\}/g, (_, key: string) => {
          const value = key === 'projectId' || id === null ? (own[key] ?? 'x') : id;
          return encodeURIComponent(value.toWellFormed().replaceAll('.', '') || 'x');
        });
        const reply = await ask(
          row.method,
          url,
          row.method === 'GET' ? undefined : body,
          destroys ? matching('"0"') : {},
        );
        seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
        return reply.status < 500;
      },
    ),
    { numRuns: 1500 },
  );
  t.comment(JSON.stringify([...seen].sort()));
  t.ok((seen.get(201) ?? 0) > 0 && (seen.get(422) ?? 0) > 0 && (seen.get(404) ?? 0) > 0);
});
