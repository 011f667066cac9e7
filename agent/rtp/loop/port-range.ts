/** Our pairs of ports: RTP on the even one, RTCP on the odd one above it (RFC 3550, 11). */

export class PortRange {
  readonly #firstPort: number;
  readonly #taken: Uint8Array;
  #cursor: number;

  /**
   * Pairs within `firstPort` and `lastPort`. The search starts at a random place (`random`, 0 to 1), so that two agents
   * on one host, or a restarted one, do not try the same ports; and it is circular, so that a port rests after use.
   */
  constructor(firstPort: number, lastPort: number, random: number) {
    this.#firstPort = firstPort + (firstPort % 2);
    this.#taken = new Uint8Array(Math.max(0, Math.floor((lastPort - this.#firstPort + 1) / 2)));
    this.#cursor = Math.floor(random * this.#taken.length);
  }

  get pairs(): number {
    return this.#taken.length;
  }

  /** Takes the next free pair and returns its even port; null: all pairs are taken. */
  take(): number | null {
    for (let i = 0; i < this.#taken.length; i++) {
      const pair = (this.#cursor + i) % this.#taken.length;
      if (this.#taken[pair] === 1) continue;
      this.#taken[pair] = 1;
      this.#cursor = (pair + 1) % this.#taken.length;
      return this.#firstPort + pair * 2;
    }
    return null;
  }

  release(port: number): void {
    this.#taken[(port - this.#firstPort) / 2] = 0;
  }
}
