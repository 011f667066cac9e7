/**
 * One UDP socket for the messages of many peers, used by SIP. It has two adapters: batched FFI (sendmmsg, recvmmsg,
 * kernel receive times) and node:dgram.
 */

/** The largest UDP payload over IPv4; IPv6 allows 20 bytes more, which no SIP peer will miss. */
export const MAX_DATAGRAM_BYTES = 65_507;

/**
 * One received datagram. `text` has one character per byte (latin1), `atMs` is the arrival on the agent's clock
 * (agent/clock.ts): the kernel's receive time if the adapter has it.
 */
export type DatagramHandler = (text: string, atMs: number, fromAddress: string, fromPort: number) => void;

/**
 * One datagram that could not be sent (no route, bad address, not permitted), or whose peer is unreachable according to
 * ICMP, so that no transaction waits 32 s for an answer. `text`: for ICMP the part that the error contains, usually the
 * first 500 bytes. Called during `flush`, `poll` or, with node:dgram, later. node:dgram gets no ICMP errors, because
 * its sockets cannot request them.
 */
export type SendErrorHandler = (text: string, toAddress: string, toPort: number, reason: string) => void;

export type DatagramPortOptions = {
  /** The numeric address to bind, IPv4 or IPv6. */
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  readonly receiveBufferBytes?: number;
  readonly onDatagram: DatagramHandler;
  readonly onSendError?: SendErrorHandler;
};

export type DatagramCounters = {
  /** Datagrams that the kernel dropped because the receive queue was full. */
  receiveDrops: number;
  /** Datagrams that did not fit the receive buffer and were discarded. */
  truncated: number;
  /** Datagrams that could not be sent, for any reason: an errno, a full send queue, a closed port. */
  sendErrors: number;
  /** Datagrams that did not reach their peer according to ICMP: port closed, or no route. */
  unreachable: number;
};

export interface DatagramPort {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** Why batched I/O is not used although 'auto' was requested; otherwise null. For greeting, log and metrics. */
  readonly fallbackReason: string | null;
  readonly address: string;
  readonly port: number;
  readonly counters: Readonly<DatagramCounters>;
  /**
   * Queues one datagram of latin1 text. False: longer than 65,507 bytes or not a numeric address; nothing is queued.
   */
  send(text: string, address: string, port: number): boolean;
  /** Delivers every waiting datagram to the handler; returns their number. */
  poll(): number;
  /** Sends the queued datagrams. */
  flush(): void;
  close(): void;
}
