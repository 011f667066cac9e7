/** Requests that we send within a dialog (RFC 3261, 12.2.1.1), and the ACK to a 2xx (13.2.2.4). */
import type { Authorization } from '../digest/authorization.ts';
import type { SipFailure } from '../engine.ts';
import { beginning, ending, requestText, standingEnding } from '../message/build.ts';
import { retryAfterSecondsOf } from '../message/explanation.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientUser, SentRequest } from '../transaction/client-user.ts';
import type { CallAgent } from './call-agent.ts';
import type { Dialog } from './dialog.ts';

/** A request within a dialog; `lines` are its header lines. */
export type DialogRequest = {
  readonly method: string;
  readonly authorization: Authorization | null;
  readonly lines: string;
  readonly body?: string;
  readonly contentType?: string;
};

/** Sends a request under the next CSeq; returns the transaction, or why nothing was sent. */
export function sendInDialog(
  agent: CallAgent,
  dialog: Dialog,
  user: ClientUser,
  { method, authorization, lines, body = '', contentType }: DialogRequest,
): SentRequest | 'POLICY' | 'UNSENDABLE' {
  const place = agent.layer.reserve();
  const credentials = authorization === null ? '' : authorization.headers(method, dialog.requestUri, body);
  dialog.localCseq++;
  const headers = credentials + lines;
  const text = requestText(
    beginning(method, dialog.requestUri, agent.headers.via[dialog.target.transport]),
    agent.layer.branchOf(place),
    dialog.identity,
    isStanding(agent, headers, body)
      ? standingEnding(method, dialog.localCseq, headers)
      : ending(method, dialog.localCseq, headers, body, contentType),
  );
  return agent.layer.request(method, place, text, dialog, user);
}

/** The ACK to a 2xx: end to end, so with its own branch, and with the credentials of the INVITE. */
export function ackTo2xx(
  agent: CallAgent,
  dialog: Dialog,
  { cseq, credentials, body = '', branch = agent.identifiers.ackBranch() }: Acknowledgement,
): string {
  const headers = credentials + agent.headers.plain;
  return requestText(
    beginning('ACK', dialog.requestUri, agent.headers.via[dialog.target.transport]),
    branch,
    dialog.identity,
    isStanding(agent, headers, body) ? standingEnding('ACK', cseq, headers) : ending('ACK', cseq, headers, body),
  );
}

/** The INVITE's CSeq and credentials; the body of the ACK and its branch, where they are not '' and a new one. */
type Acknowledgement = {
  readonly cseq: number;
  readonly credentials: string;
  readonly body?: string;
  readonly branch?: string;
};

/** Most have no additional lines. */
const isStanding = (agent: CallAgent, headers: string, body: string): boolean =>
  body === '' && headers === agent.headers.plain;

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
