/** Unix time with fractions of a millisecond, which Date.now() lacks: the time of all agents' instants. */
export function unixMs(): number {
  const wall = Date.now();
  const fine = performance.timeOrigin + performance.now();
  // Where they differ, the wall clock has been set since we started.
  return Math.abs(fine - wall) < 2 ? fine : wall;
}
