/**
 * What one endpoint reports of its call, from the planned instant to the last event. Instants are on the agent's clock;
 * null: not reached. Each NaN would cost an active call an object.
 */
import { CAUSES, type Cause } from '@carillon/proto';
import type { EndpointTraffic } from '../../../capture/endpoint-traffic.ts';
import type { ConnectionOpened, IncomingCall, SipFailure } from '../../../sip/engine.ts';
import { CallEnd, spanMs } from '../../outcome/call-end.ts';
import type { SharePlan } from '../../plan.ts';
import type { EndpointBinding } from '../account/binding.ts';

/** The endpoint whose call it is. */
type Reporting = {
  readonly plan: { readonly number: number };
  readonly role: SharePlan['role'];
  readonly binding: EndpointBinding;
  readonly callId: string;
  readonly traffic: EndpointTraffic;
  readonly media: { readonly started: number };
};

type Incoming = Pick<IncomingCall, 'requestUri' | 'fromUri' | 'receivedAtMs'>;

export class CallRecord extends CallEnd {
  #attempted = false;
  #rang = false;
  #calleeUri = '';
  /** For a callee: the calling party in the INVITE. */
  #callerUri = '';
  #finalStatus = 0;
  #finalReason = '';
  #plannedAtMs: number | null = null;
  #inviteSentAtMs: number | null = null;
  #tryingAtMs: number | null = null;
  #ringingAtMs: number | null = null;
  #provisionalAtMs: number | null = null;
  #answeredAtMs: number | null = null;
  #mediaFromMs: number | null = null;
  /** The DNS time of the call, or of the registration if there was no call. */
  #dnsMs: number | null = null;
  #optionsRttMs: number | null = null;
  #isDone = false;
  /** For a callee: the calling endpoint of this run. */
  #peer: number | null = null;
  #failovers = 0;
  #opened: ConnectionOpened | null = null;
  /** How long its requests waited for connections, opened or not; null: not known. */
  #waitedMs: number | null = null;
  #cause: Cause | null = null;
  #causeText = '';
  #causeStatus = 0;

  /** NaN: not planned. */
  get plannedAtMs(): number {
    return this.#plannedAtMs ?? Number.NaN;
  }

  /** NaN: not answered. */
  get answeredAtMs(): number {
    return this.#answeredAtMs ?? Number.NaN;
  }

  get calleeUri(): string {
    return this.#calleeUri;
  }

  get rang(): boolean {
    return this.#rang;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get hasFailed(): boolean {
    return this.#cause !== null;
  }

  planned(atMs: number): void {
    this.#plannedAtMs = atMs;
  }

  /** The call, or OPTIONS, is about to be sent to this URI. */
  calling(uri: string): void {
    this.#calleeUri = uri;
  }

  /** The time of earlier look-ups, such as those of the registration, does not belong to the call. */
  lookupStarts(): void {
    this.#dnsMs = null;
    this.#waitedMs = null;
  }

  /** @returns whether it is the first INVITE: the call starts with it, and not with a repeated offer */
  inviteSent(atMs: number): boolean {
    if (this.#attempted) return false;
    this.#attempted = true;
    this.#inviteSentAtMs = atMs;
    return true;
  }

  /** For a callee. `peer`: the calling endpoint of this run; null: the call is from elsewhere. */
  inviteReceived({ requestUri, fromUri, receivedAtMs }: Incoming, peer: number | null): void {
    this.#attempted = true;
    this.#peer = peer;
    this.#calleeUri = requestUri;
    this.#callerUri = fromUri;
    this.#plannedAtMs = receivedAtMs;
  }

  /** For a caller. @returns whether it is the first 180 */
  provisional(status: number, atMs: number): boolean {
    this.#tryingAtMs ??= atMs;
    if (status > 100) this.#provisionalAtMs ??= atMs;
    // 199 says that a fork has ended (RFC 6228).
    if (status >= 180 && status !== 199) this.#rang = true;
    if (status !== 180 || this.#ringingAtMs !== null) return false;
    this.#ringingAtMs = atMs;
    return true;
  }

  ringing(atMs: number): void {
    this.#rang = true;
    this.#ringingAtMs = atMs;
  }

  answered(status: number, reason: string, atMs: number): void {
    this.#tryingAtMs ??= atMs;
    this.#provisionalAtMs ??= atMs;
    this.#answeredAtMs = atMs;
    this.finished(status, reason);
  }

  /** The first media packet is expected from this instant on: the 200 OK was received or sent. */
  mediaDue(fromMs: number): void {
    this.#mediaFromMs = fromMs;
  }

  /** The final response, received or sent. */
  finished(status: number, reason: string): void {
    this.#finalStatus = status;
    this.#finalReason = reason;
  }

  /** For a caller: the INVITE was refused, or not answered. */
  inviteFailed(failure: SipFailure): void {
    const { status, reason, atMs } = failure;
    this.failed(failure);
    this.finished(status ?? 0, status === null ? '' : reason);
    if (status === null) return;
    // An answer that crossed our CANCEL counts as one (RFC 6076, 4.7), although we ended the call.
    if (status < 300) this.#answeredAtMs = atMs;
    this.#tryingAtMs ??= atMs;
  }

  /** For a callee: the call was cancelled, or not acknowledged. A final response that was sent before counts. */
  incomingFailed(failure: SipFailure): void {
    this.failed(failure);
    this.#finalStatus ||= failure.status ?? 0;
  }

  pinged(rttMs: number, status: number, reason: string): void {
    this.#optionsRttMs = rttMs;
    this.finished(status, reason);
  }

  /** The endpoint has done its task, without a call. */
  done(): void {
    this.#isDone = true;
  }

  located(tookMs: number): void {
    if (this.#inviteSentAtMs === null) this.#dnsMs = tookMs;
  }

  failedOver(): void {
    this.#failovers++;
  }

  waited(ms: number): void {
    if (this.#inviteSentAtMs === null) this.#waitedMs = (this.#waitedMs ?? 0) + ms;
  }

  /** Others may use the connection: the endpoint that opened it reports the time. */
  opened(opened: ConnectionOpened): void {
    if (this.#inviteSentAtMs === null) this.#opened ??= opened;
  }

  /** Time that DNS and connection setup took between the earliest send time and the first byte: not our lateness. */
  waitedMs(dueAtMs: number): number {
    const dnsMs = this.#dnsMs ?? 0;
    if (this.#waitedMs !== null) return dnsMs + this.#waitedMs;
    const opened = this.#opened;
    if (opened === null || opened.atMs < dueAtMs) return dnsMs;
    return dnsMs + opened.connectMs + (Number.isNaN(opened.tlsMs) ? 0 : opened.tlsMs);
  }

  /** The first cause counts. */
  fail(cause: Cause, text: string, status: number): void {
    if (this.#cause !== null) return;
    this.#cause = cause;
    this.#causeText = text;
    this.#causeStatus = status;
  }

  outcome({ plan, role, binding, callId, traffic, media }: Reporting) {
    const answered = this.#answeredAtMs !== null;
    // An answered call without another cause is a success, whichever end sent BYE.
    const cause = this.#cause ?? (answered || this.#isDone ? null : 'STOPPED');
    const row = cause === null ? null : CAUSES[cause];
    const isGivenUp = cause === 'STOPPED' || cause === 'NO_ANSWER';
    const firstAtMs = this.firstMediaAtMs;
    const answeredAtMs = this.#answeredAtMs;
    const isEarly = firstAtMs !== null && answeredAtMs !== null && firstAtMs < answeredAtMs;
    // t0 is the caller's planned instant; a callee has no t0, and cannot measure the set-up time.
    const t0 = role === 'CALLER' ? this.#plannedAtMs : null;
    return {
      endpoint: plan.number,
      outcome: binding.state === 'FAILED' ? ('REGISTRATION_FAILED' as const) : (row?.outcome ?? ('SUCCESS' as const)),
      cause,
      causeText: this.#causeText,
      sipStatus: this.#causeStatus,
      attempted: this.#attempted,
      // Signalling answered the call while our CANCEL was under way.
      callResult: this.#attempted ? (answered && isGivenUp ? 'SUCCESS' : (row?.result ?? 'SUCCESS')) : null,
      finalStatus: this.#finalStatus,
      finalReason: this.#finalReason,
      rang: this.#rang,
      calleeUri: this.#calleeUri,
      callerUri: this.#callerUri,
      callId,
      timeToTryingMs: spanMs(t0, this.#tryingAtMs),
      timeToRingingMs: spanMs(t0, this.#ringingAtMs),
      pddMs: spanMs(t0, this.#provisionalAtMs),
      callSetupMs: spanMs(t0, answeredAtMs),
      ringDurationMs: spanMs(this.#ringingAtMs, answeredAtMs),
      timeToEarlyMediaMs: !answered || isEarly ? spanMs(t0, firstAtMs) : Number.NaN,
      // Early media are normal: the time to the first media is then zero.
      timeToFirstMediaMs: answered ? Math.max(0, spanMs(this.#mediaFromMs, firstAtMs)) : Number.NaN,
      callDurationMs: spanMs(answeredAtMs, this.byeAtMs),
      registerRttMs: binding.rttMs,
      optionsRttMs: this.#optionsRttMs ?? Number.NaN,
      peer: this.#peer,
      inviteLateMs: spanMs(t0, this.#inviteSentAtMs),
      dnsMs: this.#dnsMs ?? Number.NaN,
      failovers: this.#failovers,
      connectMs: this.#opened?.connectMs ?? Number.NaN,
      tlsMs: this.#opened?.tlsMs ?? Number.NaN,
      tls: this.#opened?.tls ?? '',
      refreshes: binding.counts,
      plannedAtMs: this.plannedAtMs,
      ...this.facts(traffic, media.started),
    };
  }
}
