/** A user agent on a library: its options, its calls, and where a library's own words go. */
import {
  type Call,
  type CallEvents,
  CORRELATION_HEADER,
  type PingEvents,
  type RegistrationEvents,
  type SipFailure,
  type UserAgent,
  type UserAgentOptions,
} from '../engine.ts';
import { checkedRoute, checkedUri } from '../message/checked-uris.ts';
import { NO_HEADERS, type OwnHeader, ownHeaderLines } from '../message/own-headers.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { readTarget } from '../message/uri-headers.ts';
import { headerText } from '../message/wire-text.ts';
import type { CallingAgent, LibraryCall, Outcome } from './library-call.ts';
import type { LibraryCaller } from './library-caller.ts';
import type { LibraryHost } from './library-engine.ts';
import type { LibraryRegistration } from './library-registration.ts';

const REMEMBERED = 64;

export abstract class LibraryAgent<E extends LibraryHost, R extends LibraryRegistration>
  implements UserAgent, CallingAgent
{
  abstract readonly contactUri: string;
  readonly engine: E;
  readonly options: UserAgentOptions;
  readonly headers: readonly OwnHeader[];
  readonly inviteLines: readonly string[];
  readonly aor: string;
  /** The value of From of requests other than REGISTER; null: the address of record. */
  readonly from: string | null;
  readonly routeSet: readonly string[];
  registration: R | null = null;
  protected isClosed = false;
  readonly #calls = new Map<string, LibraryCall>();
  readonly #arrived = new Map<string, Outcome>();

  constructor(engine: E, options: UserAgentOptions) {
    this.engine = engine;
    this.options = options;
    this.headers = options.headers ?? NO_HEADERS;
    this.aor = checkedUri(options.aor, 'address of record');
    this.from = options.from ? checkedUri(options.from, 'From') : null;
    this.routeSet = options.routeSet.map(checkedRoute);
    const { correlation = '' } = options;
    const named = correlation === '' ? [] : [`${CORRELATION_HEADER}: ${headerText(correlation)}`];
    this.inviteLines = [...named, ...ownHeaderLines(this.headers, 'INVITE')];
  }

  protected abstract newRegistration(registrar: string, expiresSeconds: number, events: RegistrationEvents): R;
  /** `target`: null where it cannot be called. */
  protected abstract newCall(
    target: string | null,
    lines: readonly string[],
    offer: string,
    events: CallEvents,
  ): LibraryCaller;
  /** It was closed: its BYEs may be in progress. */
  protected abstract leave(): void;

  /** Nothing of it waits for an answer. */
  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  get calls(): LibraryCall[] {
    return [...this.#calls.values()];
  }

  get isBusy(): boolean {
    return this.isClosed || (this.options.owner.isBusy?.() ?? false);
  }

  register(expiresSeconds: number, events: RegistrationEvents): void {
    if (this.isClosed) return;
    const { contactUser, registrarUri } = this.options;
    if (this.registration?.isOver === false)
      throw new Error(`user agent ${contactUser} has a registration: unregister it before registering again`);
    this.registration = this.newRegistration(checkedUri(registrarUri ?? '', 'registrar'), expiresSeconds, events);
    this.registration.start();
  }

  unregister(): void {
    this.registration?.unregister();
  }

  invite(targetUri: string, offer: string, events: CallEvents): Call {
    const { uri, asked } = readTarget(targetUri);
    const lines = asked.lines.split('\r\n').filter((line) => line !== '');
    const call = this.newCall(
      typeof uri === 'string' ? null : asked.uri,
      [...lines, ...this.inviteLines],
      offer,
      events,
    );
    const refuse = (reason: string): void => call.refuse(this.lost(reason));
    if (this.isClosed) refuse('the user agent is closed');
    else if (typeof uri === 'string') refuse(`not a SIP URI that can be called: ${targetUri}`);
    else call.start();
    return call;
  }

  ping(_targetUri: string, events: PingEvents): void {
    this.engine.tell(() => events.onPingFailed(this.lost('OPTIONS is not known to this engine')));
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.registration?.drop();
    for (const call of this.calls) call.silence();
    this.leave();
  }

  /** Permanent: everything open is reported as ended. */
  abort(): void {
    const atMs = this.engine.clock();
    this.registration?.abort(atMs);
    for (const call of this.calls) call.abort(atMs);
    this.isClosed = true;
  }

  attach(call: LibraryCall): void {
    this.#calls.set(call.callId, call);
  }

  detach(call: LibraryCall): void {
    if (this.#calls.get(call.callId) === call) this.#calls.delete(call.callId);
  }

  callOf(callId: string): LibraryCall | undefined {
    return this.#calls.get(callId);
  }

  /** A library passes its own reading of a message on: what it was, and when it came, is known by its text. */
  protected arrived(text: string, source: SipMessage, atMs: number): void {
    this.#arrived.set(text, { source, atMs, reason: '' });
    if (this.#arrived.size > REMEMBERED) this.#arrived.delete(this.#arrived.keys().next().value as string);
  }

  protected arrivedAs(text: string): Outcome | undefined {
    return this.#arrived.get(text);
  }

  /** What a library calls must not throw: that would go on to nobody. */
  hear(what: () => void): void {
    this.engine.guard(what);
  }

  lost(reason: string, kind: SipFailure['kind'] = 'TRANSPORT'): SipFailure {
    return { kind, status: null, reason, atMs: this.engine.clock() };
  }
}
