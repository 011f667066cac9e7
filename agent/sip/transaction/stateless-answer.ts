/**
 * A final response without a transaction (RFC 3261, 8.2.7): nothing is kept, nothing is sent again, and the ACK is known by the tag,
 * which every copy of the request gets alike. It goes into nobody's trace.
 */
import { responseText } from '../message/build.ts';
import { NOBODY, type SendQueue } from '../transport/send-queue.ts';
import type { Arrival } from './arrival.ts';
import { callAndSequence, responseTarget, viaToTo } from './response-head.ts';

/** `headers`: whole lines. */
export function answerStateless(
  sendQueue: SendQueue,
  { request, via, source, hash }: Arrival,
  status: number,
  reason: string,
  headers: string,
): void {
  const { callId, method } = request;
  const head = `${viaToTo(request, via, source)};tag=${statelessTag(hash)}${callAndSequence(callId, request)}`;
  const flow = { owner: NOBODY, callId, target: responseTarget(via, source) };
  sendQueue.sendResponse(flow, method, status, reason, responseText(status, reason, head, headers, ''), false);
}

/** `hash`: of the key of the server transaction that there is none of. */
export const statelessTag = (hash: number): string => `nobody-${(hash >>> 0).toString(36)}`;
