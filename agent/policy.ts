/**
 * The last word of the host's owner: where calls may go and how many. Reported to the control plane, which cannot widen it,
 * and asked at send time for every address.
 */
import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { parse } from 'yaml';
import * as z from 'zod';

/** Private, loopback and link-local networks: nothing public unless the owner says so. */
const DEFAULT_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

const Cidr = z.string().refine((text) => ipaddr.isValidCIDR(text), 'a network is ADDRESS/PREFIX');

const PolicyFile = z.strictObject({
  targetNetworks: z.array(Cidr).min(1).default(DEFAULT_NETWORKS),
  maxCallsPerSecond: z.number().positive().default(50),
  maxEndpoints: z.int().min(1).default(1000),
  maxDurationSeconds: z.int().min(1).default(3600),
});

export type Policy = {
  readonly targetNetworks: readonly string[];
  readonly maxCallsPerSecond: number;
  readonly maxEndpoints: number;
  readonly maxDurationSeconds: number;
};

/** @throws Error that names the file and what is wrong in it */
export async function readPolicy(file: string | null): Promise<Policy> {
  if (file === null) return PolicyFile.parse({});
  try {
    const parsed = PolicyFile.safeParse(parse(await readFile(file, 'utf8')) ?? {});
    if (parsed.success) return parsed.data;
    throw new Error(parsed.error.issues.map((i) => `${i.path.join('.') || '(file)'}: ${i.message}`).join('; '));
  } catch (error) {
    throw new Error(`The policy ${file} cannot be used: ${(error as Error).message}`);
  }
}

/** May anything be sent to this numeric address? IPv6-mapped IPv4 addresses count as what they map. */
export function reachPredicate(policy: Policy): (address: string) => boolean {
  const networks = policy.targetNetworks.map((text) => ipaddr.parseCIDR(text));
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const target = ipaddr.process(address);
    return networks.some(([network, prefix]) => network.kind() === target.kind() && target.match(network, prefix));
  };
}
