/** Divides a whole number by weights: the largest remainders are rounded up, so each share is within one of its weight. Pure. */
export function sharesOf(weights: readonly number[], total: number): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const exact = weights.map((weight) => (total * weight) / all);
  const left = total - exact.reduce((sum, share) => sum + Math.floor(share), 0);
  const up = new Set(
    exact
      .map((share, i) => ({ i, rest: share % 1 }))
      .sort((a, b) => b.rest - a.rest)
      .slice(0, left)
      .map(({ i }) => i),
  );
  return exact.map((share, i) => Math.floor(share) + (up.has(i) ? 1 : 0));
}
