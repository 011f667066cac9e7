/**
 * The datagram port over batched system calls: up to 128 datagrams per recvmmsg or sendmmsg, and the kernel's receive
 * time for each (SO_TIMESTAMPNS), which keeps event loop delays out of all measurements. 64-bit Linux only.
 */
import { nowMs } from '../../clock.ts';
import { KernelClock } from '../kernel-clock.ts';
import { C, type Libc } from '../libc.ts';
import {
  BATCH,
  BatchMemory,
  CONTROL_BYTES,
  HEADER,
  RECEIVE_SLOT_BYTES,
  SEND_ARENA_BYTES,
  VECTOR,
  writePointer,
} from './batch-memory.ts';
import {
  type DatagramCounters,
  type DatagramPort,
  type DatagramPortOptions,
  MAX_DATAGRAM_BYTES,
} from './datagram-port.ts';
import { openDatagramSocket, systemErrorText } from './datagram-socket.ts';
import { readErrorQueue, type Undelivered } from './error-queue.ts';
import { SourceTable } from './peer-table.ts';
import { SOCKET_ADDRESS_BYTES, unpackSocketAddress } from './socket-address.ts';

/** The most batches per poll: during a flood the timers must still run. */
const MAX_BATCHES = 16;
/** The size of struct cmsghdr: size, level, type; the data follow, padded to 8 bytes. */
const CMSG_HEAD_BYTES = 16;
const CLOSED = -1;

/** Binds the socket; throws with the errno's name when that fails. */
export function openFfiPort(libc: Libc, options: DatagramPortOptions): FfiDatagramPort {
  return new FfiDatagramPort(libc, options);
}

class FfiDatagramPort implements DatagramPort {
  readonly adapter = 'ffi';
  readonly stamps = 'kernel';
  readonly fallbackReason = null;
  readonly address: string;
  readonly port: number;
  readonly counters: DatagramCounters = { receiveDrops: 0, truncated: 0, sendErrors: 0, unreachable: 0 };
  /** Datagrams with a kernel receive time; the self-test checks that their number grows. */
  kernelStamped = 0;
  readonly #libc: Libc;
  readonly #options: DatagramPortOptions;
  readonly #kernelClock: KernelClock;
  readonly #memory: BatchMemory;
  readonly #sources = new SourceTable();
  /** The destination slot of each send header, -1 for none: most headers keep theirs for a whole run. */
  readonly #headerSlots = new Int32Array(BATCH).fill(-1);
  #fd: number;
  #sendHead = 0;
  #sendCount = 0;
  #sendUsed = 0;

  constructor(libc: Libc, options: DatagramPortOptions) {
    this.#libc = libc;
    this.#options = options;
    this.#kernelClock = new KernelClock(libc);
    this.#fd = openDatagramSocket(libc, options);
    this.#memory = BatchMemory.take();
    const name = this.#memory.receiveNames;
    const length = this.#memory.receiveControl;
    length.u32[0] = SOCKET_ADDRESS_BYTES;
    libc.getsockname(this.#fd, name.address, length.address);
    const bound = unpackSocketAddress(name, 0);
    this.address = bound.address;
    this.port = bound.port;
  }

  send(text: string, address: string, port: number): boolean {
    const length = text.length;
    if (length > MAX_DATAGRAM_BYTES || this.#fd === CLOSED) return false;
    if (this.#sendCount === BATCH || this.#sendUsed + length > SEND_ARENA_BYTES || this.#memory.destinations.full) {
      this.flush();
      if (this.#sendCount !== 0) return this.#dropped();
      if (this.#memory.destinations.full) this.#forgetDestinations();
    }
    const slot = this.#memory.destinations.slotOf(address, port);
    if (slot < 0) return false;
    const { sendText, sendData, sendVectors, sendHeaders } = this.#memory;
    const index = this.#sendCount++;
    const at = this.#sendUsed;
    this.#sendUsed = at + sendText.latin1Write(text, at, length);
    writePointer(sendVectors.u32, index * VECTOR.words + VECTOR.base, sendData.address + at);
    sendVectors.u32[index * VECTOR.words + VECTOR.length] = length;
    if (this.#headerSlots[index] !== slot) {
      this.#headerSlots[index] = slot;
      writePointer(sendHeaders.u32, index * HEADER.words + HEADER.name, this.#memory.destinations.addressOf(slot));
      sendHeaders.u32[index * HEADER.words + HEADER.nameLength] = this.#memory.destinations.lengthOf(slot);
    }
    return true;
  }

  flush(): void {
    while (this.#sendHead < this.#sendCount) {
      const head = this.#sendHead;
      const headers = this.#memory.sendHeaders.address + head * HEADER.words * 4;
      const sent = this.#libc.sendmmsg(this.#fd, headers, this.#sendCount - head, C.MSG_DONTWAIT);
      if (sent > 0) {
        this.#sendHead = head + sent;
        // The call ends at an error without reporting it: an ICMP error is consumed in this way.
        if (this.#sendHead < this.#sendCount) this.#hearErrors();
        continue;
      }
      const errno = this.#libc.errno();
      // The queue is full: the rest waits for the next flush.
      if (errno === C.EAGAIN || errno === C.ENOBUFS) return;
      // The error is an ICMP error of an earlier datagram: this one has not been sent yet.
      if (this.#hearErrors() || errno === C.ECONNREFUSED) continue;
      this.#sendHead = head + 1;
      this.#refused(head, errno);
    }
    this.#sendHead = 0;
    this.#sendCount = 0;
    this.#sendUsed = 0;
  }

  poll(): number {
    let handled = 0;
    for (let batch = 0; batch < MAX_BATCHES && this.#fd !== CLOSED; batch++) {
      const count = this.#libc.recvmmsg(this.#fd, this.#memory.receiveHeaders.address, BATCH, C.MSG_DONTWAIT, 0);
      if (count < 0 && this.#libc.errno() !== C.EAGAIN && this.#hearErrors()) continue;
      if (count <= 0) break;
      if (batch === 0) this.#kernelClock.sample();
      const polledAtMs = nowMs();
      for (let i = 0; i < count; i++) this.#deliver(i, polledAtMs);
      handled += count;
      if (count < BATCH) break;
    }
    return handled;
  }

  close(): void {
    if (this.#fd === CLOSED) return;
    this.flush();
    this.#libc.close(this.#fd);
    this.#fd = CLOSED;
    this.#sendHead = 0;
    this.#sendCount = 0;
    this.#memory.giveBack();
  }

  #deliver(index: number, polledAtMs: number): void {
    if (this.#fd === CLOSED) return;
    const { receiveHeaders, receiveNames, receiveText } = this.#memory;
    const header = index * HEADER.words;
    const u32 = receiveHeaders.u32;
    const length = u32[header + HEADER.length] as number;
    const flags = u32[header + HEADER.flags] as number;
    const atMs = this.#receiveTime(index, u32[header + HEADER.controlLength] as number, polledAtMs);
    u32[header + HEADER.nameLength] = SOCKET_ADDRESS_BYTES;
    u32[header + HEADER.controlLength] = CONTROL_BYTES;
    if ((flags & C.MSG_TRUNC) !== 0) {
      this.counters.truncated++;
      return;
    }
    const source = this.#sources.at(receiveNames, index * SOCKET_ADDRESS_BYTES);
    const from = index * RECEIVE_SLOT_BYTES;
    this.#options.onDatagram(receiveText.latin1Slice(from, from + length), atMs, source.address, source.port);
  }

  /** Reads the control data: the kernel's receive time on the agent's clock, and the count of dropped datagrams. */
  #receiveTime(index: number, controlLength: number, polledAtMs: number): number {
    const u32 = this.#memory.receiveControl.u32;
    const end = index * CONTROL_BYTES + controlLength;
    let atMs = polledAtMs;
    for (let at = index * CONTROL_BYTES; at + CMSG_HEAD_BYTES <= end; ) {
      const word = at >> 2;
      const length = u32[word] as number;
      const type = u32[word + 3] as number;
      if (u32[word + 2] === C.SOL_SOCKET && type === C.SO_TIMESTAMPNS) {
        const stampMs = this.#kernelClock.toMonotonicMs(u32[word + 4] as number, u32[word + 6] as number);
        atMs = Math.min(polledAtMs, stampMs);
        this.kernelStamped++;
      } else if (type === C.SO_RXQ_OVFL) {
        this.counters.receiveDrops = u32[word + 4] as number;
      }
      if (length === 0) break;
      at += (length + 7) & ~7;
    }
    return atMs;
  }

  /** False: no error concerned a sent datagram. */
  #hearErrors(): boolean {
    return readErrorQueue(this.#libc, this.#fd, this.#onUndelivered) > 0;
  }

  readonly #onUndelivered = ({ text, address, port, reason }: Undelivered): void => {
    this.counters.unreachable++;
    this.#options.onSendError?.(text, address, port, reason);
  };

  #refused(index: number, errno: number): void {
    this.counters.sendErrors++;
    if (this.#options.onSendError === undefined) return;
    const { sendText, sendData, sendVectors } = this.#memory;
    const low = sendVectors.u32[index * VECTOR.words + VECTOR.base] as number;
    const from = (low - (sendData.address % 2 ** 32) + 2 ** 32) % 2 ** 32;
    const length = sendVectors.u32[index * VECTOR.words + VECTOR.length] as number;
    const { address, port } = this.#memory.destinations.describe(this.#headerSlots[index] as number);
    this.#options.onSendError(sendText.latin1Slice(from, from + length), address, port, systemErrorText(errno));
  }

  /** The kernel's send queue stays full: the datagram is dropped and counted, as on a network. */
  #dropped(): true {
    this.counters.sendErrors++;
    return true;
  }

  #forgetDestinations(): void {
    this.#memory.destinations.clear();
    this.#headerSlots.fill(-1);
  }
}
