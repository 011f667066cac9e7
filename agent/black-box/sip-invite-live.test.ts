/** The INVITE phase against SIPp: one instance for each scenario, in parallel. */
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { holds } from '../../scripts/peers/process.ts';
import { nowMs } from '../clock.ts';
import {
  type Call,
  type Credentials,
  type IncomingCall,
  PLAIN_SIGNALLING,
  type SignallingOptions,
  type SipTarget,
  type UserAgentOptions,
} from '../sip/engine.ts';
import { agentOf, isOver, side, withoutRepeats } from '../testing/sip/sides.ts';
import { type AgentSipp, startSipp } from '../testing/sip/sipp.ts';
import {
  answer,
  CONTACT,
  expect,
  expectStatus,
  firstRequest,
  type MessageCheck,
  ok,
  pause,
  request,
  writeScenario,
} from '../testing/sip/sipp-scenario.ts';
import { CallLog, SDP } from '../testing/sip/virtual.ts';

const CALLS = 5;
const OURS = SDP('sendrecv', '127.0.0.1');
const RELIABLE: Partial<SignallingOptions> = { reliableProvisional: 'SUPPORTED' };
const SESSION: MessageCheck = ['msg', 'm=audio 4000'];
const reliable = (rseq: number): string[] => ['Require: 100rel', `RSeq: ${rseq}`, CONTACT];
const BYE_ENDS = [expect('BYE'), ok()];

type Outgoing = {
  name: string;
  steps: string[];
  signalling?: Partial<SignallingOptions>;
  delayed?: boolean;
  credentials?: Credentials;
  /** Of another server, which is tried first. */
  before?: string[];
  /** When the call is hung up: when it is answered, unless stated otherwise. */
  hangUp?: 'AT_ONCE' | 'RINGING' | 'BEHIND_LOSER';
  events: string[];
};

const OUTGOING: Outgoing[] = [
  {
    name: 'forked 200s: the loser is acknowledged and hung up',
    steps: [
      expect('INVITE'),
      answer('180 Ringing', 'a', [CONTACT]),
      answer('180 Ringing', 'b', [CONTACT]),
      answer('200 OK', 'b', [CONTACT], OURS),
      expect('ACK', ['To:', 'tag=b-']),
      answer('200 OK', 'a', [CONTACT], OURS),
      expect('ACK', ['To:', 'tag=a-']),
      expect('BYE', ['To:', 'tag=a-']),
      ok(),
      expect('BYE', ['To:', 'tag=b-']),
      ok(),
    ],
    hangUp: 'BEHIND_LOSER',
    events: ['sent', 'provisional 180', 'provisional 180', 'answered 200', 'ended LOCAL'],
  },
  {
    name: '183 without To tag',
    steps: [
      expect('INVITE'),
      answer('183 Session Progress', '', [], OURS),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK', ['To:', 'tag=x-']),
      ...BYE_ENDS,
    ],
    events: ['sent', 'provisional 183', 'preview', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'strict router',
    steps: [
      expect('INVITE'),
      answer('200 OK', 'x', ['Record-Route: <sip:strict@[local_ip]:[local_port]>', CONTACT], OURS),
      expect('ACK', ['msg', '^ACK sip:strict@'], ['Route:', '<sip:callee@']),
      expect('BYE', ['msg', '^BYE sip:strict@'], ['Route:', '<sip:callee@']),
      ok(),
    ],
    events: ['sent', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'PRACK without a description',
    signalling: RELIABLE,
    steps: [
      expect('INVITE', ['Supported:', '100rel']),
      answer('180 Ringing', 'x', reliable(7)),
      expect('PRACK', ['RAck:', '7 1 INVITE']),
      ok(),
      answer('183 Session Progress', 'x', reliable(8)),
      expect('PRACK', ['RAck:', '8 1 INVITE'], ['CSeq:', '3 PRACK']),
      ok(),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK'),
      ...BYE_ENDS,
    ],
    events: ['sent', 'provisional 180', 'provisional 183', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'PRACK for an answer in the 183',
    signalling: { reliableProvisional: 'REQUIRED' },
    steps: [
      expect('INVITE', ['Require:', '100rel']),
      answer('183 Session Progress', 'x', reliable(1), OURS),
      expect('PRACK', ['RAck:', '1 1 INVITE']),
      ok(),
      answer('200 OK', 'x', [CONTACT]),
      expect('ACK'),
      ...BYE_ENDS,
    ],
    events: ['sent', 'provisional 183', 'settled', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'PRACK that answers the offer of the 183',
    signalling: RELIABLE,
    delayed: true,
    steps: [
      expect('INVITE', ['Content-Length:', '^ *0']),
      answer('183 Session Progress', 'x', reliable(3), OURS),
      expect('PRACK', SESSION),
      ok(),
      answer('200 OK', 'x', [CONTACT]),
      expect('ACK', ['Content-Length:', '^ *0']),
      ...BYE_ENDS,
    ],
    events: ['sent', 'provisional 183', 'settled', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'delayed offer: the answer in the ACK',
    delayed: true,
    steps: [
      expect('INVITE', ['Content-Length:', '^ *0']),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK', SESSION),
      ...BYE_ENDS,
    ],
    events: ['sent', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'late 200 after CANCEL',
    hangUp: 'RINGING',
    steps: [
      expect('INVITE'),
      answer('180 Ringing', 'x', [CONTACT]),
      expect('CANCEL'),
      ok(),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK'),
      ...BYE_ENDS,
    ],
    events: ['sent', 'provisional 180', 'failed CANCELLED 200'],
  },
  {
    name: 'CANCEL before any 1xx is held back',
    hangUp: 'AT_ONCE',
    steps: [
      expect('INVITE'),
      pause(200),
      answer('100 Trying', ''),
      expect('CANCEL'),
      ok(),
      answer('487 Request Terminated', 'x'),
      expect('ACK'),
    ],
    events: ['sent', 'provisional 100', 'failed CANCELLED 487'],
  },
  {
    name: 'retransmitted 200',
    steps: [
      expect('INVITE'),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK'),
      expect('BYE'),
      ok(),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK'),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK'),
    ],
    events: ['sent', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'redirect',
    signalling: { maxRedirects: 2 },
    steps: [
      expect('INVITE'),
      answer('302 Moved Temporarily', 'r', [
        'Contact: <sip:last@[local_ip]:[local_port]>;q=0.2, <sip:next@[local_ip]:[local_port]>',
      ]),
      expect('ACK'),
      expect('INVITE', ['msg', '^INVITE sip:next@'], ['CSeq:', '2 INVITE']),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK'),
      ...BYE_ENDS,
    ],
    events: ['sent', 'answered 200', 'ended LOCAL'],
  },
  {
    name: '422, then 200',
    signalling: { sessionTimer: { expiresSeconds: 90, minSeconds: 90, refresher: null } },
    steps: [
      expect('INVITE', ['Session-Expires:', '^ *90']),
      answer('422 Session Interval Too Small', 'r', ['Min-SE: 1800']),
      expect('ACK'),
      expect('INVITE', ['Session-Expires:', '^ *1800'], ['Min-SE:', '1800']),
      answer('200 OK', 'x', [CONTACT, 'Session-Expires: 1800;refresher=uac'], OURS),
      expect('ACK'),
      ...BYE_ENDS,
    ],
    events: ['sent', 'answered 200', 'ended LOCAL'],
  },
  {
    name: 'digest: the first of two algorithms that is known, for two realms (RFC 8760)',
    credentials: { username: 'alice', password: new Secret('secret') },
    steps: [
      expect('INVITE'),
      answer('407 Proxy Authentication Required', 'r', [
        'Proxy-Authenticate: Digest realm="one", nonce="n1", algorithm=SHA-256, qop="auth"',
        'Proxy-Authenticate: Digest realm="one", nonce="n2", algorithm=MD5, qop="auth"',
        'Proxy-Authenticate: Digest realm="two", nonce="n3", algorithm=MD5, qop="auth"',
      ]),
      expect('ACK'),
      expect(
        'INVITE',
        ['CSeq:', '2 INVITE'],
        ['msg', 'realm="one", nonce="n1".*algorithm=SHA-256'],
        ['msg', 'realm="two", nonce="n3".*algorithm=MD5'],
      ),
      answer('200 OK', 'x', [CONTACT], OURS),
      expect('ACK'),
      ...BYE_ENDS,
    ],
    events: ['sent', 'answered 200', 'ended LOCAL'],
  },
  {
    name: '503, and the next server takes the call (RFC 3263, 4.3)',
    before: [expect('INVITE'), answer('503 Service Unavailable', 'r'), expect('ACK')],
    steps: [expect('INVITE'), answer('200 OK', 'x', [CONTACT], OURS), expect('ACK'), ...BYE_ENDS],
    events: ['sent', 'answered 200', 'ended LOCAL'],
  },
  {
    name: '603 ends the call, whatever other servers there are',
    before: [expect('INVITE'), answer('603 Decline', 'r'), expect('ACK')],
    steps: [],
    events: ['sent', 'failed STATUS 603'],
  },
];

type Incoming = {
  name: string;
  user: string;
  signalling?: Partial<SignallingOptions>;
  take(call: IncomingCall): void;
  steps: string[];
  events: string[];
};

const SUPPORTED = ['Supported: 100rel'];
const early = (call: IncomingCall): void => {
  call.progress(183, OURS);
  call.answer(OURS);
};
const rack = 'RAck: [$rseq] 1 INVITE';
const expectReliable = (status: number): string =>
  `<recv response="100" optional="true" /><recv response="${status}" rrs="true"><action><ereg regexp="[0-9]+" search_in="hdr" header="RSeq:" check_it="true" assign_to="rseq" /></action></recv>`;
const HANG_UP = [request('ACK', 'USER', 1), request('BYE', 'USER', 9), expectStatus(200)];

const INCOMING: Incoming[] = [
  {
    name: '200 after the PRACK for an answer in the 183',
    user: 'in-answer',
    signalling: RELIABLE,
    take: early,
    steps: [
      firstRequest('INVITE', 'USER', 1, ['Require: 100rel'], OURS),
      expectReliable(183),
      pause(100),
      request('PRACK', 'USER', 2, [rack]),
      expectStatus(200, ['CSeq:', 'PRACK']),
      expectStatus(200, ['CSeq:', 'INVITE'], ['Content-Length:', '^ *0']),
      ...HANG_UP,
    ],
    events: ['settled', 'answered 200', 'ended REMOTE'],
  },
  {
    name: 'an offer in the 183, answered in PRACK',
    user: 'in-offer',
    signalling: RELIABLE,
    take: early,
    steps: [
      firstRequest('INVITE', 'USER', 1, SUPPORTED),
      expectReliable(183),
      request('PRACK', 'USER', 2, [rack], OURS),
      expectStatus(200, ['CSeq:', 'PRACK']),
      expectStatus(200, ['CSeq:', 'INVITE']),
      ...HANG_UP,
    ],
    events: ['settled', 'answered 200', 'ended REMOTE'],
  },
  {
    name: 'delayed offer: ours in the 200, the answer in the ACK',
    user: 'in-delayed',
    take: early,
    steps: [
      firstRequest('INVITE', 'USER', 1),
      expectStatus(183),
      expectStatus(200, SESSION),
      request('ACK', 'USER', 1, [], OURS),
      request('BYE', 'USER', 9),
      expectStatus(200),
    ],
    events: ['answered 200', 'ended REMOTE'],
  },
  {
    name: '100rel required of an end without it',
    user: 'in-plain',
    take: early,
    steps: [
      firstRequest('INVITE', 'USER', 1, ['Require: 100rel'], OURS),
      expectStatus(420, ['Unsupported:', '100rel']),
      request('ACK', 'USER', 1),
    ],
    events: [],
  },
  {
    name: 'redirected by us',
    user: 'in-moved',
    take: (call) => call.redirect(302, ['sip:elsewhere@127.0.0.1']),
    steps: [
      firstRequest('INVITE', 'USER', 1, [], OURS),
      expectStatus(302, ['Contact:', '<sip:elsewhere@127.0.0.1>']),
      request('ACK', 'USER', 1),
    ],
    events: ['failed STATUS 302'],
  },
];

class EarlyLog extends CallLog {
  onEarlyMedia = (_local: string, _remote: string, isReliable: boolean): void => {
    this.events.push(isReliable ? 'settled' : 'preview');
  };
  onDelayedOffer = (): string => OURS;
}

const here = await side();
const { engine, errors } = here;
t.teardown(() => engine.close());

const turner = setInterval(() => engine.turn(nowMs()), 1);
t.teardown(() => clearInterval(turner));

function agentFor(
  user: string,
  signalling: Partial<SignallingOptions> = {},
  take?: (call: IncomingCall) => EarlyLog,
  more: Partial<UserAgentOptions> = {},
) {
  const onBye = new Map<string, () => void>();
  const agent = agentOf(here, user, {
    signalling: { ...PLAIN_SIGNALLING, ...signalling },
    traffic: {
      onMessage: ({ direction, method, status, callId }) => {
        if (direction === 'RECEIVED' && method === 'BYE' && status === 200) onBye.get(callId)?.();
      },
    },
    onIncomingCall: (call) => take?.(call) ?? null,
    ...more,
  });
  return { agent, onBye };
}

const until = (condition: () => boolean): Promise<boolean> => holds(condition, { everyMs: 5 });

/** Its exit code, or that it does not end. */
function exitOf(sipp: AgentSipp): Promise<number | string | null> {
  let code: number | null | undefined;
  void sipp.exit.then((given) => {
    code = given;
  });
  return holds(() => code !== undefined).then(
    () => code ?? null,
    () => 'no exit',
  );
}

async function callOut(row: Outgoing, user: string): Promise<string[]> {
  const scenarios = [row.before ?? [], row.steps].filter((steps) => steps.length > 0).map(writeScenario);
  const servers = await Promise.all(scenarios.map(({ args }) => startSipp([...args, '-m', String(CALLS)])));
  const [first] = servers;
  if (!first) return ['sipp is not installed (Debian: sip-tester)'];
  const hops: SipTarget[] = servers.map((one) => ({ transport: 'UDP', address: '127.0.0.1', port: one?.port ?? 0 }));
  // A failover server that gets no request.
  if (row.steps.length === 0) hops.push({ transport: 'UDP', address: '127.0.0.1', port: 9 });
  const { agent, onBye } = agentFor(user, row.signalling, undefined, {
    credentials: row.credentials ?? null,
    nextHop: row.before === undefined ? null : hops,
  });
  const logs = Array.from({ length: CALLS }, () => {
    const log = new EarlyLog();
    const call: Call = agent.invite(`sip:service@127.0.0.1:${first.port}`, row.delayed ? '' : OURS, log);
    const { onAnswered, onProvisional } = log;
    if (row.hangUp === 'AT_ONCE') call.hangUp();
    log.onProvisional = (...told) => {
      onProvisional.apply(log, told);
      if (row.hangUp === 'RINGING' && told[0] === 180) call.hangUp();
    };
    log.onAnswered = (...told) => {
      onAnswered.apply(log, told);
      if (row.hangUp === 'BEHIND_LOSER') onBye.set(call.callId, () => call.hangUp());
      else call.hangUp();
    };
    return log;
  });
  const problems = (await until(() => logs.every(isOver))) ? [] : ['not all calls ended'];
  const wanted = row.events.join(', ');
  for (const { events } of logs)
    if (withoutRepeats(events, row.events).join(', ') !== wanted) problems.push(events.join(', '));
  for (const sipp of servers) {
    const code = sipp && (await exitOf(sipp));
    if (code !== 0) problems.push(`SIPp ended with ${code}`);
    sipp?.stop();
  }
  for (const { close } of scenarios) close();
  return problems;
}

async function callIn(row: Incoming): Promise<string[]> {
  const logs: EarlyLog[] = [];
  agentFor(row.user, row.signalling, (call) => {
    const log = new EarlyLog();
    logs.push(log);
    row.take(call);
    return log;
  });
  const { args, close } = writeScenario(row.steps.map((step) => step.replaceAll('USER', row.user)));
  const sipp = await startSipp([...args, `127.0.0.1:${engine.local.port}`, '-m', String(CALLS), '-r', '50']);
  if (sipp === null) return ['sipp is not installed (Debian: sip-tester)'];
  const code = await exitOf(sipp);
  const problems = code === 0 ? [] : [`SIPp ended with ${code}`];
  await until(() => logs.every((log) => log.events.length >= row.events.length));
  const wanted = row.events.join(', ');
  for (const { events } of logs) if (events.join(', ') !== wanted) problems.push(events.join(', '));
  if (row.events.length > 0 && logs.length !== CALLS) problems.push(`${logs.length} calls came`);
  sipp.stop();
  close();
  return problems;
}

const outgoing = OUTGOING.map((row, i) => callOut(row, `out-${i}`));
const incoming = INCOMING.map(callIn);
const results = await Promise.all([...outgoing, ...incoming]);

t.test('as caller', (t) => {
  for (const [i, row] of OUTGOING.entries()) t.same(results[i], [], row.name);
  t.end();
});

t.test('as callee', (t) => {
  for (const [i, row] of INCOMING.entries()) t.same(results[OUTGOING.length + i], [], row.name);
  t.end();
});

t.test('nothing was a bug', (t) => {
  t.same(errors, []);
  t.end();
});
