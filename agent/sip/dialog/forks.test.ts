/** Forks of an INVITE at the caller: early dialogs, early media, the one that answers; on virtual time. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { CHALLENGED, calling, DEMAND, OURS, RELIABLE, reliably } from '../../testing/sip/invite-phase.ts';
import {
  bodyOf,
  headerOf,
  PEER,
  type RequestParts,
  requestOf,
  responseTo,
  SDP,
  tagOf,
} from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';

t.test('dialogs that nobody wants: credentials in ACK and BYE, challenges of the BYE answered', (t) => {
  const { virtual, call, invite } = calling();
  virtual.receive(responseTo(invite, 407, DEMAND, { headers: CHALLENGED }));
  virtual.take('ACK');
  const again = virtual.take('INVITE');
  virtual.receive(responseTo(again, 200, 'OK', { toTag: 'a', contact: CONTACT, body: SDP() }));
  virtual.take('ACK');
  const fork = (toTag: string) => responseTo(again, 200, 'OK', { toTag, contact: `<sip:${toTag}@192.0.2.2:5070>` });
  const credentials = (text: string): string => headerOf(text, 'Proxy-Authorization');
  const hungUp = (toTag: string): string => {
    virtual.receive(fork(toTag));
    t.equal(credentials(virtual.take('ACK')), credentials(again), `${toTag}: the INVITE's (RFC 3261, 13.2.2.4)`);
    const bye = virtual.take('BYE');
    t.match(credentials(bye), /nc=\d{8}/);
    return bye;
  };
  const bye = hungUp('b');
  const stale = ['Proxy-Authenticate: Digest realm="r", nonce="m", qop="auth", stale=true'];
  virtual.receive(responseTo(bye, 407, DEMAND, { headers: stale }));
  const second = virtual.take('BYE');
  t.match(credentials(second), /nonce="m"/);
  t.equal(headerOf(second, 'CSeq'), '4 BYE');
  for (let last = second; ; last = virtual.take('BYE')) {
    virtual.receive(responseTo(last, 407, DEMAND, { headers: stale }));
    virtual.advance(1);
    if (virtual.sent.length === 0) break;
    t.ok(Number.parseInt(headerOf(last, 'CSeq'), 10) < 20, 'in vain: no loop');
  }
  virtual.receive(fork('b'));
  t.equal(credentials(virtual.take('ACK')), credentials(again), 'again');
  call.hangUp();
  virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
  virtual.receive(fork('a'));
  t.equal(credentials(virtual.take('ACK')), credentials(again), 'after the end of the call, too');
  hungUp('late');
  const plain = calling();
  plain.virtual.receive(responseTo(plain.invite, 200, 'OK', { contact: CONTACT, body: SDP() }));
  plain.virtual.take('ACK');
  plain.virtual.receive(responseTo(plain.invite, 200, 'OK', { toTag: 'b', contact: '<sip:b@192.0.2.2>' }));
  plain.virtual.take('ACK');
  const first = plain.virtual.take('BYE');
  t.equal(credentials(first), '');
  plain.virtual.receive(responseTo(first, 407, DEMAND, { headers: CHALLENGED }));
  t.match(credentials(plain.virtual.take('BYE')), /^Digest/, 'where nobody has asked before');
  t.end();
});

t.test('199 ends its fork for good (RFC 6228)', (t) => {
  for (const reliable199 of [false, true]) {
    const { virtual, log, call, invite } = calling(RELIABLE);
    const within = (method: string, cseq: number): void =>
      virtual.receive(
        requestOf(method, { callId: call.callId, from: `<${TARGET}>;tag=a`, to: headerOf(invite, 'From'), cseq }),
      );
    virtual.receive(reliably(invite, 183, 1, { toTag: 'a', body: SDP() }));
    virtual.take('PRACK');
    if (reliable199) virtual.receive(reliably(invite, 199, 2, { toTag: 'a' }));
    else virtual.receive(responseTo(invite, 199, 'Early Dialog Terminated', { toTag: 'a' }));
    if (reliable199) t.equal(headerOf(virtual.take('PRACK'), 'RAck'), '2 1 INVITE', 'acknowledged once more');
    const told = log.events.length;
    for (const rseq of [1, 2, 3, 4]) virtual.receive(reliably(invite, 183, rseq, { toTag: 'a', body: SDP() }));
    virtual.receive(responseTo(invite, 183, 'Session Progress', { toTag: 'a', body: SDP() }));
    t.same([virtual.sent.length, log.events.length], [0, told], 'no PRACK, no early media of a fork that is over');
    within('UPDATE', 7);
    virtual.take('SIP/2.0 481');
    virtual.receive(reliably(invite, 183, 9, { toTag: 'b', body: SDP() }));
    virtual.take('PRACK');
    virtual.receive(responseTo(invite, 200, 'OK', { toTag: 'a', contact: CONTACT, body: SDP() }));
    virtual.take('ACK');
    t.equal(log.events.at(-1), 'answered 200', 'a 2xx is one all the same');
    call.hangUp();
    t.equal(headerOf(virtual.take('BYE'), 'CSeq'), reliable199 ? '4 BYE' : '3 BYE');
  }
  t.end();
});

t.test('forks: each early dialog has its own numbers and session', (t) => {
  const { virtual, log, call, invite } = calling(RELIABLE);
  const fork = (toTag: string) => ({ toTag, contact: `<sip:${toTag}@192.0.2.2:5070>` });
  virtual.receive(reliably(invite, 183, 100, { ...fork('a'), body: SDP('sendrecv', '192.0.2.51') }));
  t.equal(headerOf(virtual.take('PRACK sip:a@'), 'RAck'), '100 1 INVITE');
  virtual.receive(reliably(invite, 183, 7, { ...fork('b'), body: SDP('sendrecv', '192.0.2.52') }));
  t.same([headerOf(virtual.take('PRACK sip:b@'), 'RAck')], ['7 1 INVITE']);
  virtual.receive(responseTo(invite, 180, 'Ringing', fork('c')));
  const within = (tag: string, method: string, cseq: number, parts: RequestParts = {}): void =>
    virtual.receive(
      requestOf(method, {
        callId: call.callId,
        from: `<${TARGET}>;tag=${tag}`,
        to: headerOf(invite, 'From'),
        cseq,
        ...parts,
      }),
    );
  within('a', 'UPDATE', 5, { body: SDP('sendonly', '192.0.2.51', 2) });
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /a=recvonly/);
  within('b', 'UPDATE', 3, { body: SDP('sendrecv', '192.0.2.52', 2) });
  t.match(bodyOf(virtual.take('SIP/2.0 200')), /a=sendrecv/, 'the other fork is not on hold');
  within('c', 'UPDATE', 1);
  virtual.take('SIP/2.0 200');
  within('c', 'UPDATE', 2, { body: SDP() });
  virtual.take('SIP/2.0 500');
  within('d', 'UPDATE', 1);
  virtual.take('SIP/2.0 481');
  log.early.length = 0;
  virtual.receive(responseTo(invite, 200, 'OK', fork('b')));
  virtual.take('ACK sip:b@');
  t.equal(log.events.at(-1), 'answered 200');
  virtual.receive(responseTo(invite, 200, 'OK', fork('a')));
  t.equal(headerOf(virtual.take('ACK sip:a@'), 'CSeq'), '1 ACK');
  t.equal(headerOf(virtual.take('BYE sip:a@'), 'CSeq'), '3 BYE', 'the loser is hung up, after its PRACK');
  call.hangUp();
  t.equal(headerOf(virtual.take('BYE sip:b@'), 'CSeq'), '3 BYE');
  t.equal(log.failures.length, 0);
  t.end();
});

t.test('the fork that answers is told last', (t) => {
  const { virtual, log, invite } = calling(RELIABLE);
  for (const toTag of ['a', 'b']) {
    virtual.receive(reliably(invite, 183, 1, { toTag, body: SDP('sendrecv', `192.0.2.5${toTag === 'a' ? 1 : 2}`) }));
    virtual.take('PRACK');
  }
  virtual.receive(responseTo(invite, 200, 'OK', { toTag: 'a', contact: CONTACT }));
  t.same(log.events.slice(-2), ['early settled', 'answered 200']);
  t.match(log.early.at(-1)?.[1], /192\.0\.2\.51/);
  t.end();
});

t.test('previews, 183 without a tag, other tags in the 2xx, 199', (t) => {
  const { virtual, log, invite } = calling();
  const tagless = responseTo(invite, 183, 'Session Progress', { body: SDP() }).replace(';tag=peer', '');
  virtual.receive(tagless);
  virtual.receive(
    responseTo(invite, 180, 'Ringing', { toTag: 'early', headers: ['Record-Route: <sip:p@192.0.2.9;lr>'] }),
  );
  virtual.receive(responseTo(invite, 199, 'Early Dialog Terminated', { toTag: 'early' }));
  virtual.receive(responseTo(invite, 200, 'OK', { toTag: 'final', contact: CONTACT, body: SDP() }));
  const ack = virtual.take('ACK sip:bob-device');
  t.equal(tagOf(headerOf(ack, 'To')), 'final');
  t.equal(headerOf(ack, 'Route'), '', "the 2xx's route set, not the 180's");
  t.same(log.events, [
    'sent',
    'provisional 183',
    'early preview',
    'provisional 180',
    'provisional 199',
    'answered 200',
  ]);
  t.equal(log.body, SDP());
  t.end();
});

t.test('a flood of forks costs an ACK each at most', (t) => {
  const { virtual, log, call, invite } = calling(RELIABLE);
  const count = (method: string): number => virtual.sent.filter(({ text }) => text.startsWith(method)).length;
  const fork = (n: number) => ({ toTag: `f${n}`, contact: `<sip:f${n}@192.0.2.2:5070>` });
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 100; n++) virtual.receive(reliably(invite, 180, 1, { ...fork(n), headers: [`X: ${round}`] }));
  t.equal(count('PRACK'), 64, 'none is acknowledged twice, none beyond the cap');
  virtual.sent.length = 0;
  virtual.receive(responseTo(invite, 200, 'OK', { toTag: 'one', contact: CONTACT, body: SDP() }));
  for (let n = 0; n < 200; n++) virtual.receive(responseTo(invite, 200, 'OK', fork(n)));
  t.same([count('ACK'), count('BYE')], [201, 64]);
  t.same([log.events.at(-1), log.failures], ['answered 200', []]);
  call.hangUp();
  virtual.advance(80_000);
  t.equal(virtual.engine.busy, false);
  t.end();
});

t.test('ringing that is confirmed word for word each minute goes on', (t) => {
  const { virtual, log, invite } = calling();
  for (let minute = 0; minute < 6; minute++) {
    virtual.receive(responseTo(invite, 180, 'Ringing'));
    virtual.advance(60_000);
  }
  t.same([log.events, virtual.sent.length], [['sent', 'provisional 180'], 0]);
  virtual.advance(140_010);
  virtual.take('CANCEL');
  t.end();
});

t.test('whatever forks say in whatever order, the call ends once and nothing stays', (t) => {
  const step = fc.record({
    tag: fc.constantFrom('a', 'b', 'c'),
    status: fc.constantFrom(180, 183, 199, 200, 302, 486, 487),
    rseq: fc.integer({ min: 0, max: 3 }),
    body: fc.boolean(),
    hangUp: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, delayed) => {
      const { virtual, log, call, invite } = calling({ ...RELIABLE, maxRedirects: 2 }, delayed ? '' : OURS);
      for (const { tag, status, rseq, body, hangUp } of steps) {
        const contact = `<sip:${tag}@${PEER.address}:${PEER.port}>`;
        const headers = rseq === 0 || status > 199 ? [] : ['Require: 100rel', `RSeq: ${rseq}`];
        virtual.receive(responseTo(invite, status, 'X', { toTag: tag, contact, headers, body: body ? SDP() : '' }));
        if (hangUp) call.hangUp();
        virtual.advance(10);
      }
      call.hangUp();
      virtual.advance(300_000);
      const ends = log.events.filter((event) => /^(?:failed|ended)/.test(event)).length;
      return ends === 1 && !virtual.engine.busy && virtual.errors.length === 0;
    }),
    { numRuns: 40 },
  );
  t.end();
});
