/**
 * One request to bind many port pairs, a few at a time: each `bindOne` tries one pair, so that the thread can send in
 * between. All or none: a request that cannot be completed is undone.
 */
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { FREE, type MediaMemory, OPEN } from '../figures/stream-memory.ts';
import type { StreamProfile } from '../media-engine.ts';
import type { PortRange } from './port-range.ts';

export type OpenedStream = {
  readonly row: number;
  readonly generation: number;
  readonly rtpPort: number;
  /** The address as seen by a STUN server. */
  readonly reflexive?: SocketAddress | null;
};

export type OpenRequest = {
  readonly address: string;
  readonly owner: number;
  readonly endpointNumbers: readonly number[];
  readonly profile?: StreamProfile | undefined;
  /** A failure is EXHAUSTED (no free port pair, or no free row), ABANDONED (the thread ends) or the name of a bind error. */
  readonly done: (streams: readonly OpenedStream[], failure: string | null) => void;
};

export const EXHAUSTED = 'EXHAUSTED';
export const ABANDONED = 'ABANDONED';

export class OpenJob {
  /** READY for the next `bindOne`, BINDING until the sockets have answered, DONE when `done` was called. */
  state: 'READY' | 'BINDING' | 'DONE' = 'READY';
  readonly #request: OpenRequest;
  readonly #memory: MediaMemory;
  readonly #ports: PortRange;
  readonly #sockets: StreamSockets;
  readonly #takeRow: () => number | null;
  readonly #opened: OpenedStream[] = [];
  /** Pairs that other programs use; they are returned at the end, because they may be free for the next request. */
  readonly #occupied: number[] = [];

  constructor(
    request: OpenRequest,
    memory: MediaMemory,
    ports: PortRange,
    sockets: StreamSockets,
    takeRow: () => number | null,
  ) {
    this.#request = request;
    this.#memory = memory;
    this.#ports = ports;
    this.#sockets = sockets;
    this.#takeRow = takeRow;
  }

  /** Ends the job without streams; pending binds are undone when the sockets answer. */
  abandon(): void {
    if (this.state !== 'DONE') this.#finish(ABANDONED);
  }

  /** Tries one port pair for the next endpoint. */
  bindOne(): void {
    const row = this.#takeRow();
    const port = row === null ? null : this.#ports.take();
    if (row === null || port === null) {
      this.#finish(EXHAUSTED);
      return;
    }
    this.state = 'BINDING';
    this.#bindPair(row, port, (failure) => {
      if (this.state === 'DONE') {
        if (failure === null) this.#undo(row, port);
        return;
      }
      this.state = 'READY';
      if (failure === null) this.#keep(row, port);
      else if (failure === 'EADDRINUSE') this.#occupied.push(port);
      else {
        this.#ports.release(port);
        this.#finish(failure);
      }
    });
  }

  #bindPair(row: number, port: number, done: (failure: string | null) => void): void {
    const { address } = this.#request;
    this.#sockets.open(row * 2, address, port, (failure) => {
      if (failure !== null) return done(failure);
      this.#sockets.open(row * 2 + 1, address, port + 1, (rtcpFailure) => {
        if (rtcpFailure !== null) this.#sockets.close(row * 2);
        done(rtcpFailure);
      });
    });
  }

  #keep(row: number, port: number): void {
    const { streams } = this.#memory;
    streams.owner[row] = this.#request.owner;
    streams.endpointNumber[row] = this.#request.endpointNumbers[this.#opened.length]!;
    streams.stream[row] = this.#request.profile?.stream ?? 0;
    streams.rtpPort[row] = port;
    Atomics.store(streams.state, row, OPEN);
    this.#opened.push({ row, generation: streams.generation[row]!, rtpPort: port });
    if (this.#opened.length === this.#request.endpointNumbers.length) this.#finish(null);
  }

  #finish(failure: string | null): void {
    this.state = 'DONE';
    for (const port of this.#occupied) this.#ports.release(port);
    if (failure !== null) for (const { row, rtpPort } of this.#opened) this.#undo(row, rtpPort);
    this.#request.done(failure === null ? this.#opened : [], failure);
  }

  #undo(row: number, port: number): void {
    this.#sockets.close(row * 2);
    this.#sockets.close(row * 2 + 1);
    this.#ports.release(port);
    Atomics.store(this.#memory.streams.state, row, FREE);
  }
}
