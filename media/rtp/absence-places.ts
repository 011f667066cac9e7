/** The places of a stream's holes and pauses (absence.ts). */
import type { AbsenceColumns } from './absence-columns.ts';
import { OPUS_FRAMES } from './packet-duration.ts';

/**
 * Without a packet for this long, time is judged by the clock; shorter times are left to jitter, and judged by numbers
 * and timestamps.
 */
export const HOLE_MS = 1000;

/** Notes the place of the hole that ended at `untilMs`. */
export function noteGap(c: AbsenceColumns, row: number, holeMs: number, untilMs: number): void {
  if (c.firstArrivalMs[row] === 0) {
    c.headMs[row]! += holeMs;
    return;
  }
  c.gaps[row]! += 1;
  if (holeMs <= c.longestHoleMs[row]!) return;
  c.longestHoleMs[row] = holeMs;
  c.longestHoleAtMs[row] = untilMs - holeMs;
}

export function notePause(c: AbsenceColumns, row: number, holeMs: number, untilMs: number): void {
  c.pauses[row]! += 1;
  notePauseLength(c, row, holeMs, untilMs);
}

function notePauseLength(c: AbsenceColumns, row: number, holeMs: number, untilMs: number): void {
  if (holeMs <= c.longestPauseMs[row]!) return;
  c.longestPauseMs[row] = holeMs;
  c.longestPauseAtMs[row] = untilMs - holeMs;
}

/**
 * Consecutive pauses with a packet or two between them are one: from a second on they are reported as one hole would
 * be. Opus sends a packet of comfort noise every 400 ms by itself (RFC 7587, 3.1.3), and its listener hears that.
 */
export function noteRun(c: AbsenceColumns, row: number, pausedMs: number, arrivalMs: number): void {
  if (c.framing[row] === OPUS_FRAMES) return;
  const beforeMs = c.pauseRunMs[row]!;
  const runMs = pausedMs > 0 ? beforeMs + pausedMs : 0;
  c.pauseRunMs[row] = runMs;
  if (runMs < HOLE_MS) return;
  if (beforeMs < HOLE_MS) c.pauses[row]! += 1;
  notePauseLength(c, row, runMs, arrivalMs);
}
