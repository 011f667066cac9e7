/** The rules of a registrar's WebSocket (RFC 7118): the path belongs to HTTP, not to a SIP URI. */
import type { FileFault } from '../../contract/yaml-file.ts';
import { isWebSocket } from '../run/preflight/needs.ts';

type RegistrarTransport = {
  readonly uri: string;
  readonly outboundProxyUri: string | null;
  readonly protocol: string;
  readonly webSocketPath: string | null;
};

const WAS_IN_URI = /;ws-path=/i;

export function webSocketFaults(r: RegistrarTransport, path: readonly PropertyKey[]): FileFault[] {
  const misplaced = (['uri', 'outboundProxyUri'] as const).filter((key) => WAS_IN_URI.test(r[key] ?? ''));
  return [
    ...misplaced.map((key) => ({ path: [...path, key], message: 'must not have ws-path: use webSocketPath' })),
    ...(r.webSocketPath !== null && !isWebSocket(r.protocol)
      ? [{ path: [...path, 'webSocketPath'], message: `is for the protocols WS and WSS, not ${r.protocol}` }]
      : []),
  ];
}
