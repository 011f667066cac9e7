/** Unix time with fractions of a millisecond, which Date.now() lacks: it is the base of all agents' instants. */
export function unixMs(): number {
  const wall = Date.now();
  const fine = performance.timeOrigin + performance.now();
  // If they differ, the wall clock has been set since the process started.
  return Math.abs(fine - wall) < 2 ? fine : wall;
}
