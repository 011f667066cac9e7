/** Unix time with fractions of a millisecond, which Date.now() has none of: agents tell all their instants by it. */
export function unixMs(): number {
  const wall = Date.now();
  const fine = performance.timeOrigin + performance.now();
  // Where they differ, the wall clock has been set since we started.
  return Math.abs(fine - wall) < 2 ? fine : wall;
}
