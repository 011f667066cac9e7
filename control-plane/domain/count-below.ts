/** How many of the items, whose values ascend, are below `limit`: the index of the first that is not. */
export function countBelow<Item>(items: readonly Item[], limit: number, keyOf: (item: Item) => number): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (keyOf(items[middle] as Item) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
