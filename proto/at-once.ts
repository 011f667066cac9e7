/** The highest number of simultaneous intervals. Pure. */

/**
 * The maximum: each interval starts at its instant and lasts this long; one that ends at an instant frees its place for
 * one that starts then. Instants in any order.
 */
export function mostAtOnce(startsMs: readonly number[], lastsMs: number): number {
  const starts = Float64Array.from(startsMs).sort();
  let first = 0;
  let most = 0;
  for (const [last, at] of starts.entries()) {
    while ((starts[first] as number) + lastsMs <= at) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
