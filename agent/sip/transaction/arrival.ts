/** A request as it came in, and how it finds its server transaction (RFC 3261, 17.2.3). */
import type { SipTarget } from '../engine.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { hasCookie, type Via } from '../message/via.ts';
import { hashOf } from '../text-table.ts';

export type Arrival = {
  readonly request: SipMessage;
  /** The topmost one. */
  readonly via: Via;
  /** The key of its server transaction (`serverKey`). */
  readonly key: string;
  /** The hash of the key. */
  readonly hash: number;
  /** The place from which it came. */
  readonly source: SipTarget;
  /** Receive time on the agent's clock. */
  readonly atMs: number;
};

/**
 * The key of a request: branch and sent-by, for ACK those of its INVITE; without the magic cookie by the rules of RFC 2543:
 * Request-URI, From tag, Call-ID, CSeq number and topmost Via. (Without the To tag: the ACK has ours.) `method`: of the
 * transaction; a CANCEL finds its INVITE under 'INVITE'.
 */
export function serverKey(request: SipMessage, via: Via, method: string): string {
  const name = method === 'ACK' ? 'INVITE' : method;
  if (hasCookie(via.branch)) return `${via.branch} ${via.sentBy} ${name}`;
  const top = request.text.slice(request.viaAt, request.viaEnd);
  return `2543 ${request.requestUri} ${request.fromTag} ${request.callId} ${request.cseq} ${top} ${name}`;
}

/**
 * Equal for two copies of one request on different paths: a merged request (RFC 3261, 8.2.2.2). Its hash is then the
 * request's `mergeHash`.
 */
export function mergeKey(request: SipMessage): string {
  if (request.mergeKey === null) {
    request.mergeKey = `${request.fromTag} ${request.callId} ${request.cseq} ${request.method}`;
    request.mergeHash = hashOf(request.mergeKey);
  }
  return request.mergeKey;
}
