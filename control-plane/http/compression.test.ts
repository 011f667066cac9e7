/** Which answers are compressed, and that they are the same answers. */
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import t from 'tap';
import { compressAnswers } from './compression.ts';

const LONG = JSON.stringify(Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `Größe ${i}` })));
const app = Fastify();
compressAnswers(app);
app.get('/api/long', (_request, reply) => reply.header('Vary', 'Cookie').type('application/json').send(LONG));
app.get('/api/object', async () => JSON.parse(LONG));
app.get('/api/short', async () => ({ name: 'short' }));
app.post('/api/long', async () => LONG);
app.get('/page', async () => LONG);
app.get('/api/file', (_request, reply) => reply.send(Readable.from([LONG])));
t.teardown(() => app.close());

const ask = (url: string, accepts: string | null, method: 'GET' | 'POST' = 'GET') =>
  app.inject({ url, method, headers: accepts === null ? {} : { 'accept-encoding': accepts } });
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };

t.test('a long answer in the encoding that the client takes', async (t) => {
  for (const [accepts, encoding] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
  ] as const)
    for (const url of ['/api/long', '/api/object']) {
      const { headers, rawPayload } = await ask(url, accepts);
      t.equal(headers['content-encoding'], encoding);
      t.equal(Number(headers['content-length']), rawPayload.length);
      t.ok(rawPayload.length < LONG.length / 5);
      t.equal(DECODE[encoding](rawPayload).toString(), LONG);
    }
});

t.test('caches know what it depends on, also where nothing is compressed', async (t) => {
  for (const accepts of [null, 'identity', 'br'])
    t.equal((await ask('/api/long', accepts)).headers.vary, 'Cookie, Accept-Encoding');
  t.equal((await ask('/api/object', null)).headers.vary, 'Accept-Encoding');
  t.equal((await ask('/api/long', null)).body, LONG);
});

t.test('short ones, changes, files and what is not of the API stay as they are', async (t) => {
  for (const [url, method] of [
    ['/api/short', 'GET'],
    ['/api/long', 'POST'],
    ['/page', 'GET'],
    ['/api/file', 'GET'],
  ] as const) {
    const { headers, body } = await ask(url, 'br', method);
    t.equal(headers['content-encoding'], undefined, url);
    if (url !== '/api/short') t.equal(body, LONG);
  }
});
