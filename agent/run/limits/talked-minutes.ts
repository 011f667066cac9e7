/** The minutes that the calls of one share have talked since the last time, as the owner's limit of a day counts them. */
import type { DayMinutes } from '../../policy/minutes.ts';

export class TalkedMinutes {
  readonly #minutes: Pick<DayMinutes, 'spend' | 'obstacle'> | null;
  #untilMs: number;

  constructor(minutes: Pick<DayMinutes, 'spend' | 'obstacle'> | null, nowMs: number) {
    this.#minutes = minutes;
    this.#untilMs = nowMs;
  }

  /** Why no call may go on: the day's minutes are spent. Null: there are some left. */
  get spent(): string | null {
    return this.#minutes?.obstacle ?? null;
  }

  /** Why those that talk have to stop; null: they need not. */
  count(talking: number, nowMs: number): string | null {
    const sinceMs = nowMs - this.#untilMs;
    this.#untilMs = nowMs;
    if (talking === 0) return null;
    this.#minutes?.spend(talking * sinceMs);
    return this.spent;
  }
}
