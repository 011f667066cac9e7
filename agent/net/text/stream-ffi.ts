/**
 * Bytes of TCP connections by system calls; node:net opens and closes them. The engine's turn makes one epoll_wait for
 * all connections, and one recvmsg and one send for each active one, instead of an event loop iteration per segment.
 * Each read has the kernel's time of its last segment. 64-bit Linux only.
 */
import type { Server, Socket } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { nowMs } from '../../clock.ts';
import { writePointer } from '../datagrams/batch-memory.ts';
import { latin1Buffer } from '../datagrams/latin1.ts';
import { KernelClock } from '../kernel-clock.ts';
import { C, EPOLL_EVENT_BYTES, type Libc, pin } from '../libc.ts';

/** Limit for one connection in one turn; the rest waits for the next turn. */
const MAX_READ_BYTES = 64 << 10;
const MAX_WRITTEN_BYTES = 64 << 10;
const EVENTS = 256;
const EVENT_WORDS = EPOLL_EVENT_BYTES / 4;
/** `struct epoll_event`: the user data follows the 32-bit mask, aligned where the struct is not packed. */
const EVENT_DATA = EVENT_WORDS === 3 ? 1 : 2;

// One page: struct msghdr, struct iovec, control data, an event or a socket option; in 32-bit words.
const VECTOR = 16;
const CONTROL = 24;
const CONTROL_BYTES = 64;
const OPTION = 64;
const CONTROL_POINTER = 8;
const CONTROL_LENGTH = 10;
/** `struct cmsghdr`: size, level, type; then the time, seconds and nanoseconds of 64 bits each. */
const STAMP = { level: CONTROL + 2, type: CONTROL + 3, seconds: CONTROL + 4, nanoseconds: CONTROL + 6 };

/** Events of one connection, only in `poll`. onEnd is the last event. */
export interface StreamReader {
  onText(text: string, atMs: number): void;
  /** '': the peer closed in good order. */
  onEnd(reason: string): void;
}

export class FfiStreams {
  /** At the last check a connection was waiting to be accepted, so the event loop must run. */
  knocked = false;
  readonly #libc: Libc;
  readonly #epoll: number;
  readonly #readers = new Map<number, StreamReader>();
  readonly #memory: Memory;

  /** Throws when the kernel gives no epoll. */
  constructor(libc: Libc) {
    this.#libc = libc;
    this.#memory = memoryOf(libc);
    this.#epoll = libc.epollCreate1(C.EPOLL_CLOEXEC);
    if (this.#epoll < 0) throw new Error(`epoll_create1: ${getSystemErrorName(-libc.errno())}`);
  }

  /**
   * The open connection's descriptor, which we may read and write until `release`; -1: the event loop keeps it. It must
   * be paused.
   */
  take(socket: Socket, reader: StreamReader): number {
    const fd = this.watch(socket);
    if (fd >= 0) this.#readers.set(fd, reader);
    return fd;
  }

  /** Also a listener, whose connections have the kernel's times from their first segment on. -1: it cannot be. */
  watch(socket: Socket | Server): number {
    const fd = descriptorOf(socket);
    if (fd < 0) return -1;
    const { block } = this.#memory;
    block.u32[OPTION] = 1;
    this.#libc.setsockopt(fd, C.SOL_SOCKET, C.SO_TIMESTAMPNS, block.address + OPTION * 4, 4);
    block.u32[OPTION] = C.EPOLLIN;
    block.u32[OPTION + EVENT_DATA] = fd;
    block.u32[OPTION + EVENT_DATA + 1] = 0;
    return this.#libc.epollCtl(this.#epoll, C.EPOLL_CTL_ADD, fd, block.address + OPTION * 4) === 0 ? fd : -1;
  }

  /** Before the connection is closed, or goes back to the event loop. */
  release(fd: number): void {
    this.#readers.delete(fd);
    this.#libc.epollCtl(this.#epoll, C.EPOLL_CTL_DEL, fd, 0);
  }

  /** Returns the number of active connections. */
  poll(): number {
    this.knocked = false;
    const { events, clock } = this.#memory;
    const count = this.#libc.epollWait(this.#epoll, events.address, EVENTS, 0);
    if (count <= 0) return 0;
    clock.sample();
    for (let i = 0; i < count; i++) {
      const fd = events.i32[i * EVENT_WORDS + EVENT_DATA] as number;
      const reader = this.#readers.get(fd);
      if (reader === undefined) this.knocked = true;
      else this.#read(fd, reader);
    }
    return count;
  }

  /** How much of the text the kernel has taken, or why it never will. */
  write(fd: number, text: string): number | string {
    const { outgoing, outgoingText } = this.#memory;
    for (let at = 0; ; ) {
      const length = Math.min(text.length - at, MAX_WRITTEN_BYTES);
      if (length === 0) return at;
      outgoingText.latin1Write(at === 0 ? text : text.slice(at, at + length), 0, length);
      const sent = this.#libc.send(fd, outgoing.address, length, C.MSG_DONTWAIT | C.MSG_NOSIGNAL);
      if (sent < 0) return this.#libc.errno() === C.EAGAIN ? at : this.#failure('write');
      at += sent;
      if (sent < length) return at;
    }
  }

  close(): void {
    this.#libc.close(this.#epoll);
    this.#readers.clear();
  }

  #read(fd: number, reader: StreamReader): void {
    const { block, incomingText } = this.#memory;
    block.u32[CONTROL_LENGTH] = CONTROL_BYTES;
    const length = this.#libc.recvmsg(fd, block.address, C.MSG_DONTWAIT);
    if (length > 0) reader.onText(incomingText.latin1Slice(0, length), this.#receiveTime());
    else if (length === 0) reader.onEnd('');
    else if (this.#libc.errno() !== C.EAGAIN) reader.onEnd(this.#failure('read'));
  }

  /** The instant of the last segment; a kernel that stamps no streams leaves the time of reading. */
  #receiveTime(): number {
    const { block, clock } = this.#memory;
    const readAtMs = nowMs();
    const isStamped =
      (block.u32[CONTROL_LENGTH] as number) > 0 &&
      block.u32[STAMP.level] === C.SOL_SOCKET &&
      block.u32[STAMP.type] === C.SO_TIMESTAMPNS;
    if (!isStamped) return readAtMs;
    const { u32 } = block;
    return Math.min(readAtMs, clock.toMonotonicMs(u32[STAMP.seconds] as number, u32[STAMP.nanoseconds] as number));
  }

  #failure(call: string): string {
    return `${call} ${getSystemErrorName(-this.#libc.errno())}`;
  }
}

type Memory = ReturnType<typeof layOut>;
let laidOut: Memory | undefined;

/** Shared by all engines of a thread: it keeps no data between calls. */
function memoryOf(libc: Libc): Memory {
  laidOut ??= layOut(libc);
  return laidOut;
}

function layOut(libc: Libc) {
  const block = pin(4096);
  const [incoming, outgoing] = [pin(MAX_READ_BYTES), pin(MAX_WRITTEN_BYTES)];
  writePointer(block.u32, 4, block.address + VECTOR * 4);
  block.u32[6] = 1;
  writePointer(block.u32, CONTROL_POINTER, block.address + CONTROL * 4);
  writePointer(block.u32, VECTOR, incoming.address);
  block.u32[VECTOR + 2] = MAX_READ_BYTES;
  return {
    block,
    incomingText: latin1Buffer(incoming.bytes),
    outgoing,
    outgoingText: latin1Buffer(outgoing.bytes),
    events: pin(EVENTS * EPOLL_EVENT_BYTES),
    clock: new KernelClock(libc),
  };
}

/** -1 if Node does not expose it. */
function descriptorOf(socket: Socket | Server): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const fd: unknown = handle instanceof Object ? Reflect.get(handle, 'fd') : -1;
  return typeof fd === 'number' ? fd : -1;
}
