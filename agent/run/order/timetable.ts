/** What is due when: a binary heap of instants, so that a thread with 10,000 endpoints looks at the next one only. */

export class Timetable<T> {
  readonly #at: number[] = [];
  readonly #what: T[] = [];

  get size(): number {
    return this.#at.length;
  }

  add(atMs: number, what: T): void {
    const at = this.#at;
    const items = this.#what;
    let i = at.length;
    at.push(atMs);
    items.push(what);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((at[parent] as number) <= atMs) break;
      this.#swap(i, parent);
      i = parent;
    }
  }

  /** Instant of the next item, Infinity if there is none. */
  get nextMs(): number {
    return this.#at[0] ?? Number.POSITIVE_INFINITY;
  }

  /** The next item, undefined if there is none. */
  get next(): T | undefined {
    return this.#what[0];
  }

  /** Takes the next item if its instant has come. */
  takeDue(nowMs: number): { readonly atMs: number; readonly what: T } | undefined {
    const atMs = this.#at[0];
    if (atMs === undefined || atMs > nowMs) return undefined;
    const what = this.#what[0] as T;
    const lastAt = this.#at.pop() as number;
    const last = this.#what.pop() as T;
    if (this.#at.length > 0) {
      this.#at[0] = lastAt;
      this.#what[0] = last;
      this.#sink();
    }
    return { atMs, what };
  }

  clear(): void {
    this.#at.length = 0;
    this.#what.length = 0;
  }

  #sink(): void {
    const at = this.#at;
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      if (left >= at.length) return;
      const right = left + 1;
      const least = right < at.length && (at[right] as number) < (at[left] as number) ? right : left;
      if ((at[i] as number) <= (at[least] as number)) return;
      this.#swap(i, least);
      i = least;
    }
  }

  #swap(i: number, j: number): void {
    const at = this.#at[i] as number;
    const what = this.#what[i] as T;
    this.#at[i] = this.#at[j] as number;
    this.#what[i] = this.#what[j] as T;
    this.#at[j] = at;
    this.#what[j] = what;
  }
}
