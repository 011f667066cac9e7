/**
 * One simulated user agent of a run: registers, has one call, un-registers, closes with one outcome. Caller and Callee
 * define the call set-up; this has everything they share. Every event of the engine leads to `close`, exactly once.
 */
import { CAUSES, type Cause } from '@carillon/proto';
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
} from '../../../sip/engine.ts';
import { takeStep } from '../../../steps.ts';
import type { Breaker } from '../../limits/breaker.ts';
import { type Permission, type PolicyChange, refusedNow } from '../../limits/policy-change.ts';
import { CallEnd } from '../../outcome/call-end.ts';
import { causeOfRegistrationFailure } from '../../outcome/failure-cause.ts';
import type { Phase } from '../../phases.ts';
import type { EndpointPlan, SharePlan } from '../../plan.ts';
import type { FactsBuffer } from '../../report/facts-buffer.ts';
import { EndpointBinding } from '../account/binding.ts';
import { identityOf, registrantOf } from '../account/identity.ts';
import { ownGroup } from '../account/own-values.ts';
import { EndpointMedia } from '../media/endpoint-media.ts';
import { callName } from './correlation.ts';
import { ENDPOINT, type EndpointEvent } from './endpoint-machine.ts';
import type { EndpointTimer, Sleeper, Starter } from './endpoint-timer.ts';
import type { CallHolder, StreamHolder, StunAsked } from './holders.ts';

/** Dependencies of an endpoint on its share. */
export interface EndpointShare extends Permission, StunAsked {
  readonly plan: SharePlan;
  readonly engine: SipEngine;
  readonly facts: FactsBuffer;
  /** Of the agent's certificate; null: no DTLS here. */
  readonly fingerprint: Fingerprint | null;
  /** `spent`: why no call may continue, by the policy's minutes per day; null: it may. */
  readonly talked: { readonly spent: string | null; onPhase(from: Phase, to: Phase): void };
  /** Longest duration of a call by the current policy. */
  readonly longestMs: number;
  /** Whether one more call may be placed now because a peer asks for it; it counts as placed. */
  takeReferral(): boolean;
  readonly breaker: Breaker | null;
  readonly sources: { readonly isAnybody: boolean; readonly takesFrom: (address: string) => boolean };
  /** What of its messages may be kept. */
  readonly keep: Keep;
  /** The present turn's instant. */
  readonly nowMs: number;
  /** No new calls: the agent is disconnected from the control plane. */
  readonly held: boolean;
  /** Plans a call again that could not be placed when it was due; not before `fromMs`. */
  startCall(fromMs: number, starter: Starter): void;
  schedule(atMs: number, sleeper: Sleeper, what: EndpointTimer): void;
  /** Requests the streams of its call: `onStreams` follows, before this returns if no waiting is needed. */
  openStreams(endpoint: StreamHolder): void;
  onRegistrationSettled(endpoint: object): void;
  onClosed(endpoint: Endpoint): void;
}

export abstract class Endpoint implements RegistrationEvents, CallEvents, Sleeper {
  readonly plan: EndpointPlan;
  waking: Sleeper['waking'] = null;
  readonly traffic: EndpointTraffic;
  phase: Phase = ENDPOINT.initial;
  protected readonly share: EndpointShare;
  /** The engine's, of this call. */
  readonly userAgent: UserAgent;
  /** The registration that its call uses; null: it registers itself, or there is none. */
  protected readonly over: CallHolder | null;
  readonly media: EndpointMedia;
  protected call: Call | null = null;
  protected readonly binding: EndpointBinding;
  protected attempted = false;
  protected rang = false;
  protected calleeUri = '';
  /** For a callee: the calling party in the INVITE. */
  protected callerUri = '';
  protected finalStatus = 0;
  protected finalReason = '';
  protected plannedAtMs = Number.NaN;
  protected inviteSentAtMs = Number.NaN;
  protected tryingAtMs = Number.NaN;
  protected ringingAtMs = Number.NaN;
  protected provisionalAtMs = Number.NaN;
  protected answeredAtMs = Number.NaN;
  /** From here the first media packet is waited for: the 200 OK, received or sent. */
  protected mediaFromMs = Number.NaN;
  /** Of the call, or of the registration if there was no call. */
  protected dnsMs = Number.NaN;
  protected optionsRttMs = Number.NaN;
  /** Its task is done, without a call. */
  protected isDone = false;
  /** For a callee: the calling endpoint of this run. */
  protected peer: number | null = null;
  #failovers = 0;
  #opened: ConnectionOpened | null = null;
  protected readonly end = new CallEnd();
  #cause: Cause | null = null;
  #causeText = '';
  #causeStatus = 0;

  constructor(share: EndpointShare, plan: EndpointPlan, over: CallHolder | null = null) {
    this.share = share;
    this.plan = plan;
    this.over = over;
    const { facts, engine } = share;
    const { group } = share.plan;
    // Its registration is reported with the first of its calls.
    const first = over?.plan.number === plan.number ? over : null;
    this.binding = first?.binding ?? new EndpointBinding();
    if (this.binding.state === 'REGISTERED') this.phase = 'REGISTERED';
    this.media = new EndpointMedia({
      ...{ group: ownGroup(group, plan.values), address: engine.local.address, sessionId: String(plan.number + 1) },
      fingerprint: share.fingerprint,
      mayReach: share.mayReach,
    });
    this.traffic =
      first?.traffic ?? new EndpointTraffic(plan.number, facts.counts, facts.storeOf(plan.number), share.keep);
    this.userAgent = engine.createUserAgent({
      ...identityOf(share.plan, plan, engine.local, share.sources),
      ...(over === null ? registrantOf(share.plan, plan) : { registrarUri: null, over: over.userAgent }),
      onConnectionOpened: (opened) => this.onConnectionOpened(opened),
      onForbidden: (method, status, address) => this.#onForbidden(method, status, address),
      traffic: this.traffic,
      onIncomingCall: (call) => this.onIncomingCall(call),
      isBusy: () => !this.isIdle,
      ...(group.correlate && { correlation: callName(share.plan.run, plan.number) }),
    });
  }

  /** Free for a call: callers never are. */
  get isIdle(): boolean {
    return false;
  }

  /** An INVITE for this endpoint; null: not taken. */
  protected abstract onIncomingCall(call: IncomingCall): CallEvents | null;
  abstract onInviteSent(atMs: number): void;
  abstract onProvisional(status: number, reason: string, atMs: number, body: string): void;
  abstract onAnswered(atMs: number, status: number, reason: string, body: string): void;
  abstract onFailed(failure: SipFailure): void;
  abstract onTimer(what: EndpointTimer, plannedAtMs: number): void;
  /** The run is stopped, or no call will come: nothing new starts, and a call in progress ends. */
  abstract stop(cause: Cause, text: string): void;

  get isClosed(): boolean {
    return this.phase === 'CLOSED';
  }

  register(): void {
    if (this.binding.move('asked')) this.userAgent.register(this.share.plan.group.registerExpiresSeconds, this);
  }

  onLocated(tookMs: number): void {
    if (Number.isNaN(this.inviteSentAtMs)) this.dnsMs = tookMs;
  }

  onFailover(): void {
    this.#failovers++;
  }

  /** Others may use it: the endpoint that opened the connection reports the time it took. */
  onConnectionOpened(opened: ConnectionOpened): void {
    if (Number.isNaN(this.inviteSentAtMs)) this.#opened ??= opened;
  }

  /** Time that DNS and connection setup took between the earliest send time and the first byte: not our lateness. */
  protected waitedMs(dueAtMs: number): number {
    const dnsMs = Number.isNaN(this.dnsMs) ? 0 : this.dnsMs;
    const opened = this.#opened;
    if (opened === null || opened.atMs < dueAtMs) return dnsMs;
    return dnsMs + opened.connectMs + (Number.isNaN(opened.tlsMs) ? 0 : opened.tlsMs);
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
    // A refresh that fails during a call does not end the call.
    if (this.binding.state !== 'PENDING') {
      this.binding.lapsed();
      return;
    }
    this.binding.move('refused');
    this.refused(failure);
    this.share.onRegistrationSettled(this);
  }

  /** It could not register. */
  refused(failure: SipFailure): void {
    this.end.failed(failure);
    this.fail(causeOfRegistrationFailure(failure), failure.reason, failure.status ?? 0);
    this.close();
  }

  onUnregistered(): void {
    this.binding.move('removed');
    this.close();
  }

  onEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, bye?: ByeDetails): void {
    this.end.ended(by, byeAtMs, endedAtMs, bye);
    this.depart();
  }

  get isTalking(): boolean {
    return this.phase === 'INCALL';
  }

  /** The owner's policy ends it. */
  forbid(cause: Cause, text: string): void {
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    this.fail(cause, text);
    this.stop(cause, text);
  }

  /** The targets of its calls, including those requested by REFER. */
  protected get referredTo(): readonly string[] {
    return [];
  }

  /** The owner's policy is another one by now. */
  obey(changed: PolicyChange): void {
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    const { plan, share, traffic, media } = this;
    const addresses = [plan.nextHop?.address ?? '', traffic.peerAddress, ...media.remoteAddresses];
    const uris = [plan.targetUri, plan.nextHopUri ?? '', this.calleeUri, ...this.referredTo];
    const refusal = refusedNow(share, changed, { uris, addresses });
    if (refusal !== null) this.forbid(refusal.cause, refusal.text);
    else if (share.plan.callDurationMs > share.longestMs) this.shorten();
  }

  /** The owner lets calls last less long than was planned. */
  protected shorten(): void {
    if (this.isTalking) this.lastFor(this.answeredAtMs, this.share.plan.callDurationMs);
  }

  /** A call, from its answer on, or a registration; not as long where the owner has shortened calls since. `graceMs`: for the other end to hang up first. */
  protected lastFor(sinceMs: number, plannedMs: number, graceMs = 0): void {
    const { longestMs, nowMs, plan } = this.share;
    const why = `the policy of this host was changed, and allows calls of ${longestMs / 1000} s`;
    if (plan.callDurationMs > longestMs) this.fail('DURATION_NOT_ALLOWED', why);
    const endsAtMs = sinceMs + Math.min(plannedMs, longestMs + graceMs);
    this.share.schedule(Math.max(nowMs, endsAtMs), this, 'HANG_UP');
  }

  #onForbidden(method: string, status: number, address: string): void {
    if (status === 0 && (method === 'INVITE' || method === 'REGISTER' || method === 'OPTIONS')) return;
    this.fail('TARGET_NOT_ALLOWED', `the policy of this host forbids ${address}, where ${method} would have gone`);
  }

  /** Last resort, when the time to end in good order is up. */
  abandon(): void {
    if (!this.isClosed) this.close();
  }

  /** It was created for a call that will not be placed: nothing is reported. */
  discard(): void {
    this.media.close();
    this.userAgent.close();
    this.over?.released(this);
  }

  /** Its last message has left. Outcomes of several calls together cost half as much as each at its end. */
  release(): void {
    this.share.facts.outcome(this.#outcome());
    this.userAgent.close();
  }

  protected enter(event: EndpointEvent, atMs: number): void {
    const next = takeStep('endpoint', ENDPOINT.transitions, this.phase, event);
    if (next === null) return;
    this.share.talked.onPhase(this.phase, next);
    this.phase = next;
    this.share.facts.phase(this.plan.number, next, atMs);
  }

  /** The first cause counts. */
  protected fail(cause: Cause, text: string, status = 0): void {
    if (this.#cause !== null) return;
    this.#cause = cause;
    this.#causeText = text;
    this.#causeStatus = status;
  }

  protected get hasFailed(): boolean {
    return this.#cause !== null;
  }

  /** The call was answered: its tasks start here. */
  protected connected(atMs: number): void {
    this.enter('connected', atMs);
    this.end.connectedAtMs = atMs;
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
    const failure = this.media.iceFailure(this.share.nowMs - this.end.connectedAtMs);
    if (failure !== null) this.fail('ICE_FAILED', failure);
    this.end.mediaEnded(this.share.nowMs, this.media.firstPacketAtMs());
    this.media.close();
  }

  #outcome() {
    const answered = !Number.isNaN(this.answeredAtMs);
    // An answered call without another cause is a success, whichever end sent BYE.
    const cause = this.#cause ?? (answered || this.isDone ? null : 'STOPPED');
    const row = cause === null ? null : CAUSES[cause];
    const isGivenUp = cause === 'STOPPED' || cause === 'NO_ANSWER';
    const firstAtMs = this.end.firstMediaAtMs ?? Number.NaN;
    // t0 is the caller's planned instant; a callee has none, and cannot measure the setup time.
    const t0 = this.share.plan.role === 'CALLER' ? this.plannedAtMs : Number.NaN;
    return {
      endpoint: this.plan.number,
      outcome:
        this.binding.state === 'FAILED' ? ('REGISTRATION_FAILED' as const) : (row?.outcome ?? ('SUCCESS' as const)),
      cause,
      causeText: this.#causeText,
      sipStatus: this.#causeStatus,
      attempted: this.attempted,
      // Signalling answered it, while our CANCEL was under way.
      callResult: this.attempted ? (answered && isGivenUp ? 'SUCCESS' : (row?.result ?? 'SUCCESS')) : null,
      finalStatus: this.finalStatus,
      finalReason: this.finalReason,
      rang: this.rang,
      calleeUri: this.calleeUri,
      callerUri: this.callerUri,
      callId: this.call?.callId ?? '',
      timeToTryingMs: this.tryingAtMs - t0,
      timeToRingingMs: this.ringingAtMs - t0,
      pddMs: this.provisionalAtMs - t0,
      callSetupMs: this.answeredAtMs - t0,
      ringDurationMs: this.answeredAtMs - this.ringingAtMs,
      timeToEarlyMediaMs: !answered || firstAtMs < this.answeredAtMs ? firstAtMs - t0 : Number.NaN,
      // Early media are normal: the time to the first media is then zero.
      timeToFirstMediaMs: answered ? Math.max(0, firstAtMs - this.mediaFromMs) : Number.NaN,
      callDurationMs: this.end.byeAtMs - this.answeredAtMs,
      registerRttMs: this.binding.rttMs,
      optionsRttMs: this.optionsRttMs,
      peer: this.peer,
      inviteLateMs: this.inviteSentAtMs - t0,
      dnsMs: this.dnsMs,
      failovers: this.#failovers,
      connectMs: this.#opened?.connectMs ?? Number.NaN,
      tlsMs: this.#opened?.tlsMs ?? Number.NaN,
      tls: this.#opened?.tls ?? '',
      refreshes: this.binding.counts,
      plannedAtMs: this.plannedAtMs,
      ...this.end.facts(this.traffic, this.media.started),
    };
  }
}
