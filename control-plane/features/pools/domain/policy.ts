/** Whether the policy of a host permits no more than a pool demands. Pure. */
import { isIP } from 'node:net';
import { inNetworks } from '@carillon/proto/base/networks.ts';
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
  return isIP(address) === isIP(from) && innerBits >= bits && inNetworks([outer])(from);
}

const parts = (network: string): [string, number] => {
  const [address = '', bits = ''] = network.split('/');
  return [address, Number(bits)];
};
