/** An engine on virtual time whose connections are arrays: tests open, feed and break them. */
import type {
  OpenFigures,
  Stream,
  StreamHandler,
  StreamPort,
  StreamTarget,
  StreamTransport,
  TlsSettings,
} from '../../net/text/stream-port.ts';
import { VirtualEngine } from './virtual.ts';

const OPENED: OpenFigures = { connectMs: 3, tlsMs: Number.NaN, tls: '' };

export class VirtualStream implements Stream {
  readonly localPort = 40_000;
  readonly transport: StreamTransport;
  readonly address: string;
  readonly port: number;
  backlogBytes = 0;
  handler: StreamHandler | null = null;
  /** What was written, one entry a write. */
  readonly sent: { readonly atMs: number; readonly text: string }[] = [];
  ended = false;
  readonly #nowMs: () => number;

  constructor(target: StreamTarget, nowMs: () => number) {
    this.transport = target.transport;
    this.address = target.address;
    this.port = target.port;
    this.#nowMs = nowMs;
  }

  write(text: string): void {
    this.sent.push({ atMs: this.#nowMs(), text });
  }

  end(): void {
    this.ended = true;
  }

  destroy(): void {
    this.ended = true;
  }
}

export class VirtualStreams implements StreamPort {
  readonly port = 5060;
  readonly tlsPort = 0;
  readonly counters = { turnedAway: 0, handshakesFailed: 0 };
  readonly needsLoop = false;
  readonly virtual: VirtualEngine;
  /** Those that the engine opened. */
  readonly opened: VirtualStream[] = [];

  constructor() {
    this.virtual = new VirtualEngine({}, 1000, this);
  }

  /** The last connection that the engine opened. */
  get last(): VirtualStream {
    const stream = this.opened.at(-1);
    if (stream === undefined) throw new Error('no connection was opened');
    return stream;
  }

  async listenTls(): Promise<void> {
    return;
  }

  connect(target: StreamTarget, _tls: TlsSettings | null, handler: StreamHandler): Stream {
    const stream = new VirtualStream(target, () => this.virtual.nowMs);
    stream.handler = handler;
    this.opened.push(stream);
    return stream;
  }

  poll(): number {
    return 0;
  }

  flush(): void {
    return;
  }

  close(): void {
    return;
  }

  /** A peer connects from that address. */
  accept(address: string, port: number, transport: StreamTransport = 'TCP'): VirtualStream {
    const stream = new VirtualStream({ transport, address, port }, () => this.virtual.nowMs);
    stream.handler = this.virtual.accept(stream);
    return stream;
  }

  open(stream: VirtualStream): void {
    stream.handler?.onOpen(this.virtual.nowMs, OPENED);
    this.virtual.engine.turn(this.virtual.nowMs);
  }

  feed(stream: VirtualStream, text: string): void {
    stream.handler?.onText(text, this.virtual.nowMs);
    this.virtual.engine.turn(this.virtual.nowMs);
  }

  shut(stream: VirtualStream, reason: string): void {
    stream.handler?.onClosed(reason, this.virtual.nowMs);
    this.virtual.engine.turn(this.virtual.nowMs);
  }
}
