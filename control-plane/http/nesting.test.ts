/** Bodies that nest are refused by their text; bodies of strangers are small. */
import t from 'tap';
import { SESSION_HEADER } from '../client.ts';
import { acme, KEY, openWorld } from '../testing/world.ts';
import { isTooDeep } from './nesting.ts';
import { createHttpServer } from './server.ts';

const world = await openWorld(t);
await world.provision(acme());
world.hold();
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

const post = (url: string, payload: string, headers: object = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });
const withKey = { authorization: `Bearer ${KEY}` };
const strangers = { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' };

t.test('depth, of brackets that are brackets', async (t) => {
  const cases: [string, boolean][] = [
    ['[]', false],
    ['['.repeat(64) + ']'.repeat(64), false],
    ['['.repeat(65), true],
    ['{"a":'.repeat(65), true],
    [`["${'['.repeat(1000)}"]`, false],
    [`["\\"${'['.repeat(1000)}"]`, false],
    [`["\\\\"${'['.repeat(1000)}`, true],
    ['[],'.repeat(1000), false],
    ['', false],
  ];
  for (const [text, isDeep] of cases) t.equal(isTooDeep(text), isDeep, text.slice(0, 40));
});

t.test('half a million brackets cost milliseconds', async (t) => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const times = Math.floor(1_000_000 / (open.length + close.length));
    const inner = open === '[' ? '' : '1';
    const body = `{"name":${open.repeat(times)}${inner}${close.repeat(times)}}`;
    const before = process.cpuUsage();
    const answer = await post('/api/v1/projects', body, withKey);
    const { user } = process.cpuUsage(before);
    t.match({ status: answer.statusCode, ...answer.json() }, { status: 400, error: { code: 'BAD_REQUEST' } });
    t.match(answer.json().error.message, /nests deeper than 64 levels/);
    t.ok(user / 1000 < 100, `${user / 1000} ms of CPU`);
  }
});

t.test('a stranger may send 64 KiB, a key more', async (t) => {
  const long = JSON.stringify({ email: 'a@acme.example', password: 'x'.repeat(70_000) });
  for (const url of ['/api/v1/entrance/log-in', '/api/v1/entrance/set-up', '/api/v1/nowhere'])
    t.match((await post(url, long, strangers)).json(), { error: { code: /BAD_REQUEST|NOT_FOUND/ } }, url);
  t.match((await post('/api/v1/entrance/log-in', long, strangers)).json().error.message, /longer than 65536 bytes/);
  const described = JSON.stringify({ name: 'Lab', description: 'x'.repeat(70_000) });
  t.notMatch((await post('/api/v1/projects', described, withKey)).json().error?.message ?? '', /longer than/);
});
