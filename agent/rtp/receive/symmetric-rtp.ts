/**
 * Peers that are not at the address of their description: a NAT changes it, or they send from another port than they
 * receive on. A stream without packets from its peer, but with steady media from one unknown source, asks whether it
 * may switch to that source (RFC 4961). A stream whose peer has fallen silent asks the same.
 */
import { emptyRtpPacket, parseRtp } from '@carillon/media/rtp/header.ts';
import { MAX_DROPOUT } from '@carillon/media/rtp/receive.ts';
import { isExpected } from '@carillon/media/rtp/receive-columns.ts';
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { type MediaMemory, readRemoteAddress } from '../figures/stream-memory.ts';

/** Consecutive packets of one unknown source: long enough for an earlier call on this port to end. */
export const FOLLOWED_AFTER = 16;

export type OnSource = (row: number, source: SocketAddress) => void;

export class SymmetricRtp {
  readonly #sockets: StreamSockets;
  readonly #memory: MediaMemory;
  readonly #onSource: OnSource | undefined;
  readonly #packet = emptyRtpPacket();
  readonly #heard: Uint32Array;
  readonly #heardFromMs: Float64Array;

  constructor(sockets: StreamSockets, memory: MediaMemory, onSource: OnSource | undefined) {
    this.#sockets = sockets;
    this.#memory = memory;
    this.#onSource = onSource;
    this.#heard = new Uint32Array(memory.capacity);
    this.#heardFromMs = new Float64Array(memory.capacity);
  }

  /** The stream has a new target: earlier sources belong to the previous peer. */
  forget(row: number): void {
    this.#heard[row] = 0;
  }

  /** Whether the unknown source has been steady. */
  isProved(row: number): boolean {
    return this.#heard[row]! >= FOLLOWED_AFTER;
  }

  /** The arrival of the source's first packet. */
  fromMs(row: number): number {
    return this.#heardFromMs[row]!;
  }

  /** Whether a datagram of an unknown source continues the stream that was heard from the peer. */
  goesOn(row: number, length: number): boolean {
    const { received } = this.#memory;
    if (received.known[row] === 0 || !parseRtp(this.#sockets.incoming, 0, length, this.#packet)) return false;
    const ahead = (this.#packet.sequence - received.extMax[row]!) & 0xffff;
    return this.#packet.ssrc === received.ssrc[row] && ahead > 0 && ahead < MAX_DROPOUT;
  }

  /**
   * Handles a datagram of an unknown source on the RTP socket, the first `length` bytes of `incoming`, while the peer is silent.
   */
  hear(row: number, socket: number, length: number, atMs: number): void {
    if (!parseRtp(this.#sockets.incoming, 0, length, this.#packet)) return;
    if (!isExpected(this.#memory.received, row, this.#packet.payloadType)) return;
    if (!this.#sockets.isSourceAgain(socket) || this.#heard[row] === 0) {
      this.#heard[row] = 0;
      this.#heardFromMs[row] = atMs;
    }
    this.#heard[row]! += 1;
    if (this.#heard[row] === FOLLOWED_AFTER) this.#onSource?.(row, this.#sockets.sourceOf(socket));
  }

  /**
   * Handles a datagram of an unknown source on the RTCP socket: the reports of a followed peer also come from an
   * unannounced port.
   */
  hearReport(row: number, socket: number): void {
    if (this.#memory.streams.followed[row] === 0) return;
    this.#sockets.isSourceAgain(socket);
    const { address, port } = this.#sockets.sourceOf(socket);
    if (address === readRemoteAddress(this.#memory.streams, row)) this.#sockets.aim(socket, address, port);
  }
}
