/** The transport named by a URI itself (RFC 3263, 4.1; RFC 3261, 26.2.2; WebSocket: RFC 7118, 5.2 and 5.5). */
import type { SipTransport } from '../engine.ts';
import { parameter } from '../message/scan.ts';
import type { SipUri } from '../message/uri.ts';

export const DEFAULT_PORTS: { readonly [transport in SipTransport]: number } = {
  UDP: 5060,
  TCP: 5060,
  TLS: 5061,
  WS: 80,
  WSS: 443,
};

export const SRV_PREFIX: { readonly [transport in SipTransport]: string } = {
  UDP: '_sip._udp',
  TCP: '_sip._tcp',
  TLS: '_sips._tcp',
  WS: '_sip._ws',
  WSS: '_sips._ws',
};

/** NAPTR services. */
export const SERVICES: Readonly<Record<string, SipTransport | undefined>> = {
  'SIP+D2U': 'UDP',
  'SIP+D2T': 'TCP',
  'SIPS+D2T': 'TLS',
  'SIP+D2W': 'WS',
  'SIPS+D2W': 'WSS',
};

export type Choice = {
  /** A sips URI: only TLS is allowed. */
  readonly secure: boolean;
  /** The transport that the URI demands. */
  readonly explicit: SipTransport | null;
  /** What the domain may choose from. */
  readonly allowed: readonly SipTransport[];
};

const isSecure = (transport: SipTransport): boolean => transport === 'TLS' || transport === 'WSS';

/** The transport of a sip URI, and that of a sips URI; `transport=tls` is deprecated and still common (RFC 3261, 26.2.2). */
const BY_PARAMETER: Readonly<Record<string, readonly [SipTransport, SipTransport | null] | undefined>> = {
  udp: ['UDP', null],
  tcp: ['TCP', 'TLS'],
  tls: ['TLS', 'TLS'],
  ws: ['WS', 'WSS'],
  wss: ['WSS', 'WSS'],
};

/**
 * A sentence if the URI cannot be reached with the transports in `spoken`, nor with those in `byName`, which are spoken only where
 * a URI names them. Of a WebSocket the URI says which one, and the domain where it is.
 */
export function chosenTransport(
  uri: SipUri,
  spoken: readonly SipTransport[],
  byName: readonly SipTransport[] = [],
): Choice | string {
  const secure = uri.scheme === 'sips';
  const named = uriParameter(uri, 'transport');
  if (named === null) {
    const allowed = secure ? spoken.filter(isSecure) : spoken;
    if (allowed.length > 0) return { secure, explicit: null, allowed };
    return `a sips URI needs TLS, this engine supports ${spoken.join(', ')}`;
  }
  const explicit = BY_PARAMETER[named.toLowerCase()]?.[secure ? 1 : 0] ?? null;
  if (explicit === null && secure && named.toLowerCase() === 'udp') return 'a sips URI cannot use UDP';
  if (explicit !== null && spoken.includes(explicit)) return { secure, explicit, allowed: [explicit] };
  if (explicit !== null && byName.includes(explicit)) return { secure, explicit: null, allowed: [explicit] };
  return `transport=${named} is requested, but this engine supports ${[...spoken, ...byName].join(', ')}`;
}

/** TARGET of RFC 3263, 4: maddr, if the URI has one, otherwise its host. */
export function targetHost(uri: SipUri): string {
  const maddr = uriParameter(uri, 'maddr');
  if (maddr === null || maddr === '') return uri.host;
  return maddr.startsWith('[') ? maddr.slice(1, -1) : maddr;
}

const uriParameter = ({ parameters }: SipUri, name: string): string | null =>
  parameter(parameters, 0, parameters.length, name);
