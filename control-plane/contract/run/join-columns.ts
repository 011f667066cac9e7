/** Joins columns of equal steps, such as those of a timeline, with later values of their last steps. */

/** The first `kept` values of `known`, then the values of `news` from index `from` on. */
export const joinColumn = <T>(known: readonly T[], kept: number, news: readonly T[], from = 0): T[] => [
  ...known.slice(0, kept),
  ...news.slice(from),
];

type Columns<V> = { [K in keyof V]: V[K][] };

/** The same for each column of `news`. */
export function joinColumns<V extends object>(known: Columns<V>, kept: number, news: Columns<V>, from = 0): Columns<V> {
  const joined = { ...news };
  for (const name in news) joined[name] = joinColumn(known[name] ?? [], kept, news[name], from);
  return joined;
}
