/** Reliable provisional responses at the caller (RFC 3262): PRACK, its challenges, delayed offers; on virtual time. */
import t from 'tap';
import { CHALLENGED, calling, DEMAND, OURS, RELIABLE, reliably } from '../../testing/sip/invite-phase.ts';
import { bodyOf, headerOf, responseTo, SDP, tagOf } from '../../testing/sip/virtual.ts';
import { CONTACT } from '../../testing/sip/virtual-call.ts';
import type { SignallingOptions } from '../engine.ts';

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
