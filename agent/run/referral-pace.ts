/**
 * How many calls peers may have us place by REFER: as many a second as the host's policy allows to a plan, a second's worth of them at
 * once. A token bucket.
 */
export class ReferralPace {
  readonly #perMs: number;
  readonly #depth: number;
  #tokens: number;
  #atMs = Number.NEGATIVE_INFINITY;

  constructor(callsPerSecond: number) {
    this.#perMs = callsPerSecond / 1000;
    this.#depth = Math.max(1, callsPerSecond);
    this.#tokens = this.#depth;
  }

  /** True: one call may be placed now. */
  take(nowMs: number): boolean {
    this.#tokens = Math.min(this.#depth, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
