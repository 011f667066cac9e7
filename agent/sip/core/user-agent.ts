/** A user agent of the built-in engine: where its requests go, and by which transport; registrations and calls do the rest. */

import type { BaseCall, CallKeeper } from '../dialog/base-call.ts';
import type { FixedHeaders } from '../dialog/call-agent.ts';
import { LateAnswers } from '../dialog/late-answers.ts';
import { OpenCalls } from '../dialog/open-calls.ts';
import { OutgoingCall } from '../dialog/outgoing-call.ts';
import { SILENCE } from '../dialog/silence.ts';
import { KnownChallenges } from '../digest/authorization.ts';
import {
  type Call,
  type CallEvents,
  type ConnectionOpened,
  type Credentials,
  type IncomingCall,
  type PingEvents,
  PLAIN_SIGNALLING,
  type RegisterRetry,
  type RegistrationEvents,
  type SignallingOptions,
  type SipFailure,
  type SipTarget,
  type SipTransport,
  type TlsSettings,
  type TrafficObserver,
  type UserAgent,
  type UserAgentOptions,
  type UserAgentOwner,
} from '../engine.ts';
import type { Identifiers } from '../identifiers.ts';
import { readRegistrar } from '../message/checked-uris.ts';
import { parseNameAddress } from '../message/name-address.ts';
import { NO_HEADERS, type OwnHeader } from '../message/own-headers.ts';
import { inOnePiece } from '../message/own-text.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { hostPortText, type SipUri } from '../message/uri.ts';
import { readTarget } from '../message/uri-headers.ts';
import { Registration } from '../registration/registration.ts';
import { serviceRoute } from '../registration/service-route.ts';
import type { TransactionLayer } from '../transaction/transaction-layer.ts';
import { nextHop, routeTo, transportProblem } from '../transport/next-hop.ts';
import { type Hop, Route } from '../transport/route.ts';
import { type MessageOwner, NOBODY } from '../transport/send-queue.ts';
import { isWebSocket, WebSocketLine } from '../transport/web-socket-line.ts';
import { contactUri } from './contact-uri.ts';
import type { Core } from './core.ts';
import { Lines } from './fixed-headers.ts';
import { Ping } from './ping.ts';
import { sharedTls } from './shared-tls.ts';
import { checkedOptions, FROM, NO_ROUTES, TAG } from './user-agent-options.ts';

const DEAF_REGISTRATION: RegistrationEvents = {
  onRegisterSent: () => undefined,
  onRegistered: () => undefined,
  onRegistrationFailed: () => undefined,
  onUnregistered: () => undefined,
};
const NOWHERE: SipTarget = { transport: 'UDP', address: '', port: 0 };
const ANYBODY = (): boolean => true;
/** The owner of a closed user agent. */
const NO_OWNER: UserAgentOwner = { onIncomingCall: () => null, isBusy: () => true };

export class CoreUserAgent implements UserAgent, CallKeeper {
  readonly contactUser: string;
  readonly layer: TransactionLayer;
  readonly identifiers: Identifiers;
  headers: FixedHeaders;
  readonly fromHead: string;
  /** The value of From and To of REGISTER; null: the same as in other requests. */
  readonly #registerValue: string | null;
  readonly credentials: Credentials | null;
  readonly challenges: KnownChallenges | null = null;
  readonly nextHop: readonly SipTarget[] | null;
  readonly #nextHopUri: string | null;
  readonly signalling: SignallingOptions;
  readonly correlation: string;
  readonly ownHeaders: readonly OwnHeader[];
  routeLine: string;
  readonly registerRouteLine: string;
  readonly lateAnswers = new LateAnswers(this);
  traffic: TrafficObserver;
  readonly tls: TlsSettings | null;
  /** Null until it is needed: most user agents never do. */
  line: WebSocketLine | null;
  readonly #hasOwnLine: boolean;
  readonly #webSocketPath: string;
  #transport: SipTransport;
  /** Our Contact is a SIPS URI, since the other end's is (RFC 3261, 8.1.1.8 and 12.1.1). */
  #isSecure = false;
  #ownContactUri: string | null = null;
  /** The challenges known to the calls that go over its registration. */
  #known: KnownChallenges | null = null;
  #owner: UserAgentOwner;
  readonly takesFrom: (address: string) => boolean;
  readonly #core: Core<CoreUserAgent>;
  /** Our own routes; REGISTER goes by these only. */
  readonly #preloaded: readonly string[];
  /** Followed by the registrar's (RFC 3608, 6.1). */
  #routeSet: readonly string[];
  readonly #flowParameters: string;
  readonly #registrarUri: string | null;
  readonly #registerRetry: RegisterRetry | null;
  readonly #calls = new OpenCalls();
  #registration: Registration | null = null;
  /** Null while there are none: most user agents never have one. */
  #pings: Set<Ping> | null = null;
  #closed = false;

  /** Throws if an option is invalid (user-agent-options.ts), or the contact user is in use. */
  constructor(core: Core<CoreUserAgent>, options: UserAgentOptions) {
    const checked = checkedOptions(options);
    this.#core = core;
    this.layer = core.layer;
    this.identifiers = core.identifiers;
    this.contactUser = options.contactUser;
    if (core.userAgents.has(this.contactUser)) {
      throw new Error(
        `contact user "${this.contactUser}" belongs to another user agent of this engine: give each its own`,
      );
    }
    this.#registerValue = checked.registerValue;
    this.fromHead = checked.fromHead;
    this.credentials = options.credentials;
    this.nextHop = options.nextHop;
    this.#nextHopUri = checked.nextHopUri;
    this.signalling = options.signalling ?? PLAIN_SIGNALLING;
    this.correlation = checked.correlation;
    this.ownHeaders = options.headers ?? NO_HEADERS;
    this.#preloaded = checked.routeSet;
    this.#routeSet = checked.routeSet;
    this.routeLine = routeLine(this.#routeSet);
    this.registerRouteLine = this.routeLine;
    this.#flowParameters = checked.flowParameters;
    this.#registrarUri = checked.registrarUri;
    this.#registerRetry = options.registerRetry ?? null;
    this.traffic = options.traffic;
    this.#owner = options.owner;
    this.tls = sharedTls(core, options.tls ?? null);
    this.takesFrom = options.takesFrom ?? ANYBODY;
    this.#webSocketPath = options.webSocketPath || '/';
    const over = options.over instanceof CoreUserAgent ? options.over : null;
    this.line = over?.line ?? null;
    this.#hasOwnLine = this.line === null;
    if (over !== null) {
      over.#known ??= new KnownChallenges();
      this.challenges = over.#known;
      this.#routeSet = over.#routeSet;
      this.routeLine = over.routeLine;
    }
    this.#transport = (over === null ? null : over.#transport) ?? this.nextHop?.[0]?.transport ?? 'UDP';
    this.headers = new Lines(this.#core, this);
    this.#draw(this.#transport);
    core.userAgents.set(this.contactUser, this);
  }

  get standIn(): MessageOwner {
    return this.lateAnswers;
  }

  get contactUri(): string {
    this.#ownContactUri ??= inOnePiece(this.newContactUri());
    return this.#ownContactUri;
  }

  /** The same, not kept: a caller that hangs up needs it once. */
  newContactUri(): string {
    return contactUri(this.#core, this.contactUser, this.#transport, this.#isSecure);
  }

  /** The Contact of our binding; calls may use another transport. */
  get registeredUri(): string {
    return contactUri(this.#core, this.contactUser, this.#transport, isSips(this.#registrarUri ?? ''));
  }

  get fromValue(): string {
    return this.fromHead.slice(FROM.length, -TAG.length);
  }

  get aorValue(): string {
    return this.#registerValue ?? this.fromValue;
  }

  /** The observer of incoming calls. */
  get taker(): CoreUserAgent {
    const taker = this.#owner.taker?.();
    return taker instanceof CoreUserAgent ? taker : this;
  }

  get isBusy(): boolean {
    return this.#owner.isBusy?.() ?? false;
  }

  offer(call: IncomingCall): CallEvents | null {
    return this.#owner.onIncomingCall(call);
  }

  onConnectionOpened(opened: ConnectionOpened): void {
    this.#owner.onConnectionOpened?.(opened);
  }

  onForbidden(method: string, status: number, address: string): void {
    this.#owner.onForbidden?.(method, status, address);
  }

  register(expiresSeconds: number, events: RegistrationEvents): void {
    if (this.#closed) return;
    if (this.#registration !== null && !this.#registration.isOver) {
      throw new Error(`user agent ${this.contactUser} has a registration: unregister it before registering again`);
    }
    const uri = this.#registrarUri === null ? 'no registrar is set' : readRegistrar(this.#registrarUri);
    const hop = typeof uri === 'string' ? uri : this.hopFor(this.#registrarUri ?? '', uri, this.#preloaded);
    if (typeof hop !== 'string') this.speak((hop instanceof Route ? hop.target : hop).transport);
    const binding = {
      registrarUri: this.#registrarUri ?? '',
      flowParameters: this.#flowParameters,
      hop: typeof hop === 'string' ? NOWHERE : hop,
      retry: this.#registerRetry,
    };
    this.#registration?.drop(DEAF_REGISTRATION);
    this.#registration = new Registration(this, binding, expiresSeconds, events);
    if (typeof hop === 'string') this.#registration.refuse(this.#transportFailure(hop));
    else this.#registration.start();
  }

  unregister(): void {
    this.#registration?.unregister();
  }

  invite(targetUri: string, offer: string, events: CallEvents): Call {
    const { text, lines, hop } = this.#wayTo(targetUri);
    const destination = { targetUri: text, askedLines: lines, hop: typeof hop === 'string' ? NOWHERE : hop };
    const call = new OutgoingCall(this, destination, offer, events);
    this.hold(call);
    if (typeof hop === 'string') call.refuse(this.#transportFailure(hop));
    else call.start();
    return call;
  }

  ping(targetUri: string, events: PingEvents): void {
    const { text, hop } = this.#wayTo(targetUri);
    const pings = this.#pings ?? new Set();
    this.#pings = pings;
    const ping = new Ping(this, text, typeof hop === 'string' ? NOWHERE : hop, events, (over) => pings.delete(over));
    pings.add(ping);
    if (typeof hop === 'string') ping.refuse(this.#transportFailure(hop));
    else ping.send();
  }

  /**
   * Destination of a request outside dialogs, if its transport is supported; or why it cannot be sent. `lines`: headers
   * from the URI.
   */
  #wayTo(targetUri: string): { readonly text: string; readonly lines: string; readonly hop: Hop | string } {
    const { uri, asked } = readTarget(targetUri);
    const text = asked.uri;
    let hop: Hop | string;
    if (this.#closed) hop = 'the user agent is closed';
    else if (typeof uri === 'string') hop = `not a SIP URI that can be called: ${text}`;
    else hop = this.hopFor(text, uri);
    if (typeof hop !== 'string')
      this.speak((hop instanceof Route ? hop.target : hop).transport, isSips(text) || isSips(this.#routeSet[0] ?? ''));
    return { text, lines: asked.lines, hop };
  }

  followServiceRoute(registered: SipMessage): void {
    if (this.#routeSet === this.#preloaded && registered.header('service-route') === null) return;
    const routes = serviceRoute(registered);
    this.#routeSet = routes.length === 0 ? this.#preloaded : [...this.#preloaded, ...routes];
    this.routeLine = routeLine(this.#routeSet);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#hasOwnLine && this.line !== null) this.line.isUsed = false;
    this.traffic = NOBODY.traffic;
    this.#registration?.drop(DEAF_REGISTRATION);
    for (const ping of this.#pings ?? []) ping.drop();
    this.#calls.forEach((call) => {
      call.leave(SILENCE);
    });
    this.#core.userAgents.delete(this.contactUser);
    // Transactions that wait for repetitions hold it for up to 32 s: it must not reference its owner.
    this.#owner = NO_OWNER;
    this.lateAnswers.retire(closedAgentOf(this.#core));
  }

  /** The engine closes: everything open is reported as ended. */
  abort(atMs: number): void {
    this.#registration?.abort(atMs);
    for (const ping of [...(this.#pings ?? [])]) ping.abort(atMs);
    this.#calls.forEach((call) => {
      call.abort(atMs);
      this.#calls.delete(call);
    });
  }

  /** Counts the call as open until `detach`. */
  hold(call: BaseCall): void {
    this.#calls.add(call);
    this.#core.openCalls++;
  }

  attach(call: BaseCall): void {
    this.#core.calls.set(call.localTag, call);
  }

  detach(call: BaseCall): void {
    this.#core.calls.delete(call.localTag);
    if (this.#calls.delete(call)) this.#core.openCalls--;
  }

  /** A call came by this transport, the default for our Contact. */
  heardBy(transport: SipTransport, invite: SipMessage): void {
    const [route] = invite.hasRecordRoute ? invite.headerMembers('record-route') : NO_ROUTES;
    const isFree = this.nextHop === null && this.#registration === null;
    this.speak(isFree ? transport : this.#transport, isSips(invite.requestUri) || isSips(route ?? ''));
  }

  reachedBy(transport: SipTransport): string {
    this.speak(transport);
    return this.contactUri;
  }

  /** Our Contact names the transport that our requests go by, so that the peer's come the same way. */
  speak(transport: SipTransport, isSecure = this.#isSecure): void {
    if (transport === this.#transport && isSecure === this.#isSecure) return;
    this.#transport = transport;
    this.#isSecure = isSecure;
    this.#draw(transport);
    this.#ownContactUri = null;
    this.headers = new Lines(this.#core, this);
  }

  #draw(transport: SipTransport): void {
    if (isWebSocket(transport)) this.line ??= new WebSocketLine(this.#webSocketPath);
  }

  addressFor(text: string, uri: SipUri): Hop | string {
    return transportProblem(uri) ?? this.#hopTo(text);
  }

  mayDial(uri: string): boolean {
    return this.#core.mayDial(uri);
  }

  mayCall(uri: string, hop: Hop): boolean {
    return this.#core.mayCall(uri) && (hop instanceof Route || this.layer.sendQueue.allows(hop.address));
  }

  /** The place to which a request outside dialogs goes, or the reason why it cannot (RFC 3261, 8.1.2). */
  hopFor(text: string, uri: SipUri, routes = this.#routeSet): Hop | string {
    const problem = transportProblem(uri);
    if (problem !== null) return problem;
    if (this.nextHop !== null && this.nextHop.length > 1) return Route.through(this.nextHop);
    if (this.nextHop !== null) return this.nextHop[0] ?? 'the list of next hops is empty';
    const route = routes[0];
    return this.#hopTo(this.#nextHopUri ?? (route === undefined ? text : (parseNameAddress(route)?.uri ?? '')));
  }

  /** The destination of a URI itself. */
  #hopTo(text: string): Hop | string {
    const hop = nextHop(text);
    if (typeof hop !== 'string' || this.layer.failover.locator === null) return hop;
    return routeTo(text) ?? hop;
  }

  #transportFailure(reason: string): SipFailure {
    return { kind: 'TRANSPORT', status: null, reason, atMs: this.layer.clock() };
  }
}

/** Created when the first one closes; a peer cannot call it. */
function closedAgentOf(core: Core<CoreUserAgent>): CoreUserAgent {
  if (core.closedAgent !== null) return core.closedAgent;
  const { address, port } = core.local;
  const agent = new CoreUserAgent(core, {
    aor: `sip:${hostPortText(address, port)}`,
    contactUser: core.identifiers.tag(),
    traffic: NOBODY.traffic,
    credentials: null,
    registrarUri: null,
    nextHop: null,
    routeSet: [],
    owner: NO_OWNER,
  });
  core.closedAgent = agent;
  agent.close();
  return agent;
}

const routeLine = (routes: readonly string[]): string => (routes.length === 0 ? '' : `Route: ${routes.join(', ')}\r\n`);

/** Whether a URI, or a member of a route set, is secure. */
const isSips = (text: string): boolean => /^[^<]*<?sips:/i.test(text);
