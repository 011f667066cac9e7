/**
 * A binding at a registrar through a library: the built-in engine's table has the requirements of RFC 3261, 10.2; the
 * stack sends.
 */

import { takeStep } from '../../../steps.ts';
import type { Authorization } from '../../digest/authorization.ts';
import type { RegistrationEvents, SipFailure, SipTarget } from '../../engine.ts';
import { explanationOf } from '../../message/explanation.ts';
import { ownHeaderLines } from '../../message/own-headers.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { headerText } from '../../message/wire-text.ts';
import { grantedSeconds, minimumSeconds, refreshDelayMs } from '../../registration/granted-expires.ts';
import { REGISTRATION, type RegistrationEvent, type RegistrationState } from '../../registration/registration-table.ts';
import {
  afterAttempts,
  firstRetryDelayMs,
  maySucceedLater,
  retryAfterMs,
  retryDelayMs,
} from '../../registration/retry.ts';
import { Timed } from '../../timer-wheel.ts';
import { type Loss, type Outgoing, type RequestSender, type StackAgent, sourceOf } from '../stack.ts';

/** A limit for a registrar whose minimum grows each time. */
const MAX_TOO_BRIEF = 5;

export class StackRegistration extends Timed implements RequestSender {
  readonly callId: string;
  readonly authorization: Authorization;
  readonly #agent: StackAgent;
  #events: RegistrationEvents | null;
  readonly #fromTag: string;
  #state: RegistrationState = REGISTRATION.initial;
  #expiresSeconds: number;
  #expiresAtMs = 0;
  #cseq = 0;
  #request: Outgoing | null = null;
  #tooBrief = 0;
  #setbacks = 0;
  /** Time of the first of the consecutive failures. */
  #failedAtMs = Number.NaN;
  #wasSent = false;
  #wasGranted = false;
  #offersFlow: boolean;
  #loss: Loss | null = null;

  constructor(agent: StackAgent, expiresSeconds: number, events: RegistrationEvents) {
    super();
    this.#agent = agent;
    this.#events = events;
    this.#expiresSeconds = expiresSeconds;
    this.callId = agent.engine.identifiers.callId();
    this.#fromTag = agent.engine.identifiers.tag();
    this.authorization = agent.newAuthorization();
    this.#offersFlow = agent.instanceId !== null;
    agent.attach(this);
  }

  get isOver(): boolean {
    return this.#state === 'GONE' || this.#state === 'LAPSED';
  }

  start(): void {
    if (this.#agent.registrarUri === null) {
      const atMs = this.#agent.engine.clock();
      this.#fail({ kind: 'TRANSPORT', status: null, reason: 'no registrar is set', atMs }, null);
    } else this.#send();
  }

  unregister(): void {
    if (this.#state !== 'GONE' && !this.#move('UNREGISTER')) return;
    if (this.#state === 'GONE') this.#tell((events) => events.onUnregistered(this.#agent.engine.clock()));
    else if (this.#state === 'LEAVING') this.#send();
  }

  /** No more refreshes, no more events. */
  drop(): void {
    this.#events = null;
    if (this.#state !== 'GONE') this.#move('STOPPED');
  }

  abort(atMs: number): void {
    if (!this.isOver) {
      const reason = 'the engine was closed';
      if (this.#wasGranted) this.#tell((events) => events.onUnregistered(atMs));
      else this.#tell((events) => events.onRegistrationFailed({ kind: 'TRANSPORT', status: null, reason, atMs }));
    }
    if (this.#state !== 'GONE') this.#move('STOPPED');
  }

  onSent(_method: string, atMs: number): void {
    if (this.#wasSent) return;
    this.#wasSent = true;
    this.#tell((events) => events.onRegisterSent(atMs));
  }

  onLocated(tookMs: number): void {
    this.#events?.onLocated?.(tookMs);
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    this.authorization.begin();
    this.#events?.onFailover?.('REGISTER', from, to, reason, atMs);
  }

  /** The registrar can no longer reach us: the binding is created again over another connection (RFC 5626, 4.5). */
  onLost(loss: Loss, atMs: number): void {
    this.#loss = loss;
    if (this.#state === 'REGISTERED') this.#agent.engine.wheel.set(this, atMs);
  }

  override onDue(): void {
    if (this.#move('REFRESH_DUE')) this.#send();
    else this.#move('EXPIRED');
  }

  #send(): void {
    const { preloaded, registrarUri } = this.#agent;
    this.authorization.begin();
    this.#loss = null;
    this.#cseq++;
    const parts = {
      callId: this.callId,
      cseq: this.#cseq,
      fromTag: this.#fromTag,
      routes: preloaded,
      lines: this.#lines(),
      body: null,
    };
    const over = ({ message }: { message: object }): void => {
      // Challenges that were answered have counted on.
      this.#cseq = this.#request?.cseq ?? this.#cseq;
      this.#answered(message);
    };
    const heard = { onAccept: over, onRedirect: over, onReject: over };
    this.#request = this.#agent.request('REGISTER', registrarUri ?? '', parts, heard);
  }

  #lines(): string[] {
    const seconds = this.#state === 'LEAVING' ? 0 : this.#expiresSeconds;
    const { instanceId, contactUri, headers } = this.#agent;
    const flow = this.#offersFlow && instanceId !== null ? `;reg-id=1;+sip.instance="<${headerText(instanceId)}>"` : '';
    const contact = `Contact: <${contactUri}>${flow};expires=${seconds}`;
    return [contact, `Expires: ${seconds}`, ...ownHeaderLines(headers, 'REGISTER')];
  }

  #answered(message: object): void {
    if (this.isOver) return;
    const source = sourceOf(message);
    const { engine, receivedAtMs } = this.#agent;
    if (source === null) {
      const loss = this.#loss ?? { kind: 'TIMEOUT' as const, reason: 'no response within 32 s' };
      this.#fail({ ...loss, status: null, atMs: engine.clock() }, Number.NaN);
      return;
    }
    const { status, reason } = source;
    if (status < 300) {
      this.#granted(source, receivedAtMs);
      return;
    }
    const problem = this.#remedy(source);
    if (problem === null && this.#move('AGAIN')) {
      this.#send();
      return;
    }
    const why = problem ? `${reason} (${problem})` : reason;
    this.#fail(
      { kind: 'STATUS', status, reason: why, atMs: receivedAtMs, explanation: explanationOf(source) },
      maySucceedLater(status) ? retryAfterMs(source) : null,
    );
  }

  #granted(source: SipMessage, atMs: number): void {
    const seconds = grantedSeconds(source, this.#agent.contactUri, this.#expiresSeconds);
    const wasLeaving = this.#state === 'LEAVING';
    if (!wasLeaving && this.#state !== 'LEAVE_WANTED' && seconds === 0) {
      this.#expiresAtMs = 0;
      this.#fail({ kind: 'PROTOCOL', status: source.status, reason: 'the registrar granted 0 seconds', atMs }, null);
      return;
    }
    if (!this.#move('GRANTED')) return;
    if (wasLeaving) this.#tell((events) => events.onUnregistered(atMs));
    else if (this.#state === 'LEAVING') this.#send();
    else this.#keep(source, seconds, atMs);
  }

  #keep(source: SipMessage, seconds: number, atMs: number): void {
    const { wheel, clock } = this.#agent.engine;
    this.#setbacks = 0;
    this.#expiresAtMs = clock() + seconds * 1000;
    wheel.set(this, clock() + refreshDelayMs(seconds, Math.random()));
    this.#agent.followServiceRoute(source);
    if (this.#wasGranted) this.#tell((events) => events.onRefreshed?.(atMs, seconds));
    else {
      this.#wasGranted = true;
      this.#tell((events) => events.onRegistered(atMs, seconds));
    }
  }

  /** Null: the refusal will be handled. Otherwise the reason why not, '' if there is none. */
  #remedy(source: SipMessage): string | null {
    if (source.status === 423 && this.#state !== 'LEAVING') {
      const minimum = minimumSeconds(source);
      if (minimum === null) return 'without a usable Min-Expires';
      if (minimum <= this.#expiresSeconds)
        return `Min-Expires ${minimum} is not more than the requested ${this.#expiresSeconds} s`;
      if (++this.#tooBrief > MAX_TOO_BRIEF) return `too brief ${this.#tooBrief} times`;
      this.#expiresSeconds = minimum;
      return null;
    }
    // First Hop Lacks Outbound Support: a plain binding will do (RFC 5626, 4.2.1).
    const lacksFlow = source.status === 439 && this.#offersFlow;
    if (lacksFlow) this.#offersFlow = false;
    return lacksFlow ? null : '';
  }

  /** `askedMs`: when it may be tried again, NaN for whenever we like, null for never. */
  #fail(failure: SipFailure, askedMs: number | null): void {
    if (this.#state === 'REFRESHING') {
      this.#failRefresh(failure, askedMs);
      return;
    }
    if (this.#state === 'REGISTERING') {
      this.#failFirst(failure, askedMs);
      return;
    }
    if (this.#state === 'LEAVE_WANTED' && this.#wasGranted && this.#move('SETBACK')) {
      this.#send();
      return;
    }
    const leaving = this.#state === 'LEAVING' || this.#state === 'LEAVE_WANTED';
    if (!this.#move('FAILURE')) return;
    if (leaving) this.#tell((events) => events.onUnregistered(failure.atMs));
    else this.#tell((events) => events.onRegistrationFailed(failure));
  }

  #failFirst(failure: SipFailure, askedMs: number | null): void {
    const { wheel, clock } = this.#agent.engine;
    const nowMs = clock();
    if (this.#setbacks++ === 0) this.#failedAtMs = nowMs;
    const sinceMs = nowMs - this.#failedAtMs;
    const delayMs = firstRetryDelayMs(this.#agent.registerRetry, askedMs, sinceMs);
    if (delayMs !== null && this.#move('SETBACK')) {
      this.#wasSent = false;
      wheel.set(this, nowMs + delayMs);
      return;
    }
    const failureText = afterAttempts(failure, this.#setbacks, sinceMs);
    if (this.#move('FAILURE')) this.#tell((events) => events.onRegistrationFailed(failureText));
  }

  #failRefresh(failure: SipFailure, askedMs: number | null): void {
    const { wheel, clock } = this.#agent.engine;
    const leftMs = this.#expiresAtMs - clock();
    const delayMs = retryDelayMs(askedMs, leftMs, this.#setbacks++, Math.random(), this.#agent.registerRetry);
    if (delayMs !== null && this.#move('SETBACK')) {
      wheel.set(this, clock() + delayMs);
      this.#tell((events) => events.onRefreshFailed?.(failure));
      return;
    }
    if (!this.#move('FAILURE')) return;
    wheel.set(this, Math.max(this.#expiresAtMs, clock()));
    this.#tell((events) => events.onRegistrationFailed(failure));
  }

  #move(event: RegistrationEvent): boolean {
    const next = takeStep('registration', REGISTRATION.transitions, this.#state, event);
    if (next === null) return false;
    this.#state = next;
    this.#agent.engine.wheel.clear(this);
    if (next === 'GONE') this.#agent.detach(this);
    return true;
  }

  #tell(what: (events: RegistrationEvents) => void): void {
    const events = this.#events;
    if (events !== null) this.#agent.engine.tell(() => what(events));
  }
}
