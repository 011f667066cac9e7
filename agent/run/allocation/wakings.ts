/**
 * When the endpoints of a share want to be woken. One that has closed leaves: the minute for which an answer would have been waited keeps no
 * call of a load in memory that was over after a second.
 */
import type { EndpointTimer, Sleeper, Waking } from '../endpoint/core/endpoint-timer.ts';
import { type Planned, Timetable } from '../order/timetable.ts';

export class Wakings {
  readonly #timetable = new Timetable<Waking>();

  /** To come. */
  get size(): number {
    return this.#timetable.size;
  }

  add(atMs: number, sleeper: Sleeper, what: EndpointTimer): void {
    sleeper.waking = this.#timetable.add(atMs, { sleeper, what, before: sleeper.waking });
  }

  /** The next one, if its instant has come. */
  takeDue(nowMs: number): Planned<Waking> | undefined {
    const due = this.#timetable.takeDue(nowMs);
    if (due !== undefined) forget(due);
    return due;
  }

  /** Cancels its waking. */
  leave(sleeper: Sleeper): void {
    for (let waking = sleeper.waking; waking !== null; waking = waking.what.before) this.#timetable.remove(waking);
    sleeper.waking = null;
  }

  clear(): void {
    this.#timetable.clear();
  }
}

/** Removes it from its endpoint's few entries. */
function forget(due: Planned<Waking>): void {
  const { sleeper, before } = due.what;
  if (sleeper.waking === due) {
    sleeper.waking = before;
    return;
  }
  for (let later = sleeper.waking; later !== null; later = later.what.before) {
    if (later.what.before !== due) continue;
    later.what.before = before;
    return;
  }
}
