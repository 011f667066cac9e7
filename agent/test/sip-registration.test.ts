import t from 'tap';
import { type Challenge, parseChallenge } from '../sip/digest/challenge.ts';
import { digestResponse } from '../sip/digest/response.ts';
import { wireText } from '../sip/message/wire-text.ts';
import { refreshDelayMs } from '../sip/registration/granted-expires.ts';
import { digestFields, isAuthorized } from './sip-registrar.ts';
import { branchOf, headerOf, PEER, RegistrationLog, responseTo, tagOf, VirtualEngine } from './sip-virtual.ts';

const challengeOf = (value: string): Challenge => {
  const challenge = parseChallenge(value);
  if (typeof challenge === 'string') throw new Error(challenge);
  return challenge;
};

t.test('vectors of RFC 7616, 3.9.1, and 3.9.2 with erratum 4897', (t) => {
  const mufasa = {
    username: 'Mufasa',
    password: 'Circle of Life',
    method: 'GET',
    uri: '/dir/index.html',
    body: '',
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    nonceCount: '00000001',
  };
  const realm =
    'realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"';
  const rows: [string, string][] = [
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ];
  for (const [algorithm, expected] of rows) {
    const challenge = challengeOf(`Digest ${realm}, algorithm=${algorithm}, opaque="FQhe"`);
    t.equal(digestResponse({ ...mufasa, challenge }), expected, algorithm);
  }
  const challenge = challengeOf(
    'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", charset=UTF-8',
  );
  const response = digestResponse({
    challenge,
    username: wireText('J\u00e4s\u00f8n Doe'),
    password: 'Secret, or not?',
    method: 'GET',
    uri: '/doe.json',
    body: '',
    cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
    nonceCount: '00000001',
  });
  t.equal(response, '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5', 'SHA-512-256');
  t.end();
});

t.test('challenges are read as servers write them', (t) => {
  t.match(challengeOf('DIGEST Realm = "a, \\"b\\"" ,nonce=abc,algorithm="md5",stale=TRUE,qop=auth'), {
    realm: 'a, "b"',
    nonce: 'abc',
    algorithm: 'MD5',
    algorithmText: 'md5',
    stale: true,
    qop: 'auth',
  });
  t.match(challengeOf('Digest realm="", nonce="x", algorithm=SHA-256-sess, qop="auth-int"'), {
    session: true,
    qop: 'auth-int',
  });
  t.match(challengeOf('Digest realm="x", nonce="y"'), { algorithm: 'MD5', algorithmText: null, qop: null });
  t.match(parseChallenge('Digest realm="x", nonce="y", algorithm=SHA-3'), /algorithm "SHA-3" is not supported/);
  t.match(parseChallenge('Digest realm="x", nonce="y", algorithm=constructor'), /not supported/);
  t.match(parseChallenge('Basic realm="x"'), /scheme "Basic" is not supported/);
  t.match(parseChallenge('Digest realm="x"'), /no nonce/);
  t.match(parseChallenge('Digest realm="x", nonce="y", qop="token"'), /qop "token" is not supported/);
  t.end();
});

type Bed = { virtual: VirtualEngine; log: RegistrationLog; agent: ReturnType<VirtualEngine['agent']> };

function bed(options: Parameters<VirtualEngine['agent']>[0] = {}): Bed {
  const virtual = new VirtualEngine();
  return { virtual, log: new RegistrationLog(), agent: virtual.agent(options) };
}

t.test('REGISTER with every kind of digest', (t) => {
  for (const status of [401, 407]) {
    for (const algorithm of [null, 'MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess', 'SHA-512-256', 'SHA-512-256-sess']) {
      for (const qop of [null, 'auth', 'auth-int', 'auth-int,auth']) {
        const what = `${status} ${algorithm} ${qop}`;
        const { virtual, log, agent } = bed();
        agent.register(300, log);
        const first = virtual.take('REGISTER sip:192.0.2.2:5070 SIP/2.0');
        t.equal(headerOf(first, 'Contact'), '<sip:alice@192.0.2.1:5060>;expires=300');
        t.equal(headerOf(first, 'Expires'), '300');
        const fields = ['realm="pbx"', 'nonce="n1"', 'opaque="o\\\\p"'];
        if (algorithm !== null) fields.push(`algorithm=${algorithm}`);
        if (qop !== null) fields.push(`qop="${qop}"`);
        const name = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate';
        virtual.receive(
          responseTo(first, status, 'Who are you', { headers: [`${name}: Digest ${fields.join(', ')}`] }),
        );
        const second = virtual.take('REGISTER');
        const header = status === 401 ? 'Authorization' : 'Proxy-Authorization';
        t.ok(isAuthorized(second, header, 'alice', 'secret'), what);
        const value = headerOf(second, header);
        if (qop !== null) t.match(value, /, qop=auth(-int)?, nc=00000001, cnonce="/, 'qop and nc without quotes');
        if (algorithm !== null) t.match(value, new RegExp(`, algorithm=${algorithm}[,\r]`), 'algorithm without quotes');
        t.equal(headerOf(second, 'Call-ID'), headerOf(first, 'Call-ID'));
        t.equal(headerOf(second, 'From'), headerOf(first, 'From'));
        t.equal(headerOf(second, 'CSeq'), '2 REGISTER');
        t.not(branchOf(second), branchOf(first));
        t.equal(tagOf(headerOf(second, 'To')), '');
        virtual.receive(responseTo(second, 200, 'OK', { headers: ['Expires: 120'] }));
        t.same(log.events, ['sent', 'registered 120'], what);
      }
    }
  }
  t.end();
});

t.test('several challenges', (t) => {
  t.test('the topmost that is supported, one a realm', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    const headers = [
      'WWW-Authenticate: Digest realm="a", nonce="1", algorithm=SHA-3',
      'WWW-Authenticate: Digest realm="a", nonce="2", algorithm=SHA-256, qop="auth"',
      'WWW-Authenticate: Digest realm="a", nonce="3", algorithm=MD5',
      'WWW-Authenticate: Digest realm="b", nonce="4", algorithm=MD5',
    ];
    virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'No', { headers }));
    const again = virtual.take('REGISTER');
    const answers = [...again.matchAll(/^Authorization: (.*)$/gm)].map((match) => digestFields(match[1] as string));
    t.same(
      answers.map((fields) => [fields.get('realm'), fields.get('nonce'), fields.get('algorithm')]),
      [
        ['a', '2', 'SHA-256'],
        ['b', '4', 'MD5'],
      ],
    );
    t.end();
  });
  t.test('a proxy and a registrar, one behind the other', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    virtual.receive(
      responseTo(virtual.take('REGISTER'), 407, 'Proxy', {
        headers: ['Proxy-Authenticate: Digest realm="p", nonce="1"'],
      }),
    );
    virtual.receive(
      responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', {
        headers: ['WWW-Authenticate: Digest realm="r", nonce="2"'],
      }),
    );
    const third = virtual.take('REGISTER');
    t.ok(isAuthorized(third, 'Proxy-Authorization', 'alice', 'secret'));
    t.ok(isAuthorized(third, 'Authorization', 'alice', 'secret'));
    virtual.receive(responseTo(third, 200, 'OK'));
    t.same(log.events, ['sent', 'registered 300']);
    t.end();
  });
  t.test('the same realm refusing again without stale ends it; with stale it goes on', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    const challenge = (nonce: string, more = ''): string[] => [
      `WWW-Authenticate: Digest realm="r", nonce="${nonce}", qop="auth"${more}`,
    ];
    virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers: challenge('1') }));
    virtual.receive(
      responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers: challenge('2', ', stale=true') }),
    );
    const third = virtual.take('REGISTER');
    t.match(headerOf(third, 'Authorization'), /nonce="2".*nc=00000001/);
    virtual.receive(responseTo(third, 401, 'Unauthorized', { headers: challenge('3') }));
    t.same(log.events, ['sent', 'failed STATUS 401']);
    t.match(log.failures[0]?.reason, /realm "r" refused the credentials/);
    t.equal(virtual.sent.length, 0);
    t.end();
  });
  t.test('a server that calls everything stale is left', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    for (let i = 0; log.failures.length === 0 && i < 20; i++) {
      const headers = [`WWW-Authenticate: Digest realm="r", nonce="${i}", stale=true`];
      virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers }));
    }
    t.same(log.events, ['sent', 'failed STATUS 401']);
    t.end();
  });
  t.test('what cannot be answered fails clearly, and says nothing of the password', (t) => {
    const rows: [string[], object | null, RegExp][] = [
      [['WWW-Authenticate: Digest realm="r", nonce="1", algorithm=SHA-3'], {}, /algorithm "SHA-3" is not supported/],
      [['WWW-Authenticate: Bearer realm="r"'], {}, /scheme "Bearer"/],
      [[], {}, /without a challenge/],
      [['WWW-Authenticate: Digest realm="r", nonce="1"'], { credentials: null }, /has none/],
    ];
    for (const [headers, options, reason] of rows) {
      const { virtual, log, agent } = bed(options ?? {});
      agent.register(300, log);
      virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers }));
      t.same(log.events, ['sent', 'failed STATUS 401']);
      t.match(log.failures[0]?.reason, reason);
      t.notMatch(log.failures[0]?.reason, /secret/);
    }
    t.end();
  });
  t.end();
});

t.test('how long a binding lasts', (t) => {
  const rows: [string, string[], string][] = [
    [
      'our own Contact',
      [
        'Contact: <sip:other@192.0.2.9>;expires=7',
        'Contact: "me" <sip:alice@192.0.2.1:5060;ob>;expires=90;q=1',
        'Expires: 50',
      ],
      '90',
    ],
    ['in a list', ['Contact: <sip:x@y>;expires=1, <sip:alice@192.0.2.1>;expires=91'], '91'],
    ['Expires', ['Contact: <sip:alice@192.0.2.1:5060>', 'Expires: 50'], '50'],
    ['what was asked', [], '300'],
  ];
  for (const [what, headers, expected] of rows) {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK', { headers }));
    t.same(log.events, ['sent', `registered ${expected}`], what);
  }
  const { virtual, log, agent } = bed();
  agent.register(300, log);
  virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK', { headers: ['Expires: 0'] }));
  t.same(log.events, ['sent', 'failed PROTOCOL 200'], 'nothing granted');
  t.end();
});

t.test('refresh', (t) => {
  for (const seconds of [1, 5, 10, 60, 3600, 86_400]) {
    const [earliest, latest] = [refreshDelayMs(seconds, 0) / 1000, refreshDelayMs(seconds, 1) / 1000];
    t.ok(earliest >= seconds / 2 && latest < seconds, `${seconds} s: after ${earliest} to ${latest} s`);
    if (seconds >= 10) t.ok(latest <= seconds - 5);
  }
  t.test('comes before the end, with the same Call-ID and the nonce used on', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    const first = virtual.take('REGISTER');
    virtual.receive(
      responseTo(first, 401, 'No', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"'] }),
    );
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    for (let nc = 2; nc < 5; nc++) {
      virtual.advanceUntilSent(55_000);
      const refresh = virtual.take('REGISTER');
      t.equal(headerOf(refresh, 'Call-ID'), headerOf(first, 'Call-ID'));
      t.equal(headerOf(refresh, 'CSeq'), `${nc + 1} REGISTER`);
      t.match(headerOf(refresh, 'Authorization'), new RegExp(`nc=0000000${nc}`));
      t.ok(isAuthorized(refresh, 'Authorization', 'alice', 'secret'));
      virtual.receive(responseTo(refresh, 200, 'OK'));
    }
    t.same(log.events, ['sent', 'registered 60'], 'told once');
    virtual.advanceUntilSent(55_000);
    virtual.receive(
      responseTo(virtual.take('REGISTER'), 401, 'No', {
        headers: ['WWW-Authenticate: Digest realm="r", nonce="n2", qop="auth"'],
      }),
    );
    const renewed = virtual.take('REGISTER');
    t.match(
      headerOf(renewed, 'Authorization'),
      /nonce="n2".*nc=00000001/,
      'an old nonce refused without stale is asked for anew',
    );
    virtual.receive(responseTo(renewed, 503, 'Service Unavailable'));
    t.same(log.events.slice(2), ['failed STATUS 503'], 'a refresh that fails is told');
    t.end();
  });
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
  t.end();
});

t.test('the end of a registration', (t) => {
  t.test('un-REGISTER, with a new challenge', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    agent.unregister();
    const leave = virtual.take('REGISTER');
    t.equal(headerOf(leave, 'Contact'), '<sip:alice@192.0.2.1:5060>;expires=0');
    t.equal(headerOf(leave, 'Expires'), '0');
    virtual.receive(responseTo(leave, 401, 'No', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] }));
    const again = virtual.take('REGISTER');
    t.equal(headerOf(again, 'Expires'), '0');
    virtual.receive(responseTo(again, 200, 'OK'));
    t.same(log.events, ['sent', 'registered 60', 'unregistered']);
    virtual.advance(100_000);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false], 'no refresh comes behind it');
    agent.register(60, log);
    virtual.take('REGISTER');
    t.pass('and it may register again');
    t.end();
  });
  t.test('in the middle of a registration: behind its answer', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    const first = virtual.take('REGISTER');
    agent.unregister();
    virtual.advance(0);
    t.equal(virtual.sent.length, 0, 'one REGISTER at a time');
    virtual.receive(responseTo(first, 200, 'OK'));
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    t.same(log.events, ['sent', 'unregistered']);
    t.end();
  });
  t.test('told in any case', (t) => {
    const silent = bed();
    silent.agent.register(60, silent.log);
    silent.virtual.receive(responseTo(silent.virtual.take('REGISTER'), 200, 'OK'));
    silent.agent.unregister();
    silent.virtual.advance(33_000);
    t.same(silent.log.events.at(-1), 'unregistered', 'the registrar is silent');
    const failed = bed();
    failed.agent.register(60, failed.log);
    failed.virtual.receive(responseTo(failed.virtual.take('REGISTER'), 403, 'Forbidden'));
    failed.agent.unregister();
    failed.virtual.advance(1);
    t.same(failed.log.events, ['sent', 'failed STATUS 403', 'unregistered'], 'there is no binding');
    t.end();
  });
  t.test('closing the user agent ends it in silence', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    agent.close();
    virtual.advance(120_000);
    t.same([virtual.sent.length, virtual.engine.busy, log.events.length], [0, false, 2]);
    t.end();
  });
  t.test('closing the engine tells', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.advance(0);
    virtual.engine.close();
    t.same(log.events, ['sent', 'failed TRANSPORT null']);
    t.end();
  });
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
    [{ registrarUri: 'sips:192.0.2.2' }, 'failed TRANSPORT null', /TLS/],
    [{ registrarUri: 'sip:192.0.2.2;transport=tcp' }, 'failed TRANSPORT null', /tcp/],
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
