/**
 * Special functions for the tests: logarithm of the gamma function, incomplete beta function, Student's t, the normal
 * distribution. Pure.
 */

/** Lanczos, g = 7, 9 terms (W. H. Press et al., Numerical Recipes, 3rd ed., 6.1): relative error below 1e-14 for x > 0. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

export function logGamma(x: number): number {
  const y = x - 1;
  const sum = LANCZOS.reduce((all, term, i) => (i === 0 ? term : all + term / (y + i)), 0);
  const base = y + LANCZOS.length - 1.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(base) - base + Math.log(sum);
}

const MOST_TERMS = 10_000;
const PRECISION = 1e-15;
const TINY = 1e-300;

/** The regularized incomplete beta function I_x(a, b), by Lentz's continued fraction (DLMF 8.17.22). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast on this side of the mean.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

function fraction(x: number, a: number, b: number): number {
  const atLeast = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / atLeast(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / atLeast(1 + even * d);
    c = atLeast(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / atLeast(1 + odd * d);
    c = atLeast(1 + odd / c);
    const factor = d * c;
    result *= factor;
    if (Math.abs(factor - 1) < PRECISION) break;
  }
  return result;
}

/** P(X >= hits) of a binomial distribution, exactly (DLMF 8.17.5). */
export const binomialTail = (hits: number, trials: number, share: number): number => {
  if (hits <= 0) return 1;
  if (hits > trials) return 0;
  return incompleteBeta(share, hits, trials - hits + 1);
};

/** P(|T| >= |t|) of Student's t with `freedom` degrees of freedom. */
export const studentTails = (t: number, freedom: number): number =>
  Number.isFinite(t) ? incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) : 0;

/** The t that both tails beyond it have `tails` of the probability, by bisection. */
export function studentQuantile(tails: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (studentTails(high, freedom) > tails && high < 1e9) high *= 2;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (studentTails(middle, freedom) > tails) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** With more degrees of freedom t is normal, within the printed precision. */
const NORMAL_FREEDOM = 1e7;
export const normalTails = (z: number): number => studentTails(z, NORMAL_FREEDOM);
/** The quantile of 95 %, equal to `studentQuantile(0.05, infinite)`. */
export const Z95 = 1.959963984540054;
