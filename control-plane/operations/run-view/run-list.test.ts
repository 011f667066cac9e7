/** The list of runs: filters, orders, pages and cursors, compared with the existing runs. */
import { sql } from 'kysely';
import t from 'tap';
import { callsBody, openApi } from '../../testing/api.ts';

const { ask, cloudId, projectId, hiddenId, world } = await openApi(t);
const lab = `/projects/${projectId}`;
const { db } = world.database;

const testOf = async (name: string): Promise<string> =>
  (await ask('POST', `${lab}/tests`, { ...callsBody(cloudId, 1), name })).data.id;
const tests = [await testOf('Alpha'), await testOf('Beta')] as const;
const probe = (
  await ask('POST', `${lab}/probes`, {
    name: 'Door',
    fixedIntervalSec: 300,
    test: {
      registrarId: (await ask('POST', `${lab}/registrars`, { name: 'P', uri: 'sip:127.0.0.1:5070' })).data.id,
      callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1' },
      placement: { mode: 'REGION', region: 'local' },
    },
  })
).data.id;

/** One a second, so that some pairs have the same instant. */
world.hold();
const BRANCHES = ['main', 'feature/é', 'a=b'];
for (let i = 0; i < 30; i++) {
  if (i % 3 !== 0) world.pass(1);
  if (i % 5 === 4) await ask('POST', `${lab}/probes/${probe}/run`);
  else
    await ask('POST', `${lab}/tests/${tests[i % 2]}/run`, {
      labels: { branch: BRANCHES[i % 3], ...(i % 4 === 0 && { nightly: 'yes' }) },
      overrides: { endpoints: 1 + (i % 7) },
    });
}
await sql`
  with n as (select id, row_number() over (order by id) as n from test_runs)
  update test_runs r set
    validity = json_build_object('verdict', (array['VALID', 'SUSPECT', 'VOID'])[1 + n % 3]),
    passed = case n % 4 when 0 then true when 1 then false end,
    status = case when n % 6 = 0 then 'CANNOT_RUN_FOR_NOW' else status end
  from n where n.id = r.id and n % 5 <> 0`.execute(db);
const { rows: all } = await sql<{
  id: string;
  test_id: string;
  test_name: string;
  probe_id: string | null;
  status: string;
  verdict: string | null;
  passed: boolean | null;
  labels: Record<string, string>;
  endpoints: number;
  submitted_at: Date;
}>`select id, test_id, test_name, probe_id, status, validity ->> 'verdict' as verdict, passed, labels, endpoints, submitted_at
  from test_runs where project_id = ${projectId} order by submitted_at desc, id desc`.execute(db);

type Row = (typeof all)[number];
const list = (query: string) => ask('GET', `${lab}/test-runs?${query}`);
const ids = (rows: readonly { id: string }[]) => rows.map((r) => r.id);
const middle = (all[14] as Row).submitted_at;

const FILTERS: Record<string, (r: Row) => boolean> = {
  [`test_id=${tests[0]}`]: (r) => r.test_id === tests[0],
  [`probe_id=${probe}`]: (r) => r.probe_id === probe,
  'is_probe_run=true': (r) => r.probe_id !== null,
  'is_probe_run=false': (r) => r.probe_id === null,
  'status=PENDING': (r) => r.status === 'PENDING',
  'status=PENDING&status=CANNOT_RUN_FOR_NOW': () => true,
  'verdict=VOID': (r) => r.verdict === 'VOID',
  'verdict=VALID&verdict=SUSPECT': (r) => r.verdict === 'VALID' || r.verdict === 'SUSPECT',
  'passed=true': (r) => r.passed === true,
  'passed=false': (r) => r.passed === false,
  'passed=none': (r) => r.passed === null,
  'label=branch%3Dmain': (r) => r.labels['branch'] === 'main',
  'label=branch%3Dfeature/%C3%A9': (r) => r.labels['branch'] === 'feature/é',
  'label=branch%3Da%3Db': (r) => r.labels['branch'] === 'a=b',
  'label=nightly': (r) => 'nightly' in r.labels,
  'label=nightly&label=branch%3Dmain': (r) => 'nightly' in r.labels && r.labels['branch'] === 'main',
  'label=toString': () => false,
  [`from=${middle.toISOString()}`]: (r) => r.submitted_at >= middle,
  [`to=${middle.toISOString()}`]: (r) => r.submitted_at < middle,
  [`test_id=${tests[1]}&passed=true&verdict=VALID&is_probe_run=false`]: (r) =>
    r.test_id === tests[1] && r.passed === true && r.verdict === 'VALID',
};

t.test('filters show what they say, each page of it, in order', async (t) => {
  for (const [query, fits] of Object.entries(FILTERS)) {
    const expected = all.filter(fits);
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(expected.length / 4) + 1; page++) {
      const reply = await list(`${query}&per_page=4&page=${page}`);
      t.equal(reply.total, expected.length, `${query}: total`);
      seen.push(...ids(reply.data));
    }
    t.same(seen, ids(expected), query);
  }
  t.same(ids((await ask('GET', `/projects/${hiddenId}/test-runs?is_probe_run=false`)).data), []);
});

t.test('a filter that names nothing of the project is refused by name', async (t) => {
  for (const query of ['test_id=unknown', `probe_id=${tests[0]}`, 'probe_id=../../x', `test_id=${projectId}`]) {
    const { status, code, message } = await list(query);
    t.same([status, code], [404, 'NOT_FOUND'], query);
    t.match(message, query.startsWith('test') ? /no test / : /no probe /);
  }
});

const byText = new Intl.Collator('en').compare;
const ORDERS: Record<string, (a: Row, b: Row) => number> = {
  '-submittedAt': (a, b) => b.submitted_at.getTime() - a.submitted_at.getTime() || (a.id < b.id ? 1 : -1),
  submittedAt: (a, b) => a.submitted_at.getTime() - b.submitted_at.getTime() || (a.id < b.id ? -1 : 1),
  '-endpoints': (a, b) => b.endpoints - a.endpoints || (a.id < b.id ? 1 : -1),
  endpoints: (a, b) => a.endpoints - b.endpoints || (a.id < b.id ? -1 : 1),
  testName: (a, b) => byText(a.test_name, b.test_name) || (a.id < b.id ? -1 : 1),
  '-testName': (a, b) => byText(b.test_name, a.test_name) || (a.id < b.id ? 1 : -1),
};

t.test('a cursor goes through any order, with any filter, and new runs shift nothing', async (t) => {
  for (const [sort, compare] of Object.entries(ORDERS)) {
    for (const filter of ['', '&is_probe_run=false', `&test_id=${tests[0]}`]) {
      const fits = FILTERS[filter.slice(1)] ?? (() => true);
      const expected = all.filter(fits).sort(compare);
      t.same(ids((await list(`sort=${sort}${filter}&per_page=100`)).data), ids(expected), `${sort}${filter}: one page`);
      const seen: string[] = [];
      let next: string | null = '';
      for (let page = 1; next !== null && page < 20; page++) {
        const reply = await list(`sort=${sort}${filter}&per_page=7${next && `&cursor=${next}`}`);
        seen.push(...ids(reply.data));
        const { meta } = JSON.parse(reply.text);
        t.equal(meta.pagination.page, page);
        t.equal(meta.pagination.page === meta.pagination.totalPages, meta.nextCursor === null, 'both say the same');
        next = meta.nextCursor;
      }
      t.same(seen, ids(expected), `${sort}${filter}: by cursor`);
    }
  }
  const first = await list('per_page=10');
  const { nextCursor } = JSON.parse(first.text).meta;
  world.pass(60);
  await ask('POST', `${lab}/tests/${tests[0]}/run`);
  t.same(ids((await list(`per_page=10&cursor=${nextCursor}`)).data), ids(all.slice(10, 20)), 'by cursor');
  t.same(ids((await list('per_page=10&page=2')).data), ids(all.slice(9, 19)), 'pages drift, as before');
});

t.test('what is no filter, no order and no cursor is refused by name', async (t) => {
  const { nextCursor } = JSON.parse((await list('per_page=3')).text).meta;
  const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const refused: [string, string][] = [
    ['status=RUNING', 'status[0]'],
    ['verdict=', 'verdict[0]'],
    ['passed=yes', 'passed'],
    ['is_probe_run=1', 'is_probe_run'],
    ['label==x', 'label[0]'],
    ['label=a b', 'label[0]'],
    ['from=yesterday', 'from'],
    ['sort=status', 'sort'],
    ['cursor=x', 'cursor'],
    [`cursor=${nextCursor}&sort=endpoints`, 'cursor'],
    [`cursor=${nextCursor}&page=2`, 'cursor'],
    [`cursor=${made(['-submittedAt', ['x', crypto.randomUUID()], 2])}`, 'cursor'],
    [`cursor=${made(['-submittedAt', [1e300, crypto.randomUUID()], 2])}`, 'cursor'],
    [`cursor=${made(['-submittedAt', ['2026-01-01T00:00:00Z', "'; drop table x"], 2])}`, 'cursor'],
    [`cursor=${made(['-submittedAt', ['2026-01-01T00:00:00Z'], 2])}`, 'cursor'],
    [`sort=endpoints&cursor=${made(['endpoints', ['x', crypto.randomUUID()], 2])}`, 'cursor'],
    [`sort=endpoints&cursor=${made(['endpoints', ['1.5', crypto.randomUUID()], 2])}`, 'cursor'],
    [`sort=testName&cursor=${made(['testName', ['\0', crypto.randomUUID()], 2])}`, 'cursor'],
    [`sort=testName&cursor=${made(['testName', 'x', crypto.randomUUID(), 2])}`, 'cursor'],
    ['status=PENDING'.repeat(1).concat('&status=PENDING'.repeat(20)), 'status'],
    ['test=x', 'test'],
  ];
  for (const [query, path] of refused) {
    const reply = await list(query);
    t.match(reply, { status: 422, code: 'VALIDATION_ERROR', paths: [path] }, query);
  }
});
