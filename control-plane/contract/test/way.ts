/**
 * Where a request outside dialogs goes first (RFC 3261, 8.1.2): to the server of its registrar or, without one, to the address that
 * is called. What the pages, the preflight and the probes say of it comes from here, and so do the orders of agents. Pure.
 */
import { hostPort, isName, type SipHost, sipHost, transportOf } from '../sip-uri.ts';

/** A registrar, as far as requests go there. */
export type ViaServer = {
  readonly name?: string;
  readonly uri: string;
  readonly isCloud: boolean;
  readonly outboundProxyUri: string | null;
  readonly protocol: string;
  /** Host of its addresses of record; null: that of the URI. */
  readonly domain?: string | null;
  readonly gateways?: readonly string[];
};

type Called = {
  readonly mode: string;
  readonly callee:
    | { readonly mode: 'EXTERNAL_URI'; readonly uri: string; readonly uris?: readonly string[] | undefined }
    | { readonly mode: 'GROUP' | 'RECEIVE' | 'NONE' };
};

/** RFC 3261, 19.1.2; of WebSockets, HTTP's (RFC 7118, 4.1). */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { TLS: 5061, WS: 80, WSS: 443 };
const portOf = (protocol: string): number => DEFAULT_PORTS[protocol] ?? 5060;

/** A name has no port: the DNS may say it (RFC 3263, 4.2). */
const placeText = (host: SipHost, protocol: string): string => hostPort(host, isName(host) ? null : portOf(protocol));

/** `host:port` of the next hop, without a port for a name; '': directly to the target. */
function nextHop(r: ViaServer): string {
  if (r.outboundProxyUri === null && r.isCloud) return '';
  return placeText(sipHost(r.outboundProxyUri ?? r.uri) as SipHost, r.protocol);
}

/** Where requests go first, and then; OPTIONS to a gateway asks that one, and no other. */
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
  /** What the address names instead; null: the same place, or the server that the address belongs to. */
  readonly named: string | null;
};

/** null: the text is no address yet. */
export function destinationOf(mode: string, uri: string, r: ViaServer): Destination | null {
  const host = sipHost(uri);
  if (host === undefined) return null;
  const [asked = 'UDP'] = transportOf(uri);
  if (r.isCloud && r.outboundProxyUri === null) return { to: placeText(targetOf(uri, host), asked), named: null };
  const to = wayOf({ mode, callee: { mode: 'EXTERNAL_URI', uri } }, r).nextHop;
  // Without a transport of its own the address is reached as the server is.
  const own = isTransportNamed(uri) ? asked : r.protocol;
  const belongs = [r.uri, r.outboundProxyUri, ...[r.domain, ...(r.gateways ?? [])].map((one) => one && `sip:${one}`)]
    .flatMap((one) => (one && sipHost(one)) || [])
    .some((one) => isSame(host, portOf(own), one, portOf(r.protocol)));
  if (belongs && (own === r.protocol || r.protocol === 'AUTO')) return { to, named: null };
  // Two texts that are equal would tell nobody why they are both there.
  const by = own === r.protocol ? '' : ` by ${own}`;
  const named = `${hostPort(host, portOf(own))}${by}`;
  return { to: by && r.protocol !== 'AUTO' ? `${to} by ${r.protocol}` : to, named };
}

const isTransportNamed = (uri: string): boolean => /^<?sips:|;transport=/i.test(uri.trim());

/** maddr says where the host of an address is; the port is that of the address (RFC 3261, 19.1.1; RFC 3263, 4). */
export function targetOf(uri: string, host: SipHost): SipHost {
  const maddr = /;maddr=([^;?>\s]+)/i.exec(uri)?.[1];
  const named = maddr === undefined ? undefined : sipHost(`sip:${maddr}`);
  return named ? { host: named.host, port: host.port } : host;
}

const isSame = (a: SipHost, aPort: number, b: SipHost, bPort: number): boolean =>
  canonical(a.host) === canonical(b.host) && (a.port ?? aPort) === (b.port ?? bPort);

/** IPv6 may be written in many ways (RFC 5952). */
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

/** Of all addresses that a group calls: each sentence once, those about another place first. */
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
