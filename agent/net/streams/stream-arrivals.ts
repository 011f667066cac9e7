/**
 * Incoming datagrams of many sockets: first all are read into slots, then all are reported. This keeps the kernel's
 * code and ours in the processor's caches, which saves a tenth of the cost of a packet.
 */

import { SOCKET_ADDRESS_BYTES } from '../datagrams/socket-address.ts';
import { C, type Libc, pin } from '../libc.ts';
import { INCOMING_BYTES } from './stream-sockets.ts';

/** The number of datagrams read per batch: the packets of a thousand streams in a millisecond. */
export const ARRIVALS = 64;
/** One more slot, for a read while other datagrams wait to be reported. */
export const SPARE = ARRIVALS;
const SLOTS = ARRIVALS + 1;

// struct msghdr (56 bytes, here 64) in 32-bit words; pointers and size_t take two.
const HEADER_WORDS = 16;
const NAME = 0;
const NAME_LENGTH = 2;
const VECTOR = 4;
const VECTOR_COUNT = 6;
const CONTROL = 8;
const CONTROL_LENGTH = 10;
const VECTOR_WORDS = 4;
const ADDRESS_WORDS = SOCKET_ADDRESS_BYTES / 4;
// Fits two struct cmsghdr: 16 bytes of header, then a timespec (16) and a 32-bit count; each padded to 8 bytes.
const CONTROL_BYTES = 64;
const CONTROL_WORDS = CONTROL_BYTES / 4;
const TIMESTAMP_BYTES = 32;

function writePointer(words: Uint32Array, at: number, address: number): void {
  words[at] = address >>> 0;
  words[at + 1] = address / 2 ** 32;
}

export class StreamArrivals {
  /** The target of a read, by slot: it is valid until the slot is read into again. */
  readonly datagrams: readonly Uint8Array[];
  readonly #libc: Libc;
  readonly #data = pin(SLOTS * INCOMING_BYTES);
  readonly #headers = pin(SLOTS * HEADER_WORDS * 4);
  readonly #vectors = pin(SLOTS * VECTOR_WORDS * 4);
  readonly #names = pin(SLOTS * SOCKET_ADDRESS_BYTES);
  readonly #controls = pin(SLOTS * CONTROL_BYTES);

  constructor(libc: Libc) {
    this.#libc = libc;
    this.datagrams = Array.from({ length: SLOTS }, (_, slot) =>
      this.#data.bytes.subarray(slot * INCOMING_BYTES, (slot + 1) * INCOMING_BYTES),
    );
    for (let slot = 0; slot < SLOTS; slot++) {
      const vector = slot * VECTOR_WORDS;
      const header = slot * HEADER_WORDS;
      writePointer(this.#vectors.u32, vector, this.#data.address + slot * INCOMING_BYTES);
      this.#vectors.u32[vector + 2] = INCOMING_BYTES;
      writePointer(this.#headers.u32, header + NAME, this.#names.address + slot * SOCKET_ADDRESS_BYTES);
      writePointer(this.#headers.u32, header + VECTOR, this.#vectors.address + vector * 4);
      this.#headers.u32[header + VECTOR_COUNT] = 1;
      writePointer(this.#headers.u32, header + CONTROL, this.#controls.address + slot * CONTROL_BYTES);
    }
  }

  /** Reads a datagram of the socket into the slot and returns its length; negative: there was none, see errno. */
  read(slot: number, fd: number): number {
    const header = slot * HEADER_WORDS;
    const words = this.#headers.u32;
    words[header + NAME_LENGTH] = SOCKET_ADDRESS_BYTES;
    words[header + CONTROL_LENGTH] = CONTROL_BYTES;
    return this.#libc.recvmsg(fd, this.#headers.address + header * 4, C.MSG_DONTWAIT);
  }

  /** Whether the kernel has taken a receive time, which `seconds` and `nanoseconds` then return. */
  isStamped(slot: number): boolean {
    const at = slot * CONTROL_WORDS;
    const words = this.#controls.u32;
    return (
      this.#controlLength(slot) >= TIMESTAMP_BYTES &&
      words[at + 3] === C.SO_TIMESTAMPNS &&
      words[at + 2] === C.SOL_SOCKET
    );
  }

  seconds(slot: number): number {
    return this.#controls.u32[slot * CONTROL_WORDS + 4]!;
  }

  nanoseconds(slot: number): number {
    return this.#controls.u32[slot * CONTROL_WORDS + 6]!;
  }

  /** The number of datagrams dropped by the socket's queue since it was opened; follows a receive time, if any were dropped. */
  drops(slot: number): number {
    const at = slot * CONTROL_WORDS;
    if (this.#controlLength(slot) <= TIMESTAMP_BYTES || this.#controls.u32[at + 11] !== C.SO_RXQ_OVFL) return 0;
    return this.#controls.u32[at + 12]!;
  }

  #controlLength(slot: number): number {
    return this.#headers.u32[slot * HEADER_WORDS + CONTROL_LENGTH]!;
  }

  /** Whether the datagram has this source: family, port and address; flow label and scope of IPv6 are ignored. */
  isFrom(slot: number, addresses: Uint32Array, at: number): boolean {
    const source = this.#names.u32;
    const from = slot * ADDRESS_WORDS;
    if (source[from] !== addresses[at]) return false;
    if ((source[from]! & 0xffff) === C.AF_INET) return source[from + 1] === addresses[at + 1];
    for (let word = 2; word < 6; word++) if (source[from + word] !== addresses[at + word]) return false;
    return true;
  }

  copySource(slot: number, addresses: Uint32Array, at: number): void {
    for (let word = 0; word < ADDRESS_WORDS; word++)
      addresses[at + word] = this.#names.u32[slot * ADDRESS_WORDS + word]!;
  }
}
