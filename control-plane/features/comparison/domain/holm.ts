/** Multiple tests: S. Holm's step-down correction (Scandinavian Journal of Statistics 6 (1979) 65-70). Pure. */

/** Returns the values in the given order; each is at most 1. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, i) => ({ p, i })).sort((x, y) => x.p - y.p);
  const corrected = new Array<number>(ps.length);
  let least = 0;
  for (const [rank, { p, i }] of order.entries()) {
    least = Math.max(least, Math.min(1, (ps.length - rank) * p));
    corrected[i] = least;
  }
  return corrected;
}
