/**
 * Offset of the control plane's clock: from the last exchanges, the one with the shortest round trip (the rule of NTP,
 * RFC 5905 section 10). Pure; instants are arguments.
 */

const KEEP = 16;

export class ClockOffset {
  readonly #exchanges: { roundTripMs: number; offsetMs: number }[] = [];

  /** We asked at `sentMs`, had the answer at `receivedMs` (monotonic); in between their clock read `theirUnixMs`. */
  observe(sentMs: number, theirUnixMs: number, receivedMs: number): void {
    const roundTripMs = Math.max(0, receivedMs - sentMs);
    this.#exchanges.push({ roundTripMs, offsetMs: theirUnixMs - (sentMs + receivedMs) / 2 });
    if (this.#exchanges.length > KEEP) this.#exchanges.shift();
  }

  get known(): boolean {
    return this.#exchanges.length > 0;
  }

  /** Their Unix time less our monotonic time, in milliseconds; wrong by at most `errorMs`. */
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
