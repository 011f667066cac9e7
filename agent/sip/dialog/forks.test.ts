/** The INVITE phase at the caller: forks, reliable responses, delayed offers, early media, redirects; on virtual time. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import {
  bodyOf,
  CallLog,
  headerOf,
  headersOf,
  PEER,
  type RequestParts,
  type ResponseParts,
  requestOf,
  responseTo,
  SDP,
  tagOf,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';
import { PLAIN_SIGNALLING, type SignallingOptions } from '../engine.ts';

const OURS = SDP('sendrecv', '192.0.2.1');

class EarlyLog extends CallLog {
  readonly early: [string, string, boolean][] = [];
  onEarlyMedia = (local: string, remote: string, reliable: boolean): void => {
    this.early.push([local, remote, reliable]);
    this.events.push(`early ${reliable ? 'settled' : 'preview'}`);
  };
  answerWith: string | null = OURS;
  onDelayedOffer = () => this.answerWith ?? { fault: 'NO_AUDIO' as const, reason: 'no audio' };
}

function calling(signalling: Partial<SignallingOptions> = {}, offer = OURS, engine = {}) {
  const virtual = new VirtualEngine(engine);
  const log = new EarlyLog();
  const agent = virtual.agent({ signalling: { ...PLAIN_SIGNALLING, ...signalling } });
  const call = agent.invite(TARGET, offer, log);
  return { virtual, log, call, invite: virtual.take('INVITE') };
}

const RELIABLE = { reliableProvisional: 'SUPPORTED' } as const;
const reliably = (invite: string, status: number, rseq: number, parts: ResponseParts = {}): string =>
  responseTo(invite, status, 'Progress', {
    contact: CONTACT,
    ...parts,
    headers: ['Require: 100rel', `RSeq: ${rseq}`, ...(parts.headers ?? [])],
  });

t.test('what an INVITE says of 100rel', (t) => {
  const rows: [SignallingOptions['reliableProvisional'], string, string][] = [
    ['NONE', '', ''],
    ['SUPPORTED', '100rel', ''],
    ['REQUIRED', '100rel', '100rel'],
  ];
  for (const [mode, supported, required] of rows) {
    const { invite } = calling({ reliableProvisional: mode });
    t.same([/^Supported:.*100rel/m.test(invite) ? '100rel' : '', headerOf(invite, 'Require')], [supported, required]);
  }
  const { virtual, log, invite } = calling({ reliableProvisional: 'REQUIRED' });
  virtual.receive(responseTo(invite, 420, 'Bad Extension', { headers: ['Unsupported: 100rel'] }));
  virtual.take('ACK');
  t.same(log.events, ['sent', 'failed STATUS 420'], 'what is required is not given up');
  t.equal(log.failures[0]?.reason, 'Bad Extension (the far end does not support 100rel)');
  const asked = calling();
  const needs = ['Require: 100rel, timer'];
  asked.virtual.receive(responseTo(asked.invite, 421, 'Extension Required', { headers: needs }));
  asked.virtual.take('ACK');
  t.equal(asked.log.failures[0]?.reason, 'Extension Required (the far end requires 100rel, timer)');
  const plain = calling();
  plain.virtual.receive(reliably(plain.invite, 183, 7, { body: SDP() }));
  t.equal(plain.virtual.sent.length, 0, 'not asked for: no PRACK');
  t.same(plain.log.events, ['sent', 'provisional 183', 'early preview']);
  t.end();
});

t.test('PRACK, in the order of RSeq', (t) => {
  const { virtual, log, call, invite } = calling(RELIABLE);
  const routes = ['Record-Route: <sip:p@192.0.2.10;lr>'];
  const first = reliably(invite, 180, 41, { headers: routes });
  virtual.receive(first);
  const prack = virtual.take('PRACK sip:bob-device@192.0.2.2:5070');
  t.same(
    [headerOf(prack, 'RAck'), headerOf(prack, 'CSeq'), headerOf(prack, 'Route'), tagOf(headerOf(prack, 'To'))],
    ['41 1 INVITE', '2 PRACK', '<sip:p@192.0.2.10;lr>', 'peer'],
  );
  virtual.receive(first);
  virtual.receive(reliably(invite, 180, 41, { headers: ['X: another text'] }));
  virtual.receive(reliably(invite, 183, 43));
  virtual.receive(reliably(invite, 183, 0));
  t.equal(virtual.sent.length, 0, 'repeated, or ahead of its turn: not acknowledged');
  virtual.receive(responseTo(prack, 200, 'OK'));
  virtual.receive(reliably(invite, 183, 42, { body: SDP() }));
  t.equal(headerOf(virtual.take('PRACK'), 'RAck'), '42 1 INVITE');
  t.same(log.events, ['sent', 'provisional 180', 'provisional 183', 'early settled']);
  t.same(log.early, [[OURS, SDP(), true]]);
  virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT, headers: routes }));
  t.equal(headerOf(virtual.take('ACK'), 'CSeq'), '1 ACK');
  t.same([log.events.at(-1), log.body], ['answered 200', ''], 'the session stands');
  call.hangUp();
  t.equal(headerOf(virtual.take('BYE'), 'CSeq'), '4 BYE', 'after both PRACKs');
  t.end();
});

t.test('a PRACK that is challenged', (t) => {
  const { virtual, invite } = calling(RELIABLE);
  virtual.receive(reliably(invite, 180, 1));
  const prack = virtual.take('PRACK');
  const headers = ['Proxy-Authenticate: Digest realm="r", nonce="n"'];
  virtual.receive(responseTo(prack, 407, 'Proxy Authentication Required', { headers }));
  const again = virtual.take('PRACK');
  t.same([headerOf(again, 'RAck'), headerOf(again, 'CSeq')], ['1 1 INVITE', '3 PRACK']);
  t.match(headerOf(again, 'Proxy-Authorization'), /^Digest/);
  virtual.receive(responseTo(again, 407, 'Proxy Authentication Required', { headers }));
  virtual.advance(100);
  t.ok(virtual.sent.length <= 1, 'and refused again: no loop');
  t.end();
});

const CHALLENGED = ['Proxy-Authenticate: Digest realm="r", nonce="n", qop="auth"'];
const DEMAND = 'Proxy Authentication Required';

t.test('a PRACK that is challenged after the 2xx: one count of CSeq', (t) => {
  const { virtual, call, invite } = calling(RELIABLE);
  virtual.receive(reliably(invite, 180, 1));
  const prack = virtual.take('PRACK');
  const routes = ['Record-Route: <sip:p@192.0.2.10;lr>'];
  virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT, body: SDP(), headers: routes }));
  t.equal(headerOf(virtual.take('ACK'), 'Route'), '<sip:p@192.0.2.10;lr>', "the 2xx's way counts");
  virtual.receive(responseTo(prack, 407, DEMAND, { headers: CHALLENGED }));
  t.equal(headerOf(virtual.take('PRACK'), 'CSeq'), '3 PRACK');
  call.hangUp();
  const bye = virtual.take('BYE');
  t.same([headerOf(bye, 'CSeq'), headerOf(bye, 'Route')], ['4 BYE', '<sip:p@192.0.2.10;lr>']);
  t.end();
});

t.test('a PRACK that is challenged after the end of its fork, or of the call, is not sent again', (t) => {
  const { virtual, call, invite } = calling(RELIABLE);
  const fork = (toTag: string) => ({ toTag, contact: `<sip:${toTag}@192.0.2.2:5070>` });
  const pracks = ['a', 'b'].map((tag) => {
    virtual.receive(reliably(invite, 180, 1, fork(tag)));
    return virtual.take('PRACK');
  });
  virtual.receive(responseTo(invite, 200, 'OK', { ...fork('a'), body: SDP() }));
  virtual.take('ACK sip:a@');
  virtual.receive(responseTo(invite, 200, 'OK', fork('b')));
  virtual.take('ACK sip:b@');
  virtual.take('BYE sip:b@');
  call.hangUp();
  virtual.receive(responseTo(virtual.take('BYE sip:a@'), 200, 'OK'));
  for (const prack of pracks) virtual.receive(responseTo(prack, 407, DEMAND, { headers: CHALLENGED }));
  virtual.advance(1);
  t.same(virtual.sent, []);
  t.end();
});

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

t.test('a delayed offer', (t) => {
  t.test('in the 2xx: the answer goes with the ACK', (t) => {
    const { virtual, log, invite } = calling({}, '');
    t.equal(headerOf(invite, 'Content-Length'), '0');
    virtual.receive(responseTo(invite, 183, 'Session Progress', { body: SDP() }));
    virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT, body: SDP() }));
    t.equal(bodyOf(virtual.take('ACK')), OURS);
    t.same(log.events, ['sent', 'provisional 183', 'answered 200'], 'an unreliable one is no offer');
    t.equal(log.body, SDP());
    t.end();
  });
  t.test('in a reliable response: the answer goes with the PRACK', (t) => {
    const { virtual, log, invite } = calling(RELIABLE, '');
    virtual.receive(reliably(invite, 183, 9, { body: SDP() }));
    t.equal(bodyOf(virtual.take('PRACK')), OURS);
    t.same(log.early, [[OURS, SDP(), true]]);
    virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT }));
    t.equal(bodyOf(virtual.take('ACK')), '');
    t.equal(log.body, '');
    t.end();
  });
  t.test('that cannot be used', (t) => {
    const answered = calling({}, '');
    answered.log.answerWith = null;
    answered.virtual.receive(responseTo(answered.invite, 200, 'OK', { contact: CONTACT, body: SDP() }));
    answered.virtual.take('ACK');
    answered.virtual.take('BYE');
    const early = calling(RELIABLE, '');
    early.log.answerWith = null;
    early.virtual.receive(reliably(early.invite, 183, 9, { body: SDP() }));
    early.virtual.take('PRACK');
    early.virtual.take('CANCEL');
    t.end();
  });
  t.end();
});

t.test('CANCEL with reliable responses', (t) => {
  const { virtual, log, call, invite } = calling(RELIABLE);
  call.hangUp();
  virtual.receive(reliably(invite, 183, 1, { body: SDP() }));
  virtual.take('CANCEL');
  virtual.take('PRACK');
  virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT }));
  virtual.take('ACK');
  t.equal(headerOf(virtual.take('BYE'), 'CSeq'), '3 BYE', 'after the PRACK');
  t.equal(log.events.at(-1), 'failed CANCELLED 200');
  virtual.receive(responseTo(invite, 200, 'OK', { toTag: 'late', contact: '<sip:late@192.0.2.2:5070>' }));
  virtual.take('ACK sip:late@');
  virtual.take('BYE sip:late@');
  virtual.advance(80_000);
  t.equal(virtual.engine.busy, false);
  t.end();
});

t.test('redirects', (t) => {
  const moved = (invite: string, contacts: string[], status = 302): string =>
    responseTo(invite, status, 'Moved', { headers: contacts.map((contact) => `Contact: ${contact}`) });
  t.test('by q, bounded, each target once', (t) => {
    const { virtual, log, invite } = calling({ maxRedirects: 3 });
    virtual.receive(
      moved(invite, ['<sip:c@192.0.2.33>;q=0.1, <sip:a@192.0.2.31:5080?Evil=1>;q=0.9', '<mailto:x@y>', `<${TARGET}>`]),
    );
    virtual.take('ACK');
    const a = virtual.take('INVITE sip:a@192.0.2.31:5080 SIP/2.0');
    t.same(
      [headerOf(a, 'To'), headerOf(a, 'Call-ID'), headerOf(a, 'CSeq'), headerOf(a, 'From')],
      [`<${TARGET}>`, headerOf(invite, 'Call-ID'), '2 INVITE', headerOf(invite, 'From')],
    );
    t.match(virtual.traffic.at(-1), { peerAddress: '192.0.2.31', peerPort: 5080 });
    virtual.receive(moved(a, ['<sip:d@192.0.2.34>;q=0.5', '<sip:a@192.0.2.31:5080>']));
    virtual.take('ACK');
    const d = virtual.take('INVITE sip:d@192.0.2.34');
    virtual.receive(responseTo(d, 486, 'Busy Here'));
    virtual.take('ACK');
    const c = virtual.take('INVITE sip:c@192.0.2.33');
    virtual.receive(moved(c, ['<sip:e@192.0.2.35>']));
    virtual.take('ACK');
    t.same(log.events, ['sent', 'failed STATUS 302']);
    t.match(log.failures[0]?.reason, /3 other targets were tried/);
    t.end();
  });
  t.test('answered by the next, or refused by all', (t) => {
    const { virtual, log, invite } = calling({ maxRedirects: 5 });
    virtual.receive(moved(invite, ['<sip:a@192.0.2.31>'], 301));
    virtual.take('ACK');
    virtual.receive(responseTo(virtual.take('INVITE sip:a@'), 200, 'OK', { contact: CONTACT, body: SDP() }));
    virtual.take('ACK sip:bob-device');
    t.equal(log.events.at(-1), 'answered 200');
    for (const [status, more] of [
      [603, false],
      [404, true],
    ] as const) {
      const bed = calling({ maxRedirects: 5 });
      bed.virtual.receive(moved(bed.invite, ['<sip:a@192.0.2.31>', '<sip:b@192.0.2.32>'], 300));
      bed.virtual.take('ACK');
      bed.virtual.receive(responseTo(bed.virtual.take('INVITE sip:a@'), status, 'No'));
      bed.virtual.take('ACK');
      t.equal(bed.virtual.sent.length, more ? 1 : 0, `${status}`);
      if (!more) t.same([bed.log.events.at(-1), bed.log.failures[0]?.reason], [`failed STATUS ${status}`, 'No']);
    }
    t.end();
  });
  t.test('past a target that nothing can be sent to', (t) => {
    const { virtual, log, invite } = calling({ maxRedirects: 5 });
    virtual.receive(moved(invite, ['<sip:a@192.0.2.31;transport=tcp>;q=0.9', '<sip:b@192.0.2.32>;q=0.5']));
    virtual.take('ACK');
    virtual.receive(moved(virtual.take('INVITE sip:b@192.0.2.32'), ['<sip:c@192.0.2.33;transport=tcp>']));
    virtual.take('ACK');
    virtual.advance(1);
    t.same(log.events, ['sent', 'failed TRANSPORT null'], 'the last one counts');
    t.equal(virtual.engine.busy, true, 'timer D');
    virtual.advance(40_000);
    t.equal(virtual.engine.busy, false);
    t.end();
  });
  t.test('305: by the proxy that it names', (t) => {
    const { virtual, invite } = calling({ maxRedirects: 1 });
    virtual.receive(moved(invite, ['<sip:192.0.2.40:5090;lr>'], 305));
    virtual.take('ACK');
    const again = virtual.take(`INVITE ${TARGET}`);
    t.same(headersOf(again, 'Route'), ['<sip:192.0.2.40:5090;lr>']);
    t.match(virtual.traffic.at(-1), { peerAddress: '192.0.2.40', peerPort: 5090 });
    t.end();
  });
  t.test('what may not, cannot, or has not to be followed', (t) => {
    const policy = {
      mayReach: (address: string) => address !== '10.0.0.1',
      mayCall: (uri: string) => !uri.includes('900'),
    };
    const rows: [string, number, string, RegExp][] = [
      ['<sip:a@10.0.0.1>', 2, 'failed POLICY 302', /policy of this host forbids sip:a@10\.0\.0\.1/],
      ['<sip:+1900@192.0.2.31>', 2, 'failed POLICY 302', /forbids sip:\+1900/],
      [`<${TARGET}>`, 2, 'failed STATUS 302', /loop/],
      ['<tel:+4930>', 2, 'failed STATUS 302', /cannot resolve tel/],
      ['<sip:a@192.0.2.31>', 0, 'failed STATUS 302', /^Moved$/],
    ];
    for (const [contact, maxRedirects, event, reason] of rows) {
      const { virtual, log, invite } = calling({ maxRedirects }, OURS, policy);
      virtual.receive(moved(invite, [contact]));
      virtual.take('ACK');
      t.equal(virtual.sent.length, 0, contact);
      t.equal(log.events.at(-1), event, contact);
      t.match(log.failures[0]?.reason, reason);
    }
    const { virtual, log, call, invite } = calling({ maxRedirects: 2 });
    virtual.receive(responseTo(invite, 180, 'Ringing'));
    call.hangUp();
    virtual.take('CANCEL');
    virtual.receive(moved(invite, ['<sip:a@192.0.2.31>']));
    virtual.take('ACK');
    t.same([virtual.sent.length, log.events.at(-1)], [0, 'failed STATUS 302'], 'not after a CANCEL');
    t.end();
  });
  t.end();
});

t.test('422: the session may not be that short', (t) => {
  const sessionTimer = { expiresSeconds: 120, minSeconds: 90, refresher: null };
  const { virtual, log, invite } = calling({ sessionTimer });
  t.equal(headerOf(invite, 'Session-Expires'), '120');
  virtual.receive(responseTo(invite, 422, 'Session Interval Too Small', { headers: ['Min-SE: 300'] }));
  virtual.take('ACK');
  const again = virtual.take('INVITE');
  t.same(
    [headerOf(again, 'Session-Expires'), headerOf(again, 'Min-SE'), headerOf(again, 'CSeq')],
    ['300', '300', '2 INVITE'],
  );
  virtual.receive(responseTo(again, 422, 'Session Interval Too Small', { headers: ['Min-SE: 300'] }));
  virtual.take('ACK');
  t.same([virtual.sent.length, log.events.at(-1)], [0, 'failed STATUS 422'], 'not twice for the same');
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

/** INVITEs until the call fails, at most 30. */
function invitesOf({ virtual, log, invite }: ReturnType<typeof calling>, refuse: (invite: string, n: number) => void) {
  let invites = 0;
  for (let next: string | undefined = invite; next !== undefined && invites < 30; ) {
    refuse(next, ++invites);
    virtual.advance(1);
    next = virtual.sent.splice(0).find(({ text }) => text.startsWith('INVITE'))?.text;
  }
  t.match(log.events.at(-1), /^failed STATUS/);
  return invites;
}

t.test('a server that is never content is left', (t) => {
  const sessionTimer = { expiresSeconds: 120, minSeconds: 90, refresher: null };
  const short = calling({ sessionTimer });
  const longer = invitesOf(short, (invite, n) => {
    short.virtual.receive(responseTo(invite, 422, 'Too Small', { headers: [`Min-SE: ${300 + n}`] }));
  });
  t.equal(longer, 8, 'a Min-SE that grows each time');
  for (const more of ['', ', stale=true']) {
    const bed = calling(RELIABLE);
    const { virtual } = bed;
    const headers = (n: number) => [`WWW-Authenticate: Digest realm="r", nonce="${n}"${more}`];
    const invites = invitesOf(bed, (invite, n) => {
      virtual.receive(reliably(invite, 183, n));
      virtual.receive(responseTo(virtual.take('PRACK'), 200, 'OK'));
      virtual.receive(responseTo(invite, 401, 'Unauthorized', { headers: headers(n) }));
    });
    t.equal(invites, more === '' ? 2 : 6, 'a PRACK does not make the INVITE a new one');
    const both = calling(RELIABLE);
    const challenged = invitesOf(both, (invite, n) => {
      both.virtual.receive(reliably(invite, 183, n));
      const prack = both.virtual.take('PRACK');
      both.virtual.receive(responseTo(prack, 401, 'Unauthorized', { headers: headers(100 + n) }));
      both.virtual.receive(responseTo(invite, 401, 'Unauthorized', { headers: headers(n) }));
    });
    t.ok(challenged <= 8, `${challenged} INVITEs, each PRACK challenged`);
  }
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
