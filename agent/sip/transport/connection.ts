/**
 * One connection with a peer, over TCP, TLS or a WebSocket: messages that wait for it to open, framing of received data, keep-alives. It
 * is also a target: a response uses the connection of its request (RFC 3261, 18.2.2).
 */

import type { OpenFigures, Stream, StreamHandler } from '../../net/text/stream-port.ts';
import { takeStep } from '../../steps.ts';
import type { SipTarget, SipTransport, TlsSettings } from '../engine.ts';
import { hostPortText } from '../message/uri.ts';
import { Timed, type TimerWheel } from '../timer-wheel.ts';
import {
  CONNECT_LIMIT_MS,
  CONNECTION,
  type ConnectionEvent,
  type ConnectionState,
  IDLE_MS,
  PING_AFTER_MS,
  PONG_LIMIT_MS,
  SLOW_FRAME_MS,
  UNUSED_MS,
  WEB_SOCKET_PING_AFTER_MS,
} from './connection-table.ts';
import { type FrameReader, Framer } from './framer.ts';
import type { Sent } from './sent.ts';
import type { WebSocketLine } from './web-socket-line.ts';
import { WholeMessages } from './whole-messages.ts';

/** What carries its text: a stream, or a WebSocket, which has a ping of its own. */
export type ConnectionText = Pick<Stream, 'localPort' | 'backlogBytes' | 'write' | 'end'> & { ping?(): void };

/** Events of the connection for its owner. */
export interface ConnectionKeeper {
  readonly wheel: TimerWheel;
  /** Bytes of incomplete messages, of all connections together. */
  pendingBytes: number;
  readonly maxPendingBytes: number;
  /** User agents are there that may want a connection we opened. */
  inUse(connection: Connection): boolean;
  onOpened(connection: Connection, figures: OpenFigures, atMs: number): void;
  onMessage(connection: Connection, text: string, atMs: number): void;
  onFault(connection: Connection, reason: string, head: string, atMs: number): void;
  onClosed(connection: Connection, reason: string, atMs: number): void;
}

/** Bytes that a peer may leave unread before it is given up, beside what had waited for the connection to open. */
const MAX_BACKLOG_BYTES = 1 << 20;
const PING = '\r\n\r\n';
const PONG = '\r\n';

/** Whether we opened it; its TLS settings and key in the table of ours; null or '': it has none. */
export type ConnectionKind = {
  readonly isOurs: boolean;
  readonly tls: TlsSettings | null;
  readonly key: string;
  readonly line: WebSocketLine | null;
};

export class Connection extends Timed implements SipTarget, StreamHandler, FrameReader {
  readonly transport: Exclude<SipTransport, 'UDP'>;
  readonly address: string;
  readonly port: number;
  readonly serverName?: string;
  /** Whether we have opened it; otherwise the peer has. */
  readonly isOurs: boolean;
  readonly tls: TlsSettings | null;
  /** Under which it is found, '' if it is the peer's. */
  readonly key: string;
  /** The user agent's line that a WebSocket belongs to; null: it is none. */
  readonly line: WebSocketLine | null;
  stream: ConnectionText | null = null;
  state: ConnectionState = CONNECTION.initial;
  /** To be sent once it is open. */
  waiting: Sent[] = [];
  /** How long a registration over it is valid: its registrar may send us requests only by this connection. */
  keptUntilMs = 0;
  /** When the last SIP message went or came. */
  messageAtMs: number;
  readonly #keeper: ConnectionKeeper;
  readonly #framer: Framer | WholeMessages;
  readonly #opensWithinMs: number;
  readonly #pingAfterMs: number;
  #nowMs: number;
  #spokeAtMs: number;
  #heardAtMs: number;
  /** When the first byte of the incomplete message came; 0: there is none. */
  #frameBeganMs = 0;
  #messages = 0;
  #answersPings: boolean;
  #maxBacklogBytes = MAX_BACKLOG_BYTES;
  /** Its part of the keeper's bytes of unfinished messages. */
  #pendingBytes = 0;

  constructor(keeper: ConnectionKeeper, target: SipTarget, nowMs: number, { isOurs, tls, key, line }: ConnectionKind) {
    super();
    this.#keeper = keeper;
    this.transport = target.transport === 'UDP' ? 'TCP' : target.transport;
    this.address = target.address;
    this.port = target.port;
    if (target.serverName !== undefined) this.serverName = target.serverName;
    this.isOurs = isOurs;
    this.tls = tls;
    this.key = key;
    this.line = line;
    this.#framer = line === null ? new Framer(this) : new WholeMessages(this);
    // Every WebSocket answers a ping (RFC 6455, 5.5.2).
    this.#answersPings = line !== null;
    const maxMs = line === null ? PING_AFTER_MS : WEB_SOCKET_PING_AFTER_MS;
    this.#pingAfterMs = maxMs * (0.8 + 0.2 * Math.random());
    this.#nowMs = nowMs;
    this.#spokeAtMs = nowMs;
    this.#heardAtMs = nowMs;
    this.messageAtMs = nowMs;
    this.#opensWithinMs = target.connectLimitMs ?? CONNECT_LIMIT_MS;
    keeper.wheel.set(this, nowMs + (isOurs ? this.#opensWithinMs : SLOW_FRAME_MS));
  }

  /** `TCP to 192.0.2.1`, `WSS to pbx.example (192.0.2.1:443)`, as a sentence begins. */
  get place(): string {
    const { transport, address, port, serverName, line } = this;
    if (line === null) return `${transport} to ${address}`;
    const at = hostPortText(address, port);
    return `${transport} to ${serverName === undefined ? at : `${serverName} (${at})`}`;
  }

  get localPort(): number {
    return this.stream?.localPort ?? 0;
  }

  get isOpen(): boolean {
    return this.state === 'OPEN' || this.state === 'PINGED';
  }

  get isClosed(): boolean {
    return this.state === 'CLOSED';
  }

  /** Sends a SIP message. False: the peer does not read our data what we send; the connection is given up. */
  write(text: string, atMs: number): boolean {
    this.messageAtMs = atMs;
    return this.#put(text, atMs);
  }

  #put(text: string, atMs: number): boolean {
    if ((this.stream as ConnectionText).backlogBytes > this.#maxBacklogBytes) {
      this.close('the peer does not read our data', atMs);
      return false;
    }
    this.#spokeAtMs = atMs;
    (this.stream as ConnectionText).write(text);
    return true;
  }

  /** The peer has opened it. */
  accept(stream: Stream): void {
    this.stream = stream;
    this.#move('ACCEPTED');
  }

  onOpen(atMs: number, figures: OpenFigures): void {
    if (!this.#move('OPENED')) return;
    this.#spokeAtMs = atMs;
    this.#heardAtMs = atMs;
    for (const { text } of this.waiting) this.#maxBacklogBytes += text.length;
    this.#arm();
    this.#keeper.onOpened(this, figures, atMs);
  }

  onText(text: string, atMs: number): void {
    if (!this.isOpen) return;
    this.#nowMs = atMs;
    this.#heardAtMs = atMs;
    if (this.state === 'PINGED' && text.startsWith(PONG) && !text.startsWith(PING)) this.#answersPings = true;
    this.#move('RECEIVED');
    const before = this.#messages;
    this.#framer.push(text);
    if (!this.isOpen) return;
    const pending = this.#framer.pendingBytes;
    this.#countPending(pending);
    if (pending === 0) this.#frameBeganMs = 0;
    else if (this.#frameBeganMs === 0 || this.#messages > before) this.#frameBeganMs = atMs;
    if (this.#keeper.pendingBytes > this.#keeper.maxPendingBytes)
      this.close('too much data of unfinished messages', atMs);
    else this.#arm();
  }

  onMessage(text: string): void {
    this.#messages++;
    this.messageAtMs = this.#nowMs;
    this.#keeper.onMessage(this, text, this.#nowMs);
  }

  /** The end that opened the connection pings, the other answers (RFC 5626, 4.4.1); some servers of WebSockets ping, too. */
  onPing(): void {
    if ((!this.isOurs || this.line !== null) && this.isOpen) this.#put(PONG, this.#nowMs);
  }

  onFault(reason: string, head: string): void {
    this.#keeper.onFault(this, reason, head, this.#nowMs);
    this.close(reason, this.#nowMs);
  }

  onClosed(reason: string, atMs: number): void {
    const isCut = this.#framer.pendingBytes > 0;
    this.#over('CLOSE', reason || (isCut ? 'closed in the middle of a message' : ''), atMs);
  }

  /** Closes it cleanly: written data are sent first. */
  close(reason: string, atMs: number): void {
    this.#over('CLOSE', reason, atMs);
  }

  override onDue(nowMs: number): void {
    if (this.state === 'CONNECTING') {
      this.#over('LIMIT', `not connected within ${this.#opensWithinMs / 1000} s`, nowMs);
    } else if (this.state === 'PINGED') {
      // A peer that has never answered a ping may not support them: no answer is required.
      if (this.#answersPings) this.#over('LIMIT', 'no answer to a keep-alive within 10 s', nowMs);
      else this.#move('RECEIVED');
    } else if (this.#frameBeganMs !== 0 && nowMs >= this.#frameBeganMs + SLOW_FRAME_MS) {
      this.#over('LIMIT', 'a message was not complete within 32 s', nowMs);
    } else if (nowMs >= this.#idleAtMs()) {
      if (this.isOurs && this.#keeper.inUse(this) && nowMs < this.#unusedAtMs()) this.#ping(nowMs);
      else this.#over('LIMIT', '', nowMs);
    }
    this.#arm();
  }

  #ping(nowMs: number): void {
    if (this.stream?.ping !== undefined) {
      this.#spokeAtMs = nowMs;
      this.stream.ping();
      this.#move('PING');
    } else if (this.#put(PING, nowMs)) this.#move('PING');
  }

  /** When a connection that we opened counts as unused, ignoring pings. It is reopened on demand. */
  #unusedAtMs(): number {
    return Math.max(this.messageAtMs + IDLE_MS, this.keptUntilMs);
  }

  /** When to stop waiting or, for a connection that we opened, when the next ping is due. */
  #idleAtMs(): number {
    if (!this.isOurs) return this.#heardAtMs + (this.#messages > 0 ? IDLE_MS : SLOW_FRAME_MS);
    return this.#spokeAtMs + (this.#keeper.inUse(this) ? this.#pingAfterMs : UNUSED_MS);
  }

  #arm(): void {
    if (!this.isOpen) return;
    const idleAtMs = this.#idleAtMs();
    const frameEndMs = this.#frameBeganMs === 0 ? idleAtMs : this.#frameBeganMs + SLOW_FRAME_MS;
    const dueAtMs = this.state === 'PINGED' ? this.#spokeAtMs + PONG_LIMIT_MS : Math.min(idleAtMs, frameEndMs);
    this.#keeper.wheel.set(this, dueAtMs);
  }

  #over(event: ConnectionEvent, reason: string, atMs: number): void {
    if (!this.#move(event)) return;
    this.#keeper.wheel.clear(this);
    this.#countPending(0);
    this.#framer.stop();
    this.stream?.end();
    this.#keeper.onClosed(this, reason, atMs);
  }

  #countPending(bytes: number): void {
    this.#keeper.pendingBytes += bytes - this.#pendingBytes;
    this.#pendingBytes = bytes;
  }

  #move(event: ConnectionEvent): boolean {
    const next = takeStep('connection', CONNECTION.transitions, this.state, event);
    if (next === null) return false;
    this.state = next;
    return true;
  }
}
