/**
 * `drachtio-srf`, as used by this agent: its requests and its dialogs. The only file that uses the library, and only its public
 * exports. We open its connection and pass it as an incoming one (`Srf#listen` with a custom server), so that it closes the
 * connection if a server sends nonsense: on one that it opens itself (`Srf#connect`) it would throw and end the process.
 */
import { createRequire } from 'node:module';
import { connect, Server, type Socket } from 'node:net';
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Credentials } from '../../engine.ts';
import { type DoorKeeper, ServerDoor } from './door.ts';

export type DrachtioServerOptions = { readonly host: string; readonly port: number; readonly secret: Secret };

// Its types lack properties of requests and responses.
const Srf = createRequire(import.meta.url)('drachtio-srf') as new () => Framework;

export type Headers = Record<string, string>;
type Raw = { readonly msg: { readonly raw: string } };
export type Response = Raw & { readonly status: number };
export type Request = Raw & {
  readonly method: string;
  readonly source: 'network' | 'application';
  readonly source_address: string;
  readonly source_port: number;
  on(event: 'cancel', heard: (cancel: { readonly raw?: string }) => void): void;
  on(event: 'response', heard: (response: Response) => void): void;
  cancel(done: (error: Error | null) => void): void;
};
type Reply = { readonly headers?: Headers; readonly body?: string };
export type Responder = {
  send(status: number, reason: string, reply: Reply, sent: (error: unknown) => void): void;
};
export type UacFailure = Error & { readonly res?: Response };
export type Auth = { readonly username: string; readonly password: string };
type RequestOptions = Reply & { readonly method: string; readonly auth?: Auth; readonly proxy?: string };

/** `Dialog` of the library. */
export interface SrfDialog {
  /** The 2xx of a caller's dialog. */
  readonly res: Response;
  request(options: RequestOptions, done: (error: Error | null, response?: Response) => void): void;
  on(event: 'destroy' | 'ack', heard: (request: Request) => void): void;
  on(event: 'modify' | 'info' | 'refer', heard: (request: Request, responder: Responder) => void): void;
}
/** A 2xx with the peer's offer: the ACK has our answer. */
export type Unacknowledged = {
  readonly sdp: string;
  ack(answer: string): Promise<SrfDialog>;
  destroy(): Promise<void>;
};
type UacOptions = Omit<RequestOptions, 'method' | 'body'> & { readonly localSdp?: string; readonly noAck: boolean };
type UacListeners = {
  readonly cbRequest: (error: Error | null, request?: Request) => void;
  readonly cbProvisional: (response: Response) => void;
};

type UacResult = (error: UacFailure | null, answer?: SrfDialog & Unacknowledged) => void;
type UasOptions = { readonly headers: Headers; readonly localSdp: string };
type UasResult = (error: unknown, dialog?: SrfDialog) => void;

export interface Framework {
  on(event: 'connect', heard: (error: Error | null, hostports: string) => void): void;
  use(take: (request: Request, responder: Responder) => void): void;
  use(verb: string, take: (request: Request, responder: Responder, next: () => void) => void): void;
  listen(options: { server: Server; secret: string }): void;
  request(uri: string, options: RequestOptions, done: (error: Error | null, request?: Request) => void): void;
  // Callbacks are used, because the library calls them before it reads the next message: a promise would settle later.
  createUAC(uri: string, options: UacOptions, listeners: UacListeners, done: UacResult): void;
  createUAS(request: Request, responder: Responder, options: UasOptions, done: UasResult): void;
}

/** The library has the password in the clear, and only MD5. */
export const authOf = (credentials: Credentials | null): { auth?: Auth } =>
  credentials === null ? {} : { auth: { username: credentials.username, password: credentials.password.reveal() } };

/** The messages that the server may send us; it is told to send no others. */
const VERBS = ['invite', 'ack', 'bye', 'info', 'refer', 'notify', 'update', 'prack', 'options'] as const;
const LAST_VERB = 'message';
/** Waits after a lost connection, increasing. */
const RETRY_MS = { first: 250, growth: 1.7, longest: 30_000 };

type LinkOptions = {
  readonly server: DrachtioServerOptions;
  readonly keeper: DoorKeeper;
  readonly onRequest: (request: Request, responder: Responder) => void;
  /** `hostports`: where the server listens, as `udp/192.0.2.1:5060`, separated by commas. `error`: it does not accept us. */
  readonly onOpen: (error: Error | null, hostports: string) => void;
  readonly onLost: () => void;
};

/** A connection with a drachtio-server, reopened whenever it is lost, until `close`. */
export class ServerLink {
  readonly #options: LinkOptions;
  #socket!: Socket;
  srf!: Framework;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #retryMs = RETRY_MS.first;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#open();
  }

  /** Permanent: it no longer keeps the process alive. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#socket.destroy();
  }

  #open(): void {
    const { server, onLost, keeper } = this.#options;
    const socket = connect(server.port, server.host);
    const door = new ServerDoor(socket, keeper);
    this.#socket = socket;
    this.srf = this.#framework(socket, door);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    // The library is done with it.
    door.on('finish', () => socket.destroy());
    socket.on('close', () => {
      door.destroy();
      if (this.#isClosed) return;
      this.#retry = setTimeout(() => this.#open(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * RETRY_MS.growth, RETRY_MS.longest);
      onLost();
    });
  }

  #framework(socket: Socket, door: ServerDoor): Framework {
    const srf = new Srf();
    const connections = new Server();
    for (const verb of VERBS) srf.use(verb, passOn);
    srf.use((request, responder) => this.#options.onRequest(request, responder));
    srf.on('connect', (error, hostports) => {
      if (socket.destroyed) return;
      if (error === null) this.#retryMs = RETRY_MS.first;
      // Methods are only registered together with a new one per connection: the last registration includes the others.
      if (error === null) srf.use(LAST_VERB, passOn);
      this.#options.onOpen(error, hostports);
    });
    srf.listen({ server: connections, secret: this.#options.server.secret.reveal() });
    socket.on('connect', () => connections.emit('connection', door));
    return srf;
  }
}

/** Any method serves for registration; the handler takes all of them. */
function passOn(_request: Request, _responder: Responder, next: () => void): void {
  next();
}
