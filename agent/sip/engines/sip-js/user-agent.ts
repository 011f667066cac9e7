/** A user agent on sip.js: its line to the server, its messages both ways, its calls. */

import { RELIABLE } from '../../dialog/reliable-responses.ts';
import type { Authorization } from '../../digest/authorization.ts';
import type { Credentials, SipTarget, Traffic, UserAgentOptions } from '../../engine.ts';
import { responseText } from '../../message/build.ts';
import { isMailboxNotice } from '../../message/methods.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { isKeepAlive, parseMessage } from '../../message/parse.ts';
import { checkRequest } from '../../message/request-check.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { escapeUser } from '../../message/uri.ts';
import { parseVia } from '../../message/via.ts';
import { headerText, wireText } from '../../message/wire-text.ts';
import { OutgoingSessionCall } from '../calls/outgoing-call.ts';
import { checkedUri } from '../checked-options.ts';
import { extensionTags, LibraryAgent } from '../library-agent.ts';
import type { InviteServer, Loss, Outgoing, Parts, ResponseHandler, StackHost } from '../stack.ts';
import { type Core, createCore, incoming, type RequestMaker, type WireRequest, WireUri } from './library.ts';
import { Line, type LineMaker, type LineOwner, type WebSocketTransport } from './line.ts';
import { WatchedTraffic } from './traffic.ts';

const OPTIONS: ReadonlySet<string> = new Set([RELIABLE, 'timer']);
/** Requests that need a dialog. */
const WITHIN: ReadonlySet<string> = new Set(['PRACK', 'UPDATE']);

/** The engine, as its user agents know it. */
export interface SipJsHost extends StackHost, LineMaker {
  /** Another one each time. */
  branch(): string;
  /** A closed user agent is removed when its BYEs are answered. */
  leave(contactUser: string, agent: SipJsUserAgent): void;
  left(agent: SipJsUserAgent): void;
}

export class SipJsUserAgent extends LibraryAgent<SipJsHost> implements RequestMaker, LineOwner {
  readonly contactUri: string;
  readonly contactLine: string;
  readonly allowLine = 'Allow: INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, REFER, NOTIFY, PRACK, UPDATE';
  readonly core: Core.UserAgentCore;
  readonly aor: WireUri;
  readonly #from: WireUri;
  readonly userAgentName: string;
  readonly credentials: Credentials | null;
  readonly instanceId: string | null;
  readonly #protocol: WebSocketTransport;
  readonly #traffic: WatchedTraffic;
  #line: Line | null = null;
  /** Its line is closed, too. */
  #isGone = false;

  constructor(engine: SipJsHost, options: UserAgentOptions) {
    super(engine, options);
    this.aor = new WireUri(checkedUri(options.aor, 'address of record'));
    this.#from = options.from ? new WireUri(checkedUri(options.from, 'From')) : this.aor;
    this.userAgentName = headerText(engine.options.userAgentName);
    this.credentials = options.credentials;
    this.instanceId = options.instanceId ?? null;
    this.#traffic = new WatchedTraffic(options.traffic);
    this.#protocol = this.#protocolOf(options);
    // We accept no connections, which the name shows (RFC 7118, 5.2.2).
    const host = `${engine.identifiers
      .tag()
      .replace(/[^A-Za-z0-9]/g, '')
      .toLowerCase()}.invalid`;
    this.contactUri = `sip:${escapeUser(wireText(options.contactUser))}@${host};transport=ws`;
    // `ob`: requests of dialogs want the same flow (RFC 5626, 4.3).
    const contact = this.instanceId === null ? this.contactUri : `${this.contactUri};ob`;
    this.contactLine = `Contact: <${contact}>`;
    const transport = { protocol: this.#protocol, send: (text: string) => this.#send(text) };
    this.core = createCore(
      {
        aor: this.aor,
        contact: {
          pubGruu: undefined,
          tempGruu: undefined,
          uri: new WireUri(this.contactUri),
          toString: () => `<${contact}>`,
        },
        displayName: '',
        routeSet: [],
        supportedOptionTags: [],
        supportedOptionTagsResponse: extensionTags(this.signalling),
        userAgentHeaderFieldValue: this.userAgentName,
        viaForceRport: false,
        viaHost: host,
        transportAccessor: () => transport,
      },
      { onInvite: (uas) => this.#invited(uas as Core.InviteUserAgentServer) },
      this,
    );
  }

  override close(): void {
    if (!this.isClosed) this.#traffic.silence();
    super.close();
  }

  protected override leave(): void {
    this.engine.leave(this.options.contactUser, this);
  }

  /** Nothing of it waits for an answer. */
  get isIdle(): boolean {
    return this.senders.size === 0;
  }

  override abort(): void {
    super.abort();
    this.engine.left(this);
    // After what the calls have still to say.
    this.engine.tell(() => {
      this.#isGone = true;
      this.core.dispose();
      this.#line?.close();
      this.senders.clear();
    });
  }

  request(method: 'INVITE' | 'REGISTER' | 'OPTIONS', target: string, parts: Parts, heard: ResponseHandler): Outgoing {
    const { callId, cseq, fromTag, routes, lines, body } = parts;
    const uri = new WireUri(target);
    const [from, to] = method === 'REGISTER' ? [this.aor, this.aor] : [this.#from, uri];
    const made = { callId, cseq, fromTag, routeSet: [...routes] };
    const message = this.core.makeOutgoingRequestMessage(method, uri, from, to, made, [...lines], body ?? undefined);
    const request = message as WireRequest;
    const send = { INVITE: 'invite', REGISTER: 'register', OPTIONS: 'request' } as const;
    const client = this.core[send[method]](request, heard as never) as { cancel?(): unknown };
    return {
      get cseq() {
        return request.cseq;
      },
      get credentials() {
        return request.credentials;
      },
      cancel() {
        request.isGivenUp = true;
        client.cancel?.();
      },
    };
  }

  branch(): string {
    return this.engine.branch();
  }

  /** The INVITE's extensions end with its answer: 100rel is for initial ones. */
  supportedIn(method: string, isWithin: boolean): string {
    const flows = this.instanceId === null || method === 'UPDATE' ? [] : ['outbound', 'path'];
    const tags = method === 'INVITE' || method === 'UPDATE' ? extensionTags(this.signalling) : [];
    return [...flows, ...tags.filter((tag) => tag !== RELIABLE || !isWithin)].join(', ');
  }

  authorizationOf(callId: string): Authorization | null {
    return this.senders.get(callId)?.authorization ?? null;
  }

  onOpened(opened: Parameters<LineOwner['onOpened']>[0]): void {
    this.engine.tell(() => this.options.owner.onConnectionOpened?.(opened));
  }

  onLocated(tookMs: number): void {
    for (const sender of this.senders.values()) this.engine.tell(() => sender.onLocated?.(tookMs));
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    for (const sender of this.senders.values()) this.engine.tell(() => sender.onFailover?.(from, to, reason, atMs));
  }

  onSent(text: string, atMs: number, target: SipTarget): void {
    const message = parseMessage(text);
    if (message === null) return;
    this.#note('SENT', message, atMs, target);
    if (message.isRequest) this.senders.get(message.callId)?.onSent(message.method, atMs);
  }

  onText(text: string, atMs: number, target: SipTarget): void {
    const message = parseMessage(text);
    if (message === null) {
      if (!isKeepAlive(text)) this.engine.counts.malformed++;
      return;
    }
    this.#note('RECEIVED', message, atMs, target);
    this.receivedAtMs = atMs;
    if (message.isRequest) this.#request(message);
    else this.#response(message);
    this.engine.tellAll();
  }

  onForbidden({ method, status, isRequest, callId }: SipMessage, address: string): void {
    const sender = isRequest ? this.senders.get(callId) : undefined;
    const loss = { kind: 'POLICY', reason: `the policy of this host forbids ${address}` } as const;
    this.engine.tell(() => this.options.owner.onForbidden?.(method, status, address));
    if (sender !== undefined) this.engine.tell(() => sender.onLost(loss, this.engine.clock()));
  }

  onLost(loss: Loss, atMs: number): void {
    for (const sender of [...this.senders.values()]) this.engine.guard(() => sender.onLost(loss, atMs));
    // The library gets a send error: everything that waits for a response ends.
    for (const client of [...this.core.userAgentClients.values()]) {
      const transaction = client.transaction as unknown as { onTransportError(error: Error): void; state: string };
      if (transaction.state === 'Calling' || transaction.state === 'Trying' || transaction.state === 'Proceeding')
        this.engine.guard(() => transaction.onTransportError(new Error(loss.reason)));
    }
  }

  #request(message: SipMessage): void {
    const via = parseVia(message.via);
    const refusal = via === null ? null : checkRequest(message, via, OPTIONS);
    if (via === null || (refusal !== null && message.method === 'ACK')) {
      this.engine.counts.malformed++;
      return;
    }
    const unreachable = message.method === 'INVITE' && message.contactEnd === 0;
    const isBusy = message.method === 'OPTIONS' && message.toTag === '' && this.isBusy;
    const busy = isBusy ? { status: 486, reason: 'Busy Here', headers: '' } : null;
    const notice = isMailboxNotice(message) ? { status: 200, reason: 'OK', headers: '' } : null;
    const isLost = WITHIN.has(message.method) && message.toTag === '';
    const stray = isLost ? { status: 481, reason: 'Call/Transaction Does Not Exist', headers: '' } : null;
    const fault =
      refusal ??
      notice ??
      stray ??
      busy ??
      (unreachable ? { status: 400, reason: 'Bad Request (no Contact)', headers: '' } : null);
    const read = fault === null ? incoming(message) : null;
    if (read !== null) this.core.receiveIncomingRequestFromTransport(read as Core.IncomingRequestMessage);
    else this.#refuse(message, fault ?? { status: 400, reason: 'Bad Request', headers: '' });
  }

  #response(message: SipMessage): void {
    const read = incoming(message);
    const id = message.branch + message.method;
    if (read === null || message.hasSeveralVias) this.engine.counts.malformed++;
    else if (!this.core.userAgentClients.has(id)) this.engine.counts.unmatched++;
    else {
      const sender = this.senders.get(message.callId);
      const isSuccess = message.method === 'INVITE' && message.status >= 200 && message.status < 300;
      if (isSuccess && (message.toTag === '' || message.contactEnd === 0) && sender instanceof OutgoingSessionCall) {
        sender.break('a 2xx that creates no dialog: it has no tag or no Contact');
        return;
      }
      if (message.status >= 200 && message.status < 300) sender?.authorization?.learn(message);
      this.core.receiveIncomingResponseFromTransport(read as Core.IncomingResponseMessage);
    }
  }

  /** RFC 3261, 8.2.6, for what the library is not shown. */
  #refuse(message: SipMessage, fault: { status: number; reason: string; headers: string }): void {
    if (fault.status === 400) this.engine.counts.malformed++;
    const vias = message.headerLines('via').map((via) => `Via: ${via}\r\n`);
    const to = message.toTag === '' ? `${message.to};tag=${this.engine.identifiers.tag()}` : message.to;
    const head = `${vias.join('')}From: ${message.from}\r\nTo: ${to}\r\nCall-ID: ${message.callId}\r\nCSeq: ${message.cseqText}\r\n`;
    const server = `Server: ${this.userAgentName}\r\n`;
    this.#line?.send(responseText(fault.status, fault.reason, head, fault.headers + server, ''));
  }

  #invited(uas: Core.InviteUserAgentServer): void {
    uas.trying();
    this.take(uas as InviteServer, uas.message.callId);
  }

  #send(text: string): Promise<void> {
    if (this.#isGone) return Promise.reject(new Error('the user agent is closed'));
    const { nextHop: targets, webSocketPath, tls = null } = this.options;
    const path = webSocketPath || '/';
    this.#line ??= new Line(
      this.engine,
      { targets, uri: this.#serverUri(), protocol: this.#protocol, path, tls },
      this,
    );
    return this.#line.send(text) ? Promise.resolve() : Promise.reject(new Error('the line is full or closed'));
  }

  /** Whose servers the line goes to. */
  #serverUri(): string {
    const route = parseNameAddress(this.preloaded[0] ?? '')?.uri;
    return this.options.nextHopUri ?? route ?? this.registrarUri ?? this.aor.text;
  }

  /** WS, unless the next hop requires WSS. */
  #protocolOf({ nextHop }: UserAgentOptions): WebSocketTransport {
    const transport = nextHop?.[0]?.transport;
    if (transport === 'WS' || transport === 'WSS') return transport;
    return /^sips:|;transport=wss\b/i.test(this.#serverUri()) ? 'WSS' : 'WS';
  }

  #note(direction: Traffic['direction'], message: SipMessage, atMs: number, target: SipTarget): void {
    this.engine.guard(() => this.#traffic.note(direction, message, atMs, target));
  }
}
