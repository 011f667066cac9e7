/** Whether the policy of a host permits no more than a pool demands. Pure. */
import { BlockList, isIP } from 'node:net';
import type { PoolPolicy } from '../contract/pool.ts';

type HostPolicy = {
  readonly targetNetworks: readonly string[];
  readonly maxCallsPerSecond: number;
  readonly maxEndpoints: number;
  readonly maxDurationSeconds: number;
};

const NUMBERS = ['maxCallsPerSecond', 'maxEndpoints', 'maxDurationSeconds'] as const;

/** The first thing that the host permits beyond the pool, as a sentence for its owner; null: nothing. */
export function tooWide(pool: PoolPolicy, host: HostPolicy): string | null {
  for (const name of NUMBERS) {
    const most = pool[name];
    if (most !== undefined && host[name] > most)
      return `${name} is ${host[name]} in its policy.yaml, and the pool demands ${most} at most`;
  }
  const within = pool.targetNetworks;
  const beyond = within && host.targetNetworks.find((network) => !within.some((one) => contains(one, network)));
  return beyond ? `its policy.yaml permits the network ${beyond}, and the pool demands ${within.join(', ')}` : null;
}

/** Networks as `address/prefix`: the inner one begins in the outer one, and is not wider. */
function contains(outer: string, inner: string): boolean {
  const [[address, bits], [from, innerBits]] = [parts(outer), parts(inner)];
  if (isIP(address) !== isIP(from) || innerBits < bits) return false;
  const list = new BlockList();
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(address, bits, family);
  return list.check(from, family);
}

const parts = (network: string): [string, number] => {
  const [address = '', bits = ''] = network.split('/');
  return [address, Number(bits)];
};
