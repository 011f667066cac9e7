/**
 * An endpoint that has call after call, one at a time: its registration, kept over all of them, and the user agent by which it is found. Each
 * call is a Caller or Callee with a user agent of its own: what comes late of one is not taken for the next one's.
 */
import { EndpointTraffic } from '../../capture/endpoint-traffic.ts';
import type { RegistrationEvents, SipFailure, UserAgent } from '../../sip/engine.ts';
import { type PolicyChange, refusedNow } from '../limits/policy-change.ts';
import { type CallsPlan, callPlan, type EndpointPlan } from '../plan.ts';
import { EndpointBinding } from './binding.ts';
import { Callee } from './callee.ts';
import type { Endpoint, EndpointShare } from './endpoint.ts';
import type { EndpointTimer, Sleeper } from './endpoint-timer.ts';
import type { CallHolder } from './holders.ts';
import { identityOf, registrantOf } from './identity.ts';

/** What it needs beside what its calls need. */
export interface LastingHost {
  /** Its call goes on from now. */
  join(call: Callee): void;
  /** It may place calls. */
  onRegistered(endpoint: LastingEndpoint): void;
  /** It can place no more. */
  withdraw(endpoint: LastingEndpoint): void;
  /** Its first call, if that never was placed: nobody else tells of it then. */
  takeUnused(endpoint: LastingEndpoint): Endpoint | null;
  /** Nothing of it is left. */
  onLeft(endpoint: LastingEndpoint): void;
}

export class LastingEndpoint implements CallHolder, RegistrationEvents, Sleeper {
  readonly plan: EndpointPlan;
  readonly userAgent: UserAgent;
  readonly traffic: EndpointTraffic;
  readonly binding = new EndpointBinding();
  waking: Sleeper['waking'] = null;
  /** The call that it has, or waits for. */
  protected current: Endpoint | null = null;
  protected readonly share: EndpointShare;
  protected readonly host: LastingHost;
  protected isLeaving = false;
  #hasLeft = false;

  constructor(share: EndpointShare, host: LastingHost, plan: EndpointPlan) {
    this.share = share;
    this.host = host;
    this.plan = plan;
    const { facts, engine, keep } = share;
    this.traffic = new EndpointTraffic(plan.number, facts.counts, facts.storeOf(plan.number), keep);
    this.userAgent = engine.createUserAgent({
      ...identityOf(share.plan, plan, engine.local, share.sources),
      ...registrantOf(share.plan, plan),
      traffic: this.traffic,
      // The call that is up may be the one that is to be replaced, or says that it is busy (RFC 3261, 21.4.24).
      taker: () => this.current?.userAgent ?? null,
      onIncomingCall: () => null,
      isBusy: () => !this.isIdle,
    });
  }

  get isClosed(): boolean {
    return this.#hasLeft;
  }

  /** Free for a call that comes; callers never are. */
  get isIdle(): boolean {
    return this.current?.isIdle ?? false;
  }

  onTimer(what: EndpointTimer): void {
    if (what !== 'REGISTER' || this.isLeaving || !this.binding.move('asked')) return;
    this.userAgent.register(this.share.plan.group.registerExpiresSeconds, this);
  }

  /** This is its call now. */
  hold(call: Endpoint): void {
    this.current = call;
  }

  /** That call is over. */
  released(call: object): void {
    if (call !== this.current) return;
    this.current = null;
    if (this.isLeaving) this.#go();
  }

  onCalled(): void {
    // Nobody waits for calls.
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

  /** Without a registration it has no more calls; one that is up goes on. */
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

  /** The owner's policy is another one by now; its call is asked for itself. */
  obey(changed: PolicyChange): void {
    if (this.isLeaving) return;
    const { plan, share, traffic } = this;
    const addresses = [plan.nextHop?.address ?? '', traffic.peerAddress];
    const refusal = refusedNow(share, changed, { uris: [plan.targetUri, plan.nextHopUri ?? ''], addresses });
    if (refusal === null) return;
    const unused = this.unused();
    this.leave();
    unused?.forbid(refusal.cause, refusal.text);
  }

  /** No more calls; it un-registers when the present one is over. */
  leave(): void {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.host.withdraw(this);
    if (this.current === null) this.#go();
  }

  /** Last resort, when the time to end in good order is up. */
  abandon(): void {
    this.isLeaving = true;
    this.#left();
  }

  release(): void {
    this.userAgent.close();
  }

  /** The call of its planned row, if that never came about. */
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

/** It waits for calls, and takes one after the other: so many, or all that come. */
export class LastingCallee extends LastingEndpoint {
  readonly #calls: CallsPlan;
  #taken = 0;

  constructor(share: EndpointShare, host: LastingHost, plan: EndpointPlan, calls: CallsPlan) {
    super(share, host, plan);
    this.#calls = calls;
    host.join(this.#waitForNext());
  }

  /** That of its planned row goes on from the start. */
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
    if (this.#taken < this.#calls.callsEach) this.#waitForNext();
    else this.leave();
  }

  /** No call will come any more. */
  finish(): void {
    this.leave();
    const { current } = this;
    if (current instanceof Callee) current.finish();
  }

  override leave(): void {
    const { current } = this;
    // Nobody was told of it, and nobody will be.
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
