/**
 * What one endpoint reports of its call, from the planned instant to the last event. Instants are on the agent's clock; NaN:
 * not reached.
 */
import { CAUSES, type Cause } from '@carillon/proto';
import type { EndpointTraffic } from '../../../capture/endpoint-traffic.ts';
import type { ConnectionOpened } from '../../../sip/engine.ts';
import { CallEnd } from '../../outcome/call-end.ts';
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

export class CallRecord extends CallEnd {
  attempted = false;
  rang = false;
  calleeUri = '';
  /** For a callee: the calling party in the INVITE. */
  callerUri = '';
  finalStatus = 0;
  finalReason = '';
  plannedAtMs = Number.NaN;
  inviteSentAtMs = Number.NaN;
  tryingAtMs = Number.NaN;
  ringingAtMs = Number.NaN;
  provisionalAtMs = Number.NaN;
  answeredAtMs = Number.NaN;
  /** From here the first media packet is waited for: the 200 OK, received or sent. */
  mediaFromMs = Number.NaN;
  /** Of the call, or of the registration if there was no call. */
  dnsMs = Number.NaN;
  optionsRttMs = Number.NaN;
  /** Its task is done, without a call. */
  isDone = false;
  /** For a callee: the calling endpoint of this run. */
  peer: number | null = null;
  #failovers = 0;
  #opened: ConnectionOpened | null = null;
  #cause: Cause | null = null;
  #causeText = '';
  #causeStatus = 0;

  located(tookMs: number): void {
    if (Number.isNaN(this.inviteSentAtMs)) this.dnsMs = tookMs;
  }

  failedOver(): void {
    this.#failovers++;
  }

  /** Others may use it: the endpoint that opened the connection reports the time it took. */
  opened(opened: ConnectionOpened): void {
    if (Number.isNaN(this.inviteSentAtMs)) this.#opened ??= opened;
  }

  /** Time that DNS and connection setup took between the earliest send time and the first byte: not our lateness. */
  waitedMs(dueAtMs: number): number {
    const dnsMs = Number.isNaN(this.dnsMs) ? 0 : this.dnsMs;
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

  get hasFailed(): boolean {
    return this.#cause !== null;
  }

  outcome({ plan, role, binding, callId, traffic, media }: Reporting) {
    const answered = !Number.isNaN(this.answeredAtMs);
    // An answered call without another cause is a success, whichever end sent BYE.
    const cause = this.#cause ?? (answered || this.isDone ? null : 'STOPPED');
    const row = cause === null ? null : CAUSES[cause];
    const isGivenUp = cause === 'STOPPED' || cause === 'NO_ANSWER';
    const firstAtMs = this.firstMediaAtMs ?? Number.NaN;
    // t0 is the caller's planned instant; a callee has none, and cannot measure the setup time.
    const t0 = role === 'CALLER' ? this.plannedAtMs : Number.NaN;
    return {
      endpoint: plan.number,
      outcome: binding.state === 'FAILED' ? ('REGISTRATION_FAILED' as const) : (row?.outcome ?? ('SUCCESS' as const)),
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
      callId,
      timeToTryingMs: this.tryingAtMs - t0,
      timeToRingingMs: this.ringingAtMs - t0,
      pddMs: this.provisionalAtMs - t0,
      callSetupMs: this.answeredAtMs - t0,
      ringDurationMs: this.answeredAtMs - this.ringingAtMs,
      timeToEarlyMediaMs: !answered || firstAtMs < this.answeredAtMs ? firstAtMs - t0 : Number.NaN,
      // Early media are normal: the time to the first media is then zero.
      timeToFirstMediaMs: answered ? Math.max(0, firstAtMs - this.mediaFromMs) : Number.NaN,
      callDurationMs: this.byeAtMs - this.answeredAtMs,
      registerRttMs: binding.rttMs,
      optionsRttMs: this.optionsRttMs,
      peer: this.peer,
      inviteLateMs: this.inviteSentAtMs - t0,
      dnsMs: this.dnsMs,
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
