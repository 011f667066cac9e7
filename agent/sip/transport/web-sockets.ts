/**
 * SIP over WebSockets (RFC 7118), as streams whose texts are whole messages, one character a byte. We are the client: a peer's
 * requests come over the connections that we opened. What happens is collected from the event loop with its time, and
 * delivered by `poll`.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import WebSocket, { type RawData } from 'ws';
import type { OpenFigures, StreamHandler } from '../../net/text/stream-port.ts';
import { clientOptions } from '../../net/text/tls-client.ts';
import type { SipTarget, TlsSettings } from '../engine.ts';
import { hostPortText } from '../message/uri.ts';
import type { ConnectionText } from './connection.ts';
import { handshakeFault, SUBPROTOCOL, subprotocolFault, upgradeFault } from './handshake.ts';

/** Largest message of the peer: the limit of one over TCP, too. */
const MAX_BYTES = 128 << 10;
const HANDSHAKE_MS = 10_000;
/** Text of one connection that may wait for `poll`: above it the connection is not read. */
const MAX_WAITING_BYTES = 64 << 10;
/** What a peer may leave unread of answers to its pings. */
const MAX_BACKLOG_BYTES = 1 << 20;

type Happening = (atMs: number) => void;

export class WebSockets {
  readonly #localAddress: string;
  readonly clock: () => number;
  readonly #open = new Set<WebSocketWire>();
  readonly #written: WebSocketWire[] = [];
  #happened: { readonly atMs: number; readonly what: Happening }[] = [];

  constructor(localAddress: string, clock: () => number) {
    this.#localAddress = localAddress;
    this.clock = clock;
  }

  get needsLoop(): boolean {
    return this.#open.size > 0;
  }

  /** `path` begins with '/'. What cannot be started is told as closed. */
  connect(target: SipTarget, path: string, tls: TlsSettings | null, handler: StreamHandler): ConnectionText {
    const wire = new WebSocketWire(this, handler);
    this.#open.add(wire);
    try {
      wire.start(target, path, tls, this.#localAddress);
    } catch (error) {
      // A key or a certificate that cannot be read.
      wire.over((error as Error).message);
    }
    return wire;
  }

  /** Delivers events; returns their number. */
  poll(): number {
    const batch = this.#happened;
    if (batch.length > 0) this.#happened = [];
    for (const { atMs, what } of batch) what(atMs);
    return batch.length;
  }

  flush(): void {
    if (this.#written.length === 0) return;
    for (const wire of this.#written.splice(0)) wire.flush();
  }

  close(): void {
    this.flush();
    for (const wire of [...this.#open]) wire.end();
    this.#happened = [];
  }

  note(what: Happening): void {
    this.#happened.push({ atMs: this.clock(), what });
  }

  noteWritten(wire: WebSocketWire): void {
    this.#written.push(wire);
  }

  remove(wire: WebSocketWire): void {
    this.#open.delete(wire);
  }
}

class WebSocketWire implements ConnectionText {
  localPort = 0;
  readonly #owner: WebSockets;
  #handler: StreamHandler | null;
  #socket: WebSocket | null = null;
  readonly #toWrite: string[] = [];
  #waitingBytes = 0;
  #isOver = false;

  constructor(owner: WebSockets, handler: StreamHandler) {
    this.#owner = owner;
    this.#handler = handler;
  }

  get backlogBytes(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** Throws if keys or authorities cannot be read. */
  start(target: SipTarget, path: string, tls: TlsSettings | null, localAddress: string): void {
    const { address, port, serverName } = target;
    const isSecure = target.transport === 'WSS';
    const family = address.includes(':') ? 6 : 4;
    const host = serverName === undefined ? hostPortText(address, port) : `${serverName}:${port}`;
    const { clock } = this.#owner;
    const began = clock();
    const times = { connectedMs: Number.NaN, securedMs: Number.NaN };
    const socket = new WebSocket(`${isSecure ? 'wss' : 'ws'}://${host}${path}`, [SUBPROTOCOL], {
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
            times.connectedMs = clock();
          });
          raw.once('secureConnect', () => {
            times.securedMs = clock();
          });
        });
        request.end();
      },
    });
    this.#socket = socket;
    // The server's first error; 'close' follows without details.
    let reason = '';
    socket.on('upgrade', (response) => {
      reason = subprotocolFault(response.headers['sec-websocket-protocol']) ?? '';
      response.socket.setNoDelay(true);
      this.localPort = response.socket.localPort ?? 0;
      const figures = figuresOf(response.socket, isSecure, began, times);
      socket.once('open', () => this.#owner.note((atMs) => this.#handler?.onOpen(atMs, figures)));
    });
    socket.on('unexpected-response', (_request, response) => {
      reason = upgradeFault(response.statusCode ?? 0, response.headers, path);
      socket.terminate();
    });
    socket.on('message', (data) => this.#received(textOf(data)));
    socket.on('ping', (data) => this.#answer(socket, data));
    // The pong of RFC 5626, 4.4.1, whose place this one takes (RFC 7118, 6).
    socket.on('pong', () => this.#owner.note((atMs) => this.#handler?.onText('\r\n', atMs)));
    socket.on('error', (error) => {
      reason ||= handshakeFault(error);
    });
    socket.on('close', (code) => this.over(reason || (code === 1000 ? '' : `closed by the peer (${code})`)));
  }

  write(text: string): void {
    if (this.#toWrite.push(text) === 1) this.#owner.noteWritten(this);
  }

  ping(): void {
    this.#socket?.ping();
  }

  flush(): void {
    const socket = this.#socket;
    for (const text of this.#toWrite.splice(0)) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(Buffer.from(text, 'latin1'), { binary: !isUtf8(text) });
    }
  }

  end(): void {
    this.flush();
    this.#owner.remove(this);
    this.#handler = null;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.close(1000);
    else this.#socket?.terminate();
  }

  over(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#owner.remove(this);
    this.#owner.note((atMs) => this.#handler?.onClosed(reason, atMs));
  }

  #received(text: string): void {
    this.#waitingBytes += text.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#socket?.pause();
    this.#owner.note((atMs) => {
      this.#waitingBytes -= text.length;
      if (this.#waitingBytes === 0 && this.#socket?.isPaused) this.#socket.resume();
      this.#handler?.onText(text, atMs);
    });
  }

  /** A peer that pings and reads no answers is not served. */
  #answer(socket: WebSocket, data: Buffer): void {
    if (socket.bufferedAmount <= MAX_BACKLOG_BYTES) {
      if (socket.readyState === WebSocket.OPEN) socket.pong(data);
      return;
    }
    socket.pause();
    socket.terminate();
    this.over('the peer does not read our data');
  }
}

function figuresOf(
  raw: Socket,
  isSecure: boolean,
  beganMs: number,
  { connectedMs, securedMs }: { readonly connectedMs: number; readonly securedMs: number },
): OpenFigures {
  const connectMs = connectedMs - beganMs;
  if (!isSecure) return { connectMs, tlsMs: Number.NaN, tls: '' };
  const secured = raw as TLSSocket;
  return {
    connectMs,
    tlsMs: securedMs - connectedMs,
    tls: `${secured.getProtocol() ?? ''} ${secured.getCipher()?.name ?? ''}`,
  };
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
