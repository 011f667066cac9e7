/**
 * Answered client transactions that only wait for repetitions of the answer (RFC 3261, 17.1: timer K; RFC 6026, 7.2:
 * timer M). They are nearly all transactions: 32 s of a load's INVITEs, 5 s of its BYEs. Each outlives the young
 * generation, and as objects they cost a seventh of a call's CPU for copying, marking and collection; as rows of bytes
 * they are invisible to the garbage collector.
 */
import { type Latin1Buffer, latin1Buffer } from '../../net/datagrams/latin1.ts';
import type { SipTarget } from '../engine.ts';
import { Timed, type TimerWheel } from '../timer-wheel.ts';
import type { MessageOwner } from '../transport/send-queue.ts';
import type { ClientUser } from './client-user.ts';

/** A transaction between two answers. */
export type CompactTransaction = {
  readonly slot: number;
  readonly use: number;
  readonly method: string;
  readonly owner: MessageOwner;
  readonly target: SipTarget;
  readonly user: ClientUser;
  /** To tag of the answer; '' except for INVITE. */
  readonly tag: string;
  /** Tick of the wheel at which it is over. */
  readonly dueTick: number;
};

const NONE = -1;
const FIRST_CAPACITY = 256;
const MAX_METHODS = 127;
/**
 * A row is a cache line: the use as a double, words, the tag. The words: due time, neighbours in the list of that
 * millisecond, number of the method, length of the tag.
 */
const ROW = {
  bytes: 64,
  words: 16,
  doubles: 8,
  due: 2,
  next: 3,
  previous: 4,
  method: 5,
  tagLength: 6,
  tagAt: 28,
} as const;
/** Longer tags are not compacted. A UUID has 36. */
const MAX_TAG = ROW.bytes - ROW.tagAt;
/** The number of objects held for a row: owner, target, user. */
const HELD = 3;
/** One list for each future millisecond; timers K and M are shorter than that. */
const LISTS = 1 << 15;
const MASK = LISTS - 1;

export class CompactTransactions extends Timed {
  size = 0;
  readonly #wheel: TimerWheel;
  readonly #onOver: (slot: number) => void;
  readonly #methods: string[] = [];
  #words!: Int32Array;
  #uses!: Float64Array;
  #text!: Latin1Buffer;
  readonly #held: (MessageOwner | SipTarget | ClientUser | null)[] = [];
  /** Slots that start the lists. */
  readonly #firsts = new Int32Array(LISTS).fill(NONE);

  /** `onOver`: the timer of the transaction in this slot has come. */
  constructor(wheel: TimerWheel, onOver: (slot: number) => void) {
    super();
    this.#wheel = wheel;
    this.#onOver = onOver;
    this.#resize(FIRST_CAPACITY);
  }

  /** False: it cannot be compacted. */
  add({ slot, use, method, owner, target, user, tag, dueTick }: CompactTransaction): boolean {
    const number = this.#numberOf(method);
    if (tag.length > MAX_TAG || number === NONE) return false;
    if (slot * ROW.words >= this.#words.length) this.#resize(slot + 1);
    const at = slot * ROW.words;
    this.#uses[slot * ROW.doubles] = use;
    this.#words[at + ROW.method] = number;
    this.#words[at + ROW.tagLength] = tag.length;
    if (tag !== '') this.#text.latin1Write(tag, slot * ROW.bytes + ROW.tagAt, tag.length);
    const held = slot * HELD;
    while (this.#held.length < held) this.#held.push(null);
    this.#held[held] = owner.standIn ?? owner;
    this.#held[held + 1] = target;
    this.#held[held + 2] = user;
    this.#link(slot, dueTick);
    this.size++;
    if (this.size === 1 || dueTick < this.dueTick) this.#wheel.setTick(this, dueTick);
    return true;
  }

  /** Whether the transaction of this place is here. */
  has(slot: number, use: number, method: string): boolean {
    if (this.#uses[slot * ROW.doubles] !== use) return false;
    return this.#methods[this.#words[slot * ROW.words + ROW.method] as number] === method;
  }

  /** Removes and returns the transaction in the slot, which must be occupied. */
  take(slot: number): CompactTransaction {
    const words = this.#words;
    const held = this.#held;
    const at = slot * ROW.words;
    const tagAt = slot * ROW.bytes + ROW.tagAt;
    const compacted: CompactTransaction = {
      slot,
      use: this.#uses[slot * ROW.doubles] as number,
      method: this.#methods[words[at + ROW.method] as number] as string,
      owner: held[slot * HELD] as MessageOwner,
      target: held[slot * HELD + 1] as SipTarget,
      user: held[slot * HELD + 2] as ClientUser,
      tag: this.#text.latin1Slice(tagAt, tagAt + (words[at + ROW.tagLength] as number)),
      dueTick: this.#dueOf(slot),
    };
    this.#remove(slot);
    return compacted;
  }

  override onDue(nowMs: number): void {
    const nowTick = this.#wheel.passedTickOf(nowMs);
    let tick = this.dueTick;
    // After a pause longer than a revolution every list is visited once.
    for (let n = 0; n < LISTS && this.size > 0; n++, tick++) {
      let slot = this.#firsts[tick & MASK] as number;
      if (tick > nowTick && slot !== NONE) break;
      while (slot !== NONE) {
        const at = slot * ROW.words;
        const next = this.#words[at + ROW.next] as number;
        if (this.#dueOf(slot) <= nowTick) {
          this.#remove(slot);
          this.#onOver(slot);
        }
        slot = next;
      }
    }
    if (this.size > 0) this.#wheel.setTick(this, tick);
  }

  clear(): void {
    this.#wheel.clear(this);
    this.#uses.fill(NONE);
    this.#firsts.fill(NONE);
    this.#held.length = 0;
    this.size = 0;
  }

  #remove(slot: number): void {
    this.#unlink(slot);
    this.#uses[slot * ROW.doubles] = NONE;
    this.#held.fill(null, slot * HELD, slot * HELD + HELD);
    this.size--;
  }

  #numberOf(method: string): number {
    const known = this.#methods.indexOf(method);
    return known >= 0 || this.#methods.length === MAX_METHODS ? known : this.#methods.push(method) - 1;
  }

  /** 32-bit ticks wrap after 25 days; stored ticks lie within seconds of `dueTick`, so the signed difference is unambiguous. */
  #dueOf(slot: number): number {
    return this.dueTick + (((this.#words[slot * ROW.words + ROW.due] as number) - this.dueTick) | 0);
  }

  #link(slot: number, dueTick: number): void {
    const words = this.#words;
    const firsts = this.#firsts;
    const at = slot * ROW.words;
    const first = firsts[dueTick & MASK] as number;
    words[at + ROW.due] = dueTick;
    words[at + ROW.next] = first;
    words[at + ROW.previous] = NONE;
    if (first !== NONE) words[first * ROW.words + ROW.previous] = slot;
    firsts[dueTick & MASK] = slot;
  }

  #unlink(slot: number): void {
    const words = this.#words;
    const at = slot * ROW.words;
    const next = words[at + ROW.next] as number;
    const previous = words[at + ROW.previous] as number;
    if (next !== NONE) words[next * ROW.words + ROW.previous] = previous;
    if (previous !== NONE) words[previous * ROW.words + ROW.next] = next;
    else this.#firsts[(words[at + ROW.due] as number) & MASK] = next;
  }

  /** For at least this many slots. */
  #resize(slots: number): void {
    const before = this.#uses;
    let capacity = FIRST_CAPACITY;
    while (capacity < slots) capacity *= 2;
    const memory = new ArrayBuffer(capacity * ROW.bytes);
    this.#words = new Int32Array(memory);
    this.#uses = new Float64Array(memory);
    this.#text = latin1Buffer(new Uint8Array(memory));
    this.#uses.fill(NONE);
    if (before !== undefined) this.#uses.set(before);
  }
}
