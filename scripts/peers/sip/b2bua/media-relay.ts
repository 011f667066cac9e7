/** RTP between the two legs of a call: received on one port, sent from another, with a new SSRC if requested. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export type RelayTerms = {
  /** The relay acts as a separate source; changed streams can no longer be recognized by their SSRC. */
  readonly ownSsrc?: boolean;
  /** Payload types towards the callee, and their opposites back: the simulated transcoding. */
  readonly transcodes?: { readonly caller: number; readonly callee: number };
  /** Payload type of packets that it does not forward. */
  readonly drops?: number;
};

export type UdpAddress = { readonly address: string; readonly port: number };

export class MediaRelay {
  /** The ports that callers and callees are told to use. */
  readonly callerPort: number;
  readonly calleePort: number;
  caller: UdpAddress | null = null;
  callee: UdpAddress | null = null;
  readonly #sockets: readonly [Socket, Socket];
  #isOpen = true;

  constructor(nearCaller: Socket, nearCallee: Socket, terms: RelayTerms) {
    this.#sockets = [nearCaller, nearCallee];
    this.callerPort = nearCaller.address().port;
    this.calleePort = nearCallee.address().port;
    const { transcodes } = terms;
    const types = transcodes && ([transcodes.caller, transcodes.callee] as const);
    nearCaller.on('message', (bytes) => this.#pass(bytes, nearCallee, this.callee, terms, types));
    nearCallee.on('message', (bytes) =>
      this.#pass(bytes, nearCaller, this.caller, terms, types && [types[1], types[0]]),
    );
    // A closed port of the far end causes ICMP errors.
    for (const socket of this.#sockets) socket.on('error', () => undefined);
  }

  #pass(
    bytes: Buffer,
    by: Socket,
    to: UdpAddress | null,
    { ownSsrc, drops }: RelayTerms,
    types: readonly [number, number] | undefined,
  ): void {
    if (!this.#isOpen || to === null || bytes.length < 12) return;
    const type = bytes.readUInt8(1) & 0x7f;
    if (type === drops) return;
    if (types && type === types[0]) bytes.writeUInt8((bytes.readUInt8(1) & 0x80) | types[1], 1);
    if (ownSsrc) bytes.writeUInt32BE((bytes.readUInt32BE(8) ^ 0x5a5a_5a5a) >>> 0, 8);
    by.send(bytes, to.port, to.address);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.close();
  }
}

async function evenPort(address: string): Promise<Socket> {
  for (;;) {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, sendBufferSize: 1 << 20 });
    socket.bind(0, address);
    await once(socket, 'listening');
    if (socket.address().port % 2 === 0) return socket;
    socket.close();
  }
}

export const openRelay = async (address: string, terms: RelayTerms): Promise<MediaRelay> =>
  new MediaRelay(await evenPort(address), await evenPort(address), terms);
