/** Steps of every shape: their calls are the integral of their rate, and what agents read is what was written. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import {
  fastestOf,
  gathered,
  type LoadStep,
  rateAt,
  readStep,
  secondsUntil,
  slowestOf,
  stepsUntil,
  wireStep,
} from './load-step.ts';
import { LOAD_SHAPES, loadShape, paceOf, paceWord } from './shapes/shapes.ts';

const SECONDS = 120;

/** What a form suggests for each shape, over two minutes. */
const suggested = (callsPerSecond: number): { shape: string; steps: readonly LoadStep[] }[] =>
  LOAD_SHAPES.filter((shape) => loadShape(shape).pace !== null).map((shape) => {
    const row = loadShape(shape);
    const steps = row.steps((row.suggest?.(callsPerSecond) ?? { callsPerSecond }) as never);
    return { shape, steps: stepsUntil(steps, SECONDS) };
  });

t.test('the calls of the steps are the integral of their rate, between the slowest and the fastest', async (t) => {
  for (const { shape, steps } of suggested(8)) {
    const parts = 1000;
    let sum = 0;
    for (let i = 0; i < SECONDS * parts; i++) {
      const rate = rateAt(steps, (i + 0.5) / parts) ?? 0;
      sum += rate / parts;
      if (rate > 0 && (rate > fastestOf(steps) + 1e-9 || rate < slowestOf(steps) - 1e-9)) t.fail(`${shape}: ${rate}`);
    }
    t.ok(Math.abs(sum - gathered(steps)) < 1e-3 * sum, `${shape}: ${sum} and ${gathered(steps)}`);
  }
});

t.test('a call is due when the steps have gathered it, whatever the shape and the rate', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.double({ min: 0, max: 1, noNaN: true }), (rate, share) =>
      suggested(rate).every(({ steps }) => {
        const calls = share * gathered(steps);
        return Math.abs(gathered(stepsUntil(steps, secondsUntil(steps, calls))) - calls) < 1e-6 * (1 + calls);
      }),
    ),
  );
});

t.test('the instant of a call on a wave is exact, also where the rate falls to nothing', async () => {
  const rates = fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1000, noNaN: true }));
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      rates,
      rates,
      fc.double({ min: 1, max: 86_400, noNaN: true }),
      share,
      (from, to, periodSeconds, share) => {
        if (from + to === 0) return true;
        const step = {
          callsPerSecond: from,
          seconds: 3 * periodSeconds,
          wave: { toCallsPerSecond: to, periodSeconds },
        };
        const calls = share * gathered([step]);
        const at = secondsUntil([step], calls);
        const found = gathered([{ ...step, seconds: at }]);
        return (
          at >= 0 && at <= 3 * periodSeconds * (1 + 1e-12) && Math.abs(found - calls) <= 1e-12 * (1 + gathered([step]))
        );
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('agents read the steps that were written, endless ones too', async (t) => {
  for (const { steps } of suggested(8)) for (const step of steps) t.same(readStep(wireStep(step)), step);
  const endless = { seconds: Number.POSITIVE_INFINITY, callsPerSecond: 3 };
  t.same(readStep(wireStep(endless)), endless);
  t.equal(readStep({ callsPerSecond: -1 }), null);
  t.equal(readStep({ seconds: -1, callsPerSecond: 1 }), null);
  t.equal(readStep({ callsPerSecond: 1, toCallsPerSecond: -1, periodSeconds: 5 }), null);
  t.equal(readStep({ callsPerSecond: 1, toCallsPerSecond: 2, periodSeconds: Number.POSITIVE_INFINITY }), null);
});

t.test('the words of the wire are those of every version', async (t) => {
  for (const word of ['EVEN', 'POISSON', 'HOLD', 'SINE'] as const) t.equal(paceWord(word), word);
  t.equal(paceWord('WAVE'), undefined);
  t.match(paceOf('POISSON'), { isRandom: true, waits: false });
  t.match(paceOf('HOLD'), { isRandom: false, waits: true });
});
