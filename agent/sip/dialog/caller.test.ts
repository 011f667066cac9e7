import t from 'tap';
import { isAuthorized } from '../../testing/sip/registrar.ts';
import {
  bodyOf,
  branchOf,
  CallLog,
  headerOf,
  headersOf,
  PEER,
  requestOf,
  responseTo,
  SDP,
  tagOf,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { answered, CONTACT, calling, TARGET } from '../../testing/sip/virtual-call.ts';

t.test('a caller names itself as it is told, and adds header fields of its own', (t) => {
  const headers = [
    { method: 'INVITE', name: 'P-Asserted-Identity', value: '<tel:+4930>' },
    { method: 'INVITE', name: 'X-Empty', value: '' },
    { method: 'BYE', name: 'X-Why', value: 'over' },
    { method: 'REGISTER', name: 'X-Site', value: 'none' },
  ] as const;
  const { virtual, call, invite } = answered([], { from: 'sip:+4930@trunk.example', displayName: 'Alice', headers });
  t.match(headerOf(invite, 'From'), /^"Alice" <sip:\+4930@trunk\.example>;tag=/);
  t.equal(headerOf(invite, 'P-Asserted-Identity'), '<tel:+4930>');
  t.notMatch(invite, /X-Why|X-Site|X-Empty/);
  call.hangUp();
  const bye = virtual.take('BYE');
  t.equal(headerOf(bye, 'From'), headerOf(invite, 'From'));
  t.equal(headerOf(bye, 'X-Why'), 'over');
  t.notMatch(bye, /P-Asserted|X-Site/);
  t.end();
});

t.test('a call from INVITE to BYE', (t) => {
  const { virtual, log, call, invite } = calling({ displayName: 'Alice "A" \\ M\u00fcller' });
  t.match(invite, /^INVITE sip:bob@192\.0\.2\.2:5070 SIP\/2\.0\r\n/);
  t.match(headerOf(invite, 'Via'), /^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;rport;branch=z9hG4bK/);
  t.equal(headerOf(invite, 'Max-Forwards'), '70');
  t.match(
    headerOf(invite, 'From'),
    /^"Alice \\"A\\" \\\\ M\u00c3\u00bcller" <sip:alice@example\.net>;tag=/,
    'UTF-8, quoted',
  );
  t.equal(headerOf(invite, 'To'), `<${TARGET}>`);
  t.equal(headerOf(invite, 'CSeq'), '1 INVITE');
  t.equal(headerOf(invite, 'Contact'), '<sip:alice@192.0.2.1:5060>');
  t.match(headerOf(invite, 'Allow'), /BYE/);
  t.match(invite, /\r\nSupported:/);
  t.equal(headerOf(invite, 'User-Agent'), 'carillon-test');
  t.equal(headerOf(invite, 'Content-Length'), String(SDP().length));
  t.equal(bodyOf(invite), SDP());
  virtual.receive(responseTo(invite, 100, 'Trying'));
  virtual.receive(responseTo(invite, 180, 'Ringing'));
  virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT, body: SDP('sendonly') }));
  t.equal(log.body, SDP('sendonly'));
  const ack = virtual.take('ACK sip:bob-device@192.0.2.2:5070');
  t.not(branchOf(ack), branchOf(invite), 'a transaction of its own');
  t.equal(headerOf(ack, 'CSeq'), '1 ACK');
  t.equal(tagOf(headerOf(ack, 'To')), 'peer');
  t.equal(headerOf(ack, 'From'), headerOf(invite, 'From'));
  virtual.nowMs += 5000;
  call.hangUp();
  call.hangUp();
  const bye = virtual.take('BYE sip:bob-device@192.0.2.2:5070');
  t.equal(headerOf(bye, 'CSeq'), '2 BYE');
  t.equal(headerOf(bye, 'Call-ID'), call.callId);
  t.equal(virtual.sent.length, 0, 'hanging up twice is hanging up once');
  virtual.receive(responseTo(bye, 200, 'OK'));
  t.same(log.events, ['sent', 'provisional 100', 'provisional 180', 'answered 200', 'ended LOCAL']);
  const seen = virtual.traffic.map((one) => `${one.direction} ${one.method} ${one.status}`);
  t.same(seen, [
    'SENT INVITE 0',
    'RECEIVED INVITE 100',
    'RECEIVED INVITE 180',
    'RECEIVED INVITE 200',
    'SENT ACK 0',
    'SENT BYE 0',
    'RECEIVED BYE 200',
  ]);
  t.ok(
    virtual.traffic.every(
      (one) => one.callId === call.callId && one.peerAddress === PEER.address && !one.retransmission,
    ),
  );
  t.equal(virtual.engine.busy, true, 'the transactions wait for repetitions');
  virtual.advance(33_000);
  t.equal(virtual.engine.busy, false);
  t.end();
});

t.test('the route set', (t) => {
  const loose = answered([
    'Record-Route: <sip:p2@192.0.2.12:5082;lr>, <sip:p1@192.0.2.11;lr>',
    'Record-Route: <sip:p0@192.0.2.10;lr=on>',
  ]);
  t.match(loose.ack, /^ACK sip:bob-device@192\.0\.2\.2:5070 SIP/);
  t.equal(
    headerOf(loose.ack, 'Route'),
    '<sip:p0@192.0.2.10;lr=on>, <sip:p1@192.0.2.11;lr>, <sip:p2@192.0.2.12:5082;lr>',
    'reversed',
  );
  loose.call.hangUp();
  loose.virtual.engine.turn(loose.virtual.nowMs);
  t.match(loose.virtual.sent[0], { address: '192.0.2.10', port: 5060 }, 'to the first of them');
  const bye = loose.virtual.take('BYE sip:bob-device@192.0.2.2:5070 SIP');
  t.same([headersOf(bye, 'Route'), headerOf(bye, 'To')], [headersOf(loose.ack, 'Route'), headerOf(loose.ack, 'To')]);
  const strict = answered(['Record-Route: <sip:loose@192.0.2.12;lr>, <sip:strict@192.0.2.10:5081;x=y>']);
  t.match(strict.ack, /^ACK sip:strict@192\.0\.2\.10:5081;x=y SIP/);
  t.equal(headerOf(strict.ack, 'Route'), `<sip:loose@192.0.2.12;lr>, ${CONTACT}`, 'the target moves to the end');
  const preloaded = calling({ routeSet: ['<sip:edge@192.0.2.20:5090;lr>'] });
  t.equal(headerOf(preloaded.invite, 'Route'), '<sip:edge@192.0.2.20:5090;lr>');
  t.match(preloaded.virtual.traffic[0], { peerAddress: '192.0.2.20', peerPort: 5090 });
  const named = calling({ nextHop: [{ transport: 'UDP', address: '192.0.2.30', port: 5099 }] });
  named.virtual.receive(responseTo(named.invite, 200, 'OK', { contact: '<sip:bob@device.example>' }));
  named.virtual.take('ACK sip:bob@device.example');
  t.match(named.virtual.traffic.at(-1), { peerAddress: '192.0.2.30' }, 'a name goes by the outbound proxy');
  const nothing = calling();
  nothing.virtual.receive(responseTo(nothing.invite, 200, 'OK'));
  nothing.virtual.take(`ACK ${TARGET}`);
  t.pass('without a Contact the call goes where it went before');
  t.end();
});

t.test('every repetition of the 2xx is acknowledged, before and after the end', (t) => {
  const { virtual, call, invite, ack, log } = answered(['Record-Route: <sip:p@192.0.2.10;lr>']);
  const ok = responseTo(invite, 200, 'OK', {
    contact: CONTACT,
    body: SDP(),
    headers: ['Record-Route: <sip:p@192.0.2.10;lr>'],
  });
  virtual.receive(ok);
  t.equal(virtual.take('ACK'), ack);
  call.hangUp();
  virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
  virtual.receive(ok);
  const late = virtual.take('ACK');
  t.equal(late.replace(branchOf(late), ''), ack.replace(branchOf(ack), ''), 'built again from the response');
  t.equal(virtual.sent.length, 0, 'and not hung up again');
  t.equal(virtual.traffic.at(-1)?.retransmission, true);
  t.same(log.events, ['sent', 'answered 200', 'ended LOCAL']);
  virtual.advance(33_000);
  virtual.receive(ok);
  t.equal(virtual.engine.counters.unmatched, 1, 'timer M is over');
  t.end();
});

t.test('a second 2xx of another fork is acknowledged and hung up', (t) => {
  const { virtual, invite, log, call } = answered();
  const fork = responseTo(invite, 200, 'OK', { toTag: 'fork', contact: '<sip:fork@192.0.2.44>' });
  virtual.receive(fork);
  t.match(headerOf(virtual.take('ACK sip:fork@192.0.2.44'), 'To'), /;tag=fork$/);
  const bye = virtual.take('BYE sip:fork@192.0.2.44');
  virtual.receive(fork);
  virtual.take('ACK sip:fork@192.0.2.44');
  virtual.receive(responseTo(bye, 200, 'OK'));
  t.same(log.events, ['sent', 'answered 200'], 'the call itself goes on');
  call.hangUp();
  t.match(headerOf(virtual.take('BYE sip:bob-device'), 'To'), /;tag=peer$/);
  t.end();
});

t.test('digest', (t) => {
  const proxy = ['Proxy-Authenticate: Digest realm="r", nonce="n", qop="auth,auth-int", algorithm=SHA-256'];
  t.test('407: ACK, then the INVITE again, credentials in its ACK and in BYE', (t) => {
    const { virtual, log, call, invite } = calling();
    virtual.receive(responseTo(invite, 100, 'Trying'));
    virtual.receive(responseTo(invite, 407, 'Proxy Authentication Required', { headers: proxy, toTag: 'proxy' }));
    t.equal(branchOf(virtual.take('ACK')), branchOf(invite), 'the ACK to the 407 comes first');
    const second = virtual.take('INVITE');
    t.equal(headerOf(second, 'CSeq'), '2 INVITE');
    t.equal(headerOf(second, 'Call-ID'), headerOf(invite, 'Call-ID'));
    t.equal(headerOf(second, 'From'), headerOf(invite, 'From'));
    t.equal(tagOf(headerOf(second, 'To')), '', 'no tag of the 407');
    t.not(branchOf(second), branchOf(invite));
    t.ok(isAuthorized(second, 'Proxy-Authorization', 'alice', 'secret'));
    virtual.receive(responseTo(second, 200, 'OK', { contact: CONTACT }));
    const ack = virtual.take('ACK');
    t.equal(headerOf(ack, 'CSeq'), '2 ACK');
    t.equal(headerOf(ack, 'Proxy-Authorization'), headerOf(second, 'Proxy-Authorization'));
    call.hangUp();
    const bye = virtual.take('BYE');
    t.equal(headerOf(bye, 'CSeq'), '3 BYE');
    t.match(headerOf(bye, 'Proxy-Authorization'), /nc=00000002/);
    t.ok(isAuthorized(bye, 'Proxy-Authorization', 'alice', 'secret'));
    virtual.receive(responseTo(bye, 407, 'Stale', { headers: proxy.map((line) => line.replace('"n"', '"n2"')) }));
    const again = virtual.take('BYE');
    t.equal(headerOf(again, 'CSeq'), '4 BYE');
    t.match(headerOf(again, 'Proxy-Authorization'), /nonce="n2"/);
    virtual.receive(responseTo(again, 200, 'OK'));
    t.same(log.events, ['sent', 'provisional 100', 'answered 200', 'ended LOCAL'], 'sent is told once');
    t.end();
  });
  t.test('auth-int covers the body', (t) => {
    const { virtual, invite } = calling();
    const headers = ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth-int"'];
    virtual.receive(responseTo(invite, 401, 'Unauthorized', { headers }));
    virtual.take('ACK');
    const second = virtual.take('INVITE');
    t.match(headerOf(second, 'Authorization'), /qop=auth-int/);
    t.ok(isAuthorized(second, 'Authorization', 'alice', 'secret'));
    t.end();
  });
  t.test('a nonce that the 2xx names is the BYE\u2019s', (t) => {
    const virtual = new VirtualEngine();
    const log = new CallLog();
    const call = virtual.agent().invite('sip:bob@192.0.2.2', SDP(), log);
    const headers = ['Proxy-Authenticate: Digest realm="p", nonce="n", qop="auth"'];
    virtual.receive(responseTo(virtual.take('INVITE'), 407, 'Proxy Authentication Required', { headers }));
    virtual.take('ACK');
    const info = ['Proxy-Authentication-Info: nextnonce="m", qop=auth'];
    const contact = '<sip:bob@192.0.2.2>';
    virtual.receive(responseTo(virtual.take('INVITE'), 200, 'OK', { contact, body: SDP(), headers: info }));
    t.match(headerOf(virtual.take('ACK'), 'Proxy-Authorization'), /nonce="n"/, 'the ACK has the INVITE\u2019s');
    call.hangUp();
    t.match(headerOf(virtual.take('BYE'), 'Proxy-Authorization'), /nonce="m".*nc=00000001/);
    t.end();
  });
  t.test('refused twice: the call failed', (t) => {
    const { virtual, log, invite } = calling();
    virtual.receive(responseTo(invite, 407, 'Proxy Authentication Required', { headers: proxy }));
    virtual.take('ACK');
    virtual.receive(responseTo(virtual.take('INVITE'), 407, 'Proxy Authentication Required', { headers: proxy }));
    virtual.take('ACK');
    t.same(log.events, ['sent', 'failed STATUS 407']);
    t.match(log.failures[0]?.reason, /realm "r" refused/);
    t.end();
  });
  t.test('a BYE that stays challenged still ends the call', (t) => {
    const { virtual, call, log } = answered();
    call.hangUp();
    for (let i = 0; i < 2; i++) virtual.receive(responseTo(virtual.take('BYE'), 407, 'No', { headers: proxy }));
    t.same(log.events.at(-1), 'ended LOCAL');
    t.end();
  });
  t.end();
});

t.test('the end of an answered call', (t) => {
  t.test('the peer hangs up', (t) => {
    const { virtual, log, invite } = answered();
    const bye = requestOf('BYE', {
      callId: headerOf(invite, 'Call-ID'),
      from: `<${TARGET}>;tag=peer`,
      to: headerOf(invite, 'From'),
      cseq: 77,
    });
    virtual.receive(bye);
    const ok = virtual.take('SIP/2.0 200 OK');
    t.same(log.events.at(-1), 'ended REMOTE');
    virtual.receive(bye);
    t.equal(virtual.take('SIP/2.0 200 OK'), ok, 'a repetition is answered the same');
    virtual.receive(bye.replace(/branch=\S+/, 'branch=z9hG4bKnew'));
    virtual.take('SIP/2.0 481');
    t.end();
  });
  t.test('the peer does not answer the BYE', (t) => {
    const { virtual, log, call } = answered();
    call.hangUp();
    virtual.advance(33_000);
    t.same(log.events.at(-1), 'ended LOCAL');
    t.same(log.byeRttMs, Number.NaN, 'what was not answered has no round trip');
    t.end();
  });
  t.test('the peer knows the call no more', (t) => {
    const { virtual, log, call } = answered();
    call.hangUp();
    virtual.receive(responseTo(virtual.take('BYE'), 481, 'Call/Transaction Does Not Exist'));
    t.same(log.events.at(-1), 'ended LOCAL');
    t.end();
  });
  t.test('of two BYEs that cross both are answered', (t) => {
    const { virtual, log, call, invite } = answered();
    call.hangUp();
    const bye = virtual.take('BYE');
    virtual.receive(
      requestOf('BYE', {
        callId: headerOf(invite, 'Call-ID'),
        from: `<${TARGET}>;tag=peer`,
        to: headerOf(invite, 'From'),
      }),
    );
    virtual.take('SIP/2.0 200 OK');
    virtual.receive(responseTo(bye, 200, 'OK'));
    t.same(log.events.slice(-1), ['ended LOCAL']);
    t.end();
  });
  t.test('a call ends when the engine closes', (t) => {
    const open = answered();
    open.virtual.engine.close();
    t.same(open.log.events.at(-1), 'ended LOCAL');
    const ringing = calling();
    ringing.virtual.engine.close();
    t.same(ringing.log.events.at(-1), 'failed TRANSPORT null');
    t.match(ringing.log.failures[0]?.reason, /engine was closed/);
    t.end();
  });
  t.test('the user agent closes: hung up, nothing told', (t) => {
    const virtual = new VirtualEngine();
    const agent = virtual.agent();
    const log = new CallLog();
    agent.invite(TARGET, '', log);
    const invite = virtual.take('INVITE');
    virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT }));
    virtual.take('ACK');
    agent.close();
    virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
    t.same(log.events, ['sent', 'answered 200']);
    const late = new CallLog();
    agent.invite(TARGET, '', late);
    virtual.advance(1);
    t.same(late.events, ['failed TRANSPORT null'], 'it places no calls any more');
    virtual.advance(40_000);
    t.equal(virtual.engine.busy, false);
    t.end();
  });
  t.end();
});

t.test('calls that cannot be sent fail with the next turn, clearly', (t) => {
  const rows: [string, object, string, RegExp][] = [
    [
      'sip:bob@pbx.example',
      {},
      'failed TRANSPORT null',
      /cannot resolve pbx\.example: give an outbound proxy or a numeric address/,
    ],
    ['tel:+4930123', {}, 'failed TRANSPORT null', /outbound proxy/],
    ['bob', {}, 'failed TRANSPORT null', /not a SIP URI/],
    ['sip:bob@192.0.2.2\r\nEvil: 1', {}, 'failed TRANSPORT null', /not a SIP URI/],
    ['sip:bob@192.0.2.2?Subject', {}, 'failed TRANSPORT null', /not a SIP URI/],
    ['sip:bob@192.0.2.2;transport=sctp', {}, 'failed TRANSPORT null', /transport=sctp/],
    ['sip:bob@192.0.2.2', { mayReach: () => false }, 'failed POLICY null', /policy forbids 192\.0\.2\.2/],
  ];
  for (const [target, options, event, reason] of rows) {
    const virtual = new VirtualEngine(options);
    const log = new CallLog();
    virtual.agent().invite(target, '', log);
    t.same(log.events, [], 'not before invite has returned');
    virtual.advance(1);
    t.same(log.events, [event], target);
    t.match(log.failures[0]?.reason, reason);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
    const hungUp = new CallLog();
    virtual.agent({ contactUser: 'other' }).invite(target, '', hungUp).hangUp();
    virtual.engine.close();
    t.match(hungUp.events, [/^failed/], 'told when the engine closes at once, too');
  }
  const { virtual, log, invite } = calling({}, { mayReach: (address: string) => address === PEER.address });
  virtual.receive(responseTo(invite, 200, 'OK', { contact: '<sip:bob@10.0.0.1>' }));
  t.same(log.events.at(-1), 'failed POLICY null', 'a Contact that the policy forbids is not followed');
  t.same([virtual.sent.length, virtual.engine.counters.refusedByPolicy], [0, 1]);
  t.end();
});
