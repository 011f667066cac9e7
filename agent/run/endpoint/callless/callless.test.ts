/** Endpoints without calls, modes REGISTER and OPTIONS, against our own core on virtual time: phases, figures, causes. */
import { setImmediate } from 'node:timers/promises';
import { CAUSES, causeOfOptionsResponse } from '@carillon/proto';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { messagesOf } from '../../../capture/message-block.ts';
import { readPolicy } from '../../../policy/policy.ts';
import type { MediaEngine, MediaStream } from '../../../rtp/media-engine.ts';
import type { SipFailure } from '../../../sip/engine.ts';
import { endpoint, sharePlan } from '../../../testing/run/pair.ts';
import { headerOf, PEER, responseTo, VirtualEngine } from '../../../testing/sip/virtual.ts';
import { AllocationShare } from '../../allocation/share.ts';
import type { ShareDeps } from '../../allocation/share-deps.ts';
import { HostPace } from '../../limits/host-pace.ts';
import { causeOfPingFailure } from '../../outcome/failure-cause.ts';
import { PHASES } from '../../phases.ts';
import type { GroupPlan, SharePlan } from '../../plan.ts';
import type { ShareFacts } from '../../report/facts.ts';

const NO_MEDIA: MediaEngine = {
  adapter: 'ffi',
  stamps: 'kernel',
  open: async () => {
    throw new Error('there are no streams without calls');
  },
  request: () => {
    throw new Error('there are no media');
  },
  turn: () => undefined,
  close: async () => undefined,
};
const HOLD_MS = 4000;
const HOP = { transport: 'UDP', ...PEER } as const;
const ACCOUNT = { username: '1001', credentials: { username: '1001', password: new Secret('secret') } };

async function bed(
  mode: GroupPlan['mode'],
  more: Partial<SharePlan> = {},
  ways: Pick<Partial<ShareDeps>, 'media' | 'findHost'> = {},
  settings: Partial<GroupPlan> = {},
) {
  const virtual = new VirtualEngine();
  const group = {
    mode,
    tracks: [],
    registrarUri: 'sip:pbx',
    domain: 'pbx',
    register: mode === 'REGISTER',
    ...settings,
  };
  const plan = sharePlan('CALLER', group, {
    endpoints: [
      endpoint(0, {
        registerAtMs: 100,
        callAtMs: 100,
        nextHop: HOP,
        account: ACCOUNT,
        targetUri: mode === 'OPTIONS' ? 'sip:9000@pbx' : '',
      }),
    ],
    callDurationMs: HOLD_MS,
    ...more,
  });
  const deps = {
    engine: virtual.engine,
    media: NO_MEDIA,
    mayReach: () => true,
    mayCall: () => true,
    hostPace: new HostPace(1000),
    latestStartMs: 2000,
    ...ways,
  };
  const share = new AllocationShare(plan, deps, virtual.nowMs);
  await share.prepare();
  t.equal(share.state, 'READY');
  share.start(virtual.nowMs);
  const facts: ShareFacts[] = [];
  const go = (ms: number): void => {
    for (let i = 0; i < ms; i++) {
      share.turn(virtual.nowMs);
      virtual.advance(1);
    }
    const taken = share.takeFacts(virtual.nowMs);
    if (taken) facts.push(taken);
  };
  return {
    virtual,
    share,
    go,
    facts,
    outcomes: () => facts.flatMap((f) => f.outcomes),
    outcome: () => facts.flatMap((f) => f.outcomes)[0],
    phases: () => facts.flatMap((f) => f.phases.phase.map((p) => PHASES[p])),
    started: () => facts.flatMap((f) => f.startNoise ?? []).reduce((n, f) => n + f.started, 0),
  };
}

t.test('STUN: the server answers, is silent, has no name, is forbidden', async (t) => {
  const stream = { reflexive: { address: '192.0.2.9', port: 40_000 }, close: () => undefined };
  const forbidden = Object.assign(new Error('not there'), { name: 'TARGET_NOT_ALLOWED' });
  const cases = [
    [async () => '192.0.2.3', stream, { outcome: 'SUCCESS', cause: null }],
    [
      async () => '192.0.2.3',
      { ...stream, reflexive: null },
      { cause: 'STUN_TIMEOUT', causeText: /^stun\.example:3479 did not answer$/ },
    ],
    [() => Promise.reject(new Error('no such name')), stream, { cause: 'DNS_FAILED', causeText: 'no such name' }],
    [() => Promise.reject(forbidden), stream, { cause: 'TARGET_NOT_ALLOWED' }],
  ] as const;
  for (const [findHost, opened, outcome] of cases) {
    const media = { ...NO_MEDIA, open: async () => [opened as unknown as MediaStream] };
    const ice = { stunServer: { host: 'stun.example', port: 3479 } };
    const { go, share, outcomes } = await bed('STUN', {}, { media, findHost }, { ice });
    go(110);
    while (outcomes().length === 0) {
      await setImmediate();
      go(1);
    }
    t.match(outcomes(), [{ attempted: false, ...outcome }]);
    t.equal(share.state, 'DONE');
  }
});

t.test('REGISTER: registered for the duration, then un-registered', async (t) => {
  const { virtual, share, go, outcome, phases, started } = await bed('REGISTER');
  go(110);
  const request = virtual.take('REGISTER sip:pbx');
  go(20);
  virtual.receive(responseTo(request, 200, 'OK', { headers: ['Expires: 3600'] }));
  go(HOLD_MS - 50);
  t.same(virtual.sent, [], 'the binding stays');
  go(100);
  const leave = virtual.take('REGISTER');
  t.equal(headerOf(leave, 'Expires'), '0');
  virtual.receive(responseTo(leave, 200, 'OK'));
  go(10);
  t.match(outcome(), { outcome: 'SUCCESS', cause: null, attempted: false, callResult: null, finalStatus: 0 });
  const rttMs = outcome()?.registerRttMs ?? Number.NaN;
  t.ok(rttMs >= 20 && rttMs <= 30, `${rttMs} ms`);
  t.same(phases(), ['REGISTERED', 'DISCONNECTING', 'CLOSED']);
  t.equal(started(), 1);
  t.equal(share.state, 'DONE');
});

t.test('REGISTER: a policy that becomes narrower ends it early, and lets no message leave any more', async (t) => {
  for (const messages of [true, false]) {
    const { virtual, share, go, facts, outcome } = await bed('REGISTER', { keepMessages: true });
    go(110);
    const granted = responseTo(virtual.take('REGISTER sip:pbx'), 200, 'OK', { headers: ['Expires: 3600'] });
    virtual.receive(granted);
    const policy = await readPolicy(null);
    share.obey({ ...policy, maxDurationSeconds: 2, mayKeep: { ...policy.mayKeep, messages } }, virtual.nowMs);
    go(1900);
    t.same(virtual.sent, []);
    go(200);
    const leave = virtual.take('REGISTER');
    t.equal(headerOf(leave, 'Expires'), '0');
    virtual.receive(responseTo(leave, 200, 'OK'));
    go(10);
    t.match(outcome(), { cause: 'DURATION_NOT_ALLOWED', causeText: /was changed, and allows .* 2 s/ });
    const sent = facts.flatMap((f) => f.messages).flatMap((block) => messagesOf(block).map((m) => m.sent));
    t.same(sent, messages ? [true, false, true, false] : [], 'what waited to be told is forgotten');
  }
});

t.test('REGISTER: refused, unanswered, and lost at a refresh', async (t) => {
  const refused = await bed('REGISTER');
  refused.go(110);
  refused.virtual.receive(responseTo(refused.virtual.take('REGISTER'), 403, 'No'));
  refused.go(10);
  t.match(refused.outcome(), { outcome: 'REGISTRATION_FAILED', cause: 'REGISTRATION_DENIED', sipStatus: 403 });
  t.equal(refused.share.state, 'DONE');

  const silent = await bed('REGISTER');
  silent.go(33_000);
  t.match(silent.outcome(), { outcome: 'REGISTRATION_FAILED', cause: 'REGISTRATION_TIMEOUT' });

  const lost = await bed('REGISTER', { callDurationMs: 60_000 });
  lost.go(110);
  lost.virtual.receive(responseTo(lost.virtual.take('REGISTER'), 200, 'OK', { headers: ['Expires: 10'] }));
  lost.virtual.advanceUntilSent(20_000);
  lost.virtual.receive(responseTo(lost.virtual.take('REGISTER'), 403, 'No more'));
  lost.virtual.receive(responseTo(lost.virtual.take('REGISTER'), 200, 'OK'));
  lost.go(10);
  t.match(lost.outcome(), { outcome: 'REGISTRATION_FAILED', cause: 'REGISTRATION_DENIED', causeText: 'No more' });
});

t.test('REGISTER: refreshes are counted, failed ones, those that made it good again, and the lapse', async (t) => {
  const { virtual, go, outcome } = await bed('REGISTER', { callDurationMs: 60_000 });
  const granted = { headers: ['Expires: 10'] };
  go(110);
  virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK', granted));
  const answers = [200, 503, 503, 200, 200, 403];
  for (const status of answers) {
    virtual.advanceUntilSent(20_000);
    virtual.receive(responseTo(virtual.take('REGISTER'), status, 'So', granted));
  }
  virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
  go(10);
  t.same(outcome()?.refreshes, { granted: 3, failed: 3, lapsed: 1, recovered: 1 });
});

t.test('OPTIONS: who answers is there; 408 and 5xx say that nobody is', async (t) => {
  const cases: [number, string, string | null][] = [
    [200, 'SUCCESS', null],
    [404, 'SUCCESS', null],
    [405, 'SUCCESS', null],
    [486, 'SUCCESS', null],
    [501, 'SUCCESS', null],
    [603, 'SUCCESS', null],
    [408, 'CALL_FAILED', 'OPTIONS_TIMEOUT'],
    [500, 'CALL_FAILED', 'OPTIONS_REFUSED'],
    [503, 'CALL_FAILED', 'OPTIONS_REFUSED'],
  ];
  for (const [status, outcome, cause] of cases) {
    const one = await bed('OPTIONS');
    one.go(110);
    const request = one.virtual.take('OPTIONS sip:9000@pbx');
    t.match(headerOf(request, 'From'), /^<sip:1001@pbx>;tag=/);
    one.go(5);
    one.virtual.receive(responseTo(request, status, 'So'));
    one.go(5);
    t.match(one.outcome(), { outcome, cause, finalStatus: status, finalReason: 'So', attempted: false }, `${status}`);
    const rttMs = one.outcome()?.optionsRttMs ?? Number.NaN;
    t.ok(rttMs >= 5 && rttMs <= 15, `${rttMs} ms`);
    t.same(one.phases(), ['CLOSED']);
    t.equal(one.share.state, 'DONE');
  }
});

t.test('OPTIONS: nobody, and a stop', async (t) => {
  const silent = await bed('OPTIONS');
  silent.go(33_000);
  t.match(silent.outcome(), { outcome: 'CALL_FAILED', cause: 'OPTIONS_TIMEOUT', finalStatus: 0 });
  t.ok(Number.isNaN(silent.outcome()?.optionsRttMs));

  const stopped = await bed('OPTIONS');
  stopped.go(110);
  stopped.share.stop('a user stopped the run');
  stopped.go(5);
  t.match(stopped.outcome(), { outcome: 'CALL_FAILED', cause: 'STOPPED' });
  t.equal(stopped.share.state, 'DONE');
});

t.test('the breaker holds back OPTIONS, too', async (t) => {
  const endpoints = Array.from({ length: 20 }, (_, i) =>
    endpoint(i, { callAtMs: 100 * i, registerAtMs: 0, nextHop: HOP, targetUri: 'sip:9000@pbx', user: `u${i}` }),
  );
  const { virtual, go, share, outcomes, started } = await bed('OPTIONS', {
    endpoints,
    breaker: { failurePercent: 50, minCalls: 5, blockedCalls: 10 },
  });
  for (let i = 0; i < 25; i++) {
    go(100);
    for (const { text } of virtual.sent.splice(0)) virtual.receive(responseTo(text, 500, 'No'));
  }
  go(10);
  t.equal(share.state, 'DONE');
  t.equal(started(), 5);
  t.equal(outcomes().filter(({ cause }) => cause === 'OPTIONS_REFUSED').length, 5);
  t.equal(outcomes().filter(({ cause }) => cause === 'BREAKER_OPEN').length, 15);
});

t.test('each failure of OPTIONS has a cause', async (t) => {
  const kinds: SipFailure['kind'][] = ['STATUS', 'TIMEOUT', 'TRANSPORT', 'PROTOCOL', 'CANCELLED', 'POLICY', 'DNS'];
  for (const kind of kinds) {
    const cause = causeOfPingFailure({ kind, status: null, reason: '', atMs: 0 });
    t.equal(CAUSES[cause].outcome, 'CALL_FAILED', kind);
  }
  for (let status = 200; status < 700; status++) {
    const isGone = status === 408 || (status >= 500 && status < 600 && status !== 501);
    t.equal(causeOfOptionsResponse(status) !== null, isGone, String(status));
  }
});
