/** The common pattern of dialled numbers. Pure. */

type Numbers = {
  /** The first in the order of their characters. */
  readonly firstNumber: string | null;
  readonly lastNumber: string | null;
  /** The lengths of the numbers. */
  readonly shortest: number | null;
  readonly longest: number | null;
};

/**
 * In `49301#####`, # stands for each differing character; `49301…` if lengths differ as well. A common prefix of the
 * first and last number is common to all.
 */
export function numberPattern({ firstNumber: first, lastNumber: last, shortest, longest }: Numbers): string | null {
  if (first === null || last === null) return null;
  let same = 0;
  while (same < first.length && first[same] === last[same]) same++;
  if (same === first.length && same === last.length) return first;
  const rest = shortest === longest ? '#'.repeat(first.length - same) : '…';
  return first.slice(0, same) + rest;
}
