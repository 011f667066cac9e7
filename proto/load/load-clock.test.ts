/** The sum of the clocks of all parts, how evenly they share it, and when HOLD begins calls. */
import { seedOf } from '@carillon/media/seeded.ts';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { type LoadClock, type LoadOrder, loadClock } from './load-clock.ts';
import { type LoadPart, partsOf, partsWithin, strideOf, WHOLE } from './load-part.ts';
import { callsIn } from './load-step.ts';

const MAX_CALLS = 3000;
const instantsOf = (load: LoadOrder, part: LoadPart): number[] => {
  const clock = loadClock(load, part, seedOf);
  const all: number[] = [];
  for (; clock.nextMs < Number.POSITIVE_INFINITY && all.length < MAX_CALLS; clock.take(clock.nextMs))
    all.push(clock.nextMs);
  return all;
};
const ascending = (a: number, b: number): number => a - b;

const steps = fc.array(
  fc.record({ callsPerSecond: fc.integer({ min: 0, max: 50 }), seconds: fc.integer({ min: 1, max: 10 }) }),
  { minLength: 1, maxLength: 5 },
);
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
const loads = fc.record({
  shape: fc.constantFrom('EVEN' as const, 'POISSON' as const),
  steps,
  calls: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 500 })),
  seed: fc.nat(),
});

t.test('all parts together are the whole load, to the call, and parts of parts are the part', async () => {
  fc.assert(
    fc.property(loads, sizes, (load, sizes) => {
      const whole = instantsOf(load, WHOLE);
      const parts = partsOf(sizes).flatMap((part) => {
        const size = part.until - part.from;
        return size < 2 ? [part] : partsWithin(part, [1, size - 1]);
      });
      const all = parts.flatMap((part) => instantsOf(load, part)).sort(ascending);
      return JSON.stringify(all) === JSON.stringify(whole);
    }),
  );
});

t.test('EVEN begins as many calls in each step as it has room for, each a gap after the one before', async () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const load: LoadOrder = { shape: 'EVEN', steps, calls: Number.POSITIVE_INFINITY, seed: 0 };
      const all = instantsOf(load, WHOLE);
      let fromMs = 0;
      return (
        all.length === callsIn(steps) &&
        steps.every(({ callsPerSecond, seconds }) => {
          const within = all.filter((at) => at >= fromMs && at < fromMs + seconds * 1000);
          const isEven = within.every((at, i) => Math.abs(at - fromMs - (i * 1000) / callsPerSecond) < 1e-6);
          fromMs += seconds * 1000;
          return within.length === callsPerSecond * seconds && isEven;
        })
      );
    }),
  );
});

t.test('each part has its share of every stretch, and its own number where all places come round', async (t) => {
  let most = 0;
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 4 }), (sizes, rounds) => {
      const parts = partsOf(sizes);
      const of = parts[0]?.of ?? 1;
      const load: LoadOrder = {
        shape: 'EVEN',
        steps: [{ seconds: Number.POSITIVE_INFINITY, callsPerSecond: 1000 }],
        calls: of * rounds,
        seed: 0,
      };
      return parts.every((part) => {
        const own = instantsOf(load, part);
        const weight = (part.until - part.from) / of;
        own.forEach((at, i) => {
          most = Math.max(most, Math.abs(i - at * weight));
        });
        return own.length === (part.until - part.from) * rounds;
      });
    }),
  );
  t.ok(most < 4, `a part was never ${most} calls away from its share`);
});

t.test('the stride visits every place, for any number of them', async () => {
  for (let of = 2; of < 2000; of++) {
    const stride = strideOf(of);
    let [a, b] = [of, stride];
    while (b > 0) [a, b] = [b, a % b];
    if (a !== 1) throw new Error(`${stride} and ${of} have ${a} in common`);
  }
});

t.test('POISSON: the pauses are exponential, and its steps have their rates', async (t) => {
  const rates = [50, 0, 100];
  const all = instantsOf(
    {
      shape: 'POISSON',
      steps: rates.map((callsPerSecond) => ({ seconds: 10, callsPerSecond })),
      calls: Number.POSITIVE_INFINITY,
      seed: 7,
    },
    WHOLE,
  );
  const within = (i: number): number[] => all.filter((at) => at >= i * 10_000 && at < (i + 1) * 10_000);
  rates.forEach((rate, i) => {
    // Four standard deviations of a Poisson count; the seed is fixed.
    t.ok(Math.abs(within(i).length - rate * 10) <= 4 * Math.sqrt(rate * 10), `${rate}/s: ${within(i).length}`);
  });
  const gaps = within(2).map((at, i, row) => at - (row[i - 1] ?? 20_000));
  const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
  t.ok(Math.abs(deviation / mean - 1) < 0.15, `as wide as their mean: ${deviation / mean}`);
});

t.test('a load that is changed goes on as one that was so from the start, in every part', async () => {
  fc.assert(
    fc.property(
      fc.record({
        shape: fc.constantFrom('EVEN' as const, 'POISSON' as const, 'SINE' as const),
        wave: fc.record({
          toCallsPerSecond: fc.integer({ min: 1, max: 40 }),
          periodSeconds: fc.integer({ min: 1, max: 9 }),
        }),
        rates: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 5 }),
        calls: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 300 })),
        seed: fc.nat(),
      }),
      sizes,
      ({ shape, wave, rates, calls, seed }, sizes) => {
        const seconds = 3;
        /** Each second rate begins as a change of the previous one, which would have continued. */
        const upTo = (n: number): LoadOrder => {
          const steps = rates
            .slice(0, n)
            .map((callsPerSecond) => ({ callsPerSecond, seconds, ...(shape === 'SINE' && { wave }) }));
          const left = seconds * (rates.length - n);
          return {
            shape,
            calls,
            seed,
            steps: steps.map((step, i) => (i === n - 1 ? { ...step, seconds: seconds + left } : step)),
          };
        };
        return partsOf(sizes).every((part) => {
          const begun: number[] = [];
          for (let n = 1; n <= rates.length; n++) {
            const clock = loadClock(upTo(n), part, seedOf);
            clock.resume(begun.length, begun.at(-1) ?? Number.NEGATIVE_INFINITY);
            for (; clock.nextMs < n * seconds * 1000; clock.take(clock.nextMs)) begun.push(clock.nextMs);
          }
          return JSON.stringify(begun) === JSON.stringify(instantsOf(upTo(rates.length), part));
        });
      },
    ),
  );
});

t.test('SINE: each call is due when the integral of the rate has reached it, in all parts together', async (t) => {
  const wave = { toCallsPerSecond: 30, periodSeconds: 8 };
  const order: LoadOrder = {
    shape: 'SINE',
    steps: [{ callsPerSecond: 10, seconds: 24, wave }],
    calls: Number.POSITIVE_INFINITY,
    seed: 0,
  };
  const all = instantsOf(order, WHOLE);
  t.equal(all.length, 20 * 24, 'the mean rate, over whole periods');
  const parts = partsOf([3, 2, 5]).flatMap((part) => instantsOf(order, part));
  t.same(
    parts.sort((a, b) => a - b),
    all,
  );
  // The integral of 20 - 10 cos(2 pi t / 8).
  const due = (ms: number) => (20 * ms) / 1000 - (40 / Math.PI) * Math.sin((2 * Math.PI * ms) / 8000);
  // Within a nanosecond.
  t.ok(all.every((ms, call) => Math.abs(due(ms) - call) < 1e-7));
  const within = (from: number) => all.filter((ms) => ms >= from * 1000 && ms < (from + 1) * 1000).length;
  t.ok(within(8) <= 12 && within(12) >= 28, `${within(8)} in the slowest second, ${within(12)} near the fastest`);
});

t.test('a change in the middle of a long load does not work out the instants of all past calls', async (t) => {
  const wave = { toCallsPerSecond: 1500, periodSeconds: 60 };
  const order: LoadOrder = {
    shape: 'SINE',
    steps: [{ callsPerSecond: 500, seconds: 1000, wave }],
    calls: Number.POSITIVE_INFINITY,
    seed: 0,
  };
  const part = { from: 0, until: 1, of: 4 };
  const cpu = (work: () => void): number => {
    const from = process.cpuUsage().user;
    work();
    return process.cpuUsage().user - from;
  };
  let [taken, last] = [0, 0];
  const whole = loadClock(order, part, seedOf);
  const ofAll = cpu(() => {
    for (; whole.nextMs < 900_000; whole.take(last)) {
      last = whole.nextMs;
      taken++;
    }
  });
  const resumed = loadClock(order, part, seedOf);
  const ofResume = cpu(() => resumed.resume(taken, last));
  t.equal(resumed.nextMs, whole.nextMs);
  t.ok(taken > 200_000 && ofResume < ofAll / 3, `${ofResume} of ${ofAll} us`);
});

t.test('a load of a thousand million calls goes on from its middle by arithmetic', async (t) => {
  const order: LoadOrder = { shape: 'EVEN', steps: [{ callsPerSecond: 20_000, seconds: 50_000 }], calls: 1e9, seed: 0 };
  for (const places of [50, 999_983, 1e9]) {
    const stride = BigInt(strideOf(places));
    const part = { from: Math.floor(places / 2), until: Math.floor(places / 2) + Math.ceil(places / 50), of: places };
    const isOurs = (call: number): boolean => {
      const place = Number((BigInt(call) * stride) % BigInt(places));
      return place >= part.from && place < part.until;
    };
    const next = (from: number): number => {
      let call = from;
      while (!isOurs(call)) call++;
      return call;
    };
    const last = next(800_000_000);
    const clock = loadClock(order, part, seedOf);
    clock.resume(1, last / 20);
    t.equal(clock.nextMs, next(last + 1) / 20, `${places} places`);
  }
});

t.test('a pause without end is none of the load: it may go on', async (t) => {
  for (const shape of ['EVEN', 'POISSON', 'HOLD'] as const) {
    const steps = [{ seconds: 5, callsPerSecond: 10 }];
    const endless = { seconds: Number.POSITIVE_INFINITY, callsPerSecond: 0 };
    const paused = loadClock({ shape, steps: [...steps, endless], calls: 100, seed: 1 }, WHOLE, seedOf);
    let taken = 0;
    let last = 0;
    for (; paused.nextMs < Number.POSITIVE_INFINITY; paused.take(last)) {
      last = paused.nextMs;
      taken++;
    }
    t.ok(taken >= 30 && taken <= 70 && last < 5000, `${shape}: ${taken} calls`);
    t.notOk(paused.isOver(1e9));
    const again = { seconds: Number.POSITIVE_INFINITY, callsPerSecond: 10 };
    const order = { shape, steps: [...steps, { seconds: 60, callsPerSecond: 0 }, again], calls: 100, seed: 1 };
    const resumed = loadClock(order, WHOLE, seedOf);
    resumed.resume(taken, last);
    const late: number[] = [];
    for (; resumed.nextMs < Number.POSITIVE_INFINITY; resumed.take(resumed.nextMs)) late.push(resumed.nextMs);
    t.equal(taken + late.length, 100, shape);
    if (shape !== 'HOLD') t.ok(late.every((at) => at >= 65_000));
    t.ok(resumed.isOver(1e9));
  }
});

/** Endpoints that each talk for as long as `talkMs` says, under HOLD: begins of calls, and the number in progress. */
function held(clock: LoadClock, endpoints: number, talkMs: number, untilMs: number) {
  const freeAtMs = new Array<number>(endpoints).fill(0);
  const begun: number[] = [];
  for (let now = 0; now <= untilMs && !clock.isOver(now); ) {
    const free = Math.min(...freeAtMs);
    now = Math.max(clock.nextMs, free);
    if (clock.isOver(now) || now > untilMs) break;
    freeAtMs[freeAtMs.indexOf(free)] = now + talkMs;
    begun.push(now);
    clock.take(now);
  }
  return begun;
}

t.test('HOLD begins a call for each one that ends, never faster than its rate, and all its calls', async () => {
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 400 }),
      (sizes, callsPerSecond, talkMs, calls) => {
        const load: LoadOrder = {
          shape: 'HOLD',
          steps: [{ seconds: Number.POSITIVE_INFINITY, callsPerSecond }],
          calls,
          seed: 0,
        };
        const parts = partsOf(sizes);
        const begun = parts.map((part) =>
          held(loadClock(load, part, seedOf), part.until - part.from, talkMs, Number.POSITIVE_INFINITY),
        );
        const isPaced = begun.every((row, i) => {
          const part = parts[i] as LoadPart;
          const gapMs = (1000 * part.of) / (callsPerSecond * (part.until - part.from));
          return row.every((at, k) => k === 0 || at - (row[k - 1] as number) >= gapMs - 1e-6);
        });
        return isPaced && begun.flat().length === calls;
      },
    ),
  );
});

t.test('HOLD keeps all endpoints busy where its rate allows it, and ends with its time', async (t) => {
  const load: LoadOrder = {
    shape: 'HOLD',
    steps: [{ seconds: 60, callsPerSecond: 20 }],
    calls: Number.POSITIVE_INFINITY,
    seed: 0,
  };
  const begun = held(loadClock(load, WHOLE, seedOf), 10, 1000, Number.POSITIVE_INFINITY);
  t.equal(begun.length, 600, 'ten at once, a second each, for a minute');
  t.ok(begun.every((at) => at < 60_000));
});
