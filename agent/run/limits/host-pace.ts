/**
 * Limits the calls per second of this host, for all sources: plans that catch up, and peers by REFER; over all threads,
 * which share the memory. The limit is never exceeded in any 0.995 s.
 */

/**
 * With an exact second, a plan at the limit could never catch up after a late turn: in an hour it would be seconds
 * late.
 */
const SLACK = 0.005;
/** Number of stored instants, which bounds the limit. */
const MAX_KEPT = 65_536;
const HEADER_BYTES = 16;
/** The lock is held only to write two numbers, unless the holding thread is preempted: the spins give it time to finish. */
const MAX_SPINS = 1000;
const MAX_WAITS = 20;
const WAIT_MS = 1;
const [LOCK, NEXT] = [0, 1];

export class HostPace {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  /** When the last calls were placed, in a ring. */
  readonly #placedAtMs: Float64Array;
  readonly #windowMs: number;

  /** `memory`: the memory of another thread's `HostPace` with the same limit. */
  constructor(callsPerSecond: number, memory?: SharedArrayBuffer) {
    const most = Math.min(Math.max(1, Math.floor(callsPerSecond)), MAX_KEPT);
    this.#windowMs = ((most * 1000) / callsPerSecond) * (1 - SLACK);
    this.memory = memory ?? new SharedArrayBuffer(HEADER_BYTES + most * Float64Array.BYTES_PER_ELEMENT);
    this.#words = new Int32Array(this.memory, 0, 2);
    this.#placedAtMs = new Float64Array(this.memory, HEADER_BYTES, most);
    if (memory === undefined) this.#placedAtMs.fill(Number.NEGATIVE_INFINITY);
  }

  /** True: one call may be placed now, and counts as placed. */
  take(nowMs: number): boolean {
    if (!this.#lock()) return false;
    const next = Atomics.load(this.#words, NEXT);
    const isFree = nowMs - (this.#placedAtMs[next] as number) >= this.#windowMs;
    if (isFree) {
      this.#placedAtMs[next] = nowMs;
      Atomics.store(this.#words, NEXT, (next + 1) % this.#placedAtMs.length);
    }
    Atomics.store(this.#words, LOCK, 0);
    return isFree;
  }

  /** False: a thread died while it held the lock; no call is better than too many. */
  #lock(): boolean {
    for (let waits = 0; waits <= MAX_WAITS; waits++) {
      for (let i = 0; i < MAX_SPINS; i++) if (Atomics.compareExchange(this.#words, LOCK, 0, 1) === 0) return true;
      Atomics.wait(this.#words, LOCK, 1, WAIT_MS);
    }
    return false;
  }
}
