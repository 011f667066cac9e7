/**
 * Results of calls in the last seconds, and what they say about the far end. A reducer over whole seconds; time is an
 * argument.
 */
import type { BreakerPlan } from '../plan.ts';

const WINDOW_SECONDS = 10;

/** Calls that say something about the far end, failed ones, and those blocked as fraud. */
export type CallCounts = { readonly calls: number; readonly failures: number; readonly blocked: number };

export class CallWindow {
  readonly #plan: BreakerPlan;
  /** The second of each entry; entries older than the window are overwritten. */
  readonly #second = new Float64Array(WINDOW_SECONDS).fill(-1);
  readonly #calls = new Uint32Array(WINDOW_SECONDS);
  readonly #failures = new Uint32Array(WINDOW_SECONDS);
  #allCalls = 0;
  #allBlocked = 0;

  constructor(plan: BreakerPlan) {
    this.#plan = plan;
  }

  /** Why no more calls should be placed; null: no reason. */
  count(atMs: number, { calls, failures, blocked }: CallCounts): string | null {
    const second = Math.floor(atMs / 1000);
    const place = second % WINDOW_SECONDS;
    if (this.#second[place] !== second) {
      this.#second[place] = second;
      this.#calls[place] = 0;
      this.#failures[place] = 0;
    }
    this.#calls[place] = (this.#calls[place] as number) + calls;
    this.#failures[place] = (this.#failures[place] as number) + failures;
    this.#allCalls += calls;
    this.#allBlocked += blocked;
    if (failures === 0) return null;
    return this.#fraud() ?? this.#trouble(second);
  }

  /** The far end has blocked every call until now, and these are enough calls to judge. */
  #fraud(): string | null {
    const { minCalls, blockedCalls } = this.#plan;
    if (this.#allBlocked < this.#allCalls || this.#allBlocked < Math.min(minCalls, blockedCalls)) return null;
    return `the far end blocked all of ${this.#allBlocked} calls`;
  }

  #trouble(second: number): string | null {
    let calls = 0;
    let failures = 0;
    for (let place = 0; place < WINDOW_SECONDS; place++) {
      if ((this.#second[place] as number) <= second - WINDOW_SECONDS) continue;
      calls += this.#calls[place] as number;
      failures += this.#failures[place] as number;
    }
    const { failurePercent, minCalls } = this.#plan;
    if (calls < minCalls || failures * 100 < failurePercent * calls) return null;
    return `${failures} of ${calls} calls of the last ${WINDOW_SECONDS} s failed`;
  }
}
