/**
 * One UDP socket that carries many peers' messages: what SIP speaks through. Two adapters stand behind it,
 * batched FFI (sendmmsg, recvmmsg, kernel receive times) and node:dgram.
 */

/** The largest UDP payload over IPv4; IPv6 allows 20 bytes more, which no SIP peer will miss. */
export const LARGEST_DATAGRAM_BYTES = 65_507;

/**
 * One datagram that arrived. `text` holds one character a byte (latin1), `atMs` is the arrival on the agent's clock
 * (agent/clock.ts): the kernel's receive time where the adapter has it.
 */
export type DatagramHandler = (text: string, atMs: number, fromAddress: string, fromPort: number) => void;

/**
 * One datagram that could not be sent (no route, bad address, not permitted), or whose peer the network says is not there (ICMP), so that
 * nobody waits 32 s for an answer. `text`: of the latter as much as came back with the error, the first 500 bytes as a rule. Called
 * during `flush`, `poll` or, by node:dgram, later. node:dgram is not told of ICMP errors: its sockets cannot ask for them.
 */
export type SendErrorHandler = (text: string, toAddress: string, toPort: number, reason: string) => void;

export type DatagramPortOptions = {
  /** Numeric address to bind, IPv4 or IPv6. */
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
  /** Datagrams that could not be sent, for whatever reason: an errno, a full send queue, a closed port. */
  sendErrors: number;
  /** Datagrams that ICMP says did not get to their peer: nobody listens there, no way leads there. */
  unreachable: number;
};

export interface DatagramPort {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** Why batched I/O is not in use although 'auto' asked for it; null otherwise. For greeting, log and metrics. */
  readonly fallbackReason: string | null;
  readonly address: string;
  readonly port: number;
  readonly counters: Readonly<DatagramCounters>;
  /** Queues one datagram of latin1 text. False: longer than 65,507 bytes or no numeric address, nothing is queued. */
  send(text: string, address: string, port: number): boolean;
  /** Hands every waiting datagram to the handler; the number handled. */
  poll(): number;
  /** Sends what is queued. */
  flush(): void;
  close(): void;
}
