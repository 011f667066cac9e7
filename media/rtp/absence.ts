/**
 * Expected media that did not arrive, measured by the clock. Sequence numbers show losses between two packets. They
 * show neither the start nor the end of a stream, nor a sender that paused and then continued its numbers. A hole is a
 * second or more without a new packet while the session allows the far end to send (RFC 3264, 5.1 and 8.4), unless the
 * sender suppresses silence (RFC 3389; RFC 3551, 4.1).
 */
import type { Columns } from './columns.ts';
import type { RtpPacket } from './header.ts';

/** Shorter pauses are left to jitter, loss and playout. */
export const HOLE_MS = 1000;
/** No sender puts more into one packet (RFC 3551, 4.2). */
const LONGEST_PACKET_MS = 200;
/** How long after a hole delayed packets of it may still arrive. */
const CATCH_UP_MS = 10_000;
/** Value of `quietFromMs`: no media expected. */
const NOTHING_OWED = Number.POSITIVE_INFINITY;

export const ABSENCE_COLUMNS = {
  awaitedFromMs: 'f64', // media expected since; 0: not expected
  quietFromMs: 'f64', // the last packet, or the instant from which one was expected; Infinity: none expected
  packetUnits: 'u32', // as sent: a step between neighbours that occurred twice in a row, in timestamp units; 0: not known yet
  lastUnits: 'u32', // the step between the last two neighbours
  packetLengthMs: 'f64', // as agreed; Infinity: packets without duration (video)
  awaitedBeforeMs: 'f64', // sum of the spans before the present one
  pauses: 'u8', // 1: the sender has left out silence by just the marker bit (RFC 3551, 4.1)
  absentMs: 'f64', // sum of all holes
  absentPackets: 'u32', // that belong into them, beyond those whose numbers are missing
  absentRuns: 'u32', // runs of these without an adjacent missing number
  longestAbsentRun: 'u32', // in packets
  returnable: 'u32', // packets of the last hole that were counted absent but may only be delayed; 0: none
  returnableRun: 'u8', // 1: they are a run of `absentRuns`
  holeEndMs: 'f64', // when it was closed
  sinceHole: 'u32', // packets since then, including those missing by number
  heldUp: 'u32', // of these, packets that arrived sooner than real time
  headMs: 'f64', // the hole before the first packet; 0: none
  gaps: 'u32', // holes between two packets
  longestHoleMs: 'f64', // of these
  longestHoleAtMs: 'f64', // start of the longest hole
  tailMs: 'f64', // the hole that was open at the end; 0: none
} as const;
export type AbsenceColumns = Columns<typeof ABSENCE_COLUMNS> & {
  readonly unitsPerMs: Float64Array;
  readonly firstArrivalMs: Float64Array;
  readonly extTimestamp: Float64Array;
};

/** Media are expected from `atMs` on. `packetMs`: duration of one packet as agreed, 0 if packets have no duration. */
export function beginAwaiting(c: AbsenceColumns, row: number, packetMs: number, atMs: number): void {
  c.packetLengthMs[row] = packetMs === 0 ? Number.POSITIVE_INFINITY : packetMs;
  if (c.awaitedFromMs[row] !== 0) return;
  c.awaitedFromMs[row] = atMs;
  c.quietFromMs[row] = atMs;
}

/** Media are no longer expected: a hold, another session, or the end of the stream (`ends`). */
export function stopAwaiting(c: AbsenceColumns, row: number, atMs: number, ends: boolean): void {
  if (c.awaitedFromMs[row] === 0) return;
  c.returnable[row] = 0;
  const holeMs = openHoleMs(c, row, atMs);
  if (holeMs > 0) {
    countAbsent(c, row, holeMs, Math.floor(holeMs / lengthMs(c, row)), 0);
    if (ends && c.firstArrivalMs[row] !== 0) c.tailMs[row] = holeMs;
    else notePlace(c, row, holeMs, atMs);
  }
  c.awaitedBeforeMs[row] = awaitedMs(c, row, atMs);
  c.awaitedFromMs[row] = 0;
  c.quietFromMs[row] = NOTHING_OWED;
}

/**
 * A new packet (not a duplicate) has arrived; the first of a stream is reported before its arrival is noted. `ahead`:
 * distance of its number from the highest so far; 0: it starts a source, or it was overtaken.
 */
export function noteMedia(c: AbsenceColumns, row: number, packet: RtpPacket, arrivalMs: number, ahead: number): void {
  if (c.awaitedFromMs[row] === 0) return;
  const holeMs = arrivalMs - c.quietFromMs[row]!;
  // Packets that arrived before an excused delay, and are read after it, do not reduce the absence.
  if (holeMs < 0 && c.quietFromMs[row] !== NOTHING_OWED) return;
  c.quietFromMs[row] = arrivalMs;
  if (holeMs >= HOLE_MS) closeHole(c, row, packet, arrivalMs, ahead, holeMs);
  else if (c.returnable[row] !== 0) takeBack(c, row, arrivalMs, ahead);
}

function closeHole(
  c: AbsenceColumns,
  row: number,
  packet: RtpPacket,
  arrivalMs: number,
  ahead: number,
  holeMs: number,
): void {
  if (packet.marker && ahead === 1) {
    c.pauses[row] = 1;
    return;
  }
  // Of a hole between two packets, the second one closes it.
  const closing = c.firstArrivalMs[row] === 0 ? 0 : 1;
  const packets = Math.round(holeMs / lengthMs(c, row)) - closing;
  countAbsent(c, row, holeMs, packets, Math.max(0, ahead - 1));
  notePlace(c, row, holeMs, arrivalMs);
  awaitHeldUp(c, row, packet, arrivalMs, ahead, holeMs, packets);
}

/** If the packet that closes a hole was due long before, by its timestamp, other packets of the hole may follow. */
function awaitHeldUp(
  c: AbsenceColumns,
  row: number,
  { timestamp }: RtpPacket,
  arrivalMs: number,
  ahead: number,
  holeMs: number,
  packets: number,
): void {
  const sentMs = ((timestamp - c.extTimestamp[row]!) | 0) / c.unitsPerMs[row]!;
  const isLate = ahead > 0 && holeMs - sentMs >= holeMs / 2;
  c.returnable[row] = isLate ? Math.max(0, packets - (ahead - 1)) : 0;
  c.returnableRun[row] = ahead === 1 ? 1 : 0;
  c.holeEndMs[row] = arrivalMs;
  c.sinceHole[row] = 0;
  c.heldUp[row] = 0;
}

/** A packet that arrives sooner after the previous one than real time was delayed: it is late, not absent. */
function takeBack(c: AbsenceColumns, row: number, arrivalMs: number, ahead: number): void {
  const sinceMs = arrivalMs - c.holeEndMs[row]!;
  if (sinceMs >= CATCH_UP_MS) {
    c.returnable[row] = 0;
    return;
  }
  c.sinceHole[row]! += ahead;
  const early = Math.round(c.sinceHole[row]! - c.heldUp[row]! - sinceMs / lengthMs(c, row));
  if (early <= 0) return;
  // Includes the first packet, which closed the hole.
  const back = Math.min(c.returnable[row]!, c.heldUp[row] === 0 ? early + 1 : early);
  c.heldUp[row]! += early;
  c.returnable[row]! -= back;
  c.absentPackets[row]! -= back;
  if (c.returnable[row] === 0) c.absentRuns[row]! -= c.returnableRun[row]!;
}

/** The packet announces silence: nothing is expected until the next one. */
export function noteSilence(c: AbsenceColumns, row: number): void {
  if (c.awaitedFromMs[row] !== 0) c.quietFromMs[row] = NOTHING_OWED;
}

/**
 * This host was stalled for `ms`: packets that our end should have sent meanwhile are not a fault of the network.
 * Received packets wait in the kernel with their arrival times.
 */
export function excuseDelay(c: AbsenceColumns, row: number, ms: number): void {
  if (c.awaitedFromMs[row] !== 0) c.quietFromMs[row]! += ms;
}

/**
 * Learns the duration of a packet; `units`: the step between the timestamps of two neighbours. A single step may be a
 * pause.
 */
export function notePacketTime(c: AbsenceColumns, row: number, units: number): void {
  if (units === c.lastUnits[row] && units > 0 && units <= LONGEST_PACKET_MS * c.unitsPerMs[row]!) {
    c.packetUnits[row] = units;
  }
  c.lastUnits[row] = units;
}

/** Time in which media were expected, up to `atMs`. */
export const awaitedMs = (c: AbsenceColumns, row: number, atMs: number): number =>
  c.awaitedBeforeMs[row]! + (c.awaitedFromMs[row] === 0 ? 0 : Math.max(0, atMs - c.awaitedFromMs[row]!));

/** Packets of the hole that is open at `atMs`. They count as missing until the next packet shows the reason. */
export function openHolePackets(c: AbsenceColumns, row: number, atMs: number): number {
  const holeMs = openHoleMs(c, row, atMs);
  return holeMs === 0 ? 0 : Math.floor(holeMs / lengthMs(c, row));
}

/** How long a hole has been open at `atMs`; 0: none is. A sender that suppresses silence may be silent again. */
function openHoleMs(c: AbsenceColumns, row: number, atMs: number): number {
  if (c.awaitedFromMs[row] === 0 || c.pauses[row] === 1) return 0;
  const holeMs = atMs - c.quietFromMs[row]!;
  return holeMs >= HOLE_MS ? holeMs : 0;
}

/** `packets` belong to the hole; `numbered` of them are missing by number and already count as lost. */
function countAbsent(c: AbsenceColumns, row: number, holeMs: number, packets: number, numbered: number): void {
  c.absentMs[row]! += holeMs;
  const more = packets - numbered;
  if (more <= 0) return;
  c.absentPackets[row]! += more;
  if (numbered === 0) c.absentRuns[row]! += 1;
  if (packets > c.longestAbsentRun[row]!) c.longestAbsentRun[row] = packets;
}

/** Where the hole was that `untilMs` ended. */
function notePlace(c: AbsenceColumns, row: number, holeMs: number, untilMs: number): void {
  if (c.firstArrivalMs[row] === 0) {
    c.headMs[row]! += holeMs;
    return;
  }
  c.gaps[row]! += 1;
  if (holeMs <= c.longestHoleMs[row]!) return;
  c.longestHoleMs[row] = holeMs;
  c.longestHoleAtMs[row] = untilMs - holeMs;
}

const lengthMs = (c: AbsenceColumns, row: number): number =>
  c.packetUnits[row] === 0 || c.packetLengthMs[row] === Number.POSITIVE_INFINITY
    ? c.packetLengthMs[row]!
    : c.packetUnits[row]! / c.unitsPerMs[row]!;
