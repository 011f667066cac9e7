/**
 * Thousands of UDP sockets in one thread, for media: small packets out on a timetable, datagrams in with the time of their
 * arrival. Two adapters stand behind it: libc by FFI (one epoll, kernel receive times) and node:dgram. Sockets are numbered by
 * the caller, 0 to `capacity` - 1. Nothing here is called from two threads.
 */

import type { SocketAddress } from '../datagrams/socket-address.ts';

/** What sockets tell. Called during `receive` (FFI) or by the event loop (dgram); must not throw. */
export interface StreamSocketEvents {
  /**
   * One datagram: the first `length` bytes of `incoming`, valid during the call. `atMs` is its arrival on the agent's clock;
   * `fromPeer` says that it came from where the socket was aimed.
   */
  onDatagram(socket: number, length: number, atMs: number, fromPeer: boolean): void;
  /** ICMP said that nobody listens there, or that there is no way. The packet that provoked it is lost, nothing else is. */
  onUnreachable(socket: number): void;
  /** The kernel dropped `count` more datagrams because the socket's receive queue was full. */
  onDropped(socket: number, count: number): void;
}

export interface StreamSockets {
  readonly adapter: 'ffi' | 'dgram';
  /** What takes the arrival time. `user`: this process, when it gets to read the datagram. */
  readonly stamps: 'kernel' | 'user';
  /** Packets are sent from here: `outgoingBytes` that belong to the user of the sockets. */
  readonly outgoing: Uint8Array;
  /** The datagram of which `onDatagram` tells, read during the call: each may lie elsewhere. */
  readonly incoming: Uint8Array;
  /** Times that the wall clock was set since the start: kernel times around such an instant are doubtful. */
  readonly clockSteps: number;
  /** Now, in ms on the agent's clock. */
  nowMs(): number;
  /**
   * Binds the socket to a numeric address; what arrives is kept until `listen`. `done` gets null, or the name of the error
   * (`EADDRINUSE`) and then the number is free again. The FFI adapter calls it before it returns.
   */
  open(socket: number, address: string, port: number, done: (failure: string | null) => void): void;
  /** Sets where the socket sends to and whose datagrams are the peer's; undoes `confirm`. Datagrams of others still arrive. */
  aim(socket: number, address: string, port: number): void;
  /** During `onDatagram`: whether the datagram's source is the one that this was last asked about for the socket. Remembers it. */
  isSourceAgain(socket: number): boolean;
  /** The source that `isSourceAgain` remembers. */
  sourceOf(socket: number): SocketAddress;
  /** Begins to deliver, with what came since `open` first. */
  listen(socket: number): void;
  /**
   * From now on the socket is not watched but polled: `receive` reads it only after `poll`, which the caller must call every
   * `everyMs`; what arrives is delivered within two such rounds, with the time of its arrival. Saves the cost of epoll for
   * sockets whose arrival times are predictable. Adapters with an event loop deliver as before.
   */
  pollEvery(socket: number, everyMs: number): void;
  /** The next `receive` looks at the socket; nothing where it is watched. */
  poll(socket: number): void;
  /** Watched again: delivered by the first `receive` after its arrival, as every socket is in the beginning. */
  watch(socket: number): void;
  /**
   * Connects to where the socket is aimed: sending gets cheaper and ICMP errors are heard, but from now on the kernel refuses
   * other sources. For when the peer has proved that it sends from there.
   */
  confirm(socket: number): void;
  /** Marks what the socket sends (RFC 2474), 0 to 63. False: not possible here. */
  setDscp(socket: number, dscp: number): boolean;
  /** Sends `length` bytes of `outgoing` from `offset`. False: the kernel would not take it, now or at all. */
  send(socket: number, offset: number, length: number): boolean;
  /** As `send`, to another place than the socket is aimed at, and never encrypted. Numeric; slower. */
  sendTo(socket: number, offset: number, length: number, address: string, port: number): boolean;
  /** Delivers what has arrived, until nothing is left or `untilMs` has come. Does nothing in adapters with an event loop. */
  receive(untilMs: number): void;
  /** Delivers what has arrived where it is at hand, then frees the number and the port; nothing more is delivered. */
  close(socket: number): void;
  /** Closes everything that is left. */
  closeAll(): void;
}

export type StreamSocketsOptions = {
  readonly capacity: number;
  readonly outgoingBytes: number;
  readonly events: StreamSocketEvents;
};

/** Longer datagrams are no audio and no RTCP of ours; they are delivered cut to this length. */
export const INCOMING_BYTES = 2048;
