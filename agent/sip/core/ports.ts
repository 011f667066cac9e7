/** What an engine listens on: UDP and TCP at one port, as RFC 3261, 18.2.1 wants it, and TLS where it is asked for. */
import type { DatagramPort, DatagramPortOptions } from '../../net/datagrams/datagram-port.ts';
import { openDatagramPort, provenLibc } from '../../net/datagrams/open-datagram-port.ts';
import { openStreamPort } from '../../net/text/stream-node.ts';
import type { AcceptHandler, StreamPort } from '../../net/text/stream-port.ts';
import type { SipAddress, SipEngineOptions, SipTransport } from '../engine.ts';
import { inOnePiece } from '../message/own-text.ts';
import { hostPortText } from '../message/uri.ts';
import type { Vias } from '../transport/readdress.ts';

/** Connections that peers may hold open with one engine; each may cost 64 KiB while it sends. */
const MOST_INCOMING = 2048;
/** Free UDP ports that are tried until one is free for TCP, too. */
const ATTEMPTS = 20;

/** Takes what the ports bring, and hands it on once the engine stands: they need each other. */
export class Inbox {
  onDatagram: DatagramPortOptions['onDatagram'] = () => undefined;
  onAccepted: AcceptHandler = () => null;
  readonly sendErrors: { readonly text: string; readonly reason: string }[] = [];
  readonly portOptions = {
    onDatagram: (text: string, atMs: number, address: string, port: number): void =>
      this.onDatagram(text, atMs, address, port),
    onSendError: (text: string, _address: string, _port: number, reason: string): void => {
      this.sendErrors.push({ text, reason });
    },
  };
}

export type ListeningPorts = { readonly datagrams: DatagramPort; readonly streams: StreamPort };

/** Rejects if the address cannot be listened on, or is none that peers could answer to. */
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
        ...{ address, port: datagrams.port, mostIncoming: MOST_INCOMING, onAccepted },
        ...(typeof libc === 'string' ? {} : { libc }),
      });
      return { datagrams, streams };
    } catch (error) {
      datagrams.close();
      if (port !== 0 || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The beginnings of Via lines. `tlsPort`: 0 while nothing listens there. */
export function viasOf(local: SipAddress, tlsPort: number): Vias {
  const via = (transport: SipTransport, port = local.port): string =>
    inOnePiece(`Via: SIP/2.0/${transport} ${hostPortText(local.address, port)};rport;branch=`);
  return { UDP: via('UDP'), TCP: via('TCP'), TLS: via('TLS', tlsPort || local.port), WS: via('WS'), WSS: via('WSS') };
}
