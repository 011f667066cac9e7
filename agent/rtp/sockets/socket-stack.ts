/** The layers between a media loop and the host's sockets: bundles, encryption, simulated network. */
import type { StreamSockets, StreamSocketsOptions } from '../../net/streams/stream-sockets.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import { BundledSockets } from './bundled-sockets.ts';
import type { Bundles } from './bundles.ts';
import { ImpairedSockets } from './impaired-sockets.ts';
import { type SrtpOptions, SrtpSockets } from './srtp-sockets.ts';

export type SocketStack = {
  readonly sockets: StreamSockets;
  readonly srtp: SrtpSockets;
  readonly impaired: ImpairedSockets;
};

export function openSocketStack(
  memory: MediaMemory,
  bundles: Bundles,
  security: SrtpOptions,
  options: StreamSocketsOptions,
  openSockets: (options: StreamSocketsOptions) => StreamSockets,
): SocketStack {
  const opened: { srtp?: SrtpSockets; impaired?: ImpairedSockets } = {};
  const sockets = new BundledSockets(memory, bundles, options, (secured) => {
    opened.srtp = new SrtpSockets(memory, security, secured, (inner) => {
      opened.impaired = new ImpairedSockets(memory, bundles, inner, openSockets);
      return opened.impaired;
    });
    return opened.srtp;
  });
  return { sockets, srtp: opened.srtp!, impaired: opened.impaired! };
}
