/**
 * Branches, tags and Call-IDs: a secret of the engine and a count. Unique without a look-up, and not to be guessed by
 * others (RFC 3261, 8.1.1.4, 8.1.1.7 and 19.3).
 */
import { randomBytes } from 'node:crypto';
import { inOnePiece } from './message/own-text.ts';

const SECRET_BYTES = 9;

export class Identifiers {
  /** A Call-ID starts with it, and is pasted into command lines: a hyphen there would begin an option. */
  readonly #secret = randomBytes(SECRET_BYTES).toString('base64url').replace(/^-/, '_');
  /** What every branch starts with; the rest says which request it is. */
  readonly branchHead = inOnePiece(`z9hG4bK${this.#secret}`);
  readonly #host: string;
  #acks = 0;
  #tags = 0;
  #calls = 0;

  /** A value that differs between engines, not necessarily unique: 0 to below 1. */
  readonly random: () => number;

  /** `host`: our address, which shows the origin of a Call-ID. */
  constructor(host: string, random: () => number = Math.random) {
    this.#host = host;
    this.random = random;
  }

  /**
   * For an ACK to a 2xx: a separate transaction without a response. The capital letter distinguishes it from all
   * others.
   */
  ackBranch(ack = this.nextAck()): string {
    return `${this.branchHead}A${ack.toString(36)}`;
  }

  /** The number of an ACK that is sent again with the same branch. */
  nextAck(): number {
    return this.#acks++;
  }

  tag(): string {
    return `${this.#secret}t${(this.#tags++).toString(36)}`;
  }

  callId(): string {
    return `${this.#secret}${(this.#calls++).toString(36)}@${this.#host}`;
  }
}
