/** Targets that asked for a pause: 503 with Retry-After (RFC 3261, 21.5.4; RFC 3263, 4.3). */
import type { SipTarget } from '../engine.ts';

/** A day: longer values are treated as errors. */
const MAX_SECONDS = 86_400;
const MAX_TARGETS = 1000;

export class SetAside {
  readonly #untilMs = new Map<string, number>();

  put(target: SipTarget, seconds: number, nowMs: number): void {
    if (this.#untilMs.size >= MAX_TARGETS) this.#forget(nowMs);
    if (this.#untilMs.size < MAX_TARGETS)
      this.#untilMs.set(keyOf(target), nowMs + Math.min(seconds, MAX_SECONDS) * 1000);
  }

  /** The same targets, paused ones last: if all are paused, the request is sent anyway, and the result is measured. */
  order(targets: readonly SipTarget[], nowMs: number): readonly SipTarget[] {
    if (this.#untilMs.size === 0 || targets.length < 2) return targets;
    const aside = targets.filter((target) => this.#has(target, nowMs));
    return aside.length === 0 ? targets : [...targets.filter((target) => !aside.includes(target)), ...aside];
  }

  #has(target: SipTarget, nowMs: number): boolean {
    return (this.#untilMs.get(keyOf(target)) ?? 0) > nowMs;
  }

  #forget(nowMs: number): void {
    for (const [key, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(key);
  }
}

export const keyOf = ({ transport, address, port }: SipTarget): string => `${transport} ${address} ${port}`;
