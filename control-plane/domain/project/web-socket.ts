/** What a registrar may say of its WebSocket (RFC 7118): the path is of HTTP, and no part of a SIP URI. */
import type { FileFault } from '../../contract/yaml-file.ts';
import { isWebSocket } from '../run/needs.ts';

type Said = {
  readonly uri: string;
  readonly outboundProxyUri: string | null;
  readonly protocol: string;
  readonly webSocketPath: string | null;
};

const WAS_IN_URI = /;ws-path=/i;

export function webSocketFaults(r: Said, path: readonly PropertyKey[]): FileFault[] {
  const misplaced = (['uri', 'outboundProxyUri'] as const).filter((key) => WAS_IN_URI.test(r[key] ?? ''));
  return [
    ...misplaced.map((key) => ({ path: [...path, key], message: 'must not have ws-path: use webSocketPath' })),
    ...(r.webSocketPath !== null && !isWebSocket(r.protocol)
      ? [{ path: [...path, 'webSocketPath'], message: `goes with the protocols WS and WSS, not with ${r.protocol}` }]
      : []),
  ];
}
