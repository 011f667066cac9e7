/**
 * Client transactions by branch. The branch contains the slot of its transaction and the slot's use count: finding it
 * needs no hashing, keeping it needs no string, and a hundred thousand transactions need no table that is copied as it
 * grows. All three were visible in profiles at thousands of calls a second.
 */
import type { SipMessage } from '../message/sip-message.ts';

const RADIX = 36;
const HYPHEN = 45;
const ZERO = 48;
const NINE = 57;
/** Makes `a` the digit ten. */
const LETTER_OFFSET = 87;
const LETTER_A = 97;
const LETTER_Z = 122;
const NO_DIGIT = -1;

/** A slot and its reuse counter; the pair makes the branch unique. */
export type TableSlot = { readonly slot: number; readonly use: number };

export class ClientTable<T extends TableSlot> {
  size = 0;
  /** The use of digest that the last search has found; -1 if the branch was not ours. */
  foundUse = NO_DIGIT;
  foundSlot = NO_DIGIT;
  readonly #head: string;
  readonly #slots: (T | null)[] = [];
  readonly #free: number[] = [];
  #uses = 0;
  /** Position of our branch in the last Via. */
  #lastOffset = 0;

  /** `head` is the prefix of every branch: the magic cookie and the engine's secret. */
  constructor(head: string) {
    this.#head = head;
  }

  /** Keeps a slot for a transaction; `put` or `release` must follow. */
  reserve(): TableSlot {
    let slot = this.#free.pop();
    if (slot === undefined) {
      slot = this.#slots.length;
      this.#slots.push(null);
    }
    return { slot, use: this.#uses++ };
  }

  branchOf(place: TableSlot): string {
    return `${this.#head}${place.slot.toString(RADIX)}-${place.use.toString(RADIX)}`;
  }

  put(transaction: T): void {
    this.#slots[transaction.slot] = transaction;
    this.size++;
  }

  /**
   * The transaction of the branch in the topmost Via; null if it is not ours, or compacted. `foundSlot` and `foundUse`
   * have the branch's values.
   */
  find(message: SipMessage): T | null {
    this.foundUse = NO_DIGIT;
    this.foundSlot = NO_DIGIT;
    const { text, viaAt, viaEnd } = message;
    // After the same text as in the response before, as a rule: a search would take longer.
    const usualAt = viaAt + this.#lastOffset;
    const isUsual = usualAt < viaEnd && text.startsWith(this.#head, usualAt);
    const headAt = isUsual ? usualAt : text.indexOf(this.#head, viaAt);
    if (headAt < 0 || headAt >= viaEnd) return null;
    this.#lastOffset = headAt - viaAt;
    let at = headAt + this.#head.length;
    let slot = 0;
    for (; text.charCodeAt(at) !== HYPHEN; at++) {
      const digit = digitOf(text.charCodeAt(at));
      if (digit < 0) return null;
      slot = slot * RADIX + digit;
    }
    let use = 0;
    for (at++; at < viaEnd; at++) {
      const digit = digitOf(text.charCodeAt(at));
      if (digit < 0) break;
      use = use * RADIX + digit;
    }
    this.foundUse = use;
    this.foundSlot = slot;
    const transaction = this.#slots[slot] ?? null;
    return transaction !== null && transaction.use === use ? transaction : null;
  }

  has(transaction: T): boolean {
    return this.#slots[transaction.slot] === transaction;
  }

  /** Reserves its place for an object stored elsewhere; `put` or `release` must follow. */
  putAside(transaction: T): void {
    this.#slots[transaction.slot] = null;
    this.size--;
  }

  /** Gives a slot back, whether a transaction was put there or not. */
  release(slot: number): void {
    if (this.#slots[slot] !== null) this.size--;
    this.#slots[slot] = null;
    this.#free.push(slot);
  }

  forEach(visit: (transaction: T) => void): void {
    for (const transaction of this.#slots) if (transaction !== null) visit(transaction);
  }

  clear(): void {
    this.#slots.length = 0;
    this.#free.length = 0;
    this.size = 0;
  }
}

function digitOf(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  return code >= LETTER_A && code <= LETTER_Z ? code - LETTER_OFFSET : NO_DIGIT;
}
