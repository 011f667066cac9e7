/**
 * Reassembles packets of one video source into frames that are complete, lost or unusable; decides which packets to
 * request again, and when to request a keyframe. A reducer over a window of sequence numbers: no payload is kept, and
 * no packet allocates.
 */
import type { FrameColumns } from './frame-columns.ts';
import { FreezeMeter } from './freeze-meter.ts';
import { IS_KEYFRAME, MALFORMED, STARTS_FRAME } from './payload-marks.ts';

/** The sequence numbers between the oldest awaited one and the newest: more than a second of 4 Mbit/s. */
const WINDOW = 512;
/** A larger jump is not a loss that can be repaired. */
const MAX_MISSING = 128;

const ARRIVED = 0x80;
const ENDS_FRAME = 0x40;

/** A packet that is late by less than this was overtaken, not lost. */
export const REORDER_MS = 10;
/** Without NACK, the frame is given up after a hole has been open for this long. */
const NO_NACK_WAIT_MS = 100;
/** A packet is requested twice: a peer that has not answered by then no longer has it. */
const MAX_REQUESTS = 2;
/** The value in place of the number of requests if the packet was not requested, and will not be. */
const NEVER_REQUESTED = 255;
/** A stream starts with a keyframe, which takes time to arrive; a receiver that joins later requests one. */
const FIRST_KEYFRAME_MS = 500;
const KEYFRAME_RETRY_MS = 500;

export class FrameReception {
  readonly #c: FrameColumns;
  readonly #row: number;
  readonly #freezes = new FreezeMeter();
  readonly #marks = new Uint8Array(WINDOW);
  readonly #timestamps = new Uint32Array(WINDOW);
  /** For missing packets: how often they were requested, and when the next request is due. */
  readonly #requests = new Uint8Array(WINDOW);
  readonly #dueMs = new Float64Array(WINDOW);

  #known = false;
  /** The frame being assembled starts here (an extended number) and is complete up to `scan`; `max` is the newest. */
  #next = 0;
  #scan = 0;
  #max = 0;
  #isKey = false;
  /** False: reception started within this frame. */
  #headKnown = false;
  #needsKeyframe = true;
  /** The required keyframe was requested, and has half a second to arrive. */
  #hasAsked = false;
  #keyframeDueMs = Number.POSITIVE_INFINITY;
  /**
   * A request has not been answered by a keyframe: the next one is not sent before this instant, even if the numbers
   * jump.
   */
  #nextRequestMs = Number.NEGATIVE_INFINITY;
  #nextDueMs = Number.POSITIVE_INFINITY;
  #lastTimestamp = 0;
  #frameUnits = 0;
  #hasLast = false;

  constructor(c: FrameColumns, row: number) {
    this.#c = c;
    this.#row = row;
  }

  /** There is no work, and no keyframe request, before this instant. */
  get dueAtMs(): number {
    return Math.min(this.#nextDueMs, this.#keyframeDueMs);
  }

  /** The source changed: the next packet starts over. The last picture stays until a frame of the new one is complete. */
  startOver(): void {
    this.#known = false;
    this.#keyframeDueMs = Number.POSITIVE_INFINITY;
    this.#nextDueMs = Number.POSITIVE_INFINITY;
  }

  /** Takes one packet of the source; `marks` as in payload-marks.ts. */
  observe(sequence: number, timestamp: number, marker: boolean, marks: number, atMs: number): void {
    if (marks & MALFORMED) return;
    const kept = ARRIVED | (marker ? ENDS_FRAME : 0) | marks;
    if (!this.#known) this.#begin(sequence, marks, atMs);
    const ahead = ((sequence - this.#max) << 16) >> 16;
    const at = this.#max + ahead;
    if (ahead > MAX_MISSING) {
      this.#countLost(timestamp);
      this.#begin(sequence, marks, atMs);
      this.#loseReference(atMs);
      this.#place(this.#max, timestamp, kept);
    } else if (ahead > 0) this.#extend(at, timestamp, kept, atMs);
    else if (at >= this.#next && !this.#has(at)) this.#place(at, timestamp, kept);
    else return;
    this.#advance(atMs);
  }

  #begin(sequence: number, marks: number, atMs: number): void {
    this.#known = true;
    this.#marks.fill(0);
    this.#requests.fill(0);
    this.#max = sequence + 0x10000;
    this.#next = this.#max;
    this.#scan = this.#max;
    this.#isKey = false;
    this.#headKnown = (marks & STARTS_FRAME) !== 0;
    this.#needsKeyframe = true;
    this.#hasAsked = false;
    this.#nextDueMs = Number.POSITIVE_INFINITY;
    this.#keyframeDueMs = atMs + FIRST_KEYFRAME_MS;
  }

  /** The packet has a new highest number: the numbers between are missing. */
  #extend(at: number, timestamp: number, kept: number, atMs: number): void {
    while (at - this.#next >= WINDOW) this.#giveUp(atMs, true);
    for (let missing = this.#max + 1; missing < at; missing++) {
      const slot = missing % WINDOW;
      this.#marks[slot] = 0;
      this.#requests[slot] = 0;
      this.#dueMs[slot] = atMs + REORDER_MS;
      if (this.#dueMs[slot]! < this.#nextDueMs) this.#nextDueMs = this.#dueMs[slot]!;
    }
    this.#max = at;
    this.#requests[at % WINDOW] = 0;
    this.#place(at, timestamp, kept);
  }

  #place(at: number, timestamp: number, kept: number): void {
    const slot = at % WINDOW;
    if (this.#requests[slot]! > 0 && this.#requests[slot]! !== NEVER_REQUESTED)
      this.#c.recoveredPackets[this.#row]! += 1;
    this.#requests[slot] = 0;
    this.#marks[slot] = kept;
    this.#timestamps[slot] = timestamp;
  }

  #has(at: number): boolean {
    return (this.#marks[at % WINDOW]! & ARRIVED) !== 0;
  }

  /** Completes all frames that can be completed. */
  #advance(atMs: number): void {
    while (this.#scan <= this.#max && this.#has(this.#scan)) {
      const slot = this.#scan % WINDOW;
      const timestamp = this.#timestamps[slot]!;
      // A sender that forgets the marker ends its frame with the next timestamp.
      if (this.#scan > this.#next && timestamp !== this.#timestamps[this.#next % WINDOW])
        this.#complete(this.#scan, atMs);
      if (this.#marks[slot]! & IS_KEYFRAME) this.#isKey = true;
      this.#scan += 1;
      if (this.#marks[slot]! & ENDS_FRAME) this.#complete(this.#scan, atMs);
    }
  }

  #complete(following: number, atMs: number): void {
    const c = this.#c;
    const row = this.#row;
    const isKey = this.#isKey;
    const headKnown = this.#headKnown;
    const timestamp = this.#timestamps[this.#next % WINDOW]!;
    if (this.#hasLast) this.#frameUnits = (timestamp - this.#lastTimestamp) >>> 0;
    this.#hasLast = true;
    this.#lastTimestamp = timestamp;
    this.#next = following;
    this.#isKey = false;
    this.#headKnown = true;
    if (headKnown) c.framesReceived[row]! += 1;
    if (headKnown && isKey) {
      c.keyframesReceived[row]! += 1;
      this.#needsKeyframe = false;
      this.#keyframeDueMs = Number.POSITIVE_INFINITY;
      this.#nextRequestMs = Number.NEGATIVE_INFINITY;
      this.#hasAsked = false;
    }
    if (!this.#needsKeyframe) this.#freezes.observe(c, row, atMs);
    else {
      if (headKnown) c.framesDropped[row]! += 1;
      // Media arrive, but cannot be decoded.
      this.#loseReference(atMs);
    }
  }

  /**
   * Lost packets to request at `nowMs`, in ascending order, into `lost`; returns their number. Each is requested again
   * after `retryMs`, and given up after that. `mayAsk` false: none are requested, and they are given up after a while.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the window, at the pace of packets
  collect(nowMs: number, retryMs: number, mayAsk: boolean, lost: Uint16Array): number {
    if (nowMs < this.#nextDueMs) return 0;
    let count = 0;
    let hopeless = false;
    this.#nextDueMs = Number.POSITIVE_INFINITY;
    for (let at = this.#scan; at < this.#max; at++) {
      const slot = at % WINDOW;
      if (this.#has(at)) continue;
      if (this.#dueMs[slot]! <= nowMs) {
        if (this.#requests[slot]! >= MAX_REQUESTS) {
          hopeless = true;
          continue;
        }
        if (mayAsk && count === lost.length) this.#dueMs[slot] = nowMs + 1;
        else {
          if (mayAsk) lost[count++] = at & 0xffff;
          this.#requests[slot] = mayAsk ? this.#requests[slot]! + 1 : NEVER_REQUESTED;
          this.#dueMs[slot] = nowMs + (mayAsk ? retryMs : NO_NACK_WAIT_MS - REORDER_MS);
        }
      }
      if (this.#dueMs[slot]! < this.#nextDueMs) this.#nextDueMs = this.#dueMs[slot]!;
    }
    if (!hopeless) return count;
    if (!this.#giveUp(nowMs, false)) this.#nextDueMs = nowMs + REORDER_MS;
    // The next hole may be as hopeless.
    else if (this.#scan <= this.#max) this.#nextDueMs = nowMs;
    return count;
  }

  /** True if a keyframe must be requested now; stays due until one has arrived. */
  takeKeyframeRequest(nowMs: number, retryMs: number): boolean {
    if (nowMs < this.#keyframeDueMs) return false;
    this.#hasAsked = true;
    this.#keyframeDueMs = nowMs + Math.max(KEYFRAME_RETRY_MS, retryMs);
    this.#nextRequestMs = this.#keyframeDueMs;
    return true;
  }

  /**
   * Continues after the first hole, with the next certain frame start. `must`: with any packet, to free space. False:
   * such a frame has not arrived yet.
   */
  #giveUp(atMs: number, must: boolean): boolean {
    let at = Math.min(this.#scan + 1, this.#max + 1);
    while (at <= this.#max && !this.#beginsFrame(at)) at += 1;
    if (at > this.#max && !must) return false;
    if (at > this.#max) {
      this.#c.framesLost[this.#row]! += 1;
      this.#headKnown = false;
    } else {
      this.#countLost(this.#timestamps[at % WINDOW]!);
      this.#headKnown = true;
    }
    this.#next = at;
    this.#scan = at;
    this.#isKey = false;
    this.#loseReference(atMs);
    this.#advance(atMs);
    return true;
  }

  #beginsFrame(at: number): boolean {
    if (!this.#has(at)) return false;
    const slot = at % WINDOW;
    if (this.#marks[slot]! & STARTS_FRAME) return true;
    const before = (at - 1) % WINDOW;
    if (at - 1 < this.#next || !this.#has(at - 1)) return false;
    return (this.#marks[before]! & ENDS_FRAME) !== 0 || this.#timestamps[before] !== this.#timestamps[slot];
  }

  /** Counts the frames between the last complete one and the one of `timestamp`: at least the one with the hole. */
  #countLost(timestamp: number): void {
    const units = (timestamp - this.#lastTimestamp) | 0;
    const frames = this.#hasLast && this.#frameUnits > 0 ? Math.round(units / this.#frameUnits) - 1 : 1;
    this.#c.framesLost[this.#row]! += Math.min(Math.max(frames, 1), WINDOW);
    this.#lastTimestamp = (timestamp - this.#frameUnits) >>> 0;
  }

  /** No frame can be shown before the next keyframe. */
  #loseReference(atMs: number): void {
    this.#needsKeyframe = true;
    if (!this.#hasAsked) this.#keyframeDueMs = Math.min(this.#keyframeDueMs, Math.max(atMs, this.#nextRequestMs));
  }
}
