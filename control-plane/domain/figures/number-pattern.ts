/** What dialled numbers have in common. Pure. */

type Numbers = {
  /** In the order of their characters. */
  readonly firstNumber: string | null;
  readonly lastNumber: string | null;
  /** Lengths. */
  readonly shortest: number | null;
  readonly longest: number | null;
};

/**
 * `49301#####`: # for each differing character; `49301…` if lengths differ, too. A common prefix of the first and last
 * is common to all.
 */
export function numberPattern({ firstNumber: first, lastNumber: last, shortest, longest }: Numbers): string | null {
  if (first === null || last === null) return null;
  let same = 0;
  while (same < first.length && first[same] === last[same]) same++;
  if (same === first.length && same === last.length) return first;
  const rest = shortest === longest ? '#'.repeat(first.length - same) : '…';
  return first.slice(0, same) + rest;
}
