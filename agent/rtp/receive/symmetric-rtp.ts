/**
 * Peers that are not where their description says: behind a NAT, or sending from another port than they receive on. A stream that
 * hears nothing from its peer, but steady media from one unknown source, asks whether it may turn to that (RFC 4961).
 */
import { emptyRtpPacket, parseRtp } from '@carillon/media/rtp/header.ts';
import { isExpected } from '@carillon/media/rtp/receive-columns.ts';
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { type MediaMemory, readRemoteAddress } from '../figures/stream-memory.ts';

/** Packets in a row of one stranger: long enough for a call that was on this port before to fall silent. */
export const FOLLOWED_AFTER = 16;

export type OnSource = (row: number, source: SocketAddress) => void;

export class SymmetricRtp {
  private readonly sockets: StreamSockets;
  private readonly memory: MediaMemory;
  private readonly onSource: OnSource | undefined;
  private readonly packet = emptyRtpPacket();
  private readonly heard: Uint32Array;
  private readonly heardFromMs: Float64Array;

  constructor(sockets: StreamSockets, memory: MediaMemory, onSource: OnSource | undefined) {
    this.sockets = sockets;
    this.memory = memory;
    this.onSource = onSource;
    this.heard = new Uint32Array(memory.capacity);
    this.heardFromMs = new Float64Array(memory.capacity);
  }

  /** The stream is aimed again: sources heard before belong to the previous peer. */
  forget(row: number): void {
    this.heard[row] = 0;
  }

  /** Whether a stranger has proved steady since. */
  isProved(row: number): boolean {
    return this.heard[row]! >= FOLLOWED_AFTER;
  }

  /** Arrival of the source's first packet. */
  fromMs(row: number): number {
    return this.heardFromMs[row]!;
  }

  /** A stranger's datagram on the RTP socket, the first `length` bytes of `incoming`, while the peer is silent. */
  hear(row: number, socket: number, length: number, atMs: number): void {
    if (!parseRtp(this.sockets.incoming, 0, length, this.packet)) return;
    if (!isExpected(this.memory.received, row, this.packet.payloadType)) return;
    if (!this.sockets.isSourceAgain(socket) || this.heard[row] === 0) {
      this.heard[row] = 0;
      this.heardFromMs[row] = atMs;
    }
    this.heard[row]! += 1;
    if (this.heard[row] === FOLLOWED_AFTER) this.onSource?.(row, this.sockets.sourceOf(socket));
  }

  /** A stranger's datagram on the RTCP socket: of a peer that was followed, reports come from a port that nobody told either. */
  hearReport(row: number, socket: number): void {
    if (this.memory.streams.followed[row] === 0) return;
    this.sockets.isSourceAgain(socket);
    const { address, port } = this.sockets.sourceOf(socket);
    if (address === readRemoteAddress(this.memory.streams, row)) this.sockets.aim(socket, address, port);
  }
}
