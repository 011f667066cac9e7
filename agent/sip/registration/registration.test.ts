/** What REGISTER says and takes from its answers, and registrations that cannot be sent. */
import t from 'tap';
import { bed } from '../../testing/sip/registration-bed.ts';
import { CallLog, headerOf, PEER, RegistrationLog, responseTo, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';
import { VirtualStreams } from '../../testing/sip/virtual-streams.ts';
import { PLAIN_SIGNALLING } from '../engine.ts';

t.test('REGISTER names the address of record, and carries what is its own', (t) => {
  const { virtual, log, agent } = bed({
    from: 'sip:+4930@trunk.example',
    displayName: 'Alice',
    headers: [
      { method: 'REGISTER', name: 'X-Site', value: 'M\u00fcnchen\r\nVia: x' },
      { method: 'BYE', name: 'X-Bye', value: 'x' },
    ],
  });
  agent.register(300, log);
  const register = virtual.take('REGISTER');
  t.match(headerOf(register, 'From'), /^"Alice" <sip:alice@example\.net>;tag=/);
  t.equal(headerOf(register, 'To'), '"Alice" <sip:alice@example.net>');
  t.equal(headerOf(register, 'X-Site'), 'M\u00c3\u00bcnchen  Via: x', 'in one line');
  t.notMatch(register, 'X-Bye');
  t.end();
});

t.test('bindings and what else a registrar says', (t) => {
  t.test('an outbound flow (RFC 5626), and its refusal by the first hop', (t) => {
    const instanceId = 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6';
    const { virtual, log, agent } = bed({ instanceId });
    agent.register(300, log);
    const first = virtual.take('REGISTER');
    t.equal(
      headerOf(first, 'Contact'),
      `<sip:alice@192.0.2.1:5060>;reg-id=1;+sip.instance="<${instanceId}>";expires=300`,
    );
    t.equal(headerOf(first, 'Supported'), 'path, outbound');
    virtual.receive(responseTo(first, 439, 'First Hop Lacks Outbound Support'));
    const plain = virtual.take('REGISTER');
    t.equal(headerOf(plain, 'Contact'), '<sip:alice@192.0.2.1:5060>;expires=300');
    t.equal(headerOf(plain, 'Supported'), 'path');
    virtual.receive(responseTo(plain, 439, 'First Hop Lacks Outbound Support'));
    t.same(log.events, ['sent', 'failed STATUS 439'], 'once');
    t.end();
  });
  t.test('another registrar that a 3xx names, where that may be followed', (t) => {
    const moved = (to: string): Parameters<typeof responseTo>[3] => ({ headers: [`Contact: <${to}>`] });
    const same = bed({ signalling: { ...PLAIN_SIGNALLING, maxRedirects: 2 } });
    same.agent.register(60, same.log);
    const challenge = (nonce: string) => ({ headers: [`WWW-Authenticate: Digest realm="r", nonce="${nonce}"`] });
    const steps: [number, Parameters<typeof responseTo>[3]][] = [
      [401, challenge('a')],
      [302, moved('sip:192.0.2.3:5071')],
      [401, challenge('b')],
    ];
    for (const [status, parts] of steps)
      same.virtual.receive(responseTo(same.virtual.take('REGISTER'), status, 'X', parts));
    const known = same.virtual.take('REGISTER sip:192.0.2.3:5071');
    t.match(headerOf(known, 'Authorization'), /nonce="b"/, 'the same realm after a redirect has refused nothing');
    const { virtual, log, agent } = bed({ signalling: { ...PLAIN_SIGNALLING, maxRedirects: 2 } });
    agent.register(60, log);
    const first = virtual.take('REGISTER sip:192.0.2.2:5070');
    virtual.receive(responseTo(first, 302, 'Moved Temporarily', moved('sip:192.0.2.3:5071')));
    t.same([virtual.sent[0]?.address, virtual.sent[0]?.port], ['192.0.2.3', 5071]);
    const second = virtual.take('REGISTER sip:192.0.2.3:5071 SIP/2.0');
    t.equal(headerOf(second, 'Call-ID'), headerOf(first, 'Call-ID'));
    t.equal(headerOf(second, 'CSeq'), '2 REGISTER');
    virtual.receive(responseTo(second, 200, 'OK'));
    virtual.advanceUntilSent(55_000);
    const refresh = virtual.take('REGISTER sip:192.0.2.3:5071 SIP/2.0');
    virtual.receive(responseTo(refresh, 301, 'Moved Permanently', moved('sip:192.0.2.3:5071')));
    t.same(log.events, ['sent', 'registered 60', 'failed STATUS 301'], 'a loop');
    const stays = bed();
    stays.agent.register(60, stays.log);
    stays.virtual.receive(responseTo(stays.virtual.take('REGISTER'), 302, 'Moved', moved('sip:192.0.2.3')));
    t.same(stays.log.events, ['sent', 'failed STATUS 302'], 'not followed unless asked for');
    const forbidden = new VirtualEngine({ mayReach: (address) => address !== '192.0.2.3' });
    const told = new RegistrationLog();
    forbidden.agent({ signalling: { ...PLAIN_SIGNALLING, maxRedirects: 1 } }).register(60, told);
    forbidden.receive(responseTo(forbidden.take('REGISTER'), 302, 'Moved', moved('sip:192.0.2.3')));
    t.same(told.events, ['sent', 'failed STATUS 302']);
    t.match(told.failures[0]?.reason, /policy of this host forbids/);
    t.equal(forbidden.sent.length, 0);
    t.end();
  });
  t.test('Path and GRUUs (RFC 3327, RFC 5627) change nothing', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    const contact =
      'Contact: <sip:alice@192.0.2.1:5060>;pub-gruu="sip:alice@example.net;gr=urn:uuid:f81d4fae";temp-gruu="sip:tgruu.7hs==jd7vnzga5w7fajsc7-ajd6fabz0f8g5@example.net;gr";+sip.instance="<urn:uuid:f81d4fae>";expires=42';
    const headers = ['Path: <sip:p1.example.net;lr>, <sip:p2.example.net;lr>', contact];
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK', { headers }));
    t.same(log.events, ['sent', 'registered 42']);
    t.equal(agent.contactUri, 'sip:alice@192.0.2.1:5060');
    agent.invite('sip:bob@192.0.2.2', SDP(), new CallLog());
    t.equal(headerOf(virtual.take('INVITE'), 'Route'), '');
    t.end();
  });
  t.test('Service-Route (RFC 3608) leads later requests, but not REGISTER', (t) => {
    const { virtual, log, agent } = bed({ routeSet: ['<sip:192.0.2.7;lr>'] });
    agent.register(60, log);
    const grant = (...headers: string[]): void => {
      const refresh = virtual.take('REGISTER');
      t.equal(headerOf(refresh, 'Route'), '<sip:192.0.2.7;lr>');
      virtual.receive(responseTo(refresh, 200, 'OK', { headers }));
    };
    const routeOfInvite = (): string => {
      const call = agent.invite('sip:bob@192.0.2.2', SDP(), new CallLog());
      const invite = virtual.take('INVITE');
      virtual.receive(responseTo(invite, 486, 'Busy'));
      virtual.take('ACK');
      call.hangUp();
      return headerOf(invite, 'Route');
    };
    grant('Service-Route: <sip:orig@192.0.2.8;lr>,', 'Service-Route: "S" <sip:192.0.2.9;lr>');
    t.equal(routeOfInvite(), '<sip:192.0.2.7;lr>, <sip:orig@192.0.2.8;lr>, "S" <sip:192.0.2.9;lr>');
    virtual.advanceUntilSent(55_000);
    grant('Service-Route: <sip:other.example;lr>, nonsense');
    t.equal(routeOfInvite(), '<sip:192.0.2.7;lr>', 'a way that cannot be read is none');
    virtual.advanceUntilSent(55_000);
    grant('Service-Route: <sip:192.0.2.8;lr>');
    t.equal(routeOfInvite(), '<sip:192.0.2.7;lr>, <sip:192.0.2.8;lr>');
    virtual.advanceUntilSent(55_000);
    grant();
    t.equal(routeOfInvite(), '<sip:192.0.2.7;lr>', 'each 2xx replaces what was said before');
    virtual.advanceUntilSent(55_000);
    grant('Service-Route: <sip:192.0.2.8;lr>');
    agent.unregister();
    grant('Service-Route: <sip:192.0.2.8;lr>');
    agent.register(60, log);
    grant();
    t.end();
  });
  t.end();
});

t.test('Contact names the transport of REGISTER, whatever the last call spoke', (t) => {
  const { virtual } = new VirtualStreams();
  const agent = virtual.agent();
  agent.register(60, new RegistrationLog());
  const register = virtual.take('REGISTER');
  const contact = headerOf(register, 'Contact');
  virtual.receive(responseTo(register, 200, 'OK', { contact }));
  agent.invite('sip:bob@192.0.2.2;transport=tcp', SDP(), new CallLog());
  virtual.advanceUntilSent(60_000);
  t.equal(headerOf(virtual.take('REGISTER'), 'Contact'), contact);
  t.end();
});

t.test('423 Interval Too Brief', (t) => {
  const { virtual, log, agent } = bed();
  agent.register(30, log);
  virtual.receive(responseTo(virtual.take('REGISTER'), 423, 'Interval Too Brief', { headers: ['Min-Expires: 120'] }));
  const again = virtual.take('REGISTER');
  t.equal(headerOf(again, 'Expires'), '120');
  virtual.receive(responseTo(again, 423, 'Interval Too Brief', { headers: ['Min-Expires: 120'] }));
  t.same(log.events, ['sent', 'failed STATUS 423']);
  t.match(log.failures[0]?.reason, /Min-Expires 120 is not more/);
  const greedy = bed();
  greedy.agent.register(30, greedy.log);
  let asked = 0;
  for (; asked < 20 && greedy.log.failures.length === 0; asked++) {
    const headers = [`Min-Expires: ${120 + asked}`];
    greedy.virtual.receive(responseTo(greedy.virtual.take('REGISTER'), 423, 'Interval Too Brief', { headers }));
  }
  t.equal(asked, 6, 'a minimum that grows each time is believed five times');
  t.match(greedy.log.failures[0]?.reason, /too brief 6 times/);
  t.end();
});

t.test('registrations that cannot be sent', (t) => {
  const rows: [object, string, RegExp][] = [
    [
      { registrarUri: 'sip:pbx.example' },
      'failed TRANSPORT null',
      /cannot resolve pbx\.example: give an outbound proxy or a numeric address/,
    ],
    [{ registrarUri: null }, 'failed TRANSPORT null', /no registrar/],
    [{ registrarUri: 'sips:192.0.2.2;transport=udp' }, 'failed TRANSPORT null', /udp/],
    [{ registrarUri: 'sip:192.0.2.2;transport=sctp' }, 'failed TRANSPORT null', /sctp/],
  ];
  for (const [options, event, reason] of rows) {
    const { virtual, log, agent } = bed(options);
    agent.register(60, log);
    t.same(log.events, [], 'nothing is told before the call returns');
    virtual.advance(1);
    t.same(log.events, [event]);
    t.match(log.failures[0]?.reason, reason);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
  }
  const named = bed({ registrarUri: 'sip:pbx.example', nextHop: [{ transport: 'UDP', ...PEER }] });
  named.agent.register(60, named.log);
  t.equal(named.virtual.sent[0]?.address, PEER.address, 'a name with an outbound proxy can');
  const forbidden = new VirtualEngine({ mayReach: () => false });
  const log = new RegistrationLog();
  forbidden.agent().register(60, log);
  forbidden.advance(1);
  t.same(
    [log.events, forbidden.sent.length, forbidden.engine.counters.refusedByPolicy],
    [['failed POLICY null'], 0, 1],
  );
  t.match(log.failures[0]?.reason, /policy forbids 192\.0\.2\.2/);
  t.end();
});

t.test('where the policy has become narrower a binding may be removed, not made or refreshed', (t) => {
  const policy = { isNarrow: false };
  const virtual = new VirtualEngine({ mayReach: () => !policy.isNarrow, mayLeave: () => true });
  const agents = [0, 1].map((i) => virtual.agent({ contactUser: `u${i}` }));
  const logs = [new RegistrationLog(), new RegistrationLog()] as const;
  agents[0]?.register(300, logs[0]);
  virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK', { headers: ['Expires: 30'] }));
  policy.isNarrow = true;
  agents[1]?.register(300, logs[1]);
  virtual.advance(29_000);
  t.equal(virtual.sent.length, 0);
  t.match(logs[1].events.at(-1), /POLICY/);
  agents[0]?.unregister();
  virtual.advance(1);
  t.equal(headerOf(virtual.take('REGISTER'), 'Expires'), '0');
  t.end();
});
