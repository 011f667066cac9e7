/**
 * Where a request outside dialogs goes first (RFC 3261, 8.1.2): to the server of its registrar or, without one, to the address
 * that is called. The pages, the preflight, the probes and the orders to agents all use this code. Pure.
 */
import { hostPort, isName, type SipHost, sipHost, transportOf } from '../sip-uri.ts';

/** The fields of a registrar that decide where requests go. */
export type ViaServer = {
  readonly name?: string;
  readonly uri: string;
  readonly isCloud: boolean;
  readonly outboundProxyUri: string | null;
  readonly protocol: string;
  /** The host of its addresses of record; null: the host of the URI. */
  readonly domain?: string | null;
  readonly gateways?: readonly string[];
};

type Called = {
  readonly mode: string;
  readonly callee:
    | { readonly mode: 'EXTERNAL_URI'; readonly uri: string; readonly uris?: readonly string[] | undefined }
    | { readonly mode: 'GROUP' | 'RECEIVE' | 'NONE' };
};

/** The default ports of SIP (RFC 3261, 19.1.2), and of WebSockets those of HTTP (RFC 7118, 4.1). */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { TLS: 5061, WS: 80, WSS: 443 };
const portOf = (protocol: string): number => DEFAULT_PORTS[protocol] ?? 5060;

/** A name is shown without a port, because the DNS may define it (RFC 3263, 4.2). */
const placeText = (host: SipHost, protocol: string): string => hostPort(host, isName(host) ? null : portOf(protocol));

/** `host:port` of the next hop, without a port for a name; '': requests are sent directly to the target. */
function nextHop(r: ViaServer): string {
  if (r.outboundProxyUri === null && r.isCloud) return '';
  return placeText(sipHost(r.outboundProxyUri ?? r.uri) as SipHost, r.protocol);
}

/** Where requests go first and after that. OPTIONS to a gateway is sent to that gateway only. */
export function wayOf(
  { mode, callee }: Called,
  r: ViaServer,
): { readonly nextHop: string; readonly gateways: readonly string[] } {
  const gateways = r.gateways ?? [];
  const called = mode === 'OPTIONS' && callee.mode === 'EXTERNAL_URI' ? sipHost(callee.uri) : undefined;
  const asked = called && gateways.find((gateway) => gateway === hostPort(called, null));
  if (asked === undefined) return { nextHop: nextHop(r), gateways };
  return { nextHop: nextHop({ ...r, uri: `sip:${asked}`, outboundProxyUri: null }), gateways: [] };
}

export type Destination = {
  /** `host:port` of the first hop. */
  readonly to: string;
  /**
   * The place that the address names, if it is another one; null: it is the same place, or the server that the address belongs
   * to.
   */
  readonly named: string | null;
};

/** Null: the text is not a complete address yet. */
export function destinationOf(mode: string, uri: string, r: ViaServer): Destination | null {
  const host = sipHost(uri);
  if (host === undefined) return null;
  const [asked = 'UDP'] = transportOf(uri);
  if (r.isCloud && r.outboundProxyUri === null) return { to: placeText(targetOf(uri, host), asked), named: null };
  const to = wayOf({ mode, callee: { mode: 'EXTERNAL_URI', uri } }, r).nextHop;
  // An address without a transport of its own is reached by the server's transport.
  const own = isTransportNamed(uri) ? asked : r.protocol;
  const belongs = [r.uri, r.outboundProxyUri, ...[r.domain, ...(r.gateways ?? [])].map((one) => one && `sip:${one}`)]
    .flatMap((one) => (one && sipHost(one)) || [])
    .some((one) => isSame(host, portOf(own), one, portOf(r.protocol)));
  if (belongs && (own === r.protocol || r.protocol === 'AUTO')) return { to, named: null };
  // If both texts were equal, the reader would not see why both are shown.
  const by = own === r.protocol ? '' : ` by ${own}`;
  const named = `${hostPort(host, portOf(own))}${by}`;
  return { to: by && r.protocol !== 'AUTO' ? `${to} by ${r.protocol}` : to, named };
}

const isTransportNamed = (uri: string): boolean => /^<?sips:|;transport=/i.test(uri.trim());

/** `maddr` states where the host of an address is; the port is that of the address (RFC 3261, 19.1.1; RFC 3263, 4). */
export function targetOf(uri: string, host: SipHost): SipHost {
  const maddr = /;maddr=([^;?>\s]+)/i.exec(uri)?.[1];
  const named = maddr === undefined ? undefined : sipHost(`sip:${maddr}`);
  return named ? { host: named.host, port: host.port } : host;
}

const isSame = (a: SipHost, aPort: number, b: SipHost, bPort: number): boolean =>
  canonical(a.host) === canonical(b.host) && (a.port ?? aPort) === (b.port ?? bPort);

/** IPv6 addresses can be written in many ways (RFC 5952). */
function canonical(host: string): string {
  if (!host.includes(':')) return host.toLowerCase().replace(/\.$/, '');
  return URL.canParse(`http://[${host}]`) ? new URL(`http://[${host}]`).hostname : host.toLowerCase();
}

/** `Goes to 192.0.2.1:5060 (Carrier A).` */
function destinationWords({ to, named }: Destination, r: Pick<ViaServer, 'isCloud' | 'name' | 'uri'>): string {
  const name = r.name ?? r.uri;
  if (named !== null)
    return `Goes to ${to} (${name}), not to ${named} as the address says. Only ${name} knows where it ends.`;
  return r.isCloud ? `Goes straight to ${to}.` : `Goes to ${to} (${name}).`;
}

/** The sentences for all addresses that a group calls, each once. Those about another place come first. */
export function destinationsOf(
  { mode, callee }: Called,
  r: ViaServer,
): { readonly isElsewhere: boolean; readonly text: string }[] {
  if (callee.mode !== 'EXTERNAL_URI') return [];
  const all = [callee.uri, ...(callee.uris ?? [])].flatMap((uri) => destinationOf(mode, uri, r) ?? []);
  const texts = new Map(all.map((one) => [destinationWords(one, r), one.named !== null]));
  return [...texts]
    .map(([text, isElsewhere]) => ({ isElsewhere, text }))
    .sort((a, b) => Number(b.isElsewhere) - Number(a.isElsewhere));
}
