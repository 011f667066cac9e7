/** A timetable: a binary heap of instants, so that a thread with 10,000 endpoints checks only the next one. */

/** An item and its instant. */
export type Planned<T> = {
  readonly atMs: number;
  readonly what: T;
  /** In the heap; only the timetable writes it. */
  place: number;
};

const NOWHERE = -1;

export class Timetable<T> {
  readonly #heap: Planned<T>[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The returned entry can be removed before its instant. */
  add(atMs: number, what: T): Planned<T> {
    const planned = { atMs, what, place: NOWHERE };
    this.#rise(planned, this.#heap.length);
    return planned;
  }

  /** Instant of the next item, Infinity if there is none. */
  get nextMs(): number {
    return this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** The next item, undefined if there is none. */
  get next(): T | undefined {
    return this.#heap[0]?.what;
  }

  /** Takes the next item if its instant has come. */
  takeDue(nowMs: number): Planned<T> | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.remove(first);
    return first;
  }

  /** Removing a missing entry has no effect. */
  remove(planned: Planned<T>): void {
    const { place } = planned;
    if (place === NOWHERE) return;
    planned.place = NOWHERE;
    const last = this.#heap.pop() as Planned<T>;
    if (last === planned) return;
    // It may have to move up or down in the heap.
    this.#rise(last, place);
    if (last.place === place) this.#sink(last, place);
  }

  clear(): void {
    for (const planned of this.#heap) planned.place = NOWHERE;
    this.#heap.length = 0;
  }

  /** Puts it where it belongs between the place, which is free, and the top. */
  #rise(planned: Planned<T>, place: number): void {
    const heap = this.#heap;
    let at = place;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Planned<T>;
      if (parent.atMs <= planned.atMs) break;
      this.#put(parent, at);
      at = above;
    }
    this.#put(planned, at);
  }

  #sink(planned: Planned<T>, place: number): void {
    const heap = this.#heap;
    let at = place;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const isRight = right < heap.length && (heap[right] as Planned<T>).atMs < (heap[left] as Planned<T>).atMs;
      const below = isRight ? right : left;
      const child = heap[below] as Planned<T>;
      if (planned.atMs <= child.atMs) break;
      this.#put(child, at);
      at = below;
    }
    this.#put(planned, at);
  }

  #put(planned: Planned<T>, place: number): void {
    this.#heap[place] = planned;
    planned.place = place;
  }
}
