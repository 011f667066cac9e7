/** The index of a packet, 48 bits: rollover counter and sequence number (RFC 3711, 3.3.1). */

const HALF = 0x8000;
const SEQUENCES = 0x1_0000;

/**
 * The most likely index of a packet with this sequence number when `highest` is the highest so far. Negative: before
 * the first rollover, so the packet is invalid.
 */
export function estimateIndex(highest: number, sequence: number): number {
  const last = highest % SEQUENCES;
  const index = highest - last + sequence;
  if (last < HALF) return sequence - last > HALF ? index - SEQUENCES : index;
  return last - HALF > sequence ? index + SEQUENCES : index;
}
