/** Events of an engine about its messages and connections in general. */

import type { SipTransport } from '@carillon/proto/words/word-lists.ts';

/** One message on the wire. The engine reuses one record: read it during the call, keep only strings of it. */
export type Traffic = {
  direction: 'SENT' | 'RECEIVED';
  atMs: number;
  /** Request method; of a response, the method in CSeq. */
  method: string;
  /** 0 for a request. */
  status: number;
  /** '' for a request. */
  reason: string;
  /** The same request or response had been sent or received before (RFC 3261, 17). */
  retransmission: boolean;
  callId: string; // No slice of the text, which it would keep in memory.
  transport: SipTransport;
  peerAddress: string;
  peerPort: number;
  /** Ours; 0 if the engine does not know it. The address is the engine's own. */
  localPort: number;
  /** The message as it was on the wire, one character a byte (latin1). Credentials are not masked here. */
  text: string;
};

/**
 * A connection was opened for our message; its time is separate from the call's times, which start when the connection
 * exists. `connectMs`: from the first SYN; `tlsMs`: the handshake, NaN over TCP; `tls`: version and cipher, '' over
 * TCP.
 */
export type ConnectionOpened = {
  readonly transport: 'TCP' | 'TLS';
  readonly address: string;
  readonly port: number;
  readonly atMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly tls: string;
};

export interface TrafficObserver {
  onMessage(traffic: Readonly<Traffic>): void;
}

export type SipEngineCounters = {
  /** Datagrams that were no SIP message, or malformed beyond an answer. */
  malformed: number;
  /** Responses and ACKs without a transaction or dialog of ours. */
  unmatched: number;
  /** INVITEs and OPTIONS of unknown peers that no user agent takes. */
  unclaimed: number;
  /** Responses to unknown peers that were not sent: too large for the request, or too many for one source. */
  withheld: number;
  /** Messages that the host's policy kept from being sent, and requests that it forbids to answer. */
  refusedByPolicy: number;
  /**
   * Exceptions caught at the engine's boundary, in the engine itself or in a listener: bugs, reported to
   * onInternalError.
   */
  internalErrors: number;
};
