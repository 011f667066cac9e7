/**
 * A table by the number of a call or an endpoint, in insertion order, for thousands of changes per second. A Map would
 * do, except for its memory behaviour (agent/sip/text-table.ts): each abandoned internal table keeps its contents, and
 * the tables after it, until the next full collection.
 */

const MIN_SLOTS = 16;
const VACANT = 0;
/** 2^32 times the golden ratio: consecutive or equidistant numbers are spread over the places. */
const SPREAD = 0x9e3779b1;

export class NumberTable<T extends object> {
  size = 0;
  /** The items by row, in insertion order; null: deleted. */
  #items: (T | null)[] = new Array<T | null>(MIN_SLOTS).fill(null);
  /** The numbers by row, of at most 31 bits. */
  #keys = new Int32Array(MIN_SLOTS);
  /** The row plus 1, by place; deleted entries keep their place until rows are moved. */
  #places = new Int32Array(2 * MIN_SLOTS);
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

  /** False: the key was not in the table. */
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

  /** Includes entries that are added during the iteration, but not those deleted before their turn. */
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

  /** A copy of the current keys. */
  keys(): number[] {
    return [...this.#keys.subarray(0, this.#rows)].filter((_, row) => this.#items[row] !== null);
  }

  /** Negative: the key is not in the table. */
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

  /** If most rows are deleted, the others move up in the same memory; not during an iteration. */
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
    // The old table may be in the old generation, and would keep all items alive.
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
