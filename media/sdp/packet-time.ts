/** How much audio we put into one packet: a few times that every phone knows, for which payloads stand ready. */

/** Milliseconds, ascending. */
export const PACKET_TIMES_MS: readonly number[] = [10, 20, 30, 40, 60];

/**
 * The nearest packet time to what the peer wishes (a=ptime), the shorter of two that are equally near, and none above `mostMs`
 * (a=maxptime) unless that forbids all of them. RFC 8866, 6.4: a=ptime is a wish, not a demand.
 */
export function packetTimeMs(wishMs: number, mostMs: number): number {
  let best = PACKET_TIMES_MS[0]!;
  for (const time of PACKET_TIMES_MS)
    if (time <= mostMs && Math.abs(time - wishMs) < Math.abs(best - wishMs)) best = time;
  return best;
}
