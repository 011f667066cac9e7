/** The addresses of a host other than a SIP server, over the configured DNS. */
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type DnsOptions, openDns } from '../../net/names/dns.ts';

const LOOK_MS = 5;

/** The addresses from A records, or from AAAA if `version` is 6; or the address itself. Rejects with the reason. */
export async function hostAddresses(name: string, version: 4 | 6, options: DnsOptions): Promise<readonly string[]> {
  const numeric = isIP(name);
  if (numeric !== 0) return [name];
  const dns = openDns(options);
  const found: { readonly records: readonly string[]; readonly failure: string | null }[] = [];
  try {
    dns.ask({ type: version === 6 ? 'AAAA' : 'A', name });
    while (found.length === 0) {
      dns.poll((_query, { records, failure }) => found.push({ records: records as readonly string[], failure }));
      if (found.length === 0) await pause(LOOK_MS);
    }
  } finally {
    dns.close();
  }
  const [{ records, failure }] = found as [(typeof found)[0]];
  if (records.length === 0) throw new Error(`${name} has no IPv${version} address${failure ? `: ${failure}` : ''}`);
  return records;
}
