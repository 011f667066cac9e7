/**
 * Thousands of UDP sockets in one thread, for media: small packets are sent on a timetable, datagrams are received with
 * their arrival times. There are two adapters: libc by FFI (one epoll, kernel receive times) and node:dgram. The caller
 * numbers sockets from 0 to `capacity` - 1. All calls must come from one thread.
 */

import type { SocketAddress } from '../datagrams/socket-address.ts';

/** Events of sockets. Called during `receive` (FFI) or by the event loop (dgram); must not throw. */
export interface StreamSocketEvents {
  /**
   * One datagram: the first `length` bytes of `incoming`, valid during the call. `atMs` is its arrival on the agent's
   * clock; `fromPeer` says that it came from the socket's target.
   */
  onDatagram(socket: number, length: number, atMs: number, fromPeer: boolean): void;
  /** ICMP reported a closed port or no route. Only the packet that caused it is lost. */
  onUnreachable(socket: number): void;
  /** The kernel dropped `count` more datagrams because the socket's receive queue was full. */
  onDropped(socket: number, count: number): void;
}

export interface StreamSockets {
  readonly adapter: 'ffi' | 'dgram';
  /** The source of arrival times. `user`: this process takes them when it reads the datagram. */
  readonly stamps: 'kernel' | 'user';
  /** The memory that packets are sent from: `outgoingBytes` that belong to the user of the sockets. */
  readonly outgoing: Uint8Array;
  /** The datagram of `onDatagram`, to be read during the call; its position varies. */
  readonly incoming: Uint8Array;
  /** Number of steps of the wall clock since the start: kernel times near a step are doubtful. */
  readonly clockSteps: number;
  /** The current time, in ms on the agent's clock. */
  nowMs(): number;
  /**
   * Binds the socket to a numeric address; datagrams that arrive are kept until `listen`. `done` gets null or the name
   * of the error (`EADDRINUSE`), after which the number is free again. The FFI adapter calls it before it returns.
   */
  open(socket: number, address: string, port: number, done: (failure: string | null) => void): void;
  /** Sets the target of the socket, whose datagrams are the peer's; undoes `confirm`. Datagrams of others still arrive. */
  aim(socket: number, address: string, port: number): void;
  /** During `onDatagram`: whether the source equals the one of the last query for the socket. Remembers it. */
  isSourceAgain(socket: number): boolean;
  /** The source that `isSourceAgain` remembers. */
  sourceOf(socket: number): SocketAddress;
  /** Starts delivery, beginning with the datagrams since `open`. */
  listen(socket: number): void;
  /**
   * The socket is polled from now on, not watched: `receive` reads it only after `poll`, which the caller must call
   * every `everyMs`; datagrams are delivered within two such rounds, with their arrival times. Saves the cost of epoll
   * for sockets with predictable arrivals. No effect in adapters with an event loop.
   */
  pollEvery(socket: number, everyMs: number): void;
  /** The next `receive` reads the socket; no effect if it is watched. */
  poll(socket: number): void;
  /** The socket is watched again: datagrams are delivered by the first `receive` after their arrival, as for every new socket. */
  watch(socket: number): void;
  /**
   * Connects to the socket's target: sending becomes cheaper and ICMP errors are reported, but from now on the kernel
   * refuses other sources. To be used when the peer has proved that it sends from there.
   */
  confirm(socket: number): void;
  /** Marks sent packets (RFC 2474), 0 to 63. False: not possible here. */
  setDscp(socket: number, dscp: number): boolean;
  /** Sends `length` bytes of `outgoing` from `offset`. False: the kernel did not accept it. */
  send(socket: number, offset: number, length: number): boolean;
  /** Like `send`, to another address than the target, and never encrypted. The address is numeric; slower. */
  sendTo(socket: number, offset: number, length: number, address: string, port: number): boolean;
  /** Delivers received datagrams until none is left or `untilMs` is reached. No effect in adapters with an event loop. */
  receive(untilMs: number): void;
  /**
   * Delivers received datagrams that are available, then frees the number and the port; afterwards nothing is
   * delivered.
   */
  close(socket: number): void;
  closeAll(): void;
}

export type StreamSocketsOptions = {
  readonly capacity: number;
  readonly outgoingBytes: number;
  readonly events: StreamSocketEvents;
};

/** Longer datagrams are neither audio nor RTCP of this agent; they are truncated to this length. */
export const INCOMING_BYTES = 2048;
