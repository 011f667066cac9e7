/** Gateways in addition to the address of a registrar's URI. Pure. */

import { isName, sipHost } from '../../contract/sip-uri.ts';
import type { FileFault } from '../../contract/yaml-file.ts';

type Trunk = { readonly uri: string; readonly outboundProxyUri: string | null; readonly gateways: readonly string[] };

/** The servers of a host name are in the DNS, and a proxy chooses its own. */
export function gatewayFaults({ uri, outboundProxyUri, gateways }: Trunk, path: readonly PropertyKey[]): FileFault[] {
  if (gateways.length === 0) return [];
  if (outboundProxyUri !== null) return [{ path, message: 'go without an outbound proxy: requests go there' }];
  const host = sipHost(uri);
  if (host && isName(host))
    return [
      {
        path,
        message: `can only be set for a numeric address: the servers of ${host.host} are those in its SRV records`,
      },
    ];
  return gateways.flatMap((one, i) =>
    sipHost(`sip:${one}`) ? [] : [{ path: [...path, i], message: 'has an invalid port' }],
  );
}
