/**
 * Stream sockets over node:dgram, if libc is not available: the arrival time is when the event loop handles the
 * datagram, and sockets are never connected, so that ICMP errors are not reported. Suitable for a few hundred streams.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6, SocketAddress as NumericAddress } from 'node:net';
import { nowMs } from '../../clock.ts';
import type { SocketAddress } from '../datagrams/socket-address.ts';
import { procAddress, UdpDrops } from '../udp-drops.ts';
import { INCOMING_BYTES, type StreamSockets, type StreamSocketsOptions } from './stream-sockets.ts';

const CLOSING_LOOK_MS = 100;
/** Datagrams kept for a socket before `listen`: a second of audio. */
const HELD_DATAGRAMS = 50;

type Held = { readonly message: Uint8Array; readonly atMs: number; readonly from: RemoteInfo };

type Entry = {
  readonly socket: Socket;
  /** The local port, as in /proc/net/udp, and the drops reported for it so far. */
  readonly procAddress: string;
  dropped: number;
  held: Held[] | null;
  address: string;
  port: number;
  /** The source that `isSourceAgain` remembers. */
  source: RemoteInfo | null;
};

/** Addresses are numeric: no look-up is needed, and no turn of the event loop is lost. */
const noLookup = (
  address: string,
  family: unknown,
  done: (error: null, address: string, family: unknown) => void,
): void => done(null, address, family);

export class NodeStreamSockets implements StreamSockets {
  readonly adapter = 'dgram';
  readonly stamps = 'user';
  readonly clockSteps = 0;
  readonly outgoing: Uint8Array;
  readonly incoming = new Uint8Array(INCOMING_BYTES);
  readonly #options: StreamSocketsOptions;
  readonly #entries: (Entry | undefined)[];
  readonly #drops = new UdpDrops();
  /** The source of the datagram that is being delivered. */
  #from: RemoteInfo | null = null;

  constructor(options: StreamSocketsOptions) {
    this.#options = options;
    this.outgoing = new Uint8Array(options.outgoingBytes);
    this.#entries = new Array(options.capacity).fill(undefined);
  }

  nowMs(): number {
    return nowMs();
  }

  open(number: number, address: string, port: number, done: (failure: string | null) => void): void {
    const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', lookup: noLookup as never });
    const entry: Entry = {
      socket,
      procAddress: procAddress(address, port),
      dropped: 0,
      held: [],
      address: '',
      port: 0,
      source: null,
    };
    this.#entries[number] = entry;
    const failed = (error: NodeJS.ErrnoException): void => {
      this.#entries[number] = undefined;
      socket.close();
      done(error.code ?? error.message);
    };
    socket.once('error', failed);
    socket.on('message', (message, from) => {
      const atMs = nowMs();
      if (!entry.held) this.#deliver(number, entry, message, atMs, from);
      else if (entry.held.length < HELD_DATAGRAMS) entry.held.push({ message, atMs, from });
    });
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', failed);
      socket.on('error', () => this.#options.events.onUnreachable(number));
      done(null);
    });
  }

  aim(number: number, address: string, port: number): void {
    const entry = this.#entries[number]!;
    entry.address = new NumericAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }).address;
    entry.port = port;
  }

  isSourceAgain(number: number): boolean {
    const entry = this.#entries[number]!;
    const from = this.#from;
    const before = entry.source;
    entry.source = from;
    return before !== null && from !== null && before.port === from.port && before.address === from.address;
  }

  sourceOf(number: number): SocketAddress {
    const { address, port } = this.#entries[number]!.source!;
    return { address, port };
  }

  listen(number: number): void {
    const entry = this.#entries[number]!;
    const held = entry.held ?? [];
    entry.held = null;
    for (const { message, atMs, from } of held) this.#deliver(number, entry, message, atMs, from);
  }

  confirm(): void {
    // Unconnected sockets need no confirmation.
  }

  pollEvery(): void {
    // The event loop watches every socket.
  }

  poll(): void {
    // The event loop watches every socket.
  }

  watch(): void {
    // The event loop watches every socket.
  }

  setDscp(): boolean {
    // node:dgram cannot set the mark.
    return false;
  }

  send(number: number, offset: number, length: number): boolean {
    const entry = this.#entries[number];
    return entry !== undefined && this.sendTo(number, offset, length, entry.address, entry.port);
  }

  sendTo(number: number, offset: number, length: number, address: string, port: number): boolean {
    const entry = this.#entries[number];
    if (!entry) return false;
    // The data are copied: libuv keeps data that a full socket buffer does not accept, and the memory is reused in the meantime.
    const bytes = Buffer.from(this.outgoing.subarray(offset, offset + length));
    try {
      entry.socket.send(bytes, port, address);
      return true;
    } catch {
      // node:dgram throws immediately for targets that no kernel accepts, such as port 0.
      return false;
    }
  }

  /** The event loop delivers datagrams; only drops are looked up here. */
  receive(): void {
    this.#tellDrops(this.#drops.look(nowMs()));
  }

  #tellDrops(drops: ReadonlyMap<string, number> | null): void {
    if (drops === null) return;
    for (const [number, entry] of this.#entries.entries()) {
      const dropped = (entry && drops.get(entry.procAddress)) ?? 0;
      if (!entry || dropped <= entry.dropped) continue;
      this.#options.events.onDropped(number, dropped - entry.dropped);
      entry.dropped = dropped;
    }
  }

  close(number: number): void {
    const entry = this.#entries[number];
    // Its drops since the last lookup are unknown; there are many lookups close together.
    if (entry) this.#tellDrops(this.#drops.look(nowMs(), CLOSING_LOOK_MS));
    this.#entries[number] = undefined;
    entry?.socket.close();
  }

  closeAll(): void {
    for (let number = 0; number < this.#entries.length; number++) this.close(number);
  }

  #deliver(number: number, entry: Entry, message: Uint8Array, atMs: number, from: RemoteInfo): void {
    if (this.#entries[number] !== entry) return;
    const length = Math.min(message.length, INCOMING_BYTES);
    this.incoming.set(length < message.length ? message.subarray(0, length) : message);
    this.#from = from;
    const fromPeer = from.port === entry.port && from.address === entry.address;
    this.#options.events.onDatagram(number, length, atMs, fromPeer);
  }
}
