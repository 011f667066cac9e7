/** A user agent of SIP.js: what it says and hears. */
import { randomUUID } from 'node:crypto';
import type {
  CallEvents,
  ConnectionOpened,
  RegistrationEvents,
  SipFailure,
  SipLocator,
  SipTarget,
  UserAgentOptions,
} from '../../engine.ts';
import { isEnding } from '../../message/methods.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { isKeepAlive, parseMessage } from '../../message/parse.ts';
import { headerText, quoted } from '../../message/wire-text.ts';
import type { WebSockets } from '../../transport/web-sockets.ts';
import { LibraryAgent } from '../library-agent.ts';
import type { LibraryCall, Outcome } from '../library-call.ts';
import { LibraryCallee } from '../library-callee.ts';
import { LibraryCaller } from '../library-caller.ts';
import type { LibraryEngineOptions, LibraryHost } from '../library-engine.ts';
import { WatchedTraffic } from '../traffic.ts';
import { Descriptions } from './descriptions.ts';
import { type Core, type Invitation, type Session, type URI, UserAgent, userAgentOf } from './library.ts';
import { SipJsRegistration } from './registration.ts';
import { InvitationLeg, InviterLeg, type SipJsAgent } from './session.ts';
import { type Loss, NotSent, SipJsTransport, type TransportOwner } from './transport.ts';

/** The engine, as its user agents know it. */
export interface SipJsHost extends LibraryHost {
  readonly options: LibraryEngineOptions & Pick<UserAgentSettings, 'locator'>;
  readonly sockets: WebSockets;
  /** A closed user agent is removed when its BYEs are answered. */
  leave(contactUser: string, agent: SipJsUserAgent): void;
  left(agent: SipJsUserAgent): void;
}
type UserAgentSettings = { readonly locator?: SipLocator };

export class SipJsUserAgent extends LibraryAgent<SipJsHost, SipJsRegistration> implements SipJsAgent, TransportOwner {
  readonly contactUri: string;
  readonly sipJs: UserAgent;
  readonly fromUri: URI | null;
  lastRegister: Outcome = { source: null, atMs: 0, reason: '' };
  readonly #transport: SipJsTransport;
  readonly #traffic: WatchedTraffic;
  readonly #described = new WeakMap<Session, LibraryCall>();
  /** When the text arrived that is being read. */
  #receivedAtMs = 0;
  #loss: Loss = { kind: 'TRANSPORT', reason: 'not connected' };
  #isStarted = false;

  constructor(engine: SipJsHost, options: UserAgentOptions) {
    super(engine, options);
    this.#traffic = new WatchedTraffic(options.traffic);
    this.fromUri = this.from === null ? null : uriOf(this.from);
    const { nextHop: targets, tls = null, displayName } = options;
    const route = parseNameAddress(this.routeSet[0] ?? '')?.uri;
    const uri = options.nextHopUri ?? route ?? options.registrarUri ?? options.aor;
    const { sockets, clock } = engine;
    const rest = { sockets, clock, locator: engine.options.locator ?? null, path: options.webSocketPath || '/', tls };
    const may = {
      mayReach: (address: string) => engine.maySend(false, address),
      mayName: (host: string) => engine.mayName(host),
    };
    this.#transport = new SipJsTransport({ targets, uri, protocol: protocolOf(targets, uri), ...rest, ...may }, this);
    this.sipJs = userAgentOf({
      aor: uriOf(this.aor),
      routeSet: this.routeSet,
      transport: this.#transport,
      // We accept no connections, which the name shows (RFC 7118, 5.2.2).
      host: `${randomUUID()}.invalid`,
      credentials: options.credentials,
      // The library puts the quotes around it.
      displayName: displayName ? quoted(displayName).slice(1, -1) : '',
      contactName: options.contactUser,
      userAgentName: headerText(engine.options.userAgentName),
      describe: (session) => new Descriptions(this.#described.get(session) ?? null, () => this.#receivedAtMs),
      onInvite: (invitation) => this.hear(() => this.#invited(invitation)),
    });
    this.contactUri = this.sipJs.contact.uri.toString();
  }

  protected newRegistration(registrar: string, seconds: number, events: RegistrationEvents): SipJsRegistration {
    return new SipJsRegistration(this, uriOf(registrar), seconds, events);
  }

  protected newCall(target: string | null, lines: readonly string[], offer: string, events: CallEvents): LibraryCaller {
    const uri = target === null ? this.sipJs.contact.uri : uriOf(target);
    return new LibraryCaller(this, offer, events, (call) => new InviterLeg(this, uri, lines, offer, call));
  }

  protected leave(): void {
    this.#traffic.silence();
    this.engine.leave(this.options.contactUser, this);
  }

  override abort(): void {
    super.abort();
    this.engine.left(this);
    this.engine.tell(() => {
      // If there is no connection, nothing is sent, and the library ends its timers.
      this.settle(this.#transport.dispose());
      this.registration?.dispose();
      this.settle(this.sipJs.stop());
    });
  }

  describes(session: Session, call: LibraryCall): void {
    this.#described.set(session, call);
  }

  ready(): Promise<void> {
    if (this.#isStarted) return this.#transport.connect();
    this.#isStarted = true;
    return this.sipJs.start();
  }

  failureOf(error: unknown, message?: Core.IncomingMessage): SipFailure {
    const isSilence = (message as { statusCode?: number } | undefined)?.statusCode === 408;
    const none: Loss = isSilence ? { kind: 'TIMEOUT', reason: 'no response within 32 s' } : this.#loss;
    const { kind, reason } = error instanceof NotSent ? error.loss : none;
    return { kind, status: null, reason, atMs: this.engine.clock() };
  }

  read(message: Core.IncomingMessage): Outcome {
    const known = this.arrivedAs(message.data ?? '');
    if (known !== undefined) return known;
    const { reason } = this.failureOf(null, message);
    return { source: null, atMs: this.engine.clock(), reason };
  }

  settle(promise: Promise<unknown>): void {
    promise.catch(() => undefined);
  }

  onOpened(opened: ConnectionOpened): void {
    this.engine.tell(() => this.options.owner.onConnectionOpened?.(opened));
  }

  onLocated(tookMs: number): void {
    this.#tellSenders((sender) => sender.onLocated?.(tookMs));
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string): void {
    const atMs = this.engine.clock();
    this.#tellSenders((sender) => sender.onFailover?.(from, to, reason, atMs));
  }

  onLost(loss: Loss): void {
    this.#loss = loss;
    const failure = { ...loss, status: null, atMs: this.engine.clock() };
    this.#tellSenders((sender) => sender.onLost(failure));
  }

  maySend(text: string, address: string): boolean {
    const message = parseMessage(text);
    if (message === null || this.engine.maySend(isEnding(message.method, text), address)) return true;
    const { method, status, isRequest, callId } = message;
    this.#loss = { kind: 'POLICY', reason: `the policy of this host forbids ${address}` };
    this.engine.tell(() => this.options.owner.onForbidden?.(method, status, address));
    const failure = { ...this.#loss, status: null, atMs: this.engine.clock() };
    if (isRequest) this.engine.tell(() => this.callOf(callId)?.onLost(failure));
    return false;
  }

  onSent(text: string, target: SipTarget): void {
    const message = parseMessage(text);
    if (message === null) return;
    const atMs = this.engine.clock();
    this.engine.guard(() => this.#traffic.note('SENT', message, atMs, target));
    if (!message.isRequest) return;
    if (message.method !== 'REGISTER') this.callOf(message.callId)?.onSent(message.method, atMs);
    else {
      this.lastRegister = { source: null, atMs, reason: 'no response within 32 s' };
      this.registration?.onSent(atMs);
    }
  }

  onText(text: string, atMs: number, target: SipTarget): void {
    const message = parseMessage(text);
    if (message === null || message.fault !== null) {
      if (!isKeepAlive(text)) this.engine.counts.malformed++;
      return;
    }
    this.engine.guard(() => this.#traffic.note('RECEIVED', message, atMs, target));
    this.#receivedAtMs = atMs;
    this.arrived(text, message, atMs);
    if (!message.isRequest && message.method === 'REGISTER') this.lastRegister = { source: message, atMs, reason: '' };
    this.engine.guard(() => this.#transport.onMessage?.(text));
    // A challenge that was answered has another REGISTER behind it.
    const isOver = message.status >= 200 && this.lastRegister.source === message;
    if (isOver) this.engine.tell(() => this.registration?.onResponse());
    this.engine.tellAll();
  }

  #invited(invitation: Invitation): void {
    const { source, atMs } = this.read(invitation.request);
    if (source === null || this.isClosed) {
      this.settle(invitation.reject({ statusCode: 480 }));
      return;
    }
    const call = new LibraryCallee(this, source, atMs, (own) => new InvitationLeg(this, invitation, own));
    call.begin(this.options.owner.onIncomingCall(call));
  }

  #tellSenders(what: (sender: Pick<LibraryCaller, 'onLost'> & Partial<LibraryCaller>) => void): void {
    const registration = this.registration?.isOver === false ? [this.registration] : [];
    for (const one of [...registration, ...this.calls]) this.engine.tell(() => what(one as LibraryCaller));
  }
}

function uriOf(text: string): URI {
  const uri = UserAgent.makeURI(text);
  if (uri === undefined) throw new Error(`SIP.js cannot read the URI "${text}"`);
  return uri;
}

/** WS, unless the next hop requires WSS. */
function protocolOf(targets: readonly SipTarget[] | null, uri: string): 'WS' | 'WSS' {
  const transport = targets?.[0]?.transport;
  if (transport === 'WS' || transport === 'WSS') return transport;
  return /^sips:|;transport=wss\b/i.test(uri) ? 'WSS' : 'WS';
}
