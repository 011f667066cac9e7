/**
 * Ways to a target that the owner forbids: each is tried on real threads and sockets, with a name server and a scripted peer
 * that is allowed; meanwhile dumpcap captures at the forbidden addresses. Each refusal has a name in the run, and no packet is
 * sent there.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isFindingKind, wire } from '@carillon/proto';
import t from 'tap';
import { ownLoopback } from '../../scripts/peers/network/loopback.ts';
import { NameServer, naptr, srv } from '../../scripts/peers/network/name-server.ts';
import { holds } from '../../scripts/peers/process.ts';
import { startCapture } from '../../scripts/peers/referees/tshark.ts';
import { nowMs } from '../clock.ts';
import { reachPredicate } from '../policy/judge.ts';
import { DayMinutes } from '../policy/minutes.ts';
import { readPolicy } from '../policy/policy.ts';
import { abilitiesOf } from '../rtp/abilities.ts';
import { startMediaThreads } from '../rtp/threads/media-threads.ts';
import { Book } from '../run/allocation/book.ts';
import { HostPace } from '../run/limits/host-pace.ts';
import type { OutcomeFact } from '../run/report/facts.ts';
import { startSignallingThread } from '../run/threads/signalling-host.ts';
import { openPolicyPeer, type Script } from '../testing/policy-peer.ts';

const net = ownLoopback();
const elsewhere = ownLoopback();
const [HERE, PEER, DNS] = [net.address(11), net.address(20), net.address(30)];
const FORBIDDEN = elsewhere.address(66);
const HEX = FORBIDDEN.split('.')
  .map((part) => Number(part).toString(16).padStart(2, '0'))
  .join('')
  .replace(/^(....)/, '$1:');

const policy = { ...(await readPolicy(null)), targetNetworks: [net.network], targetDomains: ['*.test'] };
const dns = await NameServer.start({}, DNS);
dns.ttlSeconds = 0;
const peer = await openPolicyPeer(PEER);
const listening = createSocket('udp4');
listening.bind(5060, FORBIDDEN);
await once(listening, 'listening');
let datagrams = 0;
listening.on('message', () => datagrams++);
const capture = await startCapture(elsewhere.network, () => [5060]);

dns.zone = {
  'A peer.test': [PEER],
  'A away.test': [FORBIDDEN],
  'AAAA six.test': ['2001:db8::1'],
  'SRV _sip._udp.served.test': [srv(1, 1, 5060, 'away.test')],
  'NAPTR ordered.test': [naptr(1, 1, 'SIP+D2U', '_sip._udp.served.test')],
  'CNAME alias.test': ['away.test'],
  'SRV _sip._udp.second.test': [srv(1, 1, peer.port, 'peer.test'), srv(2, 1, 5060, 'away.test')],
};

const media = await startMediaThreads(1, {
  adapter: 'auto',
  capacity: 400,
  firstPort: 20_000,
  lastPort: 24_000,
  realtime: false,
});
const outcomes = new Map<string, OutcomeFact>();
const thread = await startSignallingThread(
  {
    address: HERE,
    port: 0,
    adapter: 'auto',
    drachtio: null,
    userAgentName: 'Carillon/test',
    policy,
    paceMemory: new HostPace(1000).memory,
    minutesMemory: new DayMinutes().memory,
    dns: { servers: [dns.place], timeoutMs: 10_000, tries: 1 },
    tls: { port: 0 },
    latestStartMs: 60_000,
  },
  media,
  {
    onFacts: (facts) => {
      for (const one of facts) book.onFacts(0, one);
    },
    onNoise: () => undefined,
    onFault: (message, stack) => t.fail(`${message} ${stack}`),
  },
);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never;
const numbers = new Map<number, string>();
const book: Book = new Book({
  threads: [thread],
  memories: media.memories,
  limits: () => ({
    policy,
    mayReach: reachPredicate(policy),
    room: 1000,
    streamRoom: 1000,
    abilities: abilitiesOf(media),
  }),
  log: quiet,
  events: {
    onOutcome: (o) => outcomes.set(numbers.get(o.endpoint) ?? '', o),
    onSip: () => undefined,
    onSamples: () => undefined,
    onStream: () => undefined,
  },
});
t.teardown(async () => {
  listening.close();
  peer.close();
  dns.close();
  await thread.close();
  await media.close();
});

const { Allocation, Role } = wire.agent.v1;
type Group = wire.agent.v1.Group.$Properties;
type Row = {
  readonly way: string;
  readonly name: string;
  /** To the peer, unless it says otherwise. */
  readonly target?: string;
  readonly group?: Group;
  readonly script?: Script;
  readonly callee?: boolean;
};

const TARGET = 'TARGET_NOT_ALLOWED';
const NUMBER = 'NUMBER_NOT_ALLOWED';
/** A target that the peer suggests is ignored: the call continues as before, and nothing is sent there. */
const UNHEEDED = 'not heeded';
const away = `sip:x@${FORBIDDEN}`;
const registers: Group = {
  register: true,
  registrarUri: 'sip:peer.test',
  registerExpiresSeconds: 3600,
  registerRetry: null,
  nextHop: `${PEER}:${peer.port}`,
  domain: 'peer.test',
};
const follows: Group = { signalling: { maxRedirects: 5 } };
const redirect = (status: number, ...contacts: string[]): Script => ({
  final: { status, lines: contacts.map((contact) => `Contact: ${contact}`) },
});
const to = (host: string): string => `sip:x@${host}`;

const rows: Row[] = [
  { way: 'target: address', name: TARGET, target: to(FORBIDDEN) },
  { way: 'target: address and port', name: TARGET, target: to(`${FORBIDDEN}:5080`) },
  { way: 'target: over TCP', name: TARGET, target: `${to(FORBIDDEN)};transport=tcp` },
  { way: 'target: over TLS', name: TARGET, target: `sips:x@${FORBIDDEN}` },
  { way: 'target: IPv6', name: TARGET, target: to('[2001:db8::1]') },
  { way: 'target: IPv6-mapped', name: TARGET, target: to(`[::ffff:${FORBIDDEN}]`) },
  { way: 'target: IPv6-mapped in hexadecimal', name: TARGET, target: to(`[::ffff:${HEX}]`) },
  { way: 'target: 6to4', name: TARGET, target: to(`[2002:${HEX}::1]`) },
  { way: 'target: decimal', name: TARGET, target: to('2130706433') },
  { way: 'target: octal', name: TARGET, target: to('0177.0.0.1') },
  { way: 'target: hexadecimal', name: TARGET, target: to('0x7f000001') },
  { way: 'target: a name outside the domains', name: TARGET, target: to('pbx.example') },
  { way: 'outbound proxy', name: TARGET, group: { nextHop: `${FORBIDDEN}:5060` } },
  { way: 'outbound proxy by name', name: TARGET, group: { nextHop: 'away.test' } },
  {
    way: 'target behind an outbound proxy',
    name: TARGET,
    target: to(FORBIDDEN),
    group: { nextHop: `${PEER}:${peer.port}` },
  },
  { way: 'WebSocket', name: TARGET, group: { nextHop: `${FORBIDDEN}:80`, protocol: 'WS' } },
  { way: 'DNS: A', name: TARGET, target: to('away.test') },
  { way: 'DNS: CNAME', name: TARGET, target: to('alias.test') },
  { way: 'DNS: SRV', name: TARGET, target: to('served.test') },
  { way: 'DNS: NAPTR', name: TARGET, target: to('ordered.test') },
  { way: 'number: +', name: NUMBER, target: 'sip:+112@peer.test' },
  { way: 'number: 00', name: NUMBER, target: 'sip:0019005551234@peer.test' },
  { way: 'number: tel:', name: NUMBER, target: 'tel:+1-900-555-1234' },
  { way: 'number: separators', name: NUMBER, target: 'sip:1-(900).555-1234@peer.test' },
  { way: 'number: user=phone', name: NUMBER, target: 'sip:+19005551234@peer.test;user=phone' },
  { way: 'number: escapes', name: NUMBER, target: 'sip:%31%31%32@peer.test' },
  { way: 'number: escapes, twice', name: NUMBER, target: 'sip:%2531%2531%2532@peer.test' },
  { way: 'number: full-width digits', name: NUMBER, target: 'sip:\uff11\uff11\uff12@peer.test' },
  { way: 'number: Arabic digits', name: NUMBER, target: 'sip:\u0661\u0661\u0662@peer.test' },
  { way: 'number: phone-context', name: NUMBER, target: 'sip:5551234;phone-context=+1900@peer.test' },
  { way: 'number: feature code', name: NUMBER, target: 'sip:*31%23112@peer.test' },
  { way: '302 to an address', name: TARGET, group: follows, script: redirect(302, `<${away}>`) },
  {
    way: '302 to several',
    name: TARGET,
    group: follows,
    script: redirect(302, `<${away}>`, `<${to('away.test')}>;q=0.1`),
  },
  { way: '302 to a name', name: TARGET, group: follows, script: redirect(302, '<sip:x@away.test>') },
  { way: '302 to maddr', name: TARGET, group: follows, script: redirect(302, `<sip:x@peer.test;maddr=${FORBIDDEN}>`) },
  { way: '302 to a number', name: NUMBER, group: follows, script: redirect(302, `<sip:112@${PEER}:5060>`) },
  { way: '302 to tel:', name: NUMBER, group: follows, script: redirect(302, '<tel:+1-900-555-1234>') },
  { way: '305 Use Proxy', name: TARGET, group: follows, script: redirect(305, `<sip:${FORBIDDEN};lr>`) },
  { way: '300 IPv6-mapped', name: TARGET, group: follows, script: redirect(300, `<sip:x@[::ffff:${FORBIDDEN}]>`) },
  { way: 'Contact of the 200', name: TARGET, script: { final: { contact: away } } },
  { way: 'Contact of the 200, a name', name: TARGET, script: { final: { contact: to('away.test') } } },
  {
    way: 'Contact of the 200, maddr',
    name: TARGET,
    script: { final: { contact: `sip:x@${PEER};maddr=${FORBIDDEN}` } },
  },
  { way: 'Record-Route', name: TARGET, script: { final: { lines: [`Record-Route: <sip:${FORBIDDEN};lr>`] } } },
  { way: 'Record-Route, a name', name: TARGET, script: { final: { lines: ['Record-Route: <sip:away.test;lr>'] } } },
  {
    way: 'Contact of a reliable 183',
    name: TARGET,
    group: { signalling: { reliableProvisional: 'SUPPORTED' } },
    script: { early: { status: 183, contact: away, lines: ['Require: 100rel', 'RSeq: 1'], sdp: {} } },
  },
  { way: 'Contact of a re-INVITE', name: TARGET, script: { next: { method: 'INVITE', contact: away, sdp: {} } } },
  { way: 'Contact of an UPDATE', name: TARGET, script: { next: { method: 'UPDATE', contact: away, sdp: {} } } },
  {
    way: 'a name that moves between check and send',
    name: TARGET,
    group: { ...registers, nextHop: `moving.test:${peer.port}` },
    script: { moves: 'moving.test' },
  },
  { way: 'SDP: c= of the answer', name: TARGET, script: { final: { sdp: { address: FORBIDDEN } } } },
  { way: 'SDP: c= of the audio', name: TARGET, script: { final: { sdp: { audio: FORBIDDEN } } } },
  {
    way: 'SDP: c= of the video',
    name: TARGET,
    group: { videoCodecs: ['VP8'], videoSource: 'PATTERN' },
    script: { final: { sdp: { video: FORBIDDEN } } },
  },
  { way: 'SDP: a=rtcp', name: UNHEEDED, script: { final: { sdp: { rtcp: FORBIDDEN } } } },
  { way: 'SDP: early media', name: UNHEEDED, script: { early: { status: 183, sdp: { address: FORBIDDEN } } } },
  { way: 'SDP: re-INVITE', name: TARGET, script: { next: { method: 'INVITE', sdp: { address: FORBIDDEN } } } },
  { way: 'SDP: UPDATE', name: TARGET, script: { next: { method: 'UPDATE', sdp: { address: FORBIDDEN } } } },
  { way: 'RTP from there', name: UNHEEDED, script: { rtpFrom: FORBIDDEN } },
  { way: 'REFER to an address', name: TARGET, script: { next: { method: 'REFER', lines: [`Refer-To: <${away}>`] } } },
  {
    way: 'REFER to a name',
    name: TARGET,
    script: { next: { method: 'REFER', lines: ['Refer-To: <sip:x@pbx.example>'] } },
  },
  {
    way: 'REFER to a number',
    name: NUMBER,
    script: { next: { method: 'REFER', lines: ['Refer-To: <sip:911@peer.test>'] } },
  },
  { way: 'received and rport of a response', name: UNHEEDED, script: { via: `;received=${FORBIDDEN};rport=5060` } },
  {
    way: '503, and the next server',
    name: 'SERVER_ERROR',
    target: to('second.test'),
    script: { final: { status: 503, lines: ['Retry-After: 5'] } },
  },
  {
    way: 'Service-Route of the registrar',
    name: UNHEEDED,
    group: registers,
    script: {
      registrar: { status: 200, lines: [`Service-Route: <sip:${FORBIDDEN};lr>`, `Path: <sip:${FORBIDDEN};lr>`] },
    },
  },
  {
    way: 'redirect by the registrar',
    name: 'REGISTRATION_REJECTED',
    group: registers,
    script: { registrar: { status: 302, lines: [`Contact: <${away}>`] } },
  },
  { way: 'callee: Contact', name: TARGET, callee: true, script: { calls: { contact: away } } },
  {
    way: 'callee: Record-Route',
    name: TARGET,
    callee: true,
    script: { calls: { lines: [`Record-Route: <sip:${FORBIDDEN};lr>`] } },
  },
  { way: 'callee: SDP', name: TARGET, callee: true, script: { calls: { sdp: { address: FORBIDDEN } } } },
  {
    way: 'callee: Via sent-by, maddr',
    name: UNHEEDED,
    callee: true,
    script: { calls: { via: `${FORBIDDEN}:5060;maddr=${FORBIDDEN};rport` } },
  },
];

function allocation(row: Row, number: number): wire.agent.v1.Allocation {
  const target = row.target ?? `sip:case${number}@peer.test:${peer.port}`;
  const properties: wire.agent.v1.Allocation.$Properties = {
    role: row.callee ? Role.CALLEE : Role.CALLER,
    callDurationMs: 700,
    answerTimeoutMs: 30_000,
    receiveWindowMs: 60_000,
    hardEndMs: 90_000,
    keepMessages: false,
    group: { audioCodecs: ['PCMU'], telephoneEvent: false, ...row.group },
    endpoints: {
      number: [number],
      listener: [0],
      registerAtMs: [0],
      callAtMs: [300],
      user: [`case${number}`],
      accountUser: [row.group?.register ? `case${number}` : ''],
      accountPassword: [row.group?.register ? 'secret' : ''],
      targetUri: [row.callee ? '' : target],
    },
  };
  return Allocation.decode(Allocation.encode(properties).finish()) as wire.agent.v1.Allocation;
}

t.test(`${rows.length} ways to a forbidden target`, async (t) => {
  const refusals = new Map<string, string>();
  const ready = new Set<string>();
  const gather = (): void => {
    book.sample(nowMs());
    for (const { id, state, reasonCode } of book.take()) {
      if (state === 'REFUSED') refusals.set(id, reasonCode);
      if (state === 'READY') ready.add(id);
    }
  };
  const gathered = (condition: () => boolean): Promise<boolean> => holds(condition, { everyMs: 50, turn: gather });
  for (const [number, row] of rows.entries()) {
    numbers.set(number, row.way);
    if (row.script) peer.scripts.set(row.target === undefined ? `case${number}` : 'x', row.script);
    await book.allocate(row.way, 'run', allocation(row, number));
  }
  await gathered(() => rows.every(({ way }) => ready.has(way) || refusals.has(way)));
  book.start(book.held, nowMs() + 50);
  for (const [number, { callee, script }] of rows.entries())
    if (callee && script?.calls) peer.call(`sip:case${number}@${HERE}:${thread.ready.port}`, `case${number}`, script);
  peer.onMove = (name) => {
    dns.zone[`A ${name}`] = [FORBIDDEN];
  };
  dns.zone['A moving.test'] = [PEER];
  await gathered(() => rows.every(({ way, callee }) => callee || outcomes.has(way) || refusals.has(way)));
  // Callees report nothing by themselves; the end of the run creates their reports after the calls to them have come.
  await gathered(() => rows.every(({ callee }, number) => !callee || peer.answered.has(`case${number}`)));
  book.stopAll('the run is over');
  await gathered(() => book.isIdle);
  const recording = await capture.stop();
  const there = await recording.select(`ip.dst == ${elsewhere.network}`, []);
  await recording.remove();

  for (const { way, name } of rows) {
    const outcome = outcomes.get(way);
    // The peer sends no media: the finding NO_MEDIA is not a refusal.
    const cause = isFindingKind(outcome?.cause ?? '') ? null : outcome?.cause;
    const found = refusals.get(way) ?? cause ?? (outcome === undefined ? 'nothing' : UNHEEDED);
    t.equal(found, name, `${way}: ${outcome?.causeText ?? ''}`);
  }
  t.same(there, [], 'a stranger saw no packet to the forbidden network');
  t.equal(datagrams, 0, 'nor did who listens there');
  t.ok(rows.length >= 40);
});
