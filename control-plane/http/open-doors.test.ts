/** What strangers get without a key: made once, a share per network, and no names of probes; clients with a key are not slowed. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { parse } from 'yaml';
import { trustedProxies } from '../domain/network.ts';
import { acme, KEY, openWorld } from '../testing/world.ts';
import { encodingFor } from './encoding.ts';
import { keptFor } from './kept-for.ts';
import { keptDocument } from './openapi/kept-document.ts';
import { toYaml } from './openapi/yaml.ts';
import { sightOf } from './scrape-sight.ts';
import { createHttpServer } from './server.ts';

const world = await openWorld(t);
await world.provision(acme());
world.hold();
const { app } = await createHttpServer(world.ports, { trustedProxies: trustedProxies('10.0.0.0/8') });
await app.ready();
t.teardown(() => app.close());
const NOW = () => new Date();
let networks = 0;
const newNetwork = (): string => `198.51.${++networks}.1`;
const get = (url: string, from: string, headers: object = {}) =>
  app.inject({ url, remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': from, ...headers } });

const JSON_URL = '/api/v1/openapi.json';
const DOCUMENTS = [JSON_URL, '/api/v1/openapi-3.0.json', '/api/reference/json', '/api/reference/yaml'];
t.jobs = 1;

for (const url of DOCUMENTS)
  t.test(`${url}: the same bytes for all, compressed once`, async (t) => {
    const from = newNetwork();
    const plain = await get(url, from);
    t.equal(plain.statusCode, 200);
    t.match(plain.headers, { vary: 'Accept-Encoding', 'cache-control': 'no-cache', etag: /^"[\w-]{22}-identity"$/ });
    for (const [encoding, unpacked] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const packed = await get(url, from, { 'accept-encoding': encoding });
      t.equal(packed.headers['content-encoding'], encoding);
      t.equal(unpacked(packed.rawPayload).equals(plain.rawPayload), true, encoding);
      t.ok(packed.rawPayload.length < plain.rawPayload.length / 8, `${packed.rawPayload.length} bytes`);
      for (const known of [plain.headers.etag, packed.headers.etag, `W/"x", ${packed.headers.etag}`, '*']) {
        const again = await get(url, from, { 'accept-encoding': encoding, 'if-none-match': known });
        t.match({ status: again.statusCode, body: again.body }, { status: 304, body: '' }, `${known}`);
      }
      t.equal((await get(url, from, { 'if-none-match': '"another-identity"' })).statusCode, 200);
    }
    const before = process.cpuUsage();
    for (let n = 0; n < 100; n++) await get(url, from, { 'accept-encoding': 'br' });
    const { user } = process.cpuUsage(before);
    t.ok(user / 100_000 < 20, `${user / 100_000} ms of CPU each`);
  });

t.test('the reference shows the document; YAML says the same', async (t) => {
  const from = newNetwork();
  const document = (await get(JSON_URL, from)).json();
  t.same((await get('/api/reference/json', from)).json(), document);
  const yaml = await get('/api/reference/yaml', from);
  t.match(yaml.headers['content-type'], /yaml/);
  t.same(parse(yaml.body, { maxAliasCount: 0 }), document);
});

t.test('YAML of what is hard to write', async (t) => {
  const hard = {
    ...{
      200: 'a',
      yes: 'no',
      n: null,
      'a b': [],
      '': {},
      '- x': [[1, [2]], [{ a: 1, b: [] }]],
      '#': '# : - \n\u2028"\\',
    },
    ...{ deep: { deeper: { list: [{ a: { b: 1 } }, 'x', true, 1.5e30, ''] } } },
  };
  for (const value of [hard, [], {}, [[]], 'x', null, 1, [null], { a: undefined, b: 1 }])
    t.same(parse(toYaml(value)), JSON.parse(JSON.stringify(value)), JSON.stringify(value));
});

t.test('a document is made once for all who ask at the same time', async (t) => {
  let made = 0;
  const answer = keptDocument('text/plain', () => `made ${++made} times`);
  const reply = { headers: () => reply, header: () => reply, code: () => reply, send: (body: unknown) => String(body) };
  const request = { headers: {} };
  const all = Array.from({ length: 300 }, () => answer(request as never, reply as never));
  t.same([...new Set(await Promise.all(all))], ['made 1 times']);
  t.same(
    ['', 'gzip', 'gzip, br', 'br;q=0, gzip;q=0.5', 'gzip;q=0', '*', 'BR'].map((text) => encodingFor(text)),
    ['identity', 'gzip', 'br', 'gzip', 'identity', 'identity', 'br'],
  );
});

t.test('a network has a share of what needs no key; others, and its keys, have theirs', async (t) => {
  const flood = newNetwork();
  const statuses = new Map<number, number>();
  for (let n = 0; n < 700; n++) {
    const { statusCode } = await get([JSON_URL, '/metrics', '/api/reference/json'][n % 3] ?? '', flood, {
      'if-none-match': '*',
    });
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
  t.equal(statuses.get(429), 100);
  const refused = await get(JSON_URL, flood);
  t.match(refused.json(), { error: { code: 'RATE_LIMITED' } });
  t.ok(Number(refused.headers['retry-after']) > 0);
  t.equal((await get(JSON_URL, newNetwork())).statusCode, 200);
  const withKey = await get('/api/v1/projects', flood, { authorization: `Bearer ${KEY}` });
  t.equal(withKey.statusCode, 200, 'a valid key of the same network');
  world.pass(61);
  t.equal((await get(JSON_URL, flood)).statusCode, 200, 'a minute later');
});

t.test('readers of names of probes without a token: this host by its own name, without a proxy', async (t) => {
  const LOCAL = { ip: '127.0.0.1', headers: { host: 'localhost:8080' } };
  const cases: [string, object, string | null, string][] = [
    ['this host', {}, null, 'ONE'],
    ['by its address', { headers: { host: '127.0.0.1:8080' } }, null, 'ONE'],
    ['by IPv6', { ip: '::1', headers: { host: '[::1]:8080' } }, null, 'ONE'],
    ['another host', { ip: '192.0.2.7' }, null, 'NONE'],
    ['a page whose name leads here', { headers: { host: 'evil.example:8080' } }, null, 'NONE'],
    ['… or looks like it', { headers: { host: 'localhost.evil.example' } }, null, 'NONE'],
    ['… or like an address', { headers: { host: '127.0.0.1.evil.example' } }, null, 'NONE'],
    ['no Host', { headers: {} }, null, 'NONE'],
    ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].map(
      (name): [string, object, string | null, string] => [
        `a proxy that sends ${name}`,
        { headers: { host: 'localhost', [name]: '192.0.2.7' } },
        null,
        'NONE',
      ],
    ),
    ['a proxy that says nothing', {}, 'https://carillon.example', 'NONE'],
  ];
  for (const [what, more, publicUrl, wanted] of cases)
    t.equal(sightOf(null, { ...LOCAL, ...more }, publicUrl), wanted, what);
  const token = new Secret('x'.repeat(32));
  const scrape = { ip: '192.0.2.7', headers: { host: 'a', authorization: `Bearer ${token.reveal()}` } };
  t.equal(sightOf(token, scrape, 'https://carillon.example'), 'ALL');
  t.throws(() => sightOf(token, LOCAL, null), { code: 'UNAUTHORIZED' });
});

t.test('an answer is made once for all who ask within its time, by key', async (t) => {
  let made = 0;
  const kept = keptFor(60_000, NOW, async (key: string) => `${key} ${++made}`);
  t.same(await Promise.all([kept('a'), kept('a'), kept('b')]), ['a 1', 'a 1', 'b 2']);
  t.equal(await kept('a'), 'a 1');
  const never = keptFor(0, NOW, async () => ++made);
  t.not(await never('a'), await never('a'));
  let fails = true;
  const failing = keptFor(60_000, NOW, async () => {
    if (fails) throw new Error('away');
    return 'there';
  });
  await t.rejects(failing('a'));
  fails = false;
  t.equal(await failing('a'), 'there', 'a failure is not kept');
});
