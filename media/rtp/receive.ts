/**
 * Receive statistics as a reducer: it takes the old row and a packet and produces the new row; the arrival time is an
 * argument. RFC 3550, A.1 and A.3, plus what a measuring receiver needs: loss by sets instead of by subtraction.
 */
import {
  forgetAnchor,
  noteEarlier,
  noteEventBeside,
  noteMedia,
  noteOther,
  noteOvertaken,
  noteSilence,
  noteSource,
  stopAwaiting,
} from './absence.ts';
import { beginArrival, LATE_FOR_ADAPTIVE, LATE_FOR_FIXED, observeArrival } from './arrival.ts';
import type { RtpPacket } from './header.ts';
import { noteDuration, notePacketTime } from './packet-duration.ts';
import {
  expectedOfSource,
  isComfortNoise,
  isExpected,
  isFormer,
  NO_BAD_SEQUENCE,
  type ReceiveColumns,
  WINDOW,
} from './receive-columns.ts';
import {
  advanceWindow,
  beginWindow,
  hasArrived,
  isJudged,
  markArrived,
  markPlayed,
  settleWindow,
} from './sequence-window.ts';

/** RFC 3550, A.1: up to a minute of packets may be lost, up to two seconds reordered. */
export const MAX_DROPOUT = 3000;
const MAX_MISORDER = 100;

/**
 * Counts one RTP packet of the negotiated peer. `arrivalMs` is from any monotonic clock, if possible the kernel's
 * receive time. The first packet counts (without the RFC's probation); `beginReceiving` starts a row.
 */
export function observePacket(c: ReceiveColumns, row: number, packet: RtpPacket, arrivalMs: number): void {
  packet.arrivalMs = arrivalMs;
  packet.isAudio = isExpected(c, row, packet.payloadType);
  Atomics.add(c.version, row, 1);
  if (!packet.isAudio) observeEvent(c, row, packet);
  else if (c.known[row] === 0) beginSource(c, row, packet, packet.sequence);
  else if (packet.ssrc !== c.ssrc[row]) observeOtherSource(c, row, packet);
  else observeSequence(c, row, packet, true);
  Atomics.add(c.version, row, 1);
}

/** The stream ends at `atMs`: packets still missing are judged. */
export function endReceiving(c: ReceiveColumns, row: number, atMs: number): void {
  Atomics.add(c.version, row, 1);
  settleWindow(c, row);
  stopAwaiting(c, row, atMs, true);
  Atomics.add(c.version, row, 1);
}

/**
 * The session changed: sender, address and numbering may all change. The current block is closed, the sums continue,
 * and the pause is not a gap.
 */
export function interruptReceiving(c: ReceiveColumns, row: number): void {
  Atomics.add(c.version, row, 1);
  closeBlock(c, row);
  forgetAnchor(c, row);
  c.known[row] = 0;
  Atomics.add(c.version, row, 1);
}

/**
 * A packet that is not negotiated audio, such as DTMF (RFC 4733, 2.5.1.1: it replaces audio and uses its numbers). If
 * it is from the current source, it only fills its place in the sequence: its timestamp is not used for jitter. It
 * never starts a source.
 */
function observeEvent(c: ReceiveColumns, row: number, packet: RtpPacket): void {
  const type = packet.payloadType;
  const ofSource = c.known[row] === 1 && packet.ssrc === c.ssrc[row];
  if (type === c.eventPayloadType[row]) c.eventPackets[row]! += 1;
  else if (isComfortNoise(c, row, type)) {
    c.comfortNoisePackets[row]! += 1;
    if (ofSource) c.talkspurt[row] = 1;
  } else if (!isFormer(c, row, type, packet.arrivalMs)) c.unexpectedPayloadTypes[row]! += 1;
  // Comfort noise before any audio starts no source, but shows that silence is sent.
  if (c.known[row] === 0 && isComfortNoise(c, row, type)) noteSilence(c, row);
  if (!ofSource) {
    if (c.known[row] === 1 && type === c.eventPayloadType[row]) noteEventBeside(c, row, packet.arrivalMs);
    return;
  }
  // A payload that was not negotiated cannot be played: it does not end a hole.
  const isOwed = type === c.eventPayloadType[row] || isComfortNoise(c, row, type);
  observeSequence(c, row, packet, isOwed);
  if (isComfortNoise(c, row, type)) noteSilence(c, row);
}

/** `isOwed`: the packet is audio, or an event or comfort noise in its place. */
function observeSequence(c: ReceiveColumns, row: number, packet: RtpPacket, isOwed: boolean): void {
  c.candidateSeen[row] = 0;
  const max = c.extMax[row]!;
  const ahead = (packet.sequence - max) & 0xffff;
  if (ahead !== 0 && ahead < MAX_DROPOUT) {
    advanceWindow(c, row, max + ahead);
    if (isOwed) noteMedia(c, row, packet, ahead);
    else noteOther(c, row, ahead);
    if (ahead === 1 && packet.isAudio) notePacketTime(c, row, (packet.timestamp - c.extTimestamp[row]!) | 0);
    countUnique(c, row, packet, max + ahead, true);
    return;
  }
  const behind = (0x10000 - ahead) & 0xffff;
  const extended = max - behind;
  if (extended < c.extBase[row]!) observeBeforeBase(c, row, packet, extended, behind);
  else if (behind < WINDOW && !hasArrived(c, row, extended)) {
    countReordered(c, row, behind);
    if (isOwed) noteOvertaken(c, row, packet);
    countUnique(c, row, packet, extended, false);
  } else if (behind < MAX_MISORDER) countDuplicate(c, row, packet);
  else observeStray(c, row, packet);
}

/** A packet sent before the first one that arrived: it moves the base down, unless packets have been judged. */
function observeBeforeBase(c: ReceiveColumns, row: number, packet: RtpPacket, extended: number, behind: number): void {
  if (behind < MAX_MISORDER && !isJudged(c, row, extended)) {
    noteEarlier(c, row, packet, c.extBase[row]! - extended - 1);
    c.extBase[row] = extended;
    countReordered(c, row, behind);
    countUnique(c, row, packet, extended, false);
  } else observeStray(c, row, packet);
}

/** RFC 4737: a packet is out of order if it arrives after a higher number; its extent is the distance to that number. */
function countReordered(c: ReceiveColumns, row: number, behind: number): void {
  c.reordered[row]! += 1;
  if (behind > c.reorderExtentMax[row]!) c.reorderExtentMax[row] = behind;
}

/** A number outside every range is accepted only when the next in sequence follows: then the source has restarted (A.1). */
function observeStray(c: ReceiveColumns, row: number, packet: RtpPacket): void {
  if (packet.sequence !== c.badSequence[row] || !packet.isAudio) {
    c.badSequence[row] = (packet.sequence + 1) & 0xffff;
    c.heldOctets[row] = packet.payloadBytes;
    c.strays[row]! += 1;
    return;
  }
  c.strays[row]! -= 1;
  c.restarts[row]! += 1;
  succeedSource(c, row, packet, (packet.sequence - 1) & 0xffff);
}

/**
 * A packet of another SSRC. It becomes the source with its second packet (MIN_SEQUENTIAL) if no packet of the current
 * source came between: two simultaneous sources (RFC 8108) must not alternate as one.
 */
function observeOtherSource(c: ReceiveColumns, row: number, packet: RtpPacket): void {
  const ahead = (packet.sequence - c.candidateSequence[row]!) & 0xffff;
  const follows = ahead !== 0 && ahead < MAX_DROPOUT;
  if (c.candidateSeen[row] === 0 || packet.ssrc !== c.candidateSsrc[row] || !follows) {
    c.candidateSeen[row] = 1;
    c.candidateSsrc[row] = packet.ssrc;
    c.candidateSequence[row] = packet.sequence;
    c.heldOctets[row] = packet.payloadBytes;
    c.otherSources[row]! += 1;
    return;
  }
  c.otherSources[row]! -= 1;
  c.ssrcChanges[row]! += 1;
  succeedSource(c, row, packet, c.candidateSequence[row]!);
}

/** Closes the current block and starts the next, whose first packet (`first`) was held until this one confirmed it. */
function succeedSource(c: ReceiveColumns, row: number, packet: RtpPacket, first: number): void {
  closeBlock(c, row);
  noteGap(c, row, packet.arrivalMs);
  c.packets[row]! += 1;
  c.unique[row]! += 1;
  c.octets[row]! += c.heldOctets[row]!;
  beginSource(c, row, packet, first);
}

function closeBlock(c: ReceiveColumns, row: number): void {
  settleWindow(c, row);
  c.expectedBefore[row]! += expectedOfSource(c, row);
  c.packetsBefore[row] = c.packets[row]!;
  c.expectedPrior[row] = 0;
  c.packetsPrior[row] = c.packets[row]!;
}

function beginSource(c: ReceiveColumns, row: number, packet: RtpPacket, first: number): void {
  const { arrivalMs } = packet;
  noteSource(c, row, packet, ((packet.sequence - first) & 0xffff) + 1);
  noteDuration(c, row, packet);
  if (c.firstArrivalMs[row] === 0) c.firstArrivalMs[row] = arrivalMs;
  c.known[row] = 1;
  c.ssrc[row] = packet.ssrc;
  c.candidateSeen[row] = 0;
  c.badSequence[row] = NO_BAD_SEQUENCE;
  beginWindow(c, row, first);
  markArrived(c, row, first);
  markPlayed(c, row, first);
  const extended = first + ((packet.sequence - first) & 0xffff);
  if (extended !== first) advanceWindow(c, row, extended);
  beginArrival(c, row, packet.timestamp, arrivalMs);
  c.lastArrivalMs[row] = arrivalMs;
  c.packets[row]! += 1;
  c.unique[row]! += 1;
  c.octets[row]! += packet.payloadBytes;
  markArrived(c, row, extended);
  markPlayed(c, row, extended);
}

function countUnique(c: ReceiveColumns, row: number, packet: RtpPacket, extended: number, inOrder: boolean): void {
  c.packets[row]! += 1;
  c.unique[row]! += 1;
  markArrived(c, row, extended);
  const gapMs = noteGap(c, row, packet.arrivalMs);
  let late = 0;
  if (packet.isAudio) {
    c.octets[row]! += packet.payloadBytes;
    noteDuration(c, row, packet);
    late = observeArrival(c, row, packet, gapMs, inOrder);
  }
  // Below the horizon its place is already filled, regardless of the buffer.
  if (isJudged(c, row, extended)) late = LATE_FOR_FIXED | LATE_FOR_ADAPTIVE;
  if ((late & LATE_FOR_FIXED) !== 0) c.lateDiscarded[row]! += 1;
  if ((late & LATE_FOR_ADAPTIVE) !== 0) c.adaptiveLate[row]! += 1;
  markPlayed(c, row, extended, late);
}

/** Duplicates do not count for jitter, loss or playout (RFC 3611, 4.7.1). */
function countDuplicate(c: ReceiveColumns, row: number, packet: RtpPacket): void {
  c.packets[row]! += 1;
  c.duplicates[row]! += 1;
  if (packet.isAudio) c.octets[row]! += packet.payloadBytes;
  noteGap(c, row, packet.arrivalMs);
}

/** The time since the previous arrival, ms. */
function noteGap(c: ReceiveColumns, row: number, arrivalMs: number): number {
  const gapMs = arrivalMs - c.lastArrivalMs[row]!;
  if (gapMs > c.longestGapMs[row]!) c.longestGapMs[row] = gapMs;
  c.lastArrivalMs[row] = arrivalMs;
  return gapMs;
}
