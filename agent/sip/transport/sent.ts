/** Sent messages, reported once the kernel has them. */
import type { ConnectionOpened, SipTransport, TlsSettings, Traffic, TrafficObserver } from '../engine.ts';
import type { WebSocketLine } from './web-socket-line.ts';

/** The owner of a message's traffic. A user agent that closes puts a deaf observer in its place. */
export type MessageOwner = {
  traffic: TrafficObserver;
  /** The URI of our Contact where requests go by this transport; the user agent's is that from now on. */
  reachedBy?(transport: SipTransport): string;
  /** How its connections speak TLS. */
  readonly tls?: TlsSettings | null;
  /** Its way over WebSockets; absent: it has none. */
  readonly line?: WebSocketLine | null;
  onConnectionOpened?(opened: ConnectionOpened): void;
  /** The host's policy has prevented a message of it from being sent there. */
  onForbidden?(method: string, status: number, address: string): void;
  /** Its place in transactions that only wait for repetitions: these do not keep a user agent that has closed in memory. */
  readonly standIn?: MessageOwner;
};

/** Wants to know when the first byte was written. */
export interface SendListener {
  /** `waitedMs`: of it, for a connection to open. */
  onSent(atMs: number, waitedMs: number): void;
}

/** The owner of messages that belong to no user agent. */
export const NOBODY: MessageOwner = { traffic: { onMessage: () => undefined } };

export class Sent implements Traffic {
  direction = 'SENT' as const;
  atMs = 0;
  method = '';
  status = 0;
  reason = '';
  retransmission = false;
  callId = '';
  transport: SipTransport = 'UDP';
  peerAddress = '';
  peerPort = 0;
  localPort = 0;
  text = '';
  /** The instant since which it waits for a connection to open; 0: it does not wait. */
  waitsFromMs = 0;
  owner: MessageOwner = NOBODY;
  listener: SendListener | null = null;
}
