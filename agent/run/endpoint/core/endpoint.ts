/**
 * One simulated user agent of a run: registers, has one call, un-registers, closes with one outcome. Caller and Callee
 * define the call set-up; this has everything they share. Every event of the engine leads to `close`, exactly once.
 */
import type { Cause } from '@carillon/proto';
import { EndpointTraffic, type Keep } from '../../../capture/endpoint-traffic.ts';
import type { Fingerprint } from '../../../rtp/media-engine.ts';
import type {
  ByeDetails,
  Call,
  CallEvents,
  ConnectionOpened,
  IncomingCall,
  RegistrationEvents,
  SipEngine,
  SipFailure,
  UserAgent,
  UserAgentOwner,
} from '../../../sip/engine.ts';
import { takeStep } from '../../../steps.ts';
import type { Breaker } from '../../limits/breaker.ts';
import { type Permission, refusedNow } from '../../limits/policy-change.ts';
import { NO_ENTRY } from '../../order/timetable.ts';
import { causeOfRegistrationFailure } from '../../outcome/failure-cause.ts';
import type { Phase } from '../../phases.ts';
import type { EndpointPlan, SharePlan } from '../../plan.ts';
import type { FactsBuffer } from '../../report/facts-buffer.ts';
import { EndpointBinding } from '../account/binding.ts';
import { identityOf, placeOf } from '../account/identity.ts';
import { ownGroup } from '../account/own-values.ts';
import { EndpointMedia } from '../media/endpoint-media.ts';
import { callName } from './call-name.ts';
import { CallRecord } from './call-record.ts';
import { ENDPOINT, type EndpointEvent } from './endpoint-machine.ts';
import type { EndpointTimer, Sleeper, Starter } from './endpoint-timer.ts';
import type { CallHolder, StreamHolder, StunRequests } from './holders.ts';

/** What the policy of this host lets an endpoint do, by now. */
interface EndpointPolicy extends Permission {
  readonly longestMs: number;
  /** Which parts of its messages may be kept. */
  readonly keep: Keep;
  /** `spent`: why the minutes per day end all calls; null: calls may continue. */
  readonly talked: { readonly spent: string | null; onPhase(from: Phase, to: Phase): void };
}

/** Dependencies of an endpoint on its share. */
export interface EndpointShare extends StunRequests {
  readonly plan: SharePlan;
  readonly engine: SipEngine;
  readonly facts: FactsBuffer;
  /** The fingerprint of the agent's certificate; null: DTLS is not available here. */
  readonly fingerprint: Fingerprint | null;
  readonly policy: EndpointPolicy;
  /** Calls that could only start later than this after their instant are dropped. */
  readonly latestStartMs: number;
  /** Whether one more call may be placed now because a peer asks for it; it counts as placed. */
  takeReferral(): boolean;
  readonly breaker: Breaker | null;
  readonly sources: { readonly isAnybody: boolean; readonly takesFrom: (address: string) => boolean };
  /** The instant of the present turn. */
  readonly nowMs: number;
  /** No new calls: the agent is disconnected from the control plane. */
  readonly held: boolean;
  /** Plans a call again that could not be placed at its instant; not before `fromMs`. */
  startCall(fromMs: number, starter: Starter): void;
  schedule(atMs: number, sleeper: Sleeper, what: EndpointTimer): void;
  /** Requests the streams of its call: `onStreams` follows, before this returns if no waiting is needed. */
  openStreams(endpoint: StreamHolder): void;
  onRegistrationSettled(endpoint: object): void;
  onClosed(endpoint: Endpoint): void;
}

export abstract class Endpoint implements UserAgentOwner, RegistrationEvents, CallEvents, Sleeper {
  readonly plan: EndpointPlan;
  waking = NO_ENTRY;
  readonly traffic: EndpointTraffic;
  phase: Phase = ENDPOINT.initial;
  protected readonly share: EndpointShare;
  readonly userAgent: UserAgent;
  /** The registration that its call uses; null: the endpoint registers itself, or needs no registration. */
  protected readonly over: CallHolder | null;
  readonly media: EndpointMedia;
  protected call: Call | null = null;
  readonly binding: EndpointBinding;
  protected readonly record = new CallRecord();

  constructor(share: EndpointShare, plan: EndpointPlan, over: CallHolder | null = null) {
    this.share = share;
    this.plan = plan;
    this.over = over;
    const { facts, engine } = share;
    const { group } = share.plan;
    // The registration is reported with the first of its calls.
    const first = over?.plan.number === plan.number ? over : null;
    this.binding = first?.binding ?? new EndpointBinding();
    if (this.binding.state === 'REGISTERED') this.phase = 'REGISTERED';
    this.media = new EndpointMedia({
      group: ownGroup(group, plan.values),
      address: engine.announced?.mediaAddress || engine.local.address,
      sessionId: String(plan.number + 1),
      fingerprint: share.fingerprint,
      mayReach: share.policy.mayReach,
    });
    this.traffic =
      first?.traffic ?? new EndpointTraffic(plan.number, facts.counts, facts.storeOf(plan.number), share.policy.keep);
    this.userAgent = engine.createUserAgent(
      identityOf(share.plan, plan, placeOf(engine), share.sources, {
        traffic: this.traffic,
        owner: this,
        over: over?.userAgent ?? null,
        correlation: group.correlate ? callName(share.plan.run, plan.number) : '',
      }),
    );
  }

  /** Whether it is free for a call; callers never are. */
  get isIdle(): boolean {
    return false;
  }

  isBusy(): boolean {
    return !this.isIdle;
  }

  /** An INVITE for this endpoint; null: not taken. */
  abstract onIncomingCall(call: IncomingCall): CallEvents | null;
  abstract onInviteSent(atMs: number): void;
  abstract onProvisional(status: number, reason: string, atMs: number, body: string): void;
  abstract onAnswered(atMs: number, status: number, reason: string, body: string): void;
  abstract onFailed(failure: SipFailure): void;
  abstract onTimer(what: EndpointTimer, plannedAtMs: number): void;
  /** The run is stopped, or no call will arrive: nothing new starts, and a call in progress ends. */
  abstract stop(cause: Cause, text: string): void;

  get role(): SharePlan['role'] {
    return this.share.plan.role;
  }

  get callId(): string {
    return this.call?.callId ?? '';
  }

  get isClosed(): boolean {
    return this.phase === 'CLOSED';
  }

  register(): void {
    if (this.binding.move('asked')) this.userAgent.register(this.share.plan.group.registerExpiresSeconds, this);
  }

  onLocated(tookMs: number): void {
    this.record.located(tookMs);
  }

  onFailover(): void {
    this.record.failedOver();
  }

  onConnectionWait(waitedMs: number): void {
    this.record.waited(waitedMs);
  }

  onSentByUdp(method: string, reason: string, atMs: number): void {
    const detail = `${method} was sent over UDP, although it is too large for that (RFC 3261, 18.1.1): ${reason}`;
    this.share.facts.action(this.plan.number, false, detail, atMs);
  }

  onConnectionOpened(opened: ConnectionOpened): void {
    this.record.opened(opened);
  }

  onRegisterSent(atMs: number): void {
    this.binding.sent(atMs);
  }

  onRegistered(atMs: number): void {
    if (!this.binding.granted(atMs)) return;
    this.enter('registered', atMs);
    this.share.onRegistrationSettled(this);
  }

  onRefreshed(): void {
    this.binding.refreshed();
  }

  onRefreshFailed(): void {
    this.binding.refreshFailed();
  }

  onRegistrationFailed(failure: SipFailure): void {
    // A failed refresh during a call does not end the call.
    if (this.binding.state !== 'PENDING') {
      this.binding.lapsed();
      return;
    }
    this.binding.move('refused');
    this.refused(failure);
    this.share.onRegistrationSettled(this);
  }

  /** The registrar has refused the endpoint. */
  refused(failure: SipFailure): void {
    this.record.failed(failure);
    this.fail(causeOfRegistrationFailure(failure), failure.reason, failure.status ?? 0);
    this.close();
  }

  onUnregistered(): void {
    this.binding.move('removed');
    this.close();
  }

  onEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, bye?: ByeDetails): void {
    this.record.ended(by, byeAtMs, endedAtMs, bye);
    this.depart();
  }

  get isTalking(): boolean {
    return this.phase === 'INCALL';
  }

  /** The owner's policy ends the endpoint. */
  forbid(cause: Cause, text: string): void {
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    this.fail(cause, text);
    this.stop(cause, text);
  }

  /** The targets of its calls, including those requested by REFER. */
  protected get referredTo(): readonly string[] {
    return [];
  }

  /** The owner has changed the policy. */
  followPolicy(): void {
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    const { plan, share, traffic, media } = this;
    const addresses = [plan.nextHop?.address ?? '', traffic.peerAddress, ...media.remoteAddresses];
    const uris = [plan.targetUri, plan.nextHopUri ?? '', this.record.calleeUri, ...this.referredTo];
    const refusal = refusedNow(share, { uris, addresses });
    if (refusal !== null) this.forbid(refusal.cause, refusal.text);
    else if (share.plan.callDurationMs > share.policy.longestMs) this.shorten();
  }

  /** The owner lets calls last less long than was planned. */
  protected shorten(): void {
    if (this.isTalking) this.lastFor(this.record.answeredAtMs, this.share.plan.callDurationMs);
  }

  /**
   * Limits the duration of a call, from its answer on, or of a registration; it is shorter if the owner has shortened
   * calls since. `graceMs`: the time that lets the other end hang up first.
   */
  protected lastFor(sinceMs: number, plannedMs: number, graceMs = 0): void {
    const { policy, nowMs, plan } = this.share;
    const { longestMs } = policy;
    const why = `the policy of this host was changed, and allows calls of ${longestMs / 1000} s`;
    if (plan.callDurationMs > longestMs) this.fail('DURATION_NOT_ALLOWED', why);
    const endsAtMs = sinceMs + Math.min(plannedMs, longestMs + graceMs);
    this.share.schedule(Math.max(nowMs, endsAtMs), this, 'HANG_UP');
  }

  onForbidden(method: string, status: number, address: string): void {
    if (status === 0 && (method === 'INVITE' || method === 'REGISTER' || method === 'OPTIONS')) return;
    this.fail('TARGET_NOT_ALLOWED', `the policy of this host forbids ${address}, where ${method} would have gone`);
  }

  /** Last resort, when the time for a clean end is over. */
  abandon(): void {
    if (!this.isClosed) this.close();
  }

  /** Discards an endpoint that was created for a call that will not be placed: nothing is reported. */
  discard(): void {
    this.media.close();
    this.userAgent.close();
    this.over?.released(this);
  }

  /**
   * Its last message has left. Reporting the outcomes of several calls together costs half as much as reporting each at
   * its end.
   */
  release(): void {
    this.share.facts.outcome(this.record.outcome(this));
    this.userAgent.close();
  }

  protected enter(event: EndpointEvent, atMs: number): void {
    const next = takeStep('endpoint', ENDPOINT.transitions, this.phase, event);
    if (next === null) return;
    this.share.policy.talked.onPhase(this.phase, next);
    this.phase = next;
    this.share.facts.phase(this.plan.number, next, atMs);
  }

  /** The first cause counts. */
  protected fail(cause: Cause, text: string, status = 0): void {
    this.record.fail(cause, text, status);
  }

  protected get hasFailed(): boolean {
    return this.record.hasFailed;
  }

  /** The call was answered: its tasks start here. */
  protected connected(atMs: number): void {
    this.enter('connected', atMs);
    this.record.connected(atMs);
    this.media.connected();
    const { dtmf } = this.share.plan.group;
    if (dtmf !== null) this.share.schedule(atMs + dtmf.afterMs, this, 'DIGITS');
  }

  protected hangUp(): void {
    this.enter('hangingUp', this.share.nowMs);
    this.endMedia();
    this.call?.hangUp();
  }

  /** The call has ended, or there was none: un-register, then close. */
  protected depart(): void {
    this.endMedia();
    if (this.over !== null) this.close();
    else if (this.binding.isOpen) {
      this.binding.move('left');
      this.enter('hangingUp', this.share.nowMs);
      this.userAgent.unregister();
    } else if (this.binding.state !== 'REMOVING') this.close();
  }

  protected close(): void {
    if (this.isClosed) return;
    this.endMedia();
    this.enter('closed', this.share.nowMs);
    this.share.onClosed(this);
  }

  protected endMedia(): void {
    const failure = this.media.iceFailure(this.share.nowMs - this.record.connectedAtMs);
    if (failure !== null) this.fail('ICE_FAILED', failure);
    this.record.mediaEnded(this.share.nowMs, this.media.firstPacketAtMs());
    this.media.close();
  }
}
