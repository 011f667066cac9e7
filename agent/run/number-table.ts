/**
 * What is found by the number of a call or an endpoint, in the order in which it came, where entries come and go by the thousand a second.
 * A Map would do, but for its ways with memory (agent/sip/text-table.ts): each table that it has moved out of keeps what stood in it, and
 * the tables after it, until the next full collection.
 */

const SMALLEST = 16;
const VACANT = 0;
/** 2^32 by the golden ratio: numbers that follow one another, or lie equally far apart, are spread over the places. */
const SPREAD = 0x9e3779b1;

export class NumberTable<T extends object> {
  /** Entries. */
  size = 0;
  /** By row, in their order; null: deleted. */
  #items: (T | null)[] = new Array<T | null>(SMALLEST).fill(null);
  /** Those of 31 bits and less. */
  #keys = new Int32Array(SMALLEST);
  /** By place, row and 1; what was deleted keeps its place until rows are moved. */
  #places = new Int32Array(2 * SMALLEST);
  #rows = 0;
  #visits = 0;

  get(key: number): T | undefined {
    const row = this.#rowOf(key);
    return row < 0 ? undefined : (this.#items[row] as T);
  }

  set(key: number, item: T): void {
    const row = this.#rowOf(key);
    if (row >= 0) {
      this.#items[row] = item;
      return;
    }
    if (this.#rows === this.#keys.length) this.#makeRoom();
    this.#keys[this.#rows] = key;
    this.#items[this.#rows] = item;
    this.#rows++;
    this.#place(key, this.#rows);
    this.size++;
  }

  /** False: there was none. */
  delete(key: number): boolean {
    const row = this.#rowOf(key);
    if (row < 0) return false;
    this.#items[row] = null;
    this.size--;
    return true;
  }

  clear(): void {
    for (const key of this.keys()) this.delete(key);
  }

  /** What is added meanwhile comes, too, and what is deleted before its turn does not. */
  *values(): Generator<T, void> {
    this.#visits++;
    try {
      for (let row = 0; row < this.#rows; row++) {
        const item = this.#items[row] as T | null;
        if (item !== null) yield item;
      }
    } finally {
      this.#visits--;
    }
  }

  /** As they are now. */
  keys(): number[] {
    return [...this.#keys.subarray(0, this.#rows)].filter((_, row) => this.#items[row] !== null);
  }

  /** Negative: it is not there. */
  #rowOf(key: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    for (let at = this.#firstPlace(key); places[at] !== VACANT; at = (at + 1) & mask) {
      const row = (places[at] as number) - 1;
      if (this.#keys[row] === key && this.#items[row] !== null) return row;
    }
    return -1;
  }

  #firstPlace(key: number): number {
    return Math.imul(key, SPREAD) >>> (Math.clz32(this.#places.length) + 1);
  }

  #place(key: number, rowAndOne: number): void {
    const places = this.#places;
    const mask = places.length - 1;
    let at = this.#firstPlace(key);
    while (places[at] !== VACANT) at = (at + 1) & mask;
    places[at] = rowAndOne;
  }

  /** Where most rows are deleted ones the others move up, in the same memory; not while somebody goes through them. */
  #makeRoom(): void {
    if (this.size * 2 > this.#rows || this.#visits > 0) this.#grow();
    else this.#moveUp();
    for (let row = 0; row < this.#rows; row++)
      if (this.#items[row] !== null) this.#place(this.#keys[row] as number, row + 1);
  }

  #grow(): void {
    const [items, keys] = [this.#items, this.#keys];
    const rows = 2 * keys.length;
    this.#items = new Array<T | null>(rows).fill(null);
    this.#keys = new Int32Array(rows);
    this.#keys.set(keys);
    this.#places = new Int32Array(2 * rows);
    for (const [row, item] of items.entries()) this.#items[row] = item;
    // It may be old to the collector, and keep all of them.
    items.fill(null);
  }

  #moveUp(): void {
    const [items, keys] = [this.#items, this.#keys];
    let to = 0;
    for (let row = 0; row < this.#rows; row++) {
      const item = items[row] as T | null;
      if (item === null) continue;
      items[row] = null;
      items[to] = item;
      keys[to] = keys[row] as number;
      to++;
    }
    this.#rows = to;
    this.#places.fill(VACANT);
  }
}
