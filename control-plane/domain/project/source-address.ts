/** The address that a registrar's endpoints send from. Pure. */
import { isIP } from 'node:net';
import { sipHost } from '../../contract/sip-uri.ts';
import type { FileFault } from '../../contract/yaml-file.ts';

type RegistrarAddresses = {
  readonly uri: string;
  readonly outboundProxyUri: string | null;
  readonly gateways: readonly string[];
  readonly sourceAddress: string | null;
};

/** Addresses of different families cannot be combined. */
export function sourceFaults(
  { uri, outboundProxyUri, gateways, sourceAddress }: RegistrarAddresses,
  path: readonly PropertyKey[],
): FileFault[] {
  if (sourceAddress === null) return [];
  const hosts = [outboundProxyUri ?? uri, ...gateways.map((one) => `sip:${one}`)].flatMap(
    (one) => sipHost(one)?.host ?? [],
  );
  const other = hosts.find((host) => isIP(host) !== 0 && isIP(host) !== isIP(sourceAddress));
  if (other === undefined) return [];
  const [from, to] = isIP(sourceAddress) === 4 ? ['IPv4', 'IPv6'] : ['IPv6', 'IPv4'];
  return [{ path, message: `is ${from}, and ${other} is ${to}: nothing can be sent from one to the other` }];
}
