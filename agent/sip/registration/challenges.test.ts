/** What a registrar demands: every kind of digest, several challenges, an HA1 in place of the password. */
import { hash } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { digestFields, isAuthorized } from '../../testing/sip/registrar.ts';
import { bed } from '../../testing/sip/registration-bed.ts';
import { branchOf, headerOf, responseTo, tagOf } from '../../testing/sip/virtual.ts';

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
          responseTo(first, status, 'Unauthorized', { headers: [`${name}: Digest ${fields.join(', ')}`] }),
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
  t.test('a proxy, then a registrar', (t) => {
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
  t.test('several of them in one line', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    const line =
      'WWW-Authenticate: Digest realm="a, Digest x=1", nonce="1", algorithm=SHA-3, Digest realm="a, Digest x=1", nonce="2",\r\n algorithm=SHA-512-256, qop="auth,auth-int", Basic realm="b"';
    virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'No', { headers: [line] }));
    const again = virtual.take('REGISTER');
    t.match(headerOf(again, 'Authorization'), /nonce="2".*algorithm=SHA-512-256/);
    t.ok(isAuthorized(again, 'Authorization', 'alice', 'secret'));
    t.end();
  });
  t.test('a server with a new realm each time is left', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(300, log);
    let rounds = 0;
    for (; log.failures.length === 0 && rounds < 20; rounds++) {
      const headers = [`WWW-Authenticate: Digest realm="r${rounds}", nonce="n"`];
      virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers }));
    }
    t.same([log.events, rounds], [['sent', 'failed STATUS 401'], 6]);
    t.end();
  });
  t.test('nextnonce is used for the next request, counted from one', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    const headers = ['WWW-Authenticate: Digest realm="r", nonce="1", qop="auth"'];
    virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers }));
    const info = ['Authentication-Info: qop=auth, rspauth="00", cnonce="x", nc=00000001, nextnonce="2, or so"'];
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK', { headers: info }));
    virtual.advanceUntilSent(55_000);
    const refresh = virtual.take('REGISTER');
    t.match(headerOf(refresh, 'Authorization'), /nonce="2, or so".*nc=00000001/);
    t.ok(isAuthorized(refresh, 'Authorization', 'alice', 'secret'));
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

t.test('an HA1 in the place of the password (RFC 7616, 3.4.2)', (t) => {
  const hashOf = (algorithm: string) => hash(algorithm, 'alice:pbx:secret', 'hex');
  const rows: [string, string, string | null][] = [
    ['md5', 'MD5', null],
    ['md5', 'MD5-sess', null],
    ['sha256', 'SHA-256', null],
    ['md5', 'SHA-256', 'the server asks for SHA-256, but the HA1 of 32 digits is for another algorithm'],
    ['sha256', 'MD5', 'the server asks for MD5, but the HA1 of 64 digits is for another algorithm'],
  ];
  for (const [of, algorithm, problem] of rows) {
    const credentials = { username: 'alice', password: new Secret(''), ha1: new Secret(hashOf(of).toUpperCase()) };
    const { virtual, log, agent } = bed({ credentials });
    agent.register(300, log);
    const challenge = `WWW-Authenticate: Digest realm="pbx", nonce="n1", qop="auth", algorithm=${algorithm}`;
    virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers: [challenge] }));
    if (problem === null) t.ok(isAuthorized(virtual.take('REGISTER'), 'Authorization', 'alice', 'secret'), algorithm);
    else t.match(log.failures[0]?.reason, problem);
  }
  const both = ['SHA-256', 'MD5'].map(
    (algorithm) => `WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=${algorithm}`,
  );
  const { virtual, log, agent } = bed({
    credentials: { username: 'alice', password: new Secret(''), ha1: new Secret(hashOf('md5')) },
  });
  agent.register(300, log);
  virtual.receive(responseTo(virtual.take('REGISTER'), 401, 'Unauthorized', { headers: both }));
  t.match(
    headerOf(virtual.take('REGISTER'), 'Authorization'),
    'algorithm=MD5',
    'of several challenges the one that it is of',
  );
  t.end();
});
