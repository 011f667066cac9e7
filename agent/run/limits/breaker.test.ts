/** The circuit breaker: when it opens, what it waits for, and what happens to calls that it prevents. */
import t from 'tap';
import type { SipFailure } from '../../sip/engine.ts';
import { endpoint, PairWorld, sharePlan } from '../../testing/run/pair.ts';
import { decodeBreaker } from '../order/decode-scenario.ts';
import { type Breach, Breaker } from './breaker.ts';

const failure = (status: number | null, more: Partial<SipFailure> = {}): SipFailure => ({
  kind: status === null ? 'TIMEOUT' : 'STATUS',
  status,
  reason: 'No',
  atMs: 0,
  ...more,
});

function breaker(failurePercent = 50, minCalls = 20) {
  const breaches: Breach[] = [];
  return {
    it: new Breaker({ failurePercent, minCalls, blockedCalls: 10 }, (breach) => breaches.push(breach)),
    breaches,
  };
}

t.test('it opens at the share of failures, not before there are enough calls', async (t) => {
  const { it, breaches } = breaker();
  for (let i = 0; i < 19; i++) it.failed(failure(500), 1000 + i);
  t.equal(it.obstacle(1100), null);
  it.failed(failure(500), 1100);
  t.equal(it.obstacle(1100), '20 of 20 calls of the last 10 s failed');
  t.equal(it.obstacle(1e9), '20 of 20 calls of the last 10 s failed', 'for good');
  for (let i = 0; i < 50; i++) it.failed(failure(500), 1200);
  t.same(breaches, [
    { atMs: 1100, untilMs: Number.POSITIVE_INFINITY, reason: '20 of 20 calls of the last 10 s failed' },
  ]);
});

t.test('calls that got through, that nobody took, or that are long ago do not open it', async (t) => {
  const half = breaker();
  for (let i = 0; i < 100; i++) {
    half.it.answered(i * 100);
    half.it.answered(i * 100);
    half.it.failed(failure(500), i * 100);
  }
  const nobody = breaker();
  for (const status of [480, 486, 487, 600]) for (let i = 0; i < 30; i++) nobody.it.failed(failure(status), i);
  for (let i = 0; i < 30; i++) nobody.it.failed(failure(null, { kind: 'CANCELLED' }), i);
  for (let i = 0; i < 30; i++) nobody.it.failed(failure(null, { kind: 'POLICY' }), i);
  const slow = breaker();
  for (let i = 0; i < 100; i++) slow.it.failed(failure(null), i * 600);
  t.same([...half.breaches, ...nobody.breaches, ...slow.breaches], []);
  slow.it.failed(failure(null), 60_000);
  for (let i = 0; i < 4; i++) slow.it.failed(failure(null), 60_000);
  t.equal(slow.breaches.length, 1, 'twenty within ten seconds');
});

t.test('a target that blocks all calls opens the breaker; one successful call prevents it', async (t) => {
  for (const status of [403, 603, 607, 608]) {
    const { it, breaches } = breaker(100, 1000);
    for (let i = 0; i < 10; i++) it.failed(failure(status), i);
    t.match(breaches, [{ reason: `the far end blocked all of 10 calls (${status} No)` }]);
  }
  const { it, breaches } = breaker(100, 1000);
  it.answered(0);
  for (let i = 0; i < 100; i++) it.failed(failure(403), i);
  t.same(breaches, []);
});

t.test('Retry-After pauses, and is no failure', async (t) => {
  const { it, breaches } = breaker();
  for (let i = 0; i < 40; i++) it.failed(failure(503, { retryAfterSeconds: 5 }), 100 + i);
  t.match(it.obstacle(5138), /^the far end asked for 5 s without calls \(503, Retry-After\)$/);
  t.equal(it.obstacle(5139), null);
  t.equal(breaches.length, 1, 'told once');
  it.failed(failure(503, { retryAfterSeconds: 2 }), 6000);
  t.same(
    breaches.map((b) => b.untilMs),
    [5100, 8000],
  );
  it.open(8000, 9000, 'others');
  t.equal(it.obstacle(8500), 'others');
});

/** A share of callers, one each 100 ms, without a peer. */
async function callers(count: number, status: number, retryAfterSeconds?: number) {
  const world = new PairWorld();
  world.nobody = { status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  const endpoints = Array.from({ length: count }, (_, i) =>
    endpoint(i, { callAtMs: i * 100, targetUri: 'sip:gone@127.0.0.1' }),
  );
  const share = await world.open(
    sharePlan('CALLER', {}, { endpoints, breaker: { failurePercent: 50, minCalls: 5, blockedCalls: 5 } }),
  );
  world.start();
  return { world, share };
}

t.test('what it keeps from being started is counted, named, and not the agent’s fault', async (t) => {
  const { world } = await callers(50, 500);
  world.go(6000);
  t.equal(world.invites, 5);
  const held = world.outcomes.filter(({ cause }) => cause === 'BREAKER_OPEN');
  t.equal(held.length, 45);
  t.match(held[0], { causeText: '5 of 5 calls of the last 10 s failed', attempted: false, callResult: null });
  const starts = world.facts.flatMap(({ startNoise }) => startNoise ?? []);
  const sum = (pick: (n: (typeof starts)[number]) => number): number => starts.reduce((n, one) => n + pick(one), 0);
  t.same(
    [sum((n) => n.planned), sum((n) => n.started), sum((n) => n.notStarted), sum((n) => n.heldBack)],
    [50, 5, 0, 45],
  );
  t.equal(world.facts.flatMap(({ breaches }) => breaches).length, 1);
});

t.test('after the pause calls continue as planned', async (t) => {
  const { world } = await callers(50, 503, 2);
  world.go(6000);
  // The call at 0, at 2.1 s and at 4.2 s: each is told to wait for 2 s.
  t.equal(world.invites, 3);
  t.equal(world.facts.flatMap(({ breaches }) => breaches).length, 3);
});

t.test('another agent’s breaker holds these calls, too', async (t) => {
  const { world, share } = await callers(50, 404);
  world.go(50);
  share.breakOff(Number.POSITIVE_INFINITY, 'elsewhere');
  world.go(6000);
  t.equal(world.invites, 1);
  t.equal(world.outcomes.filter(({ causeText }) => causeText === 'elsewhere').length, 49);
});

t.test('what the order says, and what is meant where it does not', async (t) => {
  t.same(decodeBreaker({ failurePercent: 50, minCalls: 20, blockedCalls: 10 }), {
    failurePercent: 50,
    minCalls: 20,
    blockedCalls: 10,
  });
  t.match(decodeBreaker({ failurePercent: 50, minCalls: 20, blockedCalls: 0 }), { blockedCalls: 10 });
  t.equal(decodeBreaker(null), null);
});

t.test('what was counted is told once', async (t) => {
  const { it } = breaker();
  it.answered(100);
  it.failed(failure(403), 200);
  it.failed(failure(500), 300);
  it.failed(failure(486), 300);
  it.failed(failure(503, { retryAfterSeconds: 1 }), 300);
  it.failed(failure(null, { kind: 'CANCELLED' }), 300);
  t.same(it.takeTally(400), { atMs: 400, calls: 4, failures: 2, blocked: 1 });
  t.equal(it.takeTally(500), null);
});
