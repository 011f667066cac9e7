/**
 * Where a request goes (RFC 3261, 8.1.2). Numeric hosts only: this is the place of RFC 3263 once names are resolved.
 */
import { isIP } from 'node:net';
import type { SipTarget } from '../engine.ts';
import { rememberLast } from '../message/remember-last.ts';
import { parameter } from '../message/scan.ts';
import { parseUri, type SipUri } from '../message/uri.ts';

export const DEFAULT_PORT = 5060;

/** The address a URI names, or a sentence saying why there is none. */
export function addressOf(uri: SipUri): SipTarget | string {
  if (uri.scheme === 'tel') return `cannot resolve tel:${uri.user}: give an outbound proxy`;
  if (isIP(uri.host) === 0) return `cannot resolve ${uri.host}: give an outbound proxy or a numeric address`;
  return { transport: 'UDP', address: uri.host, port: uri.port || DEFAULT_PORT };
}

/** Why a request to this URI cannot go over UDP, null if it can. */
export function transportProblem(uri: SipUri): string | null {
  if (uri.scheme === 'sips') return 'a sips URI needs TLS, this engine speaks UDP';
  const transport = parameter(uri.parameters, 0, uri.parameters.length, 'transport');
  if (transport === null || transport.toLowerCase() === 'udp') return null;
  return `transport=${transport} is asked for, this engine speaks UDP`;
}

/** The address that the text of a URI names, or a sentence saying why there is none. */
export const nextHop: (uriText: string) => SipTarget | string = rememberLast((uriText) => {
  const uri = parseUri(uriText);
  return typeof uri === 'string' ? `not a SIP URI: ${uriText}` : addressOf(uri);
});
