/** The talk time of one share's calls since the last report, for the policy's minutes per day. */
import type { DayMinutes } from '../../policy/minutes.ts';
import type { Phase } from '../phases.ts';

export class TalkedMinutes {
  readonly #minutes: Pick<DayMinutes, 'spend' | 'obstacle'> | null;
  #untilMs: number;
  /** The number of calls in progress. */
  #talking = 0;

  constructor(minutes: Pick<DayMinutes, 'spend' | 'obstacle'> | null, nowMs: number) {
    this.#minutes = minutes;
    this.#untilMs = nowMs;
  }

  /** Why no call may continue: the day's minutes are used up. Null: some are left. */
  get spent(): string | null {
    return this.#minutes?.obstacle ?? null;
  }

  /** The phase of a call has changed. */
  onPhase(from: Phase, to: Phase): void {
    if (from === 'INCALL') this.#talking--;
    if (to === 'INCALL') this.#talking++;
  }

  /** Why current calls must stop; null: they need not. */
  count(nowMs: number): string | null {
    const sinceMs = nowMs - this.#untilMs;
    this.#untilMs = nowMs;
    if (this.#talking === 0) return null;
    this.#minutes?.spend(this.#talking * sinceMs);
    return this.spent;
  }
}
