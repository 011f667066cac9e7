/** ICE of the rows that negotiated it, over the sockets of a media thread. Other rows cost nothing here. */
import { createHmac } from 'node:crypto';
import { CANDIDATE_TYPES } from '@carillon/media/ice/candidate.ts';
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { ICE_STATES, type MediaMemory, writeIceAddress } from '../figures/stream-memory.ts';
import type { IceSession, RemoteMedia } from '../media-engine.ts';
import { IceAgent, type IceEvents } from './ice-agent.ts';
import { ReflexiveLookups } from './reflexive.ts';

/** The longest message, in a buffer that others use, too. */
export const STUN_BYTES = 576;
/** Interval of timer visits: checks are 50 ms apart. */
const EVERY_MS = 10;
/** The number of kept checks that arrive before the session is known; peers send others again. */
const MAX_EARLY = 8;

const hmac: IceEvents['hmac'] = (password, bytes) => createHmac('sha1', password).update(bytes).digest();

export type IceSessionsOptions = {
  readonly random: () => number;
  /** The offset in `outgoing` at which messages are written. */
  readonly offset: number;
  /** The destination of the row's media has changed: see `remote`. */
  readonly onRoute: (row: number) => void;
  readonly onStranger: (row: number, from: SocketAddress) => void;
};

type Early = { readonly datagram: Uint8Array; readonly from: SocketAddress };

export class IceSessions {
  readonly #sockets: StreamSockets;
  readonly #memory: MediaMemory;
  readonly #options: IceSessionsOptions;
  readonly #agents = new Map<number, IceAgent>();
  readonly #lookups: ReflexiveLookups;
  /** The address of each row as seen by the server; null: unknown. */
  readonly #reflexive = new Map<number, SocketAddress | null>();
  readonly #bases = new Map<number, string>();
  readonly #early = new Map<number, Early[]>();
  #dueAtMs = 0;

  constructor(sockets: StreamSockets, memory: MediaMemory, options: IceSessionsOptions) {
    this.#sockets = sockets;
    this.#memory = memory;
    this.#options = options;
    this.#lookups = new ReflexiveLookups({ hmac, random: options.random }, (row, datagram, to) =>
      this.#send(row, datagram, to),
    );
  }

  /** Whether STUN servers are being asked, which needs turns. */
  get isGathering(): boolean {
    return !this.#lookups.isEmpty;
  }

  has(row: number): boolean {
    return this.#agents.has(row) || this.#bases.has(row);
  }

  /**
   * Rows that may negotiate ICE, bound to `address`; `server` null: no query. `done` is called once, with the addresses
   * seen by the server.
   */
  gather<Opened extends { readonly row: number }>(
    streams: readonly Opened[],
    address: string,
    server: SocketAddress | null,
    done: (seen: (Opened & { readonly reflexive: SocketAddress | null })[]) => void,
  ): void {
    for (const { row } of streams) this.#bases.set(row, address);
    const seen = streams.map((stream) => ({ ...stream, reflexive: null as SocketAddress | null }));
    let left = seen.length;
    if (server === null || left === 0) {
      done(seen);
      return;
    }
    for (const [i, stream] of streams.entries()) {
      this.#sockets.listen(stream.row * 2);
      this.#lookups.begin(stream.row, server, this.#sockets.nowMs(), (reflexive) => {
        this.#reflexive.set(stream.row, reflexive);
        seen[i] = { ...stream, reflexive };
        left -= 1;
        if (left === 0) done(seen);
      });
    }
  }

  /** Applies the negotiated session; other credentials mean a restart. */
  agree(row: number, session: IceSession): void {
    if (this.#agents.get(row)?.isFor(session)) return;
    const { rtpPort } = this.#memory.streams;
    const base = { address: this.#bases.get(row) ?? '', port: rtpPort[row]! };
    const reflexive = this.#reflexive.get(row) ?? null;
    const nowMs = this.#sockets.nowMs();
    const events: IceEvents = {
      hmac,
      random: this.#options.random,
      send: (datagram, to) => this.#send(row, datagram, to),
      onRoute: () => this.#options.onRoute(row),
      onStranger: (from) => this.#options.onStranger(row, from),
    };
    const agent = new IceAgent({ ...session, base, reflexive }, events, nowMs);
    this.#agents.set(row, agent);
    for (const { datagram, from } of this.#early.get(row) ?? []) agent.take(datagram, from, nowMs);
    this.#early.delete(row);
    agent.turn(nowMs);
    this.#note(row, agent);
  }

  /** The destination of the row's media; `negotiated` is the one in the description. */
  remote(row: number, negotiated: RemoteMedia | null): RemoteMedia | null {
    const to = this.#agents.get(row)?.destination ?? null;
    if (negotiated === null || to === null) return null;
    const { address, port } = to;
    return {
      address,
      rtpPort: port,
      rtcpPort: negotiated.rtcpPort === negotiated.rtpPort ? port : negotiated.rtcpPort,
    };
  }

  permit(row: number, address: string): void {
    this.#agents.get(row)?.permit(address);
  }

  turn(nowMs: number): void {
    if (nowMs < this.#dueAtMs || (this.#agents.size === 0 && this.#lookups.isEmpty)) return;
    this.#dueAtMs = nowMs + EVERY_MS;
    this.#lookups.turn(nowMs);
    for (const [row, agent] of this.#agents) {
      agent.turn(nowMs);
      this.#note(row, agent);
    }
  }

  /**
   * Handles the current datagram, the first `length` bytes of `incoming`, of the row's RTP socket. True: it belonged to ICE.
   */
  take(row: number, length: number): boolean {
    const { incoming } = this.#sockets;
    if (!this.has(row) || length < 20 || incoming[0]! > 1) return false;
    this.#sockets.isSourceAgain(row * 2);
    const from = this.#sockets.sourceOf(row * 2);
    const datagram = incoming.slice(0, length);
    if (this.#lookups.take(row, datagram, from)) return true;
    const agent = this.#agents.get(row);
    if (agent !== undefined) {
      const isTaken = agent.take(datagram, from, this.#sockets.nowMs());
      this.#note(row, agent);
      return isTaken;
    }
    const early = this.#early.get(row) ?? [];
    if (early.length < MAX_EARLY) this.#early.set(row, [...early, { datagram, from }]);
    return true;
  }

  end(row: number): void {
    if (!this.has(row)) return;
    this.#agents.delete(row);
    this.#bases.delete(row);
    this.#reflexive.delete(row);
    this.#early.delete(row);
    this.#lookups.end(row, null);
  }

  #send(row: number, datagram: Uint8Array, { address, port }: SocketAddress): void {
    const { offset } = this.#options;
    this.#sockets.outgoing.set(datagram, offset);
    this.#sockets.sendTo(row * 2, offset, datagram.length, address, port);
  }

  #note(row: number, agent: IceAgent): void {
    const c = this.#memory.streams;
    c.iceState[row] = ICE_STATES.indexOf(agent.state);
    const { selected } = agent;
    if (selected === null) return;
    c.iceConnectMs[row] = agent.connectedAfterMs;
    c.iceLocalType[row] = CANDIDATE_TYPES.indexOf(selected.local) + 1;
    c.iceRemoteType[row] = CANDIDATE_TYPES.indexOf(selected.remote.type) + 1;
    c.iceLocalPort[row] = selected.localAddress.port;
    writeIceAddress(c, row, selected.localAddress.address);
  }
}
