/** The talk time of one share's calls since the last report, for the policy's minutes per day. */
import type { DayMinutes } from '../../policy/minutes.ts';

export class TalkedMinutes {
  readonly #minutes: Pick<DayMinutes, 'spend' | 'obstacle'> | null;
  #untilMs: number;

  constructor(minutes: Pick<DayMinutes, 'spend' | 'obstacle'> | null, nowMs: number) {
    this.#minutes = minutes;
    this.#untilMs = nowMs;
  }

  /** Why no call may continue: the day's minutes are used up. Null: some are left. */
  get spent(): string | null {
    return this.#minutes?.obstacle ?? null;
  }

  /** Why current calls must stop; null: they need not. */
  count(talking: number, nowMs: number): string | null {
    const sinceMs = nowMs - this.#untilMs;
    this.#untilMs = nowMs;
    if (talking === 0) return null;
    this.#minutes?.spend(talking * sinceMs);
    return this.spent;
  }
}
