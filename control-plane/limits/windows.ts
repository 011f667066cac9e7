/** Windows of time with counts. Instants are arguments. */
import { MAX_REMEMBERED } from './limits.ts';

/** The window in which all replicas count at this instant. */
export function windowAt(nowMs: number, withinMs: number) {
  const startMs = nowMs - (nowMs % withinMs);
  return { start: new Date(startMs), secondsLeft: secondsLeft(startMs, withinMs, nowMs) };
}

/** Returns whole seconds (RFC 9110, 10.2.3), at least one. */
const secondsLeft = (startMs: number, withinMs: number, nowMs: number): number =>
  Math.max(1, Math.ceil((startMs + withinMs - nowMs) / 1000));

/** Counts by subject in the memory of this replica. A window begins with the first count after the last one has ended. */
export class Windows {
  readonly #withinMs: number;
  #startMs = Number.NEGATIVE_INFINITY;
  #counts = new Map<string, number>();

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** Counts this many more; returns the number in the window. */
  add(subject: string, nowMs: number, more = 1): number {
    const count = this.of(subject, nowMs) + more;
    // A client with very many addresses is limited by the speed of the database, not by this replica's memory.
    if (this.#counts.size < MAX_REMEMBERED || this.#counts.has(subject)) this.#counts.set(subject, count);
    return count;
  }

  of(subject: string, nowMs: number): number {
    if (nowMs - this.#startMs >= this.#withinMs) {
      this.#startMs = nowMs;
      this.#counts = new Map();
    }
    return this.#counts.get(subject) ?? 0;
  }

  secondsLeft(nowMs: number): number {
    return secondsLeft(this.#startMs, this.#withinMs, nowMs);
  }
}
