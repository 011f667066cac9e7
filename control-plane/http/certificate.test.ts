/** TLS of the control plane: a renewed certificate, files that cannot be used, dates; requests and upgrades as without it. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import t from 'tap';
import { WebSocket, WebSocketServer } from 'ws';
import { certificateIn } from '../../scripts/peers/network/certificate.ts';
import { until } from '../../scripts/peers/process.ts';
import { datesTrouble, openCertificate, readPair } from './certificate.ts';
import { answerUnreadable } from './errors.ts';
import { createPatientServer } from './patient-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-certificate-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const { files, first, make, write, renew } = certificateIn(folder);
const logged: string[] = [];
const tell = (_: object, message: string) => void logged.push(message);
const log = { debug: tell, info: tell, warn: tell, error: tell };

const certificate = await openCertificate(files, log, 5);
t.teardown(() => certificate.close());
const server = createPatientServer({}, certificate, (asked, answer) => answer.end(asked.url));
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
t.teardown(() => {
  server.closeAllConnections();
  server.close();
});

const serial = (pem: string): string => new X509Certificate(pem).serialNumber;
const now = new Date();

/** The serial number of the certificate that a new connection gets. */
async function served(): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function get(url: string, agent: Agent): Promise<string> {
  const asked = request({ host: '127.0.0.1', port, path: url, agent, rejectUnauthorized: false }).end();
  const [answer] = await once(asked, 'response');
  return text(answer);
}

t.test('connections without a handshake are closed', async (t) => {
  // As the control plane does with what it cannot read.
  server.on('clientError', (error, socket) => void answerUnreadable(error, socket as Socket));
  const closed = ['', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'].map(async (sent) => {
    const socket = connectTcp(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume().write(sent);
    // Neither side has ended it: the server does, when its time for a handshake is over.
    await once(socket, 'close');
  });
  await Promise.all(closed);
  t.equal(await new Promise((resolve) => server.getConnections((_error, count) => resolve(count))), 0);
});

t.test('a renewed certificate is for new connections; a pair that does not match changes nothing', async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  t.equal(await get('/one', agent), '/one');
  t.equal(await served(), serial(first.certificate));
  t.equal(certificate.trouble(now), null);

  const next = make();
  write('certificate', next.certificate);
  await until('the key of another certificate is noticed', () => certificate.trouble(now) !== null);
  t.match(certificate.trouble(now), /CARILLON_TLS_KEY.*The certificate before it is still used/);
  t.equal(await served(), serial(first.certificate), 'the one before is kept');

  write('key', next.key);
  await until('both are there', () => certificate.trouble(now) === null);
  t.equal(await served(), serial(next.certificate), 'without a restart');
  t.equal(await get('/two', agent), '/two', 'a connection that existed goes on');
});

t.test('files that are gone or broken, and what is reported', async (t) => {
  const kept = renew();
  await until('it is taken up', async () => (await served()) === serial(kept.certificate));
  for (const broken of ['', 'x', kept.key, kept.certificate.slice(0, 300)]) {
    logged.length = 0;
    write('certificate', broken);
    await until('it is noticed', () => certificate.trouble(now) !== null);
    t.equal(await served(), serial(kept.certificate), JSON.stringify(broken.slice(0, 30)));
    write('certificate', kept.certificate);
    await until('the certificate has no trouble any more', () => certificate.trouble(now) === null);
    t.equal(logged.filter((line) => line.includes('cannot be used')).length, 1, 'it is reported once');
  }
  rmSync(files.key);
  await until('it is noticed', () => certificate.trouble(now) !== null);
  t.match(certificate.trouble(now), files.key);
  write('key', kept.key);
  await until('the certificate has no trouble any more', () => certificate.trouble(now) === null);
});

t.test('a start with files that cannot be used names them', async (t) => {
  await t.rejects(readPair({ ...files, key: path.join(folder, 'nothing') }), /CARILLON_TLS_KEY.*nothing/);
  await t.rejects(readPair({ ...files, certificate: files.key }), /CARILLON_TLS_CERTIFICATE/);
});

t.test('dates', (t) => {
  const leaf = new X509Certificate(first.certificate);
  const at = (days: number, of: Date) => new Date(of.getTime() + days * 86_400_000);
  const { validFromDate: from, validToDate: to } = leaf;
  for (const [when, expected] of [
    [at(-1, from), /clock/],
    [at(1, from), null],
    [at(-7.1, to), null],
    [at(-6.9, to), /ends on/],
    [at(1, to), /ended on/],
  ] as const) {
    const trouble = datesTrouble(leaf, when);
    if (expected === null) t.equal(trouble, null, when.toISOString());
    else t.match(trouble, expected, when.toISOString());
  }
  t.end();
});

t.test('upgrades, and requests that come in one write', async (t) => {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (asked, socket, head) =>
    sockets.handleUpgrade(asked, socket, head, (ws) => ws.on('message', (data) => ws.send(data))),
  );
  const ws = new WebSocket(`wss://127.0.0.1:${port}/`, { rejectUnauthorized: false });
  await once(ws, 'open');
  ws.send('x'.repeat(100_000));
  const [data] = await once(ws, 'message');
  t.equal(String(data).length, 100_000);
  ws.close();

  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  const line = (url: string, more = '') => `GET ${url} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  socket.write(line('/a') + line('/b') + line('/c', 'Connection: close\r\n'));
  t.same((await text(socket)).match(/^\/\w/gm), ['/a', '/b', '/c']);
});

t.test('a client without TLS is refused, and others are served', async (t) => {
  const plain = connectTcp(port, '127.0.0.1');
  plain.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(
    plain.resume().on('error', () => undefined),
    'close',
  );
  t.ok(await served());
});
