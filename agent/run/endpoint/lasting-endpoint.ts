/**
 * An endpoint that has one call after another: its registration, kept over all of them, and the user agent that
 * receives its calls. Each call is a Caller or Callee with its own user agent, so that late messages of one do not
 * reach the next.
 */
import { EndpointTraffic } from '../../capture/endpoint-traffic.ts';
import type { RegistrationEvents, SipFailure, UserAgent, UserAgentOwner } from '../../sip/engine.ts';
import { refusedNow } from '../limits/policy-change.ts';
import { NO_ENTRY } from '../order/timetable.ts';
import { type CallsPlan, callPlan, type EndpointPlan, hasCall } from '../plan.ts';
import { EndpointBinding } from './account/binding.ts';
import { identityOf, placeOf } from './account/identity.ts';
import type { Endpoint, EndpointShare } from './core/endpoint.ts';
import type { EndpointTimer, Sleeper } from './core/endpoint-timer.ts';
import type { CallHolder } from './core/holders.ts';
import { Callee } from './talking/callee.ts';

/** Its needs beyond those of its calls. */
export interface LastingHost {
  /** A call of the endpoint starts to use the share. */
  join(call: Callee): void;
  /** The endpoint may place calls. */
  onRegistered(endpoint: LastingEndpoint): void;
  /** The endpoint can place no more calls. */
  withdraw(endpoint: LastingEndpoint): void;
  /** Returns its first call if that was never placed: nothing else reports it. */
  takeUnused(endpoint: LastingEndpoint): Endpoint | null;
  /** The endpoint is completely released. */
  onLeft(endpoint: LastingEndpoint): void;
}

export class LastingEndpoint implements CallHolder, UserAgentOwner, RegistrationEvents, Sleeper {
  readonly plan: EndpointPlan;
  readonly userAgent: UserAgent;
  readonly traffic: EndpointTraffic;
  readonly binding = new EndpointBinding();
  waking = NO_ENTRY;
  /** The endpoint's current call, or the one that waits for an INVITE. */
  protected current: Endpoint | null = null;
  protected readonly share: EndpointShare;
  protected readonly host: LastingHost;
  protected isLeaving = false;
  #hasLeft = false;

  constructor(share: EndpointShare, host: LastingHost, plan: EndpointPlan) {
    this.share = share;
    this.host = host;
    this.plan = plan;
    const { facts, engine, policy } = share;
    this.traffic = new EndpointTraffic(plan.number, facts.counts, facts.storeOf(plan.number), policy.keep);
    this.userAgent = engine.createUserAgent(
      identityOf(share.plan, plan, placeOf(engine), share.sources, {
        traffic: this.traffic,
        owner: this,
        over: null,
        correlation: '',
      }),
    );
  }

  get isClosed(): boolean {
    return this.#hasLeft;
  }

  /** Whether it is free for an incoming call; callers never are. */
  get isIdle(): boolean {
    return this.current?.isIdle ?? false;
  }

  isBusy(): boolean {
    return !this.isIdle;
  }

  /** The current call may be the one to be replaced, or answers busy (RFC 3261, 21.4.24). */
  taker(): UserAgent | null {
    return this.current?.userAgent ?? null;
  }

  onIncomingCall(): null {
    return null;
  }

  onTimer(what: EndpointTimer): void {
    if (what !== 'REGISTER' || this.isLeaving || !this.binding.move('asked')) return;
    this.userAgent.register(this.share.plan.group.registerExpiresSeconds, this);
  }

  /** The call becomes the current one. */
  hold(call: Endpoint): void {
    this.current = call;
  }

  /** The call is over. */
  released(call: object): void {
    if (call !== this.current) return;
    this.current = null;
    if (this.isLeaving) this.#go();
  }

  onCalled(): void {
    // Only callees wait for calls.
  }

  onRegisterSent(atMs: number): void {
    this.binding.sent(atMs);
  }

  onRegistered(atMs: number): void {
    if (!this.binding.granted(atMs)) return;
    this.share.facts.phase(this.plan.number, 'REGISTERED', atMs);
    this.host.onRegistered(this);
    this.share.onRegistrationSettled(this);
  }

  onRefreshed(): void {
    this.binding.refreshed();
  }

  onRefreshFailed(): void {
    this.binding.refreshFailed();
  }

  /** Without a registration the endpoint has no more calls; a current one continues. */
  onRegistrationFailed(failure: SipFailure): void {
    if (this.binding.state === 'PENDING') {
      this.binding.move('refused');
      this.unused()?.refused(failure);
      this.share.onRegistrationSettled(this);
    } else this.binding.lapsed();
    this.leave();
  }

  onUnregistered(): void {
    this.binding.move('removed');
    this.#left();
  }

  /** The policy has changed; the current call is checked separately. */
  followPolicy(): void {
    if (this.isLeaving) return;
    const { plan, share, traffic } = this;
    const addresses = [plan.nextHop?.address ?? '', traffic.peerAddress];
    const refusal = refusedNow(share, { uris: [plan.targetUri, plan.nextHopUri ?? ''], addresses });
    if (refusal === null) return;
    const unused = this.unused();
    this.leave();
    unused?.forbid(refusal.cause, refusal.text);
  }

  /** Accepts no more calls; un-registers when the current one is over. */
  leave(): void {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.host.withdraw(this);
    if (this.current === null) this.#go();
  }

  /** Last resort, when the time for a clean end is over. */
  abandon(): void {
    this.isLeaving = true;
    this.#left();
  }

  release(): void {
    this.userAgent.close();
  }

  /** The call of its planned row, if that call was never placed. */
  protected unused(): Endpoint | null {
    return this.host.takeUnused(this);
  }

  #go(): void {
    if (this.binding.isOpen) {
      this.binding.move('left');
      this.userAgent.unregister();
    } else if (this.binding.state !== 'REMOVING') this.#left();
  }

  #left(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    const { counts } = this.binding;
    if (counts !== null) this.share.facts.registrationEnded({ endpoint: this.plan.number, refreshes: counts });
    this.host.onLeft(this);
  }
}

/** Waits for calls, and takes one after another: a fixed number, or all that arrive. */
export class LastingCallee extends LastingEndpoint {
  readonly #calls: CallsPlan;
  #taken = 0;

  constructor(share: EndpointShare, host: LastingHost, plan: EndpointPlan, calls: CallsPlan) {
    super(share, host, plan);
    this.#calls = calls;
    host.join(this.#waitForNext());
  }

  /** The call of its planned row exists from the start. */
  override onCalled(): void {
    const { current } = this;
    if (current instanceof Callee && current.plan.number !== this.plan.number) this.host.join(current);
  }

  override onTimer(what: EndpointTimer): void {
    super.onTimer(what);
    if (what === 'RECEIVE_END') this.finish();
  }

  override released(call: object): void {
    if (call !== this.current) return;
    super.released(call);
    if (this.isLeaving) return;
    if (hasCall(this.plan, this.#taken, this.#calls)) this.#waitForNext();
    else this.leave();
  }

  /** No further call will arrive. */
  finish(): void {
    this.leave();
    const { current } = this;
    if (current instanceof Callee) current.finish();
  }

  override leave(): void {
    const { current } = this;
    // The call was never reported, and never will be.
    if (current?.isIdle && current.plan.number !== this.plan.number) {
      this.current = null;
      current.discard();
    }
    super.leave();
  }

  protected override unused(): Endpoint | null {
    const { current } = this;
    return current?.isIdle && current.plan.number === this.plan.number ? current : null;
  }

  #waitForNext(): Callee {
    const next = new Callee(this.share, callPlan(this.plan, this.#taken, this.#calls), this);
    this.#taken++;
    this.current = next;
    return next;
  }
}
