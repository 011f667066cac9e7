/**
 * Answered server transactions that only wait for repetitions of their request (RFC 3261, 17.2: timer J; RFC 6026, 7.1:
 * timer L, once the ACK has come). They are nearly all transactions: 32 s of a load's INVITEs and BYEs. As objects each
 * was copied twice by the garbage collector, marked and collected; as rows of bytes they are invisible to it. All wait
 * equally long, so rows leave in order of arrival, and a chain ends at a row that has left.
 */
import { type Latin1Buffer, latin1Buffer } from '../../net/datagrams/latin1.ts';
import type { SipTarget } from '../engine.ts';
import { digits } from '../message/scan.ts';
import { Timed, type TimerWheel } from '../timer-wheel.ts';
import type { Flow, MessageOwner, SendQueue } from '../transport/send-queue.ts';

/** A transaction between two copies of its request. */
export type Answered = {
  readonly key: string;
  /** The hash of the key. */
  readonly hash: number;
  /** '' if merged requests are not looked for. */
  readonly mergeKey: string;
  readonly mergeHash: number;
  readonly owner: MessageOwner;
  readonly target: SipTarget;
  readonly callId: string;
  readonly localTag: string;
  /** Tick of the wheel at which it is over. */
  readonly dueTick: number;
};

const FIRST_ROWS = 256;
/** The size of the first chunk; most engines answer little. */
const FIRST_CHUNK_BYTES = 4 << 10;
const CHUNK_BYTES = 256 << 10;
/** A row is a cache line. Texts are consecutive in a chunk. */
const ROW = { words: 16, hash: 0, next: 1, mergeHash: 2, mergeNext: 3, due: 4, at: 5, chunk: 6, lengths: 7 } as const;
/** The number of objects held for a row: owner, target. */
const HELD = 2;

export class AnsweredRequests extends Timed {
  readonly #sendQueue: SendQueue;
  readonly #wheel: TimerWheel;
  readonly #clock: () => number;
  /** Row numbers increase forever, modulo 2^32; those from `first` to before `end` exist. */
  #first = 0;
  #end = 0;
  #rows!: Int32Array;
  /** Newest row of each chain, by the hash of its key, and of its merge key. */
  #newest!: Int32Array;
  #newestMerge!: Int32Array;
  #mask = -1;
  #held: (MessageOwner | SipTarget | null)[] = [];
  /** The first has number `firstChunk`; the last is being filled. */
  readonly #chunks: Latin1Buffer[] = [];
  #firstChunk = 0;
  #used = 0;

  constructor(sendQueue: SendQueue, wheel: TimerWheel, clock: () => number) {
    super();
    this.#sendQueue = sendQueue;
    this.#wheel = wheel;
    this.#clock = clock;
    this.#resize(FIRST_ROWS);
  }

  get size(): number {
    return (this.#end - this.#first) | 0;
  }

  /** `text`: the response to retransmit; '': none. */
  add({ key, hash, mergeKey, mergeHash, owner, target, callId, localTag, dueTick }: Answered, text: string): void {
    if (this.size > this.#mask) this.#resize(this.size * 2);
    const rows = this.#rows;
    const mask = this.#mask;
    const number = this.#end;
    const slot = number & mask;
    const row = slot * ROW.words;
    // Writing one text of five pieces costs hardly more than writing one piece.
    const whole = key + mergeKey + callId + localTag + text;
    const chunk = this.#roomFor(whole.length);
    rows[row + ROW.due] = dueTick;
    rows[row + ROW.at] = this.#used;
    rows[row + ROW.chunk] = this.#firstChunk + this.#chunks.length - 1;
    rows[row + ROW.lengths] = key.length;
    rows[row + ROW.lengths + 1] = mergeKey.length;
    rows[row + ROW.lengths + 2] = callId.length;
    rows[row + ROW.lengths + 3] = localTag.length;
    rows[row + ROW.lengths + 4] = text.length;
    this.#used += chunk.latin1Write(whole, this.#used, whole.length);
    rows[row + ROW.hash] = hash;
    rows[row + ROW.mergeHash] = mergeKey === '' ? 0 : mergeHash;
    this.#chain(number);
    this.#held[slot * HELD] = owner.standIn ?? owner;
    this.#held[slot * HELD + 1] = target;
    this.#end = (number + 1) | 0;
    if (this.size === 1) this.#wheel.setTick(this, dueTick);
  }

  /** The transaction whose request was repeated; null: not a copy of one of these. */
  find(key: string, hash: number): AnsweredRequest | null {
    const rows = this.#rows;
    const mask = this.#mask;
    for (let number = this.#newest[hash & mask] as number; this.#has(number); ) {
      const row = (number & mask) * ROW.words;
      if (rows[row + ROW.hash] === hash && this.#isWaiting(row) && this.#textOf(row, 0) === key)
        return this.#read(number);
      number = rows[row + ROW.next] as number;
    }
    return null;
  }

  hasMerge(mergeKey: string, hash: number): boolean {
    const rows = this.#rows;
    const mask = this.#mask;
    for (let number = this.#newestMerge[hash & mask] as number; this.#has(number); ) {
      const row = (number & mask) * ROW.words;
      if (rows[row + ROW.mergeHash] === hash && this.#isWaiting(row) && this.#textOf(row, 1) === mergeKey) return true;
      number = rows[row + ROW.mergeNext] as number;
    }
    return false;
  }

  override onDue(nowMs: number): void {
    const nowTick = this.#wheel.passedTickOf(nowMs);
    while (this.size > 0 && this.#ticksLeft(this.#firstRow, nowTick) <= 0) this.#drop();
    if (this.size > 0) this.#wheel.setTick(this, nowTick + this.#ticksLeft(this.#firstRow, nowTick));
  }

  clear(): void {
    this.#wheel.clear(this);
    while (this.size > 0) this.#drop();
  }

  get #firstRow(): number {
    return (this.#first & this.#mask) * ROW.words;
  }

  /** Stored ticks wrap after 25 days; they are never further away than half a minute. */
  #ticksLeft(row: number, nowTick: number): number {
    return ((this.#rows[row + ROW.due] as number) - nowTick) | 0;
  }

  #drop(): void {
    const slot = this.#first & this.#mask;
    this.#held[slot * HELD] = null;
    this.#held[slot * HELD + 1] = null;
    this.#first = (this.#first + 1) | 0;
    const oldest = this.size === 0 ? this.#firstChunk + this.#chunks.length : this.#chunkOf(this.#firstRow);
    for (; this.#firstChunk < oldest; this.#firstChunk++) this.#chunks.shift();
    if (this.#chunks.length === 0) this.#used = 0;
  }

  #has(number: number): boolean {
    return ((number - this.#first) | 0) >= 0 && ((number - this.#end) | 0) < 0;
  }

  /** One that had its answer sooner than those before it is over before them. */
  #isWaiting(row: number): boolean {
    return this.#ticksLeft(row, this.#wheel.passedTickOf(this.#clock())) > 0;
  }

  #chunkOf(row: number): number {
    return this.#rows[row + ROW.chunk] as number;
  }

  #read(number: number): AnsweredRequest {
    const slot = number & this.#mask;
    const row = slot * ROW.words;
    const flow = {
      owner: this.#held[slot * HELD] as MessageOwner,
      target: this.#held[slot * HELD + 1] as SipTarget,
      callId: this.#textOf(row, 2),
    };
    return new AnsweredRequest(this.#sendQueue, flow, this.#textOf(row, 3), this.#textOf(row, 0), this.#textOf(row, 4));
  }

  #textOf(row: number, index: number): string {
    let at = this.#rows[row + ROW.at] as number;
    for (let i = 0; i < index; i++) at += this.#rows[row + ROW.lengths + i] as number;
    const length = this.#rows[row + ROW.lengths + index] as number;
    return (this.#chunks[this.#chunkOf(row) - this.#firstChunk] as Latin1Buffer).latin1Slice(at, at + length);
  }

  #roomFor(bytes: number): Latin1Buffer {
    const last = this.#chunks.at(-1);
    if (last !== undefined && this.#used + bytes <= last.length) return last;
    const chunk = latin1Buffer(new Uint8Array(Math.max(bytes, this.size === 0 ? FIRST_CHUNK_BYTES : CHUNK_BYTES)));
    this.#chunks.push(chunk);
    this.#used = 0;
    return chunk;
  }

  /** Adds it as the newest of its chains. */
  #chain(number: number): void {
    const row = (number & this.#mask) * ROW.words;
    const rows = this.#rows;
    const newest = this.#newest;
    const newestMerge = this.#newestMerge;
    const mask = this.#mask;
    const bucket = (rows[row + ROW.hash] as number) & mask;
    rows[row + ROW.next] = newest[bucket] as number;
    newest[bucket] = number;
    const merge = rows[row + ROW.mergeHash] as number;
    if (merge === 0) return;
    rows[row + ROW.mergeNext] = newestMerge[merge & mask] as number;
    newestMerge[merge & mask] = number;
  }

  /** For at least this many rows. */
  #resize(least: number): void {
    const first = this.#first;
    const end = this.#end;
    const rows = this.#rows;
    const mask = this.#mask;
    const held = this.#held;
    let capacity = FIRST_ROWS;
    while (capacity < least) capacity *= 2;
    this.#mask = capacity - 1;
    this.#rows = new Int32Array(capacity * ROW.words);
    // A row that has left is in no chain: any of its numbers ends one.
    this.#newest = new Int32Array(capacity).fill(first - 1);
    this.#newestMerge = new Int32Array(capacity).fill(first - 1);
    this.#held = new Array<MessageOwner | SipTarget | null>(capacity * HELD).fill(null);
    // Stretches that are contiguous in both rings are copied whole: the table grows while a load does.
    for (let number = first; number !== end; ) {
      const [from, to] = [number & mask, number & this.#mask];
      const count = Math.min((end - number) | 0, mask + 1 - from, capacity - to);
      this.#rows.set(rows.subarray(from * ROW.words, (from + count) * ROW.words), to * ROW.words);
      for (let i = 0; i < count * HELD; i++) this.#held[to * HELD + i] = held[from * HELD + i] ?? null;
      number = (number + count) | 0;
    }
    for (let number = first; number !== end; number = (number + 1) | 0) this.#chain(number);
  }
}

/** The remaining behaviour of such a transaction: a repeated request repeats the response. */
export class AnsweredRequest implements Flow {
  readonly owner: MessageOwner;
  readonly target: SipTarget;
  readonly callId: string;
  readonly localTag: string;
  /** A CANCEL is no longer reported. */
  readonly user = null;
  readonly #sendQueue: SendQueue;
  readonly #method: string;
  readonly #text: string;

  constructor(sendQueue: SendQueue, { owner, target, callId }: Flow, localTag: string, key: string, text: string) {
    this.#sendQueue = sendQueue;
    this.owner = owner;
    this.target = target;
    this.callId = callId;
    this.localTag = localTag;
    this.#method = key.slice(key.lastIndexOf(' ') + 1);
    this.#text = text;
  }

  /** Not a 2xx to INVITE (RFC 6026, 7.1). */
  receiveAgain(): void {
    const text = this.#text;
    if (text === '') return;
    const status = digits(text, STATUS_AT, STATUS_AT + 3);
    const reason = text.slice(STATUS_AT + 4, text.indexOf('\r'));
    this.#sendQueue.sendResponse(this, this.#method, { status, reason, text }, true);
  }
}

const STATUS_AT = 'SIP/2.0 '.length;
