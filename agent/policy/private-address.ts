/** Addresses that are reachable only in their own network: RFC 1918, RFC 6598, RFC 4193, link-local. Pure. */
import { inNetworks } from '@carillon/proto/base/networks.ts';

/** False: it is not private, or not an address. */
export const isPrivateAddress = inNetworks([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1',
]);
