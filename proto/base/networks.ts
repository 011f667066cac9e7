/** Lists of networks, as policies, settings and tables of addresses write them. */
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Whether an address is in one of the networks. An IPv4 address that is mapped into IPv6 counts as IPv4 (RFC 4291, 2.5.5.2); what
 * is no address is in none.
 * @param networks `10.0.0.0/8`, or one address; what has no numeric address is left out
 */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (isIP(address) === 0) continue;
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}
