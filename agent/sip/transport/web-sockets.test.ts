/** The core over WebSockets (RFC 7118), at a server that a test leads: framing, keep-alives, lost and rude connections, both roles. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { ownLoopback } from '../../../scripts/peers/network/loopback.ts';
import { until } from '../../../scripts/peers/process.ts';
import { nowMs } from '../../clock.ts';
import { openDeafPinger } from '../../testing/sip/deaf-pinger.ts';
import { CallLog, RegistrationLog, SDP } from '../../testing/sip/virtual.ts';
import { type OwnedOptions, withOwner } from '../../testing/sip/with-owner.ts';
import { CoreEngine } from '../core/engine.ts';
import { Inbox, openPorts } from '../core/ports.ts';
import type { IncomingCall, SipEngine, SipEngineOptions, SipTarget } from '../engine.ts';
import { parseMessage } from '../message/parse.ts';
import type { SipMessage } from '../message/sip-message.ts';

const net = ownLoopback();
const host = net.address(96);
const server = new WebSocketServer({ host, port: 0, handleProtocols: () => 'sip', autoPong: true });
await once(server, 'listening');
const hop: SipTarget = { transport: 'WS', address: host, port: (server.address() as AddressInfo).port };
type Heard = { readonly message: SipMessage; readonly by: WebSocket };
const heard: Heard[] = [];
const texts: string[] = [];
const pings: WebSocket[] = [];
server.on('connection', (by) => {
  by.on('ping', () => pings.push(by));
  by.on('message', (data) => {
    texts.push(String(data));
    const message = parseMessage(String(data));
    if (message !== null) heard.push({ message, by });
  });
});
const errors: unknown[] = [];
const engines: SipEngine[] = [];
const allowed = { all: true };
/** How far the clock of all engines is ahead: so long they were silent. */
let aheadMs = 0;
const clock = (): number => nowMs() + aheadMs;
async function core(): Promise<SipEngine> {
  const options: SipEngineOptions = {
    ...{ address: host, port: 0, adapter: 'auto', userAgentName: 'carillon-test', onUnclaimedCall: () => null },
    mayReach: () => allowed.all,
    onInternalError: (error) => errors.push(error),
  };
  const inbox = new Inbox();
  const { datagrams, streams } = await openPorts(options, inbox);
  const engine = new CoreEngine(options, datagrams, inbox, clock, streams);
  engines.push(engine);
  return engine;
}
t.teardown(() => {
  for (const engine of engines) engine.close();
  for (const one of server.clients) one.terminate();
  server.close();
});

let users = 0;
const optionsFor = (more: Partial<OwnedOptions> = {}): OwnedOptions => {
  const user = `ws-${users++}`;
  return {
    ...{ aor: `sip:${user}@pbx.example`, contactUser: user, credentials: null, registrarUri: null, nextHop: [hop] },
    ...{ routeSet: [], traffic: { onMessage: () => undefined }, onIncomingCall: () => null },
    ...more,
  };
};
const turned = (engine: SipEngine, what: string, condition: () => boolean): Promise<boolean> =>
  until(what, condition, { everyMs: 1, turn: () => engine.turn(clock()) });
/** After silence of this length. */
function later(engine: SipEngine, ms: number): void {
  aheadMs += ms;
  engine.turn(clock());
}
const requestOf = (method: string, from = 0): Heard | undefined =>
  heard.slice(from).find(({ message }) => message.isRequest && message.method === method);

/** `ends`: of each line; a WebSocket needs no Content-Length (RFC 7118, 5). */
function answer(
  { message, by }: Heard,
  status: string,
  body = '',
  lines: readonly string[] = [],
  binary = false,
): void {
  const head = [
    `SIP/2.0 ${status}`,
    ...message.headerLines('via').map((via) => `Via: ${via}`),
    `From: ${message.from}`,
    `To: ${message.to}${message.toTag === '' ? ';tag=far' : ''}`,
    `Call-ID: ${message.callId}`,
    `CSeq: ${message.cseqText}`,
    'Contact: <sip:far@192.0.2.99;transport=ws>',
    ...lines,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
  ];
  by.send(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`), { binary });
}

async function registeredAt(engine: SipEngine, more: Partial<OwnedOptions> = {}) {
  const from = heard.length;
  const log = new RegistrationLog();
  const agent = engine.createUserAgent(withOwner(optionsFor({ registrarUri: 'sip:pbx.example', ...more })));
  agent.register(600, log);
  await turned(engine, 'REGISTER', () => requestOf('REGISTER', from) !== undefined);
  const register = requestOf('REGISTER', from) as Heard;
  answer(register, '200 OK', '', [`Contact: ${register.message.header('contact')}`]);
  await turned(engine, 'registered', () => log.events.length > 1);
  return { agent, log, ...register };
}

t.test('what RFC 7118 says of Via and Contact, and what a message may be', async (t) => {
  const engine = await core();
  const log = new CallLog();
  const agent = engine.createUserAgent(withOwner(optionsFor()));
  const from = heard.length;
  const call = agent.invite('sip:far@pbx.example', SDP('sendrecv', host), log);
  await turned(engine, 'INVITE', () => requestOf('INVITE', from) !== undefined);
  const invite = requestOf('INVITE', from) as Heard;
  t.match(invite.message.via, /^SIP\/2\.0\/WS [\w-]+\.invalid;branch=z9hG4bK/);
  t.match(invite.message.header('contact'), /^<sip:ws-\d+@[\w-]+\.invalid;transport=ws>$/);
  answer(invite, '180 Ringing', '', [], true);
  answer(invite, '200 OK', SDP('sendrecv', '127.0.0.2'));
  await turned(engine, 'ACK', () => requestOf('ACK', from) !== undefined);
  t.equal(requestOf('ACK', from)?.by, invite.by, 'by the same connection, wherever the Contact leads');
  t.match(log.events.join(), /180.*answered/);
  call.hangUp();
  await turned(engine, 'BYE', () => requestOf('BYE', from) !== undefined);
  t.equal(requestOf('BYE', from)?.by, invite.by);
  answer(requestOf('BYE', from) as Heard, '200 OK');
  await turned(engine, 'the end', () => log.events.includes('ended LOCAL'));
});

t.test('each user agent has a connection of its own, and calls come over it', async (t) => {
  const engine = await core();
  const calls: IncomingCall[] = [];
  const callee = await registeredAt(engine, {
    onIncomingCall: (call) => {
      calls.push(call);
      call.answer(SDP('sendrecv', host));
      return new CallLog();
    },
  });
  const other = await registeredAt(engine);
  t.not(callee.by, other.by);
  const head = (method: string, to: string) => [
    `${method} ${callee.agent.contactUri} SIP/2.0`,
    `Via: SIP/2.0/WS far.invalid;branch=z9hG4bK${method}`,
    'Max-Forwards: 70',
    'From: <sip:stranger@pbx.example>;tag=stranger',
    `To: ${to}`,
    'Call-ID: incoming',
    `CSeq: 1 ${method}`,
    'Contact: <sip:stranger@far.invalid;transport=ws>',
  ];
  const offer = [
    ...head('INVITE', '<sip:x@pbx.example>'),
    'Content-Type: application/sdp',
    '',
    SDP('sendrecv', '127.0.0.2'),
  ];
  callee.by.send(offer.join('\r\n'));
  await turned(engine, '200', () =>
    heard.some(({ message }) => message.callId === 'incoming' && message.status === 200),
  );
  const ok = heard.find(({ message }) => message.callId === 'incoming' && message.status === 200) as Heard;
  t.equal(ok.by, callee.by);
  callee.by.send(`${head('ACK', ok.message.to).join('\r\n')}\r\n\r\n`);
  engine.turn(clock());
  calls[0]?.hangUp();
  await turned(engine, 'BYE', () =>
    heard.some(({ message, by }) => message.method === 'BYE' && message.isRequest && by === callee.by),
  );
});

t.test('keep-alives: our pings, the pong that is missing, CRLF CRLF of the server', async (t) => {
  const engine = await core();
  const { by } = await registeredAt(engine);
  /** The server's CRLF CRLF is answered, and whatever it said before was read. */
  const heardOut = async (): Promise<void> => {
    const before = texts.filter((text) => text === '\r\n').length;
    by.send('\r\n\r\n');
    await turned(engine, 'CRLF', () => texts.filter((text) => text === '\r\n').length > before);
  };
  const pinged = async (nth: number): Promise<void> => {
    later(engine, 31_000);
    await turned(engine, `ping ${nth} after 30 s of silence`, () => pings.filter((one) => one === by).length === nth);
  };
  await heardOut();
  await pinged(1);
  await heardOut();
  await pinged(2);
  await heardOut();
  by.pong = () => undefined;
  await pinged(3);
  const from = heard.length;
  const gone = once(by, 'close');
  later(engine, 11_000);
  await turned(engine, 'a binding over another connection', () => requestOf('REGISTER', from) !== undefined);
  t.not(requestOf('REGISTER', from)?.by, by, 'no pong within 10 s');
  await gone;
});

t.test('a connection that is lost: the binding is made again over another', async (t) => {
  const engine = await core();
  const { by, log, message } = await registeredAt(engine);
  const from = heard.length;
  by.terminate();
  await turned(engine, 'REGISTER', () => requestOf('REGISTER', from) !== undefined);
  const again = requestOf('REGISTER', from) as Heard;
  t.not(again.by, by);
  t.equal(again.message.callId, message.callId, 'a refresh');
  answer(again, '200 OK');
  await turned(engine, 'refreshed', () => log.events.some((event) => /refreshed/.test(event)));
});

t.test('the next server where one is not there, for registrations and calls over them', async (t) => {
  const engine = await core();
  const dead: SipTarget = { ...hop, port: 9 };
  const { agent, log, by, message } = await registeredAt(engine, { nextHop: [dead, hop], instanceId: 'urn:uuid:1' });
  t.equal(log.events.at(-1), 'registered 600');
  t.match(message.header('contact'), /;reg-id=1;\+sip\.instance="<urn:uuid:1>"/, 'with an outbound flow (RFC 5626)');
  const over = engine.createUserAgent(withOwner({ ...optionsFor(), over: agent }));
  const from = heard.length;
  over.invite('sip:far@pbx.example', SDP('sendrecv', host), new CallLog());
  await turned(engine, 'INVITE', () => requestOf('INVITE', from) !== undefined);
  t.equal(requestOf('INVITE', from)?.by, by, 'a call over a registration goes by its connection');
});

t.test('a user agent that has closed leaves its connection once no transaction can need it', async (t) => {
  const engine = await core();
  const { agent, by } = await registeredAt(engine);
  const closed = once(by, 'close');
  agent.close();
  later(engine, 31_000);
  later(engine, 35_000);
  await closed;
  t.notOk(engine.busy);
});

t.test('the policy of now holds for a connection that is open', async (t) => {
  const engine = await core();
  const forbidden: string[] = [];
  const onForbidden = (method: string, status: number): void => void forbidden.push(`${method} ${status}`);
  const { agent } = await registeredAt(engine, { onForbidden });
  allowed.all = false;
  const log = new CallLog();
  agent.invite('sip:far@pbx.example', SDP('sendrecv', host), log);
  await turned(engine, 'it fails', () => log.failures.length > 0);
  allowed.all = true;
  t.match(log.failures[0], { kind: 'POLICY' });
  t.same(forbidden, ['INVITE 0']);
});

t.test('frames that are no SIP, or too large, end nothing but themselves or their connection', async (t) => {
  const engine = await core();
  const { by } = await registeredAt(engine);
  by.send('not SIP at all');
  by.send(Buffer.from([0, 255, 128]));
  by.send('');
  await turned(engine, 'counted', () => engine.counters.malformed >= 2);
  const gone = once(by, 'close');
  const from = heard.length;
  by.send('x'.repeat(200_000));
  await turned(engine, 'left', () => requestOf('REGISTER', from) !== undefined);
  await gone;
  t.not(requestOf('REGISTER', from)?.by, by);
});

t.test('a peer that pings and takes no answers is left', async (t) => {
  const port = await openDeafPinger(t, host);
  const engine = await core();
  const log = new CallLog();
  const at: SipTarget = { ...hop, port };
  engine
    .createUserAgent(withOwner(optionsFor({ nextHop: [at] })))
    .invite('sip:far@pbx.example', SDP('sendrecv', host), log);
  await turned(engine, 'left', () => log.failures.length > 0);
  t.match(log.failures[0], { kind: 'TRANSPORT', reason: /does not read our data/ });
});

t.test('no fault of ours', async (t) => void t.same(errors, []));
