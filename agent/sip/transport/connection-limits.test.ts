/** Which connections stay, on virtual time: limits, idle time, framing faults, certificates, flows that are kept alive. */
import t from 'tap';
import { invited, TARGET } from '../../testing/sip/calling-over-tcp.ts';
import {
  CallLog,
  headerOf,
  LOCAL,
  PEER,
  RegistrationLog,
  requestOf,
  responseTo,
  SDP,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { VirtualStreams } from '../../testing/sip/virtual-streams.ts';

t.test('limits of those who connect to us', (t) => {
  const silent = new VirtualStreams();
  const nobody = silent.accept(PEER.address, 40_000);
  silent.virtual.advance(31_990);
  t.notOk(nobody.ended);
  silent.virtual.advance(20);
  t.ok(nobody.ended, 'says nothing for 32 s');

  const slow = new VirtualStreams();
  const dripping = slow.accept(PEER.address, 40_000);
  slow.feed(dripping, requestOf('OPTIONS').replace('/UDP', '/TCP'));
  for (let i = 0; i < 33 && !dripping.ended; i++) {
    slow.feed(dripping, 'X');
    slow.virtual.advance(1000);
  }
  t.ok(dripping.ended, 'a message is not whole within 32 s, however it drips');

  const idle = new VirtualStreams();
  const spoke = idle.accept(PEER.address, 40_000);
  idle.feed(spoke, requestOf('OPTIONS').replace('/UDP', '/TCP'));
  idle.virtual.advance(899_990);
  t.notOk(spoke.ended);
  idle.virtual.advance(20);
  t.ok(spoke.ended, 'idle for 15 minutes');
  t.end();
});

t.test('listeners that throw when a connection opens or breaks do not stop the engine', (t) => {
  const bug = (): never => {
    throw new Error('a bug of the owner');
  };
  const streams = new VirtualStreams();
  const { virtual } = streams;
  const agent = virtual.agent({ onConnectionOpened: bug });
  const [first, second] = [new CallLog(), new CallLog()];
  first.onFailed = bug;
  agent.invite(TARGET, SDP(), first);
  agent.invite(TARGET, SDP(), second);
  virtual.engine.turn(virtual.nowMs);
  const stream = streams.last;
  // As from the network: within the turn.
  const within = (deliver: () => void): void => {
    streams.poll = () => {
      streams.poll = () => 0;
      deliver();
      return 1;
    };
    virtual.advance(1);
  };
  within(() => stream.handler?.onOpen(virtual.nowMs, { connectMs: 1, tlsMs: Number.NaN, tls: '' }));
  t.equal(virtual.errors.length, 1);
  t.equal(stream.sent.length, 2, 'what waited went');
  within(() => stream.handler?.onClosed('read ECONNRESET', virtual.nowMs));
  t.equal(virtual.errors.length, 2);
  t.same(second.events, ['sent', 'failed TRANSPORT null'], 'the other call hears of it');
  within(() => {
    throw new Error('a bug of the port');
  });
  t.equal(virtual.engine.counters.internalErrors, 3);
  const later = new CallLog();
  agent.invite(TARGET, SDP(), later);
  virtual.advance(1);
  t.not(streams.last, stream, 'the engine goes on');
  t.end();
});

t.test('what cannot be framed is answered, and closed', (t) => {
  const streams = new VirtualStreams();
  const peer = streams.accept(PEER.address, 40_000);
  streams.feed(
    peer,
    requestOf('OPTIONS')
      .replace('/UDP', '/TCP')
      .replace(/Content-Length: 0\r\n/, ''),
  );
  t.match(
    peer.sent.map(({ text }) => text),
    [/^SIP\/2.0 400 Bad Request \(no Content-Length\)\r\n/],
  );
  t.ok(peer.ended);
  const negative = streams.accept(PEER.address, 40_001);
  streams.feed(negative, requestOf('OPTIONS').replace('Content-Length: 0', 'Content-Length: -5'));
  t.ok(negative.ended);
  const unread = streams.accept(PEER.address, 40_002);
  unread.backlogBytes = 2 << 20;
  streams.feed(unread, requestOf('OPTIONS').replace('/UDP', '/TCP'));
  t.ok(unread.ended, 'a peer that does not read our answers');
  t.same(streams.virtual.errors, []);
  t.end();
});

t.test('unfinished messages of all connections together have a limit', (t) => {
  const streams = new VirtualStreams();
  const part = `OPTIONS sip:a@b SIP/2.0\r\nX: ${'x'.repeat(60_000)}\r\n`;
  for (let i = 0; i < 600; i++) {
    const whole = requestOf('OPTIONS', { headers: [`X: ${'x'.repeat(60_000)}`] }).replace('/UDP', '/TCP');
    const peer = streams.accept(PEER.address, 30_000 + i);
    streams.feed(peer, whole.slice(0, -2));
    peer.backlogBytes = 2 << 20;
    streams.feed(peer, whole.slice(-2));
    if (!peer.ended) t.fail('a peer that does not read our answers is disconnected');
  }
  const peers = Array.from({ length: 700 }, (_, i) => streams.accept(PEER.address, 10_000 + i));
  for (const peer of peers) streams.feed(peer, part);
  const kept = peers.filter((peer) => !peer.ended).length;
  t.ok(kept > 500 && kept * part.length <= 32 << 20, `${kept} are kept`);
  t.end();
});

t.test('connections that nobody needs any more are closed', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  const agent = virtual.agent();
  agent.invite(TARGET, SDP(), new CallLog());
  virtual.engine.turn(virtual.nowMs);
  const stream = streams.last;
  streams.open(stream);
  streams.feed(stream, responseTo(stream.sent[0]?.text ?? '', 486, 'Busy Here'));
  virtual.advance(100_000);
  t.notOk(stream.ended, 'as long as there are user agents');
  agent.close();
  virtual.advance(160_000);
  t.ok(stream.ended);
  t.end();
});

t.test('the TLS connection of a peer, who showed no certificate, is no way to a target that is to be verified', (t) => {
  for (const [verify, opened] of [
    ['SYSTEM', 1],
    ['SKIP', 0],
  ] as const) {
    const streams = new VirtualStreams();
    const { virtual } = streams;
    const peer = streams.accept(PEER.address, PEER.port, 'TLS');
    const nextHop = [{ transport: 'TLS' as const, ...PEER }];
    virtual.agent({ nextHop, tls: { verify } }).register(60, new RegistrationLog());
    virtual.engine.turn(virtual.nowMs);
    t.same([streams.opened.length, peer.sent.length], [opened, 1 - opened], verify);
  }
  const streams = new VirtualStreams();
  const { virtual } = streams;
  let hangUp = (): void => undefined;
  virtual.agent({
    tls: { verify: 'SYSTEM' },
    nextHop: [{ transport: 'TLS', ...LOCAL }],
    onIncomingCall: (call) => {
      hangUp = () => call.hangUp();
      call.answer(SDP());
      return new CallLog();
    },
  });
  const peer = streams.accept(PEER.address, PEER.port, 'TLS');
  const contact = `<sip:bob@${PEER.address}:${PEER.port};transport=tls>`;
  const invite = requestOf('INVITE', { body: SDP(), contact }).replace('/UDP', '/TLS');
  streams.feed(peer, invite);
  const to = headerOf(peer.sent.at(-1)?.text ?? '', 'To');
  streams.feed(peer, requestOf('ACK', { to, contact }).replace('/UDP', '/TLS'));
  hangUp();
  virtual.engine.turn(virtual.nowMs);
  t.match(peer.sent.at(-1)?.text, /^BYE /, 'but to the dialog that came by it');
  t.end();
});

t.test('user agents whose TLS settings say the same share a connection', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  for (const [contactUser, verify] of [
    ['a', 'SKIP'],
    ['b', 'SKIP'],
    ['c', 'SYSTEM'],
  ] as const) {
    const nextHop = [{ transport: 'TLS' as const, ...PEER }];
    virtual.agent({ contactUser, nextHop, tls: { verify } }).register(60, new RegistrationLog());
  }
  virtual.engine.turn(virtual.nowMs);
  t.equal(streams.opened.length, 2);
  t.end();
});

t.test('connections that we opened are given up after 15 minutes without messages, and opened again on demand', (t) => {
  const { virtual, streams, stream, invite } = invited();
  const agent = virtual.agent({ contactUser: 'bob' });
  streams.feed(stream, responseTo(invite, 486, 'Busy Here'));
  virtual.advance(890_000);
  t.notOk(stream.ended);
  virtual.advance(130_000);
  t.ok(stream.ended, 'pings do not count');
  agent.invite(TARGET, SDP(), new CallLog());
  virtual.engine.turn(virtual.nowMs);
  t.not(streams.last, stream);
  t.end();
});

t.test('a connection that a registration went by stays as long as the registration holds', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  virtual.agent({ nextHop: [{ transport: 'TCP', ...PEER }] }).register(3600, new RegistrationLog());
  virtual.engine.turn(virtual.nowMs);
  const stream = streams.last;
  streams.open(stream);
  const register = stream.sent[0]?.text ?? '';
  streams.feed(stream, responseTo(register, 200, 'OK', { contact: headerOf(register, 'Contact') }));
  virtual.advance(1_200_000);
  t.notOk(stream.ended);
  t.end();
});

t.test('connections that we open have a limit: the one that is idle for longest makes room', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  const agent = virtual.agent();
  const call = (port: number): CallLog => {
    const log = new CallLog();
    agent.invite(`sip:bob@${PEER.address}:${port};transport=tcp`, SDP(), log);
    virtual.advance(1);
    return log;
  };
  for (let i = 0; i < 2048; i++) {
    call(10_000 + i);
    streams.open(streams.last);
  }
  const [first] = streams.opened;
  virtual.advance(1);
  if (!first?.ended) t.match(call(20_000).failures, [{ kind: 'TRANSPORT' }]);
  virtual.advance(33_000);
  t.match(call(20_001).failures, []);
  t.ok(first?.ended);
  t.equal(streams.opened.filter(({ ended }) => !ended).length, 2048);
  t.end();
});

t.test('STUN on the SIP socket is answered (RFC 5626, 8)', (t) => {
  for (const [address, mapped] of [
    ['192.0.2.1', '\0\x20\0\x08\0\x01\xa1\x47\xe1\x12\xa6\x43'],
    ['2001:db8::1', '\0\x20\0\x14\0\x02\xa1\x47\x01\x13\xa9\xfa'],
  ] as const) {
    const virtual = new VirtualEngine();
    virtual.receive('\0\x01\0\0\x21\x12\xa4\x42abcdefghijkl', { address, port: 32_853 });
    const [answer] = virtual.sent;
    t.match(answer, { address, port: 32_853 });
    t.equal(answer?.text.slice(0, 2), '\x01\x01');
    t.equal(answer?.text.slice(4, 20), '\x21\x12\xa4\x42abcdefghijkl');
    t.equal(
      answer?.text.slice(20, 20 + mapped.length),
      mapped,
      'RFC 5769, 2.2: the port, and the address under the cookie',
    );
    t.equal(answer?.text.charCodeAt(3), (answer?.text.length ?? 0) - 20);
    t.equal(virtual.engine.counters.malformed, 0);
  }
  t.end();
});

t.test('an outbound flow over UDP is kept by STUN, and registered again when nobody answers (RFC 5626, 4.4.2)', (t) => {
  const virtual = new VirtualEngine();
  const agent = virtual.agent({ instanceId: 'urn:uuid:00000000-0000-1000-8000-000a95a0e128' });
  const log = new RegistrationLog();
  agent.register(3600, log);
  const register = virtual.take('REGISTER');
  const contact = headerOf(register, 'Contact');
  virtual.receive(responseTo(register, 200, 'OK', { contact, headers: ['Require: outbound'] }));
  const stun = (): string[] => virtual.sent.splice(0).map(({ text }) => text);
  for (let i = 0; i < 3; i++) {
    virtual.advance(29_000);
    const [request = ''] = stun();
    t.ok(request.startsWith('\0\x01\0\0\x21\x12\xa4\x42'), 'within 24 to 29 s');
    virtual.receive(`\x01\x01${request.slice(2)}`);
  }
  virtual.advance(90_000);
  const sent = stun();
  t.ok(sent.filter((text) => text.startsWith('\0\x01')).length >= 2);
  t.ok(
    sent.some((text) => text.startsWith('REGISTER')),
    'the flow has failed',
  );
  agent.close();
  virtual.advance(100_000);
  t.notOk(
    stun().some((text) => text.startsWith('\0')),
    'nothing more is asked',
  );
  t.end();
});
