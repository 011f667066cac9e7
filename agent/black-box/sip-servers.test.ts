/**
 * One call through real servers: the DNS of a real name server returns four; the first does not exist, SIPp answers 503,
 * another one is silent, the last accepts the call. While no answer can come the engine's clock runs sixteen times as fast as
 * real time, so that timer B ends after two seconds; if the host stalls, the clock stalls, too.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t from 'tap';
import { freeUdpPort } from '../../scripts/peers/network/loopback.ts';
import { NameServer, naptr, srv } from '../../scripts/peers/network/name-server.ts';
import { holds } from '../../scripts/peers/process.ts';
import { nowMs } from '../clock.ts';
import { CoreEngine } from '../sip/core/engine.ts';
import { Inbox, openPorts } from '../sip/core/ports.ts';
import type { SipTarget } from '../sip/engine.ts';
import { openLocator } from '../sip/locate/open-locator.ts';
import { scenario, startSipp } from '../testing/sip/sipp.ts';
import { CallLog, SDP } from '../testing/sip/virtual.ts';
import { withOwner } from '../testing/sip/with-owner.ts';

const HASTE = 16;
/** Of real time; anything longer is a stall that the engine did not see. */
const MAX_A_TURN_MS = 10;
let engineMs = nowMs();
let turnedMs = nowMs();
const clock = (): number => engineMs;
const passTime = (): void => {
  const now = nowMs();
  // SIPp may be stalled, and has all the time that the RFC gives it.
  const isInVain = [gonePort, silentPort].some((port) => sent.at(-1) === `SENT INVITE ${port}`);
  engineMs += Math.min(now - turnedMs, MAX_A_TURN_MS) * (isInVain ? HASTE : 1);
  turnedMs = now;
};

class Log extends CallLog {
  readonly ways: string[] = [];
  dnsMs = Number.NaN;
  onLocated(tookMs: number): void {
    this.dnsMs = tookMs;
  }
  onFailover(method: string, from: SipTarget, to: SipTarget, reason: string): void {
    this.ways.push(`${method} ${from.port} ${to.port} ${reason.slice(0, 3)}`);
  }
}

const [busy, good] = await Promise.all([startSipp(scenario('unavailable')), startSipp(['-sn', 'uas'])]);
const silent = createSocket('udp4');
const heard: string[] = [];
silent.on('message', (message) => heard.push(message.toString('latin1')));
silent.bind(0, '127.0.0.1');
await once(silent, 'listening');
const silentPort = silent.address().port;
/** No process binds it. */
const gonePort = await freeUdpPort('127.0.0.1');
const names = await NameServer.start({
  'NAPTR pbx.example': [naptr(1, 1, 'SIP+D2U', '_sip._udp.pbx.example')],
  'SRV _sip._udp.pbx.example': [
    srv(5, 0, gonePort, 'a.pbx.example'),
    srv(10, 0, busy?.port ?? 0, 'a.pbx.example'),
    srv(20, 0, silentPort, 'a.pbx.example'),
    srv(30, 0, good?.port ?? 0, 'a.pbx.example'),
  ],
  'A a.pbx.example': ['127.0.0.1'],
});
const options = {
  address: '127.0.0.1',
  port: 0,
  adapter: 'auto' as const,
  userAgentName: 'carillon-test',
  mayReach: () => true,
  onUnclaimedCall: () => null,
};
const inbox = new Inbox();
const { datagrams, streams } = await openPorts(options, inbox);
const locator = openLocator({ servers: [names.place], timeoutMs: 10_000, tries: 2 }, '127.0.0.1', clock);
const errors: unknown[] = [];
const sent: string[] = [];
const engine = new CoreEngine(
  { ...options, locator, onInternalError: (error) => errors.push(error) },
  datagrams,
  inbox,
  clock,
  streams,
);
const agent = engine.createUserAgent(
  withOwner({
    aor: 'sip:alice@carillon.test',
    contactUser: 'alice',
    credentials: null,
    registrarUri: null,
    nextHop: null,
    routeSet: [],
    traffic: { onMessage: ({ direction, method, peerPort }) => void sent.push(`${direction} ${method} ${peerPort}`) },
    onIncomingCall: () => null,
  }),
);

t.teardown(() => {
  busy?.stop();
  good?.stop();
  silent.close();
  names.close();
  locator.close();
  engine.close();
});

/** Timers pass by virtual time. */
const until = (condition: () => boolean): Promise<boolean> => {
  const turn = (): void => {
    passTime();
    locator.turn(clock());
    engine.turn(clock());
  };
  return holds(condition, { everyMs: 1, turn });
};

/** The kernel reports ICMP errors to batched I/O; node:dgram does not get them, so timer B decides. */
const hears = engine.adapter === 'ffi';

t.test(
  'nobody there, 503, silence, answer',
  { skip: busy === null || good === null ? 'SIPp is not installed' : false },
  async (t) => {
    const log = new Log();
    const call = agent.invite('sip:9000@pbx.example', SDP(), log);
    await until(() => log.events.some((event) => /answered|failed/.test(event)));
    t.equal(log.events.at(-1), 'answered 200');
    t.same(log.ways, [
      `INVITE ${gonePort} ${busy?.port} ${hears ? 'ICM' : 'no '}`,
      `INVITE ${busy?.port} ${silentPort} 503`,
      `INVITE ${silentPort} ${good?.port} no `,
    ]);
    const tries = sent.filter((line) => line === `SENT INVITE ${gonePort}`).length;
    t.ok(!hears || tries === 1, 'ICMP leads on at once (RFC 3261, 18.4): nothing is sent there again');
    t.equal(log.events.filter((event) => event === 'sent').length, 1, 'one attempt');
    t.ok(log.dnsMs > 0, `the DNS took ${log.dnsMs} ms of the engine's time`);
    const calls = new Set(heard.map((text) => /^Call-ID: (.*)\r$/m.exec(text)?.[1]));
    t.same([...calls], [call.callId]);
    t.ok(heard.every((text) => /^CSeq: 1 INVITE\r$/m.test(text)));
    call.hangUp();
    await until(() => log.events.some((event) => event.startsWith('ended')));
    t.same(errors, []);
    t.same(
      names.asked,
      ['UDP NAPTR pbx.example', 'UDP SRV _sip._udp.pbx.example', 'UDP A a.pbx.example'],
      'each question once',
    );
  },
);

t.test('the name server dies: what is known holds, what is not fails by name', async (t) => {
  names.zone = { 'A gone.example': 'SERVFAIL' };
  const log = new Log();
  agent.invite('sip:9000@gone.example:5060', SDP(), log);
  await until(() => log.events.length > 0);
  t.same(log.events, ['failed DNS null']);
  t.match(log.failures[0]?.reason, /A gone\.example: the name server answered SERVFAIL/);
});
