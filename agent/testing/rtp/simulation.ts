/** A simulated network for media loops: every arrival is known to the microsecond, every loss is recorded. */

import { isRtcp } from '@carillon/media/rtp/header.ts';
import { seeded } from '../../../scripts/peers/seeded.ts';
import { PollRounds } from '../../net/streams/poll-rounds.ts';
import type { StreamSockets, StreamSocketsOptions } from '../../net/streams/stream-sockets.ts';
import { Sampler } from '../../rtp/figures/sampler.ts';
import { createMediaMemory, type MediaMemory } from '../../rtp/figures/stream-memory.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import { MediaLoop } from '../../rtp/loop/media-loop.ts';
import type { MediaLoopOptions } from '../../rtp/loop/media-loop-options.ts';
import type { OpenedStream } from '../../rtp/loop/open-job.ts';
import type {
  AudioFormat,
  StreamDirection,
  StreamFormat,
  StreamProfile,
  StreamSession,
} from '../../rtp/media-engine.ts';

export type Datagram = {
  readonly from: string;
  readonly to: string;
  readonly bytes: Uint8Array;
  readonly sentMs: number;
};
export type Delivery = Datagram & { readonly atMs: number };

/** Decides the delivery of a datagram: the delays in ms of its copies; none: it is lost. */
export type SimulatedPath = (datagram: Datagram) => readonly number[];

export const isRtp = (bytes: Uint8Array): boolean => !isRtcp(bytes, 0);
export const sequenceOf = (bytes: Uint8Array): number => (bytes[2]! << 8) | bytes[3]!;
export const timestampOf = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(4);

export { seeded };
export class Network {
  nowMs = 1_000_000;
  path: SimulatedPath = () => [0.05];
  /** As the kernel does: a connected socket refuses datagrams from other addresses. */
  refuses = false;
  readonly sent: Datagram[] = [];
  readonly delivered: Delivery[] = [];
  readonly #nodes = new Map<string, SimulatedSockets>();
  #waiting: Delivery[] = [];

  bind(place: string, sockets: SimulatedSockets): boolean {
    if (this.#nodes.has(place)) return false;
    this.#nodes.set(place, sockets);
    return true;
  }

  release(place: string): void {
    this.#nodes.delete(place);
  }

  get bound(): number {
    return this.#nodes.size;
  }

  transmit(datagram: Datagram): void {
    this.sent.push(datagram);
    for (const delayMs of this.path(datagram)) this.#waiting.push({ ...datagram, atMs: this.nowMs + delayMs });
  }

  /** Advances time by a millisecond and puts arrived datagrams into the receivers' queues, in order of arrival. */
  tick(): void {
    this.nowMs += 1;
    const arrived = this.#waiting.filter((delivery) => delivery.atMs <= this.nowMs).sort((a, b) => a.atMs - b.atMs);
    this.#waiting = this.#waiting.filter((delivery) => delivery.atMs > this.nowMs);
    for (const delivery of arrived) if (this.#nodes.get(delivery.to)?.enqueue(delivery)) this.delivered.push(delivery);
  }
}

type Entry = {
  readonly place: string;
  peer: string;
  source: string;
  listening: boolean;
  connected: boolean;
  readonly queue: Delivery[];
};

class SimulatedSockets implements StreamSockets {
  readonly adapter = 'ffi';
  readonly stamps = 'kernel';
  readonly outgoing: Uint8Array;
  readonly incoming = new Uint8Array(2048);
  readonly clockSteps = 0;
  refuse = false;
  #from = '';
  readonly #network: Network;
  readonly #events: StreamSocketsOptions['events'];
  readonly #entries = new Map<number, Entry>();
  readonly #rounds: PollRounds;

  constructor(network: Network, options: StreamSocketsOptions) {
    this.#rounds = new PollRounds(options.capacity);
    this.#network = network;
    this.#events = options.events;
    this.outgoing = new Uint8Array(options.outgoingBytes);
  }

  nowMs(): number {
    return this.#network.nowMs;
  }

  open(socket: number, address: string, port: number, done: (failure: string | null) => void): void {
    const place = `${address}:${port}`;
    if (!this.#network.bind(place, this)) {
      done('EADDRINUSE');
      return;
    }
    this.#entries.set(socket, { place, peer: '', source: '', listening: false, connected: false, queue: [] });
    done(null);
  }

  aim(socket: number, address: string, port: number): void {
    const entry = this.#entries.get(socket)!;
    entry.peer = `${address}:${port}`;
    entry.connected = false;
  }

  isSourceAgain(socket: number): boolean {
    const entry = this.#entries.get(socket)!;
    const again = entry.source === this.#from;
    entry.source = this.#from;
    return again;
  }

  sourceOf(socket: number): { address: string; port: number } {
    const { source } = this.#entries.get(socket)!;
    // Addresses of IPv6 have colons, too.
    const at = source.lastIndexOf(':');
    return { address: source.slice(0, at), port: Number(source.slice(at + 1)) };
  }

  listen(socket: number): void {
    this.#entries.get(socket)!.listening = true;
  }

  pollEvery(socket: number, everyMs: number): void {
    this.#rounds.begin(socket, everyMs);
  }

  poll(socket: number): void {
    this.#rounds.poll(socket);
  }

  watch(socket: number): void {
    this.#rounds.end(socket);
  }

  setDscp(): boolean {
    return false;
  }

  confirm(socket: number): void {
    this.#entries.get(socket)!.connected = true;
  }

  send(socket: number, offset: number, length: number): boolean {
    return this.#transmit(socket, offset, length, this.#entries.get(socket)!.peer);
  }

  sendTo(socket: number, offset: number, length: number, address: string, port: number): boolean {
    return this.#transmit(socket, offset, length, `${address}:${port}`);
  }

  #transmit(socket: number, offset: number, length: number, to: string): boolean {
    const { place } = this.#entries.get(socket)!;
    if (this.refuse) return false;
    const bytes = this.outgoing.slice(offset, offset + length);
    this.#network.transmit({ from: place, to, bytes, sentMs: this.#network.nowMs });
    return true;
  }

  enqueue(delivery: Delivery): boolean {
    for (const entry of this.#entries.values()) {
      if (entry.place !== delivery.to) continue;
      if (this.#network.refuses && entry.connected && entry.peer !== delivery.from) return false;
      entry.queue.push(delivery);
      return true;
    }
    return false;
  }

  receive(): void {
    for (let count = this.#rounds.take(); count > 0; count = this.#rounds.take())
      for (const socket of this.#rounds.due.slice(0, count)) {
        const atMs = this.#deliver(socket);
        if (atMs !== null) this.#rounds.ask(socket, this.#network.nowMs - atMs);
      }
    for (const socket of [...this.#entries.keys()]) if (!this.#rounds.isPolled(socket)) this.#drain(socket);
  }

  #drain(socket: number): void {
    while (this.#deliver(socket) !== null);
  }

  /** The arrival of the delivered datagram; null: the queue was empty. */
  #deliver(socket: number): number | null {
    const entry = this.#entries.get(socket);
    const delivery = entry?.listening ? entry.queue.shift() : undefined;
    if (!entry || !delivery) return null;
    const { bytes, atMs, from } = delivery;
    this.incoming.set(bytes);
    this.#from = from;
    this.#events.onDatagram(socket, bytes.length, atMs, from === entry.peer);
    return atMs;
  }

  close(socket: number): void {
    const entry = this.#entries.get(socket);
    if (!entry) return;
    this.#drain(socket);
    this.#rounds.end(socket);
    this.#network.release(entry.place);
    this.#entries.delete(socket);
  }

  closeAll(): void {
    for (const socket of [...this.#entries.keys()]) this.close(socket);
  }
}

export type Node = {
  readonly loop: MediaLoop;
  readonly memory: MediaMemory;
  readonly sampler: Sampler;
  readonly sockets: SimulatedSockets;
};

export function createNode(network: Network, options: Partial<MediaLoopOptions> & { capacity?: number } = {}): Node {
  const memory = createMediaMemory(options.capacity ?? 64);
  const all = { firstPort: 16_384, lastPort: 32_767, rtcpMinimumMs: 5000, random: seeded(1), ...options };
  const made: { sockets?: SimulatedSockets } = {};
  const loop = new MediaLoop(memory, all, (socketOptions) => {
    made.sockets = new SimulatedSockets(network, socketOptions);
    return made.sockets;
  });
  return { loop, memory, sampler: new Sampler(memory, null, seeded(2)), sockets: made.sockets! };
}

/** Lets `ms` milliseconds pass. */
export function run(network: Network, nodes: readonly Node[], ms: number): void {
  for (let i = 0; i < ms; i++) {
    network.tick();
    for (const { loop } of nodes) loop.turn(network.nowMs + 1);
  }
}

export const PCMU: AudioFormat = {
  kind: 'AUDIO',
  codec: 'PCMU',
  sendPayloadType: 0,
  receivePayloadType: 0,
  packetMs: 20,
};
export const HERE = '10.0.0.1';
export const THERE = '10.0.0.2';

export function open(node: Node, address: string, count: number, owner = 7, profile?: StreamProfile): OpenedStream[] {
  const opened: OpenedStream[] = [];
  node.loop.open({
    address,
    owner,
    profile,
    endpointNumbers: Array.from({ length: count }, (_, i) => 100 + i),
    done: (streams, failure) => {
      if (failure !== null) throw new Error(failure);
      opened.push(...streams);
    },
  });
  return opened;
}

export type SimulationOptions = {
  format?: StreamFormat;
  direction?: StreamDirection;
  muxed?: boolean;
  session?: Partial<StreamSession>;
};

export function start(
  node: Node,
  { row }: OpenedStream,
  address: string,
  { rtpPort }: OpenedStream,
  options: SimulationOptions = {},
): void {
  const rtcpPort = options.muxed ? rtpPort : rtpPort + 1;
  node.loop.start(row, {
    remote: { address, rtpPort, rtcpPort },
    format: options.format ?? PCMU,
    source: 'TONE',
    direction: options.direction ?? 'BOTH',
    ...options.session,
  });
}

/** Two nodes with `streams` started streams between them. */
export function call(streams: number, options: SimulationOptions & { rtcpMinimumMs?: number } = {}) {
  const network = new Network();
  const { rtcpMinimumMs = 5000 } = options;
  const here = createNode(network, { rtcpMinimumMs, random: seeded(11) });
  const there = createNode(network, { rtcpMinimumMs, random: seeded(22) });
  const ours = open(here, HERE, streams);
  const theirs = open(there, THERE, streams);
  for (const [i, stream] of ours.entries()) start(here, stream, THERE, theirs[i]!, options);
  for (const [i, stream] of theirs.entries()) start(there, stream, HERE, ours[i]!, options);
  return { network, here, there, ours, theirs, both: [here, there] };
}

/** Ends every stream and returns the records of a node. */
export function end(network: Network, node: Node): readonly StreamRecord[] {
  for (let row = 0; row < node.memory.capacity; row++) node.loop.close(row);
  return node.sampler.sample(network.nowMs).records;
}

/** Delivers what is in transit, and nothing new. */
export function drain(network: Network, nodes: readonly Node[]): void {
  network.path = () => [];
  run(network, nodes, 200);
}

export const total = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0);

/** RTP datagrams that reached a port, in order of arrival. */
export const arrivals = (network: Network, port: number): Delivery[] =>
  network.delivered.filter(({ to, bytes }) => to === `${THERE}:${port}` && isRtp(bytes));
