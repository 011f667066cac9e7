/**
 * Builds messages from templates: parts that do not change during a call or for a user agent were prepared as lines.
 */

import { inOnePiece, ownText } from './own-text.ts';
import { LastFew } from './remember-last.ts';

/** The usual body type of calls. */
export const SUPPORTED_BODY = 'application/sdp';
/** The value of Accept: a description may also be a part of a body (RFC 5621, 4). */
export const ACCEPTED_BODIES = `${SUPPORTED_BODY}, multipart/mixed`;

/**
 * A request. `beginning` is the result of `beginning`; `identity` has Route, From, To and Call-ID as complete lines,
 * `ending` the result of `ending` or `standingEnding`. Header order: what proxies need first (RFC 3261, 7.3.1).
 */
export const requestText = (beginning: string, branch: string, identity: string, ending: string): string =>
  `${beginning}${branch}\r\nMax-Forwards: 70\r\n${identity}${ending}`;

/** A request from its CSeq on. `headers` are complete lines; the body is '', SDP, or of the given type. */
export const ending = (
  method: string,
  cseq: number,
  headers: string,
  body = '',
  contentType = SUPPORTED_BODY,
): string => `CSeq: ${cseq} ${method}\r\n${headers}${bodyText(body, contentType)}`;

/** The requests of a turn are of three kinds with few targets: up to the branch each starts like an earlier one. */
const BEGINNINGS = new LastFew({ method: '', requestUri: '', via: '', text: '' });

/** The start of a request; `via` ends with `branch=`. */
export function beginning(method: string, requestUri: string, via: string): string {
  for (const one of BEGINNINGS.values)
    if (one.method === method && one.via === via && one.requestUri === requestUri) return one.text;
  const text = inOnePiece(`${method} ${requestUri} SIP/2.0\r\n${via}`);
  return BEGINNINGS.add({ method, requestUri: ownText(requestUri), via, text }).text;
}

const ENDINGS = new LastFew({ method: '', cseq: 0, headers: '', text: '' });

/** `ending` of requests without a body whose other headers hardly differ, such as ACK and BYE: four are cached. */
export function standingEnding(method: string, cseq: number, headers: string): string {
  for (const one of ENDINGS.values)
    if (one.cseq === cseq && one.method === method && one.headers === headers) return one.text;
  const text = inOnePiece(ending(method, cseq, headers));
  return ENDINGS.add({ method, cseq, headers, text }).text;
}

/** A response; `head` holds Via to CSeq, `headers` everything else up to the body, as whole lines. */
export const responseText = (status: number, reason: string, head: string, headers: string, body: string): string =>
  `SIP/2.0 ${status} ${reason}\r\n${head}${headers}${body}`;

/** The headers of a body, and the body: '', SDP, or of the given type. */
export const bodyText = (body: string, contentType = SUPPORTED_BODY): string =>
  body === ''
    ? 'Content-Length: 0\r\n\r\n'
    : `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
