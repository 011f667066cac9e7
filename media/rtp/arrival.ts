/**
 * The arrival of packets: interarrival jitter (RFC 3550, 6.4.1 and A.8) and the emulation of a fixed playout buffer.
 * Both use the transit time, arrival minus timestamp, in units of the RTP clock.
 */
import { beginAdaptive, observeAdaptive, restTalkspurt } from './adaptive-playout.ts';
import { countVariation } from './delay-variation.ts';
import type { RtpPacket } from './header.ts';
import type { ReceiveColumns } from './receive-columns.ts';

/** The emulated buffer plays a packet this long after the fastest packet of its window would have been played without one. */
export const PLAYOUT_BUFFER_MS = 60;

/**
 * The least transit is that of the last 10 to 20 s, so that clock drift (100 ppm are 6 ms a minute) does not produce
 * late packets.
 */
export const TRANSIT_WINDOW_MS = 10_000;

/** A buffer that finds every packet late for this many packets is misaligned, and re-anchors itself as real ones do. */
export const RESYNC_PACKETS = 50;

/**
 * A larger change of transit time, beyond the pause before the packet, is not a delay: the sender changed its timestamp
 * base (as gateways do at a transfer, with the same SSRC).
 */
const TRANSIT_JUMP_MS = 5000;

/** Seeds both estimators with the first packet of a source. */
export function beginArrival(c: ReceiveColumns, row: number, timestamp: number, arrivalMs: number): void {
  const transit = arrivalMs * c.unitsPerMs[row]! - timestamp;
  c.extTimestamp[row] = timestamp;
  c.transit[row] = transit;
  c.jitter[row] = 0;
  c.frameNext[row] = 0;
  if (c.frameTimed[row] === 2) c.frameTimed[row] = 1;
  c.transitBase[row]! += 1;
  c.intervalLeastTransit[row] = Number.POSITIVE_INFINITY;
  c.talkspurt[row] = 0;
  beginAdaptive(c, row);
  anchorPlayout(c, row, transit, arrivalMs);
}

function anchorPlayout(c: ReceiveColumns, row: number, transit: number, arrivalMs: number): void {
  c.leastTransit[row] = transit;
  c.leastTransitBefore[row] = transit;
  c.windowEndMs[row] = arrivalMs + TRANSIT_WINDOW_MS;
  c.lateRun[row] = 0;
}

/** A packet may be too late for one of the emulated buffers, for both, or for neither (0). */
export const LATE_FOR_FIXED = 1;
export const LATE_FOR_ADAPTIVE = 2;

/**
 * Counts the arrival of a new packet (not a duplicate), in the order of arrival, including reordered packets (as the
 * RFC says; other tools skip them). `gapMs` is the time since the previous arrival. At the first packet of a talkspurt
 * (marker bit, or the first after comfort noise) a receiver may choose its playout delay again (RFC 3551, 4.1). Returns
 * the buffers that it came too late for.
 */
export function observeArrival(
  c: ReceiveColumns,
  row: number,
  packet: RtpPacket,
  gapMs: number,
  inOrder: boolean,
): number {
  const { arrivalMs } = packet;
  const isVideo = c.frameTimed[row] !== 0;
  if (isVideo && !beginsFrame(c, row, packet, inOrder)) return 0;
  // The signed 32-bit distance survives the wrap of the timestamp; the sum of distances never wraps.
  const before = c.extTimestamp[row]!;
  const unitsPerMs = c.unitsPerMs[row]!;
  const extended = before + ((packet.timestamp - before) | 0);
  const transit = arrivalMs * unitsPerMs - extended;
  const change = Math.abs(transit - c.transit[row]!);
  if (change > (TRANSIT_JUMP_MS + gapMs) * unitsPerMs) {
    if (!inOrder) return LATE_FOR_FIXED | LATE_FOR_ADAPTIVE;
    observeJump(c, row, extended, transit, arrivalMs);
    return 0;
  }
  c.extTimestamp[row] = extended;

  if (c.frameTimed[row] === 1) {
    // The estimators may have been seeded with any packet of the frame.
    c.frameTimed[row] = 2;
    c.transit[row] = transit;
    return 0;
  }
  const jitter = c.jitter[row]! + (change - c.jitter[row]!) / 16;
  c.transit[row] = transit;
  c.jitter[row] = jitter;
  c.jitterSum[row]! += jitter;
  c.jitterCount[row]! += 1;
  if (jitter > c.jitterMax[row]!) c.jitterMax[row] = jitter;
  if (jitter > c.jitterIntervalMax[row]!) c.jitterIntervalMax[row] = jitter;
  if (change > c.variationMax[row]!) c.variationMax[row] = change;
  if (transit < c.intervalLeastTransit[row]!) c.intervalLeastTransit[row] = transit;

  // Video has no playout buffer here: its receiver decides how long to wait for a frame.
  if (isVideo) return 0;
  const aboveMs = aboveLeast(c, row, transit, arrivalMs) / unitsPerMs;
  countVariation(c, row, aboveMs);
  if (inOrder && (packet.marker || c.talkspurt[row] === 1)) {
    c.talkspurt[row] = 0;
    c.talkspurts[row]! += 1;
    restTalkspurt(c, row);
    observeAdaptive(c, row, aboveMs, gapMs);
    anchorPlayout(c, row, transit, arrivalMs);
    return 0;
  }
  const late = observeAdaptive(c, row, aboveMs, gapMs) ? LATE_FOR_ADAPTIVE : 0;
  return isLateForFixed(c, row, aboveMs, transit, arrivalMs) ? late | LATE_FOR_FIXED : late;
}

/**
 * True for a packet that follows the end of a frame. The other packets of a frame leave after its timestamp, and
 * retransmissions much later: they are not used for jitter.
 */
function beginsFrame(c: ReceiveColumns, row: number, packet: RtpPacket, inOrder: boolean): boolean {
  const begins = inOrder && c.frameNext[row] === packet.sequence + 1;
  if (inOrder && packet.marker) c.frameNext[row] = ((packet.sequence + 1) & 0xffff) + 1;
  return begins;
}

/** Timestamps have another base: transit and playout are seeded again, J is kept. A straggler with the old base is too late. */
function observeJump(c: ReceiveColumns, row: number, extended: number, transit: number, arrivalMs: number): void {
  c.restarts[row]! += 1;
  c.extTimestamp[row] = extended;
  c.transit[row] = transit;
  c.transitBase[row]! += 1;
  c.intervalLeastTransit[row] = Number.POSITIVE_INFINITY;
  beginAdaptive(c, row);
  anchorPlayout(c, row, transit, arrivalMs);
}

/** The transit above the least one of the present and the previous window, in units. */
function aboveLeast(c: ReceiveColumns, row: number, transit: number, arrivalMs: number): number {
  if (arrivalMs >= c.windowEndMs[row]!) {
    c.leastTransitBefore[row] = c.leastTransit[row]!;
    c.leastTransit[row] = transit;
    c.windowEndMs[row] = arrivalMs + TRANSIT_WINDOW_MS;
  } else if (transit < c.leastTransit[row]!) {
    c.leastTransit[row] = transit;
  }
  return transit - Math.min(c.leastTransit[row]!, c.leastTransitBefore[row]!);
}

function isLateForFixed(c: ReceiveColumns, row: number, aboveMs: number, transit: number, arrivalMs: number): boolean {
  if (aboveMs <= PLAYOUT_BUFFER_MS) {
    c.lateRun[row] = 0;
    return false;
  }
  c.lateRun[row]! += 1;
  if (c.lateRun[row]! < RESYNC_PACKETS) return true;
  anchorPlayout(c, row, transit, arrivalMs);
  return false;
}
