/** Requests that we send within a dialog (RFC 3261, 12.2.1.1), and the ACK to a 2xx (13.2.2.4). */
import type { Authorization } from '../digest/authorization.ts';
import type { SipFailure } from '../engine.ts';
import { ending, requestText, SUPPORTED_BODY, standingEnding } from '../message/build.ts';
import { retryAfterSecondsOf } from '../message/explanation.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientUser, SentRequest } from '../transaction/client-user.ts';
import type { CallAgent } from './call-agent.ts';
import type { Dialog } from './dialog.ts';

/**
 * Sends a request under the next CSeq, `lines` are its header lines; returns the transaction, or why nothing was sent.
 */
export function sendInDialog(
  agent: CallAgent,
  dialog: Dialog,
  method: string,
  authorization: Authorization | null,
  user: ClientUser,
  lines = agent.headers.plain,
  body = '',
  contentType = SUPPORTED_BODY,
): SentRequest | 'POLICY' | 'UNSENDABLE' {
  const place = agent.layer.reserve();
  const credentials = authorization === null ? '' : authorization.headers(method, dialog.requestUri, body);
  dialog.localCseq++;
  const text = requestText(
    method,
    dialog.requestUri,
    agent.headers.via[dialog.target.transport],
    agent.layer.branchOf(place),
    dialog.identity,
    endingOf(agent, method, dialog.localCseq, credentials + lines, body, contentType),
  );
  return agent.layer.request(method, place, text, dialog, user);
}

/** The ACK to a 2xx: end to end, so with its own branch, and with the credentials of the INVITE. */
export const ackTo2xx = (
  agent: CallAgent,
  dialog: Dialog,
  cseq: number,
  credentials: string,
  body = '',
  branch = agent.identifiers.ackBranch(),
): string =>
  requestText(
    'ACK',
    dialog.requestUri,
    agent.headers.via[dialog.target.transport],
    branch,
    dialog.identity,
    endingOf(agent, 'ACK', cseq, credentials + agent.headers.plain, body),
  );

/** Most have no additional lines. */
function endingOf(
  agent: CallAgent,
  method: string,
  cseq: number,
  headers: string,
  body: string,
  contentType = SUPPORTED_BODY,
): string {
  if (body === '' && headers === agent.headers.plain) return standingEnding(method, cseq, headers);
  return ending(method, cseq, headers, body, contentType);
}

/** The failure of a request that never left. */
export const unsent = (result: 'POLICY' | 'UNSENDABLE', address: string, atMs: number): SipFailure => ({
  kind: result === 'POLICY' ? 'POLICY' : 'TRANSPORT',
  status: null,
  reason:
    result === 'POLICY'
      ? `the host's policy forbids ${address}`
      : `${address} cannot be sent to from this socket, or the message is too long for UDP`,
  atMs,
});

/** For a failure; null: the response names none. */
export function retryAfter(response: SipMessage): { retryAfterSeconds: number } | null {
  const retryAfterSeconds = retryAfterSecondsOf(response);
  return retryAfterSeconds > 0 ? { retryAfterSeconds } : null;
}
