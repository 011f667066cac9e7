/**
 * The circuit breaker of a share's calls: it stops calls to a target in trouble. It opens on what this thread has seen,
 * without waiting for others; its counts go to the agent, which adds up its threads, and to the control plane, which
 * adds up all agents of the group. It opens permanently if too many calls failed, or if the far end blocks all as
 * fraud; it pauses for the Retry-After of a 503 (RFC 3261, 21.5.4).
 */
import type { SipFailure } from '../../sip/engine.ts';
import type { BreakerPlan } from '../plan.ts';
import { CallWindow } from './call-window.ts';

/** What telephone networks answer to calls that they consider fraud or spam (RFC 8197, RFC 8688; 403, 603: by custom). */
const FRAUD_BLOCKS: ReadonlySet<number> = new Set([403, 603, 607, 608]);
/** The far end worked correctly: it did not answer, was busy, or we gave up. */
const NO_TROUBLE: ReadonlySet<number> = new Set([480, 486, 487, 600]);

/** `untilMs` Infinity: permanently. */
export type Breach = { readonly atMs: number; readonly untilMs: number; readonly reason: string };

/** Results of calls since the last report. */
export type CallTally = {
  readonly atMs: number;
  readonly calls: number;
  readonly failures: number;
  readonly blocked: number;
};

export class Breaker {
  readonly #window: CallWindow;
  readonly #onBreach: (breach: Breach) => void;
  #untilMs = Number.NEGATIVE_INFINITY;
  #reason = '';
  #calls = 0;
  #failures = 0;
  #blocked = 0;

  constructor(plan: BreakerPlan, onBreach: (breach: Breach) => void) {
    this.#window = new CallWindow(plan);
    this.#onBreach = onBreach;
  }

  /** Why no call may start now; null: it may. */
  obstacle(nowMs: number): string | null {
    return nowMs < this.#untilMs ? this.#reason : null;
  }

  answered(nowMs: number): void {
    this.#count(nowMs, false, false, '');
  }

  failed(failure: SipFailure, nowMs: number): void {
    const { kind, status, retryAfterSeconds } = failure;
    if (kind === 'CANCELLED' || kind === 'POLICY' || kind === 'NUMBER') return;
    if (status === 503 && retryAfterSeconds) {
      const reason = `the far end asked for ${retryAfterSeconds} s without calls (503, Retry-After)`;
      this.#breach(nowMs, nowMs + retryAfterSeconds * 1000, reason);
      return;
    }
    const isBlock = status !== null && FRAUD_BLOCKS.has(status);
    this.#count(
      nowMs,
      status === null || !NO_TROUBLE.has(status),
      isBlock,
      isBlock ? `${status} ${failure.reason}` : '',
    );
  }

  /** Another breaker has opened. */
  open(nowMs: number, untilMs: number, reason: string): void {
    if (untilMs <= this.#untilMs || untilMs <= nowMs) return;
    this.#untilMs = untilMs;
    this.#reason = reason;
  }

  /** Counts since the last report; null: none. */
  takeTally(nowMs: number): CallTally | null {
    if (this.#calls === 0) return null;
    const tally = { atMs: nowMs, calls: this.#calls, failures: this.#failures, blocked: this.#blocked };
    this.#calls = 0;
    this.#failures = 0;
    this.#blocked = 0;
    return tally;
  }

  #count(nowMs: number, isFailure: boolean, isBlock: boolean, said: string): void {
    const [failures, blocked] = [isFailure ? 1 : 0, isBlock ? 1 : 0];
    this.#calls++;
    this.#failures += failures;
    this.#blocked += blocked;
    const reason = this.#window.count(nowMs, { calls: 1, failures, blocked });
    if (reason !== null) this.#breach(nowMs, Number.POSITIVE_INFINITY, isBlock ? `${reason} (${said})` : reason);
  }

  /** Calls in progress continue to fail: a known breach is not reported again, nor is a pause of less than a second. */
  #breach(atMs: number, untilMs: number, reason: string): void {
    const known = this.#untilMs === untilMs || untilMs < this.#untilMs + 1000;
    this.open(atMs, untilMs, reason);
    if (!known) this.#onBreach({ atMs, untilMs, reason });
  }
}
