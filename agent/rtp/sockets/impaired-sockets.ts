/**
 * Stream sockets with a simulated network: packets for sockets that request it are lost, delayed, reordered and
 * duplicated before they are counted. The arrival time is shifted with the datagram, so the exact delivery turn does
 * not matter. Other sockets pay one table lookup per datagram.
 */
import type { Impairment } from '@carillon/media/impairment/impairment.ts';
import { noteDelivered, noteOffered } from '@carillon/media/impairment/injected.ts';
import { ImpairmentModel } from '@carillon/media/impairment/model.ts';
import { emptyRtpPacket, isRtcp, parseRtp } from '@carillon/media/rtp/header.ts';
import { isExpected } from '@carillon/media/rtp/receive-columns.ts';
import { seedOf } from '@carillon/media/seeded.ts';
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import {
  INCOMING_BYTES,
  type StreamSocketEvents,
  type StreamSockets,
  type StreamSocketsOptions,
} from '../../net/streams/stream-sockets.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { Bundles } from './bundles.ts';
import { DelayQueue, NOBODY } from './delay-queue.ts';

/** Video has no packet time: a reordered packet is delayed by one and a half times this value. */
const VIDEO_PACKET_MS = 5;

export class ImpairedSockets implements StreamSockets, StreamSocketEvents {
  readonly adapter: StreamSockets['adapter'];
  readonly stamps: StreamSockets['stamps'];
  readonly outgoing: Uint8Array;
  incoming: Uint8Array;
  readonly #sockets: StreamSockets;
  readonly #events: StreamSocketEvents;
  readonly #memory: MediaMemory;
  readonly #bundles: Bundles;
  readonly #models: (ImpairmentModel | null)[];
  readonly #packet = emptyRtpPacket();
  /** Delayed datagrams are reported from here. */
  readonly #delayed = new Uint8Array(INCOMING_BYTES);
  /** The queue is created with the first impaired socket. */
  #queue: DelayQueue | null = null;

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
    this.#models = new Array(options.capacity).fill(null);
    this.#sockets = open({ ...options, events: this });
    this.adapter = this.#sockets.adapter;
    this.stamps = this.#sockets.stamps;
    this.outgoing = this.#sockets.outgoing;
    this.incoming = this.#sockets.incoming;
  }

  /** Impairs the row's received packets until its sockets are closed. */
  impair(row: number, impairment: Impairment, stream: number): void {
    this.#queue ??= new DelayQueue();
    const endpoint = this.#memory.streams.endpointNumber[row]!;
    for (const socket of [row * 2, row * 2 + 1])
      this.#models[socket] = new ImpairmentModel(impairment, seedOf(impairment.seed, endpoint, stream, socket & 1));
  }

  isImpaired(row: number): boolean {
    return this.#models[row * 2] !== null;
  }

  onDatagram(socket: number, length: number, atMs: number, fromPeer: boolean): void {
    const model = this.#models[socket]!;
    this.incoming = this.#sockets.incoming;
    // The policy must be asked about an unknown source while its datagram is at hand.
    if (model === null || !fromPeer) this.#events.onDatagram(socket, length, atMs, fromPeer);
    else this.#impairOne(model, socket, length, atMs);
  }

  #impairOne(model: ImpairmentModel, socket: number, length: number, atMs: number): void {
    const row = this.#rowOf(socket, length);
    const { injected, received, streams } = this.#memory;
    // Reports on a shared port have their own model, so they do not affect the media.
    const isReport = length >= 2 && isRtcp(this.incoming, 0);
    const decides = isReport ? this.#models[socket | 1]! : (this.#models[row * 2] ?? model);
    const passes = decides.decide(atMs, streams.packetMs[row]! || VIDEO_PACKET_MS);
    const isMedia = !isReport && this.#isMedia(row, length);
    this.#packet.arrivalMs = atMs;
    if (isMedia) noteOffered(injected, row, this.#packet, passes, received.unitsPerMs[row]!);
    if (!passes) return;
    const { arrivalMs, duplicate } = decides;
    if (!this.#queue!.push(socket, this.incoming, length, arrivalMs, false)) {
      injected.overflowed[row]! += 1;
      if (isMedia) this.#noteDelivered(row, atMs);
      this.#events.onDatagram(socket, length, atMs, true);
    } else if (duplicate && this.#queue!.push(socket, this.incoming, length, arrivalMs, true) && isMedia)
      injected.duplicated[row]! += 1;
  }

  #rowOf(socket: number, length: number): number {
    return (socket & 1) === 0 ? this.#bundles.rowOf(socket >>> 1, this.incoming, length) : socket >>> 1;
  }

  /**
   * Whether the datagram is RTP of the stream's own payload types, which is read into `packet`; encrypted RTP has the
   * same header.
   */
  #isMedia(row: number, length: number): boolean {
    if (!parseRtp(this.incoming, 0, length, this.#packet)) return false;
    return isExpected(this.#memory.received, row, this.#packet.payloadType);
  }

  #noteDelivered(row: number, atMs: number): void {
    const { injected, received } = this.#memory;
    noteDelivered(injected, row, this.#packet, atMs, received.unitsPerMs[row]!);
  }

  #deliverDue(nowMs: number): void {
    const queue = this.#queue!;
    for (let slot = queue.due(nowMs); slot >= 0; slot = queue.due(nowMs)) {
      const socket = queue.socketOf(slot);
      const atMs = queue.atMsOf(slot);
      const isCopy = queue.isCopy(slot);
      this.incoming = this.#delayed;
      const length = queue.take(this.incoming);
      if (socket === NOBODY) continue;
      const row = this.#rowOf(socket, length);
      if (!isCopy && !isRtcp(this.incoming, 0) && this.#isMedia(row, length)) this.#noteDelivered(row, atMs);
      this.#events.onDatagram(socket, length, atMs, true);
    }
  }

  receive(untilMs: number): void {
    this.#sockets.receive(untilMs);
    if (this.#queue !== null) this.#deliverDue(this.#sockets.nowMs());
  }

  close(socket: number): void {
    this.#sockets.close(socket);
    if (this.#models[socket] === null) return;
    this.#deliverDue(this.#sockets.nowMs());
    this.#queue!.forget(socket);
    this.#models[socket] = null;
  }

  setDscp(socket: number, dscp: number): boolean {
    return this.#sockets.setDscp(socket, dscp);
  }

  onUnreachable(socket: number): void {
    this.#events.onUnreachable(socket);
  }

  onDropped(socket: number, count: number): void {
    this.#events.onDropped(socket, count);
  }

  get clockSteps(): number {
    return this.#sockets.clockSteps;
  }

  nowMs(): number {
    return this.#sockets.nowMs();
  }

  open(socket: number, address: string, port: number, done: (failure: string | null) => void): void {
    this.#sockets.open(socket, address, port, done);
  }

  aim(socket: number, address: string, port: number): void {
    this.#sockets.aim(socket, address, port);
  }

  isSourceAgain(socket: number): boolean {
    return this.#sockets.isSourceAgain(socket);
  }

  sourceOf(socket: number): SocketAddress {
    return this.#sockets.sourceOf(socket);
  }

  listen(socket: number): void {
    this.#sockets.listen(socket);
  }

  /**
   * An impaired socket stays watched: of two datagrams read in different rounds, the second may be due before the
   * first.
   */
  pollEvery(socket: number, everyMs: number): void {
    if (this.#models[socket] === null) this.#sockets.pollEvery(socket, everyMs);
  }

  poll(socket: number): void {
    this.#sockets.poll(socket);
  }

  watch(socket: number): void {
    this.#sockets.watch(socket);
  }

  confirm(socket: number): void {
    this.#sockets.confirm(socket);
  }

  send(socket: number, offset: number, length: number): boolean {
    return this.#sockets.send(socket, offset, length);
  }

  sendTo(socket: number, offset: number, length: number, address: string, port: number): boolean {
    return this.#sockets.sendTo(socket, offset, length, address, port);
  }

  closeAll(): void {
    this.#sockets.closeAll();
  }
}
