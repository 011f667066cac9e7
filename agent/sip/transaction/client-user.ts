/** Who sends requests and hears what comes of them: the transaction user (RFC 3261, 17). */
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientTransaction } from './client-transaction.ts';

/** TIMEOUT: timer B or F. DNS: no server was found (RFC 3263). POLICY: the host's owner forbids where it would go. */
export type NoResponse = 'TIMEOUT' | 'TRANSPORT' | 'DNS' | 'POLICY';

/** Registration, call, or whoever else sends requests. */
export interface ClientUser {
  /** The request's first byte was written; not told of retransmissions. */
  onRequestSent(transaction: ClientTransaction, atMs: number): void;
  /** `repeated`: a 2xx to INVITE that came before; only those come more than once (RFC 6026, 7.2). */
  onResponse(transaction: ClientTransaction, response: SipMessage, atMs: number, repeated: boolean): void;
  /** A 1xx that came before, word for word: the server is still at it. */
  onRepeatedProvisional?(transaction: ClientTransaction): void;
  /** Nothing more will come. */
  onNoResponse(transaction: ClientTransaction, cause: NoResponse, reason: string, atMs: number): void;
  /** The servers of a name were found, so many milliseconds after they were wanted. */
  onLocated?(transaction: ClientTransaction, tookMs: number): void;
  /** The server failed (503, timeout, transport), and another is left: is the request still wanted? Absent: yes. */
  wantsAnother?(transaction: ClientTransaction): boolean;
  /** The request goes to the next server as a transaction of its own (RFC 3263, 4.3); nothing more comes of the one before. */
  onFailover?(from: ClientTransaction, to: ClientTransaction, reason: string, atMs: number): void;
}

const ignore = (): void => undefined;
export const NO_USER: ClientUser = { onRequestSent: ignore, onResponse: ignore, onNoResponse: ignore };
