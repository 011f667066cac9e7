/** What a caller does about 3xx and 422 (RFC 3261, 8.1.3.4; RFC 4028); on virtual time. */
import t from 'tap';
import { calling, OURS } from '../../testing/sip/invite-phase.ts';
import { headerOf, headersOf, responseTo, SDP } from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';

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
