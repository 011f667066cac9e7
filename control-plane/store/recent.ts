/** A cache limited by age and weight; least recently used values are removed first. */

type Entry<V> = { readonly value: V; readonly weight: number; readonly untilMs: number };

export class Recent<V> {
  readonly #ageMs: number;
  readonly #maxWeight: number;
  /** The entries in the order of their last use. */
  readonly #entries = new Map<string, Entry<V>>();
  #weight = 0;

  constructor(ageMs: number, maxWeight: number) {
    this.#ageMs = ageMs;
    this.#maxWeight = maxWeight;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: string, nowMs: number): V | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    if (found.untilMs <= nowMs) {
      this.#weight -= found.weight;
      return undefined;
    }
    this.#entries.set(key, found);
    return found.value;
  }

  /** A value heavier than the limit is not cached. */
  put(key: string, value: V, weight: number, nowMs: number): void {
    this.#drop(key);
    if (weight > this.#maxWeight) return;
    this.#entries.set(key, { value, weight, untilMs: nowMs + this.#ageMs });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.#drop(oldest);
    }
  }

  /** Deletes the entries whose key starts with it. */
  forget(start: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(start)) this.#drop(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #drop(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
