/**
 * One wheel for every timer of the engine, in steps of a millisecond. Time is an argument: `advance` fires what is due,
 * so tests simulate hours in an instant. A deadline is never early and at most a millisecond late, plus the distance
 * between two turns. Entries are linked into the wheel itself; setting and clearing a timer allocates nothing.
 */

const SLOTS = 1 << 15;
const MASK = SLOTS - 1;
const UNLINKED = -1;
const FIRING = -2;

/** Anything with one deadline at a time. */
export abstract class Timed {
  /** Only the wheel writes these four. Ticks are small integers: floats would be allocated one by one. */
  dueTick = 0;
  wheelSlot = UNLINKED;
  wheelNext: Timed | null = null;
  wheelPrevious: Timed | null = null;

  /** The deadline has come; `nowMs` is the turn's instant. */
  abstract onDue(nowMs: number): void;
}

export class TimerWheel {
  size = 0;
  readonly #slots: (Timed | null)[] = new Array<Timed | null>(SLOTS).fill(null);
  #firing: Timed | null = null;
  readonly #originMs: number;
  #tick = 0;

  constructor(nowMs: number) {
    this.#originMs = Math.floor(nowMs);
  }

  /** The first tick that is not before the instant. */
  tickOf(atMs: number): number {
    return Math.ceil(atMs - this.#originMs);
  }

  /** The last tick not after the instant: its entries are due. */
  passedTickOf(atMs: number): number {
    return Math.floor(atMs - this.#originMs);
  }

  /** Sets the deadline, in place of an earlier one; an instant that has passed fires with the next `advance`. */
  set(timed: Timed, dueAtMs: number): void {
    this.setTick(timed, this.tickOf(dueAtMs));
  }

  setTick(timed: Timed, dueTick: number): void {
    if (timed.wheelSlot !== UNLINKED) this.#unlink(timed);
    timed.dueTick = dueTick;
    this.#link(timed);
  }

  clear(timed: Timed): void {
    if (timed.wheelSlot !== UNLINKED) this.#unlink(timed);
  }

  /** Fires everything due at `nowMs` or before, in steps of a millisecond; the order within one step is not defined. */
  advance(nowMs: number): void {
    const target = this.passedTickOf(nowMs);
    // After a pause longer than a revolution every slot is visited once: each has all entries due by then.
    if (target - this.#tick > SLOTS) this.#tick = target - SLOTS;
    // Entries that an exception in a timer prevented from firing.
    if (this.#firing !== null) this.#fire(nowMs, this.#tick);
    while (this.#tick < target) {
      this.#tick++;
      const slot = this.#tick & MASK;
      const first = this.#slots[slot] as Timed | null;
      if (first === null) continue;
      this.#slots[slot] = null;
      this.#firing = first;
      for (let timed: Timed | null = first; timed !== null; timed = timed.wheelNext) timed.wheelSlot = FIRING;
      this.#fire(nowMs, target);
    }
  }

  #fire(nowMs: number, target: number): void {
    for (let timed = this.#firing; timed !== null; timed = this.#firing) {
      this.#unlink(timed);
      if (timed.dueTick > target) this.#link(timed);
      else timed.onDue(nowMs);
    }
  }

  #link(timed: Timed): void {
    const slot = Math.max(timed.dueTick, this.#tick + 1) & MASK;
    const first = this.#slots[slot] as Timed | null;
    timed.wheelSlot = slot;
    timed.wheelPrevious = null;
    timed.wheelNext = first;
    if (first !== null) first.wheelPrevious = timed;
    this.#slots[slot] = timed;
    this.size++;
  }

  #unlink(timed: Timed): void {
    const next = timed.wheelNext;
    const previous = timed.wheelPrevious;
    if (next !== null) next.wheelPrevious = previous;
    if (previous !== null) previous.wheelNext = next;
    else if (timed.wheelSlot === FIRING) this.#firing = next;
    else this.#slots[timed.wheelSlot] = next;
    timed.wheelSlot = UNLINKED;
    timed.wheelNext = null;
    timed.wheelPrevious = null;
    this.size--;
  }
}
