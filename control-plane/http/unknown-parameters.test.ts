/** Unknown parameters are refused by name, in the query and in the body, for every row of the catalogue. */
import t from 'tap';
import { CATALOGUE } from '../catalogue.ts';
import { SESSION_HEADER } from '../client.ts';
import { type OperationName, type OperationRow, pathParameters, takesBody } from '../contract/catalogue.ts';
import { acme, openWorld, startRun } from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const PASSWORD = 'correct horse battery';
const world = await openWorld(t);
const [organization] = acme().organizations;
await world.provision({
  organizations: [
    { ...organization, users: [{ email: 'owner@acme.example', name: 'Owner', role: 'OWNER', password: PASSWORD }] },
  ],
});
const { projectId } = await startRun(world);
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

const entered = await app.inject({
  method: 'POST',
  url: '/api/v1/entrance/log-in',
  headers: { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' },
  payload: { email: 'owner@acme.example', password: PASSWORD },
});
const cookie = (entered.cookies as { name: string; value: string }[]).map((c) => `${c.name}=${c.value}`).join('; ');

async function refusal(row: OperationRow, query: string, body?: object) {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'projectId' ? projectId : 'unknown'));
  const response = await app.inject({
    method: row.method,
    url: `/api/v1${path}${query}`,
    headers: { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', cookie },
    ...(body && { payload: body }),
  });
  const { error } = response.json();
  return {
    status: response.statusCode,
    code: error?.code,
    paths: (error?.details ?? []).map((d: { path: string }) => d.path) as string[],
  };
}

const ROWS = Object.entries(CATALOGUE) as [OperationName, OperationRow][];

for (const [name, row] of ROWS) {
  t.test(name, async (t) => {
    const query = await refusal(row, '?perpage=1&Page=2');
    t.match(query, { status: 422, code: 'VALIDATION_ERROR' });
    for (const path of ['perpage', 'Page']) t.ok(query.paths.includes(path), `${path} of the query`);
    if (row.method === 'GET') return;
    const body = await refusal(row, '', { bogus: 1 });
    t.match(body, { status: 422, code: 'VALIDATION_ERROR' });
    t.ok(body.paths.includes('bogus'), 'a field of the body');
    // Fields of its body or its path are refused in the query.
    for (const known of [...Object.keys(row.input.shape)].slice(0, 2))
      t.ok((await refusal(row, `?${known}=1`)).paths.includes(known), `${known} is none of its query`);
  });
}

t.test('an empty body is none, and what is no object is none either', async (t) => {
  const [, row] = ROWS.find(([name]) => name === 'cancelTestRun') as [OperationName, OperationRow];
  t.notOk(takesBody(row));
  t.equal(pathParameters(row.path).length, 2);
  t.match(await refusal(row, ''), { status: 404 });
  t.match(await refusal(row, '', {}), { status: 404 });
  t.match(await refusal(row, '', ['x']), { status: 422 });
});
