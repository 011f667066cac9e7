/** Counts the INVITEs of unknown peers; they are reported immediately at first, then at growing intervals. */
import type { StrangerCalls } from './facts.ts';

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

export class StrangerCount {
  #count = 0;
  #detail = '';
  #atMs = Number.NaN;
  #pauseMs = FIRST_PAUSE_MS;
  #tellAtMs = Number.NEGATIVE_INFINITY;

  add(detail: string, atMs: number): void {
    this.#count++;
    this.#detail = detail;
    this.#atMs = atMs;
  }

  /** What to report now; null: nothing. `isLast`: no more reports will follow. */
  take(nowMs: number, isLast: boolean): StrangerCalls | null {
    if (this.#count === 0 || (nowMs < this.#tellAtMs && !isLast)) return null;
    const calls = { atMs: this.#atMs, count: this.#count, detail: this.#detail };
    this.#count = 0;
    this.#tellAtMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2);
    return calls;
  }
}
