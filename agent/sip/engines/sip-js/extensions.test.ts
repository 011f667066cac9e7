/** Extensions in calls over WebSockets: reliable provisional responses (RFC 3262), UPDATE (RFC 3311), session timers (RFC 4028). */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sdpFault } from '@carillon/media/sdp/session-description.ts';
import t from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { nowMs } from '../../../clock.ts';
import { CallLog, SDP } from '../../../testing/sip/virtual.ts';
import { withOwner } from '../../../testing/sip/with-owner.ts';
import { type CallEvents, type IncomingCall, PLAIN_SIGNALLING, type SignallingOptions } from '../../engine.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { createSipJsEngine } from './engine.ts';

const host = ownLoopback().address(93);
const server = new WebSocketServer({ host, port: 0, handleProtocols: () => 'sip' });
await once(server, 'listening');
const hop = { transport: 'WS', address: host, port: (server.address() as AddressInfo).port } as const;
const heard: SipMessage[] = [];
let line: WebSocket | null = null;
server.on('connection', (socket) => {
  line = socket;
  socket.on('message', (data) => {
    const message = parseMessage(String(data));
    if (message !== null) heard.push(message);
  });
});
const errors: unknown[] = [];
/** Each test has its own: advanced time of an earlier test does not return. */
let engine = createSipJsEngine({ address: host, userAgentName: 'carillon-test', mayReach: () => true });
let aheadMs = 0;
t.beforeEach(() => {
  engine.close();
  aheadMs = 0;
  engine = createSipJsEngine({
    address: host,
    userAgentName: 'carillon-test',
    mayReach: () => true,
    onInternalError: (error) => errors.push(error),
  });
});
t.teardown(() => {
  engine.close();
  for (const socket of server.clients) socket.terminate();
  server.close();
});

const OURS = SDP('sendrecv', '127.0.0.1');
const THEIRS = SDP('sendrecv', '127.0.0.2');
const TIMED: SignallingOptions = {
  ...PLAIN_SIGNALLING,
  sessionTimer: { expiresSeconds: 120, minSeconds: 90, refresher: null },
};
const RELIABLE: SignallingOptions = { ...PLAIN_SIGNALLING, reliableProvisional: 'REQUIRED' };

const turned = (what: string, condition: () => boolean): Promise<boolean> =>
  until(() => `${what}; heard ${heard.map(({ text }) => text.slice(0, 40))}`, condition, {
    everyMs: 1,
    turn: () => engine.turn(nowMs() + aheadMs),
  });

/** Advances the time by this much. */
function after(ms: number): void {
  aheadMs = ms;
  engine.turn(nowMs() + aheadMs);
}

/** The n-th request of a method in a call, from 0. */
async function nthRequest(callId: string, method: string, n = 0): Promise<SipMessage> {
  const all = () => heard.filter((one) => one.isRequest && one.callId === callId && one.method === method);
  await turned(`${method} ${n}`, () => all().length > n);
  return all()[n] as SipMessage;
}

async function answered(callId: string, status: number, method: string): Promise<SipMessage> {
  const found = () => heard.find((one) => one.callId === callId && one.status === status && one.method === method);
  await turned(`${status} to ${method}`, () => found() !== undefined);
  return found() as SipMessage;
}

const sendLines = (lines: readonly string[], body = ''): void => {
  const type = body === '' ? [] : ['Content-Type: application/sdp'];
  line?.send(`${[...lines, ...type, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
};

const answer = (request: SipMessage, status: string, lines: readonly string[] = [], body = ''): void =>
  sendLines(
    [
      `SIP/2.0 ${status}`,
      ...request.headerLines('via').map((via) => `Via: ${via}`),
      `From: ${request.from}`,
      `To: ${request.to}${request.toTag === '' ? ';tag=far' : ''}`,
      `Call-ID: ${request.callId}`,
      `CSeq: ${request.cseqText}`,
      'Contact: <sip:far@far.invalid;transport=ws>',
      'Allow: INVITE, ACK, BYE, CANCEL, UPDATE, PRACK',
      ...lines,
    ],
    body,
  );

let branches = 0;

/** A request of the peer; `from` and `to` are whole values. */
const request = (
  method: string,
  uri: string,
  parts: { callId: string; from: string; to: string; cseq: number; lines?: readonly string[]; body?: string },
): void =>
  sendLines(
    [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/WS far.invalid;branch=z9hG4bK-far-${branches++}`,
      'Max-Forwards: 70',
      `From: ${parts.from}`,
      `To: ${parts.to}`,
      `Call-ID: ${parts.callId}`,
      `CSeq: ${parts.cseq} ${method}`,
      'Contact: <sip:far@far.invalid;transport=ws>',
      ...(parts.lines ?? []),
    ],
    parts.body,
  );

let users = 0;

function agentWith(
  signalling: SignallingOptions,
  onIncomingCall: (call: IncomingCall) => CallEvents | null = () => null,
) {
  const user = `ext-${users++}`;
  return engine.createUserAgent(
    withOwner({
      aor: `sip:${user}@pbx.example`,
      contactUser: user,
      credentials: null,
      registrarUri: null,
      nextHop: [hop],
      routeSet: [],
      signalling,
      traffic: { onMessage: () => undefined },
      onIncomingCall,
    }),
  );
}

/** A call of ours, and its INVITE. */
async function calling(signalling: SignallingOptions, offer = OURS) {
  const agent = agentWith(signalling);
  const log = new CallLog();
  const early: string[] = [];
  Object.assign(log, {
    onEarlyMedia: (_local: string, remote: string, reliable: boolean) => early.push(`${reliable} ${remote}`),
    onDelayedOffer: () => OURS,
  });
  const call = agent.invite('sip:far@pbx.example', offer, log);
  const invite = await nthRequest(call.callId, 'INVITE');
  return { agent, log, early, call, invite };
}

/** A call of the peer, as the handler gets it. */
async function called(signalling: SignallingOptions, lines: readonly string[], act: (call: IncomingCall) => void) {
  const log = new CallLog();
  const early: string[] = [];
  Object.assign(log, { onEarlyMedia: (local: string, remote: string) => early.push(`${local} ${remote}`) });
  const calls: IncomingCall[] = [];
  const agent = agentWith(signalling, (call) => {
    calls.push(call);
    act(call);
    return log;
  });
  // Its connection has to exist.
  agent.ping('sip:far@pbx.example', {
    onPingSent: () => undefined,
    onPingAnswered: () => undefined,
    onPingFailed: () => undefined,
  });
  const ours = agent.contactUri;
  const before = heard.length;
  await turned('its line', () => heard.slice(before).some(({ method }) => method === 'OPTIONS'));
  answer(heard.slice(before).find(({ method }) => method === 'OPTIONS') as SipMessage, '200 OK');
  const callId = `far-${users}`;
  const parts = { callId, from: '<sip:far@pbx.example>;tag=far', to: `<${ours}>`, cseq: 1 };
  request('INVITE', ours, { ...parts, lines: ['Allow: INVITE, UPDATE, PRACK', ...lines], body: THEIRS });
  return { agent, log, early, calls, ours, parts };
}

/** The To of our responses. */
const taggedTo = (response: SipMessage): string => response.to;

t.test(
  'a caller asks for a session timer, lengthens it after a 422, and refreshes it by UPDATE at half its time',
  async (t) => {
    const { log, call, invite } = await calling(TIMED);
    t.match(invite.text, /Session-Expires: 120\r\n.*Min-SE: 90\r\n/s);
    t.match(invite.header('supported'), /timer/);
    t.match(invite.header('allow'), /UPDATE/);
    answer(invite, '422 Session Interval Too Small', ['Min-SE: 200']);
    const again = await nthRequest(call.callId, 'INVITE', 1);
    t.match(again.text, /Session-Expires: 200\r\n.*Min-SE: 200\r\n/s);
    t.ok(again.cseq > invite.cseq);
    answer(again, '200 OK', ['Require: timer', 'Session-Expires: 200;refresher=uac'], THEIRS);
    await nthRequest(call.callId, 'ACK');
    after(101_000);
    const refresh = await nthRequest(call.callId, 'UPDATE');
    t.match([refresh.body, refresh.header('session-expires')], ['', '200;refresher=uac']);
    answer(refresh, '200 OK', ['Require: timer', 'Session-Expires: 2000;refresher=uac']);
    await turned('refreshed', () => log.events.includes('refreshed LOCAL'));
    call.hangUp();
    answer(await nthRequest(call.callId, 'BYE'), '200 OK');
    await turned('over', () => log.events.includes('ended LOCAL'));
    t.same(errors, []);
  },
);

t.test('a refresh by re-INVITE where the peer knows no UPDATE after all', async (t) => {
  const { log, call, invite } = await calling(TIMED);
  answer(invite, '200 OK', ['Require: timer', 'Session-Expires: 120;refresher=uac'], THEIRS);
  await nthRequest(call.callId, 'ACK');
  after(61_000);
  answer(await nthRequest(call.callId, 'UPDATE'), '501 Not Implemented');
  const refresh = await nthRequest(call.callId, 'INVITE', 1);
  t.match(refresh.body, /^v=0/);
  answer(refresh, '200 OK', ['Require: timer', 'Session-Expires: 2000;refresher=uac'], THEIRS);
  await turned('refreshed', () => log.events.includes('refreshed LOCAL'));
  t.same(log.askers, ['TIMER']);
  call.hangUp();
  answer(await nthRequest(call.callId, 'BYE'), '200 OK');
  await turned('over', () => log.events.includes('ended LOCAL'));
});

t.test('a session that the peer does not refresh is hung up before its end', async (t) => {
  const { log, call, invite } = await calling(TIMED);
  answer(invite, '200 OK', ['Require: timer', 'Session-Expires: 120;refresher=uas'], THEIRS);
  await nthRequest(call.callId, 'ACK');
  after(80_000);
  t.notOk(log.events.includes('expired'));
  after(89_000);
  answer(await nthRequest(call.callId, 'BYE'), '200 OK');
  await turned('over', () => log.events.includes('ended LOCAL'));
  t.ok(log.events.includes('expired'));
});

t.test('a callee agrees to a time, refuses one that is too short, and takes UPDATEs of both kinds', async (t) => {
  const short = await called(TIMED, ['Supported: timer', 'Session-Expires: 60', 'Min-SE: 60'], () => undefined);
  const refused = await answered(short.parts.callId, 422, 'INVITE');
  t.equal(refused.header('min-se'), '90');
  t.equal(short.calls.length, 0);

  const { log, calls, ours, parts } = await called(
    TIMED,
    ['Supported: timer', 'Session-Expires: 100;refresher=uac'],
    (call) => {
      call.ring();
      call.answer(OURS);
    },
  );
  const ok = await answered(parts.callId, 200, 'INVITE');
  t.match(ok.text, /Require: timer\r\n.*Session-Expires: 100;refresher=uac\r\n/s);
  t.match([ok.header('allow'), ok.header('supported')], [/UPDATE/, /timer/]);
  const within = { ...parts, to: taggedTo(ok) };
  request('ACK', ours, within);
  await turned('answered', () => log.events.includes('answered 200'));
  const lines = ['Supported: timer', 'Session-Expires: 100;refresher=uac'];
  request('UPDATE', ours, { ...within, cseq: 2, lines });
  await turned('refreshed', () => log.events.includes('refreshed REMOTE'));
  t.match((await answered(parts.callId, 200, 'UPDATE')).header('session-expires'), '100;refresher=uac');
  request('UPDATE', ours, { ...within, cseq: 3, lines, body: THEIRS.replace('sendrecv', 'sendonly') });
  await turned('held', () => log.events.includes('changed by REMOTE'));
  const held = heard.filter((one) => one.callId === parts.callId && one.method === 'UPDATE').at(-1);
  t.match(held?.body, /a=recvonly/);
  calls[0]?.changeSession(OURS.replace('sendrecv', 'inactive'), 'UPDATE');
  answer(await nthRequest(parts.callId, 'UPDATE'), '200 OK', [], THEIRS.replace('sendrecv', 'inactive'));
  await turned('changed', () => log.events.includes('changed by LOCAL'));
  request('UPDATE', ours, { ...within, cseq: 2 });
  t.ok(await answered(parts.callId, 500, 'UPDATE'), 'out of order');
  request('UPDATE', ours, { ...within, to: `<${ours}>`, callId: 'no dialog', cseq: 1 });
  t.ok(await answered('no dialog', 481, 'UPDATE'));
  request('BYE', ours, { ...within, cseq: 9 });
  await turned('over', () => log.events.includes('ended REMOTE'));
  t.same(errors, []);
});

t.test('a caller acknowledges reliable responses, each once, in order', async (t) => {
  const { log, early, call, invite } = await calling(RELIABLE);
  t.equal(invite.header('require'), '100rel');
  const progress = (rseq: number, body = ''): void =>
    answer(invite, '183 Session Progress', ['Require: 100rel', `RSeq: ${rseq}`], body);
  progress(7);
  const first = await nthRequest(call.callId, 'PRACK');
  t.equal(first.header('rack'), `7 ${invite.cseq} INVITE`);
  answer(first, '200 OK');
  progress(7);
  progress(9);
  progress(8, THEIRS);
  const second = await nthRequest(call.callId, 'PRACK', 1);
  t.equal(second.header('rack'), `8 ${invite.cseq} INVITE`, 'neither a repeated one nor one that comes too early');
  answer(second, '200 OK');
  answer(invite, '200 OK', [], SDP('sendrecv', '127.0.0.9'));
  await nthRequest(call.callId, 'ACK');
  await turned('answered', () => log.events.includes('answered 200'));
  t.same([early, log.body], [[`true ${THEIRS}`], ''], 'what was agreed on reliably holds');
  call.hangUp();
  answer(await nthRequest(call.callId, 'BYE'), '200 OK');
  await turned('over', () => log.events.includes('ended LOCAL'));
});

t.test('an offer in a reliable response is answered in its PRACK', async (t) => {
  const { log, early, call, invite } = await calling({ ...RELIABLE, delayedOffer: true }, '');
  answer(invite, '183 Session Progress', ['Require: 100rel', 'RSeq: 1'], THEIRS);
  const prack = await nthRequest(call.callId, 'PRACK');
  t.equal(prack.body, OURS);
  answer(prack, '200 OK');
  answer(invite, '200 OK');
  const ack = await nthRequest(call.callId, 'ACK');
  t.equal(ack.body, '');
  await turned('answered', () => log.events.includes('answered 200'));
  t.same(early, [`true ${THEIRS}`]);
  call.hangUp();
  answer(await nthRequest(call.callId, 'BYE'), '200 OK');
  await turned('over', () => log.events.includes('ended LOCAL'));
});

t.test('a callee says again what nobody acknowledges, answers after the PRACK, and gives up without one', async (t) => {
  const knows = ['Supported: 100rel'];
  const { log, early, ours, parts } = await called(RELIABLE, knows, (call) => {
    call.progress(183, OURS);
    call.answer(OURS);
  });
  const progress = await answered(parts.callId, 183, 'INVITE');
  t.match([progress.header('require'), progress.body], ['100rel', OURS]);
  await turned('said again', () => heard.filter((one) => one.callId === parts.callId && one.status === 183).length > 1);
  t.notOk(
    heard.some((one) => one.callId === parts.callId && one.status === 200),
    'the answer waits',
  );
  const within = { ...parts, to: taggedTo(progress) };
  const rack = `RAck: ${progress.header('rseq')} 1 INVITE`;
  request('PRACK', ours, { ...within, cseq: 2, lines: ['RAck: 1 1 INVITE'] });
  t.ok(await answered(parts.callId, 481, 'PRACK'), 'another number');
  request('PRACK', ours, { ...within, cseq: 3, lines: [rack] });
  await answered(parts.callId, 200, 'PRACK');
  const ok = await answered(parts.callId, 200, 'INVITE');
  t.equal(ok.body, '', 'it was said reliably');
  t.same(early, [`${OURS} ${THEIRS}`]);
  request('ACK', ours, within);
  await turned('answered', () => log.events.includes('answered 200'));
  request('BYE', ours, { ...within, cseq: 4 });
  await turned('over', () => log.events.includes('ended REMOTE'));

  const refused = await called(RELIABLE, knows, (call) => {
    call.progress(183, OURS);
    call.answer(OURS);
  });
  const first = await answered(refused.parts.callId, 183, 'INVITE');
  refused.log.onSessionOffer = () => sdpFault('NO_ADDRESS', 'nothing can be sent there');
  const acknowledges = { to: taggedTo(first), cseq: 2, lines: [`RAck: ${first.header('rseq')} 1 INVITE`] };
  request('PRACK', refused.ours, { ...refused.parts, ...acknowledges, body: THEIRS });
  t.equal((await answered(refused.parts.callId, 200, 'PRACK')).body, '', 'it acknowledges, whatever it offers');
  const refusal = await answered(refused.parts.callId, 488, 'INVITE');
  t.match(refusal.header('warning'), /nothing can be sent there/);
  await turned('over', () => refused.log.events.includes('failed STATUS 488'));
  t.equal(refused.log.failures[0]?.reason, 'nothing can be sent there');

  const without = await called(RELIABLE, [], () => undefined);
  t.equal((await answered(without.parts.callId, 421, 'INVITE')).header('require'), '100rel');
  const unable = await called(PLAIN_SIGNALLING, ['Require: 100rel'], () => undefined);
  t.equal((await answered(unable.parts.callId, 420, 'INVITE')).header('unsupported'), '100rel');

  const silent = await called(RELIABLE, knows, (call) => call.ring());
  await answered(silent.parts.callId, 180, 'INVITE');
  after(32_100);
  await answered(silent.parts.callId, 504, 'INVITE');
  t.same(silent.log.events, ['failed TIMEOUT 504']);
  t.same(errors, []);
});

t.test('a subscription of REFER goes on when the call has ended, in both roles (RFC 5057, 4.1)', async (t) => {
  const { log, ours, parts, calls, agent } = await called(PLAIN_SIGNALLING, [], (call) => call.answer(OURS));
  log.onRefer = () => true;
  const ok = await answered(parts.callId, 200, 'INVITE');
  const within = { ...parts, to: taggedTo(ok) };
  request('ACK', ours, within);
  await turned('answered', () => log.events.includes('answered 200'));
  calls[0]?.refer('sip:third@pbx.example');
  const refer = await nthRequest(parts.callId, 'REFER');
  answer(refer, '202 Accepted');
  await turned('accepted', () => log.events.includes('refer 202 Accepted'));
  const result = { ...within, body: 'SIP/2.0 200 OK\r\n' };
  const ended = 'Subscription-State: terminated;reason=noresource';
  for (const [cseq, event, status] of [
    [2, 'dialog', 489],
    [3, `refer;id=${Number.parseInt(refer.cseqText, 10) + 1}`, 481],
  ] as const) {
    request('NOTIFY', ours, { ...result, cseq, lines: [`Event: ${event}`, ended] });
    await answered(parts.callId, status, 'NOTIFY');
  }
  t.notOk(
    log.events.some((event) => event.endsWith('final')),
    'they are not about our REFER',
  );
  request('REFER', ours, { ...within, cseq: 4, lines: ['Refer-To: <sip:fourth@pbx.example>'] });
  await answered(parts.callId, 202, 'REFER');
  answer(await nthRequest(parts.callId, 'NOTIFY'), '200 OK');
  request('BYE', ours, { ...within, cseq: 5 });
  await turned('over', () => log.events.includes('ended REMOTE'));
  request('INFO', ours, { ...within, cseq: 6 });
  await answered(parts.callId, 481, 'INFO');
  request('NOTIFY', ours, {
    ...{ ...result, cseq: 7 },
    lines: ['Event: refer', ended],
  });
  await answered(parts.callId, 200, 'NOTIFY');
  await turned('told', () => log.events.includes('refer 200 OK final'));
  calls[0]?.notifyRefer(180, 'Ringing');
  answer(await nthRequest(parts.callId, 'NOTIFY', 1), '200 OK');
  agent.close();
  const last = await nthRequest(parts.callId, 'NOTIFY', 2);
  t.match([last.body, last.header('subscription-state')], [/^SIP\/2.0 487 /, /^terminated/]);
  answer(last, '200 OK');
  t.same(errors, []);
});

t.test('a REFER without a subscription is executed and never reported (RFC 4488, 4)', async (t) => {
  const { log, ours, parts, calls } = await called(PLAIN_SIGNALLING, [], (call) => call.answer(OURS));
  log.onRefer = () => true;
  const within = { ...parts, to: taggedTo(await answered(parts.callId, 200, 'INVITE')) };
  request('ACK', ours, within);
  await turned('answered', () => log.events.includes('answered 200'));
  const lines = ['Refer-To: <sip:fourth@pbx.example>', 'Refer-Sub: false'];
  request('REFER', ours, { ...within, cseq: 2, lines });
  t.equal((await answered(parts.callId, 202, 'REFER')).header('refer-sub'), 'false');
  calls[0]?.notifyRefer(200, 'OK');
  request('BYE', ours, { ...within, cseq: 3 });
  await turned('over', () => log.events.includes('ended REMOTE'));
  t.notOk(heard.some(({ callId, method, isRequest }) => callId === parts.callId && isRequest && method === 'NOTIFY'));
  t.same(errors, []);
});
