/**
 * The pool of connections: one for all messages to the same target with the same TLS settings, and incoming ones, found
 * by their address and port (RFC 3261, 18.1.1 and 18.2.2; RFC 5923 for reuse). Over WebSockets each user agent has its own.
 */
import type { OpenFigures, Stream, StreamPort } from '../../net/text/stream-port.ts';
import type { SipTarget, TlsSettings } from '../engine.ts';
import type { TimerWheel } from '../timer-wheel.ts';
import { Connection, type ConnectionKeeper } from './connection.ts';
import { UNUSED_MS } from './connection-table.ts';
import { tcpTarget } from './large-request.ts';
import type { MessageOwner, Sent } from './sent.ts';
import { isWebSocket, type WebSocketLine } from './web-socket-line.ts';
import type { WebSockets } from './web-sockets.ts';

/** Limit of incomplete messages over all connections. */
const MAX_PENDING_BYTES = 32 << 20;
/** Messages that wait for one connection to open. */
const MAX_WAITING = 20_000;
/** A peer that did not take TCP is asked again after this, beside requests that go by UDP meanwhile (RFC 3261, 18.1.1). */
const REFUSAL_HOLDS_MS = 60_000;
const MAX_REFUSALS = 10_000;
/** Outgoing connections: peers can make us open one per call, by the ports of their Contacts. */
const MAX_OURS = 2048;

/** The engine's events of connections. */
export interface ConnectionEvents {
  onMessage(text: string, atMs: number, source: Connection): void;
  /** The readable part of a message after which the stream cannot be parsed. */
  onFault(head: string, reason: string, atMs: number, source: Connection): void;
  /** Now these may go. */
  onOpened(connection: Connection, waiting: readonly Sent[], figures: OpenFigures, atMs: number): void;
  /** These will never go. */
  onClosed(connection: Connection, waiting: readonly Sent[], reason: string, atMs: number): void;
}

const ACCEPTED = { isOurs: false, tls: null, key: '', line: null } as const;

export class Connections implements ConnectionKeeper {
  readonly wheel: TimerWheel;
  readonly maxPendingBytes = MAX_PENDING_BYTES;
  pendingBytes = 0;
  readonly #port: StreamPort;
  readonly #events: ConnectionEvents;
  readonly #clock: () => number;
  readonly #used: () => boolean;
  readonly #webSockets: WebSockets | null;
  /** Ours, by target and TLS settings. */
  readonly #ours = new Map<string, Connection>();
  /** WebSockets, also by their line. */
  readonly #ofLines = new Map<string, Connection>();
  /** Both kinds, by transport, address and port. */
  readonly #byPeer = new Map<string, Connection>();
  readonly #byTarget: Targets = new WeakMap();
  readonly #byLine = new WeakMap<WebSocketLine, Targets>();
  readonly #settings = new WeakMap<TlsSettings, number>();
  #settingsSeen = 0;
  readonly #all = new Set<Connection>();
  /** Peers that did not take TCP, and when they are asked again. */
  readonly #refusals = new Map<string, { readonly reason: string; againAtMs: number }>();

  constructor(
    port: StreamPort,
    webSockets: WebSockets | null,
    { wheel, clock }: { readonly wheel: TimerWheel; readonly clock: () => number },
    used: () => boolean,
    events: ConnectionEvents,
  ) {
    this.#port = port;
    this.#webSockets = webSockets;
    this.wheel = wheel;
    this.#clock = clock;
    this.#used = used;
    this.#events = events;
  }

  get size(): number {
    return this.#all.size;
  }

  /** The connection for a message to the target, opened on demand; null: impossible. */
  reach(target: SipTarget, { tls = null, line = null }: Owner): Connection | null {
    if (target instanceof Connection) {
      if (!target.isClosed) return target;
      // A connection that the peer opened ends at a port where it may not listen.
      if (!target.isOurs) return null;
    }
    const settings = target.transport === 'TLS' || target.transport === 'WSS' ? tls : null;
    const table = this.#tableOf(target, line);
    const known = table.get(target);
    if (known !== undefined && !known.isClosed && carries(known, settings)) return known;
    const connection = isWebSocket(target.transport)
      ? this.#webSocketTo(target, settings, line)
      : (this.#find(target, settings) ?? this.#open(target, settings));
    if (connection !== null) table.set(target, connection);
    return connection;
  }

  accept(stream: Stream, atMs: number): Connection {
    const { transport, address, port } = stream;
    const connection = new Connection(this, { transport, address, port }, atMs, ACCEPTED);
    connection.accept(stream);
    this.#all.add(connection);
    this.#byPeer.set(peerKey(connection), connection);
    return connection;
  }

  /** A registration with this target is valid until then. */
  keep(target: SipTarget, { line = null }: Owner, untilMs: number): void {
    const connection = this.#tableOf(target, line).get(target);
    if (connection !== undefined) connection.keptUntilMs = Math.max(connection.keptUntilMs, untilMs);
  }

  /** Messages to the target went by this connection. */
  isBy(target: SipTarget, { line = null }: Owner, connection: Connection): boolean {
    return target === connection || this.#tableOf(target, line).get(target) === connection;
  }

  wait(connection: Connection, record: Sent): boolean {
    if (connection.waiting.length >= MAX_WAITING) return false;
    connection.waiting.push(record);
    return true;
  }

  /** Why the peer took no TCP when it was asked last; null: it does, or was never asked. No request waits for it to be asked again. */
  tcpRefusal(target: SipTarget): string | null {
    const refusal = this.#refusals.size === 0 ? undefined : this.#refusals.get(placeOf(target));
    if (refusal === undefined) return null;
    if (this.#clock() >= refusal.againAtMs) {
      refusal.againAtMs = this.#clock() + REFUSAL_HOLDS_MS;
      this.reach(tcpTarget(target), {});
    }
    return refusal.reason;
  }

  flush(): void {
    this.#port.flush();
    this.#webSockets?.flush();
  }

  poll(): number {
    return this.#port.poll() + (this.#webSockets?.poll() ?? 0);
  }

  inUse({ line }: Connection): boolean {
    return line === null ? this.#used() : line.isUsed;
  }

  onOpened(connection: Connection, figures: OpenFigures, atMs: number): void {
    const waiting = connection.waiting;
    connection.waiting = [];
    if (connection.transport === 'TCP' && connection.isOurs) this.#refusals.delete(placeOf(connection));
    this.#events.onOpened(connection, waiting, figures, atMs);
  }

  onMessage(connection: Connection, text: string, atMs: number): void {
    this.#events.onMessage(text, atMs, connection);
  }

  onFault(connection: Connection, reason: string, head: string, atMs: number): void {
    this.#events.onFault(head, reason, atMs, connection);
  }

  onClosed(connection: Connection, reason: string, atMs: number): void {
    this.#all.delete(connection);
    const own = connection.line === null ? this.#ours : this.#ofLines;
    if (own.get(connection.key) === connection) own.delete(connection.key);
    const peer = peerKey(connection);
    if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    const waiting = connection.waiting;
    connection.waiting = [];
    if (connection.transport === 'TCP' && connection.isOurs && waiting.length > 0)
      this.noteRefusal(connection, `TCP to ${connection.address}: ${reason || 'closed by the peer'}`);
    this.#events.onClosed(connection, waiting, reason, atMs);
    if (connection.keptUntilMs > atMs) connection.line?.onLost?.();
  }

  close(): void {
    for (const connection of [...this.#all]) connection.close('', this.#clock());
    this.#port.close();
    this.#webSockets?.close();
  }

  #tableOf({ transport }: SipTarget, line: WebSocketLine | null): Targets {
    if (line === null || !isWebSocket(transport)) return this.#byTarget;
    const table = this.#byLine.get(line) ?? new WeakMap();
    this.#byLine.set(line, table);
    return table;
  }

  #webSocketTo(target: SipTarget, tls: TlsSettings | null, line: WebSocketLine | null): Connection | null {
    if (this.#webSockets === null || line === null) return null;
    const key = `${this.#keyOf(target, tls)} ${line.number}`;
    const known = this.#ofLines.get(key);
    if (known !== undefined) return known;
    const connection = new Connection(this, target, this.#clock(), { isOurs: true, tls, key, line });
    this.#all.add(connection);
    this.#ofLines.set(key, connection);
    connection.stream = this.#webSockets.connect(target, line.path, tls, connection);
    return connection;
  }

  /** An incoming connection serves a target with exactly its address and port. */
  #find(target: SipTarget, tls: TlsSettings | null): Connection | null {
    const ours = this.#ours.get(this.#keyOf(target, tls));
    if (ours !== undefined) return ours;
    if (target.serverName !== undefined) return null;
    const peers = this.#byPeer.get(peerKey(target)) ?? null;
    return peers !== null && carries(peers, tls) ? peers : null;
  }

  #open(target: SipTarget, tls: TlsSettings | null): Connection | null {
    const { transport, address, port, serverName } = target;
    if (transport !== 'TCP' && transport !== 'TLS') return null;
    if (this.#ours.size >= MAX_OURS && !this.#giveUpOne()) return null;
    const way = { isOurs: true, tls, key: this.#keyOf(target, tls), line: null };
    const connection = new Connection(this, target, this.#clock(), way);
    this.#all.add(connection);
    this.#ours.set(connection.key, connection);
    if (!this.#byPeer.has(peerKey(target))) this.#byPeer.set(peerKey(target), connection);
    const named = { transport, address, port, ...(serverName === undefined ? {} : { serverName }) };
    connection.stream = this.#port.connect(named, tls, connection);
    return connection;
  }

  /** Closes our connection with the longest silence, if no transaction can need it. */
  #giveUpOne(): boolean {
    const nowMs = this.#clock();
    let oldest: Connection | null = null;
    for (const connection of this.#ours.values())
      if (connection.keptUntilMs <= nowMs && connection.messageAtMs < (oldest?.messageAtMs ?? nowMs - UNUSED_MS))
        oldest = connection;
    oldest?.close('', nowMs);
    return oldest !== null;
  }

  #keyOf(target: SipTarget, tls: TlsSettings | null): string {
    let number = tls === null ? 0 : this.#settings.get(tls);
    if (number === undefined) {
      this.#settingsSeen++;
      number = this.#settingsSeen;
      this.#settings.set(tls as TlsSettings, number);
    }
    return `${peerKey(target)} ${target.serverName ?? ''} ${number}`;
  }

  /** The place of `target` did not take TCP, or did not answer by it. */
  noteRefusal(target: SipTarget, reason: string): void {
    if (this.#refusals.size >= MAX_REFUSALS) this.#refusals.clear();
    this.#refusals.set(placeOf(target), { reason, againAtMs: this.#clock() + REFUSAL_HOLDS_MS });
  }
}

type Targets = WeakMap<SipTarget, Connection>;
type Owner = Pick<MessageOwner, 'tls' | 'line'>;

/**
 * An incoming TLS connection was not verified by us: messages that need verification, above all with credentials, do
 * not use it (RFC 5923, 9).
 */
const carries = (connection: Connection, tls: TlsSettings | null): boolean =>
  connection.isOurs ? connection.tls === tls : connection.transport === 'TCP' || tls?.verify === 'SKIP';

const placeOf = ({ address, port }: SipTarget): string => `${address} ${port}`;
const peerKey = ({ transport, address, port }: SipTarget): string => `${transport} ${address} ${port}`;
