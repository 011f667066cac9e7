/**
 * Assigns received datagrams to streams and counters. A source counts as the peer from its first valid packet on; until
 * then any source may be the peer.
 */
import { emptyRtpPacket, isRtcp, parseRtp } from '@carillon/media/rtp/header.ts';
import type { StreamSocketEvents, StreamSockets } from '../../net/streams/stream-sockets.ts';
import { tapPacket } from '../figures/audio-tap.ts';
import { traceHeader } from '../figures/header-trace.ts';
import { ACTIVE, DIRECTIONS, type MediaMemory, OPEN, readRemoteAddress } from '../figures/stream-memory.ts';
import type { IceSessions } from '../ice/ice-sessions.ts';
import type { RtcpSessions } from '../rtcp/rtcp-session.ts';
import type { DigitSender } from '../send/digit-sender.ts';
import type { VideoStreams } from '../video/video-streams.ts';
import { isAudioOfSource, observeReception } from './reception.ts';
import { type OnSource, SymmetricRtp } from './symmetric-rtp.ts';

/**
 * Packets that arrived longer than this before the start are early media. Later ones belong to the answered call: the
 * far end may send as soon as it has sent its 200, before we have read it.
 */
const START_GRACE_MS = 250;

/**
 * A peer that is silent for this long may have moved: other sources are accepted again. LOOK_MS is about the interval
 * of packets.
 */
const QUIET_MS = 100;
const LOOK_MS = 20;
/**
 * After this much audio was lost within LOST_WITHIN_MS, other sources are accepted for OPEN_MS, to see whether it comes
 * from there.
 */
const LOST_MS = 100;
const LOST_WITHIN_MS = 1000;
const OPEN_MS = 1000;

/** 1 if received packets are counted, by the direction's number in the columns. */
const COUNTS = Uint8Array.from(DIRECTIONS, (direction) => (direction === 'BOTH' || direction === 'RECEIVE' ? 1 : 0));

export class PacketReceiver implements StreamSocketEvents {
  readonly sockets: StreamSockets;
  readonly #memory: MediaMemory;
  readonly #digits: DigitSender;
  readonly #symmetric: SymmetricRtp;
  readonly #packet = emptyRtpPacket();
  /** 1 if the peer is confirmed, by socket: two per row. */
  readonly #confirmed: Uint8Array;
  #lookedMs = 0;
  /** The last packet from the peer's confirmed address, by row. */
  readonly #peerAtMs: Float64Array;
  /** The audio lost until the beginning of the present second by row, ms. */
  readonly #lostBeforeMs: Float64Array;
  #lostLookedMs = 0;
  /** The instant since which the socket of an active peer accepts other sources, by row; 0: it does not. */
  readonly #openSinceMs: Float64Array;
  readonly #elsewhereBefore: Uint32Array;
  #rtcp!: RtcpSessions;
  #video!: VideoStreams;
  #ice!: IceSessions;
  #onOwnSsrc!: (row: number, timestamp: number, atMs: number) => void;

  /** `openSockets` opens the sockets whose datagrams the receiver handles. */
  constructor(
    memory: MediaMemory,
    digits: DigitSender,
    onSource: OnSource | undefined,
    openSockets: (events: StreamSocketEvents) => StreamSockets,
  ) {
    this.#memory = memory;
    this.#digits = digits;
    this.#confirmed = new Uint8Array(memory.capacity * 2);
    this.#peerAtMs = new Float64Array(memory.capacity);
    this.#lostBeforeMs = new Float64Array(memory.capacity);
    this.#openSinceMs = new Float64Array(memory.capacity);
    this.#elsewhereBefore = new Uint32Array(memory.capacity);
    this.sockets = openSockets(this);
    this.#symmetric = new SymmetricRtp(this.sockets, memory, onSource);
  }

  /** The handlers of reports, frames, STUN and packets with our own SSRC; must be set before the first datagram. */
  passTo(
    rtcp: RtcpSessions,
    video: VideoStreams,
    ice: IceSessions,
    onOwnSsrc: (row: number, timestamp: number, atMs: number) => void,
  ): void {
    this.#rtcp = rtcp;
    this.#video = video;
    this.#ice = ice;
    this.#onOwnSsrc = onOwnSsrc;
  }

  counts(row: number): boolean {
    return COUNTS[this.#memory.streams.direction[row]!] === 1;
  }

  /** Whether the peer has been heard on the socket since it got its target. */
  isConfirmed(socket: number): boolean {
    return this.#confirmed[socket] === 1;
  }

  /** The socket has a new target. */
  expect(socket: number): void {
    this.#confirmed[socket] = 0;
    if ((socket & 1) !== 0) return;
    this.#symmetric.forget(socket >>> 1);
    this.#openSinceMs[socket >>> 1] = 0;
    this.#lostBeforeMs[socket >>> 1] = this.#memory.received.lostMs[socket >>> 1]!;
  }

  /** When the candidate source was first heard; null: the peer is confirmed, or no source is stable. */
  strangerFromMs(row: number): number | null {
    return this.isConfirmed(row * 2) || !this.#symmetric.isProved(row) ? null : this.#symmetric.fromMs(row);
  }

  /**
   * Opens the sockets of peers that are silent, or whose audio is partly missing: on a connected socket the kernel
   * refuses other sources, and a NAT may give the same stream another port at any time (RFC 3550, 8.2 leaves it to the
   * receiver).
   */
  reopen(nowMs: number): void {
    if (nowMs - this.#lookedMs < LOOK_MS) return;
    this.#lookedMs = nowMs;
    const isNewSecond = nowMs - this.#lostLookedMs >= LOST_WITHIN_MS;
    if (isNewSecond) this.#lostLookedMs = nowMs;
    const { streams, received } = this.#memory;
    for (let row = 0; row < this.#memory.capacity; row++) {
      if (this.#confirmed[row * 2] === 0 || streams.state[row] !== ACTIVE || received.awaitedFromMs[row] === 0)
        continue;
      if (received.lastArrivalMs[row] === 0) continue;
      if (nowMs - this.#peerAtMs[row]! >= QUIET_MS) {
        this.expect(row * 2);
        this.#unconnect(row);
      } else this.#lookForMissing(row, nowMs);
      if (isNewSecond) this.#lostBeforeMs[row] = received.lostMs[row]!;
    }
  }

  /** The peer's missing numbers may be arriving from another port: accepting all sources for a while shows whether they are. */
  #lookForMissing(row: number, nowMs: number): void {
    const { streams, received } = this.#memory;
    const sinceMs = this.#openSinceMs[row]!;
    if (sinceMs === 0) {
      if (received.lostMs[row]! - this.#lostBeforeMs[row]! < LOST_MS) return;
      this.#openSinceMs[row] = nowMs;
      this.#elsewhereBefore[row] = streams.elsewhere[row]!;
      this.#unconnect(row);
    } else if (nowMs - sinceMs >= OPEN_MS && streams.elsewhere[row] === this.#elsewhereBefore[row]) {
      this.#openSinceMs[row] = 0;
      if (!this.#ice.has(row)) this.sockets.confirm(row * 2);
    }
  }

  /** Sockets with ICE accept every source, and ICE chooses the destination of our packets. */
  #unconnect(row: number): void {
    const { streams } = this.#memory;
    if (!this.#ice.has(row)) this.sockets.aim(row * 2, readRemoteAddress(streams, row), streams.remotePort[row]!);
  }

  onDatagram(socket: number, length: number, atMs: number, fromPeer: boolean): void {
    const row = socket >>> 1;
    const c = this.#memory.streams;
    this.#memory.noise.received[0]! += 1;
    if (c.state[row] !== ACTIVE) {
      if (c.state[row] === OPEN) this.#ice.take(row, length);
      return;
    }
    if (!fromPeer) {
      if (this.hearStun(socket, length)) return;
      if (this.#confirmed[socket] !== 0) this.#hearBeside(row, socket, length, atMs);
      else this.#hearStranger(row, socket, length, atMs);
      return;
    }
    if (!this.#count(row, socket, length, atMs)) {
      if (!this.hearStun(socket, length)) c.malformed[row]! += 1;
      return;
    }
    if ((socket & 1) === 0) this.#peerAtMs[row] = atMs;
    if (this.#confirmed[socket] === 0) {
      this.#confirmed[socket] = 1;
      // Checks may come from all of the peer's candidates.
      if (!this.#ice.has(row)) this.sockets.confirm(socket);
    }
  }

  /** True: the datagram belonged to the ICE session of the row. */
  hearStun(socket: number, length: number): boolean {
    return (socket & 1) === 0 && this.#ice.take(socket >>> 1, length);
  }

  #hearStranger(row: number, socket: number, length: number, atMs: number): void {
    this.#hearBeside(row, socket, length, atMs);
    if (this.#ice.has(row) || !this.counts(row) || this.#isEarly(row, atMs)) return;
    if (socket === row * 2) this.#symmetric.hear(row, socket, length, atMs);
    else this.#symmetric.hearReport(row, socket);
  }

  /** A source that continues the peer's sequence numbers is the peer. */
  #hearBeside(row: number, socket: number, length: number, atMs: number): void {
    const c = this.#memory.streams;
    if (socket !== row * 2 || !this.#symmetric.goesOn(row, length)) c.foreign[row]! += 1;
    else if (this.#count(row, socket, length, atMs)) c.elsewhere[row]! += 1;
    else c.malformed[row]! += 1;
  }

  #isEarly(row: number, atMs: number): boolean {
    return atMs < this.#memory.streams.startedAtMs[row]! - START_GRACE_MS;
  }

  /** False: it is neither RTP nor RTCP, or arrived on the wrong port. */
  #count(row: number, socket: number, length: number, atMs: number): boolean {
    const bytes = this.sockets.incoming;
    if (length < 2) return false;
    if (isRtcp(bytes, 0)) return this.#countReport(row, length, atMs);
    if (socket !== row * 2 || !parseRtp(bytes, 0, length, this.#packet)) return false;
    if (this.#packet.ssrc === this.#memory.streams.localSsrc[row]) this.#onOwnSsrc(row, this.#packet.timestamp, atMs);
    if (!this.counts(row)) return true;
    if (this.#isEarly(row, atMs)) this.#memory.streams.early[row]! += 1;
    else {
      const believed = observeReception(this.#memory.received, row, this.#packet, atMs);
      if (believed && this.#digits.isEvent(row, this.#packet.payloadType)) this.#digits.hear(row, this.#packet, bytes);
      if (believed && this.#video.has(row)) this.#video.observe(row, this.#packet, bytes, atMs);
      if (this.#memory.tap.wanted[row] !== 0 && isAudioOfSource(this.#memory.received, row, this.#packet))
        tapPacket(this.#memory.tap, row, bytes, this.#packet, atMs);
      if (this.#memory.headers.receivedLeft[row] !== 0) this.#trace(row, length, atMs);
    }
    return true;
  }

  #trace(row: number, length: number, atMs: number): void {
    const { headers, streams } = this.#memory;
    traceHeader(headers, streams, row, {
      sent: false,
      atMs,
      packetBytes: length,
      header: this.sockets.incoming.subarray(0, this.#packet.payloadOffset),
    });
  }

  #countReport(row: number, length: number, atMs: number): boolean {
    return (
      this.#rtcp.receive(row, length, atMs) && (!this.#video.has(row) || this.#video.takeFeedback(row, length, atMs))
    );
  }

  /** Counts media only: many peers do not accept RTCP. */
  onUnreachable(socket: number): void {
    if ((socket & 1) === 0) this.#memory.streams.unreachable[socket >>> 1]! += 1;
  }

  onDropped(socket: number, count: number): void {
    this.#memory.streams.receiveDrops[socket >>> 1]! += count;
    this.#memory.noise.receiveDrops[0]! += count;
  }
}
