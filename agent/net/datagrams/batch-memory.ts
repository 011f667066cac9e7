/**
 * The memory that recvmmsg and sendmmsg work on: data, addresses, control data, and the headers that point to them, in
 * the layout of 64-bit Linux. Pinned memory is never freed, so a closed port's memory is kept for the next port.
 */

import { pin } from '../libc.ts';
import { latin1Buffer } from './latin1.ts';
import { DestinationTable } from './peer-table.ts';
import { SOCKET_ADDRESS_BYTES } from './socket-address.ts';

/** The most datagrams in a system call. */
export const BATCH = 128;
/** The slot fits any datagram; it is not a multiple of 4096, so that the slots' first lines use different cache sets. */
export const RECEIVE_SLOT_BYTES = 65_536 + 640;
export const SEND_ARENA_BYTES = 1 << 20;
/** Fits a receive time (32 bytes with its head) and a count of drops (24 bytes). */
export const CONTROL_BYTES = 64;

/** `struct mmsghdr`, in 32-bit words; pointers and sizes take two. */
export const HEADER = {
  words: 16,
  name: 0,
  nameLength: 2,
  vector: 4,
  vectorCount: 6,
  control: 8,
  controlLength: 10,
  flags: 12,
  length: 14,
} as const;
/** `struct iovec`, in 32-bit words: pointer and size. */
export const VECTOR = { words: 4, base: 0, length: 2 } as const;

/** The number of peers whose sockaddr is kept for further datagrams. */
const DESTINATIONS = 16_384;

const IDLE: BatchMemory[] = [];

export class BatchMemory {
  readonly receiveData = pin(BATCH * RECEIVE_SLOT_BYTES);
  readonly receiveText = latin1Buffer(this.receiveData.bytes);
  readonly receiveNames = pin(BATCH * SOCKET_ADDRESS_BYTES);
  readonly receiveControl = pin(BATCH * CONTROL_BYTES);
  readonly receiveHeaders = pin(BATCH * HEADER.words * 4);
  readonly sendData = pin(SEND_ARENA_BYTES);
  readonly sendText = latin1Buffer(this.sendData.bytes);
  readonly sendVectors = pin(BATCH * VECTOR.words * 4);
  readonly sendHeaders = pin(BATCH * HEADER.words * 4);
  readonly destinations = new DestinationTable(DESTINATIONS);
  readonly #receiveVectors = pin(BATCH * VECTOR.words * 4);

  static take(): BatchMemory {
    const memory = IDLE.pop() ?? new BatchMemory();
    memory.destinations.clear();
    memory.#layHeaders();
    return memory;
  }

  /** Must only be called when the memory is no longer in use. */
  giveBack(): void {
    IDLE.push(this);
  }

  #layHeaders(): void {
    const receive = this.receiveHeaders.u32;
    const send = this.sendHeaders.u32;
    for (let i = 0; i < BATCH; i++) {
      const vector = i * VECTOR.words;
      const header = i * HEADER.words;
      writePointer(this.#receiveVectors.u32, vector + VECTOR.base, this.receiveData.address + i * RECEIVE_SLOT_BYTES);
      this.#receiveVectors.u32[vector + VECTOR.length] = RECEIVE_SLOT_BYTES;
      writePointer(receive, header + HEADER.name, this.receiveNames.address + i * SOCKET_ADDRESS_BYTES);
      receive[header + HEADER.nameLength] = SOCKET_ADDRESS_BYTES;
      writePointer(receive, header + HEADER.vector, this.#receiveVectors.address + vector * 4);
      receive[header + HEADER.vectorCount] = 1;
      writePointer(receive, header + HEADER.control, this.receiveControl.address + i * CONTROL_BYTES);
      receive[header + HEADER.controlLength] = CONTROL_BYTES;
      writePointer(send, header + HEADER.vector, this.sendVectors.address + vector * 4);
      send[header + HEADER.vectorCount] = 1;
    }
  }
}

/** Writes two 32-bit halves rather than a BigInt, which would be allocated for every datagram. */
export function writePointer(u32: Uint32Array, word: number, address: number): void {
  u32[word] = address >>> 0;
  u32[word + 1] = address / 2 ** 32;
}
