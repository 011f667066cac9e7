/**
 * Time in which audio was due, and none arrived. Audio is due if the session lets the far end send (RFC 3264, 5.1 and
 * 8.4), from the answer to the end of the call, however silent it is. Each packet covers its own duration; the rest of
 * the time between two packets is judged when the second one arrives (`judge`), by what that packet proves:
 *
 * | the packet shows | the time between was |
 * |---|---|
 * | missing numbers | lost, as far as these packets last |
 * | a marker, or the next number with a timestamp that advanced | a pause: the far end sent nothing |
 * | none of that: held up, or another source; or no packet (head, tail) | absent |
 *
 * Comfort noise (RFC 3389) is heard until the next packet. If none arrives, the announced silence is a pause.
 *
 * Lost time is absent as well. `lost` itself is by numbers only (RFC 3550, A.3; receive-columns.ts).
 */
import type { AbsenceColumns } from './absence-columns.ts';
import { HOLE_MS, noteGap, notePause, noteRun } from './absence-places.ts';
import type { RtpPacket } from './header.ts';
import { BY_TIMESTAMPS, MAX_PACKET_MS, meanPacketMs, packetMsOf } from './packet-duration.ts';

/** The time after a hole in which packets that were held up may still arrive. */
const CATCH_UP_MS = 10_000;
/** A timestamp that is further ahead of the clock than this is on another base (arrival.ts). */
const ANOTHER_BASE_MS = 5000;
/** Because of jitter, the time between packets may be shorter than what their timestamps leave out. */
const JITTER_MS = 60;
/** No sender is faster than real time for longer than this unless its packets were held up. */
const MAX_AHEAD_MS = 200;
/** This many consecutive marked packets show that the sender marks each packet. */
const MARKED_RUN = 2;
/** The values of `isEvent`. */
const OPEN_EVENT = 1;
const ENDED_EVENT = 2;
/** The time between two packets of an event (RFC 4733, 2.5.1.2), the last of which is sent three times (2.5.1.4), and jitter. */
const EVENT_UPDATE_MS = 60;
/** The bit in the first two bytes of an event's payload (RFC 4733, 2.3). */
const END_BIT = 0x80;
/** The value of `skippedMs` if the packet says nothing about the time before it. */
const UNPROVED = -1;
/** The value of `quietFromMs` if no media are expected. */
const NOTHING_OWED = Number.POSITIVE_INFINITY;

/** Media are expected from `atMs` on. `packetMs`: the negotiated duration of one packet, 0 if packets have no duration. */
export function beginAwaiting(c: AbsenceColumns, row: number, packetMs: number, atMs: number): void {
  c.packetLengthMs[row] = packetMs === 0 ? Number.POSITIVE_INFINITY : packetMs;
  if (c.awaitedFromMs[row] !== 0) return;
  c.awaitedFromMs[row] = atMs;
  c.quietFromMs[row] = atMs;
  c.coveredMs[row] = 0;
  c.slackMs[row] = 0;
  forgetAnchor(c, row);
}

/** Media are no longer expected: a hold, another session, or the end of the stream (`ends`). */
export function stopAwaiting(c: AbsenceColumns, row: number, atMs: number, ends: boolean): void {
  if (c.awaitedFromMs[row] === 0) return;
  c.returnableMs[row] = 0;
  const holeMs = openHoleMs(c, row, atMs);
  const announcedMs = openPauseMs(c, row, atMs);
  if (announcedMs > 0) {
    // The announced pause counts even though no packet ended it.
    c.pausedMs[row]! += announcedMs;
    notePause(c, row, announcedMs, atMs);
  } else if (holeMs > 0) {
    c.unsentMs[row]! += holeMs;
    if (ends && c.firstArrivalMs[row] !== 0) c.tailMs[row] = holeMs;
    else noteGap(c, row, holeMs, atMs);
  } else if (c.isSparse[row] === 1) countSparse(c, row, c.slackMs[row]!);
  c.awaitedBeforeMs[row] = awaitedMs(c, row, atMs);
  c.awaitedFromMs[row] = 0;
  c.quietFromMs[row] = NOTHING_OWED;
  c.isAnnounced[row] = 0;
}

/** The next packet cannot be compared with the previous ones: it has another source, session or clock. */
export function forgetAnchor(c: AbsenceColumns, row: number): void {
  c.isAnchored[row] = 0;
  c.isMarked[row] = 0;
  c.isEvent[row] = 0;
  c.missingNumbers[row] = 0;
  c.otherPackets[row] = 0;
}

/**
 * A new packet in order has arrived: audio, or an event or comfort noise in its place. `ahead`: distance of its number
 * from the highest so far.
 */
export function noteMedia(c: AbsenceColumns, row: number, packet: RtpPacket, ahead: number): void {
  if (c.awaitedFromMs[row] === 0) return;
  const missing = c.missingNumbers[row]! + ahead - 1;
  const gapMs = packet.arrivalMs - c.quietFromMs[row]!;
  if (gapMs >= 0) judge(c, row, packet, gapMs, missing);
  // This packet arrived before an excused delay, and is read after it.
  else c.lostMs[row]! += missing * neighbourMs(c, row);
  cover(c, row, packet, gapMs);
}

/** The first packets of a source: `numbers` of them, of which this is the last. The first of a stream ends its head. */
export function noteSource(c: AbsenceColumns, row: number, packet: RtpPacket, numbers: number): void {
  if (c.awaitedFromMs[row] === 0) return;
  forgetAnchor(c, row);
  const { arrivalMs } = packet;
  const gapMs = arrivalMs - c.quietFromMs[row]!;
  const ownMs = packetMsOf(c, row, packet);
  c.lostMs[row]! += Math.max(0, numbers - 2) * ownMs;
  const silentMs = gapMs - c.coveredMs[row]! - (numbers - 1) * ownMs;
  if (gapMs >= 0 && c.isAnnounced[row] === 0) {
    if (gapMs < HOLE_MS) c.slackMs[row]! += silentMs;
    else {
      c.unsentMs[row]! += Math.max(0, silentMs);
      noteGap(c, row, Math.max(0, silentMs), arrivalMs);
    }
  }
  cover(c, row, packet, gapMs);
}

/** A packet that others have overtaken was not lost. It proves nothing about an open hole, because its number is from before. */
export function noteOvertaken(c: AbsenceColumns, row: number, packet: RtpPacket): void {
  if (c.awaitedFromMs[row] === 0) return;
  c.lostMs[row] = Math.max(0, c.lostMs[row]! - packetMsOf(c, row, packet));
}

/** An event under an SSRC of its own has arrived in place of audio. */
export function noteEventBeside(c: AbsenceColumns, row: number, arrivalMs: number): void {
  const gapMs = arrivalMs - c.quietFromMs[row]!;
  if (c.awaitedFromMs[row] === 0 || gapMs < 0) return;
  if (gapMs >= HOLE_MS) {
    c.unsentMs[row]! += gapMs - c.coveredMs[row]!;
    noteGap(c, row, gapMs - c.coveredMs[row]!, arrivalMs);
  }
  c.anchor[row]! += Math.round(gapMs * c.unitsPerMs[row]!);
  c.isEvent[row] = OPEN_EVENT;
  c.coveredMs[row] = c.neighbourMs[row]!;
  c.quietFromMs[row] = arrivalMs;
}

/** A packet from before the first one has arrived: the `missing` numbers between the two are lost. */
export function noteEarlier(c: AbsenceColumns, row: number, packet: RtpPacket, missing: number): void {
  if (c.awaitedFromMs[row] !== 0) c.lostMs[row]! += missing * packetMsOf(c, row, packet);
}

/** A packet that is not audio, and does not replace it, has arrived in order: numbers before it are missing. */
export function noteOther(c: AbsenceColumns, row: number, ahead: number): void {
  c.missingNumbers[row]! += ahead - 1;
  c.otherPackets[row]! += 1;
}

/** Judges the time since the previous packet, `gapMs`, by the present one; `missing`: the numbers between the two. */
function judge(c: AbsenceColumns, row: number, packet: RtpPacket, gapMs: number, missing: number): void {
  const { arrivalMs, isAudio } = packet;
  const isHole = gapMs >= HOLE_MS;
  const isAnnounced = c.isAnnounced[row] === 1;
  const isEventBefore = c.isEvent[row] !== 0 && !isAnnounced;
  // Ends of events are sent three times (RFC 4733, 2.5.1.4), and people press keys one after the other.
  const isOpen = isEventBefore && goesOn(c, row, gapMs, isAudio);
  const numberedMs = missing === 0 ? 0 : missing * neighbourMs(c, row);
  const isEnded = isEventBefore && !isOpen;
  const eventMs = Math.min(gapMs - numberedMs, isOpen ? HOLE_MS : EVENT_UPDATE_MS);
  const coveredMs = isEventBefore && !isHole ? eventMs : c.coveredMs[row]!;
  const silentMs = gapMs - coveredMs;
  const lostMs = Math.min(numberedMs, Math.max(0, silentMs) + (isHole || c.isAnchored[row] === 0 ? 0 : MAX_AHEAD_MS));
  c.lostMs[row]! += lostMs;
  if (isAnnounced) {
    if (isHole) c.gapLost[row]! += missing;
    if (lostMs >= HOLE_MS) noteGap(c, row, lostMs, arrivalMs);
    return;
  }
  // A sender that changes to another codec does not pause.
  const othersMs = c.otherPackets[row]! * neighbourMs(c, row);
  const isJudged = isHole ? provesHole(c, row, missing) : isEnded || (isAudio && !isEventBefore);
  const isProof = isJudged && 2 * othersMs <= Math.max(0, silentMs);
  const skippedMs = isProof ? skippedOf(c, row, packet, gapMs, coveredMs + numberedMs) : UNPROVED;
  if (missing === 0 && isAudio && !isEventBefore && !isHole) noteStep(c, row, packet);
  if (isHole) c.gapLost[row]! += missing;
  const restMs = silentMs - lostMs;
  if (isHole) {
    const pausedMs = pausedInHole(c, row, packet, restMs, skippedMs);
    closeHole(c, row, arrivalMs, pausedMs, silentMs - pausedMs);
    c.unsentMs[row]! += restMs - pausedMs;
    awaitHeldUp(c, row, arrivalMs, restMs - pausedMs);
  } else judgeStep(c, row, packet, restMs, skippedMs);
  if (c.returnableMs[row]! > 0) takeBack(c, row, arrivalMs);
}

/** Video packets have no duration, so their timestamps prove nothing if numbers are missing. */
const provesHole = (c: AbsenceColumns, row: number, missing: number): boolean => missing === 0 || !isVideo(c, row);

const goesOn = (c: AbsenceColumns, row: number, gapMs: number, isAudio: boolean): boolean =>
  c.isEvent[row] === OPEN_EVENT || (!isAudio && gapMs <= MAX_PACKET_MS);

/** Whether two neighbours are as far apart as the first one lasts, by their timestamps; longer ones are a pause. */
function noteStep(c: AbsenceColumns, row: number, { timestamp, marker }: RtpPacket): void {
  if (c.framing[row] === BY_TIMESTAMPS || c.isAnchored[row] === 0 || marker) return;
  const stepMs = ((timestamp - c.anchor[row]!) | 0) / c.unitsPerMs[row]!;
  if (Math.abs(stepMs - c.coveredMs[row]!) >= 1 && Math.abs(stepMs) <= MAX_PACKET_MS) c.unevenSteps[row]! += 1;
}

/** The time that its timestamp leaves out after the previous audio, ms; 0: nothing, or it is not known. */
function skippedOf(c: AbsenceColumns, row: number, packet: RtpPacket, gapMs: number, audioMs: number): number {
  if (c.isAnchored[row] === 0) return 0;
  const stepMs = ((packet.timestamp - c.anchor[row]!) | 0) / c.unitsPerMs[row]!;
  return stepMs > gapMs + ANOTHER_BASE_MS ? 0 : Math.max(0, stepMs - audioMs);
}

/** Judges less than a second between two packets: their timestamps show what was left out, as far as the clock agrees. */
function judgeStep(
  c: AbsenceColumns,
  row: number,
  { marker, arrivalMs }: RtpPacket,
  restMs: number,
  skippedMs: number,
): void {
  if (isVideo(c, row)) return;
  let slackMs = c.slackMs[row]! + restMs;
  const pausedBeforeMs = c.pausedMs[row]!;
  if (marker && c.isMarked[row]! < MARKED_RUN && skippedMs === 0 && restMs > JITTER_MS && slackMs > JITTER_MS) {
    // Its timestamp did not advance, and the marker says that a talk spurt begins.
    const leftOutMs = Math.min(restMs, slackMs);
    c.pausedMs[row]! += leftOutMs;
    slackMs -= leftOutMs;
  } else if (skippedMs > 0) {
    const leftOutMs = Math.min(skippedMs, Math.max(0, slackMs + JITTER_MS));
    if (skippedMs > MAX_PACKET_MS || marker) c.pausedMs[row]! += leftOutMs;
    // A packet without a duration of its own lasts until the next.
    else if (c.framing[row] !== BY_TIMESTAMPS) countSparse(c, row, leftOutMs);
    slackMs -= leftOutMs;
  }
  if (slackMs >= HOLE_MS) {
    c.isSparse[row] = 1;
    countSparse(c, row, slackMs);
    slackMs = 0;
  }
  c.slackMs[row] = c.returnableMs[row] === 0 ? Math.max(slackMs, -MAX_AHEAD_MS) : slackMs;
  noteRun(c, row, c.pausedMs[row]! - pausedBeforeMs, arrivalMs);
}

function countSparse(c: AbsenceColumns, row: number, ms: number): void {
  if (ms <= 0) return;
  c.unsentMs[row]! += ms;
  c.sparseMs[row]! += ms;
}

/**
 * The part of a second or more between two packets, `restMs` without the lost ones, in which the far end paused. If
 * neither numbers nor timestamps explain it, packets may have been held up.
 */
function pausedInHole(
  c: AbsenceColumns,
  row: number,
  { marker }: RtpPacket,
  restMs: number,
  skippedMs: number,
): number {
  // A marker on each packet says nothing.
  const isMarked = marker && c.isMarked[row]! < MARKED_RUN && skippedMs !== UNPROVED && !isVideo(c, row);
  const isWhole = isMarked || (restMs - skippedMs < HOLE_MS && skippedMs >= restMs / 2);
  if (!isMarked && skippedMs <= MAX_PACKET_MS) return 0;
  return isWhole ? restMs : Math.min(restMs, skippedMs);
}

/** Notes the pause and the gap of a hole that has ended. */
function closeHole(c: AbsenceColumns, row: number, arrivalMs: number, pausedMs: number, absentMs: number): void {
  c.pausedMs[row]! += pausedMs;
  // The previous packet covers a part of a hole of a second.
  const leastMs = HOLE_MS - c.coveredMs[row]!;
  if (pausedMs >= leastMs) notePause(c, row, pausedMs, arrivalMs);
  if (absentMs >= leastMs) noteGap(c, row, absentMs, arrivalMs);
}

/** Packets of a closed hole, up to `maxMs` of them, may only be delayed. */
function awaitHeldUp(c: AbsenceColumns, row: number, arrivalMs: number, maxMs: number): void {
  c.returnableMs[row] = maxMs;
  c.holeSlackMs[row] = c.slackMs[row]!;
  c.holeEndMs[row] = arrivalMs;
}

/** Audio that arrives faster than real time was held up: its packets are late, not absent. */
function takeBack(c: AbsenceColumns, row: number, arrivalMs: number): void {
  if (arrivalMs - c.holeEndMs[row]! >= CATCH_UP_MS) {
    c.returnableMs[row] = 0;
    return;
  }
  const backMs = Math.min(c.returnableMs[row]!, c.holeSlackMs[row]! - c.slackMs[row]!);
  if (backMs <= 0) return;
  c.returnableMs[row]! -= backMs;
  c.returnedMs[row]! += backMs;
  c.slackMs[row]! += backMs;
}

/** The packet is the last one in order from now on. */
function cover(c: AbsenceColumns, row: number, packet: RtpPacket, gapMs: number): void {
  const { arrivalMs, isAudio } = packet;
  const wentOn = Number.isFinite(gapMs) ? Math.max(0, Math.round(gapMs * c.unitsPerMs[row]!)) : 0;
  // An event has the timestamp of its start, on a clock that may be another (RFC 4733, 2.2.1).
  c.anchor[row] = isAudio ? packet.timestamp : c.anchor[row]! + wentOn;
  if (isAudio) c.isAnchored[row] = 1;
  c.isAnnounced[row] = 0;
  c.isMarked[row] = isAudio && packet.marker ? Math.min(MARKED_RUN, c.isMarked[row]! + 1) : 0;
  c.isEvent[row] = isAudio ? 0 : (packet.head & END_BIT) === 0 ? OPEN_EVENT : ENDED_EVENT;
  c.missingNumbers[row] = 0;
  c.otherPackets[row] = 0;
  if (isAudio) c.neighbourMs[row] = packetMsOf(c, row, packet);
  c.coveredMs[row] = c.neighbourMs[row]!;
  if (gapMs >= 0) c.quietFromMs[row] = arrivalMs;
}

/** The packet announces silence: a listener hears comfort noise until the next one. */
export function noteSilence(c: AbsenceColumns, row: number): void {
  if (c.awaitedFromMs[row] !== 0) c.isAnnounced[row] = 1;
}

/**
 * This host was stalled for `ms`: packets that our end should have sent in the meantime are not a fault of the network.
 * Received packets wait in the kernel with their arrival times.
 */
export function excuseDelay(c: AbsenceColumns, row: number, ms: number): void {
  if (c.awaitedFromMs[row] === 0) return;
  c.quietFromMs[row]! += ms;
  forgetAnchor(c, row);
}

/** The time in which media were expected, up to `atMs`. */
export const awaitedMs = (c: AbsenceColumns, row: number, atMs: number): number =>
  c.awaitedBeforeMs[row]! + (c.awaitedFromMs[row] === 0 ? 0 : Math.max(0, atMs - c.awaitedFromMs[row]!));

/** The parts of this time in which the far end paused, and in which audio was due and none arrived; both include an open hole. */
export const pausedMs = (c: AbsenceColumns, row: number, atMs: number): number =>
  Math.min(c.pausedMs[row]! + openPauseMs(c, row, atMs), awaitedMs(c, row, atMs));
export const absentMs = (c: AbsenceColumns, row: number, atMs: number): number =>
  // No audio was heard at all, including the time in which this host was stalled.
  c.firstArrivalMs[row] === 0 && openHoleMs(c, row, atMs) + c.headMs[row]! > 0
    ? awaitedMs(c, row, atMs) - pausedMs(c, row, atMs)
    : sumOfAbsence(c, row, atMs);

const sumOfAbsence = (c: AbsenceColumns, row: number, atMs: number): number =>
  Math.min(
    c.lostMs[row]! + c.unsentMs[row]! + openHoleMs(c, row, atMs),
    awaitedMs(c, row, atMs) - pausedMs(c, row, atMs),
  );

/** This time in packets, without those whose numbers are missing, and those that only arrived late. */
export const absentPackets = (c: AbsenceColumns, row: number, atMs: number): number =>
  packetsIn(c, row, c.unsentMs[row]! - c.returnedMs[row]! + openHoleMs(c, row, atMs));
export const pausedPackets = (c: AbsenceColumns, row: number): number => packetsIn(c, row, c.pausedMs[row]!);

function packetsIn(c: AbsenceColumns, row: number, ms: number): number {
  const packetMs = ms > 0 ? meanPacketMs(c, row) : 0;
  return packetMs > 0 ? Math.round(ms / packetMs) : 0;
}

/** How long a hole has been open at `atMs`; 0: no hole is open. */
const openHoleMs = (c: AbsenceColumns, row: number, atMs: number): number =>
  c.isAnnounced[row] === 1 ? 0 : openMs(c, row, atMs);

/** How long an announced silence has been open at `atMs`. */
const openPauseMs = (c: AbsenceColumns, row: number, atMs: number): number =>
  c.isAnnounced[row] === 1 ? openMs(c, row, atMs) : 0;

function openMs(c: AbsenceColumns, row: number, atMs: number): number {
  if (c.awaitedFromMs[row] === 0) return 0;
  const quietMs = atMs - c.quietFromMs[row]!;
  return quietMs >= HOLE_MS ? quietMs - c.coveredMs[row]! : 0;
}

/** The duration of a packet of which only the number is known: that of the previous one. */
const neighbourMs = (c: AbsenceColumns, row: number): number => c.neighbourMs[row]! || meanPacketMs(c, row);

const isVideo = (c: AbsenceColumns, row: number): boolean => c.packetLengthMs[row] === Number.POSITIVE_INFINITY;
