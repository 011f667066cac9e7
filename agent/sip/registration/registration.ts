/** One user agent's binding at its registrar, kept fresh until it is removed (RFC 3261, 10.2; digest: 22). */

import { takeStep } from '../../steps.ts';
import type { CallAgent } from '../dialog/call-agent.ts';
import { unsent } from '../dialog/dialog-request.ts';
import { Redirects } from '../dialog/redirects.ts';
import { Authorization } from '../digest/authorization.ts';
import type { RegisterRetry, RegistrationEvents, SipFailure, SipTarget } from '../engine.ts';
import { beginning, ending, requestText } from '../message/build.ts';
import { explanationOf } from '../message/explanation.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { Timed } from '../timer-wheel.ts';
import type { ClientUser, NoResponse, SentRequest } from '../transaction/client-user.ts';
import { BindingKeepAlive } from '../transport/binding-keep-alive.ts';
import { type Hop, Route } from '../transport/route.ts';
import type { Flow, MessageOwner } from '../transport/send-queue.ts';
import { grantedSeconds, minimumSeconds, refreshDelayMs } from './granted-expires.ts';
import { REGISTRATION, type RegistrationEvent, type RegistrationState } from './registration-table.ts';
import { afterAttempts, delayWithinMs, maySucceedLater, retryAfterMs, retryDelayMs } from './retry.ts';

/** The constant parts of a user agent's REGISTERs. */
export type Binding = {
  readonly registrarUri: string;
  /** `;reg-id=1;+sip.instance="<urn:uuid:…>"` (RFC 5626, 4.2), '' if no outbound flow is offered. */
  readonly flowParameters: string;
  /** The place to which REGISTER goes. */
  readonly hop: Hop;
  readonly retry: RegisterRetry | null;
};

/** Path is between proxies and registrar: it needs only this option tag of us (RFC 3327, 5.1). */
const SUPPORTED = 'Supported: path\r\n';
const SUPPORTED_WITH_FLOW = 'Supported: path, outbound\r\n';

/** A registrar that finds every interval too brief would keep us asking for ever. */
const MAX_TOO_BRIEF = 5;

export class Registration extends Timed implements ClientUser, Flow {
  readonly owner: MessageOwner;
  /** The same for all REGISTERs to one registrar (10.2). */
  readonly callId: string;
  route: Route | null;
  readonly #agent: CallAgent;
  #binding: Binding;
  #authorization: Authorization;
  readonly #identity: string;
  #events: RegistrationEvents;
  #state: RegistrationState = REGISTRATION.initial;
  #expiresSeconds: number;
  #cseq = 0;
  #sentTold = false;
  #wasGranted = false;
  #offersFlow: boolean;
  /** The keep-alive, while a registrar keeps our flow over UDP. */
  #flow: BindingKeepAlive | null = null;
  /** When the registrar forgets the binding, unless it is refreshed. */
  #expiresAtMs = 0;
  /** The places to which 3xx has led since the request was first sent. */
  #redirects: Redirects | null = null;
  /** 423s since the request was first sent. */
  #tooBrief = 0;
  /** Attempts that failed in a row. */
  #setbacks = 0;
  /** Time of the first one; NaN: none. */
  #failedAtMs = Number.NaN;
  /** Reported in the next turn: the user's call must return first. */
  #deferred: (() => void) | null = null;

  constructor(agent: CallAgent, binding: Binding, expiresSeconds: number, events: RegistrationEvents) {
    super();
    this.#agent = agent;
    this.owner = agent;
    this.#binding = binding;
    this.#events = events;
    this.#expiresSeconds = expiresSeconds;
    this.#offersFlow = binding.flowParameters !== '';
    this.#authorization = new Authorization(agent.credentials);
    this.callId = agent.identifiers.callId();
    this.route = binding.hop instanceof Route ? binding.hop : null;
    const { aorValue } = agent;
    this.#identity = `${agent.registerRouteLine}From: ${aorValue};tag=${agent.identifiers.tag()}\r\nTo: ${aorValue}\r\nCall-ID: ${this.callId}\r\n`;
  }

  /** No more refreshes: a new registration may start. */
  get isOver(): boolean {
    return this.#state === 'GONE' || this.#state === 'LAPSED';
  }

  get target(): SipTarget {
    return this.#binding.hop instanceof Route ? this.#binding.hop.target : this.#binding.hop;
  }

  start(): void {
    this.#sendNew();
  }

  /** Ends a registration that cannot be sent at all. */
  refuse(failure: SipFailure): void {
    this.#later(() => this.#fail(failure, null));
  }

  /** Removes the binding; onUnregistered always follows. */
  unregister(): void {
    if (this.#state !== 'GONE' && !this.#move('UNREGISTER')) return;
    if (this.#state === 'GONE') this.#later(() => this.#events.onUnregistered(this.#agent.layer.clock()));
    else if (this.#state === 'LEAVING') this.#sendNew();
  }

  /** No more refreshes, no more events; the binding stays at the registrar until it expires. */
  drop(events: RegistrationEvents): void {
    this.#events = events;
    if (this.#state !== 'GONE') this.#move('STOPPED');
    this.#agent.layer.wheel.clear(this);
  }

  /** The engine closes. */
  abort(atMs: number): void {
    const deferred = this.#deferred;
    this.#deferred = null;
    if (deferred !== null) deferred();
    if (this.isOver) return;
    this.#move('STOPPED');
    if (this.#wasGranted) this.#events.onUnregistered(atMs);
    else this.#events.onRegistrationFailed({ kind: 'TRANSPORT', status: null, reason: 'the engine was closed', atMs });
  }

  onRequestSent(_transaction: SentRequest, atMs: number): void {
    if (this.#sentTold) return;
    this.#sentTold = true;
    this.#events.onRegisterSent(atMs);
  }

  onResponse(_transaction: SentRequest, response: SipMessage, atMs: number): void {
    const { status, reason } = response;
    if (status < 200 || this.isOver) return;
    if (status < 300) {
      this.#onGranted(response, atMs);
      return;
    }
    const problem = this.#remedy(response);
    if (problem === null && this.#move('AGAIN')) {
      this.#send();
      return;
    }
    const said = problem ? `${reason} (${problem})` : reason;
    const failure: SipFailure = { kind: 'STATUS', status, reason: said, atMs, explanation: explanationOf(response) };
    this.#fail(failure, maySucceedLater(status) ? retryAfterMs(response) : null);
  }

  wantsAnother(): boolean {
    return !this.isOver;
  }

  onConnectionWait(_transaction: SentRequest, waitedMs: number): void {
    this.#events.onConnectionWait?.(waitedMs);
  }

  onSentByUdp({ method }: SentRequest, reason: string, atMs: number): void {
    this.#events.onSentByUdp?.(method, reason, atMs);
  }

  onLocated(_transaction: SentRequest, tookMs: number): void {
    this.#events.onLocated?.(tookMs);
  }

  /** Another server's challenge does not mean that this one refused. */
  onFailover(from: SentRequest, to: SentRequest, reason: string, atMs: number): void {
    this.#authorization.begin();
    this.#events.onFailover?.(to.method, from.target, to.target, reason, atMs);
  }

  onNoResponse(_transaction: SentRequest, kind: NoResponse, reason: string, atMs: number): void {
    this.#fail({ kind, status: null, reason, atMs }, Number.NaN);
  }

  override onDue(): void {
    const deferred = this.#deferred;
    this.#deferred = null;
    if (deferred !== null) deferred();
    else if (this.#move('REFRESH_DUE')) this.#sendNew();
    else this.#move('EXPIRED');
  }

  #onGranted(response: SipMessage, atMs: number): void {
    const seconds = grantedSeconds(response, this.#agent.registeredUri, this.#expiresSeconds);
    const wasLeaving = this.#state === 'LEAVING';
    if (!wasLeaving && this.#state !== 'LEAVE_WANTED' && seconds === 0) {
      this.#expiresAtMs = 0;
      this.#fail({ kind: 'PROTOCOL', status: response.status, reason: 'the registrar granted 0 seconds', atMs }, null);
      return;
    }
    this.#authorization.learn(response);
    if (!this.#move('GRANTED')) return;
    if (wasLeaving) this.#events.onUnregistered(atMs);
    else if (this.#state === 'LEAVING') this.#sendNew();
    else this.#keep(response, seconds, atMs);
  }

  #keep(response: SipMessage, seconds: number, atMs: number): void {
    const { wheel, clock } = this.#agent.layer;
    const nowMs = clock();
    this.#setbacks = 0;
    this.#expiresAtMs = Math.floor(nowMs + seconds * 1000);
    wheel.set(this, nowMs + refreshDelayMs(seconds, Math.random()));
    this.#agent.followServiceRoute(response);
    this.#keepFlow(response);
    this.#agent.layer.sendQueue.connections?.keep(this.target, this.#agent, this.#expiresAtMs);
    this.#keepLine();
    if (this.#wasGranted) this.#events.onRefreshed?.(atMs, seconds);
    else {
      this.#wasGranted = true;
      this.#events.onRegistered(atMs, seconds);
    }
  }

  /**
   * A registrar that accepted the outbound flow answers STUN on it (RFC 5626, 4.4 and 6); after a flow failure we
   * register again.
   */
  #keepFlow(response: SipMessage): void {
    const { layer } = this.#agent;
    const taken = this.#offersFlow && /\boutbound\b/i.test(response.header('require') ?? '');
    if (this.#flow !== null || !taken || this.target.transport !== 'UDP') return;
    this.#flow = new BindingKeepAlive(layer.sendQueue, layer.wheel, layer.clock(), this.target, () => {
      this.#flow = null;
      if (this.#state === 'REGISTERED') layer.wheel.set(this, layer.clock());
    });
  }

  /** A WebSocket that is gone leads the registrar nowhere: we open another, and register over it (RFC 5626, 4.2.1). */
  #keepLine(): void {
    const { layer, line = null } = this.#agent;
    if (line === null) return;
    line.onLost = () => {
      if (this.#state === 'REGISTERED') layer.wheel.set(this, layer.clock());
    };
  }

  /** Null: the refusal will be handled. Otherwise the reason why not, '' if there is none. */
  #remedy(response: SipMessage): string | null {
    switch (response.status) {
      case 401:
      case 407:
        return this.#authorization.accept(response);
      case 423:
        return this.#state === 'LEAVING' ? '' : this.#takeMinimum(response);
      case 439: {
        // First Hop Lacks Outbound Support: a plain binding is used instead (RFC 5626, 4.2.1).
        const wasOffered = this.#offersFlow;
        this.#offersFlow = false;
        return wasOffered ? null : '';
      }
      default:
        return this.#follow(response);
    }
  }

  /** Another registrar that a 300, 301 or 302 names is asked from now on (8.1.3.4). */
  #follow(response: SipMessage): string | null {
    const { maxRedirects } = this.#agent.signalling;
    if (response.status >= 303 || maxRedirects === 0) return '';
    const { registrarUri } = this.#binding;
    this.#redirects ??= new Redirects(this.#agent, registrarUri, maxRedirects);
    this.#redirects.add(response);
    const next = this.#redirects.next(registrarUri);
    if (next === null) return this.#redirects.problem;
    this.#binding = { ...this.#binding, registrarUri: next.requestUri, hop: next.hop };
    this.route = next.hop instanceof Route ? next.hop : null;
    // Another server has its own challenges, independent of the first one's.
    this.#authorization = new Authorization(this.#agent.credentials);
    return null;
  }

  /** Null: the registrar's minimum is now what we ask for. */
  #takeMinimum(response: SipMessage): string | null {
    const minimum = minimumSeconds(response);
    if (minimum === null) return 'without a usable Min-Expires';
    if (minimum <= this.#expiresSeconds)
      return `Min-Expires ${minimum} is not more than the requested ${this.#expiresSeconds} s`;
    if (++this.#tooBrief > MAX_TOO_BRIEF) return `too brief ${this.#tooBrief} times`;
    this.#expiresSeconds = minimum;
    return null;
  }

  /** `retryAfterMs`: when it may be tried again, NaN for whenever we like, null for never. */
  #fail(failure: SipFailure, retryAfterMs: number | null): void {
    if (this.#state === 'REFRESHING') {
      this.#failRefresh(failure, retryAfterMs);
      return;
    }
    if (this.#state === 'REGISTERING') {
      this.#failFirst(failure, retryAfterMs);
      return;
    }
    // A refresh that was refused has not removed the binding.
    if (this.#state === 'LEAVE_WANTED' && this.#wasGranted && this.#move('SETBACK')) {
      this.#sendNew();
      return;
    }
    const leaving = this.#state === 'LEAVING' || this.#state === 'LEAVE_WANTED';
    if (!this.#move('FAILURE')) return;
    if (leaving) this.#events.onUnregistered(failure.atMs);
    else this.#events.onRegistrationFailed(failure);
  }

  #failFirst(failure: SipFailure, retryAfterMs: number | null): void {
    const { wheel, clock } = this.#agent.layer;
    const nowMs = clock();
    if (this.#setbacks++ === 0) this.#failedAtMs = nowMs;
    const sinceMs = nowMs - this.#failedAtMs;
    const delayMs = delayWithinMs(this.#binding.retry, retryAfterMs, sinceMs);
    if (delayMs !== null && this.#move('SETBACK')) {
      this.#sentTold = false;
      wheel.set(this, nowMs + delayMs);
    } else if (this.#move('FAILURE'))
      this.#events.onRegistrationFailed(afterAttempts(failure, this.#setbacks, sinceMs));
  }

  #failRefresh(failure: SipFailure, retryAfterMs: number | null): void {
    const { wheel, clock } = this.#agent.layer;
    const { retry } = this.#binding;
    const nowMs = clock();
    if (this.#setbacks === 0) this.#failedAtMs = nowMs;
    const leftMs = this.#expiresAtMs - nowMs;
    // A registrar that was away for longer than the binding lasted gets it again.
    const delayMs =
      retryDelayMs(retryAfterMs, leftMs, this.#setbacks, Math.random(), retry) ??
      delayWithinMs(retry, retryAfterMs, nowMs - this.#failedAtMs);
    if (delayMs !== null && this.#move('SETBACK')) {
      this.#setbacks++;
      wheel.set(this, nowMs + delayMs);
      this.#events.onRefreshFailed?.(failure);
      return;
    }
    if (this.#move(leftMs > 0 ? 'FAILURE' : 'EXPIRED') && leftMs > 0) wheel.set(this, this.#expiresAtMs);
    this.#events.onRegistrationFailed(failure);
  }

  #sendNew(): void {
    this.#authorization.begin();
    this.#redirects = null;
    this.#tooBrief = 0;
    this.route?.renew();
    this.#send();
  }

  #send(): void {
    // A call may have gone by another transport meanwhile.
    this.#agent.speak(this.target.transport);
    const { headers, layer } = this.#agent;
    const { registrarUri } = this.#binding;
    const expires = this.#state === 'LEAVING' ? 0 : this.#expiresSeconds;
    const place = layer.reserve();
    const branch = layer.branchOf(place);
    this.#cseq++;
    const flow = this.#offersFlow ? this.#binding.flowParameters : '';
    const contact = `Contact: <${this.#agent.registeredUri}>${flow};expires=${expires}\r\nExpires: ${expires}\r\n`;
    const lines = `${contact}${flow === '' ? SUPPORTED : SUPPORTED_WITH_FLOW}${this.#authorization.headers('REGISTER', registrarUri, '')}${headers.register}`;
    const text = requestText(
      beginning('REGISTER', registrarUri, headers.via[this.target.transport]),
      branch,
      this.#identity,
      ending('REGISTER', this.#cseq, lines),
    );
    const result = layer.request('REGISTER', place, text, this, this);
    if (typeof result === 'string') this.refuse(unsent(result, this.target.address, layer.clock()));
  }

  #later(tell: () => void): void {
    this.#deferred = tell;
    this.#agent.layer.wheel.set(this, this.#agent.layer.clock());
  }

  #endFlow(): void {
    this.#flow?.stop();
    this.#flow = null;
  }

  #move(event: RegistrationEvent): boolean {
    const next = takeStep('registration', REGISTRATION.transitions, this.#state, event);
    if (next === null) return false;
    this.#state = next;
    if (next === 'GONE' || next === 'LEAVING') this.#endFlow();
    if (this.#deferred === null) this.#agent.layer.wheel.clear(this);
    return true;
  }
}
