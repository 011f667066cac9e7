/** Decides which addresses are public: IANA's special-purpose registries (RFC 6890 and its successors) are refused. */
import { isIPv4 } from 'node:net';
import { inNetworks } from '@carillon/proto/base/networks.ts';

const REFUSED_V4 = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '168.63.129.16/32', // Azure's platform, reachable from its hosts only
  '169.254.0.0/16', // link-local, and the clouds' metadata (RFC 3927)
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // protocol assignments (RFC 6890)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/3', // multicast, reserved, broadcast (RFC 5771, 1112)
] as const;

/** The refused networks of the global unicast addresses, 2000::/3; all other addresses are refused. */
const REFUSED_V6 = [
  '2001::/23', // protocol assignments, Teredo (RFC 2928, 4380)
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4: it can embed any IPv4 address (RFC 3056)
  '3fff::/20', // documentation (RFC 9637)
] as const;

const isRefusedV4 = inNetworks(REFUSED_V4);
const isRefusedV6 = inNetworks(REFUSED_V6);
const isGlobal = inNetworks(['2000::/3']);
const isMapped = inNetworks(['::ffff:0:0/96']);

/** `address`: IPv4 or IPv6, without brackets; an IPv4-mapped one counts as IPv4. What is no address is not public. */
export function isPublic(address: string): boolean {
  const [bare] = address.split('%') as [string];
  if (isIPv4(bare) || isMapped(bare)) return !isRefusedV4(bare);
  return isGlobal(bare) && !isRefusedV6(bare);
}
