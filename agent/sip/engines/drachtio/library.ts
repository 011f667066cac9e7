/**
 * drachtio-srf, as far as this agent uses it: its agent, which speaks with a drachtio-server, without its dialogs. The one file that knows
 * the library.
 *
 * Mended: what it throws when a server sends nonsense would end the process; here it ends the connection. Its digest (MD5, one challenge)
 * is not used.
 */
import { createRequire } from 'node:module';
import type { Secret } from '@carillon/proto/secret.ts';

// Its types are of the parts that are not used here.
const load = createRequire(import.meta.url);
const DrachtioAgent = load('drachtio-srf/lib/drachtio-agent.js') as new (
  onRequest: (request: ServerRequest, responder: Responder) => void,
) => ServerLink;
const WireProtocol = load('drachtio-srf/lib/wire-protocol.js') as { readonly prototype: Wire };

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

export interface ServerLink {
  on(event: 'connect', heard: (error: Error | null, hostports: string, version: string) => void): void;
  on(event: 'close' | 'error' | 'reconnecting', heard: (what: unknown) => void): void;
  connect(options: { host: string; port: number; secret: string }): void;
  route(verb: string): void;
  request(options: RequestOptions, done: (error: Error | null, request?: OutgoingRequest) => void): void;
  disconnect(): void;
  readonly wp: { closing: boolean; readonly reconnectVars?: { readonly retryTimer?: NodeJS.Timeout | null } };
}

/** What the server may send us; it is told to send nothing else. */
const VERBS = ['invite', 'ack', 'bye', 'info', 'refer', 'notify', 'update', 'prack', 'options', 'message'] as const;

/** Connects, and again whenever the connection is lost, until `disconnect`. */
export function openLink(
  server: { host: string; port: number; secret: Secret },
  onRequest: (request: ServerRequest, responder: Responder) => void,
): ServerLink {
  const link = new DrachtioAgent(onRequest);
  // Of an emitter that nobody listens to, an error ends the process.
  link.on('error', () => undefined);
  for (const verb of VERBS) link.route(verb);
  link.connect({ ...server, secret: server.secret.reveal() });
  return link;
}

/** For good: whatever state it is in, nothing of it keeps the process. */
export function closeLink(link: ServerLink): void {
  link.wp.closing = true;
  clearTimeout(link.wp.reconnectVars?.retryTimer ?? undefined);
  try {
    link.disconnect();
  } catch {
    // It has no connection.
  }
}

type Wire = { _onData(socket: { destroy(): void }, data: Buffer): void };
const { prototype } = WireProtocol;
const received = prototype._onData;
prototype._onData = function onData(this: Wire, socket, data): void {
  try {
    received.call(this, socket, data);
  } catch {
    socket.destroy();
  }
};
