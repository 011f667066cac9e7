/** The starts of a share's calls: each at its instant, as far as the plan's pace and the policy of the host allow. */

import type { Starter } from '../endpoint/core/endpoint-timer.ts';
import type { HostPace } from '../limits/host-pace.ts';
import { StartPace } from '../limits/start-pace.ts';
import { Timetable } from '../order/timetable.ts';
import type { LoadPlan, SharePlan } from '../plan.ts';

export class CallStarts {
  readonly #starts = new Timetable<Starter>();
  readonly #hostPace: Pick<HostPace, 'take'>;
  #pace: StartPace;
  #lastReplannedMs = Number.NEGATIVE_INFINITY;

  constructor({ load, endpoints }: Pick<SharePlan, 'load' | 'endpoints'>, hostPace: Pick<HostPace, 'take'>) {
    this.#hostPace = hostPace;
    this.#pace = load ? StartPace.ofLoad(load) : StartPace.of(endpoints.map((e) => e.callAtMs));
  }

  add(atMs: number, starter: Starter): void {
    this.#starts.add(atMs, starter);
  }

  /** A registrar that answers many at once must not bunch their calls: they are rescheduled at the planned rate. */
  addAgain(fromMs: number, starter: Starter): void {
    this.#lastReplannedMs = Math.max(fromMs, this.#lastReplannedMs + this.#pace.gapMs);
    this.#starts.add(this.#lastReplannedMs, starter);
  }

  /** The load has these steps from now on. */
  follow(load: LoadPlan): void {
    this.#pace = StartPace.ofLoad(load);
  }

  /** One more call of the host, which a peer asks for: it counts as placed. */
  takeReferral(nowMs: number): boolean {
    return this.#hostPace.take(nowMs);
  }

  clear(): void {
    this.#starts.clear();
  }

  /** Starts everything that is due, as far as the pace allows. An endpoint that would not call anyway uses no turn. */
  turn(nowMs: number): void {
    for (let caller = this.#starts.next; caller !== undefined; caller = this.#starts.next) {
      const atMs = this.#starts.nextMs;
      if (atMs > nowMs || (caller.wouldStart(atMs) && !this.#mayStart(nowMs))) return;
      this.#starts.take();
      caller.onTimer('CALL', atMs);
    }
  }

  /** Whether the plan's pace and the policy's limit for all calls of the agent allow one more call. */
  #mayStart(nowMs: number): boolean {
    if (!this.#pace.allows(nowMs) || !this.#hostPace.take(nowMs)) return false;
    this.#pace.spend();
    return true;
  }
}
