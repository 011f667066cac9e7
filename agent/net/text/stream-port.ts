/**
 * TCP and TLS connections that carry text of one character a byte: what SIP speaks through beside datagrams. Events are
 * gathered as the event loop brings them and handed over by `poll`, with the time at which they came.
 */
import type { Secret } from '@carillon/proto/secret.ts';
import type { Libc } from '../libc.ts';

export type StreamTransport = 'TCP' | 'TLS';

/** How TLS is spoken as a client; everything in PEM. The words are explained in agent/sip/engine.ts. */
export type TlsSettings = {
  readonly verify: 'SYSTEM' | 'CUSTOM' | 'SKIP';
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: Secret;
};

export type StreamTarget = {
  readonly transport: StreamTransport;
  /** Numeric. */
  readonly address: string;
  readonly port: number;
  /** The domain asked for, for SNI and the check of the certificate; absent: the address. */
  readonly serverName?: string;
};

/** What opening took: connect from the first SYN on, the TLS handshake from then on, NaN over TCP. `tls` names version and cipher. */
export type OpenFigures = { readonly connectMs: number; readonly tlsMs: number; readonly tls: string };

/** Hears of one stream, only in `poll`. After onClosed nothing comes any more. */
export interface StreamHandler {
  onOpen(atMs: number, figures: OpenFigures): void;
  onText(text: string, atMs: number): void;
  /** `reason`: what went wrong, '' if the peer or we closed in good order. */
  onClosed(reason: string, atMs: number): void;
}

export interface Stream {
  readonly transport: StreamTransport;
  /** The peer's. */
  readonly address: string;
  readonly port: number;
  /** Ours; 0 before it is open. */
  readonly localPort: number;
  /** Bytes that the kernel has not taken yet. */
  readonly backlogBytes: number;
  /** Goes out with the next flush; before the stream is open, nothing may be written. */
  write(text: string): void;
  /** Closes once everything that was written has gone. */
  end(): void;
  /** Closes at once. */
  destroy(): void;
}

/** Somebody connected to us (over TLS: and shook hands). Null: the connection is not wanted, the stream is destroyed. */
export type AcceptHandler = (stream: Stream, atMs: number) => StreamHandler | null;

export type StreamPortOptions = {
  /** Numeric address to listen on and to connect from. */
  readonly address: string;
  readonly port: number;
  /** Streams that others opened; one more when so many are open is turned away. */
  readonly mostIncoming: number;
  readonly onAccepted: AcceptHandler;
  /** libc after its self-test: TCP goes by system calls where it is given. */
  readonly libc?: Libc;
};

export interface StreamPort {
  readonly port: number;
  /** Port of the TLS listener, 0 while there is none. */
  readonly tlsPort: number;
  /** Turned away because too many were open, and TLS handshakes that others began and did not finish. */
  readonly counters: Readonly<{ turnedAway: number; handshakesFailed: number }>;
  /** Is anything awaited that comes only by the event loop: TLS, or a connection that opens or closes? */
  readonly needsLoop: boolean;
  /** Rejects if the port is not available. PEM. */
  listenTls(port: number, certificate: string, key: Secret): Promise<void>;
  connect(target: StreamTarget, tls: TlsSettings | null, handler: StreamHandler): Stream;
  /** Hands over what has come; the number of events. */
  poll(): number;
  flush(): void;
  close(): void;
}
