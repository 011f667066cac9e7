/** OPTIONS outside of dialogs (RFC 3261, 11), as client and as server, on virtual time. */
import t from 'tap';
import { isAuthorized } from '../../testing/sip/registrar.ts';
import { headerOf, LOCAL, PEER, responseTo, tagOf, VirtualEngine } from '../../testing/sip/virtual.ts';
import type { PingEvents, SipFailure, SipTarget } from '../engine.ts';

const TARGET = `sip:bob@${PEER.address}:${PEER.port}`;

class PingLog implements PingEvents {
  readonly events: string[] = [];
  onPingSent(atMs: number): void {
    this.events.push(`sent ${atMs}`);
  }
  onPingAnswered(status: number, reason: string, atMs: number): void {
    this.events.push(`${status} ${reason} ${atMs}`);
  }
  onPingFailed({ kind, reason, atMs }: SipFailure): void {
    this.events.push(`${kind} ${reason} ${atMs}`);
  }
  onFailover(method: string, _from: SipTarget, to: SipTarget): void {
    this.events.push(`${method} to ${to.address}`);
  }
}

const DIGEST = ['WWW-Authenticate: Digest realm="pbx", nonce="n1", algorithm=SHA-256, qop="auth"'];

t.test('any answer counts: the request, the status, the time', async (t) => {
  for (const status of [200, 302, 404, 405, 486, 503, 603]) {
    const virtual = new VirtualEngine();
    const log = new PingLog();
    virtual.agent().ping(TARGET, log);
    t.same(log.events, [], 'told later');
    const request = virtual.take(`OPTIONS ${TARGET} SIP/2.0`);
    t.equal(headerOf(request, 'To'), `<${TARGET}>`);
    t.equal(headerOf(request, 'Contact'), `<sip:alice@${LOCAL.address}:${LOCAL.port}>`);
    t.equal(headerOf(request, 'Accept'), 'application/sdp');
    t.equal(headerOf(request, 'CSeq'), '1 OPTIONS');
    t.equal(headerOf(request, 'Max-Forwards'), '70');
    t.not(tagOf(headerOf(request, 'From')), '');
    virtual.advance(7);
    virtual.receive(responseTo(request, 100, 'Trying'));
    virtual.receive(responseTo(request, status, 'So'));
    virtual.receive(responseTo(request, status, 'So'));
    virtual.advance(40_000);
    t.same(log.events, ['sent 1000', `${status} So 1007`]);
    t.same(virtual.sent, []);
    t.equal(virtual.engine.busy, false, 'nothing is left of it');
  }
});

t.test('a challenge is answered once; without credentials it is the answer', async (t) => {
  const virtual = new VirtualEngine();
  const log = new PingLog();
  virtual.agent().ping(TARGET, log);
  const first = virtual.take('OPTIONS');
  virtual.receive(responseTo(first, 401, 'Unauthorized', { headers: DIGEST }));
  const second = virtual.take('OPTIONS');
  t.ok(isAuthorized(second, 'Authorization', 'alice', 'secret'));
  t.equal(headerOf(second, 'CSeq'), '2 OPTIONS');
  t.equal(headerOf(second, 'Call-ID'), headerOf(first, 'Call-ID'));
  virtual.receive(responseTo(second, 401, 'Not you', { headers: DIGEST }));
  t.same(log.events, ['sent 1000', '401 Not you 1000']);

  const stranger = new PingLog();
  virtual.agent({ contactUser: 'bob', credentials: null }).ping(TARGET, stranger);
  virtual.receive(responseTo(virtual.take('OPTIONS'), 407, 'Who', { headers: DIGEST }));
  t.same(stranger.events, ['sent 1000', '407 Who 1000']);
});

t.test('silence: re-sent as timer E has it, until timer F', async (t) => {
  const virtual = new VirtualEngine();
  const log = new PingLog();
  virtual.agent().ping(TARGET, log);
  virtual.advance(32_100);
  t.same(
    virtual.sent.map(({ atMs }) => atMs - 1000),
    [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500],
  );
  t.match(log.events, ['sent 1000', /^TIMEOUT .* 33000$/]);
  t.equal(log.events.length, 2);
});

t.test('several servers: one that fails, then the next', async (t) => {
  const virtual = new VirtualEngine({
    locator: {
      locate: (_uri, done) =>
        done(['192.0.2.8', '192.0.2.9'].map((address) => ({ transport: 'UDP', address, port: 5060 }))),
    },
  });
  const log = new PingLog();
  virtual.agent().ping('sip:pbx.example', log);
  virtual.receive(responseTo(virtual.take('OPTIONS sip:pbx.example'), 503, 'No'));
  const [again] = virtual.sent;
  t.equal(again?.address, '192.0.2.9');
  virtual.receive(responseTo(virtual.take('OPTIONS sip:pbx.example'), 200, 'OK'));
  t.same(log.events, ['sent 1000', 'OPTIONS to 192.0.2.9', '200 OK 1000']);
});

t.test('what cannot be sent is told with the next turn', async (t) => {
  const refused = new VirtualEngine({ mayReach: () => false });
  const log = new PingLog();
  refused.agent().ping(TARGET, log);
  t.same(log.events, []);
  refused.advance(1);
  t.match(log.events, [/^POLICY the host's policy forbids 192\.0\.2\.2/]);

  const virtual = new VirtualEngine();
  const odd = new PingLog();
  virtual.agent().ping('mailto:bob@example.net', odd);
  virtual.advance(1);
  t.match(odd.events, [/^TRANSPORT not a SIP URI/]);
  t.equal(virtual.engine.busy, false);
});

t.test('a closed ping reports nothing; one that is open when the engine closes reports its end', async (t) => {
  const virtual = new VirtualEngine();
  const logs = [new PingLog(), new PingLog()] as const;
  const [closing, staying] = [virtual.agent(), virtual.agent({ contactUser: 'bob' })];
  closing.ping(TARGET, logs[0]);
  staying.ping(TARGET, logs[1]);
  const request = virtual.take('OPTIONS');
  closing.close();
  virtual.receive(responseTo(request, 200, 'OK'));
  virtual.engine.close();
  t.same(logs[0].events.slice(1), []);
  t.same(logs[1].events.slice(1), ['TRANSPORT the engine was closed 1000']);
});

t.test('asked ourselves: what an INVITE would be answered with (11.2)', async (t) => {
  const taken: string[] = [];
  const virtual: VirtualEngine = new VirtualEngine({
    onUnclaimedCall: (uri) => {
      taken.push(uri);
      return uri.includes('+33') ? trunk : null;
    },
  });
  const trunk = virtual.agent();
  const ask = (user: string): string => {
    const uri = `sip:${user}${LOCAL.address}`;
    virtual.receive(
      `OPTIONS ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP ${PEER.address}:${PEER.port};branch=z9hG4bK${user.length}\r\nMax-Forwards: 70\r\nFrom: <sip:p@h>;tag=1\r\nTo: <${uri}>\r\nCall-ID: c${user}\r\nCSeq: 1 OPTIONS\r\nSubject: ${'x'.repeat(260)}\r\nContent-Length: 0\r\n\r\n`,
    );
    return virtual.take('SIP/2.0');
  };
  virtual.agent({ contactUser: 'busy', isBusy: () => true });
  t.match(ask('busy@'), /^SIP\/2\.0 486 Busy Here/);
  for (const user of ['alice@', '+33612345678@', '']) {
    const response = ask(user);
    t.match(response, /^SIP\/2\.0 200 OK/, user);
    for (const name of ['Allow', 'Accept', 'Accept-Encoding', 'Accept-Language', 'Supported'])
      t.match(response, new RegExp(`^${name}:`, 'm'), name);
  }
  t.match(ask('nobody@'), /^SIP\/2\.0 404 /);
  t.same(taken, [`sip:+33612345678@${LOCAL.address}`, `sip:nobody@${LOCAL.address}`]);
});
