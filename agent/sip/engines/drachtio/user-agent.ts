import type { SipAddress, SipTarget, SipTransport, Traffic, UserAgentOptions } from '../../engine.ts';
import { isEnding } from '../../message/methods.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { ownText } from '../../message/own-text.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { escapeUser, hostPortText } from '../../message/uri.ts';
import { headerText, wireText } from '../../message/wire-text.ts';
import { LibraryAgent } from '../library-agent.ts';
import type { Extra, Outgoing, Parts, ResponseHandler, StackHost } from '../stack.ts';
import type { OutgoingRequest, RequestOptions, Responder, ServerRequest, ServerResponse } from './library.ts';
import {
  contentOf,
  DrachtioChange,
  DrachtioInvite,
  DrachtioServer,
  DrachtioSession,
  deliver,
  dialogHop,
  type Exchanges,
  type ServerExchange,
} from './session.ts';

type Meta = Pick<ServerResponse, 'protocol' | 'source_address' | 'source_port'>;

/** The engine, as its user agents know it. */
export interface DrachtioHost extends StackHost {
  /** Where the server listens for a transport; its first address where it does not say. */
  listener(transport: string): SipAddress;
  /** The owner of this dialog's requests from now on. */
  adopt(dialogId: string, agent: DrachtioUserAgent): void;
  dismiss(dialogId: string): void;
  /** It was closed. */
  forget(contactUser: string): void;
  /** `hopUri`: where the server will send it: a dialog's next hop, or what the request itself says. */
  request(
    options: RequestOptions,
    hopUri: string,
    done: (error: Error | null, request?: OutgoingRequest) => void,
  ): void;
  /** Whether a request may be sent to where a URI leads; why not. */
  permitted(isLast: boolean, uri: string, done: (reason: string | null, target: SipTarget | null) => void): void;
}

export class DrachtioUserAgent extends LibraryAgent<DrachtioHost> implements Exchanges {
  readonly contactUri: string;
  readonly contactLine: string;
  readonly allowLine = 'Allow: INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, REFER, NOTIFY';
  readonly instanceId = null;
  readonly #sessions = new Map<string, DrachtioSession>();
  readonly #transport: SipTransport;
  /** Waits for a final response, and is notified if none can come. */
  readonly #pending = new Set<(reason: string) => void>();

  constructor(engine: DrachtioHost, options: UserAgentOptions) {
    super(engine, options);
    this.#transport = options.nextHop?.[0]?.transport ?? 'UDP';
    const { address, port } = engine.listener(this.#transport);
    const parameters = this.#transport === 'UDP' ? '' : `;transport=${this.#transport.toLowerCase()}`;
    this.contactUri = `sip:${escapeUser(wireText(options.contactUser))}@${hostPortText(address, port)}${parameters}`;
    this.contactLine = `Contact: <${this.contactUri}>`;
  }

  protected override leave(): void {
    this.engine.forget(this.options.contactUser);
  }

  /** The server has gone, with all its state. */
  onLost(reason: string): void {
    const atMs = this.engine.clock();
    for (const sender of [...this.senders.values()]) sender.onLost({ kind: 'TRANSPORT', reason }, atMs);
    this.#sessions.clear();
    for (const lost of [...this.#pending]) this.guard(() => lost(reason));
  }

  adopt(dialogId: string, session: DrachtioSession): void {
    this.#sessions.set(dialogId, session);
    this.engine.adopt(dialogId, this);
  }

  dismiss(dialogId: string): void {
    this.#sessions.delete(dialogId);
    this.engine.dismiss(dialogId);
  }

  guard(what: () => void): void {
    this.engine.guard(what);
    this.engine.tellAll();
  }

  /** Outside of dialogs, with our credentials: we answer challenges, because the server's library supports only MD5. */
  request(method: 'INVITE' | 'REGISTER' | 'OPTIONS', target: string, parts: Parts, heard: ResponseHandler): Outgoing {
    const { callId, fromTag, routes, lines, body } = parts;
    const authorization = this.senders.get(callId)?.authorization ?? null;
    let { cseq } = parts;
    let credentials = '';
    let isGivenUp = false;
    let isRinging = false;
    let under: OutgoingRequest | null = null;
    const cancel = (): void => {
      if (!isGivenUp || !isRinging || under === null) return;
      const asked = under;
      under = null;
      this.engine.permitted(true, this.#proxy().proxy ?? target, (reason) => {
        if (reason !== null) return;
        asked.cancel((_error, sent) => this.guard(() => sent && this.note('SENT', sent.msg.raw, sent)));
      });
    };
    const send = (): void => {
      credentials = authorization?.headers(method, target, body?.content ?? '') ?? '';
      this.send({
        method,
        uri: target,
        callId,
        body,
        lines: [
          `From: ${method === 'REGISTER' ? this.aorValue : this.fromValue};tag=${fromTag}`,
          `To: <${method === 'REGISTER' ? headerText(this.options.aor) : target}>`,
          `Call-ID: ${callId}`,
          `CSeq: ${cseq} ${method}`,
          ...(routes.length > 0 ? [`Route: ${routes.join(', ')}`] : []),
          ...lines,
          ...credentials.split('\r\n').filter((line) => line !== ''),
          `User-Agent: ${headerText(this.engine.options.userAgentName)}`,
        ],
        sent: (request) => {
          under = request;
          cancel();
        },
        heard: (response, source, ack) => {
          const { status } = response;
          if (status < 200) isRinging = true;
          if ((status === 401 || status === 407) && !isGivenUp && authorization !== null) {
            const problem = authorization.accept(source);
            if (problem === null) {
              cseq++;
              isRinging = false;
              under = null;
              send();
              return;
            }
            source.reason += ` (${problem})`;
          }
          if (status >= 200 && status < 300) authorization?.learn(source);
          const session =
            method === 'INVITE' && status > 100 && status < 300 && response.stackDialogId
              ? (this.#sessions.get(response.stackDialogId) ??
                new DrachtioSession(this, response.stackDialogId, callId))
              : null;
          session?.establish(source);
          if (status >= 300 && response.stackDialogId) this.dismiss(response.stackDialogId);
          deliver(heard, { message: { source } }, status, session as DrachtioSession, ack);
          cancel();
        },
        lost: (reason) => {
          this.senders.get(callId)?.onLost({ kind: 'TRANSPORT', reason }, this.engine.clock());
          heard.onReject?.({ message: {} });
        },
      });
    };
    send();
    return {
      get cseq() {
        return cseq;
      },
      get credentials() {
        return credentials;
      },
      cancel() {
        isGivenUp = true;
        cancel();
      },
    };
  }

  send({ method, uri, callId, lines, body, dialogId, hopUri, heard, lost, sent }: ServerExchange): void {
    const handedAtMs = this.engine.clock();
    const proxy = dialogId === undefined ? this.#proxy() : {};
    const options = {
      method,
      ...contentOf(lines, body),
      ...(uri === undefined ? {} : { uri }),
      ...(dialogId === undefined ? proxy : { stackDialogId: dialogId }),
    };
    const over = (reason: string): void => {
      if (this.#pending.delete(over)) lost(reason);
    };
    this.#pending.add(over);
    const hop = hopUri?.() ?? proxy.proxy ?? uri ?? '';
    this.engine.request(options, hop, (error, request) => {
      if (error !== null || request === undefined) {
        over(error?.message ?? 'the drachtio-server did not send it');
        this.engine.tellAll();
        return;
      }
      this.note('SENT', request.msg.raw, request, handedAtMs);
      this.senders.get(callId)?.onSent(method, handedAtMs);
      request.on('response', (response, ack) =>
        this.guard(() => {
          const read = this.received(response.msg.raw, response);
          if (response.status >= 200) this.#pending.delete(over);
          if (read !== null)
            heard(response, read.source, (extra) =>
              this.#acknowledge(extra, hopUri?.() ?? dialogHop(read.source), ack),
            );
        }),
      );
      sent?.(request);
      this.engine.tellAll();
    });
  }

  note(direction: 'SENT' | 'RECEIVED', raw: string, meta: Meta | null, atMs = this.engine.clock()): SipMessage | null {
    const message = parseMessage(Buffer.from(raw, 'utf8').toString('latin1'));
    if (message === null || this.isClosed) return message;
    const traffic: Traffic = {
      direction,
      atMs,
      method: message.method,
      status: message.status,
      reason: message.reason,
      retransmission: false,
      callId: ownText(message.callId),
      // The server does not report it for ACKs and in-dialog requests.
      transport: (meta?.protocol || this.#transport).toUpperCase() as SipTransport,
      localPort: 0,
      peerAddress: meta?.source_address ?? '',
      peerPort: meta?.source_port ?? 0,
      text: message.text,
    };
    this.engine.guard(() => this.options.traffic.onMessage(traffic));
    return message;
  }

  received(raw: string, meta: Meta | null): { readonly source: SipMessage } | null {
    this.receivedAtMs = this.engine.clock();
    const source = this.note('RECEIVED', raw, meta, this.receivedAtMs);
    if (source === null) this.engine.counts.malformed++;
    return source === null ? null : { source };
  }

  /** May our response go where the request came from, by the policy of now? */
  mayAnswer({ method }: SipMessage, status: number, address: string): boolean {
    const may = this.engine.maySend(isEnding(method, ''), address);
    if (!may) this.engine.tell(() => this.options.owner.onForbidden?.(method, status, address));
    return may;
  }

  /** An INVITE for us, outside of dialogs. */
  invited(request: ServerRequest, responder: Responder): void {
    const read = this.received(request.msg.raw, request);
    if (read === null) return;
    const server = new DrachtioInvite(this, read.source, [request, responder], this.contactLine);
    this.take(server, read.source.callId);
  }

  /** A request of one of our dialogs. */
  within(request: ServerRequest, responder: Responder): void {
    const session = this.#sessions.get(request.stackDialogId);
    // The response reports its ACK.
    if (request.method === 'ACK') return;
    const read = this.received(request.msg.raw, request);
    if (read === null || session === undefined) return;
    const server =
      request.method === 'INVITE'
        ? new DrachtioChange(this, read.source, [request, responder], session)
        : new DrachtioServer(this, read.source, request, responder);
    session.receive(request.method, server);
  }

  /** The server has given up one of our dialogs, and sent BYE for us. */
  abandoned(dialogId: string): void {
    this.#sessions.get(dialogId)?.onNoAck();
  }

  /** An ACK to a 2xx goes where requests of its dialog go. */
  #acknowledge(extra: Extra, hopUri: string, ack: Parameters<Parameters<OutgoingRequest['on']>[1]>[1]): void {
    this.engine.permitted(true, hopUri, (reason) => {
      if (reason !== null) return;
      ack(contentOf(extra.extraHeaders ?? [], extra.body ?? null), (error, sent) =>
        this.guard(() => !error && sent && this.note('SENT', sent.raw, null)),
      );
    });
  }

  /** Where the server sends it: our next hop, otherwise the destination of the Request-URI. */
  #proxy(): { readonly proxy?: string } {
    const hop: SipTarget | undefined = this.options.nextHop?.[0];
    if (hop !== undefined)
      return { proxy: `sip:${hostPortText(hop.address, hop.port)};transport=${hop.transport.toLowerCase()}` };
    const uri = this.options.nextHopUri ?? parseNameAddress(this.preloaded[0] ?? '')?.uri;
    return uri ? { proxy: uri } : {};
  }
}
