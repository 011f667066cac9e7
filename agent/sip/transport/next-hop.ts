/**
 * Destination of a request (RFC 3261, 8.1.2): numeric hosts directly, names by a route whose servers are resolved when
 * it is sent.
 */
import { isIP } from 'node:net';
import type { SipTarget, SipTransport } from '../engine.ts';
import { DEFAULT_PORTS, targetHost } from '../locate/transport-choice.ts';
import { rememberLast } from '../message/remember-last.ts';
import { parameter } from '../message/scan.ts';
import { parseUri, type SipUri } from '../message/uri.ts';
import { Route } from './route.ts';

export const defaultPort = (transport: SipTransport): number => DEFAULT_PORTS[transport];

/** The address of a URI, or a sentence with the reason why there is none. */
function addressOf(uri: SipUri): SipTarget | string {
  if (uri.scheme === 'tel') return `cannot resolve tel:${uri.user}: give an outbound proxy`;
  const transport = transportOf(uri);
  if (transport === null) return transportProblem(uri) ?? '';
  const host = targetHost(uri);
  if (isIP(host) === 0) return `cannot resolve ${host}: give an outbound proxy or a numeric address`;
  return { transport, address: host, port: uri.port || defaultPort(transport) };
}

/** Why a request to this URI cannot use a transport of this engine, null if it can. */
export function transportProblem(uri: SipUri): string | null {
  if (transportOf(uri) !== null) return null;
  const named = parameter(uri.parameters, 0, uri.parameters.length, 'transport');
  return `transport=${named} is requested, but this engine supports UDP, TCP, TLS, WS and WSS`;
}

/**
 * Transport of a numeric host (RFC 3263, 4.1; RFC 7118, 5.5): TLS for sips, UDP for sip, or the requested one; null: not
 * supported.
 */
function transportOf(uri: SipUri): SipTransport | null {
  const named = parameter(uri.parameters, 0, uri.parameters.length, 'transport')?.toLowerCase() ?? null;
  const secure = uri.scheme === 'sips';
  if (named === 'tls' || (secure && (named === null || named === 'tcp'))) return 'TLS';
  if (named === 'wss' || named === 'ws') return secure || named === 'wss' ? 'WSS' : 'WS';
  if (named === null || named === 'udp') return secure ? null : 'UDP';
  return named === 'tcp' ? 'TCP' : null;
}

/**
 * The servers of a URI with a host name, for the locator; null: numeric. The user part does not matter. `fallback`:
 * destination if none is found.
 */
export function routeTo(uriText: string, fallback: SipTarget | null = null): Route | null {
  const uri = parseUri(uriText);
  if (typeof uri === 'string' || uri.scheme === 'tel' || isIP(targetHost(uri)) !== 0) return null;
  return Route.to(`${uri.scheme}:${uri.host}${uri.port === 0 ? '' : `:${uri.port}`}${uri.parameters}`, fallback);
}

/** The address of a URI's text, or a sentence with the reason why there is none. */
export const nextHop: (uriText: string) => SipTarget | string = rememberLast((uriText) => {
  const uri = parseUri(uriText);
  return typeof uri === 'string' ? `not a SIP URI: ${uriText}` : addressOf(uri);
});
