/**
 * HEP3: decoded by a parser of the test, by Kamailio (sipcapture) and by tshark where it can; sent over UDP and TCP, bounded,
 * under the policy, dropped and counted.
 */

import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Secret } from '@carillon/proto/base/secret.ts';
import t, { type Test } from 'tap';
import { freeUdpPort } from '../../scripts/peers/network/loopback.ts';
import { startPeer, until } from '../../scripts/peers/process.ts';
import fc from '../../scripts/test-run/properties.ts';
import { callName } from '../run/endpoint/core/call-name.ts';
import type { Traffic } from '../sip/engine.ts';
import { EndpointTraffic, SipCounts } from './endpoint-traffic.ts';
import { HepExporter, type HepTarget } from './hep-exporter.ts';
import { type CapturedMessage, hep3, MAX_BYTES } from './hep3.ts';
import type { MessageBlock } from './message-block.ts';
import { MessageStore } from './message-store.ts';

const run = promisify(execFile);
const MESSAGE: CapturedMessage = {
  from: { address: '192.0.2.1', port: 5060 },
  to: { address: '198.51.100.7', port: 5070 },
  isDatagram: true,
  unixMs: 1_763_763_763_123.456,
  payload: Buffer.from(
    'OPTIONS sip:b@h SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK1\r\nFrom: <sip:a@h>;tag=1\r\nTo: <sip:b@h>\r\nCall-ID: one\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n',
  ),
  captureId: 2001,
  correlationId: 'run/7',
  node: 'edge-1',
  password: null,
};
const SIX: CapturedMessage = {
  ...MESSAGE,
  from: { address: '2001:db8::1', port: 1 },
  to: { address: '2001:db8:0:7::c633:6407', port: 65_535 },
  isDatagram: false,
};

/** Chunks by type, as a collector reads them. */
function chunksOf(bytes: Buffer): Map<number, Buffer> {
  const chunks = new Map<number, Buffer>();
  if (bytes.subarray(0, 4).toString() !== 'HEP3' || bytes.readUInt16BE(4) !== bytes.length) throw new Error('no HEP3');
  for (let at = 6; at < bytes.length; ) {
    const length = bytes.readUInt16BE(at + 4);
    if (bytes.readUInt16BE(at) !== 0 || length < 6 || at + length > bytes.length) throw new Error('no chunk');
    chunks.set(bytes.readUInt16BE(at + 2), bytes.subarray(at + 6, at + length));
    at += length;
  }
  return chunks;
}

/** In version 4.2 and later; Debian 12 has an older one. */
const { stdout: dissectors } = await run('tshark', ['-G', 'protocols']).catch(() => ({ stdout: '' }));
const hasKamailio = await run('kamailio', ['-v']).then(
  () => true,
  () => false,
);
const isDissected = /\thep\t/.test(dissectors);

t.test('what is written can be read', async (t) => {
  const chunks = chunksOf(hep3(MESSAGE) as Buffer);
  t.same(
    [1, 2, 3, 4, 7, 8, 9, 10, 11, 12].map((type) => chunks.get(type)?.toString('hex')),
    ['02', '11', 'c0000201', 'c6336407', '13c4', '13ce', '6920e633', '0001e240', '01', '000007d1'],
  );
  t.same(
    [15, 17, 19, 14].map((type) => chunks.get(type)?.toString()),
    [MESSAGE.payload.toString(), 'run/7', 'edge-1', undefined],
  );
  const six = chunksOf(hep3(SIX) as Buffer);
  t.equal(six.get(6)?.toString('hex'), '20010db8000000070000 0000c6336407'.replace(' ', ''));
  t.same([six.get(1)?.[0], six.get(2)?.[0]], [10, 6]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.string({ maxLength: 50 }), (bytes, correlationId) => {
      const read = chunksOf(hep3({ ...MESSAGE, payload: Buffer.from(bytes), correlationId }) as Buffer);
      return (
        read.get(15)?.equals(bytes) === true &&
        (read.get(17)?.toString() ?? '') === Buffer.from(correlationId).toString()
      );
    }),
  );
  t.equal(hep3({ ...MESSAGE, payload: Buffer.alloc(MAX_BYTES) }), null);
});

t.test(
  'tshark reads it as HEP, and SIP in it',
  { skip: isDissected ? false : 'this tshark knows no HEP' },
  async (t) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'carillon-hep-'));
    t.teardown(() => rm(dir, { recursive: true, force: true }));
    await writeFile(path.join(dir, 'hex'), [MESSAGE, SIX].map((m) => hexDump(hep3(m) as Buffer)).join('\n'));
    const file = path.join(dir, 'hep.pcap');
    await run('text2pcap', ['-q', '-u', '9060,9060', path.join(dir, 'hex'), file]);
    const { stdout } = await run('tshark', ['-n', '-r', file, '-d', 'udp.port==9060,hep', '-V']);
    t.equal(stdout.match(/Call-ID: one/g)?.length, 2);
    t.notMatch(stdout, /Malformed/);
  },
);

const hexDump = (bytes: Buffer): string =>
  Array.from({ length: Math.ceil(bytes.length / 16) }, (_, i) => {
    const row = bytes.subarray(16 * i, 16 * i + 16);
    return `${(16 * i).toString(16).padStart(6, '0')} ${[...row].map((b) => b.toString(16).padStart(2, '0')).join(' ')}`;
  }).join('\n');

const target = (transport: 'UDP' | 'TCP', port: number): HepTarget => ({
  transport,
  host: '127.0.0.1',
  port,
  captureId: 7,
  node: 'edge-1',
  password: new Secret('pw'),
});
/** Of a callee; its first INVITE names the caller. */
function messages(texts: readonly string[], more: (i: number) => Partial<Traffic> = () => ({})): MessageBlock {
  const store = new MessageStore('192.0.2.1');
  const traffic = new EndpointTraffic(3, new SipCounts(), store, { keepMessages: true, keepBodies: true });
  for (const [i, text] of texts.entries()) {
    traffic.onMessage({
      direction: i % 2 === 0 ? 'SENT' : 'RECEIVED',
      atMs: i,
      method: 'OPTIONS',
      status: 0,
      reason: '',
      retransmission: false,
      callId: 'c',
      transport: 'UDP',
      peerAddress: '198.51.100.7',
      peerPort: 5070,
      localPort: 5062,
      text,
      ...more(i),
    });
    if (i === 0) traffic.caller = 1;
  }
  return store.take(true)[0] as MessageBlock;
}
const RUN = '0198c0ffee'.padEnd(32, '0');
const TEXTS = Array.from(
  { length: 20 },
  (_, i) => `OPTIONS sip:${i} SIP/2.0\r\nSubject: ${'x'.repeat(i)}\r\nContent-Length: 0\r\n\r\n`,
);

/** How the messages of one endpoint were exported. */
function sameAsSent(t: Test, received: readonly Buffer[]) {
  const read = received.map(chunksOf);
  t.same(read.map((c) => c.get(15)?.toString()).sort(), [...TEXTS].sort());
  for (const c of read) {
    t.equal(c.get(17)?.toString(), callName(RUN, 1), 'as X-Carillon-Call says, which both legs share');
    t.equal(c.get(14)?.toString(), 'pw');
    const n = TEXTS.indexOf(c.get(15)?.toString() ?? '');
    t.equal(c.get(7)?.readUInt16BE(), n % 2 === 0 ? 5062 : 5070, 'source port');
    t.equal(c.get(10)?.readUInt32BE(), 1000 * n + 500);
  }
}

/** What Kamailio's sipcapture module reads from each HEP packet: versions, families, protocols, ports, times, ids, the payload's length. */
const READS = {
  version: '$hep(version)',
  family: '$hep(0x001)',
  protocol: '$hep(0x002)',
  ports: '$hep(0x007)-$hep(0x008)',
  at: '$hep(0x009).$hep(0x00a)',
  captureId: '$hep(0x00c)',
  password: '$hep(0x00e)',
  correlationId: '$hep(0x011)',
};
const collector = (address: string, port: number): string => `
debug=-1
log_stderror=yes
children=1
tcp_children=1
auto_aliases=no
listen=udp:${address}:${port}
listen=tcp:${address}:${port}
loadmodule "pv.so"
loadmodule "xlog.so"
loadmodule "db_flatstore.so"
loadmodule "sipcapture.so"
modparam("sipcapture", "db_url", "flatstore:/nowhere")
modparam("sipcapture", "hep_capture_on", 1)
modparam("sipcapture", "nonsip_hook", 1)
request_route { drop; }
event_route[sipcapture:request] { xlog("L_ALERT", "HEP ${Object.values(READS).join(' ')} end\\n"); drop; }
`;

t.test('Kamailio reads it', { skip: hasKamailio ? false : 'kamailio is not installed' }, async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-hep-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const port = await freeUdpPort('127.0.0.1');
  await writeFile(path.join(dir, 'kamailio.cfg'), collector('127.0.0.1', port));
  const kamailio = startPeer('kamailio', ['-f', path.join(dir, 'kamailio.cfg'), '-DD', '-E', '-m', '16', '-Y', dir]);
  t.teardown(() => kamailio.stop('SIGTERM'));
  const read = () => [...kamailio.output().matchAll(/HEP (.+) end/g)].map(([, row]) => (row ?? '').split(' '));
  // Its TCP reader finds the end of a packet by the Content-Length of the contained SIP message.
  for (const [transport, texts] of [
    ['TCP', TEXTS.slice(0, 6)],
    ['UDP', TEXTS.slice(0, 6)],
  ] as const) {
    const before = read().length;
    const exporter = new HepExporter(target(transport, port), {
      mayReach: () => true,
      mayExport: () => true,
      onFault: () => undefined,
    });
    t.teardown(() => exporter.close());
    await until('Kamailio listens', () => exporter.state === 'OPEN');
    const kept = messages(texts, (i) => ({ transport: i < 3 ? 'UDP' : 'TLS', atMs: 0 }));
    exporter.send(kept, RUN, 1_763_763_763_123.456);
    await until(`Kamailio has read all by ${transport}`, () => read().length === before + texts.length);
    t.same(
      read()
        .slice(before)
        .map((row) => Object.fromEntries(Object.keys(READS).map((name, i) => [name, row[i]]))),
      texts.map((_, i) => ({
        version: '3',
        family: '2',
        protocol: i < 3 ? '17' : '6',
        ports: i % 2 === 0 ? '5062-5070' : '5070-5062',
        at: '1763763763.123456',
        captureId: '7',
        password: 'pw',
        correlationId: callName(RUN, 1),
      })),
      `by ${transport}`,
    );
  }
});

t.test('packets go out by UDP, unless the policy forbids the collector', async (t) => {
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (bytes) => received.push(bytes));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  let [may, leaves] = [true, true];
  const exporter = new HepExporter(target('UDP', socket.address().port), {
    mayReach: () => may,
    mayExport: () => leaves,
    onFault: t.fail,
  });
  t.teardown(() => exporter.close());
  await until('the way is open', () => exporter.state === 'OPEN');
  exporter.send(messages(TEXTS), RUN, 0.5);
  await until('all have come', () => received.length === TEXTS.length);
  sameAsSent(t, received);
  await until('all are counted', () => exporter.counters.sent === TEXTS.length);
  t.equal(exporter.counters.dropped, 0);
  exporter.send(messages(['x'.repeat(70_000)]), 'run', 0);
  t.equal(exporter.counters.dropped, 1, 'longer than HEP can say');
  may = false;
  exporter.send(messages(TEXTS), RUN, 0.5);
  t.match(exporter.counters, { sent: TEXTS.length, dropped: 1 + TEXTS.length }, 'the policy was changed');
  [may, leaves] = [true, false];
  exporter.send(messages(TEXTS), RUN, 0.5);
  leaves = true;
  exporter.send(messages(['the last']), RUN, 0.5);
  await until('that one has come', () => received.length > TEXTS.length);
  t.equal(received.length, TEXTS.length + 1, 'what the owner does not let leave is not even dropped');
});

t.test('over TCP, and again when the collector comes back', async (t) => {
  const received: Buffer[] = [];
  let rest = Buffer.alloc(0);
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      while (rest.length >= 6 && rest.length >= rest.readUInt16BE(4)) {
        received.push(Buffer.from(rest.subarray(0, rest.readUInt16BE(4))));
        rest = rest.subarray(rest.readUInt16BE(4));
      }
      if (received.length === TEXTS.length && connections === 1) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const faults: string[] = [];
  const exporter = new HepExporter(target('TCP', (server.address() as AddressInfo).port), {
    mayReach: () => true,
    mayExport: () => true,
    onFault: (reason) => faults.push(reason),
  });
  t.teardown(() => exporter.close());
  exporter.send(messages(['OPTIONS']), 'run', 0);
  t.equal(exporter.counters.dropped, 1, 'before it is open');
  await until('it is open', () => exporter.state === 'OPEN');
  exporter.send(messages(TEXTS), RUN, 0.5);
  await until('all have come', () => received.length === TEXTS.length);
  sameAsSent(t, received);
  await until('it was lost', () => faults.length > 0);
  await until('it is open again', () => exporter.state === 'OPEN' && connections === 2);
  t.equal(faults.length, 1, 'told once');
});

t.test('a collector that does not read, one that nobody may reach, none at all', async (t) => {
  let left: Socket | null = null;
  const deaf = createServer((socket) => {
    left = socket;
    socket.pause();
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  const full = new HepExporter(target('TCP', (deaf.address() as AddressInfo).port), {
    mayReach: () => true,
    mayExport: () => true,
    onFault: () => undefined,
  });
  t.teardown(() => {
    full.close();
    left?.destroy();
    deaf.close();
  });
  await until('it is open', () => full.state === 'OPEN');
  const big = messages([`OPTIONS ${'y'.repeat(60_000)}`]);
  for (let i = 0; i < 1000 && full.counters.dropped < 10; i++) full.send(big, 'run', 0);
  t.equal(full.counters.dropped, 10, 'memory is bounded, and what is lost is counted');

  const refused: string[] = [];
  const forbidden = new HepExporter(target('UDP', 9060), {
    mayReach: () => false,
    mayExport: () => true,
    onFault: (reason) => refused.push(reason),
  });
  await until('it is refused', () => forbidden.state === 'LOST');
  t.match(refused, [/policy of this host does not allow 127\.0\.0\.1/]);
  forbidden.send(messages(TEXTS), 'run', 0);
  t.same(forbidden.counters, { sent: 0, dropped: TEXTS.length });
  forbidden.close();
  t.equal(forbidden.state, 'CLOSED');
});
