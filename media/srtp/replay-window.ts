/** The indexes already seen (RFC 3711, 3.3.2): the highest, and a bit for each of the last 1,024. */

/**
 * The RFC requires at least 64. Video retransmits packets up to 512 back, and the statistics recognize late packets
 * within the same range.
 */
export const WINDOW = 1024;

export class ReplayWindow {
  readonly #seen = new Uint32Array(WINDOW / 32);
  readonly #top = new Float64Array(1).fill(-1);

  /** The highest index; -1 before the first. */
  get highest(): number {
    return this.#top[0]!;
  }

  /** Whether the index was seen, or is too old to decide. */
  isReplay(index: number): boolean {
    const highest = this.#top[0]!;
    if (index > highest) return false;
    if (index <= highest - WINDOW) return true;
    const bit = index % WINDOW;
    return (this.#seen[bit >>> 5]! & (1 << (bit & 31))) !== 0;
  }

  /** Records an index that is not a replay, and whose packet was authentic. */
  accept(index: number): void {
    const highest = this.#top[0]!;
    if (index > highest) {
      const from = Math.max(highest + 1, index - WINDOW + 1);
      for (let passed = from; passed < index; passed++) this.#mark(passed % WINDOW, false);
      this.#top[0] = index;
    }
    this.#mark(index % WINDOW, true);
  }

  #mark(bit: number, seen: boolean): void {
    if (seen) this.#seen[bit >>> 5]! |= 1 << (bit & 31);
    else this.#seen[bit >>> 5]! &= ~(1 << (bit & 31));
  }
}
