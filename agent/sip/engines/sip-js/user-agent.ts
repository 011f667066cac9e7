/** A user agent on sip.js: its line to the server, its messages both ways, its calls. */

import { Authorization } from '../../digest/authorization.ts';
import {
  type Call,
  type CallEvents,
  CORRELATION_HEADER,
  type Credentials,
  type PingEvents,
  PLAIN_SIGNALLING,
  type RegistrationEvents,
  type SignallingOptions,
  type SipTarget,
  type Traffic,
  type UserAgent,
  type UserAgentOptions,
} from '../../engine.ts';
import { responseText } from '../../message/build.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { isKeepAlive, parseMessage } from '../../message/parse.ts';
import { checkRequest } from '../../message/request-check.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { escapeUser, parseUri } from '../../message/uri.ts';
import { parseVia } from '../../message/via.ts';
import { headerText, quoted, wireText } from '../../message/wire-text.ts';
import { serviceRoute } from '../../registration/service-route.ts';
import { IncomingSessionCall } from '../calls/incoming-call.ts';
import { OutgoingSessionCall } from '../calls/outgoing-call.ts';
import { Ping } from '../calls/ping.ts';
import { StackRegistration } from '../calls/registration.ts';
import { SessionCall } from '../calls/session-call.ts';
import { checkedRoute, checkedUri } from '../checked-options.ts';
import type { Heard, InviteServer, Loss, Outgoing, Parts, Sender, StackAgent } from '../stack.ts';
import type { SipJsEngine } from './engine.ts';
import { type Core, createCore, incoming, type RequestMaker, type WireRequest, WireUri } from './library.ts';
import { Line, type LineOwner, protocolOf } from './line.ts';
import { WatchedTraffic } from './traffic.ts';

const NO_OPTIONS: ReadonlySet<string> = new Set();

export class SipJsUserAgent implements UserAgent, StackAgent, RequestMaker, LineOwner {
  readonly contactUri: string;
  /** `Contact: <…>`, as requests and responses in dialogs have it. */
  readonly contactLine: string;
  readonly engine: SipJsEngine;
  readonly core: Core.UserAgentCore;
  readonly fromValue: string;
  readonly aor: WireUri;
  readonly userAgentName: string;
  readonly supported: string;
  readonly credentials: Credentials | null;
  readonly signalling: SignallingOptions;
  readonly instanceId: string | null;
  /** Of INVITEs that make a call. */
  readonly correlationLines: readonly string[];
  readonly registrarUri: string | null;
  /** Of requests outside dialogs. */
  routeSet: readonly string[];
  readonly preloaded: readonly string[];
  readonly #options: UserAgentOptions;
  readonly #protocol: 'WS' | 'WSS';
  readonly #senders = new Map<string, Sender>();
  readonly #traffic: WatchedTraffic;
  #line: Line | null = null;
  #registration: StackRegistration | null = null;
  #isClosed = false;
  /** Its line is closed, too. */
  #isGone = false;

  constructor(engine: SipJsEngine, options: UserAgentOptions) {
    this.engine = engine;
    this.#options = options;
    const aor = checkedUri(options.aor, 'address of record');
    this.aor = new WireUri(aor);
    this.fromValue = `${options.displayName ? `${quoted(options.displayName)} ` : ''}<${aor}>`;
    this.userAgentName = headerText(engine.options.userAgentName);
    this.credentials = options.credentials;
    this.signalling = options.signalling ?? PLAIN_SIGNALLING;
    this.instanceId = options.instanceId ?? null;
    const { correlation } = options;
    this.correlationLines = correlation === undefined ? [] : [`${CORRELATION_HEADER}: ${headerText(correlation)}`];
    this.supported = this.instanceId === null ? '' : 'outbound, path';
    this.registrarUri = options.registrarUri === null ? null : checkedUri(options.registrarUri, 'registrar');
    this.preloaded = options.routeSet.map(checkedRoute);
    this.routeSet = this.preloaded;
    this.#traffic = new WatchedTraffic(options.traffic);
    this.#protocol = this.#protocolOf(options);
    // Nobody can connect to us, and the name says so (RFC 7118, 5.2.2).
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
        supportedOptionTagsResponse: [],
        userAgentHeaderFieldValue: this.userAgentName,
        viaForceRport: false,
        viaHost: host,
        transportAccessor: () => transport,
      },
      { onInvite: (uas) => this.#invited(uas as Core.InviteUserAgentServer) },
      this,
    );
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  register(expiresSeconds: number, events: RegistrationEvents): void {
    if (this.#isClosed) return;
    if (this.#registration !== null && !this.#registration.isOver) {
      throw new Error(
        `user agent ${this.#options.contactUser} has a registration: unregister it before registering again`,
      );
    }
    this.#registration?.drop();
    this.#registration = new StackRegistration(this, expiresSeconds, events);
    this.#registration.start();
  }

  unregister(): void {
    this.#registration?.unregister();
  }

  invite(targetUri: string, offer: string, events: CallEvents): Call {
    const text = headerText(targetUri);
    const call = new OutgoingSessionCall(this, text, offer, events);
    const problem = this.#problemWith(text);
    if (problem === null) call.start();
    else call.refuse(problem);
    return call;
  }

  ping(targetUri: string, events: PingEvents): void {
    const text = headerText(targetUri);
    const ping = new Ping(this, text, events);
    const problem = this.#problemWith(text);
    if (problem === null) ping.start();
    else ping.refuse(problem);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#traffic.silence();
    this.#registration?.drop();
    for (const sender of [...this.#senders.values()])
      if (sender instanceof SessionCall || sender instanceof Ping) sender.silence();
    this.engine.leave(this.#options.contactUser, this);
  }

  /** Nothing of it waits for an answer. */
  get isIdle(): boolean {
    return this.#senders.size === 0;
  }

  /** For good: everything still open is told that it is over. */
  abort(): void {
    const atMs = this.engine.clock();
    for (const sender of [...this.#senders.values()]) sender.abort(atMs);
    this.#isClosed = true;
    this.engine.left(this);
    // Behind what the calls have still to say.
    this.engine.tell(() => {
      this.#isGone = true;
      this.core.dispose();
      this.#line?.close();
      this.#senders.clear();
    });
  }

  /** Requests with the sender's Call-ID are his. */
  attach(sender: Sender): void {
    this.#senders.set(sender.callId, sender);
  }

  detach(sender: Sender): void {
    if (this.#senders.get(sender.callId) === sender) this.#senders.delete(sender.callId);
  }

  request(method: 'INVITE' | 'REGISTER' | 'OPTIONS', target: string, parts: Parts, heard: Heard): Outgoing {
    const { callId, cseq, fromTag, routes, lines, body } = parts;
    const uri = new WireUri(target);
    const to = method === 'REGISTER' ? this.aor : uri;
    const made = { callId, cseq, fromTag, routeSet: [...routes] };
    const message = this.core.makeOutgoingRequestMessage(
      method,
      uri,
      this.aor,
      to,
      made,
      [...lines],
      body ?? undefined,
    );
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

  authorizationOf(callId: string): Authorization | null {
    return this.#senders.get(callId)?.authorization ?? null;
  }

  newAuthorization(): Authorization {
    return new Authorization(this.credentials);
  }

  /** When the message arrived that is being read. */
  receivedAtMs = 0;

  followServiceRoute(registered: SipMessage): void {
    const routes = serviceRoute(registered);
    this.routeSet = routes.length === 0 ? this.preloaded : [...this.preloaded, ...routes];
  }

  onOpened(opened: Parameters<LineOwner['onOpened']>[0]): void {
    this.engine.tell(() => this.#options.onConnectionOpened?.(opened));
  }

  onLocated(tookMs: number): void {
    for (const sender of this.#senders.values()) this.engine.tell(() => sender.onLocated?.(tookMs));
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    for (const sender of this.#senders.values()) this.engine.tell(() => sender.onFailover?.(from, to, reason, atMs));
  }

  onSent(text: string, atMs: number, target: SipTarget): void {
    const message = parseMessage(text);
    if (message === null) return;
    this.#note('SENT', message, atMs, target);
    if (message.isRequest) this.#senders.get(message.callId)?.onSent(message.method, atMs);
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

  onLost(loss: Loss, atMs: number): void {
    for (const sender of [...this.#senders.values()]) this.engine.guard(() => sender.onLost(loss, atMs));
    // The library hears of it as of a message that could not be sent: whatever waits for a response is over.
    for (const client of [...this.core.userAgentClients.values()]) {
      const transaction = client.transaction as unknown as { onTransportError(error: Error): void; state: string };
      if (transaction.state === 'Calling' || transaction.state === 'Trying' || transaction.state === 'Proceeding')
        this.engine.guard(() => transaction.onTransportError(new Error(loss.reason)));
    }
  }

  #request(message: SipMessage): void {
    const via = parseVia(message.via);
    const refusal = via === null ? null : checkRequest(message, via, NO_OPTIONS);
    if (via === null || (refusal !== null && message.method === 'ACK')) {
      this.engine.counts.malformed++;
      return;
    }
    const unreachable = message.method === 'INVITE' && message.contactEnd === 0;
    const isBusy = message.method === 'OPTIONS' && message.toTag === '' && (this.#options.isBusy?.() ?? false);
    const busy = isBusy ? { status: 486, reason: 'Busy Here', headers: '' } : null;
    const fault =
      refusal ?? busy ?? (unreachable ? { status: 400, reason: 'Bad Request (no Contact)', headers: '' } : null);
    const read = fault === null ? incoming(message) : null;
    if (read !== null) this.core.receiveIncomingRequestFromTransport(read as unknown as Core.IncomingRequestMessage);
    else this.#refuse(message, fault ?? { status: 400, reason: 'Bad Request', headers: '' });
  }

  #response(message: SipMessage): void {
    const read = incoming(message);
    const id = message.branch + message.method;
    if (read === null || message.hasSeveralVias) this.engine.counts.malformed++;
    else if (!this.core.userAgentClients.has(id)) this.engine.counts.unmatched++;
    else {
      const sender = this.#senders.get(message.callId);
      const isSuccess = message.method === 'INVITE' && message.status >= 200 && message.status < 300;
      if (isSuccess && (message.toTag === '' || message.contactEnd === 0) && sender instanceof OutgoingSessionCall) {
        sender.break('a 2xx that makes no dialog: it has no tag or no Contact');
        return;
      }
      if (message.status >= 200 && message.status < 300) sender?.authorization?.learn(message);
      this.core.receiveIncomingResponseFromTransport(read as unknown as Core.IncomingResponseMessage);
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
    // A Call-ID names one call here: another's would take its place (RFC 3261, 8.2.2.2).
    if (this.#senders.has(uas.message.callId)) {
      uas.reject({ statusCode: 482, reasonPhrase: 'Loop Detected' });
      return;
    }
    const call = new IncomingSessionCall(this, uas as unknown as InviteServer, this.receivedAtMs);
    const events = this.#isClosed ? null : this.#options.onIncomingCall(call);
    call.begin(events);
  }

  #send(text: string): Promise<void> {
    if (this.#isGone) return Promise.reject(new Error('the user agent is closed'));
    this.#line ??= new Line(
      this.engine,
      { targets: this.#options.nextHop, uri: this.#serverUri(), tls: this.#options.tls ?? null },
      this,
    );
    return this.#line.send(text) ? Promise.resolve() : Promise.reject(new Error('the line is full or closed'));
  }

  /** Whose servers the line goes to; the path at the server stands in it, too. */
  #serverUri(): string {
    const route = parseNameAddress(this.preloaded[0] ?? '')?.uri;
    return route ?? this.#options.nextHopUri ?? this.registrarUri ?? this.aor.text;
  }

  #protocolOf({ nextHop, nextHopUri }: UserAgentOptions): 'WS' | 'WSS' {
    const transport = nextHop?.[0]?.transport;
    if (transport === 'WS' || transport === 'WSS') return transport;
    return protocolOf(nextHopUri ?? this.#serverUri());
  }

  #problemWith(targetUri: string): string | null {
    if (this.#isClosed) return 'the user agent is closed';
    const uri = parseUri(targetUri);
    return typeof uri === 'string' || uri.headers !== '' ? `not a SIP URI that can be called: ${targetUri}` : null;
  }

  #note(direction: Traffic['direction'], message: SipMessage, atMs: number, target: SipTarget): void {
    this.engine.guard(() => this.#traffic.note(direction, message, atMs, target));
  }
}
