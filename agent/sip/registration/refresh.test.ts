/** When REGISTER is sent again: after a first failure, before a binding ends, after a refusal that may pass. */
import t from 'tap';
import { isAuthorized } from '../../testing/sip/registrar.ts';
import { bed } from '../../testing/sip/registration-bed.ts';
import { headerOf, responseTo, type VirtualEngine } from '../../testing/sip/virtual.ts';
import { refreshDelayMs } from './granted-expires.ts';
import { retryDelayMs } from './retry.ts';

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
  t.test('a binding that is lost for longer than it lasts is made again within that time, too', (t) => {
    const { virtual, log, agent } = bed({ registerRetry: { afterMs: 20_000, withinMs: 120_000 } });
    agent.register(60, log);
    answer(virtual, 200);
    virtual.advanceUntilSent(55_000);
    const [lostAtMs, failures] = [virtual.nowMs, 5];
    for (let i = 0; i < failures; i++) {
      answer(virtual, 503);
      virtual.advanceUntilSent(30_000);
    }
    t.equal(Math.round((virtual.nowMs - lostAtMs) / 1000), failures * 20, 'long after the binding was over');
    answer(virtual, 200);
    const failed = Array.from({ length: failures }, () => 'refresh failed STATUS 503');
    t.same(log.events, ['sent', 'registered 60', ...failed, 'refreshed 60']);
    virtual.advanceUntilSent(55_000);
    let asked = 0;
    for (; log.events.at(-1) !== 'failed STATUS 503' && asked < 20; asked++) {
      if (asked > 0) virtual.advanceUntilSent(30_000);
      answer(virtual, 503);
    }
    t.equal(asked, 7, 'one that failed again has the whole time anew');
    virtual.advance(200_000);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
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
  for (const seconds of [1, 5, 10, 30, 40, 60, 3600, 86_400]) {
    const after = (random: number): number => refreshDelayMs(seconds, random) / 1000;
    const [latest, middle, earliest] = [after(0), after(0.5), after(1)];
    t.ok(earliest >= 0.4 * seconds && latest < seconds, `${seconds} s: after ${earliest} to ${latest} s`);
    if (seconds >= 10) t.ok(latest <= seconds - 5);
    t.ok(latest - earliest >= latest / 7, 'registrations of one instant are not refreshed in one');
    t.ok(Math.abs(middle - (earliest + latest) / 2) < 1e-9, 'nor does a part of the interval have more of them');
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
      'an old nonce that is refused without stale is replaced by the new one',
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
    t.same([virtual.sent.length, virtual.engine.busy], [0, false], 'nothing comes after it');
    t.end();
  });
  t.test('with a Retry-After beyond the end of the binding is not tried again', (t) => {
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
