/** An engine's listeners: UDP and TCP on one port, as RFC 3261, 18.2.1 requires, and TLS if requested. */
import type { DatagramPort, DatagramPortOptions } from '../../net/datagrams/datagram-port.ts';
import { openDatagramPort, provenLibc } from '../../net/datagrams/open-datagram-port.ts';
import { openStreamPort } from '../../net/text/stream-node.ts';
import type { AcceptHandler, StreamPort } from '../../net/text/stream-port.ts';
import type { SipAddress, SipEngineOptions, SipTransport } from '../engine.ts';
import { inOnePiece } from '../message/own-text.ts';
import { hostPortText } from '../message/uri.ts';
import type { Vias } from '../transport/readdress.ts';

/** Connections that peers may open to one engine; each may cost 64 KiB while it sends. */
const MAX_INCOMING = 2048;
/** Free UDP ports that are tried until one is free for TCP, too. */
const ATTEMPTS = 20;

/** Receives events of the ports, and passes them on once the engine exists: they depend on each other. */
export class Inbox {
  onDatagram: DatagramPortOptions['onDatagram'] = () => undefined;
  onAccepted: AcceptHandler = () => null;
  readonly sendErrors: { readonly text: string; readonly reason: string; readonly waitedMs: number }[] = [];
  readonly portOptions = {
    onDatagram: (text: string, atMs: number, address: string, port: number): void =>
      this.onDatagram(text, atMs, address, port),
    onSendError: (text: string, _address: string, _port: number, reason: string): void => {
      this.sendErrors.push({ text, reason, waitedMs: 0 });
    },
  };
}

export type ListeningPorts = { readonly datagrams: DatagramPort; readonly streams: StreamPort };

/** Rejects if the address cannot be used for listening, or peers could not reply to it. */
export async function openPorts(options: SipEngineOptions, inbox: Inbox): Promise<ListeningPorts> {
  const { address, port, adapter } = options;
  if (address === '0.0.0.0' || address === '::') {
    throw new Error(`${address} cannot be used in Via and Contact: listen on one of the host's own addresses`);
  }
  for (let attempt = 1; ; attempt++) {
    const datagrams = await openDatagramPort({ ...inbox.portOptions, address, port }, adapter);
    try {
      const onAccepted: AcceptHandler = (stream, atMs) => inbox.onAccepted(stream, atMs);
      const libc = datagrams.adapter === 'ffi' ? provenLibc() : '';
      const streams = await openStreamPort({
        address,
        port: datagrams.port,
        maxIncoming: MAX_INCOMING,
        onAccepted,
        ...(typeof libc === 'string' ? {} : { libc }),
      });
      return { datagrams, streams };
    } catch (error) {
      datagrams.close();
      if (port !== 0 || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * The starts of Via lines, where `address` is the host as peers know it. `tlsPort`: 0 while there is no listener. A WebSocket client's host cannot be
 * reached, and has no port.
 */
export function viasOf({ address, port: usual }: SipAddress, tlsPort: number, webSocketHost: string): Vias {
  const via = (transport: SipTransport, port = usual): string =>
    inOnePiece(`Via: SIP/2.0/${transport} ${hostPortText(address, port)};rport;branch=`);
  const [ws, wss] = (['WS', 'WSS'] as const).map((transport) =>
    inOnePiece(`Via: SIP/2.0/${transport} ${webSocketHost};branch=`),
  ) as [string, string];
  return { UDP: via('UDP'), TCP: via('TCP'), TLS: via('TLS', tlsPort || usual), WS: ws, WSS: wss };
}
