/** Which pairs of ports are ours: RTP on the even, RTCP on the odd one above it (RFC 3550, 11). */

export class PortRange {
  private readonly firstPort: number;
  private readonly taken: Uint8Array;
  private cursor: number;

  /**
   * Pairs within `firstPort` and `lastPort`. The search begins at a random place (`random`, 0 to 1), so that two agents on one
   * host, or one that was restarted, do not ask for the same ports; and it goes round, so that a port rests after use.
   */
  constructor(firstPort: number, lastPort: number, random: number) {
    this.firstPort = firstPort + (firstPort % 2);
    this.taken = new Uint8Array(Math.max(0, Math.floor((lastPort - this.firstPort + 1) / 2)));
    this.cursor = Math.floor(random * this.taken.length);
  }

  get pairs(): number {
    return this.taken.length;
  }

  /** The even port of the next pair that is not taken, which now is; null when all are. */
  take(): number | null {
    for (let i = 0; i < this.taken.length; i++) {
      const pair = (this.cursor + i) % this.taken.length;
      if (this.taken[pair] === 1) continue;
      this.taken[pair] = 1;
      this.cursor = (pair + 1) % this.taken.length;
      return this.firstPort + pair * 2;
    }
    return null;
  }

  release(port: number): void {
    this.taken[(port - this.firstPort) / 2] = 0;
  }
}
