/**
 * The distributions of the tests, by Cephes (S. L. Moshier) as WebAssembly. It takes 7 MB and some 30 ms, so the
 * operations that compute with it import what needs it only then, and load it first.
 */
import { bdtrc, compiled, incbet, incbi, lbeta, ndtr } from 'cephes';

/** All functions below throw before this has resolved once. */
export async function loadDistributions(): Promise<void> {
  await compiled;
}

/** P(X >= hits) of a binomial distribution. */
export const binomialTail = (hits: number, trials: number, share: number): number =>
  hits <= 0 ? 1 : hits > trials ? 0 : bdtrc(hits - 1, trials, share);

/** P(|T| >= |t|) of Student's t with `freedom` degrees of freedom. */
export const studentTails = (t: number, freedom: number): number =>
  Number.isFinite(t) ? incbet(freedom / 2, 0.5, freedom / (freedom + t * t)) : 0;

/** The t for which both tails together have the probability `tails`. */
export function studentQuantile(tails: number, freedom: number): number {
  const inner = incbi(0.5, freedom / 2, 1 - tails);
  return Math.sqrt((freedom * inner) / (1 - inner));
}

/** P(|Z| >= |z|) of the normal distribution. */
export const normalTails = (z: number): number => 2 * ndtr(-Math.abs(z));

/** The logarithm of how many ways there are to choose `k` of `n`. */
export const logChoose = (n: number, k: number): number => -Math.log1p(n) - lbeta(n - k + 1, k + 1);
