/**
 * drachtio-srf, as used by this agent: requests and responses, without its dialogs and its digest (MD5, one challenge).
 * The only file that uses the library, and only its public exports.
 * We open its connection and pass it as an incoming one (`Srf#listen` with a custom server), so that it closes the
 * connection if a server sends nonsense. On a connection that it opens itself (`Srf#connect`) it would throw and end
 * the process, and a connection attempt could not be aborted.
 */
import { createRequire } from 'node:module';
import { connect, Server, type Socket } from 'node:net';
import type { Secret } from '@carillon/proto/secret.ts';

// Its types lack properties of requests and responses.
const Srf = createRequire(import.meta.url)('drachtio-srf') as new () => Framework;

/** Where a message went to or came from, as the server says. */
export type Meta = { readonly protocol: string; readonly source_address: string; readonly source_port: number };

export type OutgoingRequest = Meta & {
  readonly msg: { readonly raw: string };
  readonly stackTxnId: string;
  on(event: 'response', heard: (response: ServerResponse, ack: AckSender) => void): void;
  cancel(done: (error: Error | null, request?: OutgoingRequest) => void): void;
};
export type ServerResponse = Meta & {
  readonly msg: { readonly raw: string };
  readonly status: number;
  readonly stackDialogId: string;
};
type AckSender = (
  options: { headers?: Headers; body?: string },
  done: (error: unknown, sent?: { readonly raw: string }) => void,
) => void;
export type Headers = Record<string, string>;

export type ServerRequest = Meta & {
  readonly msg: { readonly raw: string };
  readonly method: string;
  readonly source: string;
  readonly stackTxnId: string;
  readonly stackDialogId: string;
  on(event: 'cancel', heard: (cancel: { readonly raw?: string }) => void): void;
};
export type Responder = {
  send(
    status: number,
    reason: string,
    options: { headers?: Headers; body?: string },
    sent: (error: unknown, response?: { readonly raw: string }) => void,
    acknowledged?: (ack: ServerRequest) => void,
  ): void;
  readonly stackDialogId: string;
  readonly meta: { readonly dialogId?: string };
};

export type RequestOptions = {
  readonly method: string;
  readonly uri?: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly proxy?: string;
  readonly stackDialogId?: string;
};

interface Framework {
  on(event: 'connect', heard: (error: Error | null, hostports: string) => void): void;
  use(take: (request: ServerRequest, responder: Responder) => void): void;
  use(verb: string, take: (request: ServerRequest, responder: Responder, next: () => void) => void): void;
  listen(options: { server: Server; secret: string }): void;
  request(uri: string, options: RequestOptions, done: (error: Error | null, request?: OutgoingRequest) => void): void;
}

/** The messages that the server may send us; it is told to send no others. */
const VERBS = ['invite', 'ack', 'bye', 'info', 'refer', 'notify', 'update', 'prack', 'options'] as const;
const LAST_VERB = 'message';
/** Waits after a lost connection, increasing. */
const RETRY_MS = { first: 250, growth: 1.7, longest: 30_000 };
/** Within a dialog the server knows the target. */
const OF_THE_DIALOG = 'sip:placeholder';

type ServerLinkOptions = {
  readonly server: { readonly host: string; readonly port: number; readonly secret: Secret };
  readonly onRequest: (request: ServerRequest, responder: Responder) => void;
  /** `hostports`: where the server listens, as `udp/192.0.2.1:5060`, separated by commas. `error`: it does not accept us. */
  readonly onOpen: (error: Error | null, hostports: string) => void;
  readonly onLost: () => void;
};

/** A connection with a drachtio-server, reopened whenever it is lost, until `close`. */
export class ServerLink {
  readonly #options: ServerLinkOptions;
  #socket!: Socket;
  #srf!: Framework;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #retryMs = RETRY_MS.first;

  constructor(options: ServerLinkOptions) {
    this.#options = options;
    this.#open();
  }

  /** @throws if there is no connection */
  request(options: RequestOptions, done: (error: Error | null, request?: OutgoingRequest) => void): void {
    this.#srf.request(options.uri ?? OF_THE_DIALOG, options, done);
  }

  /** Permanent: it no longer keeps the process alive. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#socket.destroy();
  }

  #open(): void {
    const { server, onOpen, onLost } = this.#options;
    const socket = connect(server.port, server.host);
    this.#socket = socket;
    this.#srf = this.#framework(socket, onOpen);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    // The library is done with it.
    socket.on('finish', () => socket.destroy());
    socket.on('close', () => {
      if (this.#isClosed) return;
      this.#retry = setTimeout(() => this.#open(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * RETRY_MS.growth, RETRY_MS.longest);
      onLost();
    });
  }

  #framework(socket: Socket, onOpen: ServerLinkOptions['onOpen']): Framework {
    const srf = new Srf();
    const connections = new Server();
    for (const verb of VERBS) srf.use(verb, passOn);
    srf.use((request, responder) => this.#options.onRequest(request, responder));
    srf.on('connect', (error, hostports) => {
      if (socket.destroyed) return;
      if (error === null) this.#retryMs = RETRY_MS.first;
      // Methods are only registered together with a new one per connection: the last registration includes the others.
      if (error === null) srf.use(LAST_VERB, passOn);
      onOpen(error, hostports);
    });
    srf.listen({ server: connections, secret: this.#options.server.secret.reveal() });
    socket.on('connect', () => connections.emit('connection', socket));
    return srf;
  }
}

/** Any method serves for registration; the handler takes all of them. */
function passOn(_request: ServerRequest, _responder: Responder, next: () => void): void {
  next();
}
