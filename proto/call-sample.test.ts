/**
 * Samples of calls: the requested number, from the calls of every endpoint, the same whenever they are drawn, different with
 * another seed.
 */
import t from 'tap';
import fc from '../scripts/test-run/properties.ts';
import { isInSample } from './call-sample.ts';

const CALLS = 100_000;

t.test('a sample is about as large as was asked for, and so is that of each endpoint', async (t) => {
  const asked = fc.record({
    oneIn: fc.integer({ min: 2, max: 300 }),
    seed: fc.nat(),
    step: fc.integer({ min: 1, max: 5000 }),
  });
  fc.assert(
    fc.property(asked, ({ step, ...sample }) => {
      let n = 0;
      for (let call = 0; call < CALLS; call++) if (isInSample(sample, call * step)) n++;
      const expected = CALLS / sample.oneIn;
      // Six standard deviations of this many draws.
      return Math.abs(n - expected) < 6 * Math.sqrt(expected);
    }),
    { numRuns: 200 },
  );
  t.ok(true);
});

t.test('one in one is all; another seed is another sample', async (t) => {
  const numbers = Array.from({ length: 1000 }, (_, i) => i);
  const drawn = (oneIn: number, seed: number) => numbers.filter((number) => isInSample({ oneIn, seed }, number));
  t.same(drawn(1, 5), numbers);
  t.same(drawn(10, 5), drawn(10, 5));
  t.notSame(drawn(10, 5), drawn(10, 6));
});
