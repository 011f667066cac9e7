/** Connections are read in parts: bodies, waits and upgrades are as before, and a stranger's thousand requests are not parsed. */
import { once } from 'node:events';
import { type IncomingMessage, request as open } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { WebSocket, WebSocketServer } from 'ws';
import { createPatientServer } from './patient-server.ts';

const BIG = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) % 251));
const get = (path: string, lines = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;

let started = 0;
const server = createPatientServer({}, null, async (request, response) => {
  started++;
  if (request.url === '/big') {
    response.end(BIG);
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
    // A reader that is slow: the connection is paused.
    if (request.url === '/slow') for (let n = 0; n < 20; n++) await turn();
  }
  response.end(Buffer.concat(parts));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
t.teardown(() => server.close());
t.beforeEach(() => {
  started = 0;
});

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** All that comes until the server ends the connection. */
async function answersTo(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  return (await bytesOf(socket)).toString('latin1');
}

for (const path of ['/', '/slow'])
  t.test(`a body of many parts comes whole: ${path}`, async (t) => {
    const request = open({ port, path, method: 'POST' });
    request.end(BIG);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    t.ok((await bytesOf(response)).equals(BIG));
  });

t.test('requests that wait are answered in order, also those after a great answer', async (t) => {
  const last = get('/', 'Connection: close\r\n');
  const post = (n: number): string => `POST /${n} HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n`;
  const bodies = Array.from({ length: 8 }, (_, n) => String(n).repeat(2000));
  const answers = await answersTo(
    `${get('/big')}${bodies.map((body, n) => `${post(n)}${body}`).join('')}${get('/big')}${last}`,
  );
  t.equal(answers.match(/HTTP\/1\.1 200 OK/g)?.length, 11);
  const at = bodies.map((body) => answers.indexOf(`\r\n\r\n${body}`));
  t.notOk(at.includes(-1));
  t.same(
    at.toSorted((a, b) => a - b),
    at,
  );
});

t.test('too many end their connection, and the rest of them is not parsed', async (t) => {
  const cpu = async (text: string): Promise<number> => {
    const before = process.cpuUsage();
    for (let n = 0; n < 20; n++) await answersTo(text).catch(() => undefined);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const some = get('/').repeat(40);
  await cpu(some);
  const few = await cpu(some);
  started = 0;
  const many = await cpu(get('/').repeat(1800));
  t.ok(started <= 20 * 17, `${started} were handled`);
  t.ok(many < 4 * few, `${many} µs for 1,800 requests at once, ${few} µs for 40`);
});

t.test('what is no HTTP is answered once', async (t) => {
  const answers = await answersTo(`${'x'.repeat(9000)}\r\n\r\n`);
  t.match(answers, /^HTTP\/1\.1 400 /);
  t.equal(answers.match(/HTTP\/1\.1/g)?.length, 1);
  t.equal(started, 0);
});

t.test('what is sent after the answer to no HTTP ends the connection', async (t) => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  socket.write('no HTTP\r\n\r\n');
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 400 /);
  const more = setInterval(() => socket.write('x'), 10);
  await new Promise((closed) => socket.once('close', closed));
  clearInterval(more);
});

t.test('a request for an upgrade is answered as others are where nobody upgrades', async (t) => {
  const lines = 'Connection: close, Upgrade\r\nUpgrade: websocket\r\n';
  t.match(await answersTo(get('/', lines)), /^HTTP\/1\.1 200 OK/);
});

t.test('a WebSocket', async (t) => {
  const wss = new WebSocketServer({ noServer: true });
  const onUpgrade = (request: IncomingMessage, socket: never, head: Buffer): void =>
    wss.handleUpgrade(request, socket, head, (ws) =>
      ws.on('error', () => undefined).on('message', (data) => ws.send(data)),
    );
  server.on('upgrade', onUpgrade as never);
  t.teardown(() => server.off('upgrade', onUpgrade as never));
  for (const cookie of ['', 'x'.repeat(6000)]) {
    const ws = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { cookie } });
    await once(ws, 'open');
    ws.send(BIG);
    const [echo] = (await once(ws, 'message')) as [Buffer];
    t.ok(echo.equals(BIG), `upgraded by ${cookie.length} octets of cookies`);
    ws.close();
    await once(ws, 'close');
  }
  const key = `Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\nSec-WebSocket-Version: 13\r\n`;
  const early = get('/', `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}`) + 'x'.repeat(9000);
  await answersTo(early).catch(() => undefined);
  t.equal(started, 0, 'octets that come before the answer end the connection, and are no request');
});
