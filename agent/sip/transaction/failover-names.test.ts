/** Names in calls, registrations and dialogs, on virtual time: when they are looked up, and what is told (RFC 3263). */
import t from 'tap';
import { at, bed, CannedLocator, FailoverLog, TARGETS, URI } from '../../testing/sip/failover-bed.ts';
import { CallLog, headerOf, requestOf, responseTo, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';
import type { SipFailure, UserAgentOptions } from '../engine.ts';

t.test('a domain that the policy forbids is not looked up, wherever it stands', async (t) => {
  const mayName = (host: string): boolean => host !== 'evil.example';
  const open = (uri: string, options: Partial<UserAgentOptions> = {}) => {
    const locator = new CannedLocator();
    locator.found = { 'sip:pbx.example': TARGETS, 'sip:evil.example': [at(66)] };
    const virtual = new VirtualEngine({ locator, mayName });
    const log = new FailoverLog();
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
  const other = new FailoverLog();
  agent.invite(URI, SDP(), other);
  virtual.advance(2);
  t.equal(virtual.errors.length, 1);
  t.same(other.events, ['failed DNS null'], 'the next one hears of it');
  t.equal(virtual.engine.busy, false);
});
