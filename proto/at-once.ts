/** The highest number of simultaneous intervals. Pure. */

/**
 * The maximum number at the same time. Each interval starts at its instant and lasts `lastsMs`. If one ends at the instant at
 * which another starts, they do not overlap. The instants may be in any order.
 */
export function maxAtOnce(startsMs: readonly number[], lastsMs: number): number {
  const starts = Float64Array.from(startsMs).sort();
  let first = 0;
  let most = 0;
  for (const [last, at] of starts.entries()) {
    while ((starts[first] as number) + lastsMs <= at) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** The most in any second, wherever it starts. The instants are milliseconds, in any order. */
export const maxInASecond = (atMs: readonly number[]): number => maxAtOnce(atMs, 1000);
