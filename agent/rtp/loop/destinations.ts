/** The destination of each row's packets: the address of its session, or the one that its peer sends from. */
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { type MediaMemory, readRemoteAddress, writeRemoteAddress } from '../figures/stream-memory.ts';
import type { RemoteMedia } from '../media-engine.ts';
import type { PacketReceiver } from '../receive/packet-receiver.ts';
import { rtcpSocket, rtpSocket } from './shape-stream.ts';

export class Destinations {
  readonly #memory: MediaMemory;
  readonly #sockets: StreamSockets;
  readonly #receiver: PacketReceiver;
  /** The address in the session, by row. */
  readonly #remotes: (RemoteMedia | null)[] = [];

  constructor(memory: MediaMemory, sockets: StreamSockets, receiver: PacketReceiver) {
    this.#memory = memory;
    this.#sockets = sockets;
    this.#receiver = receiver;
  }

  begin(row: number): void {
    this.#remotes[row] = null;
    this.#receiver.expect(rtpSocket(row));
    this.#receiver.expect(rtcpSocket(row));
  }

  /** Sets the session's address. An unchanged one does not replace the address that the peer sends from (`follow`). */
  aim(row: number, remote: RemoteMedia): void {
    const { address, rtpPort, rtcpPort } = remote;
    const before = this.#remotes[row];
    if (before?.address === address && before.rtpPort === rtpPort && before.rtcpPort === rtcpPort) return;
    this.#remotes[row] = remote;
    this.#aimRtp(row, address, rtpPort);
    this.#receiver.expect(rtcpSocket(row));
    if (rtcpPort !== null) this.#sockets.aim(rtcpSocket(row), address, rtcpPort);
  }

  /** A row that only sent now receives, too: packets from other addresses count again until its peer is heard. */
  unconfirm(row: number): void {
    const c = this.#memory.streams;
    if (!this.#receiver.isConfirmed(rtpSocket(row))) this.#aimRtp(row, readRemoteAddress(c, row), c.remotePort[row]!);
  }

  /** Switches to the source that the row receives from, unless the negotiated peer has been heard in the meantime. */
  follow(row: number, address: string, port: number): void {
    const { streams, received } = this.#memory;
    const fromMs = this.#receiver.strangerFromMs(row);
    if (fromMs === null) return;
    if (received.firstArrivalMs[row] === 0) received.firstArrivalMs[row] = fromMs;
    this.#aimRtp(row, address, port);
    const remote = this.#remotes[row];
    // The peer's reports also come from another port (symmetric-rtp.ts).
    if (remote?.rtcpPort != null && this.#receiver.isConfirmed(rtcpSocket(row))) {
      this.#receiver.expect(rtcpSocket(row));
      this.#sockets.aim(rtcpSocket(row), remote.address, remote.rtcpPort);
    }
    streams.followed[row]! += 1;
  }

  #aimRtp(row: number, address: string, port: number): void {
    const c = this.#memory.streams;
    c.remotePort[row] = port;
    writeRemoteAddress(c, row, address);
    this.#receiver.expect(rtpSocket(row));
    this.#sockets.aim(rtpSocket(row), address, port);
  }
}
