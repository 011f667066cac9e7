/** Saved filters: each person has their own, by project and list, and not more than there may be. */
import t from 'tap';
import { SESSION_HEADER } from '../../../client.ts';
import { createHttpServer } from '../../../http/server.ts';
import { acme, KEY, openWorld } from '../../../testing/world.ts';
import { MAX_FILTERS } from '../contract/saved-filter.ts';

const PASSWORD = 'correct horse battery';
const world = await openWorld(t);
const { db } = world.database;
const [organization] = acme().organizations;
const person = (name: string, role: string, more: object = {}) => ({
  ...{ email: `${name}@acme.example`, name, role, password: PASSWORD },
  ...more,
});
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        person('ada', 'OWNER'),
        person('vic', 'VIEWER'),
        person('elsewhere', 'ADMIN', { projects: ['hidden'] }),
      ],
      projects: [...(organization?.projects ?? []), { slug: 'hidden', name: 'Hidden' }],
    },
    {
      slug: 'other',
      name: 'Other',
      users: [person('olga', 'OWNER')],
      projects: [{ slug: 'lab', name: 'Theirs' }],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());
world.hold();

type Method = 'GET' | 'POST' | 'DELETE';
async function ask(method: Method, url: string, headers: Readonly<Record<string, string>>, body?: object) {
  const response = await app.inject({ method, url: `/api/v1${url}`, headers, ...(body && { payload: body }) });
  const { data, error, meta } = response.json();
  const cookies = response.cookies as { name: string; value: string }[];
  return {
    status: response.statusCode,
    data,
    paths: (error?.details ?? []).map((d: { path: string }) => d.path),
    message: error?.message as string | undefined,
    total: meta?.pagination?.total as number | undefined,
    cookie: cookies.map((c) => `${c.name}=${c.value}`).join('; '),
  };
}
const inBrowser = { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' };
const logIn = async (name: string) => ({
  ...inBrowser,
  cookie: (await ask('POST', '/entrance/log-in', inBrowser, { email: `${name}@acme.example`, password: PASSWORD }))
    .cookie,
});
const [ada, vic, elsewhere, olga] = await Promise.all(['ada', 'vic', 'elsewhere', 'olga'].map(logIn));
if (!ada || !vic || !elsewhere || !olga) throw new Error('nobody is logged in');
const idOf = async (slug: string, organization: string) =>
  (
    await db
      .selectFrom('projects as p')
      .innerJoin('organizations as o', 'o.id', 'p.organization_id')
      .where('p.slug', '=', slug)
      .where('o.slug', '=', organization)
      .select('p.id')
      .executeTakeFirstOrThrow()
  ).id;
const [lab, hidden, theirs] = [await idOf('lab', 'acme'), await idOf('hidden', 'acme'), await idOf('lab', 'other')];
const filtersAt = (projectId: string) => `/projects/${projectId}/saved-filters`;
const failed = { list: 'RUNS', name: 'Failed today', query: 'status=FAILED&period=day' };

t.jobs = 1;

t.test('a person has filters by project, nobody else reads or deletes them', async (t) => {
  const { data, status } = await ask('POST', filtersAt(lab), vic, failed);
  t.match([status, data], [201, failed], 'whoever may look may keep what they look at');
  t.match((await ask('GET', filtersAt(lab), vic)).data, [failed]);
  t.same((await ask('GET', filtersAt(hidden), vic)).data, [], 'of this project only');
  t.same((await ask('GET', filtersAt(lab), ada)).data, [], 'not of the OWNER');
  t.equal((await ask('DELETE', `${filtersAt(lab)}/${data.id}`, ada)).status, 404);
  t.equal((await ask('DELETE', `${filtersAt(hidden)}/${data.id}`, vic)).status, 404, 'nor in another project');
  for (const stranger of [elsewhere, olga]) {
    t.equal((await ask('GET', filtersAt(lab), stranger)).status, 404);
    t.equal((await ask('POST', filtersAt(lab), stranger, failed)).status, 404);
    t.equal((await ask('DELETE', `${filtersAt(lab)}/${data.id}`, stranger)).status, 404);
  }
  t.equal((await ask('DELETE', `${filtersAt(theirs)}/${data.id}`, olga)).status, 404);
  for (const method of ['GET', 'POST'] as const)
    t.equal(
      (await ask(method, filtersAt(lab), { authorization: `Bearer ${KEY}` }, failed)).status,
      403,
      'keys have none',
    );
  t.match((await ask('GET', filtersAt(lab), vic)).data, [failed]);
  t.match(await ask('DELETE', `${filtersAt(lab)}/${data.id}`, vic), { status: 200, data: { deleted: true } });
  t.equal((await ask('DELETE', `${filtersAt(lab)}/${data.id}`, vic)).status, 404);
  t.equal((await ask('DELETE', `${filtersAt(lab)}/unknown`, vic)).status, 404);
  t.same((await ask('GET', filtersAt(lab), vic)).data, []);
});

t.test('a name is of one filter of a list; it is saved anew', async (t) => {
  const { data: first } = await ask('POST', filtersAt(lab), ada, failed);
  const { data: second } = await ask('POST', filtersAt(lab), ada, { ...failed, query: 'status=FAILED' });
  t.same(second, { ...first, query: 'status=FAILED' });
  await ask('POST', filtersAt(lab), ada, { list: 'CALLS', name: failed.name, query: 'result=failed' });
  const { data, total } = await ask('GET', filtersAt(lab), ada);
  t.equal(total, 2);
  t.match(data.map(({ list }: { list: string }) => list).sort(), ['CALLS', 'RUNS']);
});

t.test('what is out of bounds is refused at its field', async (t) => {
  for (const [change, path] of [
    [{ list: 'TESTS' }, 'list'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ query: '' }, 'query'],
    [{ query: '?status=FAILED' }, 'query'],
    [{ query: 'javascript:alert(1)//' }, 'query'],
    [{ query: `a=${'x'.repeat(2000)}` }, 'query'],
  ] as const)
    t.match(await ask('POST', filtersAt(lab), ada, { ...failed, ...change }), { status: 422, paths: [path] }, path);
  const typed = new URLSearchParams({ label: 'a=ü €\nb', from: '2026-11-30T08:00', number: '+49 30~*' }).toString();
  t.equal((await ask('POST', filtersAt(lab), vic, { ...failed, query: typed })).status, 201, 'whatever was typed');
});

t.test('there are at most so many, of each person and project', async (t) => {
  const save = (n: number) => ask('POST', filtersAt(lab), ada, { ...failed, name: `Filter ${n}` });
  const answers = await Promise.all(Array.from({ length: MAX_FILTERS + 3 }, (_, n) => save(n)));
  t.equal(answers.filter(({ status }) => status === 201).length, MAX_FILTERS - 2, 'two were there');
  t.match(
    answers.find(({ status }) => status !== 201),
    { status: 409, message: /50 saved filters in this project/ },
  );
  t.equal((await ask('GET', filtersAt(lab), ada)).total, MAX_FILTERS);
  t.equal((await ask('POST', filtersAt(lab), ada, { ...failed, query: 'passed=true' })).status, 201, 'one of them');
  t.equal((await ask('POST', filtersAt(hidden), ada, failed)).status, 201);
  t.equal((await ask('POST', filtersAt(lab), vic, { ...failed, name: 'Another' })).status, 201);
  const page = await ask('GET', `${filtersAt(lab)}?page=2&per_page=30`, ada);
  t.equal(page.data.length, MAX_FILTERS - 30);
});

t.test('they end with their person', async (t) => {
  await db.deleteFrom('users').where('email', '=', 'vic@acme.example').execute();
  t.equal((await db.selectFrom('saved_filters').select('user_id').distinct().execute()).length, 1);
});
