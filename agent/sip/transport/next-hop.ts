/**
 * Where a request goes (RFC 3261, 8.1.2). Numeric hosts only: this is the place of RFC 3263 once names are resolved.
 */
import { isIP } from 'node:net';
import type { SipTarget, SipTransport } from '../engine.ts';
import { rememberLast } from '../message/remember-last.ts';
import { parameter } from '../message/scan.ts';
import { parseUri, type SipUri } from '../message/uri.ts';

/** RFC 3261, 19.1.2; RFC 7118, 4.2. */
const DEFAULT_PORTS: Readonly<Record<SipTransport, number>> = { UDP: 5060, TCP: 5060, TLS: 5061, WS: 80, WSS: 443 };

export const defaultPort = (transport: SipTransport): number => DEFAULT_PORTS[transport];

/** The address a URI names, or a sentence saying why there is none. */
export function addressOf(uri: SipUri): SipTarget | string {
  if (uri.scheme === 'tel') return `cannot resolve tel:${uri.user}: give an outbound proxy`;
  const transport = transportOf(uri);
  if (transport === null) return transportProblem(uri) ?? '';
  if (isIP(uri.host) === 0) return `cannot resolve ${uri.host}: give an outbound proxy or a numeric address`;
  return { transport, address: uri.host, port: uri.port || defaultPort(transport) };
}

/** Why a request to this URI cannot go by a transport of this engine, null if it can. */
export function transportProblem(uri: SipUri): string | null {
  if (transportOf(uri) !== null) return null;
  const asked = parameter(uri.parameters, 0, uri.parameters.length, 'transport');
  return `transport=${asked} is asked for, this engine speaks UDP, TCP and TLS`;
}

/** What a numeric host is reached by (RFC 3263, 4.1): TLS for sips, UDP for sip, or what is asked for; null: none of ours. */
function transportOf(uri: SipUri): 'UDP' | 'TCP' | 'TLS' | null {
  const asked = parameter(uri.parameters, 0, uri.parameters.length, 'transport')?.toLowerCase() ?? null;
  const secure = uri.scheme === 'sips';
  if (asked === 'tls' || (secure && (asked === null || asked === 'tcp'))) return 'TLS';
  if (asked === null || asked === 'udp') return secure ? null : 'UDP';
  return asked === 'tcp' ? 'TCP' : null;
}

/** The address that the text of a URI names, or a sentence saying why there is none. */
export const nextHop: (uriText: string) => SipTarget | string = rememberLast((uriText) => {
  const uri = parseUri(uriText);
  return typeof uri === 'string' ? `not a SIP URI: ${uriText}` : addressOf(uri);
});
