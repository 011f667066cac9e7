/**
 * The sets of sequence numbers that arrived and that could be played, as bits over the last 1024. A packet is judged
 * missing when it can no longer be played; a packet that fills a hole before that was only reordered.
 */
import { LATE_FOR_ADAPTIVE, LATE_FOR_FIXED } from './arrival.ts';
import { observeMissing } from './missing-clusters.ts';
import { type ReceiveColumns, WINDOW, WINDOW_WORDS } from './receive-columns.ts';

/**
 * A sequence number is judged when the one 32 later arrives. 60 ms of playout buffer are 3 packets of 20 ms and 24 of
 * 2.5 ms, so a packet beyond the horizon is also too late for the buffer.
 */
export const HORIZON = 32;

const wordAt = (row: number, extended: number): number => row * WINDOW_WORDS + ((extended & (WINDOW - 1)) >>> 5);

export const hasArrived = (c: ReceiveColumns, row: number, extended: number): boolean =>
  (c.received[wordAt(row, extended)]! & (1 << (extended & 31))) !== 0;

export function markArrived(c: ReceiveColumns, row: number, extended: number): void {
  c.received[wordAt(row, extended)]! |= 1 << (extended & 31);
}

/** Marks the packet as played by the buffers that are not in `late`. */
export function markPlayed(c: ReceiveColumns, row: number, extended: number, late = 0): void {
  const word = wordAt(row, extended);
  const bit = 1 << (extended & 31);
  if ((late & LATE_FOR_FIXED) === 0) c.played[word * 2]! |= bit;
  if ((late & LATE_FOR_ADAPTIVE) === 0) c.played[word * 2 + 1]! |= bit;
}

/** True if `extended` has already been judged. */
export const isJudged = (c: ReceiveColumns, row: number, extended: number): boolean =>
  extended <= c.extMax[row]! - HORIZON;

/**
 * Moves the window up to `extended`, number by number, and judges what falls below the horizon. At most MAX_DROPOUT
 * steps.
 */
export function advanceWindow(c: ReceiveColumns, row: number, extended: number): void {
  const base = c.extBase[row]!;
  for (let next = c.extMax[row]! + 1; next <= extended; next++) {
    const word = wordAt(row, next);
    const others = ~(1 << (next & 31));
    c.received[word]! &= others;
    c.played[word * 2]! &= others;
    c.played[word * 2 + 1]! &= others;
    if (next - HORIZON >= base) judge(c, row, next - HORIZON);
  }
  c.extMax[row] = extended;
}

/** Starts an empty window whose highest number is `extended`. */
export function beginWindow(c: ReceiveColumns, row: number, extended: number): void {
  c.received.fill(0, row * WINDOW_WORDS, (row + 1) * WINDOW_WORDS);
  c.played.fill(0, row * 2 * WINDOW_WORDS, (row + 1) * 2 * WINDOW_WORDS);
  c.extBase[row] = extended;
  c.extMax[row] = extended;
}

/** Judges everything up to the highest number: the source has ended. This block must count nothing afterwards. */
export function settleWindow(c: ReceiveColumns, row: number): void {
  if (c.known[row] === 0) return;
  const max = c.extMax[row]!;
  for (let extended = Math.max(c.extBase[row]!, max - HORIZON + 1); extended <= max; extended++)
    judge(c, row, extended);
  c.missingRun[row] = 0;
  c.adaptiveMissingRun[row] = 0;
}

function judge(c: ReceiveColumns, row: number, extended: number): void {
  const word = wordAt(row, extended);
  const bit = 1 << (extended & 31);
  if ((c.played[word * 2 + 1]! & bit) !== 0) c.adaptiveMissingRun[row] = 0;
  else countAdaptiveMissing(c, row);
  if ((c.played[word * 2]! & bit) !== 0) {
    c.missingRun[row] = 0;
    return;
  }
  c.missing[row]! += 1;
  const run = c.missingRun[row]! + 1;
  c.missingRun[row] = run;
  if (run === 1) c.missingRuns[row]! += 1;
  if (run > c.longestMissingRun[row]!) c.longestMissingRun[row] = run;
  observeMissing(c, row, c.expectedBefore[row]! + extended - c.extBase[row]!);
}

function countAdaptiveMissing(c: ReceiveColumns, row: number): void {
  c.adaptiveMissing[row]! += 1;
  const run = c.adaptiveMissingRun[row]! + 1;
  c.adaptiveMissingRun[row] = run;
  if (run === 1) c.adaptiveMissingRuns[row]! += 1;
  if (run > c.adaptiveLongestMissingRun[row]!) c.adaptiveLongestMissingRun[row] = run;
}
