/** REFER and its NOTIFYs (RFC 3515, 4488), INFO (RFC 6086), and the order of such requests, from both ends. */

import t from 'tap';
import { bodyOf, headerOf, type RequestParts, responseTo } from '../../../testing/sip/virtual.ts';
import { CONTACT } from '../../../testing/sip/virtual-call.ts';
import { ENDS, isLeftClean, type Up } from '../../../testing/sip/virtual-dialog.ts';

const TARGET = 'sip:carol@192.0.2.3:5080';

const NO_CIRCUIT = 'Reason: Q.850;cause=34;text="No circuit"';

/** The peer's NOTIFY. */
const notify = (bed: Up, state: string, fragment: string, parts: RequestParts = {}): string => {
  const message = bed.within('NOTIFY', {
    headers: ['Event: refer', `Subscription-State: ${state}`, 'Content-Type: message/sipfrag;version=2.0'],
    ...parts,
  });
  return message.replace('Content-Length: 0', `Content-Length: ${fragment.length}`) + fragment;
};

/** Our REFER, taken from the wire. */
function referring(bed: Up): string {
  bed.call.refer(TARGET);
  bed.virtual.advance(1);
  return bed.virtual.take('REFER');
}

for (const [end, up] of ENDS) {
  t.test(`${end}: we refer the peer`, (t) => {
    const bed = up();
    const { virtual, log } = bed;
    const refer = referring(bed);
    t.equal(headerOf(refer, 'Refer-To'), `<${TARGET}>`);
    t.match(headerOf(refer, 'Referred-By'), /<sip:alice@example.net>/);
    t.match(headerOf(refer, 'Contact'), /^<sip:alice@/);
    virtual.receive(responseTo(refer, 202, 'Accepted', { contact: CONTACT }));
    virtual.receive(notify(bed, 'active;expires=60', 'SIP/2.0 100 Trying'));
    virtual.take('SIP/2.0 200');
    virtual.receive(notify(bed, 'active;expires=50', 'SIP/2.0 180 Ringing\r\nTo: someone\r\n'));
    virtual.take('SIP/2.0 200');
    virtual.receive(notify(bed, 'terminated;reason=noresource', 'SIP/2.0 200 OK\r\n'));
    virtual.take('SIP/2.0 200');
    t.same(log.events, ['refer 202 Accepted', 'refer 100 Trying', 'refer 180 Ringing', 'refer 200 OK final']);
    virtual.receive(notify(bed, 'terminated;reason=noresource', 'SIP/2.0 200 OK\r\n'));
    virtual.take('SIP/2.0 481');
    t.ok(isLeftClean(bed));
    t.same(virtual.errors, []);
    t.end();
  });

  t.test(`${end}: the subscription has the number of the REFER that was accepted (RFC 3515, 2.4.6)`, (t) => {
    const bed = up();
    const { virtual, log } = bed;
    const refused = referring(bed);
    virtual.receive(
      responseTo(refused, 401, 'Unauthorized', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] }),
    );
    virtual.advance(1);
    const refer = virtual.take('REFER');
    virtual.receive(responseTo(refer, 202, 'Accepted', { contact: CONTACT }));
    const of = (request: string): RequestParts => ({
      headers: [
        `Event: refer;id=${Number.parseInt(headerOf(request, 'CSeq'), 10)}`,
        'Subscription-State: terminated;reason=noresource',
        'Content-Type: message/sipfrag;version=2.0',
      ],
    });
    virtual.receive(notify(bed, '', 'SIP/2.0 200 OK', of(refused)));
    virtual.take('SIP/2.0 481');
    virtual.receive(notify(bed, '', 'SIP/2.0 200 OK', of(refer)));
    virtual.take('SIP/2.0 200');
    t.same(log.events, ['refer 202 Accepted', 'refer 200 OK final']);
    t.same(virtual.errors, []);
    t.end();
  });

  t.test(`${end}: how a REFER of ours can end`, (t) => {
    const rows: [string, (bed: Up, refer: string) => void, string[]][] = [
      ['refused', (bed, refer) => bed.virtual.receive(responseTo(refer, 603, 'Decline')), ['refer 603 Decline final']],
      [
        'refused with a cause',
        (bed, refer) => bed.virtual.receive(responseTo(refer, 503, 'Service Unavailable', { headers: [NO_CIRCUIT] })),
        ['refer 503 Service Unavailable (Q.850 34: No circuit) final'],
      ],
      [
        'without a subscription (RFC 4488)',
        (bed, refer) => bed.virtual.receive(responseTo(refer, 202, 'Accepted', { headers: ['Refer-Sub: false'] })),
        ['refer 202 Accepted final'],
      ],
      [
        'told before the 202',
        (bed, refer) => {
          bed.virtual.receive(notify(bed, 'active;expires=60', 'SIP/2.0 100 Trying'));
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'terminated;reason=noresource', 'SIP/2.0 486 Busy Here'));
        },
        ['refer 100 Trying', 'refer 486 Busy Here final'],
      ],
      [
        'a final status of an active subscription is final',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'active', 'SIP/2.0 404 Not Found'));
        },
        ['refer 202 Accepted', 'refer 404 Not Found final'],
      ],
      [
        'the subscription ends after its result',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          for (const state of ['active;expires=60', 'active;expires=60', 'terminated;reason=noresource']) {
            bed.virtual.receive(notify(bed, state, 'SIP/2.0 200 OK'));
            bed.virtual.take('SIP/2.0 200');
          }
        },
        ['refer 202 Accepted', 'refer 200 OK final'],
      ],
      [
        'the result comes before the 202',
        (bed, refer) => {
          bed.virtual.receive(notify(bed, 'active;expires=60', 'SIP/2.0 200 OK'));
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'terminated;reason=noresource', 'SIP/2.0 200 OK'));
        },
        ['refer 200 OK final'],
      ],
      [
        'a fragment with a cause, after an empty line',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'terminated', `\r\nSIP/2.0 503 Service Unavailable\r\n${NO_CIRCUIT}\r\n`));
        },
        ['refer 202 Accepted', 'refer 503 Service Unavailable (Q.850 34: No circuit) final'],
      ],
      [
        'a fragment as one of several parts',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          const parts = ['text/plain\r\n\r\nSIP/2.0 200 OK', 'message/sipfrag\r\n\r\nSIP/2.0 486 Busy Here\r\n'];
          const body = parts.map((part) => `--b\r\nContent-Type: ${part}\r\n`).join('');
          const headers = [
            'Event: refer',
            'Subscription-State: terminated',
            'Content-Type: multipart/mixed;boundary=b',
          ];
          bed.virtual.receive(notify(bed, '', `${body}--b--\r\n`, { headers }));
        },
        ['refer 202 Accepted', 'refer 486 Busy Here final'],
      ],
      [
        'terminated without a word',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'terminated;reason=timeout', ''));
        },
        ['refer 202 Accepted', 'refer 0 the far end ended the subscription without a result (timeout) final'],
      ],
      [
        'terminated with no more than a 100',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'terminated;reason=noresource', 'SIP/2.0 100 Trying'));
        },
        [
          'refer 202 Accepted',
          'refer 0 the far end ended the subscription without a result (noresource), after 100 Trying final',
        ],
      ],
      [
        'no NOTIFY ever',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.advance(33_000);
        },
        ['refer 202 Accepted', 'refer 0 the peer stopped sending NOTIFY final'],
      ],
      [
        'no more NOTIFYs',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'active;expires=10', 'nonsense'));
          bed.virtual.advance(43_000);
        },
        ['refer 202 Accepted', 'refer 0 the peer stopped sending NOTIFY final'],
      ],
    ];
    for (const [what, play, events] of rows) {
      const bed = up();
      play(bed, referring(bed));
      t.same(bed.log.events, events, what);
      bed.call.refer(TARGET);
      bed.virtual.sent.length = 0;
      bed.virtual.advance(1);
      t.ok(
        bed.virtual.sent.some(({ text }) => text.startsWith('REFER')),
        'the next may begin',
      );
      t.ok(isLeftClean(bed));
      t.same(bed.virtual.errors, []);
    }
    const silent = up();
    referring(silent);
    silent.virtual.advance(33_000);
    t.equal(silent.log.events[0], 'refer 408 no final response to REFER within 32 s final');
    t.ok(
      silent.virtual.sent.some(({ text }) => text.startsWith('BYE')),
      'the dialog is gone (12.2.1.2)',
    );
    t.end();
  });

  t.test(`${end}: REFERs that are not sent`, (t) => {
    const bed = up();
    bed.call.refer('no uri');
    bed.virtual.advance(1);
    referring(bed);
    bed.call.refer(TARGET);
    bed.virtual.advance(1);
    t.same(bed.log.events, [
      'refer 416 not a URI that can be called: no uri final',
      'refer 491 a REFER is already in progress final',
    ]);
    bed.log.events.length = 0;
    t.ok(isLeftClean(bed));
    t.same(
      bed.log.events,
      ['ended LOCAL', 'refer 408 no final response to REFER within 32 s final'],
      'the end of the call is not that of the referral (RFC 5057, 4.1)',
    );
    const late = up();
    late.call.sendInfo('text/plain', 'x');
    late.call.refer(TARGET);
    late.virtual.advance(1);
    late.virtual.take('INFO');
    t.ok(isLeftClean(late));
    t.same(late.log.events, ['refer 481 the call ended before REFER was sent final', 'ended LOCAL']);
    t.end();
  });

  t.test(`${end}: the call ends before the result of our REFER, by either end, at any point`, (t) => {
    const points: [string, (bed: Up, refer: string) => void][] = [
      ['before the 202', () => undefined],
      ['after the 202', (bed, refer) => bed.virtual.receive(responseTo(refer, 202, 'Accepted'))],
      [
        'after the first NOTIFY',
        (bed, refer) => {
          bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
          bed.virtual.receive(notify(bed, 'active;expires=60', 'SIP/2.0 100 Trying'));
        },
      ],
    ];
    const ways: [string, (bed: Up) => void][] = [
      ['the peer hangs up', (bed) => bed.virtual.receive(bed.within('BYE'))],
      [
        'we hang up',
        (bed) => {
          bed.call.hangUp();
          bed.virtual.advance(1);
          const bye = bed.virtual.sent.find(({ text }) => text.startsWith('BYE'))?.text ?? '';
          bed.virtual.receive(responseTo(bye, 200, 'OK'));
        },
      ],
      [
        'we hang up, and nobody answers',
        (bed) => {
          bed.call.hangUp();
          bed.virtual.advance(1);
        },
      ],
    ];
    for (const [when, play] of points)
      for (const [who, hangUp] of ways) {
        const bed = up();
        const refer = referring(bed);
        play(bed, refer);
        hangUp(bed);
        if (when === 'before the 202') bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
        bed.virtual.sent.length = 0;
        for (const method of ['INFO', 'BYE', 'INVITE', 'REFER']) {
          if (who.endsWith('nobody answers')) continue;
          bed.virtual.receive(bed.within(method));
          bed.virtual.take('SIP/2.0 481');
        }
        bed.virtual.receive(notify(bed, 'active;expires=60', 'SIP/2.0 180 Ringing'));
        bed.virtual.take('SIP/2.0 200');
        bed.virtual.receive(notify(bed, 'terminated;reason=noresource', 'SIP/2.0 200 OK'));
        bed.virtual.take('SIP/2.0 200');
        t.same(bed.log.events.slice(-2), ['refer 180 Ringing', 'refer 200 OK final'], `${who} ${when}`);
        bed.virtual.receive(notify(bed, 'terminated;reason=noresource', 'SIP/2.0 200 OK'));
        bed.virtual.take('SIP/2.0 481');
        t.ok(isLeftClean(bed), `${who} ${when}`);
        t.equal(bed.log.events.filter((event) => event.startsWith('ended')).length, 1);
        t.same(bed.virtual.errors, []);
      }
    const untold = up();
    untold.virtual.receive(responseTo(referring(untold), 202, 'Accepted'));
    untold.virtual.receive(untold.within('BYE'));
    t.ok(isLeftClean(untold));
    t.equal(untold.log.events.at(-1), 'refer 0 the peer stopped sending NOTIFY final');
    t.end();
  });

  t.test(`${end}: the peer refers us, and hangs up at once`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    log.onRefer = () => true;
    virtual.receive(bed.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    virtual.receive(bed.within('BYE'));
    virtual.advance(1);
    virtual.take('SIP/2.0 202');
    virtual.take('SIP/2.0 200');
    t.same(log.events, ['ended REMOTE']);
    for (const [status, reason] of [
      [100, 'Trying'],
      [180, 'Ringing'],
      [200, 'OK'],
    ] as const) {
      if (status > 100) call.notifyRefer(status, reason);
      virtual.advance(1);
      const told = virtual.take('NOTIFY');
      t.equal(bodyOf(told), `SIP/2.0 ${status} ${reason}\r\n`);
      virtual.receive(responseTo(told, 200, 'OK'));
    }
    virtual.receive(bed.within('NOTIFY', { headers: ['Event: refer'] }));
    virtual.take('SIP/2.0 481');
    t.ok(isLeftClean(bed));
    t.same(virtual.errors, []);
    t.end();
  });

  t.test(`${end}: the user agent closes while a referral is under way`, (t) => {
    const told = up();
    told.log.onRefer = () => true;
    told.virtual.receive(told.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    told.virtual.receive(told.within('BYE'));
    told.virtual.advance(1);
    told.agent.close();
    told.virtual.sent.splice(0, 2);
    told.virtual.receive(responseTo(told.virtual.take('NOTIFY'), 200, 'OK'));
    told.virtual.advance(1);
    const last = told.virtual.take('NOTIFY');
    t.equal(bodyOf(last), 'SIP/2.0 487 Request Terminated\r\n');
    told.virtual.receive(responseTo(last, 200, 'OK'));
    t.ok(isLeftClean(told));
    const unheard = up();
    unheard.virtual.receive(responseTo(referring(unheard), 202, 'Accepted'));
    unheard.agent.close();
    unheard.virtual.receive(notify(unheard, 'active', 'SIP/2.0 100 Trying'));
    t.ok(
      unheard.virtual.sent.some(({ text }) => text.startsWith('SIP/2.0 481')),
      'nobody waits for it',
    );
    t.ok(isLeftClean(unheard));
    t.same(unheard.log.events, ['refer 202 Accepted']);
    t.same([...told.virtual.errors, ...unheard.virtual.errors], []);
    t.end();
  });

  t.test(`${end}: the peer refers us`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    const asked: string[] = [];
    log.onRefer = (uri) => asked.push(uri) > 0;
    const refer = bed.within('REFER', { headers: [`Refer-To: Carol <${TARGET}?Replaces=a%40b>`] });
    virtual.receive(refer);
    t.match(headerOf(virtual.take('SIP/2.0 202 Accepted'), 'Contact'), /^<sip:alice@/);
    t.same(asked, [`${TARGET}?Replaces=a%40b`]);
    virtual.advance(1);
    const trying = virtual.take('NOTIFY');
    t.same(
      [bodyOf(trying), headerOf(trying, 'Event'), headerOf(trying, 'Content-Type')],
      [
        'SIP/2.0 100 Trying\r\n',
        `refer;id=${Number.parseInt(headerOf(refer, 'CSeq'), 10)}`,
        'message/sipfrag;version=2.0',
      ],
    );
    t.equal(headerOf(trying, 'Subscription-State'), 'active;expires=240');
    call.notifyRefer(180, 'Ringing');
    call.notifyRefer(200, 'OK');
    call.notifyRefer(500, 'never');
    virtual.advance(1);
    t.equal(virtual.sent.length, 0, 'one at a time');
    virtual.receive(responseTo(trying, 200, 'OK'));
    virtual.advance(1);
    const ringing = virtual.take('NOTIFY');
    t.match(bodyOf(ringing), /^SIP\/2.0 180 Ringing\r\n$/);
    virtual.receive(responseTo(ringing, 200, 'OK'));
    virtual.advance(1);
    const ok = virtual.take('NOTIFY');
    t.same([bodyOf(ok), headerOf(ok, 'Subscription-State')], ['SIP/2.0 200 OK\r\n', 'terminated;reason=noresource']);
    virtual.receive(responseTo(ok, 200, 'OK'));
    virtual.advance(1000);
    t.equal(virtual.sent.length, 0);
    t.ok(isLeftClean(bed));
    t.same(virtual.errors, []);
    t.end();
  });

  t.test(`${end}: how a REFER of the peer is answered`, (t) => {
    const rows: [string, string[], boolean, number][] = [
      ['refused by the owner', [`Refer-To: <${TARGET}>`], false, 603],
      ['no Refer-To', [], true, 400],
      ['two', [`Refer-To: <${TARGET}>`, `Refer-To: <${TARGET}>`], true, 400],
      ['no URI', ['Refer-To: <carol>'], true, 400],
      ['a URI that cannot be called', ['r: <http://example.net>'], true, 603],
      ['compact', [`r: ${TARGET}`], true, 202],
    ];
    for (const [what, headers, wants, status] of rows) {
      const bed = up();
      bed.log.onRefer = () => wants;
      bed.virtual.receive(bed.within('REFER', { headers }));
      bed.virtual.take(`SIP/2.0 ${status}`);
      t.ok(isLeftClean(bed), what);
    }
    const deaf = up();
    deaf.virtual.receive(deaf.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    deaf.virtual.take('SIP/2.0 603');
    const quiet = up();
    quiet.log.onRefer = () => true;
    const headers = [`Refer-To: <${TARGET}>`, 'Refer-Sub: false', 'Require: norefersub'];
    quiet.virtual.receive(quiet.within('REFER', { headers }));
    t.equal(headerOf(quiet.virtual.take('SIP/2.0 202'), 'Refer-Sub'), 'false');
    quiet.call.notifyRefer(200, 'OK');
    quiet.virtual.advance(10);
    t.equal(quiet.virtual.sent.length, 0, 'no subscription (RFC 4488)');
    const second = up();
    second.log.onRefer = () => true;
    second.virtual.receive(second.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    second.virtual.take('SIP/2.0 202');
    second.virtual.receive(second.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    second.virtual.take('SIP/2.0 603');
    t.end();
  });

  t.test(`${end}: a subscription that nobody wants, or that never ends`, (t) => {
    const bed = up();
    bed.log.onRefer = () => true;
    bed.virtual.receive(bed.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    bed.virtual.take('SIP/2.0 202');
    bed.virtual.advance(1);
    bed.virtual.receive(responseTo(bed.virtual.take('NOTIFY'), 481, 'Subscription Does Not Exist'));
    bed.call.notifyRefer(200, 'OK');
    bed.virtual.advance(10);
    t.same([bed.virtual.sent.length, bed.log.events], [0, []], 'the call goes on (RFC 5057, 4.1)');
    bed.virtual.receive(bed.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    bed.virtual.take('SIP/2.0 202');
    bed.virtual.advance(1);
    bed.virtual.receive(responseTo(bed.virtual.take('NOTIFY'), 200, 'OK'));
    bed.virtual.advance(240_000);
    t.equal(headerOf(bed.virtual.take('NOTIFY'), 'Subscription-State'), 'terminated;reason=timeout');
    t.ok(isLeftClean(bed));
    const hungUp = up();
    hungUp.log.onRefer = () => true;
    hungUp.virtual.receive(hungUp.within('REFER', { headers: [`Refer-To: <${TARGET}>`] }));
    hungUp.virtual.receive(hungUp.within('BYE'));
    hungUp.call.notifyRefer(200, 'OK');
    t.ok(isLeftClean(hungUp), 'the call ends in the middle of it, and no NOTIFY is answered');
    t.end();
  });

  t.test(`${end}: NOTIFY that is for nothing of ours`, (t) => {
    const bed = up();
    bed.virtual.receive(notify(bed, 'active', 'SIP/2.0 100 Trying'));
    bed.virtual.take('SIP/2.0 481');
    bed.virtual.receive(bed.within('NOTIFY', { headers: ['Event: presence'] }));
    t.equal(headerOf(bed.virtual.take('SIP/2.0 489 Bad Event'), 'Allow-Events'), 'refer');
    const refer = referring(bed);
    bed.virtual.receive(responseTo(refer, 202, 'Accepted'));
    const id = Number.parseInt(headerOf(refer, 'CSeq'), 10);
    const headers = (n: number) => ({ headers: [`o: refer;id=${n}`, 'Subscription-State: active'] });
    bed.virtual.receive(notify(bed, '', '', headers(id + 1)));
    bed.virtual.take('SIP/2.0 481');
    bed.virtual.receive(notify(bed, '', '', headers(id)));
    bed.virtual.take('SIP/2.0 200');
    t.end();
  });

  t.test(`${end}: INFO both ways`, (t) => {
    const bed = up();
    const { virtual, log, call } = bed;
    for (const digit of '12') call.sendInfo('application/dtmf-relay', `Signal=${digit}\r\nDuration=160\r\n`);
    t.equal(virtual.sent.length, 0);
    virtual.advance(1);
    const first = virtual.take('INFO');
    t.same(
      [headerOf(first, 'Content-Type'), bodyOf(first)],
      ['application/dtmf-relay', 'Signal=1\r\nDuration=160\r\n'],
    );
    t.equal(virtual.sent.length, 0, 'in order: one at a time');
    const challenge = 'Proxy-Authenticate: Digest realm="x", nonce="1", qop="auth-int"';
    virtual.receive(responseTo(first, 407, 'Proxy Authentication Required', { headers: [challenge] }));
    const again = virtual.take('INFO');
    t.match(headerOf(again, 'Proxy-Authorization'), /qop=auth-int/);
    virtual.receive(responseTo(again, 200, 'OK'));
    virtual.advance(1);
    const second = virtual.take('INFO');
    t.match(bodyOf(second), /Signal=2/);
    virtual.receive(responseTo(second, 415, 'Unsupported Media Type'));
    t.same(log.events, ['info 200', 'info 415']);
    log.events.length = 0;
    const body = 'Signal= 5\r\nDuration= 160\r\n';
    const info = bed.within('INFO', { headers: ['c: Application/DTMF-Relay; x=y'] });
    virtual.receive(info.replace('Content-Length: 0', `Content-Length: ${body.length}`) + body);
    virtual.take('SIP/2.0 200');
    t.same(log.events, [`info application/dtmf-relay ${body}`]);
    virtual.receive(bed.within('INFO', { headers: ['Info-Package: foo'] }));
    t.match(virtual.take('SIP/2.0 469 Bad Info Package'), /\r\nRecv-Info:\r\n/);
    call.sendInfo('text/plain', 'x');
    virtual.advance(1);
    virtual.receive(responseTo(virtual.take('INFO'), 481, 'Call/Transaction Does Not Exist'));
    virtual.take('BYE');
    t.ok(isLeftClean(bed));
    t.end();
  });

  t.test(`${end}: an INFO that finds nobody, one that is refused twice, and the end in the middle`, (t) => {
    const silent = up();
    silent.call.sendInfo('text/plain', 'x');
    silent.virtual.advance(33_000);
    t.equal(silent.log.events[0], 'info 408');
    const refused = up();
    refused.call.sendInfo('text/plain', 'x');
    refused.virtual.advance(1);
    for (const nonce of ['1', '2']) {
      const headers = [`WWW-Authenticate: Digest realm="x", nonce="${nonce}"`];
      refused.virtual.receive(responseTo(refused.virtual.take('INFO'), 401, 'Unauthorized', { headers }));
    }
    t.same([refused.log.events, refused.virtual.sent.length], [['info 401'], 0]);
    const ended = up();
    for (let i = 0; i < 3; i++) ended.call.sendInfo('text/plain', 'x');
    ended.virtual.advance(1);
    t.ok(isLeftClean(ended));
    t.same(ended.log.events, ['ended LOCAL']);
    const forbidden = up({ engine: { mayReach: (address) => address !== '192.0.2.66' } });
    forbidden.virtual.receive(forbidden.within('UPDATE', { contact: '<sip:bob@192.0.2.66>' }));
    forbidden.virtual.take('SIP/2.0 200');
    forbidden.call.sendInfo('text/plain', 'x');
    forbidden.call.changeSession('', 'UPDATE');
    forbidden.call.refer(TARGET);
    forbidden.virtual.advance(2);
    t.same(forbidden.log.events.toSorted(), [
      'info 403',
      "refer 403 the host's policy forbids 192.0.2.66 final",
      'refused 403',
    ]);
    t.end();
  });
}
