/** The used functions of the library: it has types, but its `exports` do not lead to them. */
declare module 'cephes' {
  /** All functions throw before this is resolved. */
  export const compiled: Promise<void>;
  /** P(X > k) of a binomial distribution of `n` trials. */
  export function bdtrc(k: number, n: number, p: number): number;
  /** The regularized incomplete beta function I_x(a, b), and its inverse by x. */
  export function incbet(a: number, b: number, x: number): number;
  export function incbi(a: number, b: number, y: number): number;
  /** The natural logarithm of the beta and of the gamma function. */
  export function lbeta(a: number, b: number): number;
  export function lgam(x: number): number;
  /** P(Z <= z) of the normal distribution. */
  export function ndtr(z: number): number;
}
