/** Our re-INVITE and UPDATE, and concurrent ones of the peer (RFC 3261, 14; RFC 3311). */
import t from 'tap';
import { bodyOf, branchOf, headerOf, headersOf, PEER, responseTo, SDP } from '../../../testing/sip/virtual.ts';
import { CONTACT } from '../../../testing/sip/virtual-call.ts';
import {
  ALLOW,
  accept,
  answeredUp,
  calledUp,
  ENDS,
  held,
  isLeftClean,
  OURS,
  versionOf,
} from '../../../testing/sip/virtual-dialog.ts';
import { glareWaitMs } from './session-change.ts';

const ANSWER = SDP('recvonly');

for (const [end, up] of ENDS) {
  t.test(`${end}: hold and resume by re-INVITE`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    call.changeSession(held(OURS), 'INVITE');
    t.equal(virtual.sent.length, 0, 'not within the call of the owner');
    virtual.advance(1);
    const hold = virtual.take('INVITE');
    t.match(bodyOf(hold), /a=sendonly/);
    t.equal(versionOf(bodyOf(hold)), versionOf(OURS) + 1);
    t.match(hold, /\r\nContact: </);
    virtual.receive(responseTo(hold, 100, 'Trying'));
    const ok = accept(bed, hold, ANSWER);
    const ack = virtual.take('ACK');
    t.equal(headerOf(ack, 'CSeq'), headerOf(hold, 'CSeq').replace('INVITE', 'ACK'));
    t.not(branchOf(ack), branchOf(hold), 'a branch of its own');
    virtual.receive(ok);
    t.equal(virtual.take('ACK'), ack, 'every repetition of the 2xx is acknowledged');
    call.changeSession(OURS, 'INVITE');
    virtual.advance(1);
    const resume = virtual.take('INVITE');
    t.match(bodyOf(resume), /a=sendrecv/);
    t.equal(versionOf(bodyOf(resume)), versionOf(OURS) + 2, 'one more again, whatever the owner wrote');
    accept(bed, resume);
    virtual.take('ACK');
    call.changeSession(OURS, 'INVITE');
    virtual.advance(1);
    const same = virtual.take('INVITE');
    t.equal(bodyOf(same), bodyOf(resume), 'nothing changes: word for word the same (RFC 3264, 8)');
    accept(bed, same);
    virtual.take('ACK');
    t.same(log.events.slice(-3), Array(3).fill('changed by LOCAL'));
    t.ok(isLeftClean(bed));
    t.same(virtual.errors, []);
    t.end();
  });

  t.test(`${end}: hold and resume by UPDATE`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    call.changeSession(held(OURS), 'UPDATE');
    virtual.advance(1);
    const hold = virtual.take('UPDATE');
    t.match(bodyOf(hold), /a=sendonly/);
    t.match(hold, /\r\nContact: </, 'a target refresh');
    accept(bed, hold, ANSWER);
    t.equal(virtual.sent.length, 0, 'no ACK');
    call.changeSession('', 'UPDATE');
    virtual.advance(1);
    const empty = virtual.take('UPDATE');
    t.equal(bodyOf(empty), '');
    accept(bed, empty, '');
    t.same(log.events, ['changed by LOCAL']);
    t.ok(isLeftClean(bed));
    t.end();
  });

  t.test(`${end}: the peer's target changes with its 2xx`, (t) => {
    const bed = up();
    bed.call.changeSession(held(OURS), 'INVITE');
    bed.virtual.advance(1);
    const hold = bed.virtual.take('INVITE');
    const contact = '<sip:moved@192.0.2.77:5099>';
    bed.virtual.receive(responseTo(hold, 200, 'OK', { contact, body: ANSWER }));
    bed.virtual.take('ACK sip:moved@192.0.2.77:5099');
    bed.call.hangUp();
    bed.virtual.take('BYE sip:moved@192.0.2.77:5099');
    t.end();
  });

  t.test(`${end}: a refusal changes nothing`, (t) => {
    for (const [status, method] of [
      [488, 'INVITE'],
      [500, 'INVITE'],
      [603, 'INVITE'],
      [302, 'INVITE'],
      [488, 'UPDATE'],
      [504, 'UPDATE'],
    ] as const) {
      const bed = up();
      const { virtual, log, call } = bed;
      call.changeSession(held(OURS), method);
      virtual.advance(1);
      const request = virtual.take(method);
      virtual.receive(responseTo(request, status, 'No'));
      if (method === 'INVITE') {
        const ack = virtual.take('ACK');
        t.equal(branchOf(ack), branchOf(request), 'in the transaction');
      }
      t.same(log.events, [`refused ${status}`]);
      virtual.receive(bed.within('UPDATE', { body: SDP('sendonly', PEER.address, 2) }));
      t.equal(versionOf(bodyOf(virtual.take('SIP/2.0 200'))), versionOf(OURS) + 1, 'what was refused never was');
      t.ok(isLeftClean(bed));
    }
    t.end();
  });

  t.test(`${end}: 408, 481 and silence end the dialog`, (t) => {
    for (const method of ['INVITE', 'UPDATE'] as const) {
      for (const status of [408, 481]) {
        const bed = up();
        bed.call.changeSession(held(OURS), method);
        bed.virtual.advance(1);
        bed.virtual.receive(responseTo(bed.virtual.take(method), status, 'Gone'));
        if (method === 'INVITE') bed.virtual.take('ACK');
        bed.virtual.receive(responseTo(bed.virtual.take('BYE'), 200, 'OK'));
        t.same(bed.log.events, [`refused ${status}`, 'ended LOCAL']);
        t.ok(isLeftClean(bed));
      }
      const bed = up();
      bed.call.changeSession(held(OURS), method);
      bed.virtual.advance(33_000);
      t.same(bed.log.events, ['refused 408']);
      t.ok(bed.virtual.sent.some(({ text }) => text.startsWith('BYE')));
      bed.virtual.advance(33_000);
      t.equal(bed.log.events.at(-1), 'ended LOCAL');
    }
    t.end();
  });

  t.test(`${end}: a re-INVITE that rings for ever, whose CANCEL brings no end either`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    call.changeSession(held(OURS), 'INVITE');
    virtual.advance(1);
    const request = virtual.take('INVITE');
    const ringing = responseTo(request, 180, 'Ringing');
    virtual.receive(ringing);
    virtual.advance(150_000);
    virtual.receive(ringing);
    virtual.advance(199_000);
    t.equal(virtual.sent.length, 0, 'ringing that is confirmed word for word goes on');
    virtual.advance(1001);
    virtual.receive(responseTo(virtual.take('CANCEL'), 200, 'OK'));
    virtual.advance(32_010);
    t.same(log.events, ['refused 408']);
    virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
    virtual.advance(70_000);
    t.equal(virtual.engine.busy, false, 'its transaction is gone');
    t.end();
  });

  t.test(`${end}: a challenge is answered, in the ACK too`, (t) => {
    const challenge = (nonce: string) => `WWW-Authenticate: Digest realm="x", nonce="${nonce}", qop="auth"`;
    for (const method of ['INVITE', 'UPDATE'] as const) {
      const bed = up();
      const { virtual, log, call } = bed;
      call.changeSession(held(OURS), method);
      virtual.advance(1);
      const first = virtual.take(method);
      virtual.receive(responseTo(first, 401, 'Unauthorized', { headers: [challenge('1')] }));
      if (method === 'INVITE') virtual.take('ACK');
      const second = virtual.take(method);
      t.equal(Number.parseInt(headerOf(second, 'CSeq'), 10), Number.parseInt(headerOf(first, 'CSeq'), 10) + 1);
      t.match(headerOf(second, 'Authorization'), /nonce="1".*nc=00000001/);
      accept(bed, second, ANSWER);
      if (method === 'INVITE')
        t.equal(headerOf(virtual.take('ACK'), 'Authorization'), headerOf(second, 'Authorization'));
      call.changeSession(OURS, method);
      virtual.advance(1);
      const next = virtual.take(method);
      t.match(headerOf(next, 'Authorization'), /nc=00000002/, 'the nonce is used on');
      virtual.receive(responseTo(next, 401, 'Unauthorized', { headers: [challenge('2')] }));
      if (method === 'INVITE') virtual.take('ACK');
      const again = virtual.take(method);
      t.match(headerOf(again, 'Authorization'), /nonce="2"/, 'a new request, a new count of challenges');
      virtual.receive(responseTo(again, 401, 'Unauthorized', { headers: [challenge('3')] }));
      if (method === 'INVITE') virtual.take('ACK');
      t.same(log.events, ['changed by LOCAL', 'refused 401']);
      t.ok(isLeftClean(bed));
    }
    t.end();
  });

  t.test(`${end}: glare, the answer 491`, (t) => {
    for (const method of ['INVITE', 'UPDATE'] as const) {
      const bed = up();
      const { virtual, log, call } = bed;
      call.changeSession(held(OURS), method);
      virtual.advance(1);
      const first = virtual.take(method);
      virtual.receive(responseTo(first, 491, 'Request Pending'));
      if (method === 'INVITE') virtual.take('ACK');
      const fromMs = virtual.nowMs;
      virtual.receive(bed.within('INVITE', { body: SDP('sendrecv', PEER.address, 2) }));
      const theirs = bodyOf(virtual.take('SIP/2.0 200'));
      virtual.receive(bed.within('ACK'));
      virtual.advanceUntilSent(4100);
      const waitedMs = virtual.nowMs - fromMs;
      if (end === 'caller') t.ok(waitedMs >= 2100 && waitedMs <= 4001, `the owner of the Call-ID: ${waitedMs}`);
      else t.ok(waitedMs <= 2001, `the other end: ${waitedMs}`);
      const second = virtual.take(method);
      t.match(bodyOf(second), /a=sendonly/);
      t.equal(versionOf(bodyOf(second)), versionOf(theirs) + 1, "after the peer's change");
      accept(bed, second, ANSWER);
      if (method === 'INVITE') virtual.take('ACK');
      t.same(log.events, ['changed by REMOTE', 'changed by LOCAL']);
      t.equal(log.askers[0], 'PEER');
      t.ok(isLeftClean(bed));
    }
    t.end();
  });

  t.test(`${end}: 491 for ever`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    call.changeSession(held(OURS), 'UPDATE');
    let sends = 0;
    for (; log.events.length === 0; sends++) {
      virtual.advanceUntilSent(5000);
      virtual.receive(responseTo(virtual.take('UPDATE'), 491, 'Request Pending'));
    }
    t.same([log.events.at(-1), sends], ['refused 491', 6]);
    t.ok(isLeftClean(bed));
    t.end();
  });

  t.test(`${end}: glare, the peer's request`, (t) => {
    const rows: ['INVITE' | 'UPDATE', boolean, 'INVITE' | 'UPDATE', boolean, number][] = [
      // ours, with an offer; the peer's, with an offer; the answer that it gets
      ['INVITE', true, 'INVITE', true, 491],
      ['INVITE', true, 'INVITE', false, 491],
      ['INVITE', true, 'UPDATE', true, 491],
      ['INVITE', true, 'UPDATE', false, 200],
      ['UPDATE', true, 'INVITE', true, 491],
      ['UPDATE', true, 'UPDATE', true, 491],
      ['UPDATE', true, 'UPDATE', false, 200],
      ['UPDATE', false, 'UPDATE', true, 200],
      ['UPDATE', false, 'INVITE', true, 200],
    ];
    for (const [ours, offers, his, hisOffers, status] of rows) {
      const bed = up();
      bed.call.changeSession(offers ? held(OURS) : '', ours);
      bed.virtual.advance(1);
      const request = bed.virtual.take(ours);
      bed.virtual.receive(bed.within(his, hisOffers ? { body: SDP('sendonly', PEER.address, 2) } : {}));
      bed.virtual.take(`SIP/2.0 ${status}`);
      bed.virtual.receive(bed.within('ACK'));
      accept(bed, request, offers ? ANSWER : '');
      t.equal(
        bed.log.events.at(-1),
        offers ? 'changed by LOCAL' : hisOffers ? 'changed by REMOTE' : bed.log.events.at(-1),
      );
      t.ok(isLeftClean(bed), `${ours} ${offers}, ${his} ${hisOffers}`);
    }
    t.end();
  });

  t.test(`${end}: ours waits while the peer's 2xx is not acknowledged`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    virtual.receive(bed.within('INVITE', { body: SDP('sendonly', PEER.address, 2) }));
    virtual.take('SIP/2.0 200');
    call.changeSession(OURS, 'INVITE');
    virtual.advance(100);
    t.equal(virtual.sent.length, 0, 'one INVITE at a time (14.1)');
    virtual.receive(bed.within('ACK'));
    virtual.advanceUntilSent(4100);
    accept(bed, virtual.take('INVITE'));
    virtual.take('ACK');
    t.same(log.events, ['changed by REMOTE', 'changed by LOCAL']);
    t.equal(log.askers[0], 'PEER');
    virtual.receive(bed.within('INVITE'));
    virtual.take('SIP/2.0 200');
    call.changeSession(held(OURS), 'UPDATE');
    virtual.advance(100);
    t.equal(virtual.sent.length, 0, "the peer's answer comes with the ACK: no offer before it (RFC 3311, 5.1)");
    virtual.receive(bed.within('ACK', { body: SDP() }));
    virtual.advanceUntilSent(4100);
    virtual.take('UPDATE');
    t.end();
  });

  t.test(`${end}: a second change of the owner's is refused, the first goes on`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    call.changeSession(held(OURS), 'INVITE');
    call.changeSession(OURS, 'INVITE');
    t.same(log.events, [], 'not within the call');
    virtual.advance(1);
    t.same(log.events, ['refused 491']);
    accept(bed, virtual.take('INVITE'), ANSWER);
    virtual.take('ACK');
    t.same(log.events, ['refused 491', 'changed by LOCAL']);
    t.end();
  });

  t.test(`${end}: UPDATE and the peer's Allow`, (t) => {
    const without = up({ headers: ['Allow: INVITE, ACK, BYE'] });
    without.call.changeSession(held(OURS), 'UPDATE');
    without.virtual.advance(1);
    t.same([without.log.events, without.virtual.sent.length], [['refused 405'], 0]);
    const silent = up({ headers: [] });
    silent.call.changeSession(held(OURS), 'UPDATE');
    silent.virtual.advance(1);
    silent.virtual.receive(
      responseTo(silent.virtual.take('UPDATE'), 405, 'Method Not Allowed', { headers: ['Allow: BYE'] }),
    );
    silent.call.changeSession(held(OURS), 'UPDATE');
    silent.virtual.advance(1);
    t.same(silent.log.events, ['refused 405', 'refused 405'], 'learnt');
    t.equal(silent.virtual.sent.length, 0);
    const lines = up({ headers: ['Allow: INVITE, ACK', 'Allow: BYE, UPDATE'] });
    lines.call.changeSession(held(OURS), 'UPDATE');
    lines.virtual.advance(1);
    lines.virtual.take('UPDATE');
    t.end();
  });

  t.test(`${end}: a re-INVITE without an offer is answered in the ACK`, (t) => {
    const bed = up();
    bed.call.changeSession('', 'INVITE');
    bed.virtual.advance(1);
    const request = bed.virtual.take('INVITE');
    t.equal(bodyOf(request), '');
    accept(bed, request, SDP('sendonly', PEER.address, 2));
    t.match(bodyOf(bed.virtual.take('ACK')), /a=recvonly/);
    t.same(bed.log.events, ['changed by REMOTE']);
    bed.call.changeSession('', 'INVITE');
    bed.virtual.advance(1);
    accept(bed, bed.virtual.take('INVITE'), SDP().replace('0 8', '9'));
    t.equal(bodyOf(bed.virtual.take('ACK')), '');
    bed.virtual.take('BYE');
    t.equal(bed.log.events.at(-1), 'refused 488', 'an offer without an answer stays open: hung up');
    t.end();
  });

  t.test(`${end}: a re-INVITE that is never decided is given up`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    call.changeSession(held(OURS), 'INVITE');
    virtual.advance(1);
    const request = virtual.take('INVITE');
    virtual.receive(responseTo(request, 180, 'Ringing'));
    virtual.advance(200_100);
    const cancel = virtual.take('CANCEL');
    t.equal(branchOf(cancel), branchOf(request));
    virtual.receive(responseTo(cancel, 200, 'OK'));
    virtual.receive(responseTo(request, 487, 'Request Terminated'));
    virtual.take('ACK');
    t.same(log.events, ['refused 487']);
    call.changeSession(held(OURS), 'INVITE');
    virtual.advance(1);
    const late = virtual.take('INVITE');
    virtual.receive(responseTo(late, 180, 'Ringing'));
    virtual.advance(200_100);
    virtual.receive(responseTo(virtual.take('CANCEL'), 200, 'OK'));
    accept(bed, late, ANSWER);
    virtual.take('ACK');
    t.equal(log.events.at(-1), 'changed by LOCAL', 'a 2xx that crosses the CANCEL holds');
    call.changeSession(OURS, 'INVITE');
    virtual.advance(1);
    virtual.receive(responseTo(virtual.take('INVITE'), 180, 'Ringing'));
    virtual.advance(200_100);
    virtual.receive(responseTo(virtual.take('CANCEL'), 200, 'OK'));
    virtual.advance(33_000);
    t.equal(log.events.at(-1), 'refused 408');
    t.ok(virtual.sent.some(({ text }) => text.startsWith('BYE')));
    t.end();
  });

  t.test(`${end}: the call ends in the middle`, (t) => {
    const stages: [string, (bed: ReturnType<typeof up>) => void][] = [
      ['before it is sent', () => undefined],
      ['sent', (bed) => bed.virtual.advance(1)],
      [
        'waiting after 491',
        (bed) => {
          bed.virtual.advance(1);
          bed.virtual.receive(responseTo(bed.virtual.take('INVITE'), 491, 'Request Pending'));
        },
      ],
      [
        'ringing',
        (bed) => {
          bed.virtual.advance(1);
          bed.virtual.receive(responseTo(bed.virtual.take('INVITE'), 180, 'Ringing'));
        },
      ],
    ];
    for (const [what, bring] of stages) {
      const ours = up();
      ours.call.changeSession(held(OURS), 'INVITE');
      bring(ours);
      const noted = ours.log.events.length;
      ours.call.changeSession(OURS, 'INVITE');
      t.ok(isLeftClean(ours), `${what}, our BYE`);
      t.same(ours.log.events.slice(noted), ['ended LOCAL'], 'the end is told, nothing else');
      const theirs = up();
      theirs.call.changeSession(held(OURS), 'INVITE');
      bring(theirs);
      theirs.virtual.receive(theirs.within('BYE'));
      t.ok(isLeftClean(theirs), `${what}, the peer's BYE`);
      t.equal(theirs.log.events.at(-1), 'ended REMOTE');
    }
    const crossed = up();
    crossed.call.changeSession(held(OURS), 'INVITE');
    crossed.virtual.advance(1);
    const request = crossed.virtual.take('INVITE');
    crossed.virtual.receive(crossed.within('BYE'));
    crossed.virtual.take('SIP/2.0 200');
    accept(crossed, request, ANSWER);
    crossed.virtual.take('ACK');
    t.ok(isLeftClean(crossed), 'a 2xx after the end is acknowledged');
    const closed = up();
    closed.call.changeSession(held(OURS), 'INVITE');
    closed.virtual.advance(1);
    closed.virtual.engine.close();
    t.equal(closed.log.events.at(-1), 'ended LOCAL');
    closed.call.changeSession(OURS, 'INVITE');
    closed.call.sendInfo('text/plain', '');
    closed.call.refer('sip:c@192.0.2.3');
    closed.call.notifyRefer(200, 'OK');
    t.end();
  });
}

t.test('how long to wait after a 491', (t) => {
  const waits = (owner: boolean) => Array.from({ length: 1000 }, (_, i) => glareWaitMs(owner, i / 1000));
  t.same([Math.min(...waits(true)), Math.max(...waits(true))], [2100, 4000]);
  t.same([Math.min(...waits(false)), Math.max(...waits(false))], [0, 2000]);
  t.ok([...waits(true), ...waits(false)].every((ms) => ms % 10 === 0));
  t.end();
});

t.test('an UPDATE before the answer', (t) => {
  const bed = answeredUp();
  t.match(headersOf(bed.ok, 'Allow'), [/UPDATE/]);
  const early = calledUp({ headers: [ALLOW] });
  early.call.hangUp();
  early.call.changeSession(OURS, 'UPDATE');
  early.virtual.take('BYE');
  early.virtual.advance(10);
  t.same([early.virtual.sent.length, early.log.events.length], [0, 0], 'after our BYE nothing is changed');
  t.ok(CONTACT);
  t.end();
});
