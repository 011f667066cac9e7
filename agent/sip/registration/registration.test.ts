import { hash } from 'node:crypto';
import { Secret } from '@carillon/proto/secret.ts';
import t from 'tap';
import { digestFields, isAuthorized } from '../../testing/sip/registrar.ts';
import {
  branchOf,
  CallLog,
  headerOf,
  PEER,
  RegistrationLog,
  responseTo,
  SDP,
  tagOf,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { VirtualStreams } from '../../testing/sip/virtual-streams.ts';
import { PLAIN_SIGNALLING } from '../engine.ts';
import { refreshDelayMs } from './granted-expires.ts';
import { retryDelayMs } from './retry.ts';

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

t.test('a first REGISTER is tried again where that was asked for', (t) => {
  const registerRetry = { afterMs: 2000, withinMs: 10_000 };
  const answer = (virtual: VirtualEngine, status: number, headers: string[] = []) => {
    const register = virtual.take('REGISTER');
    virtual.receive(responseTo(register, status, 'X', { headers }));
    return register;
  };
  t.test('after the wait, or the Retry-After that is longer, until it is granted', (t) => {
    const { virtual, log, agent } = bed({ registerRetry });
    agent.register(60, log);
    const first = answer(virtual, 503);
    const waits: number[] = [];
    for (const [status, headers] of [
      [500, ['Retry-After: 4']],
      [480, ['Retry-After: 1']],
      [200, []],
    ] as const) {
      const atMs = virtual.nowMs;
      virtual.advanceUntilSent(20_000);
      waits.push(Math.round((virtual.nowMs - atMs) / 1000));
      const again = answer(virtual, status, [...headers]);
      t.equal(headerOf(again, 'Call-ID'), headerOf(first, 'Call-ID'), 'one Call-ID (RFC 3261, 10.2)');
    }
    t.same(waits, [2, 4, 2]);
    t.same(log.events, ['sent', 'sent', 'sent', 'sent', 'registered 60']);
    virtual.advanceUntilSent(55_000);
    answer(virtual, 503);
    const atMs = virtual.nowMs;
    virtual.advanceUntilSent(20_000);
    t.equal(Math.round(virtual.nowMs - atMs), 2000, 'a refresh, too');
    t.end();
  });
  t.test('no more than there is time for, and not at all where it is of no use', (t) => {
    for (const [status, headers, attempts] of [
      [503, [], 6],
      [503, ['Retry-After: 11'], 1],
      [403, [], 1],
    ] as const) {
      const { virtual, log, agent } = bed({ registerRetry });
      agent.register(60, log);
      let asked = 0;
      for (; asked < 20 && log.failures.length === 0; asked++) {
        if (asked > 0) virtual.advanceUntilSent(20_000);
        answer(virtual, status, [...headers]);
      }
      t.equal(asked, attempts);
      const told = attempts === 1 ? 'X' : 'X (attempt 6, 10 s after the first failed)';
      t.equal(log.failures[0]?.reason, told);
      virtual.advance(100_000);
      t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
    }
    t.end();
  });
  t.test('an endpoint that leaves meanwhile has nothing to remove', (t) => {
    const { virtual, log, agent } = bed({ registerRetry });
    agent.register(60, log);
    answer(virtual, 503);
    agent.unregister();
    virtual.advance(100_000);
    t.same(log.events, ['sent', 'unregistered']);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
    t.end();
  });
  t.end();
});

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
    ['as it was asked for', ['Contact: <sip:alice@192.0.2.1:5060>;expires=92', 'Expires: 8'], '92'],
    ['with more after it', ['Contact: <sip:alice@192.0.2.1:5060>;expires=93;q=1', 'Expires: 8'], '93'],
    ['before another', ['Contact: <sip:alice@192.0.2.1:5060>;expires=94', 'Contact: <sip:x@y>;expires=1'], '94'],
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
    t.same(log.events, ['sent', 'registered 60', 'refreshed 60', 'refreshed 60', 'refreshed 60']);
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
    virtual.receive(responseTo(renewed, 403, 'Forbidden'));
    t.same(log.events.slice(5), ['failed STATUS 403'], 'a refresh that is refused is told');
    t.end();
  });
  t.test('that fails in a way that may pass is tried again while the binding lasts', (t) => {
    for (const [status, headers, least, most] of [
      [503, ['Retry-After: 3 (a moment)'], 3000, 3001],
      [500, [], 1000, 15_000],
      [480, [], 1000, 15_000],
    ] as const) {
      const { virtual, log, agent } = bed();
      agent.register(60, log);
      virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
      virtual.advanceUntilSent(55_000);
      virtual.receive(responseTo(virtual.take('REGISTER'), status, 'Not now', { headers: [...headers] }));
      const atMs = virtual.nowMs;
      virtual.advanceUntilSent(20_000);
      const again = virtual.take('REGISTER');
      const afterMs = virtual.nowMs - atMs;
      t.ok(afterMs >= least && afterMs <= most, `${status}: again after ${afterMs} ms`);
      virtual.receive(responseTo(again, 200, 'OK'));
      t.same(log.events, ['sent', 'registered 60', `refresh failed STATUS ${status}`, 'refreshed 60']);
    }
    t.end();
  });
  t.test('that fails until the binding is over ends the registration', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(600, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    for (let i = 0; i < 50 && !log.events.some((event) => event.startsWith('failed')); i++) {
      virtual.sent.length = 0;
      virtual.advanceUntilSent(600_000);
      const refresh = virtual.sent.shift()?.text;
      if (refresh !== undefined) virtual.receive(responseTo(refresh, 503, 'Service Unavailable'));
    }
    t.ok(virtual.nowMs < 601_000, 'the end is told before the binding is over');
    t.ok(log.events.filter((event) => event === 'refresh failed STATUS 503').length >= 2);
    t.equal(log.events.at(-1), 'failed STATUS 503');
    virtual.sent.length = 0;
    virtual.advance(601_000);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false], 'nothing comes behind it');
    t.end();
  });
  t.test('with a Retry-After behind the end of the binding is not tried again', (t) => {
    t.equal(retryDelayMs(10_000, 9000, 0, 0), null);
    t.equal(retryDelayMs(null, 9000, 0, 0), null);
    t.equal(retryDelayMs(Number.NaN, 1000, 0, 0), null);
    for (let setbacks = 0; setbacks < 20; setbacks++) {
      for (const leftMs of [2000, 30_000, 3_600_000]) {
        const delayMs = retryDelayMs(Number.NaN, leftMs, setbacks, 1) ?? Number.NaN;
        t.ok(delayMs >= 500 && delayMs <= 1_800_000 && delayMs < leftMs, `${setbacks} ${leftMs}: ${delayMs}`);
      }
    }
    t.end();
  });
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
    t.match(headerOf(known, 'Authorization'), /nonce="b"/, 'the same realm behind a redirect has refused nothing');
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
  t.test('after a refresh that was refused: the registrar still has the binding', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    virtual.advanceUntilSent(55_000);
    virtual.receive(responseTo(virtual.take('REGISTER'), 403, 'Forbidden'));
    agent.unregister();
    const leave = virtual.take('REGISTER');
    t.equal(headerOf(leave, 'Expires'), '0');
    virtual.receive(responseTo(leave, 200, 'OK'));
    t.same(log.events, ['sent', 'registered 60', 'failed STATUS 403', 'unregistered']);
    t.equal(virtual.engine.busy, true, 'the transaction waits for timer K');
    virtual.advance(61_000);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
    t.end();
  });
  t.test('while a refresh waits to be tried again, or is under way and fails', (t) => {
    for (const when of ['waiting', 'under way'] as const) {
      const { virtual, log, agent } = bed();
      agent.register(60, log);
      virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
      virtual.advanceUntilSent(55_000);
      const refresh = virtual.take('REGISTER');
      if (when === 'under way') agent.unregister();
      virtual.receive(responseTo(refresh, 500, 'Server Internal Error'));
      if (when === 'waiting') agent.unregister();
      const leave = virtual.take('REGISTER');
      t.equal(headerOf(leave, 'Expires'), '0', when);
      virtual.receive(responseTo(leave, 200, 'OK'));
      t.equal(log.events.at(-1), 'unregistered');
      virtual.advance(61_000);
      t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
    }
    t.end();
  });
  t.test('and a new one behind a refusal forgets the old one', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    virtual.advanceUntilSent(55_000);
    virtual.receive(responseTo(virtual.take('REGISTER'), 403, 'Forbidden'));
    agent.register(3600, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    virtual.advance(61_000);
    t.equal(virtual.sent.length, 0);
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
    [{ registrarUri: 'sips:192.0.2.2;transport=udp' }, 'failed TRANSPORT null', /udp/],
    [{ registrarUri: 'sip:192.0.2.2;transport=ws' }, 'failed TRANSPORT null', /ws/],
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
