/**
 * SIP over one WebSocket (RFC 7118): one message per frame, subprotocol `sip`. Text has one character per byte. Frames
 * are collected with their arrival times and delivered by `poll`, so that the engine's owner decides when they are
 * read.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Machine } from '@carillon/proto/machine.ts';
import WebSocket, { type RawData } from 'ws';
import { nowMs } from '../../../clock.ts';
import { clientOptions } from '../../../net/text/tls-client.ts';
import { takeStep } from '../../../steps.ts';
import type { ConnectionOpened, SipTarget, TlsSettings } from '../../engine.ts';
import { hostPortText } from '../../message/uri.ts';
import { Timed, type TimerWheel } from '../../timer-wheel.ts';
import { handshakeFault, SUBPROTOCOL, subprotocolFault, upgradeFault } from '../../transport/handshake.ts';

/** Largest frame from the peer: the limit for a message over TCP, too. */
const MAX_BYTES = 65_536;
const HANDSHAKE_MS = 10_000;
/** After this long without sending we ping the peer (RFC 6455, 5.5.2); NATs forget TCP much later. */
const PING_MS = 30_000;
const PONG_MS = 10_000;
/** Data that wait for the connection or the kernel. */
const MAX_WAITING = 256;
const MAX_BACKLOG_BYTES = 1 << 20;
const KEEP_ALIVE = '\r\n\r\n';

export type SocketState = 'CONNECTING' | 'OPEN' | 'PINGED' | 'CLOSED';
export type SocketEvent = 'OPENED' | 'PING' | 'PONG' | 'CLOSE';

export const WEB_SOCKET: Machine<SocketState, SocketEvent> = {
  initial: 'CONNECTING',
  finals: ['CLOSED'],
  transitions: {
    CONNECTING: { OPENED: 'OPEN', CLOSE: 'CLOSED' },
    OPEN: { PING: 'PINGED', CLOSE: 'CLOSED' },
    PINGED: { PONG: 'OPEN', CLOSE: 'CLOSED' },
    CLOSED: {},
  },
  heldBy: { CONNECTING: 'TIMER', OPEN: 'TIMER', PINGED: 'TIMER', CLOSED: 'NOBODY' },
};

export interface SocketOwner {
  onOpen(opened: ConnectionOpened): void;
  /** It was handed to the kernel. */
  onSent(text: string, atMs: number): void;
  onText(text: string, atMs: number): void;
  /** Called once, as the last event. `reason`: why, '' if we closed. */
  onClosed(reason: string, atMs: number): void;
}

export type SocketOptions = {
  /** Of the server's resource: '/' at most servers, '/ws' at some. */
  readonly path: string;
  readonly tls: TlsSettings | null;
  readonly localAddress: string;
  readonly wheel: TimerWheel;
  /** Something has happened: `poll` is to be called. */
  readonly wake: (socket: SipWebSocket) => void;
};

export class SipWebSocket extends Timed {
  readonly target: SipTarget;
  #state: SocketState = WEB_SOCKET.initial;
  readonly #owner: SocketOwner;
  readonly #socket: WebSocket;
  readonly #waiting: string[] = [];
  readonly #happened: ((owner: SocketOwner) => void)[] = [];
  readonly #wheel: TimerWheel;
  readonly #wake: (socket: SipWebSocket) => void;
  readonly #beganAtMs = nowMs();
  #connectedAtMs = Number.NaN;
  #sentAtMs = 0;
  #figures: ConnectionOpened | null = null;

  /** Starts to connect; throws if keys or authorities cannot be read. */
  constructor(target: SipTarget, { path, tls, localAddress, wheel, wake }: SocketOptions, owner: SocketOwner) {
    super();
    this.target = target;
    this.#owner = owner;
    this.#wheel = wheel;
    this.#wake = wake;
    const { address, port, serverName } = target;
    const isSecure = target.transport === 'WSS';
    const family = address.includes(':') ? 6 : 4;
    const host = serverName === undefined ? hostPortText(address, port) : `${serverName}:${port}`;
    this.#socket = new WebSocket(`${isSecure ? 'wss' : 'ws'}://${host}${path}`, [SUBPROTOCOL], {
      ...(isSecure ? clientOptions(tls, serverName, 'HTTPS') : {}),
      localAddress,
      // The name was resolved by RFC 3263 already; here it serves only as Host and for the certificate.
      lookup: (_name, options, found) =>
        options.all ? found(null, [{ address, family }]) : found(null, address, family),
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_BYTES,
      perMessageDeflate: false,
      autoPong: false,
      followRedirects: false,
      skipUTF8Validation: true,
      finishRequest: (request) => {
        request.once('socket', (raw) => {
          raw.once('connect', () => {
            this.#connectedAtMs = nowMs();
          });
        });
        request.end();
      },
    });
    this.#listen(path);
  }

  get isClosed(): boolean {
    return this.#state === 'CLOSED';
  }

  get #isOpen(): boolean {
    return this.#state === 'OPEN' || this.#state === 'PINGED';
  }

  /** False: it will never leave. */
  send(text: string): boolean {
    if (this.#state === 'CLOSED') return false;
    if (this.#isOpen) return this.#write(text);
    return this.#waiting.length < MAX_WAITING && this.#waiting.push(text) > 0;
  }

  /** Delivers pending events. */
  poll(): void {
    for (const tell of this.#happened.splice(0)) if (this.#state !== 'CLOSED') tell(this.#owner);
  }

  /** Time for a ping, or for its answer. */
  override onDue(nowMs: number): void {
    if (!this.#isOpen) return;
    const quietUntilMs = this.#sentAtMs + PING_MS;
    if (this.#state === 'PINGED') this.#fail('the peer does not answer pings');
    else if (nowMs < quietUntilMs) this.#wheel.set(this, quietUntilMs);
    else if (this.#move('PING')) {
      this.#socket.ping();
      this.#wheel.set(this, nowMs + PONG_MS);
    }
  }

  /** Closes; onClosed has come when it returns. */
  close(): void {
    if (this.#state === 'CLOSED') return;
    const wasOpen = this.#isOpen;
    this.#move('CLOSE');
    this.#wheel.clear(this);
    if (wasOpen) this.#socket.close(1000);
    else this.#socket.terminate();
    this.#owner.onClosed('', nowMs());
  }

  #listen(path: string): void {
    const socket = this.#socket;
    // The server's first error; 'close' follows without details.
    let reason = '';
    socket.on('upgrade', (response) => {
      reason = subprotocolFault(response.headers['sec-websocket-protocol']) ?? '';
      this.#watch(response.socket as Socket);
    });
    socket.on('unexpected-response', (_request, response) => {
      reason = upgradeFault(response.statusCode ?? 0, response.headers, path);
      socket.terminate();
    });
    socket.on('open', () => this.#note((owner) => this.#opened(owner)));
    socket.on('message', (data) => this.#received(textOf(data)));
    socket.on('ping', (data) => this.#answer((one) => one.pong(data)));
    socket.on('pong', () => {
      if (this.#state === 'PINGED' && this.#move('PONG')) this.#sentAtMs = nowMs();
    });
    socket.on('error', (error) => {
      reason ||= handshakeFault(error);
    });
    socket.on('close', (code) => {
      const why = reason || (code === 1000 ? 'closed by the peer' : `closed by the peer (${code})`);
      this.#note(() => this.#fail(why));
    });
  }

  #watch(raw: Socket): void {
    raw.setNoDelay(true);
    const at = nowMs();
    const connectedAtMs = Number.isNaN(this.#connectedAtMs) ? at : this.#connectedAtMs;
    const isSecure = this.target.transport === 'WSS';
    const tls = isSecure ? (raw as TLSSocket) : null;
    this.#figures = {
      transport: isSecure ? 'TLS' : 'TCP',
      address: this.target.address,
      port: this.target.port,
      atMs: at,
      connectMs: connectedAtMs - this.#beganAtMs,
      tlsMs: isSecure ? at - connectedAtMs : Number.NaN,
      tls: tls === null ? '' : `${tls.getProtocol() ?? ''} ${tls.getCipher()?.standardName ?? ''}`,
    };
  }

  #opened(owner: SocketOwner): void {
    if (!this.#move('OPENED')) return;
    this.#sentAtMs = nowMs();
    this.#wheel.set(this, this.#sentAtMs + PING_MS);
    if (this.#figures !== null) owner.onOpen(this.#figures);
    for (const text of this.#waiting.splice(0)) this.#write(text);
  }

  #received(text: string): void {
    if (text === KEEP_ALIVE) {
      // RFC 5626, 4.4.1.
      this.#answer((one) => one.send('\r\n'));
      return;
    }
    if (text === '\r\n') return;
    this.#note((owner, atMs) => owner.onText(text, atMs));
  }

  /** A ping or a keep-alive: a peer that sends requests but reads no answers is not served. */
  #answer(send: (socket: WebSocket) => void): void {
    if (this.#isOpen && this.#hasRoom()) send(this.#socket);
  }

  /** False: the connection fails. */
  #hasRoom(): boolean {
    if (this.#socket.bufferedAmount <= MAX_BACKLOG_BYTES) return true;
    this.#socket.pause();
    this.#note(() => this.#fail('the peer accepts no more data'));
    return false;
  }

  #write(text: string): boolean {
    if (!this.#hasRoom()) return false;
    this.#socket.send(Buffer.from(text, 'latin1'), { binary: !isUtf8(text) });
    const atMs = nowMs();
    this.#sentAtMs = atMs;
    this.#owner.onSent(text, atMs);
    return true;
  }

  #fail(reason: string): void {
    if (this.#state === 'CLOSED') return;
    this.#move('CLOSE');
    this.#wheel.clear(this);
    this.#socket.terminate();
    this.#owner.onClosed(reason, nowMs());
  }

  #move(event: SocketEvent): boolean {
    const next = takeStep('WebSocket', WEB_SOCKET.transitions, this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }

  #note(tell: (owner: SocketOwner, atMs: number) => void): void {
    const atMs = nowMs();
    if (this.#happened.push((owner) => tell(owner, atMs)) === 1) this.#wake(this);
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('latin1');
  return Buffer.from(data as Buffer).toString('latin1');
}

/** Text frames are UTF-8 (RFC 6455, 5.6); other data go in a binary one (RFC 7118, 4.2). */
function isUtf8(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127)
      return Buffer.from(Buffer.from(text, 'latin1').toString('utf8'), 'utf8').toString('latin1') === text;
  }
  return true;
}
