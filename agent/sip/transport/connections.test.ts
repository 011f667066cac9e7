/** Connections on virtual time: what is not retransmitted, where responses are sent, keep-alives. */
import t from 'tap';
import { calling, invited, methods, TARGET } from '../../testing/sip/calling-over-tcp.ts';
import { CallLog, headerOf, PEER, RegistrationLog, requestOf, responseTo, SDP } from '../../testing/sip/virtual.ts';
import { VirtualStreams } from '../../testing/sip/virtual-streams.ts';
import type { UserAgent } from '../engine.ts';

t.test('t0 is when the connection stands: before, nothing was sent', (t) => {
  const { virtual, log, streams, stream } = calling();
  virtual.advance(40);
  t.same(log.events, []);
  streams.open(stream);
  t.same([log.events, log.atMs], [['sent'], [1040]]);
  t.match(stream.sent[0]?.text, /\r\nVia: SIP\/2.0\/TCP 192.0.2.1:5060;/);
  t.match(stream.sent[0]?.text, /\r\nContact: <sip:alice@192.0.2.1:5060;transport=tcp>/);
  t.end();
});

t.test('requests are sent once: timers A and E do not run, B and F do (RFC 3261, table 4)', (t) => {
  const { virtual, log, stream } = invited();
  virtual.advance(31_990);
  t.equal(stream.sent.filter(({ text }) => text.startsWith('INVITE')).length, 1);
  t.same(log.events, ['sent']);
  virtual.advance(20);
  t.same(log.events, ['sent', 'failed TIMEOUT null']);
  const register = new VirtualStreams();
  const events = new RegistrationLog();
  const nextHop = [{ transport: 'TCP' as const, ...PEER }];
  register.virtual.agent({ nextHop }).register(60, events);
  register.virtual.engine.turn(register.virtual.nowMs);
  register.open(register.last);
  register.virtual.advance(32_010);
  t.equal(register.last.sent.filter(({ text }) => text.startsWith('REGISTER')).length, 1);
  t.same(events.events, ['sent', 'failed TIMEOUT null']);
  t.end();
});

t.test('timers D and K are 0: what was answered is gone with the next turn', (t) => {
  const { virtual, streams, stream, invite, log } = invited();
  streams.feed(stream, responseTo(invite, 486, 'Busy Here'));
  t.same(log.events, ['sent', 'failed STATUS 486']);
  t.match(stream.sent.at(-1)?.text, /^ACK /);
  virtual.advance(2);
  t.notOk(virtual.engine.busy);
  streams.feed(stream, responseTo(invite, 486, 'Busy Here'));
  t.equal(virtual.engine.counters.unmatched, 1, 'nothing absorbs repetitions');
  t.end();
});

t.test('timers G and I: a refusal is sent once; timer H still waits for the ACK', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  virtual.agent();
  const peer = streams.accept(PEER.address, 40_000);
  const invite = requestOf('INVITE', { body: SDP() }).replace('/UDP', '/TCP');
  streams.feed(peer, invite);
  virtual.advance(5000);
  t.same(methods(peer), ['SIP/2.0 480'], 'once');
  t.ok(virtual.engine.busy, 'timer H');
  streams.feed(
    peer,
    requestOf('ACK', {
      branch: /branch=([^;\s]+)/.exec(invite)?.[1] ?? '',
      to: headerOf(peer.sent[0]?.text ?? '', 'To'),
    }).replace('/UDP', '/TCP'),
  );
  virtual.advance(2);
  t.notOk(virtual.engine.busy, 'timer I is 0');
  t.end();
});

t.test('timer J is 0; 2xx to INVITE are sent again until the ACK, over TCP too (13.3.1.4)', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  virtual.agent({
    onIncomingCall: (call) => {
      call.answer(SDP());
      return new CallLog();
    },
  });
  const peer = streams.accept(PEER.address, 40_000);
  streams.feed(peer, requestOf('OPTIONS').replace('/UDP', '/TCP'));
  virtual.advance(2);
  t.notOk(virtual.engine.busy);
  streams.feed(peer, requestOf('INVITE', { body: SDP() }).replace('/UDP', '/TCP'));
  virtual.advance(4000);
  t.same(methods(peer), ['SIP/2.0 200', 'SIP/2.0 200', 'SIP/2.0 200', 'SIP/2.0 200', 'SIP/2.0 200']);
  t.match(peer.sent.at(-1)?.text, /\r\nContact: <sip:alice@192.0.2.1:5060;transport=tcp>/);
  t.end();
});

t.test('a response goes by the connection of its request; once that is lost, to the sent-by port (18.2.2)', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  let refuse = (): void => undefined;
  virtual.agent({
    onIncomingCall: (call) => {
      refuse = () => call.reject(486, 'Busy Here');
      return new CallLog();
    },
  });
  const peer = streams.accept(PEER.address, 40_000);
  streams.feed(peer, requestOf('INVITE', { body: SDP() }).replace('/UDP', '/TCP'));
  t.same(methods(peer), ['SIP/2.0 100']);
  streams.shut(peer, '');
  refuse();
  virtual.advance(1);
  t.match(streams.last, { address: PEER.address, port: PEER.port });
  streams.open(streams.last);
  t.same(methods(streams.last), ['SIP/2.0 486']);
  t.end();
});

t.test('the CANCEL of a request, and answers in any order', (t) => {
  const { virtual, streams, stream, invite, call, log } = invited();
  streams.feed(stream, responseTo(invite, 180, 'Ringing'));
  call.hangUp();
  virtual.engine.turn(virtual.nowMs);
  const cancel = stream.sent.at(-1)?.text ?? '';
  t.match(cancel, /^CANCEL /);
  streams.feed(stream, responseTo(invite, 487, 'Request Terminated'));
  virtual.advance(5);
  streams.feed(stream, responseTo(cancel, 200, 'OK'));
  virtual.advance(5);
  t.equal(log.events.at(-1), 'failed CANCELLED 487');
  t.equal(virtual.engine.counters.unmatched, 0);
  t.notOk(virtual.engine.busy);
  t.end();
});

t.test('a connection that breaks fails what was not answered; one that is closed in order does not', (t) => {
  const broken = invited();
  broken.streams.shut(broken.stream, 'read ECONNRESET');
  t.match(broken.log.failures, [{ kind: 'TRANSPORT', reason: 'TCP to 192.0.2.2: read ECONNRESET' }]);
  const closed = invited();
  closed.streams.shut(closed.stream, '');
  closed.virtual.advance(100);
  t.same(closed.log.events, ['sent']);
  const peer = closed.streams.accept(PEER.address, 40_001);
  closed.streams.feed(peer, responseTo(closed.invite, 603, 'Decline'));
  t.same(closed.log.events, ['sent', 'failed STATUS 603'], 'by another connection');
  t.end();
});

t.test('a connection that does not open', (t) => {
  const { virtual, log, stream } = calling();
  virtual.advance(10_010);
  t.match(log.failures, [{ kind: 'TRANSPORT', reason: /not connected within 10 s/ }]);
  t.ok(stream.ended);
  t.end();
});

t.test('keep-alives: we ping what we opened, and hold to an answer who has answered before', (t) => {
  const { virtual, streams, stream } = invited();
  const pings = (): number => stream.sent.filter(({ text }) => text === '\r\n\r\n').length;
  virtual.advance(95_990);
  t.equal(pings(), 0);
  virtual.advance(24_020);
  t.equal(pings(), 1, 'after 80 to 100 % of 120 s');
  virtual.advance(10_010);
  t.notOk(stream.ended, 'the peer may not know them');
  virtual.advance(120_010);
  t.equal(pings(), 2);
  streams.feed(stream, '\r\n\r\n');
  for (let ms = 0; pings() < 3 && ms < 125_000; ms += 100) virtual.advance(100);
  virtual.advance(10_010);
  t.notOk(stream.ended, "the peer's own ping is not an answer");
  streams.feed(stream, responseTo(stream.sent[0]?.text ?? '', 180, 'Ringing'));
  for (let ms = 0; pings() < 4 && ms < 125_000; ms += 100) virtual.advance(100);
  streams.feed(stream, '\r\n');
  for (let ms = 0; pings() < 5 && ms < 125_000; ms += 100) virtual.advance(100);
  t.equal(pings(), 5);
  virtual.advance(9_800);
  t.notOk(stream.ended);
  virtual.advance(300);
  t.ok(stream.ended, 'no pong within 10 s (RFC 5626, 4.4.1)');
  t.end();
});

t.test('keep-alives of a peer are answered', (t) => {
  const streams = new VirtualStreams();
  const peer = streams.accept(PEER.address, 40_000);
  streams.feed(peer, '\r\n');
  t.same(peer.sent, []);
  streams.feed(peer, '\r\n');
  t.same(
    peer.sent.map(({ text }) => text),
    ['\r\n'],
  );
  t.end();
});

t.test('a burst that waits for a connection to open goes out, however large', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  const agent = virtual.agent();
  const offer = `${SDP()}${'a=x:y\r\n'.repeat(8000)}`;
  const logs = Array.from({ length: 40 }, () => new CallLog());
  for (const log of logs) agent.invite(TARGET, offer, log);
  virtual.engine.turn(virtual.nowMs);
  const stream = streams.last;
  const write = stream.write.bind(stream);
  stream.write = (text) => {
    stream.backlogBytes += text.length;
    write(text);
  };
  streams.open(stream);
  t.equal(stream.sent.length, 40);
  t.ok(stream.backlogBytes > 2 << 20 && !stream.ended);
  t.ok(logs.every(({ events }) => events.join() === 'sent'));
  agent.invite(TARGET, SDP(), new CallLog());
  virtual.engine.turn(virtual.nowMs);
  t.equal(stream.sent.length, 41, 'nor does it cost the next one its connection');
  t.end();
});

t.test('Retry-After in answer to a request that was too large for UDP holds for the server', (t) => {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  const other = { address: '192.0.2.3', port: 5060 };
  const agent = virtual.agent({ nextHop: [PEER, other].map((place) => ({ transport: 'UDP' as const, ...place })) });
  agent.invite('sip:bob@example.net', `${SDP()}${'a=x:y\r\n'.repeat(300)}`, new CallLog());
  virtual.engine.turn(virtual.nowMs);
  const stream = streams.last;
  streams.open(stream);
  const invite = stream.sent[0]?.text ?? '';
  streams.feed(stream, responseTo(invite, 503, 'Service Unavailable', { headers: ['Retry-After: 30'] }));
  agent.invite('sip:bob@example.net', SDP(), new CallLog());
  virtual.engine.turn(virtual.nowMs);
  t.match(virtual.sent.at(-1), other);
  t.end();
});

t.test(
  'a firewall that swallows TCP costs a large request three seconds, once, and it is said (RFC 3261, 18.1.1)',
  (t) => {
    const streams = new VirtualStreams();
    const { virtual } = streams;
    const told: string[] = [];
    const call = (agent: UserAgent) => {
      const log = new CallLog();
      Object.assign(log, {
        onConnectionWait: (ms: number) => told.push(`waited ${ms}`),
        onSentByUdp: (method: string, reason: string) => told.push(`${method}: ${reason}`),
      });
      agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), log);
      virtual.advance(1);
      return log;
    };
    const agent = virtual.agent({ headers: [{ method: 'INVITE', name: 'X-Fill', value: 'x'.repeat(1300) }] });
    const first = call(agent);
    t.same([streams.opened.length, virtual.sent.length], [1, 0]);
    virtual.advanceUntilSent(3100);
    t.match(virtual.take('INVITE'), /^Via: SIP\/2.0\/UDP /m);
    const reason = `TCP to ${PEER.address}: not connected within 3 s`;
    t.match(told, [/^waited 30[01]\d$/, `INVITE: ${reason}`]);
    t.same(first.events, ['sent']);
    for (const afterMs of [0, 30_000, 31_000, 61_000]) {
      told.length = 0;
      virtual.advance(afterMs);
      virtual.sent.length = 0;
      call(agent);
      t.match(virtual.take('INVITE'), /^Via: SIP\/2.0\/UDP /m, 'at once');
      t.same(told, [`INVITE: ${reason}`]);
    }
    t.equal(streams.opened.length, 3, 'it is asked again beside, once a minute');
    streams.open(streams.last);
    told.length = 0;
    call(agent);
    t.match(streams.last.sent.at(-1)?.text, /^INVITE [\s\S]*Via: SIP\/2.0\/TCP /, 'it takes TCP by now');
    t.same(told, []);
    t.end();
  },
);

t.test('a TCP connection that is closed before an answer sends a large request by UDP, and the reason is said', (t) => {
  for (const [what, received, reason] of [
    ['closed at once', '', 'closed by the peer'],
    ['half a message', 'SIP/2.0 200 OK\r\nVia: ', 'closed in the middle of a message'],
  ] as const) {
    const streams = new VirtualStreams();
    const { virtual } = streams;
    const told: string[] = [];
    const log = new CallLog();
    Object.assign(log, { onSentByUdp: (method: string, why: string) => told.push(`${method}: ${why}`) });
    const agent = virtual.agent({ headers: [{ method: 'INVITE', name: 'X-Fill', value: 'x'.repeat(1300) }] });
    agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), log);
    virtual.advance(1);
    const stream = streams.last;
    streams.open(stream);
    if (received !== '') streams.feed(stream, received);
    streams.shut(stream, '');
    virtual.advance(1);
    t.match(virtual.take('INVITE'), /^Via: SIP\/2.0\/UDP /m, what);
    t.same(told, [`INVITE: TCP to ${PEER.address}: ${reason}`], what);
    t.same(virtual.errors, []);
  }
  t.end();
});

t.test(
  'a TCP peer that takes a large request and says nothing: the failure names it, and the next one goes by UDP',
  (t) => {
    const streams = new VirtualStreams();
    const { virtual } = streams;
    const agent = virtual.agent({ headers: [{ method: 'INVITE', name: 'X-Fill', value: 'x'.repeat(1300) }] });
    const [first, second] = [new CallLog(), new CallLog()];
    agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), first);
    virtual.advance(1);
    streams.open(streams.last);
    virtual.advance(32_100);
    t.match(first.failures[0]?.reason, /^no final response to INVITE within 32 s; it went by TCP for its \d{4} bytes/);
    virtual.sent.length = 0;
    agent.invite(`sip:bob@${PEER.address}:${PEER.port}`, SDP(), second);
    virtual.advance(1);
    t.match(virtual.take('INVITE'), /^Via: SIP\/2.0\/UDP /m);
    t.same(virtual.errors, []);
    t.end();
  },
);

t.test(
  'time spent on connections is that of the network, whether they open, fail, or are the first of several',
  (t) => {
    const rows: [string, (streams: VirtualStreams) => void, number][] = [
      ['it opens late', (streams) => streams.open(streams.last), 500],
      [
        'it is refused, and another server is there',
        (streams) => {
          streams.shut(streams.last, 'ECONNREFUSED');
          streams.virtual.advance(200);
          streams.open(streams.last);
        },
        700,
      ],
    ];
    for (const [what, act, waitedMs] of rows) {
      const streams = new VirtualStreams();
      const waits: number[] = [];
      const hop = (address: string) => ({ transport: 'TCP', address, port: 5060 }) as const;
      const log = new CallLog();
      Object.assign(log, { onConnectionWait: (ms: number) => waits.push(ms) });
      streams.virtual.agent({ nextHop: [hop('192.0.2.7'), hop('192.0.2.8')] }).invite(TARGET, SDP(), log);
      streams.virtual.advance(500);
      act(streams);
      streams.virtual.advance(1);
      const sum = waits.reduce((n, ms) => n + ms, 0);
      t.ok(Math.abs(sum - waitedMs) <= 2, `${what}: ${waits}`);
      t.same(log.events, ['sent']);
    }
    t.end();
  },
);
