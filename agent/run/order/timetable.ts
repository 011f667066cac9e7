/**
 * A timetable: a heap of instants, so that a thread with 10,000 endpoints checks only the next one. An entry is a
 * number, and the instants lie next to each other in memory: thousands of changes a second allocate nothing, and a
 * comparison reads no object.
 */

/** Stands for the lack of an entry. */
export const NO_ENTRY = -1;

/** Four children share a line of the processor's cache, and the heap has half the levels of a binary one. */
const CHILDREN_BITS = 2;
const MIN_SLOTS = 16;

export class Timetable<T> {
  size = 0;
  /** The heap: the instant and the entry at each place. */
  #atMs = new Float64Array(MIN_SLOTS);
  #entries = new Int32Array(MIN_SLOTS);
  /** The heap index of each entry; for free entries, the next free one. */
  #places = new Int32Array(MIN_SLOTS);
  readonly #items: (T | null)[] = [];
  #free = NO_ENTRY;

  /** Returns the entry, which can be removed as long as it is not taken. */
  add(atMs: number, item: T): number {
    const entry = this.#newEntry();
    this.#items[entry] = item;
    this.#rise(atMs, entry, this.size++);
    return entry;
  }

  /** The instant of the next item; Infinity: the timetable is empty. */
  get nextMs(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[0] as number);
  }

  /** The entry of the next item; NO_ENTRY: the timetable is empty. */
  get nextEntry(): number {
    return this.size === 0 ? NO_ENTRY : (this.#entries[0] as number);
  }

  /** The next item; undefined: the timetable is empty. */
  get next(): T | undefined {
    return this.size === 0 ? undefined : (this.#items[this.#entries[0] as number] as T);
  }

  /** Removes and returns the next item. Throws if the timetable is empty. */
  take(): T {
    return this.remove(this.nextEntry);
  }

  /**
   * Removes the entry and returns its item. Throws if the entry is not in the timetable: it may already belong to
   * another item.
   */
  remove(entry: number): T {
    const item = this.#items[entry] ?? null;
    if (item === null) throw new Error('the entry is not in the timetable');
    const place = this.#places[entry] as number;
    this.#items[entry] = null;
    this.#places[entry] = this.#free;
    this.#free = entry;
    const last = --this.size;
    if (last !== place) this.#settle(this.#atMs[last] as number, this.#entries[last] as number, place);
    return item;
  }

  clear(): void {
    while (this.size > 0) this.remove(this.#entries[this.size - 1] as number);
  }

  /** Puts the entry into the vacant place, or where it belongs above or below. */
  #settle(atMs: number, entry: number, place: number): void {
    const above = (place - 1) >> CHILDREN_BITS;
    if (place > 0 && (this.#atMs[above] as number) > atMs) this.#rise(atMs, entry, place);
    else this.#sink(atMs, entry, place);
  }

  /** Puts the entry between the vacant place and the top. */
  #rise(atMs: number, entry: number, place: number): void {
    let at = place;
    while (at > 0) {
      const above = (at - 1) >> CHILDREN_BITS;
      const aboveMs = this.#atMs[above] as number;
      if (aboveMs <= atMs) break;
      this.#put(aboveMs, this.#entries[above] as number, at);
      at = above;
    }
    this.#put(atMs, entry, at);
  }

  #sink(atMs: number, entry: number, place: number): void {
    const instants = this.#atMs;
    const { size } = this;
    let at = place;
    for (;;) {
      const first = (at << CHILDREN_BITS) + 1;
      if (first >= size) break;
      const end = Math.min(first + (1 << CHILDREN_BITS), size);
      let least = first;
      for (let child = first + 1; child < end; child++)
        if ((instants[child] as number) < (instants[least] as number)) least = child;
      const leastMs = instants[least] as number;
      if (atMs <= leastMs) break;
      this.#put(leastMs, this.#entries[least] as number, at);
      at = least;
    }
    this.#put(atMs, entry, at);
  }

  #put(atMs: number, entry: number, place: number): void {
    this.#atMs[place] = atMs;
    this.#entries[place] = entry;
    this.#places[entry] = place;
  }

  #newEntry(): number {
    const entry = this.#free;
    if (entry !== NO_ENTRY) {
      this.#free = this.#places[entry] as number;
      return entry;
    }
    const fresh = this.#items.length;
    if (fresh === this.#places.length) this.#grow(2 * fresh);
    return fresh;
  }

  #grow(entries: number): void {
    const atMs = new Float64Array(entries);
    atMs.set(this.#atMs);
    this.#atMs = atMs;
    this.#entries = longer(this.#entries, entries);
    this.#places = longer(this.#places, entries);
  }
}

function longer(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(length);
  more.set(values);
  return more;
}
