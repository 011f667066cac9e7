/** Writing configuration at the same time, and from an old version. */
import t from 'tap';
import { DEFAULT_PLANS } from '../../contract/people/plans.ts';
import { type ApiReply, acmeFile, callsBody, FOREIGN, probeBody, wavBase64 } from '../../testing/api.ts';
import { callProbe, callsTest } from '../../testing/world.ts';
import { openWrites, UNHURRIED } from '../../testing/writes.ts';

const { api, db, lab, fresh, make, registrar, test } = await openWrites(t);
const { ask, world, projectId, cloudId } = api;
Object.assign(world.ports.settings, { plans: UNHURRIED });
let n = 0;

const statuses = (replies: readonly ApiReply[]) => replies.map((r) => r.status).sort();
const matching = (version: string) => ({ headers: { 'if-match': version } });

t.test('a change of an unseen version is refused', async (t) => {
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
  const plans = { ...UNHURRIED, PRO: { ...DEFAULT_PLANS.PRO, requestsPerMinute: 10_000, probes: have + 3 } };
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
