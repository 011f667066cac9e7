/**
 * Emulates an adaptive playout buffer in addition to the fixed one of arrival.ts. Every 128 packets its target becomes
 * their 97th percentile of delay above the fastest packet, 40 to 200 ms. It moves to the target by a tenth of the
 * elapsed time (one frame of 20 ms in 200 ms, as time scaling allows), and immediately at the start of a talkspurt.
 */
import type { Columns } from './columns.ts';

const ADAPTIVE_START_MS = 60;
export const ADAPTIVE_MIN_MS = 40;
export const ADAPTIVE_MAX_MS = 200;
const BLOCK_PACKETS = 128;
/** 3 % of 128 values are at or above the fourth largest. */
const KEPT = 4;
const PACE = 0.1;

// All values of a row are in one cache line, because they are written for every packet.
const BUFFER_MS = 0;
const TARGET_MS = 1;
const SUM_MS = 2; // of the buffer over packets
const PACKETS = 3; // of the present block
const TOP = 4; // of the present block, descending
const SLOTS = TOP + KEPT;

export const ADAPTIVE_COLUMNS = { adaptive: ['f64', SLOTS] } as const;
export type AdaptiveColumns = Columns<typeof ADAPTIVE_COLUMNS>;

/** Sum of the buffer's length over the packets that `observeAdaptive` saw, ms. */
export const adaptiveSumMs = (c: AdaptiveColumns, row: number): number => c.adaptive[row * SLOTS + SUM_MS]!;

/** A new source has another timestamp base: what was learned no longer applies. */
export function beginAdaptive(c: AdaptiveColumns, row: number): void {
  const at = row * SLOTS;
  c.adaptive[at + BUFFER_MS] = ADAPTIVE_START_MS;
  c.adaptive[at + TARGET_MS] = ADAPTIVE_START_MS;
  c.adaptive.fill(0, at + PACKETS, at + SLOTS);
}

/** In silence a buffer may be resized unheard. */
export function restTalkspurt(c: AdaptiveColumns, row: number): void {
  c.adaptive[row * SLOTS + BUFFER_MS] = c.adaptive[row * SLOTS + TARGET_MS]!;
}

/**
 * Counts a packet that arrived `aboveMs` after the fastest and `gapMs` after the previous one. True: it was too late
 * for this buffer.
 */
export function observeAdaptive(c: AdaptiveColumns, row: number, aboveMs: number, gapMs: number): boolean {
  const { adaptive } = c;
  const at = row * SLOTS;
  let bufferMs = adaptive[at + BUFFER_MS]!;
  const missing = adaptive[at + TARGET_MS]! - bufferMs;
  if (missing !== 0) {
    const step = gapMs * PACE;
    bufferMs += missing > step ? step : missing < -step ? -step : missing;
    adaptive[at + BUFFER_MS] = bufferMs;
  }
  adaptive[at + SUM_MS]! += bufferMs;
  if (aboveMs > adaptive[at + SLOTS - 1]!) keepLargest(adaptive, at, aboveMs);
  const packets = adaptive[at + PACKETS]! + 1;
  adaptive[at + PACKETS] = packets;
  if (packets === BLOCK_PACKETS) {
    adaptive[at + TARGET_MS] = Math.min(ADAPTIVE_MAX_MS, Math.max(ADAPTIVE_MIN_MS, adaptive[at + SLOTS - 1]!));
    adaptive.fill(0, at + PACKETS, at + SLOTS);
  }
  return aboveMs > bufferMs;
}

function keepLargest(adaptive: Float64Array, from: number, aboveMs: number): void {
  const first = from + TOP;
  let at = first + KEPT - 1;
  while (at > first && adaptive[at - 1]! < aboveMs) {
    adaptive[at] = adaptive[at - 1]!;
    at -= 1;
  }
  adaptive[at] = aboveMs;
}
