/** Reliable provisional responses at the callee (RFC 3262, 3 and 5), on virtual time. */
import t from 'tap';
import {
  bodyOf,
  CallLog,
  headerOf,
  type RequestParts,
  requestOf,
  SDP,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import type { IncomingCall, SignallingOptions } from '../engine.ts';
import { PLAIN_SIGNALLING } from '../engine.ts';

const OURS = SDP('sendrecv', '192.0.2.1').replace('o=peer', 'o=-');
const SUPPORTED = { headers: ['Supported: timer, 100rel'] };

type Mode = SignallingOptions['reliableProvisional'];
type Early = CallLog & { early: [string, string, boolean][] };

function called(mode: Mode, parts: RequestParts) {
  const virtual = new VirtualEngine();
  const log = new CallLog() as Early;
  log.early = [];
  (log as { onEarlyMedia?: unknown }).onEarlyMedia = (local: string, remote: string, reliable: boolean) =>
    log.early.push([local, remote, reliable]);
  let call: IncomingCall | null = null;
  virtual.agent({
    signalling: { ...PLAIN_SIGNALLING, reliableProvisional: mode },
    onIncomingCall: (incoming) => {
      call = incoming;
      return log;
    },
  });
  virtual.receive(requestOf('INVITE', { body: SDP(), ...parts }));
  return { virtual, log, call: call as unknown as IncomingCall };
}

/** The same after its 100. */
function taken(parts: RequestParts = SUPPORTED, mode: Mode = 'SUPPORTED') {
  const bed = called(mode, parts);
  bed.virtual.take('SIP/2.0 100');
  return bed;
}

let cseq = 1;
const prackOf = (response: string, parts: RequestParts & { rack?: string } = {}): string => {
  cseq++;
  const rack = parts.rack ?? `${headerOf(response, 'RSeq')} 1 INVITE`;
  return requestOf('PRACK', { to: headerOf(response, 'To'), cseq, ...parts, headers: [`RAck: ${rack}`] });
};

t.test('support and requirement of reliable responses, per peer', (t) => {
  const rows: [Mode, RequestParts, string, string][] = [
    ['NONE', { headers: ['Require: 100rel'] }, 'SIP/2.0 420 Bad Extension', 'Unsupported'],
    ['REQUIRED', {}, 'SIP/2.0 421 Extension Required', 'Require'],
  ];
  for (const [mode, parts, refusal, header] of rows) {
    const { virtual, call } = called(mode, parts);
    t.equal(headerOf(virtual.take(refusal), header), '100rel');
    t.equal(call, null, 'nobody is asked');
  }
  const plain: [Mode, RequestParts][] = [
    ['NONE', SUPPORTED],
    ['SUPPORTED', {}],
  ];
  for (const [mode, parts] of plain) {
    const { virtual, call } = taken(parts, mode);
    call.progress(183, OURS);
    const progress = virtual.take('SIP/2.0 183 Session Progress');
    t.same([headerOf(progress, 'RSeq'), headerOf(progress, 'Require'), bodyOf(progress)], ['', '', OURS]);
    virtual.receive(prackOf(progress, { rack: '1 1 INVITE' }));
    virtual.take('SIP/2.0 481');
    call.answer(OURS);
    t.equal(bodyOf(virtual.take('SIP/2.0 200')), OURS, 'a preview is repeated');
  }
  const reliable: [Mode, RequestParts][] = [
    ['SUPPORTED', SUPPORTED],
    ['SUPPORTED', { headers: ['Require: 100REL'] }],
    ['REQUIRED', SUPPORTED],
  ];
  for (const [mode, parts] of reliable) {
    const { virtual, call } = taken(parts, mode);
    call.ring();
    const ringing = virtual.take('SIP/2.0 180 Ringing');
    t.equal(headerOf(ringing, 'Require'), '100rel');
    t.ok(Number(headerOf(ringing, 'RSeq')) >= 1 && Number(headerOf(ringing, 'RSeq')) < 2 ** 31);
    t.match(headerOf(ringing, 'Supported'), /100rel/);
  }
  t.end();
});

t.test('re-sent from T1, doubling without a limit, until the PRACK', (t) => {
  const { virtual, call, log } = taken();
  const startMs = virtual.nowMs;
  call.progress(183, OURS);
  const progress = virtual.take('SIP/2.0 183');
  virtual.advance(5000);
  t.same(
    virtual.sent.splice(0).map((sent) => [sent.atMs - startMs, sent.text === progress]),
    [500, 1500, 3500].map((atMs) => [atMs, true]),
  );
  t.equal(virtual.traffic.at(-1)?.retransmission, true);
  const prack = prackOf(progress);
  virtual.receive(prack);
  const ok = virtual.take('SIP/2.0 200 OK');
  t.match(headerOf(ok, 'CSeq'), /PRACK$/);
  t.same(log.early, [[OURS, SDP(), true]]);
  virtual.receive(prack);
  t.equal(virtual.take('SIP/2.0 200'), ok, 'a repeated PRACK is answered the same');
  virtual.advance(40_000);
  t.equal(virtual.sent.length, 0);
  virtual.receive(prackOf(progress));
  virtual.take('SIP/2.0 481');
  call.answer(OURS);
  t.equal(bodyOf(virtual.take('SIP/2.0 200')), '', 'described already');
  virtual.receive(requestOf('ACK', { to: headerOf(progress, 'To') }));
  t.same(log.events, ['answered 200']);
  t.end();
});

t.test('without a PRACK the call fails after 64 T1', (t) => {
  const { virtual, call, log } = taken();
  const startMs = virtual.nowMs;
  call.ring();
  const ringing = virtual.take('SIP/2.0 180');
  virtual.receive(prackOf(ringing, { rack: `${headerOf(ringing, 'RSeq')} 2 INVITE` }));
  virtual.take('SIP/2.0 481');
  virtual.receive(prackOf(ringing, { rack: `${Number(headerOf(ringing, 'RSeq')) + 1} 1 INVITE` }));
  virtual.take('SIP/2.0 481');
  virtual.receive(prackOf(ringing, { rack: 'nonsense' }));
  virtual.take('SIP/2.0 481');
  virtual.advance(32_000);
  t.same(
    virtual.sent.splice(0).map((sent) => [sent.atMs - startMs, sent.text.slice(8, 11)]),
    [...[500, 1500, 3500, 7500, 15_500, 31_500].map((atMs) => [atMs, '180']), [32_000, '504']],
  );
  t.same(log.events, ['failed TIMEOUT 504']);
  virtual.advance(40_000);
  t.equal(virtual.engine.busy, false);
  t.end();
});

t.test('one at a time, and the 2xx after what describes the session', (t) => {
  const { virtual, call, log } = taken();
  call.ring();
  call.progress(183, OURS);
  call.progress(180, OURS);
  call.answer(OURS);
  const first = virtual.take('SIP/2.0 180');
  virtual.advance(100);
  t.equal(virtual.sent.length, 0);
  virtual.receive(prackOf(first));
  virtual.take('SIP/2.0 200');
  const second = virtual.take('SIP/2.0 183');
  t.equal(Number(headerOf(second, 'RSeq')), Number(headerOf(first, 'RSeq')) + 1);
  t.equal(bodyOf(second), OURS);
  virtual.receive(prackOf(second));
  virtual.take('SIP/2.0 200');
  const third = virtual.take('SIP/2.0 180');
  t.equal(bodyOf(third), '', 'described once');
  const answer = virtual.take('SIP/2.0 200');
  t.match(headerOf(answer, 'CSeq'), /INVITE$/);
  t.equal(bodyOf(answer), '');
  virtual.advance(1);
  virtual.receive(prackOf(third));
  t.match(headerOf(virtual.take('SIP/2.0 200'), 'CSeq'), /PRACK$/, 'after the 2xx it is still taken');
  virtual.receive(requestOf('ACK', { to: headerOf(first, 'To') }));
  t.same([log.events, log.body], [['answered 200'], SDP()]);
  t.end();
});

t.test('ways out while the answer waits for a PRACK', (t) => {
  const ways: [string, (bed: ReturnType<typeof taken>, to: string) => void, string, string][] = [
    ['hang up', ({ call }) => call.hangUp(), '603', 'failed STATUS 603'],
    ['reject', ({ call }) => call.reject(486, 'Busy Here'), '486', 'failed STATUS 486'],
    ['no PRACK', ({ virtual }) => virtual.advance(32_000), '504', 'failed TIMEOUT 504'],
    ['BYE', ({ virtual }, to) => virtual.receive(requestOf('BYE', { to, cseq: 999 })), '487', 'failed CANCELLED 487'],
  ];
  for (const [name, leave, status, event] of ways) {
    const bed = taken();
    bed.call.progress(183, OURS);
    bed.call.answer(OURS);
    leave(bed, headerOf(bed.virtual.take('SIP/2.0 183'), 'To'));
    bed.virtual.advance(1);
    t.ok(
      bed.virtual.sent.some(({ text }) => text.startsWith(`SIP/2.0 ${status}`)),
      name,
    );
    t.same(bed.log.events, [event], name);
    bed.virtual.sent.length = 0;
    bed.virtual.advance(1000);
    t.notOk(
      bed.virtual.sent.some(({ text }) => text.startsWith('SIP/2.0 183')),
      'and is not sent again',
    );
  }
  t.end();
});

t.test('a delayed offer: ours in the 183, the answer in PRACK', (t) => {
  const { virtual, call, log } = taken({ ...SUPPORTED, body: '' });
  call.progress(183, OURS);
  const progress = virtual.take('SIP/2.0 183');
  t.equal(bodyOf(progress), OURS);
  virtual.receive(prackOf(progress));
  virtual.take('SIP/2.0 400');
  virtual.receive(prackOf(progress, { body: SDP('recvonly') }));
  virtual.take('SIP/2.0 200');
  t.same(log.early, [[OURS, SDP('recvonly'), true]]);
  call.answer(OURS);
  t.equal(bodyOf(virtual.take('SIP/2.0 200')), '');
  virtual.receive(requestOf('ACK', { to: headerOf(progress, 'To') }));
  t.same([log.events, log.body], [['answered 200'], ''], 'all was said before');
  const unreliable = taken({ body: '' });
  unreliable.call.progress(183, OURS);
  t.equal(bodyOf(unreliable.virtual.take('SIP/2.0 183')), '', 'an offer does not go unreliably');
  t.end();
});

t.test('the session may be changed before the answer once it is settled (RFC 3311)', (t) => {
  const { virtual, call, log } = taken();
  call.progress(183, OURS);
  const progress = virtual.take('SIP/2.0 183');
  const to = headerOf(progress, 'To');
  const update = (parts: RequestParts = {}): void => {
    cseq++;
    virtual.receive(requestOf('UPDATE', { to, cseq, ...parts }));
  };
  update({ body: SDP('sendonly') });
  t.match(headerOf(virtual.take('SIP/2.0 500'), 'Retry-After'), /^\d+$/, 'not before the PRACK');
  update();
  virtual.take('SIP/2.0 200');
  virtual.receive(prackOf(progress, { body: SDP('sendonly', '192.0.2.2', 2) }));
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /a=recvonly/, 'an offer in the PRACK');
  update({ body: SDP('sendrecv', '192.0.2.2', 3) });
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /a=sendrecv/);
  t.same(log.events, ['changed by REMOTE', 'changed by REMOTE']);
  call.answer(OURS);
  virtual.take('SIP/2.0 200');
  t.end();
});

t.test('an offer in PRACK that cannot be accepted: the PRACK is answered, the INVITE refused', (t) => {
  const { virtual, call, log } = taken();
  call.progress(183, OURS);
  const progress = virtual.take('SIP/2.0 183');
  virtual.receive(prackOf(progress, { body: SDP('sendrecv', '192.0.2.2', 2).replace('0 8', '9') }));
  const ok = virtual.take('SIP/2.0 200');
  t.match(headerOf(ok, 'CSeq'), /PRACK$/);
  t.equal(bodyOf(ok), '');
  const refusal = virtual.take('SIP/2.0 488 Not Acceptable Here');
  t.match(headerOf(refusal, 'CSeq'), /INVITE$/);
  t.match(headerOf(refusal, 'Warning'), /^305 carillon "offered are G722/);
  t.same(log.events, ['failed STATUS 488']);
  t.end();
});

t.test('a redirection has one Contact per target, without line breaks', (t) => {
  const { virtual, call, log } = taken();
  call.redirect(302, ['sip:b@192.0.2.9', 'sip:c@192.0.2.10\r\nEvil: 1']);
  const moved = virtual.take('SIP/2.0 302 Moved Temporarily');
  t.match(moved, /Contact: <sip:b@192\.0\.2\.9>\r\nContact: <sip:c@192\.0\.2\.10 {2}Evil: 1>\r\n/);
  t.same(log.events, ['failed STATUS 302']);
  t.end();
});
