/** sip.js's user agents and their connection to the server: closed during a transaction, abused by the peer. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { nowMs } from '../../../clock.ts';
import { openDeafPinger } from '../../../testing/sip/deaf-pinger.ts';
import { EXPLANATION, QUIET_BYE, REASON_HEADERS } from '../../../testing/sip/explained.ts';
import { CallLog, RegistrationLog, SDP } from '../../../testing/sip/virtual.ts';
import { type OwnedOptions, withOwner } from '../../../testing/sip/with-owner.ts';
import type { CallEvents, IncomingCall, SipEngine, SipEngineOptions, SipLocator, SipTarget } from '../../engine.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { createSipJsEngine } from './engine.ts';

const net = ownLoopback();
const host = net.address(81);
const server = new WebSocketServer({ host, port: 0, handleProtocols: () => 'sip' });
await once(server, 'listening');
const hop: SipTarget = { transport: 'WS', address: host, port: (server.address() as AddressInfo).port };
/** What the server has received from all user agents, and on which connection. */
const heard: { readonly message: SipMessage; readonly by: WebSocket }[] = [];
server.on('connection', (by) => {
  by.on('message', (data) => {
    const message = parseMessage(String(data));
    if (message !== null) heard.push({ message, by });
  });
});
const errors: unknown[] = [];
const engines: SipEngine[] = [];
/** The peer's next request in a dialog, or the CANCEL of its INVITE. */
type Request = {
  readonly to?: string;
  readonly from?: string;
  readonly cseq?: number;
  readonly branch?: string;
  readonly lines?: readonly string[];
};
type Policy = Pick<SipEngineOptions, 'mayReach' | 'mayLeave'>;
const engineWith = (locator: SipLocator | null, policy: Policy = { mayReach: () => true }): SipEngine => {
  const engine = createSipJsEngine({
    address: host,
    userAgentName: 'carillon-test',
    ...policy,
    ...(locator === null ? {} : { locator }),
    onInternalError: (error) => errors.push((error as Error).stack),
  });
  engines.push(engine);
  return engine;
};
t.teardown(() => {
  for (const engine of engines) engine.close();
  server.close();
});

let users = 0;
const optionsFor = (nextHop: readonly SipTarget[] | null): OwnedOptions => {
  const user = `line-${users++}`;
  return {
    aor: `sip:${user}@pbx.example`,
    contactUser: user,
    credentials: null,
    registrarUri: null,
    nextHop,
    routeSet: [],
    traffic: { onMessage: () => undefined },
    onIncomingCall: () => null,
  };
};

const turned = (engine: SipEngine, what: string, condition: () => boolean): Promise<boolean> =>
  until(what, condition, { everyMs: 1, turn: () => engine.turn(nowMs()) });

const of = (callId: string, method: string) =>
  heard.find(({ message }) => message.isRequest && message.callId === callId && message.method === method);
const statusOf = (callId: string, status: number) =>
  heard.find(({ message }) => message.callId === callId && message.status === status);

function answer({ message, by }: (typeof heard)[number], status: string, body = '', lines: string[] = []): void {
  const head = [
    `SIP/2.0 ${status}`,
    ...message.headerLines('via').map((via) => `Via: ${via}`),
    `From: ${message.from}`,
    `To: ${message.to}${message.toTag === '' ? ';tag=far' : ''}`,
    `Call-ID: ${message.callId}`,
    `CSeq: ${message.cseqText}`,
    'Contact: <sip:far@far.invalid;transport=ws>',
    ...lines,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
  ];
  by.send(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function request(by: WebSocket, method: string, uri: string, callId: string, parts: Request = {}): void {
  const { to = `<${uri}>`, from = '<sip:stranger@pbx.example>;tag=stranger', cseq = 1, lines = [] } = parts;
  const body = method === 'INVITE' ? SDP('sendrecv', '127.0.0.2') : '';
  by.send(
    [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/WS far.invalid;branch=z9hG4bK-${callId.replace(/\W/g, '')}-${parts.branch ?? method}`,
      'Max-Forwards: 70',
      `From: ${from}`,
      `To: ${to}`,
      `Call-ID: ${callId}`,
      `CSeq: ${cseq} ${method}`,
      'Contact: <sip:stranger@far.invalid;transport=ws>',
      ...lines,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
}

async function standing(engine: SipEngine, options: OwnedOptions) {
  const agent = engine.createUserAgent(withOwner(options));
  const log = new CallLog();
  const before = heard.length;
  const call = agent.invite('sip:far@pbx.example', SDP('sendrecv', '127.0.0.1'), log);
  const found = () => heard.slice(before).find(({ message }) => message.method === 'INVITE' && message.isRequest);
  await turned(engine, 'INVITE', () => found() !== undefined);
  const invite = found() as (typeof heard)[number];
  answer(invite, '200 OK', SDP('sendrecv', '127.0.0.2'));
  const { callId } = invite.message;
  await turned(engine, 'ACK', () => of(callId, 'ACK') !== undefined);
  return { agent, log, call, callId, by: invite.by };
}

t.test('a user agent closes, and nobody answers its BYE: it leaves nothing behind', async (t) => {
  const engine = engineWith(null);
  const { agent, callId, by } = await standing(engine, optionsFor([hop]));
  const closed = once(by, 'close');
  agent.close();
  await turned(engine, 'BYE', () => of(callId, 'BYE') !== undefined);
  t.ok(engine.busy, 'the answer is waited for');
  engine.turn(nowMs() + 2000);
  t.notOk(engine.busy);
  await closed;
});

t.test('a user agent closes when its 200 waits for the ACK: BYE follows the ACK', async (t) => {
  const engine = engineWith(null);
  const log = new CallLog();
  const calls: IncomingCall[] = [];
  const options: OwnedOptions = {
    ...optionsFor([hop]),
    onIncomingCall: (call): CallEvents => {
      calls.push(call);
      return log;
    },
  };
  const { agent, call, by } = await standing(engine, options);
  const callId = 'late-ack';
  request(by, 'INVITE', agent.contactUri, callId);
  await turned(engine, 'it rings', () => calls.length === 1);
  calls[0]?.answer(SDP('sendrecv', '127.0.0.1'));
  await turned(engine, '200', () => statusOf(callId, 200) !== undefined);
  agent.close();
  engine.turn(nowMs());
  request(by, 'ACK', agent.contactUri, callId, { to: statusOf(callId, 200)?.message.to ?? '' });
  await turned(engine, 'BYE', () => of(callId, 'BYE') !== undefined);
  for (const one of heard)
    if (one.message.method === 'BYE' && one.by === by && one.message.isRequest) answer(one, '200 OK');
  await turned(engine, 'over', () => !engine.busy);
  t.same(log.events, [], 'nothing is told any more');
  t.notOk(engine.busy, `${call.direction} and the other are over`);
});

t.test('a policy that has become narrower holds for connections that are open, and for those that open', async (t) => {
  const policy = { isNarrow: false, leaves: true };
  const engine = engineWith(null, { mayReach: () => !policy.isNarrow, mayLeave: () => policy.leaves });
  const forbidden: string[] = [];
  const onForbidden = (method: string, status: number): void => void forbidden.push(`${method} ${status}`);
  const first = await standing(engine, { ...optionsFor([hop]), onForbidden });
  const second = await standing(engine, { ...optionsFor([hop]), onForbidden });
  policy.isNarrow = true;
  first.call.sendInfo('application/dtmf-relay', 'Signal=1');
  await turned(
    engine,
    'a call in which nothing may be said any more is ended',
    () => of(first.callId, 'BYE') !== undefined,
  );
  request(second.by, 'OPTIONS', second.agent.contactUri, 'asked');
  await turned(engine, 'nobody is answered', () => forbidden.length > 1);
  policy.leaves = false;
  second.call.hangUp();
  await turned(engine, 'over', () => second.log.events.some((one) => /^(?:ended|failed)/.test(one)));
  t.same(forbidden, ['INFO 0', 'OPTIONS 200', 'BYE 0']);
  t.equal(of(first.callId, 'INFO'), undefined);
  t.equal(of(second.callId, 'BYE'), undefined, 'the time for that is up');
  t.equal(statusOf('asked', 200), undefined);

  policy.isNarrow = false;
  const log = new CallLog();
  const before = heard.length;
  const late = engine.createUserAgent(withOwner(optionsFor([hop])));
  late.invite('sip:far@pbx.example', SDP('sendrecv', '127.0.0.1'), log);
  policy.isNarrow = true;
  await turned(engine, 'it fails', () => log.failures.length > 0);
  t.match(log.failures[0], { kind: 'POLICY', reason: /forbids/ });
  t.equal(heard.length, before, 'what waited for the connection does not go');
  t.same(errors, []);
  for (const { agent } of [first, second, { agent: late }]) agent.close();
});

t.test('a server that is found after the close is not connected to', async (t) => {
  let found: Parameters<SipLocator['locate']>[1] | null = null;
  const locate: SipLocator['locate'] = (_uri, tell) => {
    found = tell;
  };
  const engine = engineWith({ locate });
  const agent = engine.createUserAgent(withOwner(optionsFor(null)));
  agent.invite('sip:far@pbx.example', SDP('sendrecv', '127.0.0.1'), new CallLog());
  t.type(found, 'function');
  agent.close();
  engine.turn(nowMs() + 2000);
  engine.turn(nowMs() + 40_000);
  let connections = 0;
  server.on('connection', () => connections++);
  (found as unknown as Parameters<SipLocator['locate']>[1])([hop]);
  engine.turn(nowMs());
  const other = await standing(engineWith(null), optionsFor([hop]));
  t.equal(connections, 1, 'only the other one');
  other.agent.close();
  t.notOk(engine.busy);
});

t.test('a stranger with the Call-ID of a call that stands does not take its place', async (t) => {
  const engine = engineWith(null);
  let offered = 0;
  const options: OwnedOptions = {
    ...optionsFor([hop]),
    onIncomingCall: () => {
      offered++;
      return null;
    },
  };
  const { agent, call, callId, log, by } = await standing(engine, options);
  request(by, 'INVITE', agent.contactUri, callId);
  await turned(engine, 'refused', () => statusOf(callId, 482) !== undefined);
  request(by, 'ACK', agent.contactUri, callId, { to: statusOf(callId, 482)?.message.to ?? '' });
  t.equal(offered, 0);
  call.hangUp();
  await turned(engine, 'BYE', () => of(callId, 'BYE') !== undefined);
  answer(of(callId, 'BYE') as (typeof heard)[number], '200 OK');
  await turned(engine, 'over', () => log.events.includes('ended LOCAL'));
  t.ok(log.byeRttMs >= 0, 'its BYE was its own');
});

t.test('a peer that pings and takes no answers is left', async (t) => {
  const port = await openDeafPinger(t, host);
  const engine = engineWith(null);
  const log = new CallLog();
  const at: SipTarget = { ...hop, port };
  engine.createUserAgent(withOwner(optionsFor([at]))).invite('sip:far@pbx.example', SDP('sendrecv', '127.0.0.1'), log);
  await turned(engine, 'left', () => log.failures.length > 0);
  t.match(log.failures[0], { kind: 'TRANSPORT', reason: /does not read our data/ });
});

t.test('why the peer refuses, cancels and ends calls', async (t) => {
  const engine = engineWith(null);
  const calls: { readonly call: IncomingCall; readonly log: CallLog }[] = [];
  const options: OwnedOptions = {
    ...optionsFor([hop]),
    onIncomingCall: (call): CallEvents => {
      const log = new CallLog();
      calls.push({ call, log });
      call.ring();
      return log;
    },
  };
  const { agent, log, callId, by } = await standing(engine, options);
  const from = `${of(callId, 'INVITE')?.message.to};tag=far`;
  request(by, 'BYE', agent.contactUri, callId, {
    from,
    to: of(callId, 'INVITE')?.message.from ?? '',
    lines: REASON_HEADERS,
  });
  await turned(engine, 'the end', () => log.byes.length > 0);
  t.same([log.events.at(-1), log.byes], ['ended REMOTE', [{ ...QUIET_BYE, explanation: EXPLANATION }]]);

  const refused = new CallLog();
  const { callId: second } = agent.invite('sip:far@pbx.example', SDP('sendrecv', '127.0.0.1'), refused);
  await turned(engine, 'INVITE', () => of(second, 'INVITE') !== undefined);
  answer(of(second, 'INVITE') as (typeof heard)[number], '503 No', '', [...REASON_HEADERS, 'Retry-After: 9']);
  await turned(engine, 'the refusal', () => refused.failures.length > 0);
  const wanted = { status: 503, retryAfterSeconds: 9, explanation: { ...EXPLANATION, retryAfterSeconds: 9 } };
  t.match(refused.failures, [wanted]);

  request(by, 'INVITE', agent.contactUri, 'elsewhere', { branch: 'one' });
  await turned(engine, 'it rings', () => calls.length === 1);
  request(by, 'CANCEL', agent.contactUri, 'elsewhere', { branch: 'one', lines: REASON_HEADERS });
  await turned(engine, 'cancelled', () => calls[0]?.log.failures.length === 1);
  t.match(calls[0]?.log.failures, [{ kind: 'CANCELLED', status: 487, explanation: EXPLANATION }]);

  const registration = new RegistrationLog();
  const registrar: OwnedOptions = { ...optionsFor([hop]), registrarUri: 'sip:pbx.example' };
  const registrant = engine.createUserAgent(withOwner(registrar));
  registrant.register(60, registration);
  const found = () =>
    heard.find(({ message }) => message.method === 'REGISTER' && message.from.includes(registrar.aor));
  await turned(engine, 'REGISTER', () => found() !== undefined);
  answer(found() as (typeof heard)[number], '403 Forbidden', '', REASON_HEADERS);
  await turned(engine, 'denied', () => registration.failures.length > 0);
  t.match(registration.failures, [{ status: 403, explanation: EXPLANATION }]);
  for (const one of [agent, registrant]) one.close();
});

t.test('the result of our BYE', async (t) => {
  const engine = engineWith(null);
  for (const [status, what] of [
    [200, 'answered'],
    [481, 'not known'],
    [0, 'lost with the connection'],
  ] as const) {
    const { agent, call, callId, log, by } = await standing(engine, optionsFor([hop]));
    call.hangUp();
    await turned(engine, 'BYE', () => of(callId, 'BYE') !== undefined);
    if (status === 0) by.terminate();
    else answer(of(callId, 'BYE') as (typeof heard)[number], `${status} x`, '', REASON_HEADERS);
    await turned(engine, 'the end', () => log.byes.length > 0);
    t.equal(log.events.at(-1), 'ended LOCAL', what);
    t.match(log.byes, [{ byeStatus: status, unanswered: status === 0 ? /./ : '', explanation: null }], what);
    agent.close();
  }
});

t.test('a binding: refreshed by the library, made again after its connection, removed', async (t) => {
  const engine = engineWith(null);
  const log = new RegistrationLog();
  const agent = engine.createUserAgent(withOwner({ ...optionsFor([hop]), registrarUri: 'sip:pbx.example' }));
  agent.register(600, log);
  const asked = () => heard.filter(({ message }) => message.method === 'REGISTER' && message.to.includes('line-'));
  const answered = new Set(asked());
  let seconds = 1;
  // Every REGISTER is answered: on a busy host the library sends more of them than the steps below need.
  const whenRegistrar = (what: string, condition: () => boolean) =>
    turned(engine, what, () => {
      for (const one of asked().filter((request) => !answered.has(request))) {
        answered.add(one);
        const contact = one.message.header('contact') ?? '';
        const granted = contact.includes('expires=0') ? 0 : seconds;
        answer(one, '200 OK', '', [`Contact: ${contact.replace(/expires=\d+/, `expires=${granted}`)}`]);
        seconds = 600;
      }
      return condition();
    });
  const refreshes = () => log.events.filter((event) => event.startsWith('refreshed')).length;
  const last = () => asked().at(-1) as (typeof heard)[number];
  await whenRegistrar('registered', () => log.events.includes('registered 1'));
  await whenRegistrar('refreshed', () => refreshes() > 0);
  const [{ by: lost }, before] = [last(), refreshes()];
  lost.terminate();
  await whenRegistrar('again', () => last().by !== lost && refreshes() > before);
  agent.unregister();
  await whenRegistrar('unregistered', () => log.events.includes('unregistered'));
  t.equal(log.failures.length, 0);
  agent.close();
});

t.test('no fault of ours', async (t) => void t.same(errors, []));
