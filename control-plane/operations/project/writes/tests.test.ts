/** Tests over the API: the same as by the file and by the form; groups, slugs. */
import t from 'tap';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { filledBy, TEST_TEMPLATES } from '../../../dashboard/show/test-form/drafts/templates.ts';
import { bodyOf, type Draft, draftOf, EMPTY } from '../../../dashboard/show/test-form/drafts/test-draft.ts';
import { readTest, yamlOf } from '../../../dashboard/show/test-form/test-yaml.ts';
import { asTest, type Names, TEST_DEFAULTS } from '../../../dashboard/show/test-form/written-test.ts';
import { FEATURE_TEST_DATA } from '../../../feature-sums/testing.ts';
import { acmeFile, callsBody } from '../../../testing/api.ts';
import { callProbe, callsTest } from '../../../testing/world.ts';
import { openWrites } from '../../../testing/writes.ts';

const { api, db, lab, make, registrar, newRegistrar, idOf, media, test } = await openWrites(t);
const { ask, world, projectId, cloudId, workerIds } = api;

t.test('a test is the same, made by the API or by the file', async (t) => {
  const slug = 'both';
  const asFile = {
    ...callsTest(3, slug),
    groups: callsTest(3).groups.map((g) => ({
      ...g,
      registrar: 'pbx',
      placement: { mode: 'WORKERS', workers: ['edge-1', 'edge-2'] },
      mediaTracks: [{ kind: 'AUDIO', source: 'SPEECH', direction: 'SEND' }],
      subPopulations: g.subPopulations.map((s, i) => ({ ...s, ...(i === 0 && { sipAccounts: ['1', '2', '3'] }) })),
    })),
    thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3 }],
  };
  const sipAccounts = ['1', '2', '3', '4'].map((username) => ({ username, password: 'p' }));
  await world.provision(
    acmeFile({
      registrars: [{ slug: 'pbx', name: 'PBX', uri: 'sip:127.0.0.1:5070', sipAccounts }],
      tests: [asFile],
      probes: [callProbe('both', 'Both')],
    }),
  );
  const all = (await ask('GET', `${lab}/registrars?per_page=100`)).data as { id: string; slug: string }[];
  const pbx = all.find((r) => r.slug === 'pbx')?.id as string;
  const accounts = (await ask('GET', `${lab}/registrars/${pbx}/sip-accounts`)).data as {
    id: string;
    username: string;
  }[];
  t.same(
    accounts.map((a) => a.username),
    ['1', '2', '3', '4'],
  );
  const asBody = {
    ...callsBody(pbx, 3),
    groups: callsBody(pbx, 3).groups.map((g) => ({
      ...g,
      placement: { mode: 'WORKERS', workerIds: [workerIds['edge-1'], workerIds['edge-2']] },
      mediaTracks: [{ kind: 'AUDIO', source: 'SPEECH', direction: 'SEND' }],
      subPopulations: g.subPopulations.map((s) => ({ ...s, sipAccountIds: accounts.slice(0, 3).map((a) => a.id) })),
    })),
    thresholds: asFile.thresholds,
  };
  const made = await ask('POST', `${lab}/tests`, asBody);
  t.equal(made.status, 201, made.message);
  const rows = await db
    .selectFrom('tests')
    .where('project_id', '=', projectId)
    .where((eb) => eb.or([eb('slug', '=', slug), eb('id', '=', made.data.id)]))
    .select(['config', 'endpoints', 'duration_seconds', 'buildup_seconds'])
    .execute();
  /** Ids are new each time; the objects that they name are the same. */
  const named = (config: TestConfig) => {
    const ids = [...JSON.stringify(config).matchAll(/"id":"([^"]+)"/g)].map((m) => m[1] as string);
    return ids.reduce((text, id, i) => text.replaceAll(id, `id-${i}`), JSON.stringify(config));
  };
  t.equal(rows.length, 2);
  t.same(named(rows[0]?.config as TestConfig), named(rows[1]?.config as TestConfig));
  t.same({ ...rows[0], config: 0 }, { ...rows[1], config: 0 });

  const call = { registrarId: cloudId, ...callProbe('x', 'X').test, registrar: undefined };
  const probed = await ask('POST', `${lab}/probes`, { ...callProbe('x', 'Both'), slug: undefined, test: call });
  t.equal(probed.status, 201, probed.message);
  const probes = await db
    .selectFrom('probes')
    .where('name', '=', 'Both')
    .select(['config', 'duration_seconds', 'schedule_type', 'fixed_interval_sec', 'alert_strike_runs', 'timezone'])
    .execute();
  t.equal(probes.length, 2);
  t.same(named(probes[0]?.config as TestConfig), named(probes[1]?.config as TestConfig));
  t.same({ ...probes[0], config: 0 }, { ...probes[1], config: 0 });
});

t.test('what GET tells of groups may be sent back, and they keep who they are', async (t) => {
  const url = await make(`${lab}/tests`, test());
  const before = (await ask('GET', url)).data;
  const same = await ask('PATCH', url, { groups: before.groups, thresholds: before.thresholds, load: before.load });
  t.equal(same.status, 200, same.message);
  t.same(same.data.groups, before.groups);
  const [callers, callees] = before.groups;
  const renamed = await ask('PATCH', url, {
    groups: [
      { ...callees, name: 'those who listen' },
      { ...callers, subPopulations: [...callers.subPopulations, { name: 'more', role: 'CALLER', endpoints: 1 }] },
      { ...callees, id: undefined, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 5 }] },
    ],
  });
  t.match(renamed, { status: 422, message: /2 callers for the 1 callees/, paths: ['groups[1].callee.group'] });
  const wider = await ask('PATCH', url, {
    groups: [
      { ...callees, name: 'those who listen', subPopulations: [{ ...callees.subPopulations[0], endpoints: 2 }] },
      { ...callers, subPopulations: [...callers.subPopulations, { name: 'more', role: 'CALLER', endpoints: 1 }] },
      { ...callees, id: undefined, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 5 }] },
    ],
  });
  t.equal(wider.status, 200, wider.message);
  const [listen, call, third] = wider.data.groups;
  t.same([listen.id, call.id, call.callee.groupId], [callees.id, callers.id, callees.id]);
  t.same(call.subPopulations[0].id, callers.subPopulations[0].id);
  t.equal(new Set([listen.id, call.id, third.id]).size, 3, 'a group that takes an old name is a new one');
  t.equal(wider.data.endpoints, 9);
  const copy = await ask('POST', `${lab}/tests`, { ...test(), groups: wider.data.groups });
  t.equal(copy.status, 201, copy.message);
  t.not(copy.data.groups[0].id, listen.id);
  t.equal(copy.data.groups[1].callee.groupId, copy.data.groups[0].id, 'a copy points to itself');
});

t.test('what the form saves without a change is what was there', async (t) => {
  const pbx = idOf(await newRegistrar());
  const heard = [await make(`${lab}/media-files`, media()), await make(`${lab}/media-files`, media())].map(idOf);
  const { groups } = test();
  const [callers, callees] = groups;
  const renamed = (group: object | undefined, name: string, more: object = {}) => ({ ...group, name, ...more });
  const share = (name: string, role: string) => ({ subPopulations: [{ name, role, endpoints: 3 }] });
  const played = (mediaFileId: string | undefined) => ({
    mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId }],
  });
  const external = { callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5070' }, registrarId: pbx };
  const towards = { callee: { mode: 'GROUP', group: 'Support desk' } };
  const rows = (await ask('GET', `${lab}/registrars?per_page=100`)).data;
  const cases: [string, object, boolean][] = [
    ['callees of our own', { groups }, true],
    [
      'other names',
      {
        groups: [
          renamed(callers, 'Branch offices', { ...towards, ...share('Berlin', 'CALLER') }),
          renamed(callees, 'Support desk', share('night shift', 'CALLEE')),
        ],
        description: 'As it rings at night',
        breaker: null,
        maxExecutionSeconds: 90,
        thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3 }],
      },
      true,
    ],
    ['a PBX', { groups: [renamed(callers, 'callees', { ...external, ...share('Berlin', 'CALLER') })] }, true],
    [
      'callees that play something else',
      {
        groups: [
          renamed(callers, 'callers', { ...towards, ...played(heard[0]) }),
          renamed(callees, 'Support desk', played(heard[1])),
        ],
      },
      false,
    ],
  ];
  const named = (rows: { id: string; name: string }[]) => new Map(rows.map((r) => [r.id, r.name]));
  const none = new Map<string, string>();
  const names: Names = { registrars: named(rows), workers: none, accounts: none, mediaFiles: none };
  for (const [what, more, fits] of cases) {
    const url = await make(`${lab}/tests`, test(more));
    const before = (await ask('GET', url)).data;
    const draft = draftOf(before, rows);
    t.equal(draft !== null, fits, `${what}: ${fits ? 'the form holds it' : 'only as YAML'}`);
    if (!draft) continue;
    const body = bodyOf(draft, cloudId, before);
    const saved = await ask('PATCH', url, { ...TEST_DEFAULTS, ...body, slug: undefined });
    t.equal(saved.status, 200, saved.text);
    const { version: _, updatedAt: __, ...kept } = before;
    t.match((await ask('GET', url)).data, kept, what);
    const read = readTest(yamlOf(asTest(body, before), names), names);
    t.notOk('faults' in read);
    if ('faults' in read) continue;
    t.same(draftOf(asTest(read.body, before), rows), draft, `${what}: by way of YAML`);
    const written = await ask('PATCH', url, { ...TEST_DEFAULTS, ...read.body, slug: undefined });
    t.equal(written.status, 200, written.text);
    t.match((await ask('GET', url)).data, kept, `${what}: saved as YAML`);
  }
});

t.test('a template lacks what a person must say, and nothing else', async (t) => {
  const pbx = idOf(await newRegistrar({ register: true }));
  const rows = (await ask('GET', `${lab}/registrars?per_page=100`)).data;
  const ofFeatures = FEATURE_TEST_DATA.flatMap(({ testTemplates = [] }) => testTemplates);
  for (const template of [...TEST_TEMPLATES, ...ofFeatures]) {
    const create = (draft: Draft) => ask('POST', `${lab}/tests`, bodyOf(draft, cloudId, null));
    const isCall = template.does === 'CALL';
    const empty = await create(filledBy(template, { ...EMPTY, name: template.name }, cloudId));
    const missing = isCall ? 'groups[0].callee.uri' : 'groups[0].registrarId';
    t.match(empty, { status: 422, paths: [missing] }, `${template.name}: ${empty.message}`);
    const said = filledBy(template, { ...EMPTY, name: template.name, uri: 'sip:9000@127.0.0.1:5070' }, cloudId);
    const draft: Draft = isCall ? said : { ...said, registrarId: pbx };
    const made = await create(draft);
    t.equal(made.status, 201, `${template.name}: ${made.text}`);
    const { uri, ...shown } = draftOf(made.data, rows) as Draft;
    const { uri: _, ...filled } = draft;
    t.same({ ...shown, kept: {} }, filled, `${template.name}: the form holds what it filled in`);
    t.equal(uri, isCall ? draft.uri : EMPTY.uri);
  }
});

t.test('a call may not become too short for its keys', async (t) => {
  const [callers, callees] = test().groups;
  const groups = [{ ...callers, dtmf: { digits: '12', afterMs: 2700 } }, callees];
  const url = await make(`${lab}/tests`, { ...test(), groups, durationSeconds: 3 });
  t.match(await ask('PATCH', url, { durationSeconds: 2 }), { status: 422, paths: ['durationSeconds'] });
  t.match(await ask('PATCH', url, { durationSeconds: 4, name: 'Longer' }), { status: 200 });
  t.equal((await ask('DELETE', url)).status, 200);
});

t.test('a slug is made from the name, and is unique', async (t) => {
  const slugOf = async (body: object) =>
    (await ask('POST', `${lab}/registrars`, { uri: 'sip:a.example', ...body })).data.slug;
  t.equal(await slugOf({ name: 'Zürich Süd (1)' }), 'zurich-sud-1');
  t.equal(await slugOf({ name: 'Zürich Süd (1)' }), 'zurich-sud-1-2');
  t.equal(await slugOf({ name: 'ZURICH-SUD-1' }), 'zurich-sud-1-3');
  t.equal(await slugOf({ name: '電話' }), 'registrar');
  t.equal(await slugOf({ name: 'Cloud' }), 'cloud-2');
  t.match(await slugOf({ name: `${'x'.repeat(80)}` }), /^x{56}$/);
  t.match(await ask('POST', `${lab}/registrars`, registrar({ slug: 'zurich-sud-1' })), {
    status: 409,
    code: 'CONFLICT',
    message: /zurich-sud-1 is taken/,
  });
  t.equal((await ask('POST', '/projects', { name: 'Lab', slug: 'lab' })).status, 409);
  t.equal((await ask('POST', '/projects', { name: 'Lab' })).data.slug, 'lab-2');
});
