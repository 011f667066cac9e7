import t from 'tap';
import {
  bodyOf,
  CallLog,
  headerOf,
  headersOf,
  PEER,
  requestOf,
  SDP,
  tagOf,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import type { IncomingCall, UserAgent } from '../engine.ts';

type Bed = { virtual: VirtualEngine; log: CallLog; call: IncomingCall; invite: string; agent: UserAgent };

/** An INVITE that has arrived and got its 100. */
function called(parts: Parameters<typeof requestOf>[1] = {}, engine = {}): Bed {
  const virtual = new VirtualEngine(engine);
  const log = new CallLog();
  let call: IncomingCall | null = null;
  const agent = virtual.agent({
    onIncomingCall: (incoming) => {
      call = incoming;
      return log;
    },
  });
  const invite = requestOf('INVITE', { body: SDP(), ...parts });
  virtual.receive(invite);
  virtual.take('SIP/2.0 100 Trying');
  if (call === null) throw new Error('the call was not handed over');
  return { virtual, log, call, invite, agent };
}

const OURS = SDP('sendrecv', '192.0.2.1').replace('o=peer', 'o=-');

/** The same, answered and acknowledged; `within` creates requests in its dialog. */
function inCall(): Bed & { within: (method: string, parts?: Parameters<typeof requestOf>[1]) => string } {
  const bed = called();
  bed.call.answer(OURS);
  const to = headerOf(bed.virtual.take('SIP/2.0 200'), 'To');
  let cseq = 1;
  const within = (method: string, parts: Parameters<typeof requestOf>[1] = {}): string =>
    requestOf(method, { to, cseq: method === 'ACK' ? cseq : ++cseq, ...parts });
  bed.virtual.receive(within('ACK'));
  return { ...bed, within };
}

t.test('what is wrong with an offer is told with its refusal', (t) => {
  const rows = [
    ['MULTICAST', '330 carillon "a b"'],
    ['NO_ADDRESS', '301 carillon "a b"'],
    ['FORBIDDEN', '399 carillon "a b"'],
  ] as const;
  for (const [fault, warning] of rows) {
    const { virtual, log, call } = called();
    call.reject(488, 'Not Acceptable Here', { fault, reason: 'a"b' });
    t.equal(headerOf(virtual.take('SIP/2.0 488 Not Acceptable Here'), 'Warning'), warning);
    t.same(log.events, ['failed STATUS 488']);
  }
  t.end();
});

t.test('a call from INVITE to BYE', (t) => {
  const { virtual, log, call } = called({
    headers: ['Record-Route: <sip:p1@192.0.2.10;lr>', 'Record-Route: <sip:p2@192.0.2.11;lr>'],
  });
  t.match(call, { direction: 'INCOMING', callId: 'call-1@peer', fromUri: 'sip:bob@example.net', body: SDP() });
  t.equal(call.requestUri, 'sip:alice@192.0.2.1:5060');
  call.ring();
  call.ring();
  const ringing = virtual.take('SIP/2.0 180 Ringing');
  t.same(headersOf(ringing, 'Record-Route'), ['<sip:p1@192.0.2.10;lr>', '<sip:p2@192.0.2.11;lr>']);
  t.equal(headerOf(ringing, 'Contact'), '<sip:alice@192.0.2.1:5060>');
  call.answer(OURS);
  const ok = virtual.take('SIP/2.0 200 OK');
  t.equal(tagOf(headerOf(ok, 'To')), tagOf(headerOf(ringing, 'To')), 'one tag for the whole dialog');
  t.same(headersOf(ok, 'Record-Route').length, 2);
  t.match(headerOf(ok, 'Allow'), /UPDATE/);
  t.equal(bodyOf(ok), OURS);
  t.same(log.events, [], 'answered is what was acknowledged');
  virtual.receive(requestOf('ACK', { to: headerOf(ok, 'To') }));
  t.same([log.events, log.body], [['answered 200'], SDP()]);
  virtual.receive(requestOf('ACK', { to: headerOf(ok, 'To') }));
  t.equal(virtual.traffic.at(-1)?.retransmission, true);
  call.hangUp();
  const bye = virtual.take('BYE sip:bob@192.0.2.2:5070');
  t.equal(headerOf(bye, 'Route'), '<sip:p1@192.0.2.10;lr>, <sip:p2@192.0.2.11;lr>', 'in order at the callee');
  t.equal(headerOf(bye, 'From'), headerOf(ok, 'To'));
  t.equal(headerOf(bye, 'To'), '<sip:bob@example.net>;tag=bob');
  virtual.receive(`SIP/2.0 200 OK\r\n${bye.split('\r\n').slice(1).join('\r\n')}`);
  t.same(log.events, ['answered 200', 'ended LOCAL']);
  virtual.advance(40_000);
  t.equal(virtual.engine.busy, false);
  t.end();
});

t.test('100 Trying is for calls whose owner says nothing at once', (t) => {
  const rows: [string, (call: IncomingCall) => void, boolean, string[]][] = [
    ['waits', () => undefined, true, ['100']],
    ['rings', (call) => call.ring(), true, ['180']],
    ['describes', (call) => call.progress(183, OURS), true, ['183']],
    ['answers', (call) => call.answer(OURS), true, ['200']],
    ['rings and answers', (call) => [call.ring(), call.answer(OURS)], true, ['180', '200']],
    ['refuses', (call) => call.reject(486, 'Busy Here'), true, ['486']],
    ['does not want it', () => undefined, false, ['480']],
  ];
  for (const [what, act, wants, expected] of rows) {
    const virtual = new VirtualEngine();
    virtual.agent({
      onIncomingCall: (call) => {
        act(call);
        return wants ? new CallLog() : null;
      },
    });
    virtual.receive(requestOf('INVITE', { body: SDP(), headers: ['Timestamp: 54'] }));
    virtual.advance(200);
    const statuses = virtual.sent.map(({ text }) => text.slice(8, 11));
    t.same(statuses, expected, what);
  }
  const { virtual, call, invite } = called({ headers: ['Timestamp: 54'] });
  virtual.receive(invite);
  const again = virtual.take('SIP/2.0 100 Trying');
  t.equal(headerOf(again, 'Timestamp'), '54', 'copied (8.2.6.1)');
  t.equal(tagOf(headerOf(again, 'To')), '', 'no tag: it makes no dialog (8.2.6.2)');
  call.ring();
  virtual.take('SIP/2.0 180 Ringing');
  virtual.receive(invite);
  virtual.take('SIP/2.0 180 Ringing');
  t.end();
});

t.test('which callee takes a call', (t) => {
  const unclaimed: string[] = [];
  const log = new CallLog();
  let trunk: UserAgent | null = null;
  const virtual = new VirtualEngine({
    onUnclaimedCall: (requestUri) => {
      unclaimed.push(requestUri);
      return trunk;
    },
  });
  virtual.receive(requestOf('INVITE', { requestUri: 'sip:+4930123@192.0.2.1' }));
  virtual.take('SIP/2.0 404 Not Found');
  trunk = virtual.agent({ contactUser: 'trunk', onIncomingCall: () => log });
  virtual.receive(requestOf('INVITE', { requestUri: 'sip:+4930123@192.0.2.1', callId: '2' }));
  virtual.take('SIP/2.0 100');
  t.same(unclaimed, ['sip:+4930123@192.0.2.1', 'sip:+4930123@192.0.2.1']);
  t.equal(virtual.engine.counters.unclaimed, 1);
  t.throws(() => virtual.agent({ contactUser: 'trunk' }), /belongs to another user agent/);
  t.throws(() => virtual.agent({ aor: 'alice' }), /not a SIP URI: write it as sip:user@host/);
  t.throws(() => virtual.agent({ routeSet: ['sip:p'] }), /write it as <sip:proxy\.example;lr>/);
  trunk.close();
  virtual.receive(requestOf('INVITE', { requestUri: 'sip:+4930123@192.0.2.1', callId: '3' }));
  const texts = virtual.sent.map((sent) => sent.text.slice(0, 11));
  t.ok(texts.includes('SIP/2.0 603'), 'closing declines what rings');
  t.ok(texts.includes('SIP/2.0 404'), 'a closed user agent takes nothing');
  virtual.agent({ contactUser: 'm\u00fcller', onIncomingCall: () => log });
  virtual.sent.length = 0;
  virtual.receive(requestOf('INVITE', { requestUri: 'sip:m%C3%BCller@192.0.2.1', callId: '4' }));
  virtual.take('SIP/2.0 100');
  t.end();
});

t.test('how a call is refused', (t) => {
  const rows: [string, (call: IncomingCall) => void, boolean, string][] = [
    ['by status', (call) => call.reject(486, 'Busy\r\nHere'), true, 'SIP/2.0 486 Busy  Here\r\n'],
    ['by hanging up', (call) => call.hangUp(), true, 'SIP/2.0 603 Decline'],
    ['by not wanting it', () => undefined, false, 'SIP/2.0 480 Temporarily Unavailable'],
    ['by status and not wanting it', (call) => call.reject(404, 'Not Found'), false, 'SIP/2.0 404 Not Found'],
    ['with a status that is none', (call) => call.reject(200, 'OK'), false, 'SIP/2.0 500 OK'],
  ];
  for (const [what, act, wants, expected] of rows) {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    virtual.agent({
      onIncomingCall: (call) => {
        act(call);
        return wants ? log : null;
      },
    });
    const invite = requestOf('INVITE');
    virtual.receive(invite);
    const refusal = virtual.take(expected);
    virtual.receive(requestOf('ACK', { to: headerOf(refusal, 'To'), branch: invite.match(/branch=(\S+)/)?.[1] ?? '' }));
    virtual.advance(1000);
    t.equal(virtual.sent.length, 0, `${what}: the ACK stops it`);
    t.match(log.events, wants ? [/^failed STATUS/] : [], 'reported once, after the handler');
  }
  const broken = new VirtualEngine();
  broken.agent({
    onIncomingCall: () => {
      throw new Error('bug');
    },
  });
  broken.receive(requestOf('INVITE'));
  broken.take('SIP/2.0 500');
  t.same([broken.errors.length, broken.engine.counters.internalErrors], [1, 1]);
  t.end();
});

t.test('CANCEL is answered, and ends the INVITE with 487', (t) => {
  const { virtual, log, call, invite } = called();
  call.ring();
  const ringing = virtual.take('SIP/2.0 180');
  const branch = invite.match(/branch=(\S+)/)?.[1] ?? '';
  virtual.receive(requestOf('CANCEL', { branch, contact: null }));
  const ok = virtual.take('SIP/2.0 200 OK');
  t.equal(headerOf(ok, 'CSeq'), '1 CANCEL');
  t.equal(tagOf(headerOf(ok, 'To')), tagOf(headerOf(ringing, 'To')));
  t.equal(headerOf(virtual.take('SIP/2.0 487 Request Terminated'), 'CSeq'), '1 INVITE');
  t.same(log.events, ['failed CANCELLED 487']);
  call.answer(OURS);
  call.hangUp();
  virtual.advance(0);
  t.equal(virtual.sent.length, 0, 'what arrives after the end does nothing');
  const late = inCall();
  late.virtual.receive(requestOf('CANCEL', { branch: late.invite.match(/branch=(\S+)/)?.[1] ?? '', contact: null }));
  late.virtual.take('SIP/2.0 200 OK');
  t.same(late.log.events, ['answered 200'], 'after the answer it changes nothing (9.2)');
  t.end();
});

t.test('hanging up and hung up before the ACK', (t) => {
  const waiting = called();
  waiting.call.answer(OURS);
  const ok = waiting.virtual.take('SIP/2.0 200');
  waiting.call.hangUp();
  waiting.virtual.advance(100);
  t.equal(waiting.virtual.sent.length, 0, 'no BYE before the ACK (15)');
  waiting.virtual.receive(requestOf('ACK', { to: headerOf(ok, 'To') }));
  waiting.virtual.take('BYE');
  t.same(waiting.log.events, ['answered 200']);
  const overtaken = called();
  overtaken.call.answer(OURS);
  const to = headerOf(overtaken.virtual.take('SIP/2.0 200'), 'To');
  overtaken.virtual.receive(requestOf('BYE', { to, cseq: 2 }));
  overtaken.virtual.take('SIP/2.0 200');
  t.same(overtaken.log.events, ['answered 200', 'ended REMOTE'], 'a BYE that overtakes its ACK');
  const early = called();
  early.call.ring();
  const tag = headerOf(early.virtual.take('SIP/2.0 180'), 'To');
  early.virtual.receive(requestOf('BYE', { to: tag, cseq: 2 }));
  early.virtual.take('SIP/2.0 200');
  early.virtual.take('SIP/2.0 487');
  t.same(early.log.events, ['failed CANCELLED 487'], 'BYE in the early dialog');
  const ignored = called();
  ignored.virtual.advance(201_000);
  t.same(ignored.log.events, ['failed TIMEOUT 480'], 'a call that nobody decides about is refused after 200 s');
  t.end();
});

t.test('an INVITE without an offer gets one in the 200', (t) => {
  const { virtual, log, call } = called({ body: '' });
  t.equal(call.body, '');
  call.answer(OURS);
  const ok = virtual.take('SIP/2.0 200');
  virtual.receive(requestOf('ACK', { to: headerOf(ok, 'To'), body: SDP('recvonly') }));
  t.same([log.events, log.body], [['answered 200'], SDP('recvonly')], 'the answer comes in the ACK');
  t.end();
});

t.test('re-INVITE and UPDATE', (t) => {
  const version = (sdp: string): string => /o=- 7 (\d+)/.exec(sdp)?.[1] ?? '';
  const { virtual, log, within } = inCall();
  const reinvite = (parts: Parameters<typeof requestOf>[1]): string => {
    virtual.receive(within('INVITE', parts));
    const ok = virtual.take('SIP/2.0 200');
    virtual.receive(within('ACK'));
    return bodyOf(ok);
  };
  const first = reinvite({ body: SDP() });
  t.match(first, /m=audio 4000 RTP\/AVP 0\r\n/, 'the first common codec');
  t.match(first, /a=sendrecv/);
  t.equal(version(first), '2', 'another description than our offer: next version');
  t.equal(reinvite({ body: SDP() }), first, 'no change: word for word the same (RFC 3264, 8)');
  const held = reinvite({ body: SDP('sendonly', PEER.address, 2) });
  t.match(held, /a=recvonly/, 'hold is mirrored');
  t.equal(version(held), '3');
  virtual.receive(within('UPDATE', { body: SDP('sendrecv', PEER.address, 3) }));
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /a=sendrecv/, 'resumed by UPDATE');
  virtual.receive(within('UPDATE'));
  t.equal(bodyOf(virtual.take('SIP/2.0 200')), '', 'an UPDATE without a description');
  virtual.receive(within('INVITE'));
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /m=audio 4000/, 'without an offer: ours is offered');
  virtual.receive(within('INVITE', { body: SDP() }));
  virtual.take('SIP/2.0 491 Request Pending');
  virtual.receive(within('ACK', { cseq: 7, body: SDP() }));
  virtual.receive(within('INVITE', { body: SDP().replace('0 8', '9') }));
  t.match(
    headerOf(virtual.take('SIP/2.0 488 Not Acceptable Here'), 'Warning'),
    /^305 carillon "offered are G722\/8000/,
  );
  virtual.receive(within('INVITE', { body: 'nonsense' }));
  virtual.take('SIP/2.0 488');
  t.same(log.events, ['answered 200', ...Array(4).fill('changed by REMOTE'), 'changed by LOCAL']);
  virtual.receive(within('INVITE', { body: SDP(), contact: '<sip:moved@192.0.2.77:5099>' }));
  virtual.take('SIP/2.0 200');
  virtual.advance(33_000);
  t.ok(
    virtual.sent.some((sent) => sent.text.startsWith('BYE sip:moved@192.0.2.77') && sent.address === '192.0.2.77'),
    'no ACK: hung up, at the new target',
  );
  virtual.advance(33_000);
  t.same(log.events.at(-1), 'ended LOCAL');
  const ringing = called();
  ringing.call.ring();
  const to = headerOf(ringing.virtual.take('SIP/2.0 180'), 'To');
  ringing.virtual.receive(requestOf('UPDATE', { to, cseq: 2, body: SDP() }));
  t.match(
    headerOf(ringing.virtual.take('SIP/2.0 500'), 'Retry-After'),
    /^\d+$/,
    'an offer before the first is answered',
  );
  t.end();
});

t.test('the owner of the call has the last word on its session', (t) => {
  const { virtual, log, within } = inCall();
  const asked: string[] = [];
  log.onSessionOffer = (local, offer) => {
    asked.push(offer);
    if (offer.includes('192.0.2.66')) return { fault: 'NO_ADDRESS', reason: 'forbidden' };
    return offer === '' ? local.replace('sendrecv', 'sendonly') : local.replace('sendrecv', 'recvonly');
  };
  virtual.receive(within('INVITE', { body: SDP('sendrecv', '192.0.2.66') }));
  t.match(headerOf(virtual.take('SIP/2.0 488'), 'Warning'), /"forbidden"$/);
  virtual.receive(within('ACK'));
  t.same(log.events, ['answered 200'], 'the session goes on as it was');
  virtual.receive(within('UPDATE', { body: SDP('sendonly') }));
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /a=recvonly/);
  virtual.receive(within('UPDATE'));
  t.equal(bodyOf(virtual.take('SIP/2.0 200')), '');
  t.equal(asked.length, 2, 'an UPDATE without a description asks for nothing');
  virtual.receive(within('INVITE'));
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /a=recvonly|a=sendonly/);
  virtual.receive(within('ACK', { body: SDP('sendrecv') }));
  t.same(log.events, ['answered 200', 'changed by REMOTE', 'changed by LOCAL']);
  t.same(log.askers, ['PEER', 'PEER']);
  const held = inCall();
  held.virtual.receive(held.within('UPDATE', { body: SDP('sendonly') }));
  t.match(bodyOf(held.virtual.take('SIP/2.0 200')), /a=recvonly/);
  held.virtual.receive(held.within('INVITE'));
  t.match(bodyOf(held.virtual.take('SIP/2.0 200')), /a=sendrecv/, 'what we offer after a hold ends it');
  t.end();
});

t.test('hung up within the answer: one BYE', (t) => {
  const { virtual, log, call } = called();
  log.onAnswered = () => call.hangUp();
  call.answer(OURS);
  const to = headerOf(virtual.take('SIP/2.0 200'), 'To');
  virtual.receive(requestOf('ACK', { to }));
  virtual.take('BYE');
  t.equal(virtual.sent.length, 0);
  t.end();
});

t.test('other requests in a dialog', (t) => {
  const { virtual, log, within } = inCall();
  virtual.receive(within('INFO', { headers: ['Content-Type: application/dtmf-relay'] }));
  virtual.take('SIP/2.0 200');
  virtual.receive(within('OPTIONS'));
  t.match(headerOf(virtual.take('SIP/2.0 200'), 'Accept'), /application\/sdp/);
  virtual.receive(within('INFO', { cseq: 2 }));
  virtual.take('SIP/2.0 500 Server Internal Error (CSeq out of order)');
  virtual.receive(within('SUBSCRIBE'));
  virtual.take('SIP/2.0 405');
  virtual.receive(within('INFO', { callId: 'other@peer' }));
  virtual.take('SIP/2.0 481');
  virtual.receive(within('INFO', { from: '<sip:bob@example.net>;tag=other' }));
  virtual.take('SIP/2.0 481');
  virtual.receive(within('ACK', { from: '<sip:bob@example.net>;tag=other' }));
  t.equal(virtual.engine.counters.unmatched, 1);
  virtual.receive(within('BYE'));
  virtual.take('SIP/2.0 200');
  t.same(log.events, ['answered 200', 'info application/dtmf-relay ', 'ended REMOTE']);
  t.ok(
    virtual.traffic.every((seen) => seen.method !== 'INFO' || seen.callId !== ''),
    'all of it is in the trace',
  );
  t.end();
});

t.test('what the policy forbids to answer is not taken', (t) => {
  const virtual = new VirtualEngine({ mayReach: () => false });
  const log = new CallLog();
  virtual.agent({ onIncomingCall: () => log });
  virtual.receive(requestOf('INVITE'));
  t.same([virtual.sent.length, log.events.length, virtual.engine.counters.refusedByPolicy], [0, 0, 1]);
  t.end();
});

t.test('the engine closes under calls', (t) => {
  const ringing = called();
  ringing.call.ring();
  ringing.virtual.engine.close();
  t.same(ringing.log.events, ['failed TRANSPORT null']);
  const { virtual, log } = inCall();
  virtual.engine.close();
  t.same(log.events, ['answered 200', 'ended LOCAL']);
  virtual.receive(requestOf('INVITE'));
  virtual.advance(100_000);
  t.same([virtual.errors, log.events.length], [[], 2]);
  t.end();
});
