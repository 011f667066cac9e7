/**
 * Freezes as defined by W3C webrtc-stats (freezeCount): a frame arrives later than three mean intervals, and later than
 * the mean plus 150 ms, after the previous one. The mean is that of the last 30 intervals. Frames count when complete,
 * because there is no playout here.
 */
import type { FrameColumns } from './frame-columns.ts';

const INTERVALS = 30;
const FREEZE_MS = 150;

export class FreezeMeter {
  readonly #intervalsMs = new Float64Array(INTERVALS);
  #sumMs = 0;
  #count = 0;
  /** 0: the measurement has no frame to start from. */
  #lastAtMs = 0;

  /** A frame could be shown at `atMs`; counts in the row. */
  observe(c: FrameColumns, row: number, atMs: number): void {
    if (this.#lastAtMs !== 0) this.#measure(c, row, atMs - this.#lastAtMs);
    this.#lastAtMs = atMs;
  }

  #measure(c: FrameColumns, row: number, intervalMs: number): void {
    const meanMs = this.#sumMs / Math.min(this.#count, INTERVALS);
    if (this.#count > 0 && intervalMs >= Math.max(3 * meanMs, meanMs + FREEZE_MS)) {
      c.freezes[row]! += 1;
      c.freezeMs[row]! += intervalMs;
    }
    c.frameIntervals[row]! += 1;
    c.frameIntervalMs[row]! += intervalMs;
    const at = this.#count % INTERVALS;
    this.#sumMs += intervalMs - (this.#count >= INTERVALS ? this.#intervalsMs[at]! : 0);
    this.#intervalsMs[at] = intervalMs;
    this.#count += 1;
  }
}
