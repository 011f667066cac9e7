/** A dialog that drachtio-server keeps, in the words of `../stack.ts`: requests both ways by the dialog's id. */

import { parseNameAddress } from '../../message/name-address.ts';
import { reasonPhrase } from '../../message/reason-phrase.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { Timed } from '../../timer-wheel.ts';
import type {
  Accepted,
  Body,
  Extra,
  InviteServer,
  Received,
  Reply,
  ResponseHandler,
  Server,
  Session,
  SessionDelegate,
  StackEngine,
} from '../stack.ts';
import type { Headers, OutgoingRequest, Responder, ServerRequest, ServerResponse } from './library.ts';

/** The user agent's interface for its sessions and servers. */
export interface Exchanges {
  send(request: ServerExchange): void;
  /** A message for the trace, and for the caller to read. */
  note(direction: 'SENT' | 'RECEIVED', raw: string, meta: Meta | null): SipMessage | null;
  received(raw: string, meta: Meta | null): { readonly source: SipMessage } | null;
  /** May our response go where the request came from, by the policy of now? */
  mayAnswer(request: SipMessage, status: number, address: string): boolean;
  adopt(dialogId: string, session: DrachtioSession): void;
  dismiss(dialogId: string): void;
  guard(what: () => void): void;
  readonly engine: Pick<StackEngine, 'wheel' | 'clock'>;
}
type Meta = Pick<ServerResponse, 'protocol' | 'source_address' | 'source_port'>;

export type ServerExchange = {
  readonly method: string;
  readonly uri?: string;
  readonly callId: string;
  readonly lines: readonly string[];
  readonly body: Body | null;
  readonly dialogId?: string;
  /** Of a dialog: where the server will send it. */
  readonly hopUri?: () => string;
  readonly heard: (response: ServerResponse, source: SipMessage, ack: (options: Extra) => void) => void;
  /** It did not leave, or there will be no answer. */
  readonly lost: (reason: string) => void;
  readonly sent?: (request: OutgoingRequest) => void;
};

/** How long our 2xx waits for its ACK: 64*T1 (RFC 3261, 13.3.1.4). */
const ACK_MS = 32_000;

export class DrachtioSession extends Timed implements Session {
  delegate: SessionDelegate | undefined = undefined;
  readonly callId: string;
  /** '' until the server has reported it: for incoming calls, with the echo of our response. */
  dialogId = '';
  readonly #exchanges: Exchanges;
  /** First of the route set, which does not change; null: there is none. */
  #route: string | null = null;
  #target = '';
  #isChanging = false;
  /** Of a re-INVITE of the peer's that waits for our answer or its ACK. */
  isChanged = false;

  constructor(exchanges: Exchanges, dialogId: string, callId: string) {
    super();
    this.#exchanges = exchanges;
    this.callId = callId;
    this.place(dialogId);
  }

  place(dialogId: string): void {
    if (dialogId === '' || this.dialogId !== '') return;
    this.dialogId = dialogId;
    this.#exchanges.adopt(dialogId, this);
  }

  /** The message that creates or refreshes the dialog: a response to our INVITE, or the peer's. */
  establish(source: SipMessage): void {
    this.#route = firstRoute(source);
    this.#retarget(source);
  }

  /** Where the server sends requests of the dialog, strict routers or loose ones (RFC 3261, 12.2.1.1). */
  get hopUri(): string {
    return this.#route ?? this.#target;
  }

  #retarget(source: SipMessage): void {
    this.#target = contactOf(source) ?? this.#target;
  }

  bye(heard?: ResponseHandler, options?: Extra): void {
    this.#exchange('BYE', heard, options);
    this.#over();
  }

  info(heard?: ResponseHandler, options?: Extra): void {
    this.#exchange('INFO', heard, options);
  }

  notify(heard?: ResponseHandler, options?: Extra): void {
    this.#exchange('NOTIFY', heard, options);
  }

  refer(heard?: ResponseHandler, options?: Extra): void {
    this.#exchange('REFER', heard, options);
  }

  invite(heard?: ResponseHandler, options?: Extra): void {
    if (this.#isChanging || this.isChanged) throw new Error('another change of the session is in progress');
    this.#isChanging = true;
    this.#exchange('INVITE', heard, options);
  }

  /** Our 2xx is on its way. */
  awaitAck(): void {
    const { wheel, clock } = this.#exchanges.engine;
    wheel.set(this, clock() + ACK_MS);
  }

  onAck(message: Received['message']): void {
    this.#exchanges.engine.wheel.clear(this);
    this.isChanged = false;
    this.delegate?.onAck?.({ message });
  }

  /** It never came, our 2xx never left, or the server has given the dialog up. */
  onNoAck(): void {
    this.#exchanges.engine.wheel.clear(this);
    this.isChanged = false;
    this.delegate?.onAckTimeout?.();
  }

  override onDue(): void {
    this.onNoAck();
  }

  /** A request of the peer's within the dialog. */
  receive(method: string, server: DrachtioServer): void {
    const { delegate } = this;
    if (method === 'BYE') this.#over();
    if (method === 'INVITE' && (this.#isChanging || this.isChanged)) server.reject({ statusCode: 491 });
    else if (method === 'INVITE') {
      this.#retarget(server.message.source);
      this.isChanged = true;
      delegate?.onInvite?.(server);
    } else if (method === 'BYE') delegate?.onBye?.(server);
    else if (method === 'INFO') delegate?.onInfo?.(server);
    else if (method === 'REFER') delegate?.onRefer?.(server);
    else if (method === 'NOTIFY') delegate?.onNotify?.(server);
    else server.reject({ statusCode: method === 'PRACK' ? 481 : 405 });
  }

  #over(): void {
    this.#exchanges.engine.wheel.clear(this);
    this.#exchanges.dismiss(this.dialogId);
  }

  #exchange(method: string, heard: ResponseHandler | undefined, options: Extra | undefined): void {
    const over = (): void => {
      if (method === 'INVITE') this.#isChanging = false;
    };
    this.#exchanges.send({
      method,
      callId: this.callId,
      dialogId: this.dialogId,
      hopUri: () => this.hopUri,
      lines: options?.extraHeaders ?? [],
      body: options?.body ?? null,
      heard: (response, source, ack) => {
        if (response.status >= 200) over();
        if (method === 'INVITE' && response.status >= 200 && response.status < 300) this.#retarget(source);
        deliver(heard, { message: { source } }, response.status, this, ack);
      },
      lost: () => {
        over();
        heard?.onReject?.({ message: {} });
      },
    });
  }
}

const contactOf = (source: SipMessage): string | null => parseNameAddress(source.header('contact') ?? '')?.uri ?? null;

function firstRoute(source: SipMessage): string | null {
  const routes = source.headerMembers('record-route');
  const first = source.isRequest ? routes[0] : routes.at(-1);
  return first === undefined ? null : (parseNameAddress(first)?.uri ?? null);
}

/** Target of the dialog's requests, from a message; '' if it names none. */
export const dialogHop = (source: SipMessage): string => firstRoute(source) ?? contactOf(source) ?? '';

/** Passes a response to the handler that it concerns. */
export function deliver(
  heard: ResponseHandler | undefined,
  received: Received,
  status: number,
  session: Session,
  ack: (options: Extra) => void,
): void {
  const accepted: Accepted = { ...received, session, ack: (options = {}) => ack(options) };
  if (status === 100) heard?.onTrying?.(received);
  else if (status < 200) heard?.onProgress?.(received);
  else if (status < 300) heard?.onAccept?.(accepted);
  else if (status < 400) heard?.onRedirect?.(received);
  else heard?.onReject?.(received);
}

/** A request of the peer's that waits for our response. */
export class DrachtioServer implements Server {
  readonly message: { readonly source: SipMessage };
  protected readonly exchanges: Exchanges;
  protected readonly responder: Responder;
  protected readonly request: ServerRequest;

  constructor(exchanges: Exchanges, source: SipMessage, request: ServerRequest, responder: Responder) {
    this.exchanges = exchanges;
    this.message = { source };
    this.request = request;
    this.responder = responder;
  }

  accept(reply: Reply = { statusCode: 200 }): unknown {
    return this.respond(reply);
  }

  reject(reply: Reply = { statusCode: 480 }): unknown {
    return this.respond(reply);
  }

  /** Our response has left, in that dialog. */
  protected onEcho(_dialogId: string): void {
    // Not needed by a sender without a dialog.
  }

  /** The server could not send our response. */
  protected onUnsent(): void {
    // A sender that waits for no ACK need not know.
  }

  /** `acknowledged`: of a 2xx to INVITE. */
  respond(reply: Reply, acknowledged?: (ack: { readonly source: SipMessage }) => void): void {
    const { statusCode, extraHeaders = [], body } = reply;
    if (!this.exchanges.mayAnswer(this.message.source, statusCode, this.request.source_address)) {
      if (statusCode >= 200 && statusCode < 300) this.onUnsent();
      return;
    }
    this.responder.send(
      statusCode,
      reply.reasonPhrase ?? reasonPhrase(statusCode),
      contentOf(extraHeaders, body ?? null),
      (error, response) => {
        this.exchanges.guard(() => {
          if (error !== null || response === undefined) {
            if (statusCode >= 200 && statusCode < 300) this.onUnsent();
            return;
          }
          this.onEcho(this.responder.stackDialogId ?? '');
          this.exchanges.note('SENT', response.raw, null);
        });
      },
      acknowledged &&
        ((ack) =>
          this.exchanges.guard(() => {
            const read = this.exchanges.received(ack.msg.raw, ack);
            if (read !== null) acknowledged(read);
          })),
    );
  }
}

/** A re-INVITE: the session reports the ACK to our 2xx. */
export class DrachtioChange extends DrachtioServer {
  readonly #session: DrachtioSession;

  constructor(exchanges: Exchanges, source: SipMessage, parts: [ServerRequest, Responder], session: DrachtioSession) {
    super(exchanges, source, ...parts);
    this.#session = session;
  }

  override accept(reply: Reply = { statusCode: 200 }): void {
    this.#session.awaitAck();
    this.respond(reply, (message) => this.#session.onAck(message));
  }

  protected override onUnsent(): void {
    this.#session.onNoAck();
  }

  override reject(reply: Reply = { statusCode: 488 }): void {
    this.#session.isChanged = false;
    this.respond(reply);
  }
}

/** An INVITE outside of dialogs; the server has answered 100 already, and answers CANCEL itself. */
export class DrachtioInvite extends DrachtioServer implements InviteServer {
  delegate: InviteServer['delegate'] = undefined;
  readonly #contactLine: string;
  #session: DrachtioSession | null = null;

  constructor(exchanges: Exchanges, source: SipMessage, parts: [ServerRequest, Responder], contactLine: string) {
    super(exchanges, source, ...parts);
    this.#contactLine = contactLine;
    this.request.on('cancel', (cancel) =>
      exchanges.guard(() => {
        const read = cancel.raw === undefined ? null : exchanges.received(cancel.raw, this.request);
        this.delegate?.onCancel?.(read ?? {});
      }),
    );
  }

  trying(): void {
    // By the server.
  }

  progress(reply: Reply): { readonly session: Session } {
    this.respond({ ...reply, extraHeaders: [this.#contactLine, ...(reply.extraHeaders ?? [])] });
    return { session: this.#dialog() };
  }

  override accept(reply: Reply = { statusCode: 200 }): { readonly session: Session } {
    const session = this.#dialog();
    const answer = { ...reply, extraHeaders: [this.#contactLine, ...(reply.extraHeaders ?? [])] };
    session.awaitAck();
    this.respond(answer, (message) => session.onAck(message));
    return { session };
  }

  redirect(_contacts: never[], reply: Reply = { statusCode: 302 }): void {
    this.respond(reply);
  }

  protected override onEcho(dialogId: string): void {
    this.#session?.place(dialogId);
  }

  protected override onUnsent(): void {
    this.#session?.onNoAck();
  }

  #dialog(): DrachtioSession {
    if (this.#session !== null) return this.#session;
    this.#session = new DrachtioSession(this.exchanges, '', this.message.source.callId);
    this.#session.establish(this.message.source);
    return this.#session;
  }
}

/** May not be combined with others of their name (RFC 3261, 7.3.1). */
const ALONE: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);

/** For wire text, one character per byte. */
const textOf = (wire: string): string => Buffer.from(wire, 'latin1').toString('utf8');

/** As the library wants headers and content: as text, of which it sends UTF-8. */
export function contentOf(lines: readonly string[], body: Body | null): { headers: Headers; body?: string } {
  const headers: Headers = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    const value = textOf(line.slice(colon + 1).trim());
    // The library writes values as they are: that is how one name gets several lines.
    const between = ALONE.has(name.toLowerCase()) ? `\r\n${name}: ` : ', ';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}${between}${value}`;
  }
  if (body === null) return { headers };
  headers['Content-Type'] = body.contentType;
  return { headers, body: textOf(body.content) };
}
