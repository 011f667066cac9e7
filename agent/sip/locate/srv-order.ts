/** The order in which the servers of an SRV answer are tried (RFC 2782, "Usage rules"). */
import type { Srv } from '../../net/names/dns-port.ts';

/**
 * Orders records by priority; within one, they are drawn by weight. Among those of equal priority, every arrangement has the
 * probability that drawing without return gives it; weight 0 has a very small chance while others are left. `random` gives
 * [0, 1).
 */
export function srvOrder(records: readonly Srv[], random: () => number): Srv[] {
  const ordered: Srv[] = [];
  const priorities = [...new Set(records.map((record) => record.priority))].sort((a, b) => a - b);
  for (const priority of priorities) {
    // Weight 0 first: the running sum then gives it its small chance, and never more.
    const left = records.filter((record) => record.priority === priority).sort((a, b) => a.weight - b.weight);
    while (left.length > 0) ordered.push(...left.splice(drawn(left, random()), 1));
  }
  return ordered;
}

/** The first whose running sum of weights is at or above a number drawn from 0 to their total, both included. */
function drawn(left: readonly Srv[], draw: number): number {
  const total = left.reduce((sum, { weight }) => sum + weight, 0);
  const number = Math.floor(draw * (total + 1));
  let sum = 0;
  return left.findIndex(({ weight }) => {
    sum += weight;
    return sum >= number;
  });
}
