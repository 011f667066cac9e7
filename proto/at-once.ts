/** How many of many things go on at once. Pure. */

/** At most: each goes on from its instant, for so long, and one that ends makes room for one that begins. Instants in any order. */
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
