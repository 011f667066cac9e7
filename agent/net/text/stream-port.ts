/**
 * TCP and TLS connections that carry text of one character per byte, for SIP. Events are collected from the event loop
 * and delivered by `poll`, with their times.
 */
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Libc } from '../libc.ts';

export type StreamTransport = 'TCP' | 'TLS';

/**
 * How TLS is spoken as a client; everything in PEM. SYSTEM: servers need a certificate of an authority that the host trusts, CUSTOM: of one in
 * `ca`, and for the right domain (RFC 5922). SKIP: no verification. `certificate` and `key` are ours, for servers that ask.
 */
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
  /** The requested domain, for SNI and certificate verification; absent: the address. */
  readonly serverName?: string;
};

/**
 * Duration of opening: TCP connect from the first SYN, then the TLS handshake, NaN over TCP. `tls` names version and
 * cipher.
 */
export type OpenFigures = { readonly connectMs: number; readonly tlsMs: number; readonly tls: string };

/** Events of one stream, only in `poll`. onClosed is the last event. */
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
  /** Local port; 0 until it is open. */
  readonly localPort: number;
  /** Bytes that the kernel has not accepted yet. */
  readonly backlogBytes: number;
  /** Sent with the next flush; must not be called before the stream is open. */
  write(text: string): void;
  /** Closes once all written data have been sent. */
  end(): void;
  /** Closes immediately. */
  destroy(): void;
}

/** An incoming connection (over TLS: after the handshake). Null: it is refused, and the stream is destroyed. */
export type AcceptHandler = (stream: Stream, atMs: number) => StreamHandler | null;

export type StreamPortOptions = {
  /** Numeric address to listen on and to connect from. */
  readonly address: string;
  readonly port: number;
  /** Maximum number of incoming streams; further ones are refused. */
  readonly maxIncoming: number;
  readonly onAccepted: AcceptHandler;
  /** `libc` after its self-test: TCP goes by system calls where it is given. */
  readonly libc?: Libc;
};

export interface StreamPort {
  readonly port: number;
  /** Port of the TLS listener, 0 if there is none. */
  readonly tlsPort: number;
  /** Refused because too many were open, and incoming TLS handshakes that did not complete. */
  readonly counters: Readonly<{ turnedAway: number; handshakesFailed: number }>;
  /** Is anything awaited that comes only by the event loop: TLS, or a connection that opens or closes? */
  readonly needsLoop: boolean;
  /** Rejects if the port is not available. PEM. */
  listenTls(port: number, certificate: string, key: Secret): Promise<void>;
  connect(target: StreamTarget, tls: TlsSettings | null, handler: StreamHandler): Stream;
  /** Delivers events; returns their number. */
  poll(): number;
  flush(): void;
  close(): void;
}
