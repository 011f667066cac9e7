/** Distributions against published values. */
import { incbet, lgam } from 'cephes';
import t, { type Test } from 'tap';
import {
  binomialTail,
  loadDistributions,
  logChoose,
  normalTails,
  studentQuantile,
  studentTails,
} from './distributions.ts';
import { Z95 } from './z95.ts';

await loadDistributions();

const near = (t: Test, found: number, wanted: number, within = 1e-4) =>
  t.ok(Math.abs(found - wanted) <= within, `${found} is not ${wanted}`);

t.test('special functions', (t) => {
  near(t, lgam(0.5), Math.log(Math.sqrt(Math.PI)), 1e-12);
  near(t, lgam(101), 363.73937555556347, 1e-10);
  near(t, incbet(2, 5, 0.3), 0.579825, 1e-9);
  near(t, studentTails(2.228139, 10), 0.05, 1e-6);
  near(t, studentQuantile(0.05, 4), 2.776445, 1e-6);
  near(t, studentQuantile(0.05, 1e7), 1.959964, 1e-5);
  near(t, binomialTail(3, 10, 0.1), 0.0701908264, 1e-9);
  t.equal(binomialTail(0, 10, 0.1), 1);
  t.end();
});

t.test('distributions as SciPy 1.17 has them', (t) => {
  const alike = (found: number, wanted: number) => near(t, found / wanted, 1, 1e-8);
  for (const [hits, trials, share, tail] of [
    [1, 1000, 0.001, 0.6323045752290359],
    [64, 1000, 0.05, 0.028428397283994992],
    [1100, 100_000, 0.01, 0.0009117803412450804],
    [5100, 1_000_000, 0.005, 0.0795080776298997],
  ] as const)
    alike(binomialTail(hits, trials, share), tail);
  t.equal(binomialTail(10, 10, 1), 1);
  t.equal(binomialTail(1, 10, 0), 0);
  for (const [value, freedom, tails] of [
    [0, 7, 1],
    [1, 1, 0.5],
    [-1.5, 12, 0.15945750351320687],
    [2, 33.3, 0.05371074377104653],
    [3, 2.5, 0.07257609554903183],
    [5, 4, 0.007490433881274525],
  ] as const)
    alike(studentTails(value, freedom), tails);
  t.equal(studentTails(Number.POSITIVE_INFINITY, 3), 0);
  for (const [freedom, quantile] of [
    [1, 12.706204736174705],
    [1.3, 7.500529325562036],
    [3.7, 2.8675207071911903],
    [33.3, 2.033819224134053],
    [1000, 1.9623390808264085],
  ] as const)
    alike(studentQuantile(0.05, freedom), quantile);
  for (const [z, tails] of [
    [0, 1],
    [1, 0.31731050786291415],
    [-Z95, 0.05],
    [5, 5.733031437583866e-7],
  ] as const)
    alike(normalTails(z), tails);
  alike(logChoose(52, 5), Math.log(2_598_960));
  t.end();
});
