/** Requests derived from others: the ACK to a 3xx to 6xx response, and CANCEL (RFC 3261, 17.1.1.3 and 9.1). */
import { parseMessage } from './parse.ts';
import type { SipMessage } from './sip-message.ts';

/** Same Request-URI, topmost Via, Call-ID, From, CSeq number and Route as the INVITE; To is the response's. */
export const ackText = (invite: string, response: SipMessage): string => derived(invite, 'ACK', response.to);

/** CANCEL, which has the lines of the ACK, but the To of the INVITE. */
export const cancelText = (invite: string): string => derived(invite, 'CANCEL', null);

function derived(invite: string, method: string, to: string | null): string {
  const request = parseMessage(invite);
  if (request === null) throw new Error(`a request of ours cannot be read: ${invite.slice(0, 80)}`);
  const routes = request.headerLines('route').map((route) => `Route: ${route}\r\n`);
  return [
    `${method} ${request.requestUri} SIP/2.0\r\n`,
    `Via: ${request.header('via')}\r\n`,
    'Max-Forwards: 70\r\n',
    ...routes,
    `From: ${request.from}\r\n`,
    `To: ${to ?? request.to}\r\n`,
    `Call-ID: ${request.callId}\r\n`,
    `CSeq: ${request.cseq} ${method}\r\n`,
    'Content-Length: 0\r\n\r\n',
  ].join('');
}
