/**
 * Streams that nobody has shown yet to have asked for: an INVITE may bear another's address, and its offer, too. Before the first word that
 * only the peer itself can have sent (ACK, PRACK, a packet of media from where it wants ours), a few packets are all that is sent
 * there. What ICE or DTLS protect needs no count: they send media only to where an answer has come from (RFC 8445, RFC 7675).
 */
export const PACKETS_BEFORE_CONSENT = 8;

type ConsentOwner = {
  /** Media have come from where the peer wants ours. */
  readonly isHeard: (row: number) => boolean;
  readonly onConsent: (row: number) => void;
  /** In each turn until it is given. */
  readonly onSpent: (row: number) => void;
};

export class Consent {
  /** Rows that wait for it, in no order; almost always few, for as long as a round trip. */
  private readonly awaited: number[] = [];
  private readonly packetsSent: Uint32Array;
  private readonly owner: ConsentOwner;

  constructor(packetsSent: Uint32Array, owner: ConsentOwner) {
    this.packetsSent = packetsSent;
    this.owner = owner;
  }

  await(row: number): void {
    if (!this.isAwaited(row)) this.awaited.push(row);
  }

  isAwaited(row: number): boolean {
    return this.awaited.length > 0 && this.awaited.includes(row);
  }

  turn(): void {
    const { awaited, owner } = this;
    for (let i = awaited.length - 1; i >= 0; i--) {
      const row = awaited[i]!;
      if (owner.isHeard(row)) owner.onConsent(row);
      else if (this.isSpent(row)) owner.onSpent(row);
    }
  }

  /** All that may be sent without it was sent. */
  isSpent(row: number): boolean {
    return this.packetsSent[row]! >= PACKETS_BEFORE_CONSENT;
  }

  /** It was given, or is of no use any more; false: it was not waited for. */
  end(row: number): boolean {
    const at = this.awaited.indexOf(row);
    if (at < 0) return false;
    const last = this.awaited.pop()!;
    if (last !== row) this.awaited[at] = last;
    return true;
  }
}
