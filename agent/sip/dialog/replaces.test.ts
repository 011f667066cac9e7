/** Calls that replace others (RFC 3891), and header fields in URIs (RFC 3261, 19.1.5); on virtual time. */
import t from 'tap';
import {
  CallLog,
  headerOf,
  headersOf,
  LOCAL,
  requestOf,
  responseTo,
  SDP,
  tagOf,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { CONTACT, calling, TARGET } from '../../testing/sip/virtual-call.ts';
import { answeredUp, type calledUp, ENDS, isLeftClean, type Up } from '../../testing/sip/virtual-dialog.ts';
import type { Call, IncomingCall } from '../engine.ts';
import { parseUri } from '../message/uri.ts';
import { uriHeaders } from '../message/uri-headers.ts';

t.test('header fields of a URI', (t) => {
  const rows: [string, string | null][] = [
    ['', ''],
    ['Replaces=a%40b%3Bto-tag%3D1%3Bfrom-tag%3D2', 'Replaces: a@b;to-tag=1;from-tag=2\r\n'],
    ['subject=Hello%20you&X-Trunk=7', 'Subject: Hello you\r\nX-Trunk: 7\r\n'],
    ['Require=replaces&replaces=a%3Bto-tag%3D1', 'Require: replaces\r\nReplaces: a;to-tag=1\r\n'],
    ['Require=100rel', ''],
    ['X-Carillon-Call=run%2F7&x-carillon-call=run%2F8', ''],
    ['From=%3Csip:ceo@example.net%3E&Via=x&Route=%3Csip:evil@192.0.2.9%3E&Call-ID=1&CSeq=9', ''],
    ['Record-Route=a&Contact=b&Allow=c&Supported=d&User-Agent=e&P-Asserted-Identity=f&body=g', ''],
    ['Authorization=a&Proxy-Authorization=b&Content-Length=5&Max-Forwards=0&Privacy=id', ''],
    ['Subject=a%0D%0AX-Evil:%201', null],
    ['X-A=%00', null],
    ['X%0AEvil=1', null],
    ['Subject', null],
    ['=1', null],
    ['Subject=%4', null],
    [`X-A=${'1'.repeat(2000)}`, null],
    [Array.from({ length: 17 }, (_, i) => `X-${i}=1`).join('&'), null],
  ];
  for (const [headers, lines] of rows) {
    const text = headers === '' ? TARGET : `${TARGET}?${headers}`;
    const uri = parseUri(text);
    if (typeof uri === 'string') throw new Error(text);
    const read = uriHeaders(text, uri);
    t.same(read, lines === null ? null : { uri: TARGET, lines }, headers.slice(0, 60));
  }
  const odd = parseUri('sip:112?b=c@127.0.0.1?X-A=1');
  t.same(
    typeof odd !== 'string' && uriHeaders('sip:112?b=c@127.0.0.1?X-A=1', odd),
    { uri: 'sip:112?b=c@127.0.0.1', lines: 'X-A: 1\r\n' },
    'called as it was judged',
  );
  t.end();
});

t.test('an INVITE to a URI with headers has them as header lines', (t) => {
  const virtual = new VirtualEngine();
  const agent = virtual.agent();
  agent.invite(`${TARGET}?Replaces=a%40b%3Bto-tag%3D1%3Bfrom-tag%3D2&Require=replaces`, SDP(), new CallLog());
  const invite = virtual.take(`INVITE ${TARGET} SIP/2.0`);
  t.same(
    [headersOf(invite, 'Replaces'), headersOf(invite, 'Require'), headerOf(invite, 'To')],
    [['a@b;to-tag=1;from-tag=2'], ['replaces'], `<${TARGET}>`],
  );
  virtual.receive(
    responseTo(invite, 407, 'Proxy Authentication Required', {
      headers: ['Proxy-Authenticate: Digest realm="r", nonce="n"'],
    }),
  );
  virtual.take('ACK');
  t.equal(headerOf(virtual.take('INVITE'), 'Replaces'), 'a@b;to-tag=1;from-tag=2', 'and has them again');
  const log = new CallLog();
  agent.invite(`${TARGET}?Subject=a%0D%0Ab`, SDP(), log);
  virtual.advance(1);
  t.same(log.events, ['failed TRANSPORT null'], 'one that would break out of its line is not called');
  t.end();
});

/** The dialog as the peer names it: its Call-ID, our tag, its tag. */
function dialogOf(
  { ok, invite }: Pick<Up, 'ok' | 'invite'>,
  end: string,
): { callId: string; ours: string; his: string } {
  const [from, to] = [tagOf(headerOf(ok, 'From')), tagOf(headerOf(ok, 'To'))];
  return { callId: headerOf(invite, 'Call-ID'), ours: end === 'caller' ? from : to, his: end === 'caller' ? to : from };
}

let replacements = 0;
const replacing = (value: string, more: string[] = []): string =>
  requestOf('INVITE', {
    callId: `new-${++replacements}`,
    from: '<sip:carol@example.net>;tag=carol',
    body: SDP('sendrecv', '192.0.2.33'),
    headers: [`Replaces: ${value}`, ...more],
    contact: '<sip:carol@192.0.2.33>',
  });

type Bed = Up & { readonly offered: IncomingCall[]; readonly taken: CallLog };

/** An established call, and a user agent that answers the call that replaces it. */
function bedOf(up: typeof calledUp): Bed {
  const offered: IncomingCall[] = [];
  const taken = new CallLog();
  const bed = up({
    onIncomingCall: (call) => {
      offered.push(call);
      call.answer(SDP('sendrecv', LOCAL.address));
      return taken;
    },
  });
  return { ...bed, offered, taken };
}

for (const [end, up] of ENDS) {
  t.test(`${end}: a call takes the place of the one before`, (t) => {
    const bed = bedOf(up);
    const { callId, ours, his } = dialogOf(bed, end);
    const invite = replacing(`${callId};to-tag=${ours};from-tag=${his}`, ['Require: replaces']);
    bed.virtual.receive(invite);
    t.equal(bed.offered[0]?.replaces, bed.call);
    const ok = bed.virtual.take('SIP/2.0 200');
    t.match(headerOf(ok, 'Supported'), /\breplaces\b/);
    const bye = bed.virtual.take('BYE');
    t.same([headerOf(bye, 'Call-ID'), tagOf(headerOf(bye, 'To'))], [callId, his], 'the one before is hung up');
    bed.virtual.receive(responseTo(bye, 200, 'OK'));
    bed.virtual.receive(
      requestOf('ACK', {
        callId: headerOf(invite, 'Call-ID'),
        from: headerOf(invite, 'From'),
        to: headerOf(ok, 'To'),
      }),
    );
    t.same([bed.log.events, bed.taken.events], [['ended LOCAL'], ['answered 200']]);
    t.ok(isLeftClean({ ...bed, call: bed.offered[0] as Call }));
    t.end();
  });
  t.test(`${end}: what may not be replaced`, (t) => {
    const rows: [string, (d: ReturnType<typeof dialogOf>) => string, string[], number][] = [
      ['another call', ({ ours, his }) => `x;to-tag=${ours};from-tag=${his}`, [], 481],
      ['another tag of ours', ({ callId, his }) => `${callId};to-tag=x;from-tag=${his}`, [], 481],
      ['another tag of the peer', ({ callId, ours }) => `${callId};to-tag=${ours};from-tag=x`, [], 481],
      ['the tags the wrong way round', ({ callId, ours, his }) => `${callId};to-tag=${his};from-tag=${ours}`, [], 481],
      ['a talk, early only', ({ callId, ours, his }) => `${callId};to-tag=${ours};from-tag=${his};early-only`, [], 486],
      ['no tag', ({ callId, ours }) => `${callId};to-tag=${ours}`, [], 400],
      ['no Call-ID', ({ ours, his }) => `;to-tag=${ours};from-tag=${his}`, [], 400],
      [
        'twice',
        ({ callId, ours, his }) => `${callId};to-tag=${ours};from-tag=${his}`,
        ['Replaces: a;to-tag=b;from-tag=c'],
        400,
      ],
      [
        'two in a line',
        ({ callId, ours, his }) => `${callId};to-tag=${ours};from-tag=${his}, a;to-tag=b;from-tag=c`,
        [],
        400,
      ],
      [
        'with Join',
        ({ callId, ours, his }) => `${callId};to-tag=${ours};from-tag=${his}`,
        ['Join: a;to-tag=b;from-tag=c'],
        400,
      ],
    ];
    for (const [name, value, more, status] of rows) {
      const bed = bedOf(up);
      bed.virtual.receive(replacing(value(dialogOf(bed, end)), more));
      bed.virtual.take(`SIP/2.0 ${status}`);
      t.same([bed.offered.length, bed.virtual.sent.length, bed.log.events], [0, 0, []], name);
    }
    const bed = bedOf(up);
    const { callId, ours, his } = dialogOf(bed, end);
    bed.virtual.receive(bed.within('INFO', { headers: [`Replaces: ${callId};to-tag=${ours};from-tag=${his}`] }));
    bed.virtual.take('SIP/2.0 400');
    bed.call.hangUp();
    bed.virtual.take('BYE');
    bed.virtual.receive(replacing(`${callId};to-tag=${ours};from-tag=${his}`));
    bed.virtual.take('SIP/2.0 603');
    t.end();
  });
}

t.test('calls that are not answered: ours is cancelled, the peer’s is not there', (t) => {
  const incoming: IncomingCall[] = [];
  const onIncomingCall = (call: IncomingCall): CallLog => {
    incoming.push(call);
    if (call.replaces) call.answer(SDP());
    else call.ring();
    return new CallLog();
  };
  const { virtual, log, call, invite } = calling({ onIncomingCall });
  virtual.receive(responseTo(invite, 180, 'Ringing', { contact: CONTACT }));
  const ours = tagOf(headerOf(invite, 'From'));
  virtual.receive(replacing(`${call.callId};to-tag=${ours};from-tag=peer;early-only`));
  virtual.take('SIP/2.0 200');
  const cancel = virtual.take('CANCEL');
  t.equal(headerOf(cancel, 'Call-ID'), call.callId);
  virtual.receive(replacing(`${call.callId};to-tag=${ours};from-tag=peer`));
  virtual.take('SIP/2.0 603');
  virtual.receive(responseTo(invite, 487, 'Request Terminated'));
  t.match(log.events.at(-1), /failed CANCELLED/);
  virtual.take('ACK');
  virtual.receive(requestOf('INVITE', { body: SDP(), callId: 'rings' }));
  const ringing = virtual.take('SIP/2.0 180');
  virtual.receive(replacing(`rings;to-tag=${tagOf(headerOf(ringing, 'To'))};from-tag=bob`));
  virtual.take('SIP/2.0 481');
  t.end();
});

t.test('another user agent’s call is not replaced', (t) => {
  const { virtual, ok, invite } = answeredUp();
  virtual.agent({ contactUser: 'mallory', onIncomingCall: () => t.fail() as never });
  const { callId, ours, his } = dialogOf({ ok, invite }, 'callee');
  const requestUri = `sip:mallory@${LOCAL.address}`;
  virtual.receive(replacing(`${callId};to-tag=${ours};from-tag=${his}`).replace(/^INVITE \S+/, `INVITE ${requestUri}`));
  virtual.take('SIP/2.0 481');
  t.end();
});

t.test('an attended transfer (RFC 5589, 7): bob and carol talk, alice has left', (t) => {
  const virtual = new VirtualEngine();
  /** Every message that is sent arrives at its sender: the three share a socket. */
  const deliver = (): void => {
    for (let turns = 0; turns < 50; turns++) {
      virtual.advance(1);
      for (const { text } of virtual.sent.splice(0)) virtual.receive(text, LOCAL);
    }
  };
  const wire: string[] = [];
  const traffic = { onMessage: ({ text }: { text: string }) => void wire.push(text) };
  const logs = { alice: new CallLog(), consult: new CallLog(), bob: new CallLog(), moved: new CallLog() };
  const carol: { call: IncomingCall; log: CallLog }[] = [];
  const alice = virtual.agent({ traffic });
  const bob = virtual.agent({
    contactUser: 'bob',
    traffic,
    onIncomingCall: (call) => {
      logs.bob.onRefer = (uri) => {
        bob.invite(uri, SDP(), logs.moved);
        return true;
      };
      call.answer(SDP());
      return logs.bob;
    },
  });
  virtual.agent({
    contactUser: 'carol',
    traffic,
    onIncomingCall: (call) => {
      const log = new CallLog();
      carol.push({ call, log });
      call.answer(SDP());
      return log;
    },
  });
  const first = alice.invite(`sip:bob@${LOCAL.address}`, SDP(), logs.alice);
  const consult = alice.invite(`sip:carol@${LOCAL.address}`, SDP(), logs.consult);
  deliver();
  const answer = wire.find((text) => text.startsWith('SIP/2.0 200') && headerOf(text, 'Call-ID') === consult.callId);
  const [from, to] = ['From', 'To'].map((name) => tagOf(headerOf(answer ?? '', name)));
  const value = encodeURIComponent(`${consult.callId};to-tag=${to};from-tag=${from}`);
  first.refer(`sip:carol@${LOCAL.address}?Replaces=${value}&Require=replaces`);
  deliver();
  t.equal(carol[1]?.call.replaces, carol[0]?.call);
  t.same(carol[0]?.log.events, ['answered 200', 'ended LOCAL'], 'carol has hung up on alice');
  t.match(logs.consult.events.at(-1), 'ended REMOTE');
  t.same([carol[1]?.log.events, logs.moved.events.at(-1)], [['answered 200'], 'answered 200']);
  first.hangUp();
  deliver();
  t.equal(logs.bob.events.at(-1), 'ended REMOTE');
  t.same(virtual.errors, []);
  t.equal(virtual.engine.counters.internalErrors, 0);
  t.end();
});
