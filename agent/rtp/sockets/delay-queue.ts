/**
 * Datagrams that wait for their instant, earliest first. The memory grows with the queue up to a limit, and is never
 * given back.
 */
import { INCOMING_BYTES } from '../../net/streams/stream-sockets.ts';

/** 64 MB: some 300 streams of 50 packets a second that are delayed by 2 s. */
const MAX_WAITING = 32_768;
const CHUNK = 256;

export class DelayQueue {
  readonly #chunks: Uint8Array[] = [];
  readonly #atMs = new Float64Array(MAX_WAITING);
  /** The order of `push` calls, for equal instants. */
  readonly #number = new Float64Array(MAX_WAITING);
  readonly #socket = new Uint32Array(MAX_WAITING);
  readonly #length = new Uint16Array(MAX_WAITING);
  readonly #copies = new Uint8Array(MAX_WAITING);
  /** The slots: the first `size` are a heap of waiting ones, followed by the free ones. */
  readonly #heap = Uint32Array.from({ length: MAX_WAITING }, (_, i) => i);
  #size = 0;
  #pushed = 0;

  /** False: the queue is full. */
  push(socket: number, bytes: Uint8Array, length: number, atMs: number, isCopy: boolean): boolean {
    if (this.#size === MAX_WAITING) return false;
    const slot = this.#heap[this.#size]!;
    const chunk = slot >>> 8;
    while (this.#chunks.length <= chunk) this.#chunks.push(new Uint8Array(CHUNK * INCOMING_BYTES));
    const from = (slot & 0xff) * INCOMING_BYTES;
    const memory = this.#chunks[chunk]!;
    for (let i = 0; i < length; i++) memory[from + i] = bytes[i]!;
    this.#atMs[slot] = atMs;
    this.#number[slot] = this.#pushed++;
    this.#socket[slot] = socket;
    this.#length[slot] = length;
    this.#copies[slot] = isCopy ? 1 : 0;
    this.#size += 1;
    this.#rise(this.#size - 1);
    return true;
  }

  /** The earliest slot that is due; -1: no slot is due. */
  due(nowMs: number): number {
    if (this.#size === 0) return -1;
    const slot = this.#heap[0]!;
    return this.#atMs[slot]! <= nowMs ? slot : -1;
  }

  atMsOf(slot: number): number {
    return this.#atMs[slot]!;
  }

  socketOf(slot: number): number {
    return this.#socket[slot]!;
  }

  isCopy(slot: number): boolean {
    return this.#copies[slot] === 1;
  }

  /** Removes the earliest datagram and writes it to `into`; returns its length. */
  take(into: Uint8Array): number {
    const slot = this.#heap[0]!;
    const from = (slot & 0xff) * INCOMING_BYTES;
    const memory = this.#chunks[slot >>> 8]!;
    const length = this.#length[slot]!;
    for (let i = 0; i < length; i++) into[i] = memory[from + i]!;
    this.#size -= 1;
    this.#heap[0] = this.#heap[this.#size]!;
    this.#heap[this.#size] = slot;
    this.#sink(0);
    return length;
  }

  /** Drops all datagrams that wait for this socket. */
  forget(socket: number): void {
    for (let i = 0; i < this.#size; i++)
      if (this.#socket[this.#heap[i]!] === socket) this.#socket[this.#heap[i]!] = NOBODY;
  }

  #before(a: number, b: number): boolean {
    const order = this.#atMs[a]! - this.#atMs[b]!;
    return order < 0 || (order === 0 && this.#number[a]! < this.#number[b]!);
  }

  #swap(i: number, j: number): void {
    const slot = this.#heap[i]!;
    this.#heap[i] = this.#heap[j]!;
    this.#heap[j] = slot;
  }

  #rise(from: number): void {
    let i = from;
    while (i > 0) {
      const parent = (i - 1) >>> 1;
      if (!this.#before(this.#heap[i]!, this.#heap[parent]!)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #sink(from: number): void {
    let i = from;
    for (;;) {
      const left = 2 * i + 1;
      if (left >= this.#size) return;
      const right = left + 1;
      const child = right < this.#size && this.#before(this.#heap[right]!, this.#heap[left]!) ? right : left;
      if (!this.#before(this.#heap[child]!, this.#heap[i]!)) return;
      this.#swap(i, child);
      i = child;
    }
  }
}

/** Stands for the socket of a dropped datagram. */
export const NOBODY = 0xffffffff;
