/** A user agent's WebSocket, as SIP.js wants it: to the servers of its host (RFC 3263), one after the other, by our own sockets. */
import { isIP } from 'node:net';
import type { ConnectionOpened, SipFailure, SipLocator, SipTarget, TlsSettings } from '../../engine.ts';
import { DEFAULT_PORTS } from '../../locate/transport-choice.ts';
import { hostPortText, parseUri } from '../../message/uri.ts';
import type { ConnectionText } from '../../transport/connection.ts';
import type { WebSockets } from '../../transport/web-sockets.ts';
import { EmitterImpl, type Transport, TransportState } from './library.ts';

export type Loss = Pick<SipFailure, 'kind' | 'reason'>;

/** Why a connection could not be opened, or why a message does not leave. */
export class NotSent extends Error {
  readonly loss: Loss;

  constructor(kind: SipFailure['kind'], reason: string) {
    super(reason);
    this.loss = { kind, reason };
  }
}

export interface TransportOwner {
  onOpened(opened: ConnectionOpened): void;
  onLocated(tookMs: number): void;
  onFailover(from: SipTarget, to: SipTarget, reason: string): void;
  /** False: the policy of now forbids it. */
  maySend(text: string, address: string): boolean;
  onSent(text: string, target: SipTarget): void;
  onText(text: string, atMs: number, target: SipTarget): void;
  /** The connection broke, or was closed by the server. */
  onLost(loss: Loss): void;
}

export type TransportOptions = {
  /** Null: the servers of the host of `uri`. */
  readonly targets: readonly SipTarget[] | null;
  readonly uri: string;
  readonly protocol: 'WS' | 'WSS';
  readonly path: string;
  readonly tls: TlsSettings | null;
  readonly sockets: WebSockets;
  readonly clock: () => number;
  readonly locator: SipLocator | null;
  mayReach(address: string): boolean;
  mayName(host: string): boolean;
};

type Open = { readonly wire: ConnectionText; readonly target: SipTarget };

export class SipJsTransport implements Transport {
  readonly protocol: 'WS' | 'WSS';
  readonly stateChange = new EmitterImpl<TransportState>();
  state = TransportState.Disconnected;
  onConnect: (() => void) | undefined;
  onDisconnect: ((error?: Error) => void) | undefined;
  onMessage: ((message: string) => void) | undefined;
  readonly #options: TransportOptions;
  readonly #owner: TransportOwner;
  #connecting: Promise<void> | null = null;
  #open: Open | null = null;
  #isClosed = false;

  constructor(options: TransportOptions, owner: TransportOwner) {
    this.#options = options;
    this.#owner = owner;
    this.protocol = options.protocol;
  }

  isConnected(): boolean {
    return this.#open !== null;
  }

  /** Rejects with NotSent. */
  connect(): Promise<void> {
    if (this.#open !== null) return Promise.resolve();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  disconnect(): Promise<void> {
    this.#open?.wire.end();
    this.#become(null);
    return Promise.resolve();
  }

  /** Permanent. */
  dispose(): Promise<void> {
    this.#isClosed = true;
    return this.disconnect();
  }

  send(text: string): Promise<void> {
    if (this.#open === null) return Promise.reject(new NotSent('TRANSPORT', 'not connected'));
    const { wire, target } = this.#open;
    if (!this.#owner.maySend(text, target.address)) return Promise.reject(new NotSent('POLICY', forbidden(target)));
    wire.write(text);
    this.#owner.onSent(text, target);
    return Promise.resolve();
  }

  async #connect(): Promise<void> {
    const targets = await this.#servers();
    for (const [i, target] of targets.entries()) {
      const next = targets[i + 1];
      if (this.#isClosed) break;
      if (!this.#options.mayReach(target.address)) throw new NotSent('POLICY', forbidden(target));
      const reason = await this.#opened(target);
      if (reason === null) return;
      if (next === undefined) throw new NotSent('TRANSPORT', reason);
      this.#owner.onFailover(target, next, reason);
    }
    throw new NotSent('TRANSPORT', 'the user agent is closed');
  }

  #servers(): Promise<readonly SipTarget[]> {
    const { targets, uri, protocol, locator, clock, mayName } = this.#options;
    if (targets !== null) return Promise.resolve(targets);
    const server = parseUri(uri);
    const { host, port } = typeof server === 'string' ? { host: '', port: 0 } : server;
    if (isIP(host) !== 0)
      return Promise.resolve([{ transport: protocol, address: host, port: port || DEFAULT_PORTS[protocol] }]);
    if (locator === null || host === '')
      throw new NotSent('TRANSPORT', `${uri} needs DNS, which is not configured here`);
    if (!mayName(host)) throw new NotSent('POLICY', `the policy of this host forbids the domain ${host}`);
    const beganAtMs = clock();
    return new Promise((resolve, reject) => {
      // The operator sets the protocol; NAPTR and SRV records describe the server only.
      const done = (found: readonly SipTarget[] | string): void => {
        this.#owner.onLocated(clock() - beganAtMs);
        if (typeof found === 'string') reject(new NotSent('DNS', found));
        else resolve(found);
      };
      locator.locate(`sip:${port === 0 ? host : hostPortText(host, port)}`, done, [protocol]);
    });
  }

  /** Null: it is open. Otherwise why not. */
  #opened(target: SipTarget): Promise<string | null> {
    const { sockets, path, tls } = this.#options;
    const { address, port, serverName } = target;
    const at = hostPortText(address, port);
    const place = `${target.transport} to ${serverName === undefined ? at : `${serverName} (${at})`}`;
    return new Promise((resolve) => {
      const wire = sockets.connect(target, path, tls, {
        onOpen: (atMs, figures) => {
          if (this.#isClosed) wire.end();
          else {
            const transport = target.transport === 'WSS' ? 'TLS' : 'TCP';
            this.#owner.onOpened({ transport, address, port, atMs, ...figures });
            this.#become({ wire, target });
          }
          resolve(this.#isClosed ? 'the user agent is closed' : null);
        },
        onText: (text, atMs) => this.#owner.onText(text, atMs, target),
        onClosed: (reason) => {
          const why = `${place}: ${reason || 'closed by the peer'}`;
          resolve(why);
          if (this.#open?.wire !== wire) return;
          this.#become(null, new Error(why));
          this.#owner.onLost({ kind: 'TRANSPORT', reason: why });
        },
      });
    });
  }

  #become(open: Open | null, error?: Error): void {
    const before = this.#open;
    this.#open = open;
    if ((before === null) === (open === null)) return;
    this.state = open === null ? TransportState.Disconnected : TransportState.Connected;
    this.stateChange.emit(this.state);
    if (open === null) this.onDisconnect?.(error);
    else this.onConnect?.();
  }
}

const forbidden = ({ address }: SipTarget): string => `the policy of this host forbids ${address}`;
