/** Messages from templates: whatever stays the same over a call or a user agent was put into lines before. */

import { inOnePiece, ownText } from './own-text.ts';

/** The kind of body that calls are made with. */
export const SUPPORTED_BODY = 'application/sdp';

/**
 * A request. `via` ends with `branch=`; `identity` holds Route, From, To and Call-ID, `headers` everything else, as whole
 * lines; the body is '', SDP, or of the type that is told. Header order: what proxies need first (RFC 3261, 7.3.1).
 */
export function requestText(
  method: string,
  requestUri: string,
  via: string,
  branch: string,
  identity: string,
  cseq: number,
  headers: string,
  body: string,
  contentType = SUPPORTED_BODY,
): string {
  return `${beginning(method, requestUri, via)}${branch}\r\nMax-Forwards: 70\r\n${identity}CSeq: ${cseq} ${method}\r\n${headers}${bodyText(body, contentType)}`;
}

/** The requests of a turn are of three kinds and go to few places: up to the branch each begins as one before it. */
const BEGINNINGS = Array.from({ length: 4 }, () => ({ method: '', requestUri: '', via: '', text: '' }));
let oldest = 0;

function beginning(method: string, requestUri: string, via: string): string {
  for (const one of BEGINNINGS)
    if (one.method === method && one.via === via && one.requestUri === requestUri) return one.text;
  const text = inOnePiece(`${method} ${requestUri} SIP/2.0\r\n${via}`);
  BEGINNINGS[oldest] = { method, requestUri: ownText(requestUri), via, text };
  oldest = (oldest + 1) % BEGINNINGS.length;
  return text;
}

/** A response; `head` holds Via to CSeq, `headers` everything else, as whole lines. */
export function responseText(
  status: number,
  reason: string,
  head: string,
  headers: string,
  body: string,
  contentType?: string,
): string {
  return `SIP/2.0 ${status} ${reason}\r\n${head}${headers}${bodyText(body, contentType)}`;
}

const bodyText = (body: string, contentType = SUPPORTED_BODY): string =>
  body === ''
    ? 'Content-Length: 0\r\n\r\n'
    : `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
