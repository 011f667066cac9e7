/** The locator of an engine that listens on one address, over the DNS that the host's owner chose. */
import { isIP } from 'node:net';
import { type DnsOptions, openDns } from '../../net/names/dns.ts';
import { Locator } from './locator.ts';

export type { DnsOptions };

/** Throws if a name server is not an address. `clock`: milliseconds, the same clock as for `turn`. */
export function openLocator(dns: DnsOptions, address: string, clock: () => number): Locator {
  return new Locator({
    dns: openDns(dns),
    // One socket, one family: what the other has could not be sent to.
    abilities: {
      transports: ['UDP', 'TCP', 'TLS'],
      byName: ['WS', 'WSS'],
      families: [isIP(address) === 6 ? 'IPv6' : 'IPv4'],
    },
    random: Math.random,
    clock,
  });
}
