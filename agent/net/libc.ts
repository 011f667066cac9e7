/**
 * `libc` through FFI, with koffi. All memory whose address C gets is pinned (`pin`), because memory that is referenced
 * only by number may be collected while the kernel uses it.
 */
import koffi from 'koffi';
import { boundOnce } from './bound-once.ts';

/** A piece of memory with a fixed address, seen as bytes, 32-bit and 64-bit words (host order). Never freed. */
export type Block = {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly u64: BigUint64Array;
};

const PINNED: ArrayBufferLike[] = [];

/**
 * The address of foreign memory, which is pinned permanently. The memory must be outside the garbage-collected heap, as
 * memory of 64 bytes or more is.
 */
export function addressOf(bytes: Uint8Array): number {
  if (bytes.buffer.byteLength <= 64) throw new RangeError('memory of this size has no fixed address');
  PINNED.push(bytes.buffer);
  return Number(koffi.address(bytes));
}

/** The address of memory that the caller pins. */
export const addressOfShared = (buffer: SharedArrayBuffer): number => Number(koffi.address(new Uint8Array(buffer)));

/**
 * Allocates `size` bytes permanently (rounded up to a page, so that the memory is outside the garbage-collected heap).
 */
export function pin(size: number): Block {
  const buffer = new ArrayBuffer(Math.ceil(size / 4096) * 4096);
  PINNED.push(buffer);
  const bytes = new Uint8Array(buffer);
  return {
    address: Number(koffi.address(bytes)),
    bytes,
    u32: new Uint32Array(buffer),
    i32: new Int32Array(buffer),
    u64: new BigUint64Array(buffer),
  };
}

export type Libc = ReturnType<typeof bindFunctions>;

function bindFunctions() {
  const lib = koffi.load('libc.so.6');
  return {
    socket: lib.func('int socket(int, int, int)') as (domain: number, type: number, protocol: number) => number,
    bind: lib.func('int bind(int, uint64_t, int)') as (fd: number, address: number, length: number) => number,
    connect: lib.func('int connect(int, uint64_t, int)') as (fd: number, address: number, length: number) => number,
    getsockname: lib.func('int getsockname(int, uint64_t, uint64_t)') as (
      fd: number,
      name: number,
      length: number,
    ) => number,
    setsockopt: lib.func('int setsockopt(int, int, int, uint64_t, int)') as (
      fd: number,
      level: number,
      option: number,
      value: number,
      length: number,
    ) => number,
    close: lib.func('int close(int)') as (fd: number) => number,
    send: lib.func('long send(int, uint64_t, size_t, int)') as (
      fd: number,
      data: number,
      length: number,
      flags: number,
    ) => number,
    sendto: lib.func('long sendto(int, uint64_t, size_t, int, uint64_t, int)') as (
      fd: number,
      data: number,
      length: number,
      flags: number,
      address: number,
      addressLength: number,
    ) => number,
    recvmsg: lib.func('long recvmsg(int, uint64_t, int)') as (fd: number, message: number, flags: number) => number,
    sendmmsg: lib.func('int sendmmsg(int, uint64_t, unsigned int, int)') as (
      fd: number,
      messages: number,
      count: number,
      flags: number,
    ) => number,
    recvmmsg: lib.func('int recvmmsg(int, uint64_t, unsigned int, int, uint64_t)') as (
      fd: number,
      messages: number,
      count: number,
      flags: number,
      timeout: number,
    ) => number,
    epollCreate1: lib.func('int epoll_create1(int)') as (flags: number) => number,
    epollCtl: lib.func('int epoll_ctl(int, int, int, uint64_t)') as (
      epoll: number,
      op: number,
      fd: number,
      event: number,
    ) => number,
    epollWait: lib.func('int epoll_wait(int, uint64_t, int, int)') as (
      epoll: number,
      events: number,
      count: number,
      timeoutMs: number,
    ) => number,
    clockGettime: lib.func('int clock_gettime(int, uint64_t)') as (clock: number, timespec: number) => number,
    clockNanosleep: lib.func('int clock_nanosleep(int, int, uint64_t, uint64_t)') as (
      clock: number,
      flags: number,
      request: number,
      remain: number,
    ) => number,
    prctl: lib.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)') as (
      option: number,
      a: number,
      b: number,
      c: number,
      d: number,
    ) => number,
    madvise: lib.func('int madvise(uint64_t, size_t, int)') as (
      address: number,
      length: number,
      advice: number,
    ) => number,
    schedSetscheduler: lib.func('int sched_setscheduler(int, int, uint64_t)') as (
      pid: number,
      policy: number,
      param: number,
    ) => number,
    errno: (): number => koffi.errno(),
  };
}

/** `libc`'s functions; without them callers use node:dgram. */
export const loadLibc = boundOnce('batched I/O needs', 'libc.so.6 cannot be loaded', bindFunctions);

/** Linux constants (asm-generic; the same on x64 and arm64) under their C names. */
export const C = {
  AF_INET: 2,
  AF_INET6: 10,
  SOCK_DGRAM: 2,
  SOCK_NONBLOCK: 0o4000,
  SOCK_CLOEXEC: 0o2000000,
  SOL_SOCKET: 1,
  IPPROTO_IPV6: 41,
  IPV6_TCLASS: 67,
  SO_SNDBUF: 7,
  SO_RCVBUF: 8,
  SO_RCVBUFFORCE: 33,
  SO_TIMESTAMPNS: 35,
  SO_RXQ_OVFL: 40,
  IPPROTO_IP: 0,
  IP_TOS: 1,
  IP_RECVERR: 11,
  IPV6_RECVERR: 25,
  MSG_DONTWAIT: 0x40,
  MSG_TRUNC: 0x20,
  MSG_ERRQUEUE: 0x2000,
  MSG_NOSIGNAL: 0x4000,
  EPOLLIN: 1,
  EPOLL_CLOEXEC: 0o2000000,
  EPOLL_CTL_ADD: 1,
  EPOLL_CTL_DEL: 2,
  CLOCK_REALTIME: 0,
  CLOCK_MONOTONIC: 1,
  TIMER_ABSTIME: 1,
  PR_SET_TIMERSLACK: 29,
  SCHED_FIFO: 1,
  MADV_HUGEPAGE: 14,
  EPERM: 1,
  EAGAIN: 11,
  EADDRINUSE: 98,
  ENETUNREACH: 101,
  ECONNREFUSED: 111,
  ENOBUFS: 105,
  EHOSTUNREACH: 113,
} as const;

/** Size of struct epoll_event: packed on x86-64, aligned elsewhere. The user data follows the first 4 or 8 bytes. */
export const EPOLL_EVENT_BYTES = process.arch === 'x64' ? 12 : 16;
