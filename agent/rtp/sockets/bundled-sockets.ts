/**
 * Stream sockets of rows that share a transport: packets of a row are sent by its carrier's socket, and received
 * packets are reported to the right row. Until the far end reports on a stream, its packets name their m= line (RFC
 * 9143, 15; RFC 7941, 4.1).
 */
import { isRtcp, RTP_HEADER_BYTES } from '@carillon/media/rtp/header.ts';
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import type { StreamSocketEvents, StreamSockets, StreamSocketsOptions } from '../../net/streams/stream-sockets.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { Bundles } from './bundles.ts';

/** The bytes of a packet with what SRTP adds; the header extension of the longest name has 4 + 16 bytes. */
const NAMED_BYTES = 1536;
const MAX_MID = 15;

export class BundledSockets implements StreamSockets, StreamSocketEvents {
  readonly adapter: StreamSockets['adapter'];
  readonly stamps: StreamSockets['stamps'];
  readonly outgoing: Uint8Array;
  readonly #inner: StreamSockets;
  readonly #events: StreamSocketEvents;
  readonly #memory: MediaMemory;
  readonly #bundles: Bundles;
  readonly #namedAt: number;

  /** `open` opens the underlying sockets; there are two socket numbers per row of `memory`. */
  constructor(
    memory: MediaMemory,
    bundles: Bundles,
    options: StreamSocketsOptions,
    open: (options: StreamSocketsOptions) => StreamSockets,
  ) {
    this.#memory = memory;
    this.#bundles = bundles;
    this.#events = options.events;
    this.#namedAt = options.outgoingBytes;
    this.#inner = open({ ...options, outgoingBytes: options.outgoingBytes + NAMED_BYTES, events: this });
    this.adapter = this.#inner.adapter;
    this.stamps = this.#inner.stamps;
    this.outgoing = this.#inner.outgoing;
  }

  onDatagram(socket: number, length: number, atMs: number, fromPeer: boolean): void {
    const row = socket >>> 1;
    const sharers = (socket & 1) === 0 ? this.#bundles.sharersOf(row) : null;
    if (sharers === null) this.#events.onDatagram(socket, length, atMs, fromPeer);
    else if (!isRtcp(this.incoming, 0))
      this.#events.onDatagram(this.#bundles.rowOf(row, this.incoming, length) * 2, length, atMs, fromPeer);
    else this.#share(sharers, length, atMs, fromPeer);
  }

  /** A compound may report on several streams: each takes its own part, and the compound is counted once. */
  #share(sharers: readonly number[], length: number, atMs: number, fromPeer: boolean): void {
    for (const row of sharers) this.#events.onDatagram(row * 2, length, atMs, fromPeer);
    this.#memory.noise.received[0]! -= sharers.length - 1;
  }

  send(socket: number, offset: number, length: number): boolean {
    const row = socket >>> 1;
    if (!this.#bundles.isBundled(row)) return this.#inner.send(socket, offset, length);
    const out = this.#bundles.carrierOf(row) * 2;
    const bundle = this.#memory.streams.reports[row] === 0 ? this.#bundles.midOf(row) : null;
    if (bundle === null || bundle.extension === null || isRtcp(this.outgoing, offset))
      return this.#inner.send(out, offset, length);
    return this.#inner.send(out, this.#namedAt, this.#named(bundle.extension, bundle.mid, offset, length));
  }

  /** Adds the MID as a header extension; returns the new length. Our packets have no extension of their own. */
  #named(extension: number, mid: string, offset: number, length: number): number {
    const { outgoing } = this;
    const namedAt = this.#namedAt;
    const size = mid.length;
    const words = (1 + size + 3) >> 2;
    const payloadAt = RTP_HEADER_BYTES + 4 + words * 4;
    if (size === 0 || size > MAX_MID || payloadAt + length > NAMED_BYTES) {
      outgoing.copyWithin(namedAt, offset, offset + length);
      return length;
    }
    outgoing.copyWithin(namedAt + payloadAt, offset + RTP_HEADER_BYTES, offset + length);
    outgoing.copyWithin(namedAt, offset, offset + RTP_HEADER_BYTES);
    outgoing[namedAt]! |= 0x10;
    outgoing.fill(0, namedAt + RTP_HEADER_BYTES, namedAt + payloadAt);
    let at = namedAt + RTP_HEADER_BYTES;
    outgoing[at++] = 0xbe;
    outgoing[at++] = 0xde;
    at++;
    outgoing[at++] = words;
    outgoing[at++] = (extension << 4) | (size - 1);
    for (let i = 0; i < size; i++) outgoing[at++] = mid.charCodeAt(i);
    return payloadAt + length - RTP_HEADER_BYTES;
  }

  /** Only the carrier sets the destination of a shared transport. */
  aim(socket: number, address: string, port: number): void {
    if (this.#isOwn(socket)) this.#inner.aim(socket, address, port);
  }

  confirm(socket: number): void {
    if (this.#isOwn(socket)) this.#inner.confirm(socket);
  }

  #isOwn(socket: number): boolean {
    return this.#bundles.carrierOf(socket >>> 1) === socket >>> 1;
  }

  /** A shared socket stays watched: it carries packets of several clocks. */
  pollEvery(socket: number, everyMs: number): void {
    if (!this.#bundles.isBundled(socket >>> 1)) this.#inner.pollEvery(socket, everyMs);
  }

  onUnreachable(socket: number): void {
    this.#events.onUnreachable(socket);
  }
  onDropped(socket: number, count: number): void {
    this.#events.onDropped(socket, count);
  }
  get incoming(): Uint8Array {
    return this.#inner.incoming;
  }
  get clockSteps(): number {
    return this.#inner.clockSteps;
  }
  nowMs(): number {
    return this.#inner.nowMs();
  }
  open(socket: number, address: string, port: number, done: (failure: string | null) => void): void {
    this.#inner.open(socket, address, port, done);
  }
  isSourceAgain(socket: number): boolean {
    return this.#inner.isSourceAgain(socket);
  }
  sourceOf(socket: number): SocketAddress {
    return this.#inner.sourceOf(socket);
  }
  listen(socket: number): void {
    this.#inner.listen(socket);
  }
  poll(socket: number): void {
    this.#inner.poll(socket);
  }
  watch(socket: number): void {
    this.#inner.watch(socket);
  }
  setDscp(socket: number, dscp: number): boolean {
    return this.#inner.setDscp(socket, dscp);
  }
  sendTo(socket: number, offset: number, length: number, address: string, port: number): boolean {
    return this.#inner.sendTo(socket, offset, length, address, port);
  }
  receive(untilMs: number): void {
    this.#inner.receive(untilMs);
  }
  close(socket: number): void {
    this.#inner.close(socket);
  }
  closeAll(): void {
    this.#inner.closeAll();
  }
}
