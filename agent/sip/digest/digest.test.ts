/** Digest computation: the RFCs' vectors, and challenges as servers write them. In conversation: sip-registration, sip-caller. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { wireText } from '../message/wire-text.ts';
import { type Challenge, nextNonce, parseChallenge, parseChallenges } from './challenge.ts';
import { digestResponse, usernameHash } from './response.ts';

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
  t.equal(
    usernameHash(challenge, wireText('J\u00e4s\u00f8n Doe')),
    '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
    'userhash',
  );
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

t.test('vector of RFC 2617, 3.5, and of RFC 2069, 2.4 with its erratum', (t) => {
  const common = { username: 'Mufasa', method: 'GET', uri: '/dir/index.html', body: '' };
  const realm = 'realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"';
  const opaque = 'opaque="5ccc069c403ebaf9f0171e9517f40e41"';
  t.equal(
    digestResponse({
      ...common,
      password: 'Circle Of Life',
      challenge: challengeOf(`Digest ${realm}, qop="auth,auth-int", ${opaque}`),
      cnonce: '0a4f113b',
      nonceCount: '00000001',
    }),
    '6629fae49393a05397450978507c4ef1',
  );
  t.equal(
    digestResponse({
      ...common,
      password: 'CircleOfLife',
      challenge: challengeOf(`Digest ${realm}, ${opaque}`),
      cnonce: '',
      nonceCount: '00000001',
    }),
    '1949323746fe6a43ef61f9606e7febea',
  );
  t.end();
});

t.test('RFC 8760: response and algorithm of each hash', (t) => {
  for (const [algorithm, length] of [
    ['MD5', 32],
    ['SHA-256', 64],
    ['SHA-512-256', 64],
    ['MD5-sess', 32],
    ['SHA-256-sess', 64],
    ['SHA-512-256-sess', 64],
  ] as const) {
    const challenge = challengeOf(`Digest realm="r", nonce="n", qop="auth", algorithm=${algorithm}`);
    const response = digestResponse({
      challenge,
      username: 'bob',
      password: 'zanzibar',
      method: 'REGISTER',
      uri: 'sip:example.com',
      body: '',
      cnonce: 'c',
      nonceCount: '00000001',
    });
    t.match(response, new RegExp(`^[0-9a-f]{${length}}$`), algorithm);
    t.equal(challenge.algorithmText, algorithm);
  }
  t.end();
});

t.test('several challenges in one line are told apart', (t) => {
  const realms = (line: string): string[] =>
    parseChallenges(line).map((one) => (typeof one === 'string' ? one : `${one.realm} ${one.algorithm}`));
  t.same(realms('Digest realm="a", nonce="1"'), ['a MD5']);
  t.same(realms('Digest realm="a", nonce="1", algorithm=SHA-256,Digest nonce="2" , realm = "b"'), [
    'a SHA-256',
    'b MD5',
  ]);
  t.same(realms('Digest realm="x, Digest realm=y", nonce="1"'), ['x, Digest realm=y MD5'], 'not within quotes');
  t.same(realms('Digest realm=a,nonce=1,qop=auth,auth-int'), ['a MD5'], 'a list without its quotes');
  t.same(realms('Digest realm = "a", nonce = "1"'), ['a MD5'], 'space round the equals sign');
  t.match(realms('Basic realm="b", Digest realm="a", nonce="1"'), [/"Basic" is not supported/, 'a MD5']);
  t.match(realms(''), [/scheme "" is not supported/]);
  t.end();
});

t.test('a challenge says the same whatever challenge was read before it', (t) => {
  const line = fc
    .record({
      head: fc.constantFrom(
        'Digest realm="a, b", ',
        'Digest realm="nonce=\\"x\\"", ',
        'digest ',
        'Digest realm="a",nonce=x, ',
        'Digest xnonce="1", realm="a", ',
      ),
      name: fc.constantFrom('nonce="', 'NONCE="', 'nonce = "', 'nonce='),
      nonce: fc.constantFrom('abc', 'a+/=', 'abcdefghijklmnopqrstuvwxyz', '', 'a\\"b', 'a, b', 'a\r\n b', 'a"b'),
      tail: fc.constantFrom(
        '"',
        '", qop="auth"',
        '", qop="auth", stale=TRUE',
        '", realm="c"',
        '',
        '", Digest realm="d", nonce="e"',
      ),
    })
    .map(({ head, name, nonce, tail }) => head + name + nonce + tail);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
      const found = lines.map((one) => JSON.stringify(parseChallenges(one)));
      const alone = lines.map((one) => {
        // None of them is in the cache now.
        parseChallenges('Digest realm="nobody", nonce="0"');
        return JSON.stringify(parseChallenges(one));
      });
      return found.join() === alone.join();
    }),
    { numRuns: 3000 },
  );
  t.end();
});

t.test('nextnonce is read from Authentication-Info', (t) => {
  t.equal(nextNonce('nextnonce="a, b", qop=auth'), 'a, b');
  t.equal(nextNonce('qop=auth, NextNonce=x'), 'x');
  t.equal(nextNonce('qop=auth, nextnonce=""'), null);
  t.equal(nextNonce('qop=auth'), null);
  t.end();
});

t.test('no challenge makes the reader throw, and what we can read is whole', (t) => {
  const piece = fc.constantFrom(
    'Digest',
    ' ',
    'realm',
    'nonce',
    '=',
    '"',
    ',',
    '\\',
    'qop',
    'auth',
    'stale',
    'true',
    '\r\n ',
    '<',
    '\xff',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      for (const challenge of parseChallenges(pieces.join(''))) {
        if (typeof challenge === 'string') continue;
        if (typeof challenge.realm !== 'string' || typeof challenge.nonce !== 'string') throw new Error('not whole');
      }
    }),
    { numRuns: 2000 },
  );
  t.end();
});
