/** What strangers can make the agents' endpoint keep before it knows them: counted bytes, whatever they send. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { PROTOCOL } from '@carillon/proto';
import t from 'tap';
import { holds } from '../../scripts/peers/process.ts';
import { AgentWire, hello, keyPair, openDoor } from '../testing/agent-wire.ts';
import { acme, openWorld } from '../testing/world.ts';

const world = await openWorld(t);
await world.provision(acme());
const door = await openDoor(t, world);
const MAX_BYTES = 64 * 1024;
/** By each, of a frame that says 4 MB. */
const SENT = 400_000;
/** A read of a socket; it comes whole. */
const READ_BYTES = 64 * 1024;

const accepted: Socket[] = [];
door.app.server.on('connection', (socket: Socket) => accepted.push(socket));

/** An upgraded connection from this address, by a proxy of this host. */
const stranger = (address: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(door.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      if (data.toString('latin1').startsWith('HTTP/1.1 101')) resolve(socket);
      else reject(new Error(data.toString('latin1')));
    });
    const headers = [
      'GET /agent/v1 HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      `Sec-WebSocket-Protocol: ${PROTOCOL}`,
      `X-Forwarded-For: ${address}`,
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  });

const frame = (first: number, length: number): Buffer => {
  const head = Buffer.alloc(14);
  head.writeUInt8(first, 0);
  head.writeUInt8(0x80 | 127, 1);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
};
const many = (one: Buffer): Buffer => Buffer.concat(Array(Math.ceil(16_384 / one.length)).fill(one));
const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
const part = (first: number) => Buffer.concat([frame(first, 1000), Buffer.alloc(1000)]);

/** How each of them sends something that never is a greeting. */
const WAYS: readonly { readonly what: string; readonly begin: Buffer; readonly more: Buffer }[] = [
  { what: 'one frame that does not end', begin: frame(0x82, 4_000_000), more: many(Buffer.alloc(1)) },
  { what: 'a message of many parts', begin: part(0x02), more: many(part(0x00)) },
  { what: 'pings', begin: ping, more: many(ping) },
  { what: 'whole frames', begin: part(0x82), more: many(part(0x82)) },
];

t.jobs = 1;

t.test('300 strangers who send what does not end', async (t) => {
  const before = accepted.length;
  const all = await Promise.all(
    Array.from({ length: 300 }, (_, i) => stranger(`${11 + (i % 5)}.${i % 7}.${i % 256}.1`)),
  );
  const over = new Set<Socket>();
  all.forEach((socket, i) => {
    const { begin, more } = WAYS[i % WAYS.length] as (typeof WAYS)[number];
    socket.on('close', () => over.add(socket));
    socket.resume();
    socket.write(begin);
    let sent = begin.length;
    const send = (): void => {
      while (!socket.destroyed && sent < SENT) {
        sent += more.length;
        if (!socket.write(more)) return void socket.once('drain', send);
      }
    };
    send();
  });
  await holds(async () => over.size === all.length);
  const read = accepted.slice(before).map(({ bytesRead }) => bytesRead);
  t.equal(read.length, 300);
  t.ok(Math.max(...read) < MAX_BYTES + READ_BYTES + 1000, `${Math.max(...read)} bytes of one were read`);
});

t.test('a stranger that stays below waits for its greeting, with no more than that', async (t) => {
  const before = accepted.length;
  const all = await Promise.all(Array.from({ length: 90 }, () => stranger('192.0.2.7')));
  for (const socket of all) socket.write(Buffer.concat([frame(0x82, 4_000_000), Buffer.alloc(MAX_BYTES - 100)]));
  await holds(async () => accepted.slice(before).every(({ bytesRead }) => bytesRead > MAX_BYTES - 200));
  t.ok(all.every(({ destroyed }) => !destroyed));
  for (const socket of all) socket.destroy();
});

t.test('an agent is let in all the same, and then may send more', async (t) => {
  const { wire } = await door.enterAsNew();
  // A body that we do not know, of two million bytes.
  const length = 2_000_000;
  wire.ws.send(Buffer.concat([Buffer.from([0xa2, 0x38, 0x80, 0x89, 0x7a]), Buffer.alloc(length)]));
  wire.send({ beat: { unixMs: 7 } });
  t.equal((await wire.nextOf('beat')).echoUnixMs, 7);
  wire.ws.close();
});

t.test('a greeting that is too large ends its connection, and is counted', async (t) => {
  const wire = new AgentWire(door.url);
  const { challenge } = await wire.next();
  wire.send(hello(keyPair(), challenge?.nonce as Uint8Array, { hostname: 'x'.repeat(MAX_BYTES) }));
  await wire.closed;
  t.match(await door.metrics.text('NONE'), /refusals_total\{reason="FRAME_TOO_LARGE"\} [1-9]/);
});

t.test('a refused connection does not last, whatever comes after its refusal', async (t) => {
  const before = accepted.length;
  for (let n = 0; n < 20; n++) {
    const socket = connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('x');
      socket.end();
    });
    socket.write('GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  }
  const refused = () => accepted.slice(before);
  await holds(() => refused().length === 20);
  await holds(() => refused().every(({ destroyed }) => destroyed));
  t.pass();
});
