/**
 * A user agent's connection to its server: resolves it (RFC 3263), opens a WebSocket on demand, tries the next server
 * on failure, and reports what is lost with a connection.
 */
import { isIP } from 'node:net';
import type { ConnectionOpened, SipLocator, SipTarget, SipTransport, TlsSettings } from '../../engine.ts';
import { DEFAULT_PORTS } from '../../locate/transport-choice.ts';
import { isEnding } from '../../message/methods.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { hostPortText, parseUri } from '../../message/uri.ts';
import type { TimerWheel } from '../../timer-wheel.ts';
import type { Loss } from '../stack.ts';
import { SipWebSocket } from './web-socket.ts';

export interface LineOwner {
  onOpened(opened: ConnectionOpened): void;
  onLocated(tookMs: number): void;
  /** A server could not be reached, and the next one is tried. */
  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void;
  onSent(text: string, atMs: number, target: SipTarget): void;
  onText(text: string, atMs: number, target: SipTarget): void;
  /** The policy of by now does not let it go there. */
  onForbidden(message: SipMessage, address: string): void;
  /** No server could be reached, or the connection broke: pending requests will not be answered. */
  onLost(loss: Loss, atMs: number): void;
}

/** The common parts of an engine's lines. */
export type LineMaker = {
  readonly localAddress: string;
  readonly wheel: TimerWheel;
  readonly clock: () => number;
  readonly locator: SipLocator | null;
  /** By the policy of now; a name is asked about before it is looked up. */
  maySend(isEnding: boolean, address: string): boolean;
  mayName(host: string): boolean;
  wake(socket: SipWebSocket): void;
};

export type LineOptions = {
  /** Destination; null: the servers of the host of `uri`, regardless of its transport. */
  readonly targets: readonly SipTarget[] | null;
  readonly uri: string;
  readonly protocol: WebSocketTransport;
  /** Of the server's resource. */
  readonly path: string;
  readonly tls: TlsSettings | null;
};

export type WebSocketTransport = Extract<SipTransport, 'WS' | 'WSS'>;

const MAX_WAITING = 256;

export class Line {
  readonly #maker: LineMaker;
  readonly #options: LineOptions;
  readonly #owner: LineOwner;
  #socket: SipWebSocket | null = null;
  /** Servers that are left to try. */
  #left: SipTarget[] = [];
  #isSeeking = false;
  #isOpen = false;
  #isClosed = false;
  readonly #waiting: string[] = [];

  constructor(maker: LineMaker, options: LineOptions, owner: LineOwner) {
    this.#maker = maker;
    this.#options = options;
    this.#owner = owner;
  }

  /** False: it is lost immediately. Events of the owner report a server that must be resolved or connected first. */
  send(text: string): boolean {
    if (this.#isClosed) return false;
    if (this.#isOpen && this.#socket !== null) return this.#pass(text, this.#socket);
    if (this.#waiting.length === MAX_WAITING) return false;
    this.#waiting.push(text);
    if (!this.#isSeeking && this.#socket === null) this.#seek();
    // An immediate failure has been reported, and nothing is pending.
    return this.#isSeeking || this.#socket !== null;
  }

  /** Permanent: no more events, no more connections. */
  close(): void {
    this.#isClosed = true;
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#waiting.length = 0;
    socket?.close();
  }

  /** The policy is checked each time: it may have changed since the connection was opened. */
  #pass(text: string, socket: SipWebSocket): boolean {
    const { address } = socket.target;
    const message = parseMessage(text);
    if (message === null || this.#maker.maySend(isEnding(message.method, text), address)) return socket.send(text);
    this.#owner.onForbidden(message, address);
    return false;
  }

  #seek(): void {
    const { targets, uri, protocol } = this.#options;
    const { locator, clock } = this.#maker;
    this.#isSeeking = true;
    const server = parseUri(uri);
    const { host, port } = typeof server === 'string' ? { host: '', port: 0 } : server;
    if (targets !== null) this.#try(targets, '');
    else if (isIP(host) !== 0) {
      this.#try([{ transport: protocol, address: host, port: port || DEFAULT_PORTS[protocol] }], '');
    } else if (locator === null || host === '') {
      this.#lose({ kind: 'TRANSPORT', reason: `${uri} needs DNS, which is not configured here` });
    } else if (!this.#maker.mayName(host)) {
      this.#lose({ kind: 'POLICY', reason: `the policy of this host forbids the domain ${host}` });
    } else {
      const beganAtMs = clock();
      // The operator sets the protocol; NAPTR and SRV records describe the server only.
      locator.locate(
        `sip:${port === 0 ? host : hostPortText(host, port)}`,
        (found) => {
          if (this.#isClosed) return;
          this.#owner.onLocated(clock() - beganAtMs);
          if (typeof found === 'string') this.#lose({ kind: 'DNS', reason: found });
          else this.#try(found, `no server of ${host}`);
        },
        [protocol],
      );
    }
  }

  #try(targets: readonly SipTarget[], reason: string): void {
    this.#left = [...targets];
    this.#tryNext(reason);
  }

  #tryNext(reason: string): void {
    if (this.#isClosed) return;
    const target = this.#left.shift();
    if (target === undefined) this.#lose({ kind: 'TRANSPORT', reason });
    else if (target.transport !== 'WS' && target.transport !== 'WSS')
      this.#lose({
        kind: 'TRANSPORT',
        reason: `${target.transport} to ${target.address}: WebSocket endpoints speak WS and WSS`,
      });
    else if (!this.#maker.maySend(false, target.address))
      this.#lose({ kind: 'POLICY', reason: `the policy of this host forbids ${target.address}` });
    else this.#open(target);
  }

  #open(target: SipTarget): void {
    const { tls, path } = this.#options;
    const { localAddress, wheel } = this.#maker;
    try {
      const socket: SipWebSocket = new SipWebSocket(
        target,
        { path, tls, localAddress, wheel, wake: (one) => this.#maker.wake(one) },
        {
          onOpen: (opened) => {
            if (this.#socket !== socket) return;
            this.#isOpen = true;
            this.#isSeeking = false;
            this.#owner.onOpened(opened);
            for (const text of this.#waiting.splice(0)) this.#pass(text, socket);
          },
          onSent: (text, atMs) => this.#owner.onSent(text, atMs, target),
          onText: (text, atMs) => this.#owner.onText(text, atMs, target),
          onClosed: (reason, atMs) => this.#closed(socket, target, reason, atMs),
        },
      );
      this.#socket = socket;
    } catch (error) {
      this.#lose({ kind: 'TRANSPORT', reason: (error as Error).message });
    }
  }

  #closed(socket: SipWebSocket, target: SipTarget, reason: string, atMs: number): void {
    if (this.#socket !== socket) return;
    const why = `${placeOf(target)}: ${reason}`;
    const next = this.#isOpen ? undefined : this.#left[0];
    this.#socket = null;
    this.#isOpen = false;
    if (next === undefined) this.#lose({ kind: 'TRANSPORT', reason: why });
    else {
      this.#owner.onFailover(target, next, why, atMs);
      this.#tryNext(why);
    }
  }

  #lose(loss: Loss): void {
    this.#isSeeking = false;
    this.#left = [];
    this.#waiting.length = 0;
    this.#owner.onLost(loss, this.#maker.clock());
  }
}

/** `WSS to pbx.example (192.0.2.1:443)`, as a sentence begins. */
function placeOf({ transport, address, port, serverName }: SipTarget): string {
  const at = hostPortText(address, port);
  return `${transport} to ${serverName === undefined ? at : `${serverName} (${at})`}`;
}
