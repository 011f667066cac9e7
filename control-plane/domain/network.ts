/** Addresses: the subscriber of an address, and the client named by a proxy. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { inNetworks } from '@carillon/proto/base/networks.ts';

/** The first `count` groups of an IPv6 address, in full. */
function groupsOf(address: string, count: number): string {
  const [front = '', back] = address.split('::');
  const first = front === '' ? [] : front.split(':');
  const last = back ? back.split(':') : [];
  const missing = 8 - first.length - last.length - (address.includes('.') ? 1 : 0);
  const groups = back === undefined ? first : [...first, ...Array<string>(missing).fill('0'), ...last];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** The IPv4 address, also if it is mapped into IPv6 (RFC 4291, 2.5.5.2); null: the address is IPv6. */
function ipv4Of(address: string): string | null {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped ?? (address.includes(':') ? null : address);
}

/**
 * An IPv6 address stands for its /64 (RFC 6177, RFC 8981), an IPv4 address for itself.
 * @param address IPv4 or IPv6, without brackets
 */
export const networkOf = (address: string): string => ipv4Of(address) ?? `${groupsOf(address, 4)}::/64`;

/** The network of one subscriber, the same for all its addresses: the /24 for IPv4, the /48 for IPv6. */
export function siteOf(address: string): string {
  const ipv4 = ipv4Of(address);
  return ipv4 === null ? `${groupsOf(address, 3)}::/48` : `${ipv4.split('.').slice(0, 3).join('.')}.0/24`;
}

/** True if a proxy at this address is trusted to name its client. */
export type TrustedProxies = (address: string) => boolean;

const EXPECTED_FORMAT =
  'list addresses, networks such as 10.0.0.0/8, or loopback, separated by commas; none: trust no proxy';

/** The item is `10.0.0.0/8`, or an address. @throws Error if it is neither */
function checkNetwork(item: string): void {
  const [address = '', prefix, ...more] = item.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (isIP(address) === 0 || more.length > 0 || bits < 0 || bits > most)
    throw new Error(`${JSON.stringify(item)} is not an address or a network: ${EXPECTED_FORMAT}`);
  // A network of all addresses would trust every client.
  if (bits === 0) throw new Error(`${item} would trust every client: ${EXPECTED_FORMAT}`);
}

/**
 * @param list in the format of CARILLON_TRUSTED_PROXIES
 * @throws Error that names the fault
 */
export function trustedProxies(list: string): TrustedProxies {
  const items = list.split(',').map((text) => text.trim());
  const networks = items
    .filter((item) => item !== '' && item !== 'none')
    .flatMap((item) => (item === 'loopback' ? ['127.0.0.0/8', '::1'] : [item]));
  for (const network of networks) checkNetwork(network);
  return inNetworks(networks);
}

/**
 * Each proxy appends its client's address to X-Forwarded-For: read from the end, up to the first that is not trusted.
 * @param peer the other end of the connection; undefined: closed
 */
export function clientOf(isTrusted: TrustedProxies, headers: IncomingHttpHeaders, peer = ''): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  let client = peer;
  while (isTrusted(client)) {
    const next = forwarded.pop()?.trim() ?? '';
    if (isIP(next) === 0) break;
    client = next;
  }
  return client;
}
