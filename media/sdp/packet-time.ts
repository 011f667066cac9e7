/** Packet times: a few values that every phone supports, for which payloads are prepared. */

/** The values in milliseconds, ascending. */
export const PACKET_TIMES_MS: readonly number[] = [10, 20, 30, 40, 60];

/**
 * The packet time nearest to the peer's wish (a=ptime), the shorter of two equally near ones, and not above `maxMs`
 * (a=maxptime) unless that excludes all of them. RFC 8866, 6.4: a=ptime is only a preference.
 */
export function packetTimeMs(wishMs: number, maxMs: number): number {
  let best = PACKET_TIMES_MS[0]!;
  for (const time of PACKET_TIMES_MS)
    if (time <= maxMs && Math.abs(time - wishMs) < Math.abs(best - wishMs)) best = time;
  return best;
}
