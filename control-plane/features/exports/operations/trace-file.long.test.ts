/** SIP messages as a pcapng file: tshark reads the same messages, times and parties; over REST, bounded and filtered. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { patchRtpHeader, writeRtpHeader } from '@carillon/media/rtp/header.ts';
import t, { type Test } from 'tap';
import type { SipTransport } from '../../../contract/run/words.ts';
import type { RtpHeaderFact } from '../../../domain/run/facts.ts';
import { createHttpServer } from '../../../http/server.ts';
import { everyPage, inChunksOfMany, openReading, single } from '../../../testing/reading.ts';
import { KEY, messageChunk } from '../../../testing/world.ts';
import { interfaceBlock, packetBlock, sectionHeader } from '../domain/blocks.ts';
import { MAX_PAYLOAD, TcpFlows, type TransportAddress, udpPacket } from '../domain/packets.ts';

const run = promisify(execFile);
const CHECKS = [
  ...['ip', 'udp', 'tcp'].flatMap((name) => ['-o', `${name}.check_checksum:TRUE`]),
  ...['-d', 'udp.port==20000,rtp'],
];

/** How tshark reads a file, without information about its ports. */
async function read(bytes: Uint8Array) {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-pcapng-'));
  const file = path.join(dir, 'trace.pcapng');
  await writeFile(file, bytes);
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const tshark = async (...args: string[]) =>
    (await run('tshark', ['-n', '-r', file, ...CHECKS, ...args], { maxBuffer: 1 << 28 })).stdout;
  const rows = async (filter: string, ...names: string[]) =>
    (await tshark('-Y', filter, '-T', 'fields', ...names.flatMap((name) => ['-e', name])))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  return { tshark, rows };
}

/** It contains no errors. */
async function sound(t: Test, { rows }: Awaited<ReturnType<typeof read>>) {
  const faults = '_ws.malformed || ip.checksum.status == 0 || udp.checksum.status == 0 || tcp.checksum.status == 0';
  const found = await rows(`${faults} || tcp.analysis.flags`, 'frame.number', '_ws.expert.message');
  t.same(found, [], 'no malformed packet, no wrong checksum, TCP without a gap');
}

const message = (start: string, callId: string, cseq: string, body = '') =>
  [
    start,
    'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKx',
    'From: <sip:a@example.org>;tag=1',
    'To: <sip:b@example.org>',
    `Call-ID: ${callId}`,
    `CSeq: ${cseq}`,
    ...(body === '' ? [] : ['Content-Type: text/plain']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
const CALL = (id: string, body = '') => [
  { sent: true, text: message('INVITE sip:b@example.org SIP/2.0', id, '1 INVITE', body) },
  { sent: false, text: message('SIP/2.0 180 Ringing', id, '1 INVITE') },
  { sent: false, text: message('SIP/2.0 200 OK', id, '1 INVITE', body) },
  { sent: true, text: message('ACK sip:b@example.org SIP/2.0', id, '1 ACK') },
  { sent: true, text: message('BYE sip:b@example.org SIP/2.0', id, '2 BYE') },
  { sent: false, text: message('SIP/2.0 200 OK', id, '2 BYE') },
];
const BEGAN = 1_763_763_763_123_456;

/** Numbered from 65,534 on, 20 ms apart, sent and received in turn; the peer has a different SSRC, and a header extension. */
const PACKETS = 40;
const RTP = (endpoint: number): RtpHeaderFact => {
  const headers = Array.from({ length: PACKETS }, (_, i) => {
    const n = Math.floor(i / 2);
    const header = Buffer.alloc(i % 2 === 0 ? 12 : 20);
    writeRtpHeader(header, 0, 0, i % 2 === 0 ? 0xaaaa : 0xbbbb);
    patchRtpHeader(header, 0, (65_534 + n) & 0xffff, 160 * n);
    if (i % 2 !== 0) header.set([0x90], 0);
    if (i % 2 !== 0) header.set([0xbe, 0xde, 0, 1, 0x10, 0xff, 0, 0], 12);
    return header;
  });
  return {
    endpoint,
    stream: 0,
    localAddress: '192.0.2.1',
    localPort: 20_000,
    peer: '198.51.100.7:30000',
    header: Buffer.concat(headers),
    headerBytes: headers.map((header) => header.length),
    packetBytes: headers.map((header) => header.length + 160),
    sent: headers.map((_, i) => i % 2 === 0),
    unixMs: headers.map((_, i) => baseMs + 1000 + 10 * i),
  };
};

const TEXTS = (n: number) => CALL(`call-${n}`).map(({ text }) => text);
const CALLS = 30;
const { world, begin, report } = await openReading(t, CALLS);
const started = await begin();
const baseMs = Math.floor(Date.now() / 1000) * 1000;
await report(
  started,
  (n) => ({
    // The second half are callees; one of them does not know its caller.
    outcome: { peer: n > CALLS ? n - CALLS : null },
    rtpHeaders: n === 2 ? [RTP(n)] : [],
    messages: [
      messageChunk(n, TEXTS(n), {
        unixMs: TEXTS(n).map((_, i) => baseMs + n * 10 + i + 0.123),
        sent: CALL('').map(({ sent }) => sent),
        method: ['INVITE', 'INVITE', 'INVITE', 'ACK', 'BYE', 'BYE'],
        status: [0, 180, 200, 0, 0, 200],
        callId: TEXTS(n).map(() => `call-${n}`),
        peer: TEXTS(n).map(() => (n % 2 === 0 ? '198.51.100.7:5060' : '[2001:db8::7]:5060')),
        localAddress: n % 2 === 0 ? '192.0.2.1' : '2001:db8::1',
        transport: TEXTS(n).map(() => (n % 3 === 0 ? 'TCP' : 'UDP')),
        localPort: TEXTS(n).map(() => (n % 3 === 0 ? 40_000 + n : 5062)),
      }),
    ],
  }),
  true,
  inChunksOfMany,
);
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());
const where = `/api/v1/projects/${started.projectId}/test-runs/${started.runId}`;
const get = (url: string, key = KEY) =>
  app.inject({ method: 'GET', url: where + url, headers: { authorization: `Bearer ${key}` } });
const messages = await everyPage(started, 'listTestRunMessages');
const [first] = await everyPage(started, 'listTestRunEndpoints');

t.test('every transport and address, odd lengths, more than a packet takes', async (t) => {
  const paths: { own: TransportAddress; peer: TransportAddress; transport: SipTransport; body: string }[] = [
    {
      own: { address: '192.0.2.1', port: 5060 },
      peer: { address: '198.51.100.7', port: 5060 },
      transport: 'UDP',
      body: '',
    },
    {
      own: { address: '192.0.2.1', port: 40_001 },
      peer: { address: '198.51.100.7', port: 41_234 },
      transport: 'UDP',
      body: 'odd',
    },
    {
      own: { address: '2001:db8::1', port: 5060 },
      peer: { address: '2001:db8:0:7::c633:6407', port: 5080 },
      transport: 'UDP',
      body: 'x',
    },
    {
      own: { address: '::1', port: 33_000 },
      peer: { address: '::ffff:192.0.2.9', port: 5060 },
      transport: 'TCP',
      body: 'y'.repeat(3001),
    },
    {
      own: { address: '192.0.2.1', port: 33_001 },
      peer: { address: '198.51.100.7', port: 5060 },
      transport: 'TCP',
      body: '',
    },
    {
      own: { address: '192.0.2.1', port: 33_002 },
      peer: { address: '198.51.100.7', port: 5061 },
      transport: 'TLS',
      body: 'zz',
    },
    {
      own: { address: '192.0.2.1', port: 33_003 },
      peer: { address: '198.51.100.7', port: 5088 },
      transport: 'WS',
      body: '',
    },
    {
      own: { address: '192.0.2.1', port: 33_004 },
      peer: { address: '198.51.100.7', port: 5070 },
      transport: 'TCP',
      body: 'w'.repeat(MAX_PAYLOAD + 1),
    },
  ];
  const flows = new TcpFlows();
  const blocks = [sectionHeader('test', 'all of it'), interfaceBlock('edge-1', 'an agent')];
  const expected: string[][] = [];
  let n = 0;
  for (const [i, { own, peer, transport, body }] of paths.entries()) {
    for (const { sent, text } of CALL(`call-${i}`, body)) {
      const [from, to] = sent ? [own, peer] : [peer, own];
      const at = BEGAN + 1001 * n++;
      const bytes = Buffer.from(text, 'latin1');
      const packets = transport === 'UDP' ? [udpPacket(from, to, bytes)] : flows.packets(from, to, bytes);
      for (const packet of packets) blocks.push(packetBlock(0, at, sent, packet));
      expected.push([
        `${Math.floor(at / 1e6)}.${String(at % 1e6).padStart(6, '0')}`,
        String(from.port),
        String(to.port),
        sent ? '0x00000002' : '0x00000001',
        `call-${i}`,
      ]);
    }
  }
  const file = await read(Buffer.concat(blocks));
  await sound(t, file);
  const sip = await file.rows(
    'sip',
    'frame.time_epoch',
    'udp.srcport',
    'tcp.srcport',
    'udp.dstport',
    'tcp.dstport',
    'frame.packet_flags',
    'sip.Call-ID',
  );
  t.same(
    sip.map(([at = '', udpFrom, tcpFrom, udpTo, tcpTo, flags, id]) => [
      at.slice(0, -3),
      udpFrom || tcpFrom,
      udpTo || tcpTo,
      flags,
      id,
    ]),
    expected,
  );
  t.equal(new Set((await file.rows('sip', 'ipv6.src')).flat()).size > 2, true);
  const stat = await file.tshark('-q', '-z', 'sip,stat');
  t.match(stat, new RegExp(`Number of SIP messages: ${expected.length}`));
  for (const method of ['INVITE', 'ACK', 'BYE']) t.match(stat, new RegExp(`${method}\\s*:\\s*${paths.length} `));
});

t.test('over REST: the whole run, in order, as the list tells it', async (t) => {
  const response = await get('/trace.pcapng');
  t.equal(response.statusCode, 200);
  t.equal(response.headers['content-type'], 'application/x-pcapng');
  t.equal(response.headers['content-disposition'], `attachment; filename="run-${started.runId}.pcapng"`);
  const file = await read(response.rawPayload);
  await sound(t, file);
  const rows = await file.rows(
    'sip',
    'frame.time_epoch',
    'sip.Call-ID',
    'sip.CSeq.method',
    'sip.Status-Code',
    'frame.interface_name',
  );
  t.equal(rows.length, 2 * CALLS * 6);
  t.same(
    rows.map(([at = '', id, method, status]) => [Math.floor(Number(at) * 1000), id, method, Number(status)]),
    messages.map((m) => [Date.parse(m.at), m.callId, m.method, m.statusCode ?? 0]),
  );
  t.ok(
    rows.every(([at = '']) => /\.\d{3}12[234]000$/.test(at)),
    'to the microsecond',
  );
  t.same(new Set(rows.map((row) => row[4])).size, 2, 'an interface for each agent');
  t.match(await file.tshark('-q', '-z', 'sip,stat'), new RegExp(`Number of SIP messages: ${rows.length}`));
});

t.test('one endpoint, some of the messages, and none', async (t) => {
  const one = await read((await get(`/endpoints/${first?.id}/trace.pcapng`)).rawPayload);
  t.equal((await one.rows('sip', 'sip.Call-ID')).length, 6);
  const invites = await read((await get('/trace.pcapng?method=INVITE&direction=SENT')).rawPayload);
  t.equal((await invites.rows('sip', 'sip.Call-ID')).length, 2 * CALLS);
  const none = await get('/trace.pcapng?call_id=nobody');
  t.equal(none.statusCode, 200);
  t.same(await (await read(none.rawPayload)).rows('frame', 'frame.number'), []);
  t.equal((await get('/endpoints/nobody/trace.pcapng')).statusCode, 404);
  t.equal((await get('/trace.pcapng?status=many')).statusCode, 422);
  t.equal((await get('/trace.pcapng', `crl_${'f'.repeat(32)}`)).statusCode, 401);
});

t.test('headers of RTP beside them: what tshark counts is what was kept', async (t) => {
  const names = ['rtp.seq', 'rtp.ssrc', 'rtp.timestamp', 'udp.length', 'frame.time_epoch', 'frame.packet_flags'];
  const rtpOf = async (query: string) => {
    const file = await read((await get(`/trace.pcapng${query}`)).rawPayload);
    const { tshark } = file;
    return { file, rows: await file.rows('rtp', ...names), tshark };
  };
  const { file, rows } = await rtpOf('');
  await sound(t, file);
  t.equal(rows.length, PACKETS);
  t.same(
    rows.map(([sequence, ssrc, timestamp, length, at = '', flags]) => [
      Number(sequence),
      Number(ssrc),
      Number(timestamp),
      Number(length),
      Math.round(Number(at) * 1000) - baseMs - 1000,
      Number(flags),
    ]),
    rows.map((_, i) => {
      const n = Math.floor(i / 2);
      return [(65_534 + n) & 0xffff, i % 2 ? 0xbbbb : 0xaaaa, 160 * n, 180 + (i % 2) * 8, 10 * i, i % 2 ? 1 : 2];
    }),
  );
  const times = (await file.rows('frame', 'frame.time_epoch')).map(([at]) => Number(at));
  t.same(
    times,
    [...times].sort((a, b) => a - b),
    'in order of time, SIP and RTP',
  );
  t.match(await file.tshark('-q', '-z', 'rtp,streams'), /0x0000AAAA.+\s20\s+0 \(0/, 'no packet is missing to tshark');
  t.equal((await rtpOf('?direction=SENT')).rows.length, PACKETS / 2);
  t.equal((await rtpOf('?method=INVITE')).rows.length, 0, 'a request for one kind of messages returns only those');
  const [, , third] = await everyPage(started, 'listTestRunEndpoints');
  t.equal((await rtpOf(`?endpoint_id=${first?.id}`)).rows.length, 0);
  t.equal((await rtpOf(`?endpoint_id=${third?.id}`)).rows.length, PACKETS);
});

t.test('both ends of a call are found by each other, where the INVITE told', async (t) => {
  const ends = await everyPage(started, 'listTestRunEndpoints');
  const peerOf = async (n: number) =>
    (await single(started, 'getTestRunEndpoint', { endpointId: ends[n]?.id ?? '' })).peerEndpointId;
  t.equal(await peerOf(3), ends[CALLS + 3]?.id);
  t.equal(await peerOf(CALLS + 3), ends[3]?.id);
  t.equal(await peerOf(0), null);
  t.equal(await peerOf(CALLS), null);
  const callIds = async (n: number, legs: string) =>
    new Set(
      (await everyPage(started, 'listTestRunMessages', { endpoint_id: ends[n]?.id ?? '', legs })).map((m) => m.callId),
    );
  t.same(await callIds(3, 'BOTH'), new Set(['call-3', `call-${CALLS + 3}`]));
  t.same(await callIds(CALLS + 3, 'BOTH'), new Set(['call-3', `call-${CALLS + 3}`]));
  t.same(await callIds(3, 'ONE'), new Set(['call-3']));
  t.same(await callIds(0, 'BOTH'), new Set(['call-0']), 'nobody knows the other end');
  const both = await read((await get(`/trace.pcapng?legs=BOTH&endpoint_id=${ends[3]?.id}`)).rawPayload);
  t.equal((await both.rows('sip', 'sip.Call-ID')).length, 12);
});
