/** The starts of a share's calls: never early, in order, at the plan's pace and within the host's. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { Starter } from '../endpoint/core/endpoint-timer.ts';
import type { LoadPlan, SharePlan } from '../plan.ts';
import { CallStarts } from './call-starts.ts';

const ALWAYS = { take: () => true };
const at = (...callAtMs: number[]) =>
  ({ load: null, endpoints: callAtMs.map((atMs) => ({ callAtMs: atMs })) }) as unknown as Pick<
    SharePlan,
    'load' | 'endpoints'
  >;
const loadOf = (callsPerSecond: number): LoadPlan =>
  ({
    order: { shape: 'EVEN', steps: [{ seconds: 60, callsPerSecond }], calls: Number.POSITIVE_INFINITY, seed: 1 },
    part: { from: 0, until: 1, of: 1 },
  }) as unknown as LoadPlan;

/** Notes when each starts, and for which instant it was planned. */
function starter(name: string, started: [string, number][], would = true): Starter {
  return {
    wouldStart: () => would,
    onTimer: (what, plannedAtMs) => started.push([`${name} ${what}`, plannedAtMs]),
  };
}

t.test('each once, none before its instant, in order of time; none is late if turns are not', async () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3000), { minLength: 1, maxLength: 60 }), (instants) => {
      const starts = new CallStarts(at(...instants), ALWAYS);
      const order: number[] = [];
      let nowMs = 0;
      for (const atMs of instants)
        starts.add(atMs, {
          wouldStart: () => true,
          onTimer: (_, plannedAtMs) => {
            if (plannedAtMs !== atMs || nowMs < atMs || nowMs > atMs + 2) throw new Error(`${atMs} at ${nowMs}`);
            order.push(atMs);
          },
        });
      for (; nowMs <= 3002; nowMs += 2) starts.turn(nowMs);
      return order.length === instants.length && order.every((atMs, i) => i === 0 || atMs >= (order[i - 1] as number));
    }),
  );
});

t.test('after a stall, at most twice the planned rate', async (t) => {
  const instants = Array.from({ length: 100 }, (_, i) => i * 50);
  const starts = new CallStarts(at(...instants), ALWAYS);
  const started: [string, number][] = [];
  for (const atMs of instants) starts.add(atMs, starter('c', started));
  starts.turn(0);
  t.equal(started.length, 1);
  const behindMs = 2000;
  for (let nowMs = behindMs; nowMs < behindMs + 1000; nowMs += 2) starts.turn(nowMs);
  const caughtUp = started.length - 1;
  t.ok(caughtUp >= 39 && caughtUp <= 41, `${caughtUp} of 20 a second`);
});

t.test('the host’s limit holds them back, and nothing is lost', async (t) => {
  let room = 0;
  const host = { take: () => room-- > 0 };
  const starts = new CallStarts(at(0, 0, 0), host);
  const started: [string, number][] = [];
  for (const name of ['a', 'b', 'c']) starts.add(0, starter(name, started));
  starts.turn(10);
  t.same(started, []);
  room = 2;
  starts.turn(20);
  t.equal(started.length, 2);
  room = 2;
  starts.turn(30);
  t.same(started.map(([name]) => name).sort(), ['a CALL', 'b CALL', 'c CALL']);
});

t.test('one that would not call anyway takes nothing of either pace', async (t) => {
  let taken = 0;
  const host = { take: () => ++taken > 0 };
  const starts = new CallStarts(at(0), host);
  const started: [string, number][] = [];
  for (let i = 0; i < 50; i++) starts.add(0, starter(`idle ${i}`, started, false));
  starts.add(1, starter('calls', started));
  starts.turn(1);
  t.same([started.length, started.at(-1), taken], [51, ['calls CALL', 1], 1]);
});

t.test('rescheduled ones follow each other at the planned gap, none before its time', async (t) => {
  const starts = new CallStarts({ ...at(), load: loadOf(10) } as never, ALWAYS);
  const started: [string, number][] = [];
  for (const fromMs of [1000, 1000, 1000, 1050, 2000, 2000]) starts.addAgain(fromMs, starter('again', started));
  for (let nowMs = 0; nowMs <= 3000; nowMs += 2) starts.turn(nowMs);
  t.same(
    started.map(([, atMs]) => atMs),
    [1000, 1100, 1200, 1300, 2000, 2100],
  );
  starts.follow(loadOf(100));
  started.length = 0;
  for (let i = 0; i < 3; i++) starts.addAgain(3000, starter('faster', started));
  starts.turn(4000);
  t.same(
    started.map(([, atMs]) => atMs),
    [3000, 3010, 3020],
    'the steps that a load is changed to',
  );
});

t.test('a referral counts as a call of the host; what is cleared does not start', async (t) => {
  const asked: number[] = [];
  const host = { take: (nowMs: number) => asked.push(nowMs) % 2 === 1 };
  const starts = new CallStarts(at(0), host);
  t.same([starts.takeReferral(5), starts.takeReferral(6), asked], [true, false, [5, 6]]);
  const started: [string, number][] = [];
  starts.add(0, starter('gone', started));
  starts.clear();
  starts.turn(1000);
  t.same([started, asked.length], [[], 2]);
});
