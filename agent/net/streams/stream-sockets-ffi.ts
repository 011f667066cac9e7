/**
 * Stream sockets over libc: non-blocking sockets, polled by their senders or watched by one epoll, with one recvmsg per
 * datagram into fixed memory, and kernel receive times. Batched receives (recvmmsg) would cost more here, because each
 * socket has one datagram at a time.
 */
import { constants } from 'node:os';
import { readErrorQueue } from '../datagrams/error-queue.ts';
import {
  packSocketAddress,
  SOCKET_ADDRESS_BYTES,
  type SocketAddress,
  unpackSocketAddress,
} from '../datagrams/socket-address.ts';
import { KernelClock } from '../kernel-clock.ts';
import { type Block, C, EPOLL_EVENT_BYTES, type Libc, pin } from '../libc.ts';
import { PollRounds } from './poll-rounds.ts';
import { ARRIVALS, SPARE, StreamArrivals } from './stream-arrivals.ts';
import type { StreamSockets, StreamSocketsOptions } from './stream-sockets.ts';

const ADDRESS_WORDS = SOCKET_ADDRESS_BYTES / 4;
const EVENT_WORDS = EPOLL_EVENT_BYTES / 4;
/** `struct epoll_event`: the user data follows the 32-bit mask, aligned if the struct is not packed. */
const EVENT_DATA = EVENT_WORDS === 3 ? 1 : 2;
const EVENTS = 1024;
/** Socket options are passed after the address in the scratch memory. */
const OPTION_WORD = ADDRESS_WORDS;
/** A default receive buffer holds about 280 small datagrams. */
const DRAINED_ON_CLOSE = 300;
/** Stands for a datagram's length if there is no datagram. */
const NOTHING = -1;
const UNREACHABLE = -2;

const unread = (): void => undefined;

const errorNames = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

export class FfiStreamSockets implements StreamSockets {
  readonly adapter = 'ffi';
  readonly stamps = 'kernel';
  readonly outgoing: Uint8Array;
  incoming: Uint8Array;
  /** The number of datagrams without a kernel receive time, stamped here; the self-test expects none. */
  unstamped = 0;
  readonly #libc: Libc;
  readonly #options: StreamSocketsOptions;
  readonly #clock: KernelClock;
  readonly #epoll: number;
  /** Requests receive times permanently: the kernel takes them, after a short delay, while any socket requests them. */
  readonly #keeper: number;
  readonly #fds: Int32Array;
  readonly #families: Uint8Array;
  readonly #connected: Uint8Array;
  readonly #listening: Uint8Array;
  readonly #addressLengths: Uint8Array;
  readonly #drops: Uint32Array;
  /** The target of each socket, consecutive struct sockaddr. */
  readonly #peers: Block;
  /** The sources that `isSourceAgain` remembers, in the same layout. */
  readonly #suspects: Block;
  readonly #packets: Block;
  readonly #arrivals: StreamArrivals;
  readonly #rounds: PollRounds;
  /** The socket of a datagram, its length (negative: none), and its arrival, by slot of `arrivals`. */
  readonly #socketOf = new Int32Array(ARRIVALS);
  readonly #lengthOf = new Int32Array(ARRIVALS);
  readonly #atMsOf = new Float64Array(ARRIVALS);
  /** The slot being reported. */
  #lastSlot = 0;
  readonly #events = pin(EVENTS * EPOLL_EVENT_BYTES);
  readonly #scratch = pin(64);

  /** Throws when the kernel provides no epoll. */
  constructor(libc: Libc, options: StreamSocketsOptions) {
    this.#libc = libc;
    this.#options = options;
    this.#clock = new KernelClock(libc);
    this.#fds = new Int32Array(options.capacity).fill(-1);
    this.#families = new Uint8Array(options.capacity);
    this.#connected = new Uint8Array(options.capacity);
    this.#listening = new Uint8Array(options.capacity);
    this.#addressLengths = new Uint8Array(options.capacity);
    this.#drops = new Uint32Array(options.capacity);
    this.#peers = pin(options.capacity * SOCKET_ADDRESS_BYTES);
    this.#suspects = pin(options.capacity * SOCKET_ADDRESS_BYTES);
    this.#packets = pin(options.outgoingBytes);
    this.outgoing = this.#packets.bytes;
    this.#arrivals = new StreamArrivals(libc);
    this.#rounds = new PollRounds(options.capacity);
    this.incoming = this.#arrivals.datagrams[SPARE]!;
    this.#epoll = libc.epollCreate1(0);
    if (this.#epoll < 0) throw new Error(`epoll_create1: ${this.#errorName()}`);
    this.#keeper = libc.socket(C.AF_INET, C.SOCK_DGRAM | C.SOCK_CLOEXEC, 0);
    this.#switchOn(this.#keeper, C.SO_TIMESTAMPNS);
  }

  get clockSteps(): number {
    return this.#clock.steps;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  open(socket: number, address: string, port: number, done: (failure: string | null) => void): void {
    done(this.#bind(socket, address, port));
  }

  #bind(socket: number, address: string, port: number): string | null {
    const libc = this.#libc;
    const scratch = this.#scratch;
    const length = packSocketAddress(scratch, 0, address, port);
    if (length === 0) return 'EINVAL';
    const family = scratch.bytes[0]!;
    const fd = libc.socket(family, C.SOCK_DGRAM | C.SOCK_NONBLOCK | C.SOCK_CLOEXEC, 0);
    if (fd < 0) return this.#errorName();
    this.#switchOn(fd, C.SO_TIMESTAMPNS);
    this.#switchOn(fd, C.SO_RXQ_OVFL);
    // A peer with a closed port never sends, so the socket is never connected: its ICMP errors must be requested
    // (error-queue.ts).
    if (family === C.AF_INET) this.#switchOn(fd, C.IP_RECVERR, C.IPPROTO_IP);
    else this.#switchOn(fd, C.IPV6_RECVERR, C.IPPROTO_IPV6);
    if (libc.bind(fd, scratch.address, length) !== 0) {
      const failure = this.#errorName();
      libc.close(fd);
      return failure;
    }
    this.#fds[socket] = fd;
    this.#families[socket] = family;
    this.#connected[socket] = 0;
    this.#listening[socket] = 0;
    this.#addressLengths[socket] = 0;
    this.#peers.u32.fill(0, socket * ADDRESS_WORDS, (socket + 1) * ADDRESS_WORDS);
    this.#suspects.u32.fill(0, socket * ADDRESS_WORDS, (socket + 1) * ADDRESS_WORDS);
    this.#drops[socket] = 0;
    return null;
  }

  #switchOn(fd: number, option: number, level: number = C.SOL_SOCKET): void {
    this.#scratch.i32[OPTION_WORD] = 1;
    this.#libc.setsockopt(fd, level, option, this.#scratch.address + OPTION_WORD * 4, 4);
  }

  aim(socket: number, address: string, port: number): void {
    if (this.#connected[socket] === 1) this.#disconnect(socket);
    this.#addressLengths[socket] = packSocketAddress(this.#peers, socket * SOCKET_ADDRESS_BYTES, address, port);
  }

  /** A connect to the family AF_UNSPEC, 0, dissolves the association (connect(2)); the socket keeps its port. */
  #disconnect(socket: number): void {
    this.#scratch.u32.fill(0, 0, ADDRESS_WORDS);
    this.#libc.connect(this.#fds[socket]!, this.#scratch.address, SOCKET_ADDRESS_BYTES);
    this.#connected[socket] = 0;
  }

  isSourceAgain(socket: number): boolean {
    const at = socket * ADDRESS_WORDS;
    if (this.#arrivals.isFrom(this.#lastSlot, this.#suspects.u32, at)) return true;
    this.#arrivals.copySource(this.#lastSlot, this.#suspects.u32, at);
    return false;
  }

  sourceOf(socket: number): SocketAddress {
    return unpackSocketAddress(this.#suspects, socket * SOCKET_ADDRESS_BYTES);
  }

  listen(socket: number): void {
    this.#listening[socket] = 1;
    if (!this.#rounds.isPolled(socket)) this.#control(C.EPOLL_CTL_ADD, socket);
  }

  #control(operation: number, socket: number): void {
    const libc = this.#libc;
    const scratch = this.#scratch;
    scratch.u32.fill(0, 0, EVENT_WORDS);
    scratch.u32[0] = C.EPOLLIN;
    scratch.u32[EVENT_DATA] = socket;
    libc.epollCtl(this.#epoll, operation, this.#fds[socket]!, scratch.address);
  }

  pollEvery(socket: number, everyMs: number): void {
    if (this.#listening[socket] === 1 && !this.#rounds.isPolled(socket)) this.#control(C.EPOLL_CTL_DEL, socket);
    this.#rounds.begin(socket, everyMs);
  }

  poll(socket: number): void {
    this.#rounds.poll(socket);
  }

  watch(socket: number): void {
    if (this.#rounds.end(socket) && this.#listening[socket] === 1) this.#control(C.EPOLL_CTL_ADD, socket);
  }

  confirm(socket: number): void {
    if (this.#connected[socket] === 1 || this.#addressLengths[socket] === 0) return;
    const address = this.#peers.address + socket * SOCKET_ADDRESS_BYTES;
    if (this.#libc.connect(this.#fds[socket]!, address, this.#addressLengths[socket]!) === 0)
      this.#connected[socket] = 1;
  }

  setDscp(socket: number, dscp: number): boolean {
    const libc = this.#libc;
    const scratch = this.#scratch;
    // The value is the upper six bits of the old type-of-service byte; the lower two are ECN's.
    scratch.i32[OPTION_WORD] = dscp << 2;
    const [level, option] =
      this.#families[socket] === C.AF_INET ? [C.IPPROTO_IP, C.IP_TOS] : [C.IPPROTO_IPV6, C.IPV6_TCLASS];
    return libc.setsockopt(this.#fds[socket]!, level, option, scratch.address + OPTION_WORD * 4, 4) === 0;
  }

  send(socket: number, offset: number, length: number): boolean {
    if (this.#transmit(socket, offset, length) >= 0) return true;
    // An ICMP error of an earlier packet fails the next send, which was then not executed.
    return this.#isOfEarlier(socket) && this.#transmit(socket, offset, length) >= 0;
  }

  sendTo(socket: number, offset: number, length: number, address: string, port: number): boolean {
    const libc = this.#libc;
    const scratch = this.#scratch;
    const addressLength = packSocketAddress(scratch, 0, address, port);
    if (addressLength === 0 || scratch.bytes[0] !== this.#families[socket]) return false;
    const data = this.#packets.address + offset;
    const sent = () =>
      libc.sendto(this.#fds[socket]!, data, length, C.MSG_DONTWAIT, scratch.address, addressLength) >= 0;
    return sent() || (this.#isOfEarlier(socket) && sent());
  }

  #transmit(socket: number, offset: number, length: number): number {
    const fd = this.#fds[socket]!;
    const data = this.#packets.address + offset;
    if (this.#connected[socket] === 1) return this.#libc.send(fd, data, length, C.MSG_DONTWAIT);
    const address = this.#peers.address + socket * SOCKET_ADDRESS_BYTES;
    return this.#libc.sendto(fd, data, length, C.MSG_DONTWAIT, address, this.#addressLengths[socket]!);
  }

  receive(untilMs: number): void {
    this.#clock.sample();
    this.#readPolled(untilMs);
    this.#readWatched(untilMs);
  }

  /** Sockets that do not fit into the time are read in the next turn. */
  #readPolled(untilMs: number): void {
    const rounds = this.#rounds;
    let nowMs = this.nowMs();
    for (let count = rounds.take(); count > 0; count = rounds.take()) {
      for (let from = 0; from < count; from += ARRIVALS) {
        const slots = Math.min(count - from, ARRIVALS);
        for (let slot = 0; slot < slots; slot++) this.#socketOf[slot] = rounds.due[from + slot]!;
        this.#readSlots(slots);
        for (let slot = 0; slot < slots; slot++) this.#askAgain(slot, nowMs);
      }
      nowMs = this.nowMs();
      if (nowMs >= untilMs) return;
    }
  }

  #askAgain(slot: number, nowMs: number): void {
    const length = this.#lengthOf[slot]!;
    if (length >= 0) this.#rounds.ask(this.#socketOf[slot]!, nowMs - this.#atMsOf[slot]!);
    // An error is reported before the datagrams after it.
    else if (length === UNREACHABLE) this.#rounds.poll(this.#socketOf[slot]!);
  }

  #readWatched(untilMs: number): void {
    const events = this.#events.u32;
    for (;;) {
      const ready = this.#libc.epollWait(this.#epoll, this.#events.address, EVENTS, 0);
      for (let from = 0; from < ready; from += ARRIVALS) {
        const slots = Math.min(ready - from, ARRIVALS);
        for (let slot = 0; slot < slots; slot++)
          this.#socketOf[slot] = events[(from + slot) * EVENT_WORDS + EVENT_DATA]!;
        this.#readSlots(slots);
      }
      // Sockets with remaining data are reported again: level-triggered, so that no socket starves the others.
      if (ready <= 0 || this.nowMs() >= untilMs) return;
    }
  }

  /** Reads a datagram of each socket in `socketOf`, then reports them. */
  #readSlots(slots: number): void {
    for (let slot = 0; slot < slots; slot++) this.#lengthOf[slot] = this.#read(slot, this.#socketOf[slot]!);
    for (let slot = 0; slot < slots; slot++)
      if (this.#lengthOf[slot]! >= 0)
        this.#atMsOf[slot] = this.#tell(slot, this.#socketOf[slot]!, this.#lengthOf[slot]!);
  }

  /** Returns the datagram's length, or a negative number for the reason why nothing was read. */
  #read(slot: number, socket: number): number {
    const fd = this.#fds[socket]!;
    if (fd < 0) return NOTHING;
    const length = this.#arrivals.read(slot, fd);
    if (length >= 0) return length;
    return this.#isOfEarlier(socket) ? UNREACHABLE : NOTHING;
  }

  /** Reports the datagram, and returns its arrival. */
  #tell(slot: number, socket: number, length: number): number {
    // A handler has closed the socket.
    if (this.#fds[socket]! < 0) return 0;
    this.#lastSlot = slot;
    this.incoming = this.#arrivals.datagrams[slot]!;
    const atMs = this.#arrivedAtMs(slot, socket);
    const fromPeer = this.#arrivals.isFrom(slot, this.#peers.u32, socket * ADDRESS_WORDS);
    this.#options.events.onDatagram(socket, length, atMs, fromPeer);
    return atMs;
  }

  #arrivedAtMs(slot: number, socket: number): number {
    const arrivals = this.#arrivals;
    if (!arrivals.isStamped(slot)) {
      this.unstamped += 1;
      return this.#clock.nowMs();
    }
    const drops = arrivals.drops(slot);
    // The count is only present once datagrams were dropped: absence means no change.
    if (drops !== 0 && drops !== this.#drops[socket]) {
      const count = (drops - this.#drops[socket]!) >>> 0;
      this.#drops[socket] = drops;
      this.#options.events.onDropped(socket, count);
    }
    return this.#clock.toMonotonicMs(arrivals.seconds(slot), arrivals.nanoseconds(slot));
  }

  close(socket: number): void {
    const fd = this.#fds[socket]!;
    if (fd < 0) return;
    if (this.#listening[socket] === 1) for (let i = 0; i < DRAINED_ON_CLOSE && this.#drainOne(socket, fd); i++);
    this.#fds[socket] = -1;
    this.#rounds.end(socket);
    this.#libc.close(fd);
  }

  /** False: the queue was empty. */
  #drainOne(socket: number, fd: number): boolean {
    const length = this.#arrivals.read(SPARE, fd);
    if (length < 0) return this.#isOfEarlier(socket);
    this.#tell(SPARE, socket, length);
    return true;
  }

  closeAll(): void {
    for (let socket = 0; socket < this.#fds.length; socket++) this.close(socket);
    this.#libc.close(this.#epoll);
    this.#libc.close(this.#keeper);
  }

  /**
   * The failed call reported the error of an earlier packet, which is passed on. In any case the queue is emptied:
   * waiting errors take the space of datagrams, and wake the epoll.
   */
  #isOfEarlier(socket: number): boolean {
    const errno = this.#libc.errno();
    if (errno === C.EAGAIN) return false;
    const errors = readErrorQueue(this.#libc, this.#fds[socket]!, unread);
    if (!this.#isUnreachable(errno)) return errors > 0;
    this.#options.events.onUnreachable(socket);
    return true;
  }

  #isUnreachable(errno: number): boolean {
    return errno === C.ECONNREFUSED || errno === C.EHOSTUNREACH || errno === C.ENETUNREACH;
  }

  #errorName(): string {
    const errno = this.#libc.errno();
    return errorNames.get(errno) ?? `errno ${errno}`;
  }
}
