/** RFC 3263, 4.3 on virtual time: names and several targets, in calls, registrations and dialogs. */
import t from 'tap';
import {
  branchOf,
  CallLog,
  headerOf,
  RegistrationLog,
  requestOf,
  responseTo,
  SDP,
  type Sent,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import type { SipFailure, SipLocator, SipTarget, UserAgentOptions } from '../engine.ts';

const at = (last: number, transport: SipTarget['transport'] = 'UDP'): SipTarget => ({
  transport,
  address: `192.0.2.${last}`,
  port: 5060,
});
const TARGETS = [at(11), at(12), at(13)];
const URI = 'sip:bob@pbx.example';

/** Answers when the test says so. */
class CannedLocator implements SipLocator {
  readonly asked: string[] = [];
  found: Record<string, readonly SipTarget[] | string> = {};
  late = false;
  private waiting: (() => void)[] = [];
  locate(uri: string, done: (targets: readonly SipTarget[] | string) => void): void {
    this.asked.push(uri);
    const answer = (): void => done(this.found[uri] ?? `no server found for ${uri}: A: no records`);
    if (this.late) this.waiting.push(answer);
    else answer();
  }
  answer(): void {
    for (const one of this.waiting.splice(0)) one();
  }
}

class Log extends CallLog {
  onLocated(tookMs: number): void {
    this.events.push(`located ${tookMs}`);
  }
  onFailover(method: string, from: SipTarget, to: SipTarget, reason: string): void {
    this.events.push(`failover ${method} ${from.address} ${to.address}: ${reason}`);
  }
}

function bed(options: Partial<UserAgentOptions> = {}, forbidden: readonly string[] = []) {
  const locator = new CannedLocator();
  locator.found = { 'sip:pbx.example': TARGETS };
  const virtual = new VirtualEngine({ locator, mayReach: (address) => !forbidden.includes(address) });
  const agent = virtual.agent(options);
  const log = new Log();
  const take = (method: string): Sent => {
    virtual.engine.turn(virtual.nowMs);
    const next = virtual.sent[0];
    virtual.take(method);
    return next as Sent;
  };
  const answer = (sent: Sent, status: number, reason: string, parts = {}): void =>
    virtual.receive(responseTo(sent.text, status, reason, parts), { address: sent.address, port: sent.port });
  return { locator, virtual, agent, log, take, answer, call: () => agent.invite(URI, SDP(), log) };
}

t.test('503: the same request to the next server, with a branch of its own', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  call();
  const first = take('INVITE');
  t.equal(first.address, '192.0.2.11');
  answer(first, 100, 'Trying');
  answer(first, 503, 'Service Unavailable', { toTag: 'busy' });
  const [second, ack] = [take('INVITE'), take('ACK')];
  t.equal(ack.address, '192.0.2.11', 'the ACK goes to the server that answered');
  t.equal(branchOf(ack.text), branchOf(first.text));
  t.equal(second.address, '192.0.2.12');
  t.not(branchOf(second.text), branchOf(first.text));
  const plain = (sent: Sent) => sent.text.replace(branchOf(sent.text), '');
  t.equal(plain(second), plain(first), 'nothing else differs: Call-ID, CSeq, From tag, body');
  answer(first, 503, 'Service Unavailable', { toTag: 'busy' });
  t.equal(take('ACK').address, '192.0.2.11', 'repetitions are acknowledged there');
  answer(second, 200, 'OK', { contact: '<sip:bob@192.0.2.12>', body: SDP() });
  t.equal(take('ACK').address, '192.0.2.12');
  t.same(log.events, [
    'located 0',
    'sent',
    'provisional 100',
    'failover INVITE 192.0.2.11 192.0.2.12: 503 Service Unavailable',
    'answered 200',
  ]);
  t.same(virtual.errors, []);
});

t.test('silence and a dead transport: all servers in turn, then the last one counts', async (t) => {
  const { virtual, log, take, call } = bed();
  call();
  const first = take('INVITE');
  virtual.refuse(first.text, 'connection refused');
  const second = take('INVITE');
  t.equal(second.address, '192.0.2.12');
  virtual.advance(32_001);
  const sends = virtual.sent.splice(0);
  const third = sends.at(-1) as Sent;
  t.equal(third.address, '192.0.2.13', 'after timer B');
  t.equal(sends.filter(({ address }) => address === '192.0.2.12').length, 6, 'six repetitions before');
  t.equal(headerOf(third.text, 'CSeq'), '1 INVITE');
  virtual.advance(32_001);
  t.same(log.events.slice(-2), [
    'failover INVITE 192.0.2.12 192.0.2.13: no final response to INVITE within 32 s',
    'failed TIMEOUT null',
  ]);
  t.equal(log.events.filter((event) => event === 'sent').length, 1, 'one attempt');
  virtual.advance(40_000);
  t.equal(virtual.engine.busy, false);
});

t.test('a silent server costs timer B once: it is asked last, but by one request in five minutes', async (t) => {
  const { virtual, log, take, answer, call } = bed({ nextHop: TARGETS });
  const silent = '192.0.2.11';
  const next = (status: 200 | null): Sent => {
    call();
    const invite = take('INVITE');
    if (status === null) return invite;
    answer(invite, status, 'OK', { contact: '<sip:bob@192.0.2.12>', body: SDP() });
    take('ACK');
    return invite;
  };
  t.equal(next(null).address, silent);
  virtual.advance(32_001);
  const second = virtual.sent.splice(0).at(-1) as Sent;
  t.equal(second.address, '192.0.2.12', 'after timer B');
  answer(second, 200, 'OK', { contact: '<sip:bob@192.0.2.12>', body: SDP() });
  take('ACK');
  const asked = Array.from({ length: 5 }, () => next(200).address);
  t.same(asked, Array(5).fill('192.0.2.12'), 'those after it do not wait');
  virtual.advance(300_000);
  virtual.sent.splice(0);
  const trial = next(null);
  t.equal(trial.address, silent, 'asked whether it is back');
  t.equal(next(200).address, '192.0.2.12', 'by one request');
  answer(trial, 200, 'OK', { contact: '<sip:bob@192.0.2.11>', body: SDP() });
  take('ACK');
  t.equal(next(200).address, silent, 'it has answered, and is the first again');
  t.equal(log.events.filter((event) => event.startsWith('failover')).length, 1);
  t.same(virtual.errors, []);
});

t.test('the last server answers 503: that is the failure', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  call();
  for (const { address } of TARGETS) {
    const invite = take('INVITE');
    t.equal(invite.address, address);
    answer(invite, 503, 'Service Unavailable');
    if (virtual.sent.length > 1) virtual.sent.splice(1);
    else virtual.sent.length = 0;
  }
  t.equal(log.events.at(-1), 'failed STATUS 503');
});

t.test('another failure is an answer: nobody else is asked', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  call();
  answer(take('INVITE'), 486, 'Busy Here');
  take('ACK');
  virtual.advance(100);
  t.equal(virtual.sent.length, 0);
  t.equal(log.events.at(-1), 'failed STATUS 486');
});

t.test('what follows a failover stays with the server: digest, CANCEL', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  const placed = call();
  answer(take('INVITE'), 503, 'Service Unavailable');
  const second = take('INVITE');
  take('ACK');
  answer(second, 401, 'Unauthorized', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] });
  take('ACK');
  const third = take('INVITE');
  t.equal(third.address, '192.0.2.12');
  t.equal(headerOf(third.text, 'CSeq'), '2 INVITE');
  answer(third, 180, 'Ringing');
  placed.hangUp();
  const cancel = take('CANCEL');
  t.equal(cancel.address, '192.0.2.12');
  t.equal(branchOf(cancel.text), branchOf(third.text));
  answer(cancel, 200, 'OK');
  answer(third, 503, 'Service Unavailable');
  take('ACK');
  virtual.advance(10);
  t.equal(virtual.sent.length, 0, 'a call that is given up goes to nobody else');
  t.equal(log.events.at(-1), 'failed STATUS 503');
});

t.test('credentials that one server took before it failed are not refused by the challenge of the next', async (t) => {
  const challenge = (nonce: string) => ({ headers: [`Proxy-Authenticate: Digest realm="r", nonce="${nonce}"`] });
  const { log, take, answer, call } = bed();
  call();
  answer(take('INVITE'), 407, 'Proxy Authentication Required', challenge('a'));
  take('ACK');
  answer(take('INVITE'), 503, 'Service Unavailable');
  const second = take('INVITE');
  take('ACK');
  t.match([second.address, headerOf(second.text, 'Proxy-Authorization')], ['192.0.2.12', /nonce="a"/]);
  answer(second, 407, 'Proxy Authentication Required', challenge('b'));
  take('ACK');
  const third = take('INVITE');
  t.match([third.address, headerOf(third.text, 'Proxy-Authorization')], ['192.0.2.12', /nonce="b"/]);
  answer(third, 407, 'Proxy Authentication Required', challenge('c'));
  t.match(log.failures[0]?.reason, /refused the credentials/);
  const registering = bed({ registrarUri: 'sip:pbx.example' });
  registering.agent.register(60, new RegistrationLog());
  registering.answer(registering.take('REGISTER'), 407, 'Who', challenge('a'));
  registering.answer(registering.take('REGISTER'), 503, 'Service Unavailable');
  registering.answer(registering.take('REGISTER'), 407, 'Who', challenge('b'));
  t.match(headerOf(registering.take('REGISTER').text, 'Proxy-Authorization'), /nonce="b"/);
});

t.test('hung up after a failover: no CANCEL before the new server has answered', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  const placed = call();
  const first = take('INVITE');
  answer(first, 180, 'Ringing');
  answer(first, 503, 'Service Unavailable');
  const second = take('INVITE');
  take('ACK');
  placed.hangUp();
  virtual.advance(1);
  t.equal(virtual.sent.length, 0);
  answer(second, 100, 'Trying');
  t.equal(take('CANCEL').address, '192.0.2.12');
  answer(second, 487, 'Request Terminated');
  t.equal(log.events.at(-1), 'failed CANCELLED 487');
});

t.test('Retry-After: the server is not used for that time', async (t) => {
  const { virtual, agent, take, answer, call } = bed();
  call();
  answer(take('INVITE'), 503, 'Service Unavailable', { headers: ['Retry-After: 30 (maintenance);duration=60'] });
  t.equal(take('INVITE').address, '192.0.2.12');
  take('ACK');
  agent.invite(URI, SDP(), new CallLog());
  t.equal(take('INVITE').address, '192.0.2.12', 'the next call begins with the second');
  virtual.advance(30_000);
  virtual.sent.length = 0;
  agent.invite(URI, SDP(), new CallLog());
  t.equal(take('INVITE').address, '192.0.2.11');
});

t.test('the policy forbids one server: the next; all of them: the call says so', async (t) => {
  const one = bed({}, ['192.0.2.11']);
  one.call();
  t.equal(one.take('INVITE').address, '192.0.2.12');
  for (const late of [false, true]) {
    const { locator, virtual, log, call } = bed({}, ['192.0.2.11', '192.0.2.12', '192.0.2.13']);
    locator.late = late;
    call();
    virtual.advance(2);
    locator.answer();
    virtual.advance(2);
    t.equal(virtual.sent.length, 0);
    t.equal(log.events.at(-1), 'failed POLICY null');
    t.match(log.failures[0]?.reason, /policy forbids 192\.0\.2\.13/);
  }
});

t.test('a domain that the policy forbids is not looked up, wherever it stands', async (t) => {
  const mayName = (host: string): boolean => host !== 'evil.example';
  const open = (uri: string, options: Partial<UserAgentOptions> = {}) => {
    const locator = new CannedLocator();
    locator.found = { 'sip:pbx.example': TARGETS, 'sip:evil.example': [at(66)] };
    const virtual = new VirtualEngine({ locator, mayName });
    const log = new Log();
    const call = virtual.agent(options).invite(uri, SDP(), log);
    virtual.advance(1);
    return { locator, virtual, log, call };
  };
  const forbidden = [open('sip:bob@evil.example'), open(URI, { nextHopUri: 'sip:evil.example' })];
  for (const { locator, virtual, log } of forbidden) {
    t.same([locator.asked, virtual.sent, log.events], [[], [], ['failed POLICY null']]);
    t.match(log.failures[0]?.reason, /forbids the domain evil\.example/);
  }
  const { locator, virtual, log, call } = open(URI);
  const invite = virtual.take('INVITE');
  virtual.receive(responseTo(invite, 200, 'OK', { contact: '<sip:bob@evil.example>', body: SDP() }));
  virtual.advance(1);
  t.same([locator.asked, virtual.sent.length], [['sip:pbx.example'], 0], 'a Contact: no ACK goes there');
  call.hangUp();
  virtual.advance(2);
  t.same([virtual.sent.length, log.events.at(-1)], [0, 'ended LOCAL']);
});

t.test('a name that takes its time: t0 is not the wait, and the wait is told', async (t) => {
  const { locator, virtual, log, take, call } = bed();
  locator.late = true;
  call();
  virtual.advance(250);
  t.equal(virtual.sent.length, 0);
  t.equal(virtual.engine.busy, true);
  locator.answer();
  t.equal(take('INVITE').address, '192.0.2.11');
  t.same(log.events, ['located 250', 'sent']);
  t.same(locator.asked, ['sip:pbx.example'], 'only the domain is looked up, not the user part');
});

t.test('no server: the queries are named; given up before: cancelled', async (t) => {
  for (const late of [false, true]) {
    const { locator, virtual, log, call } = bed();
    locator.late = late;
    locator.found = {};
    call();
    t.same(log.events, [], 'the call has to return first');
    locator.answer();
    virtual.advance(2);
    t.same(log.events, ['failed DNS null']);
    t.match(log.failures[0], { reason: 'no server found for sip:pbx.example: A: no records' } as Partial<SipFailure>);
    t.equal(virtual.engine.busy, false);
  }
  const { locator, virtual, log, call } = bed();
  locator.late = true;
  call().hangUp();
  virtual.advance(2);
  t.same(log.events, ['failed CANCELLED null']);
  locator.answer();
  virtual.advance(2);
  t.equal(virtual.sent.length, 0);
  t.equal(virtual.engine.busy, false);
});

t.test('another transport: Via says so', async (t) => {
  const { locator, take, answer, call } = bed();
  locator.found = { 'sip:pbx.example': [at(11, 'UDP'), at(12, 'UDP')] };
  call();
  const first = take('INVITE');
  t.match(headerOf(first.text, 'Via'), /^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;rport;branch=z9hG4bK/);
  answer(first, 503, 'No');
  t.match(headerOf(take('INVITE').text, 'Via'), /^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;rport;branch=z9hG4bK/);
});

t.test('a list of next hops; a next hop with a name', async (t) => {
  const listed = bed({ nextHop: [at(21), at(22)] });
  listed.call();
  listed.answer(listed.take('INVITE'), 503, 'No');
  t.equal(listed.take('INVITE').address, '192.0.2.22');
  t.same(listed.locator.asked, [], 'numbers are not looked up');
  const named = bed({ nextHopUri: 'sip:proxy.example;transport=udp', routeSet: ['<sip:proxy.example;lr>'] });
  named.locator.found = { 'sip:proxy.example;transport=udp': [at(31)] };
  named.call();
  const invite = named.take('INVITE');
  t.equal(invite.address, '192.0.2.31');
  t.match(invite.text, /^INVITE sip:bob@pbx\.example SIP/);
  const routed = bed({ routeSet: ['<sip:proxy.example;lr>'] });
  routed.locator.found = { 'sip:proxy.example;lr': [at(41)] };
  routed.call();
  t.equal(routed.take('INVITE').address, '192.0.2.41');
});

t.test('registrations: 503 and silence lead on; a refresh begins with the server that answered last', async (t) => {
  const { locator, virtual, agent, take, answer } = bed({ registrarUri: 'sip:pbx.example' });
  const log = new RegistrationLog();
  agent.register(60, log);
  const first = take('REGISTER');
  t.equal(first.address, '192.0.2.11');
  answer(first, 503, 'Service Unavailable');
  const second = take('REGISTER');
  t.equal(second.address, '192.0.2.12');
  t.equal(headerOf(second.text, 'CSeq'), headerOf(first.text, 'CSeq'));
  answer(second, 401, 'Unauthorized', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] });
  const third = take('REGISTER');
  t.equal(third.address, '192.0.2.12');
  answer(third, 200, 'OK', { contact: `${headerOf(third.text, 'Contact').replace(/;expires.*/, '')};expires=60` });
  t.same(log.events, ['sent', 'registered 60']);
  virtual.advanceUntilSent(60_000);
  const refresh = take('REGISTER');
  t.equal(refresh.address, '192.0.2.12');
  t.equal(locator.asked.length, 2, 'looked up again');
  virtual.advance(32_001);
  t.equal((virtual.sent.at(-1) as Sent).address, '192.0.2.11', 'then the others');
  virtual.sent.length = 0;
  locator.found = {};
  agent.unregister();
  virtual.advance(32_001);
  virtual.advance(40_000);
  t.equal(log.events.at(-1), 'unregistered', 'in any case');
});

t.test('a dialog whose Contact is a name: ACK and BYE wait for it, and lead on', async (t) => {
  const { locator, virtual, log, take, answer, call } = bed();
  const placed = call();
  locator.late = true;
  locator.found = { ...locator.found, 'sip:device.example:5070': [at(51), at(52)] };
  const invite = take('INVITE');
  const parts = { contact: '<sip:bob@device.example:5070>', body: SDP() };
  answer(invite, 200, 'OK', parts);
  t.equal(log.events.at(-1), 'answered 200');
  virtual.advance(5);
  t.equal(virtual.sent.length, 0, 'the next hop is not known yet');
  locator.answer();
  t.equal(take('ACK').address, '192.0.2.51');
  answer(invite, 200, 'OK', parts);
  t.equal(take('ACK').address, '192.0.2.51', 'the answer came again');
  placed.hangUp();
  const bye = take('BYE');
  t.equal(bye.address, '192.0.2.51');
  answer(bye, 503, 'Service Unavailable');
  const again = take('BYE');
  t.equal(again.address, '192.0.2.52');
  t.equal(headerOf(again.text, 'CSeq'), headerOf(bye.text, 'CSeq'));
  answer(again, 200, 'OK');
  t.equal(log.events.at(-1), 'ended LOCAL');
});

t.test('a refresh of the target that changes nothing leaves the dialog with its server', async (t) => {
  for (const routes of [[], ['Record-Route: <sip:edge.example;lr>']]) {
    const { locator, virtual, take, answer, call } = bed();
    const placed = call();
    const name = routes.length === 0 ? 'sip:device.example:5070' : 'sip:edge.example;lr';
    locator.found = { ...locator.found, [name]: [at(51), at(52)] };
    const contact = '<sip:bob@device.example:5070>';
    answer(take('INVITE'), 200, 'OK', { contact, body: SDP(), headers: routes });
    t.equal(take('ACK').address, '192.0.2.51');
    placed.sendInfo('text/plain', 'x');
    virtual.advance(1);
    answer(take('INFO'), 503, 'Service Unavailable');
    const info = take('INFO');
    t.equal(info.address, '192.0.2.52');
    answer(info, 200, 'OK');
    placed.changeSession(SDP('sendonly'), 'INVITE');
    virtual.advance(1);
    const invite = take('INVITE');
    t.equal(invite.address, '192.0.2.52', 'the one of last time');
    answer(invite, 200, 'OK', { contact, body: SDP() });
    t.equal(take('ACK').address, '192.0.2.52', "the peer's Contact is the same");
    placed.hangUp();
    t.equal(take('BYE').address, '192.0.2.52');
  }
});

t.test('a name in a dialog that is not found: the way the INVITE went', async (t) => {
  const { take, answer, call } = bed();
  call();
  const invite = take('INVITE');
  answer(invite, 200, 'OK', { contact: '<sip:bob@nowhere.lan>', body: SDP() });
  t.equal(take('ACK').address, '192.0.2.11');
});

t.test('and of several servers by the one that took the call', async (t) => {
  const { virtual, take, answer, call } = bed({ nextHop: [at(21), at(22)] });
  call();
  answer(take('INVITE'), 503, 'No');
  const invite = take('INVITE');
  take('ACK');
  const contact = '<sip:bob@nowhere.lan>';
  answer(invite, 200, 'OK', { contact, body: SDP() });
  t.equal(take('ACK').address, '192.0.2.22');
  answer(invite, 200, 'OK', { contact, toTag: 'fork' });
  t.same([take('ACK').address, take('BYE').address], ['192.0.2.22', '192.0.2.22'], "another fork's too");
  for (const [source, address] of [
    ['192.0.2.22', '192.0.2.22'],
    ['192.0.2.99', '192.0.2.99'],
  ] as const) {
    const callee = bed({
      nextHop: [at(21), at(22)],
      onIncomingCall: (incoming) => {
        incoming.answer(SDP());
        return new CallLog();
      },
    });
    callee.virtual.receive(requestOf('INVITE', { contact, body: SDP() }), { address: source, port: 40_000 });
    const ok = callee.virtual.sent.at(-1)?.text ?? '';
    const ends = { to: headerOf(ok, 'To'), from: headerOf(ok, 'From'), callId: headerOf(ok, 'Call-ID') };
    callee.virtual.receive(requestOf('ACK', ends));
    callee.virtual.sent.length = 0;
    callee.agent.close();
    callee.virtual.advance(1);
    t.match(callee.virtual.sent[0], { address, port: source === '192.0.2.22' ? 5060 : 40_000 });
  }
  t.same(virtual.errors, []);
});

t.test('a callee in a dialog whose caller has a name', async (t) => {
  const locator = new CannedLocator();
  locator.found = { 'sip:caller.example': [at(61)] };
  const virtual = new VirtualEngine({ locator });
  const log = new CallLog();
  let incoming: { answer(body: string): void; hangUp(): void } | null = null;
  virtual.agent({
    onIncomingCall: (call) => {
      incoming = call;
      return log;
    },
  });
  const invite = requestOf('INVITE', { contact: '<sip:caller@caller.example>', body: SDP() });
  virtual.receive(invite);
  const taken = incoming as unknown as { answer(body: string): void; hangUp(): void };
  taken.answer(SDP());
  virtual.take('SIP/2.0 100');
  const ok = virtual.take('SIP/2.0 200');
  virtual.receive(
    requestOf('ACK', { to: headerOf(ok, 'To'), from: headerOf(ok, 'From'), callId: headerOf(ok, 'Call-ID') }),
  );
  taken.hangUp();
  virtual.engine.turn(virtual.nowMs);
  t.equal(virtual.sent[0]?.address, '192.0.2.61');
  t.match(virtual.sent[0]?.text, /^BYE sip:caller@caller\.example/);
});

t.test('without a locator names are refused as before; numbers never meet it', async (t) => {
  const virtual = new VirtualEngine();
  const log = new CallLog();
  virtual.agent().invite(URI, SDP(), log);
  virtual.advance(2);
  t.equal(log.events.at(-1), 'failed TRANSPORT null');
  const { locator, agent, take } = bed();
  agent.invite('sip:bob@192.0.2.99:5071', SDP(), new CallLog());
  t.equal(take('INVITE').address, '192.0.2.99');
  t.same(locator.asked, []);
});

t.test('a listener that throws does not reach the locator', async (t) => {
  const { locator, virtual, log, call } = bed();
  locator.late = true;
  log.onLocated = () => {
    throw new Error('a bug of the owner');
  };
  call();
  locator.answer();
  t.equal(virtual.errors.length, 1);
});

t.test('a listener that throws when no server was found does not stop the engine', async (t) => {
  const { locator, virtual, agent, log, call } = bed();
  locator.found = {};
  log.onFailed = () => {
    throw new Error('a bug of the owner');
  };
  call();
  const other = new Log();
  agent.invite(URI, SDP(), other);
  virtual.advance(2);
  t.equal(virtual.errors.length, 1);
  t.same(other.events, ['failed DNS null'], 'the next one hears of it');
  t.equal(virtual.engine.busy, false);
});
