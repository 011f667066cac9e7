/**
 * Streams whose peer has not shown yet that it wants media: an INVITE, and its offer, may have another's address. Until
 * the first proof from the peer itself (ACK, PRACK, a packet of media from the requested address), only a few packets
 * are sent there. ICE and DTLS need no such limit: they send media only to an address that has answered (RFC 8445, RFC
 * 7675).
 */
export const PACKETS_BEFORE_CONSENT = 8;

type ConsentOwner = {
  /** Whether media have arrived from the address that the peer wants ours at. */
  readonly isHeard: (row: number) => boolean;
  readonly onConsent: (row: number) => void;
  /** Called in each turn until consent is given. */
  readonly onSpent: (row: number) => void;
};

export class Consent {
  /** Rows that wait for consent, unordered; usually few, for one round trip. */
  readonly #awaited: number[] = [];
  readonly #packetsSent: Uint32Array;
  readonly #owner: ConsentOwner;

  constructor(packetsSent: Uint32Array, owner: ConsentOwner) {
    this.#packetsSent = packetsSent;
    this.#owner = owner;
  }

  await(row: number): void {
    if (!this.isAwaited(row)) this.#awaited.push(row);
  }

  isAwaited(row: number): boolean {
    return this.#awaited.length > 0 && this.#awaited.includes(row);
  }

  turn(): void {
    const awaited = this.#awaited;
    const owner = this.#owner;
    for (let i = awaited.length - 1; i >= 0; i--) {
      const row = awaited[i]!;
      if (owner.isHeard(row)) owner.onConsent(row);
      else if (this.isSpent(row)) owner.onSpent(row);
    }
  }

  /** Whether the limit without consent is reached. */
  isSpent(row: number): boolean {
    return this.#packetsSent[row]! >= PACKETS_BEFORE_CONSENT;
  }

  /** Consent was given or is no longer needed; false: it was not awaited. */
  end(row: number): boolean {
    const at = this.#awaited.indexOf(row);
    if (at < 0) return false;
    const last = this.#awaited.pop()!;
    if (last !== row) this.#awaited[at] = last;
    return true;
  }
}
