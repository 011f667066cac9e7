/**
 * The offset of the control plane's clock: from the last exchanges, the one with the shortest round trip counts (the
 * rule of NTP, RFC 5905 section 10). Pure; instants are arguments.
 */

const KEEP = 16;

export class ClockOffset {
  readonly #exchanges: { roundTripMs: number; offsetMs: number }[] = [];

  /**
   * The question was sent at `sentMs`, the answer arrived at `receivedMs` (monotonic); in between their clock read
   * `theirUnixMs`.
   */
  observe(sentMs: number, theirUnixMs: number, receivedMs: number): void {
    const roundTripMs = Math.max(0, receivedMs - sentMs);
    this.#exchanges.push({ roundTripMs, offsetMs: theirUnixMs - (sentMs + receivedMs) / 2 });
    if (this.#exchanges.length > KEEP) this.#exchanges.shift();
  }

  get known(): boolean {
    return this.#exchanges.length > 0;
  }

  /** Their Unix time minus our monotonic time, in milliseconds; the error is at most `errorMs`. */
  get offsetMs(): number {
    return this.#best()?.offsetMs ?? 0;
  }

  /** Half of the shortest round trip; NaN: unknown. */
  get errorMs(): number {
    return (this.#best()?.roundTripMs ?? Number.NaN) / 2;
  }

  #best() {
    let best = this.#exchanges[0];
    for (const e of this.#exchanges) if (best === undefined || e.roundTripMs < best.roundTripMs) best = e;
    return best;
  }
}
