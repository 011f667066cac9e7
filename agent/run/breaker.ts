/**
 * The circuit breaker of a share's calls: whoever is in trouble is not called on. It judges what became of calls in the last
 * seconds; time is passed in. It opens for good where too many failed, or where the far end blocks all as fraud; it pauses
 * where a 503 says for how long (RFC 3261, 21.5.4).
 */
import type { SipFailure } from '../sip/engine.ts';
import type { BreakerPlan } from './plan.ts';

const WINDOW_SECONDS = 10;
/** What telephone networks answer to calls that they take for fraud or spam (RFC 8197, RFC 8688; 403, 603: by custom). */
const FRAUD_BLOCKS: ReadonlySet<number> = new Set([403, 603, 607, 608]);
/** The far end did its work: nobody there, busy, or we gave up. */
const NO_TROUBLE: ReadonlySet<number> = new Set([480, 486, 487, 600]);

/** `untilMs` Infinity: for good. */
export type Breach = { readonly atMs: number; readonly untilMs: number; readonly reason: string };

export class Breaker {
  readonly #plan: BreakerPlan;
  readonly #onBreach: (breach: Breach) => void;
  /** By second; what is older than the window is overwritten. */
  readonly #second = new Float64Array(WINDOW_SECONDS).fill(-1);
  readonly #calls = new Uint32Array(WINDOW_SECONDS);
  readonly #failures = new Uint32Array(WINDOW_SECONDS);
  /** All calls so far were blocked; NaN: one was not. */
  #blocked = 0;
  #untilMs = Number.NEGATIVE_INFINITY;
  #reason = '';

  constructor(plan: BreakerPlan, onBreach: (breach: Breach) => void) {
    this.#plan = plan;
    this.#onBreach = onBreach;
  }

  /** Why no call may start now; null: it may. */
  obstacle(nowMs: number): string | null {
    return nowMs < this.#untilMs ? this.#reason : null;
  }

  answered(nowMs: number): void {
    this.#blocked = Number.NaN;
    this.#count(nowMs, 0);
  }

  failed(failure: SipFailure, nowMs: number): void {
    const { kind, status, retryAfterSeconds } = failure;
    if (kind === 'CANCELLED' || kind === 'POLICY') return;
    if (status === 503 && retryAfterSeconds) {
      const reason = `the far end asked for ${retryAfterSeconds} s without calls (503, Retry-After)`;
      this.#breach(nowMs, nowMs + retryAfterSeconds * 1000, reason);
      return;
    }
    const isBlock = status !== null && FRAUD_BLOCKS.has(status);
    this.#blocked = isBlock ? this.#blocked + 1 : Number.NaN;
    if (this.#blocked >= Math.min(this.#plan.minCalls, this.#plan.blockedCalls)) {
      const reason = `the far end blocked all of ${this.#blocked} calls (${status} ${failure.reason})`;
      this.#breach(nowMs, Number.POSITIVE_INFINITY, reason);
    }
    this.#count(nowMs, status !== null && NO_TROUBLE.has(status) ? 0 : 1);
  }

  /** Another one has opened. */
  open(nowMs: number, untilMs: number, reason: string): void {
    if (untilMs <= this.#untilMs || untilMs <= nowMs) return;
    this.#untilMs = untilMs;
    this.#reason = reason;
  }

  #count(nowMs: number, failures: number): void {
    const second = Math.floor(nowMs / 1000);
    const place = second % WINDOW_SECONDS;
    if (this.#second[place] !== second) {
      this.#second[place] = second;
      this.#calls[place] = 0;
      this.#failures[place] = 0;
    }
    this.#calls[place] = (this.#calls[place] as number) + 1;
    this.#failures[place] = (this.#failures[place] as number) + failures;
    if (failures > 0) this.#judge(nowMs, second);
  }

  #judge(nowMs: number, second: number): void {
    let calls = 0;
    let failures = 0;
    for (let place = 0; place < WINDOW_SECONDS; place++) {
      if ((this.#second[place] as number) <= second - WINDOW_SECONDS) continue;
      calls += this.#calls[place] as number;
      failures += this.#failures[place] as number;
    }
    const { failurePercent, minCalls } = this.#plan;
    if (calls < minCalls || failures * 100 < failurePercent * calls) return;
    const reason = `${failures} of ${calls} calls of the last ${WINDOW_SECONDS} s failed`;
    this.#breach(nowMs, Number.POSITIVE_INFINITY, reason);
  }

  /** Calls that were under way go on to fail: what is known already is not told again, nor is a pause by less than a second. */
  #breach(atMs: number, untilMs: number, reason: string): void {
    const known = this.#untilMs === untilMs || untilMs < this.#untilMs + 1000;
    this.open(atMs, untilMs, reason);
    if (!known) this.#onBreach({ atMs, untilMs, reason });
  }
}
