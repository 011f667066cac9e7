/**
 * When the endpoints of a share want to be woken. The wakings of an endpoint that has closed are removed: otherwise a
 * call of a load that was over after a second would stay in memory for the minute for which it would have waited for an
 * answer.
 */
import type { EndpointTimer, Sleeper } from '../endpoint/core/endpoint-timer.ts';
import { NO_ENTRY, Timetable } from '../order/timetable.ts';

export class Wakings {
  readonly #timetable = new Timetable<Sleeper>();
  /** The purpose of each entry, and the endpoint's previous entry. */
  readonly #timers: EndpointTimer[] = [];
  readonly #before: number[] = [];

  get size(): number {
    return this.#timetable.size;
  }

  /** The instant of the next waking; Infinity: there are no wakings. */
  get nextMs(): number {
    return this.#timetable.nextMs;
  }

  add(atMs: number, sleeper: Sleeper, what: EndpointTimer): void {
    const entry = this.#timetable.add(atMs, sleeper);
    this.#timers[entry] = what;
    this.#before[entry] = sleeper.waking;
    sleeper.waking = entry;
  }

  /** Wakes the next endpoint, which must exist. */
  wake(): void {
    const { nextMs, nextEntry } = this.#timetable;
    const sleeper = this.#timetable.take();
    this.#forget(sleeper, nextEntry);
    sleeper.onTimer(this.#timers[nextEntry] as EndpointTimer, nextMs);
  }

  /** Removes all wakings of the endpoint. */
  leave(sleeper: Sleeper): void {
    for (let entry = sleeper.waking; entry !== NO_ENTRY; entry = this.#before[entry] as number)
      this.#timetable.remove(entry);
    sleeper.waking = NO_ENTRY;
  }

  clear(): void {
    while (this.size > 0) this.leave(this.#timetable.next as Sleeper);
  }

  /** Removes the entry from the list of its endpoint, which is short. */
  #forget(sleeper: Sleeper, gone: number): void {
    const before = this.#before[gone] as number;
    if (sleeper.waking === gone) {
      sleeper.waking = before;
      return;
    }
    for (let later = sleeper.waking; later !== NO_ENTRY; later = this.#before[later] as number) {
      if (this.#before[later] !== gone) continue;
      this.#before[later] = before;
      return;
    }
  }
}
