/**
 * Streams over node:net and node:tls. Their callbacks only record events and times. If libc is available, they only
 * open and close TCP connections (stream-ffi.ts).
 */
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Secret } from '@carillon/proto/base/secret.ts';
import { nowMs } from '../../clock.ts';
import { latin1Buffer } from '../datagrams/latin1.ts';
import { connectionFault } from './connection-fault.ts';
import { FfiStreams, type StreamReader } from './stream-ffi.ts';
import type {
  OpenFigures,
  Stream,
  StreamHandler,
  StreamPort,
  StreamPortOptions,
  StreamTarget,
  StreamTransport,
  TlsSettings,
} from './stream-port.ts';
import { clientOptions } from './tls-client.ts';

/** Text of one stream that may wait for `poll`: above it the stream is not read. */
const MAX_WAITING_BYTES = 64 << 10;
const HANDSHAKE_MS = 10_000;
const BACKLOG = 511;
const PLAIN: OpenFigures = { connectMs: Number.NaN, tlsMs: Number.NaN, tls: '' };

type Happening = (atMs: number) => void;

/** Listens for TCP; rejects with what failed and why. */
export async function openStreamPort(options: StreamPortOptions): Promise<StreamPort> {
  const port = new NodeStreamPort(options);
  await port.listen();
  return port;
}

class NodeStreamPort implements StreamPort {
  port = 0;
  tlsPort = 0;
  readonly counters = { turnedAway: 0, handshakesFailed: 0 };
  readonly #options: StreamPortOptions;
  readonly #servers: Server[] = [];
  readonly #open = new Set<NodeStream>();
  #happened: { readonly atMs: number; readonly what: Happening }[] = [];
  readonly #written: NodeStream[] = [];
  /** What the kernel has not taken whole. */
  #stuck: NodeStream[] = [];
  #incoming = 0;
  /** Null: the event loop reads and writes TCP, too. */
  readonly direct: FfiStreams | null;
  /** Streams that are heard of by system calls. */
  directly = 0;

  constructor(options: StreamPortOptions) {
    this.#options = options;
    this.direct = options.libc === undefined ? null : new FfiStreams(options.libc);
  }

  get needsLoop(): boolean {
    return this.#open.size > this.directly || this.direct?.knocked === true;
  }

  async listen(): Promise<void> {
    const pauseOnConnect = this.direct !== null;
    const server = createServer({ noDelay: true, pauseOnConnect }, (socket) => this.#accept('TCP', socket));
    this.port = await this.#bind(server, this.#options.port);
  }

  async listenTls(port: number, certificate: string, key: Secret): Promise<void> {
    if (this.tlsPort !== 0) return;
    const server = createTlsServer(
      { cert: certificate, key: key.reveal(), handshakeTimeout: HANDSHAKE_MS, noDelay: true },
      (socket) => this.#accept('TLS', socket),
    );
    server.maxConnections = this.#options.maxIncoming;
    server.on('tlsClientError', () => this.counters.handshakesFailed++);
    server.on('drop', () => this.counters.turnedAway++);
    this.tlsPort = await this.#bind(server, port);
  }

  connect(target: StreamTarget, tls: TlsSettings | null, handler: StreamHandler): Stream {
    const stream = new NodeStream(this, target.transport, target.address, target.port, handler);
    const where = { host: target.address, port: target.port, localAddress: this.#options.address };
    const beganMs = nowMs();
    try {
      if (target.transport === 'TCP') {
        const socket = connectTcp({ ...where, noDelay: true });
        if (this.direct !== null) socket.pause();
        socket.once('connect', () => stream.opened({ ...PLAIN, connectMs: nowMs() - beganMs }));
        stream.bind(socket);
      } else {
        const socket = connectTls({ ...where, ...clientOptions(tls, target.serverName) });
        let connectMs = Number.NaN;
        socket.once('connect', () => {
          socket.setNoDelay(true);
          connectMs = nowMs() - beganMs;
        });
        socket.once('secureConnect', () => {
          stream.opened({ connectMs, tlsMs: nowMs() - beganMs - connectMs, tls: cipherOf(socket) });
        });
        stream.bind(socket);
      }
    } catch (error) {
      // A key or a certificate that cannot be read.
      stream.fail(error instanceof Error ? error.message : String(error));
    }
    return stream;
  }

  poll(): number {
    const stuck = this.#stuck;
    if (stuck.length > 0) {
      this.#stuck = [];
      for (const stream of stuck) stream.flush();
    }
    const batch = this.#happened;
    if (batch.length > 0) this.#happened = [];
    for (const { atMs, what } of batch) what(atMs);
    return batch.length + (this.direct?.poll() ?? 0);
  }

  flush(): void {
    if (this.#written.length === 0) return;
    for (const stream of this.#written) stream.flush();
    this.#written.length = 0;
  }

  close(): void {
    this.flush();
    for (const server of this.#servers) server.close();
    for (const stream of [...this.#open]) stream.end();
    this.#happened = [];
    this.direct?.close();
  }

  noteStuck(stream: NodeStream): void {
    this.#stuck.push(stream);
  }

  note(what: Happening): void {
    this.#happened.push({ atMs: nowMs(), what });
  }

  noteWritten(stream: NodeStream): void {
    this.#written.push(stream);
  }

  add(stream: NodeStream): void {
    this.#open.add(stream);
  }

  remove(stream: NodeStream, wasIncoming: boolean): void {
    this.#open.delete(stream);
    if (wasIncoming) this.#incoming--;
  }

  #accept(transport: StreamTransport, socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined || remotePort === undefined || this.#incoming >= this.#options.maxIncoming) {
      this.counters.turnedAway++;
      socket.on('error', () => undefined);
      socket.destroy();
      return;
    }
    this.#incoming++;
    const stream = new NodeStream(this, transport, remoteAddress, remotePort, null);
    stream.bind(socket);
    this.note((atMs) => {
      const handler = this.#options.onAccepted(stream, atMs);
      if (handler === null) stream.destroy();
      else stream.handler = handler;
    });
  }

  #bind(server: Server, port: number): Promise<number> {
    const { address } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        reject(new Error(`cannot listen on ${address} port ${port} for TCP: ${error.message}`, { cause: error }));
      };
      server.once('error', fail);
      server.listen({ host: address, port, ipv6Only: address.includes(':'), backlog: BACKLOG }, () => {
        server.removeListener('error', fail);
        // EMFILE and its like: the peer sees it, and we have counted what we can.
        server.on('error', () => this.counters.turnedAway++);
        this.#servers.push(server);
        this.direct?.watch(server);
        const bound = server.address();
        resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
      });
    });
  }
}

class NodeStream implements Stream, StreamReader {
  readonly transport: StreamTransport;
  readonly address: string;
  readonly port: number;
  localPort = 0;
  handler: StreamHandler | null;
  readonly #owner: NodeStreamPort;
  readonly #wasIncoming: boolean;
  #socket: Socket | null = null;
  #toWrite = '';
  #waitingBytes = 0;
  #reason = '';
  #closed = false;
  /** Where system calls read and write it; -1: the event loop does. */
  #fd = -1;

  constructor(
    owner: NodeStreamPort,
    transport: StreamTransport,
    address: string,
    port: number,
    handler: StreamHandler | null,
  ) {
    this.#owner = owner;
    this.transport = transport;
    this.address = address;
    this.port = port;
    this.handler = handler;
    this.#wasIncoming = handler === null;
  }

  get backlogBytes(): number {
    return this.#toWrite.length + (this.#socket?.writableLength ?? 0);
  }

  bind(socket: Socket): void {
    this.#socket = socket;
    this.localPort = socket.localPort ?? 0;
    this.#owner.add(this);
    if (this.#owner.direct === null || this.transport === 'TLS') socket.on('data', (data) => this.#received(data));
    else if (this.#wasIncoming) this.#takeOver();
    socket.on('error', (error) => {
      this.#reason ||= connectionFault(error);
    });
    socket.once('close', () => this.#noteClosed());
  }

  opened(figures: OpenFigures): void {
    this.localPort = this.#socket?.localPort ?? 0;
    this.#owner.note((atMs) => this.handler?.onOpen(atMs, figures));
    if (this.#owner.direct !== null && this.transport === 'TCP') this.#takeOver();
  }

  onText(text: string, atMs: number): void {
    this.handler?.onText(text, atMs);
  }

  onEnd(reason: string): void {
    this.#reason ||= reason;
    this.#noteClosed();
    this.#socket?.destroy();
  }

  /** The connection could not be started. */
  fail(reason: string): void {
    this.#reason = reason;
    this.#noteClosed();
  }

  write(text: string): void {
    if (this.#closed) return;
    if (this.#toWrite === '') this.#owner.noteWritten(this);
    this.#toWrite += text;
  }

  flush(): void {
    const text = this.#toWrite;
    this.#toWrite = '';
    if (text === '' || this.#closed) return;
    if (this.#fd < 0) {
      this.#socket?.write(text, 'latin1');
      return;
    }
    const taken = (this.#owner.direct as FfiStreams).write(this.#fd, text);
    if (typeof taken === 'string') this.onEnd(taken);
    else if (taken < text.length) {
      this.#toWrite = text.slice(taken);
      this.#owner.noteStuck(this);
    }
  }

  /** What the kernel has not taken by now is left to the event loop. */
  end(): void {
    this.flush();
    this.#release();
    this.flush();
    this.#socket?.destroySoon();
  }

  destroy(): void {
    this.#release();
    this.#socket?.destroy();
  }

  /** Takes the socket from the event loop, which has read none of its data. */
  #takeOver(): void {
    const owner = this.#owner;
    const socket = this.#socket;
    if (owner.direct === null || socket === null || this.#closed) return;
    this.#fd = owner.direct.take(socket, this);
    if (this.#fd >= 0) owner.directly++;
    else socket.on('data', (data) => this.#received(data)).resume();
  }

  #release(): void {
    if (this.#fd < 0) return;
    this.#owner.direct?.release(this.#fd);
    this.#owner.directly--;
    this.#fd = -1;
  }

  #received(data: Buffer): void {
    const text = latin1Buffer(data).latin1Slice(0, data.length);
    this.#waitingBytes += text.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#socket?.pause();
    this.#owner.note((atMs) => {
      this.#waitingBytes -= text.length;
      if (this.#waitingBytes === 0 && this.#socket?.isPaused()) this.#socket.resume();
      this.handler?.onText(text, atMs);
    });
  }

  #noteClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
    this.#owner.remove(this, this.#wasIncoming);
    this.#owner.note((atMs) => {
      this.handler?.onClosed(this.#reason, atMs);
      this.handler = null;
    });
  }
}

function cipherOf(socket: TLSSocket): string {
  return `${socket.getProtocol() ?? ''} ${socket.getCipher().name}`;
}
