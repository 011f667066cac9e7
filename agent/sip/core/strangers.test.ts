/** INVITEs of strangers: answered without a transaction (RFC 3261, 8.2.7), counted, and in no trace. */
import t from 'tap';
import { CallLog, headerOf, PEER, requestOf, SDP, tagOf, VirtualEngine } from '../../testing/sip/virtual.ts';
import type { IncomingCall, SipAddress } from '../engine.ts';
import { ANSWERS_A_SECOND, SLACK_OCTETS } from '../transaction/stateless-answer.ts';

const STRANGER = { address: '198.51.100.7', port: 5066 };

function bed() {
  const told: [string, SipAddress][] = [];
  const asked: SipAddress[] = [];
  const calls: IncomingCall[] = [];
  const virtual = new VirtualEngine({
    onUnclaimedCall: (_, from) => {
      asked.push({ ...from });
      return null;
    },
    onStranger: (requestUri, { address, port }) => told.push([requestUri, { address, port }]),
  });
  virtual.agent({
    takesFrom: (address) => address === PEER.address,
    onIncomingCall: (call) => {
      calls.push(call);
      return new CallLog();
    },
  });
  return { virtual, told, asked, calls };
}

const ackTo = (invite: string, response: string): string =>
  requestOf('ACK', { branch: /branch=([^;\r]+)/.exec(invite)?.[1] ?? '', to: headerOf(response, 'To'), body: '' });

t.test('nobody takes it, or not from there: one answer a copy, alike, and nothing is kept', (t) => {
  const rows = [
    ['sip:+49301234@192.0.2.1', '404 Not Found'],
    ['sip:alice@192.0.2.1:5060', '403 Forbidden'],
  ] as const;
  for (const [requestUri, answer] of rows) {
    const { virtual, told, calls } = bed();
    const invite = requestOf('INVITE', { requestUri, body: SDP() });
    virtual.receive(invite, STRANGER);
    const first = virtual.take(`SIP/2.0 ${answer}`);
    t.match(headerOf(first, 'Via'), /received=198\.51\.100\.7/);
    t.not(tagOf(headerOf(first, 'To')), '', 'it has a tag (8.2.6.2)');
    t.equal(headerOf(first, 'CSeq'), '1 INVITE');
    virtual.receive(invite, STRANGER);
    t.equal(virtual.take(`SIP/2.0 ${answer}`), first, 'word for word');
    t.notOk(virtual.engine.busy);
    virtual.receive(ackTo(invite, first), STRANGER);
    virtual.advance(40_000);
    t.equal(virtual.sent.length, 0, 'never sent again');
    const from = { ...STRANGER };
    t.same(told, [
      [requestUri, from],
      [requestUri, from],
    ]);
    t.match(virtual.engine.counters, { unclaimed: 2, unmatched: 0, malformed: 0, internalErrors: 0 });
    t.same([calls.length, virtual.traffic.length], [0, 0]);
  }
  t.end();
});

t.test('its own server calls; a stranger that names a call to be replaced knows it', (t) => {
  const { virtual, told, calls } = bed();
  virtual.receive(requestOf('INVITE', { body: SDP() }));
  virtual.take('SIP/2.0 100 Trying');
  calls[0]?.answer(SDP());
  const ok = virtual.take('SIP/2.0 200 OK');
  virtual.receive(requestOf('ACK', { to: headerOf(ok, 'To') }));
  const dialog = `call-1@peer;to-tag=${tagOf(headerOf(ok, 'To'))};from-tag=bob`;
  virtual.receive(requestOf('INVITE', { callId: '2', headers: [`Replaces: ${dialog}`], body: SDP() }), STRANGER);
  virtual.take('SIP/2.0 100 Trying');
  t.equal(calls[1]?.replaces, calls[0]);
  t.same(told, []);
  t.end();
});

t.test('the callee lookup knows the source of the call', (t) => {
  const { virtual, asked } = bed();
  virtual.receive(requestOf('INVITE', { requestUri: 'sip:9@192.0.2.1' }), STRANGER);
  virtual.receive(requestOf('OPTIONS', { requestUri: 'sip:9@192.0.2.1', callId: '2' }), STRANGER);
  t.match(asked, [STRANGER, STRANGER]);
  t.end();
});

t.test('the ACK of an INVITE that was refused for its CSeq ends the repetitions, as wrong as it is itself', (t) => {
  const { virtual } = bed();
  const wrong = (text: string): string => text.replace(/^CSeq: \d+/m, 'CSeq: 36893488147419103232');
  const invite = wrong(requestOf('INVITE', { body: SDP() }));
  virtual.receive(invite);
  const refusal = virtual.take('SIP/2.0 400');
  virtual.advanceUntilSent(600);
  t.equal(virtual.take('SIP/2.0 400'), refusal, 'again, until the ACK');
  virtual.receive(wrong(ackTo(invite, refusal)));
  virtual.advance(40_000);
  t.equal(virtual.sent.length, 0);
  t.equal(virtual.engine.counters.malformed, 0);
  t.end();
});

const bare = (method: string, uri: string, more = ''): string =>
  `${method} ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP 10.1.1.1;branch=z9hG4bK7\r\nFrom: <sip:s@h>;tag=1\r\nTo: <${uri}>\r\n` +
  `Call-ID: 7\r\nCSeq: 1 ${method}\r\n${more}\r\n`;
const ALICE = 'sip:alice@192.0.2.1:5060';
const NOBODYS = 'sip:9@192.0.2.1';
const lines = (length: number): string => `Max-Forwards: 70\r\nSubject: ${'x'.repeat(length)}\r\n`;

t.test('whatever a stranger asks: one answer at most, hardly larger than the request, and nothing is kept', (t) => {
  const asked = [
    'INVITE',
    'OPTIONS',
    'REGISTER',
    'BYE',
    'SUBSCRIBE',
    'CANCEL',
    'NONSENSE',
    'UPDATE',
    'MESSAGE',
  ].flatMap((method) =>
    [ALICE, NOBODYS, 'sip:192.0.2.1', 'tel:112', 'nonsense'].flatMap((uri) =>
      [
        '',
        lines(0),
        lines(20),
        lines(300),
        'Require: abc\r\n',
        'Accept: message/sipfrag\r\n',
        `Accept: message/sipfrag\r\n${lines(900)}`,
        'Max-Forwards: 999\r\n',
        'Content-Type: a/b\r\nContent-Length: 1\r\n\r\n1',
      ].map((more) => bare(method, uri, more)),
    ),
  );
  const inDialog = asked.map((text) => text.replace('To: <sip:', 'To: <sip:x').replace(/^(To: .*)$/m, '$1;tag=none'));
  let answered = 0;
  for (const text of [...asked, ...inDialog, ...asked.map((one) => one.slice(0, -20))]) {
    const { virtual, calls } = bed();
    virtual.receive(text, STRANGER);
    virtual.advance(40_000);
    const sent = virtual.sent.map((one) => one.text);
    const most = text.length + SLACK_OCTETS;
    t.ok(sent.length <= 1 && (sent[0]?.length ?? 0) <= most, `${sent.length} of ${sent[0]?.length}: ${text}`);
    answered += sent.length;
    t.same([virtual.engine.busy, calls.length, virtual.engine.counters.internalErrors], [false, 0, 0]);
  }
  t.ok(answered > asked.length, `${answered} answers`);
  t.end();
});

t.test('what a stranger’s answer cannot hold is left out, then shortened, then withheld', (t) => {
  const { virtual } = bed();
  const optionsOf = (more: string): string => {
    virtual.receive(bare('OPTIONS', 'sip:192.0.2.1', more), STRANGER);
    return virtual.sent.length === 0 ? '' : virtual.take('SIP/2.0 200 OK');
  };
  const echo = 'Accept: message/sipfrag\r\nContent-Type: application/sdp\r\n';
  const padded = `${echo}${lines(0)}\r\nv=0\r\na=x-padding:${'x'.repeat(600)}\r\n`;
  t.match(optionsOf(padded), /\r\n\r\nOPTIONS [\s\S]*\r\nv=0$/, 'all but the padding');
  t.notMatch(optionsOf(`${echo}${lines(0)}`), /\r\n\r\nOPTIONS/);
  t.match(optionsOf(lines(300)), /^Allow: .*\r\n[\s\S]*^Accept: /m);
  t.match(optionsOf(lines(20)), /^From: .*\r\n[\s\S]*^Content-Length: 0\r\n\r\n$/m);
  t.match(optionsOf(lines(0)), /^f: .*\r\n[\s\S]*^l: 0\r\n\r\n$/m);
  t.match(optionsOf(''), /^v: .*received=198\.51\.100\.7[\s\S]*^l: 0\r\n\r\n$/m, 'larger by what it has to add');
  t.equal(virtual.engine.counters.withheld, 0);
  t.end();
});

t.test('requests as small as they can be, from everywhere, are answered with what has to be added (RFC 4475)', (t) => {
  const small = (method: string, version = '2.0'): string =>
    `${method} sip:h SIP/${version}\r\nv:SIP/2.0/UDP a.b;rport;branch=z9hG4bK7\r\nf:<sip:s@h>;tag=1\r\nt:<sip:h>\r\ni:7\r\nCSeq:1 ${method}\r\n\r\n`;
  const sources = [STRANGER, { address: '255.255.255.255', port: 65_535 }];
  for (const source of sources)
    for (const [text, status] of [
      [small('OPTIONS'), 200],
      [small('REGISTER'), 405],
      [small('OPTIONS', '7.0'), 505],
      [small('ODD'), 501],
      [small('OPTIONS').replace('f:<sip:s@h>', 'f:<nonsense'), 400],
    ] as const) {
      const { virtual } = bed();
      virtual.receive(text, source);
      const answer = virtual.take(`SIP/2.0 ${status}`);
      t.ok(answer.length <= text.length + SLACK_OCTETS, `${answer.length - text.length} more: ${text.slice(0, 20)}`);
    }
  t.end();
});

t.test('one source is answered so often in a second, another one meanwhile, and it again in the next', (t) => {
  const { virtual } = bed();
  const ask = (address: string): void =>
    virtual.receive(requestOf('INVITE', { requestUri: NOBODYS }), { address, port: 5066 });
  for (let i = 0; i < 2 * ANSWERS_A_SECOND; i++) ask(STRANGER.address);
  t.equal(virtual.sent.length, ANSWERS_A_SECOND);
  t.match(virtual.engine.counters, { unclaimed: 2 * ANSWERS_A_SECOND, withheld: ANSWERS_A_SECOND });
  ask('198.51.100.8');
  t.equal(virtual.sent.length, ANSWERS_A_SECOND + 1);
  virtual.advance(1000);
  ask(STRANGER.address);
  t.equal(virtual.sent.length, ANSWERS_A_SECOND + 2);
  t.end();
});
