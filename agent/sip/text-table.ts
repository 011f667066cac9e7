/**
 * A table by text, for thousands of changes per second. A Map would do, except for its memory behaviour: it regularly
 * moves to a new internal table, and each old one points to the next. Once one of them is in the old generation, all
 * later ones stay, and so does every call that was ever in them, until the next full collection: 2 kB per call, copied
 * twice.
 */

const MIN_SLOTS = 16;
const VACANT = 0;
/** A random seed: a peer must not be able to force hash collisions. */
const SEED = (Math.random() * 2 ** 31) | 0;

export class TextTable<T> {
  size = 0;
  #keys: (string | null)[] = new Array<string | null>(MIN_SLOTS).fill(null);
  #items: (T | null)[] = new Array<T | null>(MIN_SLOTS).fill(null);
  /** Hashes of the keys, `VACANT` if empty: a search reads no other key, because keys are cold memory. */
  #hashes = new Int32Array(MIN_SLOTS);
  #mask = MIN_SLOTS - 1;

  /** `hash`, here and below: of the key, where it is known. */
  get(key: string, hash = hashOf(key)): T | null {
    return this.#items[this.#placeOf(key, hash)] as T | null;
  }

  has(key: string, hash = hashOf(key)): boolean {
    return this.#hashes[this.#placeOf(key, hash)] !== VACANT;
  }

  set(key: string, item: T, hash = hashOf(key)): void {
    const at = this.#placeOf(key, hash);
    this.#items[at] = item;
    if (this.#hashes[at] !== VACANT) return;
    this.#hashes[at] = hash;
    this.#keys[at] = key;
    this.size++;
    if (this.size * 2 > this.#mask) this.#grow();
  }

  delete(key: string, hash = hashOf(key)): void {
    const keys = this.#keys;
    const items = this.#items;
    const hashes = this.#hashes;
    const mask = this.#mask;
    let gap = this.#placeOf(key, hash);
    if (hashes[gap] === VACANT) return;
    this.size--;
    // Later entries whose probe sequence covers the gap move into it: no place is ever marked as left.
    for (let at = (gap + 1) & mask; hashes[at] !== VACANT; at = (at + 1) & mask) {
      const later = hashes[at] as number;
      if (((at - later) & mask) < ((at - gap) & mask)) continue;
      hashes[gap] = later;
      keys[gap] = keys[at] as string;
      items[gap] = items[at] as T;
      gap = at;
    }
    hashes[gap] = VACANT;
    keys[gap] = null;
    items[gap] = null;
  }

  /** Visits the items of this moment, in no defined order. `visit` may add and delete. */
  forEach(visit: (item: T) => void): void {
    for (const item of this.#items.filter((each) => each !== null)) visit(item);
  }

  clear(): void {
    this.size = 0;
    this.#hashes.fill(VACANT);
    this.#keys.fill(null);
    this.#items.fill(null);
  }

  /** The place of the key, present or not. */
  #placeOf(key: string, hash: number): number {
    const keys = this.#keys;
    const hashes = this.#hashes;
    const mask = this.#mask;
    let at = hash & mask;
    while (hashes[at] !== VACANT && (hashes[at] !== hash || keys[at] !== key)) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const keys = this.#keys;
    const items = this.#items;
    const hashes = this.#hashes;
    const places = keys.length * 2;
    this.#keys = new Array<string | null>(places).fill(null);
    this.#items = new Array<T | null>(places).fill(null);
    this.#hashes = new Int32Array(places);
    this.#mask = places - 1;
    for (let i = 0; i < keys.length; i++) {
      const hash = hashes[i] as number;
      if (hash === VACANT) continue;
      const key = keys[i] as string;
      const at = this.#placeOf(key, hash);
      this.#hashes[at] = hash;
      this.#keys[at] = key;
      this.#items[at] = items[i] as T;
    }
  }
}

/** Never 0, which is `VACANT`. */
export function hashOf(key: string): number {
  let hash = SEED;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15) || 1;
}
