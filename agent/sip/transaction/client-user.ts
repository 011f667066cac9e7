/** A sender of requests, with their results: the transaction user (RFC 3261, 17). */
import type { SipMessage } from '../message/sip-message.ts';
import type { Flow } from '../transport/send-queue.ts';
import type { TableSlot } from './client-table.ts';
import type { ClientState } from './tables.ts';

/** TIMEOUT: timer B or F. DNS: no server was found (RFC 3263). POLICY: the host's owner forbids where it would go. */
export type NoResponse = 'TIMEOUT' | 'TRANSPORT' | 'DNS' | 'POLICY';

/** A request that was sent, as its user knows it: the client transaction. */
export interface SentRequest extends Flow, TableSlot {
  readonly method: string;
  readonly state: ClientState;
  /** The sent request, for its CANCEL; '' after a final response. */
  readonly request: string;
  /** The 1xx responses so far, each once. */
  readonly provisionalTexts: readonly string[];
  /** Takes a request back whose servers are still being looked for; false: it was sent. */
  withdraw(): boolean;
  /** No final response is awaited any more (RFC 3261, 9.1). */
  abandon(): void;
  /** Another user takes later events: repetitions. */
  handOver(user: ClientUser): void;
}

/** A registration, a call, or another sender of requests. */
export interface ClientUser {
  /** The request's first byte was written; not called for retransmissions. */
  onRequestSent(transaction: SentRequest, atMs: number): void;
  /** `repeated`: a 2xx to INVITE that came before; only those are reported again (RFC 6026, 7.2). */
  onResponse(transaction: SentRequest, response: SipMessage, atMs: number, repeated: boolean): void;
  /** A 1xx that came before, word for word: the server is still at it. */
  onRepeatedProvisional?(transaction: SentRequest): void;
  /** No more events will come. */
  onNoResponse(transaction: SentRequest, cause: NoResponse, reason: string, atMs: number): void;
  /** The servers of a name were found, this many milliseconds after the request. */
  onLocated?(transaction: SentRequest, tookMs: number): void;
  /** The server failed (503, timeout, transport), and another is left: is the request still wanted? Absent: yes. */
  wantsAnother?(transaction: SentRequest): boolean;
  /**
   * The request goes to the next server as a separate transaction (RFC 3263, 4.3); the previous one has no more events.
   */
  onFailover?(from: SentRequest, to: SentRequest, reason: string, atMs: number): void;
  /** It waited so long for a connection, whether that opened or not. */
  onConnectionWait?(transaction: SentRequest, waitedMs: number): void;
  /** It is too large for UDP, and was sent by UDP all the same: the peer does not take TCP (RFC 3261, 18.1.1). */
  onSentByUdp?(transaction: SentRequest, reason: string, atMs: number): void;
}

const ignore = (): void => undefined;
export const NO_USER: ClientUser = { onRequestSent: ignore, onResponse: ignore, onNoResponse: ignore };
