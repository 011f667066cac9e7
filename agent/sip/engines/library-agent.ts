/** A user agent on a third-party library: its options, its registration, its calls, and senders by Call-ID. */

import { knowsOption, RELIABLE, requiresOption } from '../dialog/reliable-responses.ts';
import { isTooShort, termsFor } from '../dialog/within/session-expires.ts';
import { Authorization } from '../digest/authorization.ts';
import {
  type Call,
  type CallEvents,
  CORRELATION_HEADER,
  type PingEvents,
  PLAIN_SIGNALLING,
  type RegisterRetry,
  type RegistrationEvents,
  type SignallingOptions,
  type UserAgent,
  type UserAgentOptions,
} from '../engine.ts';
import { NO_HEADERS, type OwnHeader } from '../message/own-headers.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';
import { readTarget } from '../message/uri-headers.ts';
import { headerText, quoted } from '../message/wire-text.ts';
import { serviceRoute } from '../registration/service-route.ts';
import { IncomingSessionCall } from './calls/incoming-call.ts';
import { OutgoingSessionCall } from './calls/outgoing-call.ts';
import { StackPing } from './calls/ping.ts';
import { StackRegistration } from './calls/registration.ts';
import { SessionCall } from './calls/session-call.ts';
import { tooShort } from './calls/session-time.ts';
import { checkedRoute, checkedUri } from './checked-options.ts';
import {
  type InviteServer,
  type Outgoing,
  type Parts,
  type RequestSender,
  type ResponseHandler,
  type StackAgent,
  type StackEngine,
  sourceOf,
} from './stack.ts';

/** Option tags of the extensions in use (RFC 3261, 19.2). */
export const extensionTags = ({ reliableProvisional, sessionTimer }: SignallingOptions): string[] => [
  ...(sessionTimer === null ? [] : ['timer']),
  ...(reliableProvisional === 'NONE' ? [] : [RELIABLE]),
];

export abstract class LibraryAgent<E extends StackEngine> implements UserAgent, StackAgent {
  readonly engine: E;
  abstract readonly contactUri: string;
  abstract readonly contactLine: string;
  abstract readonly allowLine: string;
  abstract readonly instanceId: string | null;
  readonly fromValue: string;
  readonly aorValue: string;
  readonly correlationLines: readonly string[];
  readonly headers: readonly OwnHeader[];
  readonly registrarUri: string | null;
  readonly registerRetry: RegisterRetry | null;
  readonly signalling: SignallingOptions;
  routeSet: readonly string[];
  readonly preloaded: readonly string[];
  receivedAtMs = 0;
  protected readonly options: UserAgentOptions;
  /** By Call-ID. */
  protected readonly senders = new Map<string, RequestSender>();
  protected isClosed = false;
  #registration: StackRegistration | null = null;

  constructor(engine: E, options: UserAgentOptions) {
    this.engine = engine;
    this.options = options;
    const { displayName, correlation, registrarUri } = options;
    const aor = checkedUri(options.aor, 'address of record');
    const name = displayName ? `${quoted(displayName)} ` : '';
    this.aorValue = `${name}<${aor}>`;
    this.fromValue = options.from ? `${name}<${checkedUri(options.from, 'From')}>` : this.aorValue;
    this.correlationLines =
      correlation === undefined || correlation === '' ? [] : [`${CORRELATION_HEADER}: ${headerText(correlation)}`];
    this.headers = options.headers ?? NO_HEADERS;
    this.registrarUri = registrarUri === null ? null : checkedUri(registrarUri, 'registrar');
    this.registerRetry = options.registerRetry ?? null;
    this.signalling = options.signalling ?? PLAIN_SIGNALLING;
    this.preloaded = options.routeSet.map(checkedRoute);
    this.routeSet = this.preloaded;
  }

  abstract request(
    method: 'INVITE' | 'REGISTER' | 'OPTIONS',
    target: string,
    parts: Parts,
    heard: ResponseHandler,
  ): Outgoing;
  /** It was closed: its BYEs may be in progress. */
  protected abstract leave(): void;

  get isBusy(): boolean {
    return this.isClosed || (this.options.owner.isBusy?.() ?? false);
  }

  takesFrom(address: string): boolean {
    return this.options.takesFrom?.(address) ?? true;
  }

  register(expiresSeconds: number, events: RegistrationEvents): void {
    if (this.isClosed) return;
    if (this.#registration !== null && !this.#registration.isOver) {
      throw new Error(
        `user agent ${this.options.contactUser} has a registration: unregister it before registering again`,
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
    const { uri, lines } = readTarget(targetUri).asked;
    return this.#begun(new OutgoingSessionCall(this, uri, lines, offer, events), uri);
  }

  ping(targetUri: string, events: PingEvents): void {
    const text = headerText(targetUri);
    this.#begun(new StackPing(this, text, events), text);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#registration?.drop();
    for (const sender of [...this.senders.values()])
      if (sender instanceof SessionCall || sender instanceof StackPing) sender.silence();
    this.leave();
  }

  /** Permanent: everything open is reported as ended. */
  abort(): void {
    const atMs = this.engine.clock();
    for (const sender of [...this.senders.values()]) sender.abort(atMs);
    this.isClosed = true;
  }

  newAuthorization(): Authorization {
    return new Authorization(this.options.credentials);
  }

  attach(sender: RequestSender): void {
    this.senders.set(sender.callId, sender);
  }

  detach(sender: RequestSender): void {
    if (this.senders.get(sender.callId) === sender) this.senders.delete(sender.callId);
  }

  followServiceRoute(registered: SipMessage): void {
    this.routeSet = [...this.preloaded, ...serviceRoute(registered)];
  }

  /** An INVITE outside of dialogs. A Call-ID names one call here: another's would take its place (RFC 3261, 8.2.2.2). */
  protected take(server: InviteServer, callId: string): void {
    if (this.senders.has(callId)) {
      server.reject({ statusCode: 482, reasonPhrase: 'Loop Detected' });
      return;
    }
    const source = sourceOf(server.message) as SipMessage;
    const { reliableProvisional, sessionTimer } = this.signalling;
    if (reliableProvisional === 'NONE' && requiresOption(source, RELIABLE)) {
      server.reject({ statusCode: 420, reasonPhrase: 'Bad Extension', extraHeaders: [`Unsupported: ${RELIABLE}`] });
      return;
    }
    if (reliableProvisional === 'REQUIRED' && !knowsOption(source, RELIABLE)) {
      server.reject({ statusCode: 421, reasonPhrase: 'Extension Required', extraHeaders: [`Require: ${RELIABLE}`] });
      return;
    }
    const terms = termsFor(source, sessionTimer);
    if (isTooShort(terms)) {
      server.reject(tooShort(terms));
      return;
    }
    const call = new IncomingSessionCall(this, server, terms, this.receivedAtMs);
    call.begin(this.isClosed ? null : this.options.owner.onIncomingCall(call));
  }

  #begun<T extends { start(): void; refuse(reason: string): void }>(one: T, targetUri: string): T {
    const problem = this.#problemWith(targetUri);
    if (problem === null) one.start();
    else one.refuse(problem);
    return one;
  }

  #problemWith(targetUri: string): string | null {
    if (this.isClosed) return 'the user agent is closed';
    const uri = parseUri(targetUri);
    return typeof uri === 'string' || uri.headers !== '' ? `not a SIP URI that can be called: ${targetUri}` : null;
  }
}
