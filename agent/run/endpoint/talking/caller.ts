/**
 * An endpoint that places its call at the planned instant, which is t0 of all its measurements (docs/decisions.md,
 * Planning), including the wait for a slow registrar. That wait does not count as lateness of the agent, which starts
 * when it could have called.
 */
import { isSdpFault, type SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Cause } from '@carillon/proto';
import type { CallEvents, IncomingCall, SipFailure } from '../../../sip/engine.ts';
import { uriRefusal } from '../../limits/policy-change.ts';
import { startObstacle } from '../../limits/start-pace.ts';
import { causeOfCallFailure, textOfCallFailure } from '../../outcome/failure-cause.ts';
import type { EndpointTimer, Starter } from '../core/endpoint-timer.ts';
import { problemOf } from '../media/agreed-streams.ts';
import { TalkingEndpoint } from './talking-endpoint.ts';

const NO_OFFER =
  'the 2xx had no session description: it has to make the offer if the INVITE has none (RFC 3261, 13.2.1)';

type Obstacle = { readonly cause: Cause; readonly text: string };

export class Caller extends TalkingEndpoint implements Starter {
  /** '': the peer sends the offer, or the call has no offer. */
  #offer = '';
  /** A reliable provisional response has brought the answer. */
  #isAgreed = false;
  /** The fault of the peer's offer; null: none. */
  #answered: string | null = this.share.plan.group.withoutMedia?.sdp === 'NONE' ? null : NO_OFFER;
  /** The call was due before the registrar answered: it waits, and is planned again after registration. */
  #waiting = false;
  /** When the agent could and should have called: the planned instant, or a later one if the registrar was slow. */
  #dueAtMs = Number.NaN;
  #gaveUp: Cause = 'STOPPED';

  onTimer(what: EndpointTimer, plannedAtMs: number): void {
    if (this.isClosed) return;
    if (what === 'REGISTER') this.register();
    if (what === 'CALL') this.#due(plannedAtMs);
    if (what === 'ANSWER_TIMEOUT') this.#answerTimeout();
    this.inCall(what);
  }

  override onRegistered(atMs: number): void {
    super.onRegistered(atMs);
    if (!this.#waiting || this.binding.state !== 'REGISTERED') return;
    this.#waiting = false;
    this.share.startCall(atMs, this);
  }

  /** The load has no call for this endpoint. */
  spare(): void {
    this.record.done();
    this.depart();
  }

  wouldStart(dueAtMs: number): boolean {
    if (!this.#mayCall || this.binding.state === 'PENDING' || startObstacle(this.share, dueAtMs) !== null) return false;
    return (this.share.breaker?.obstacle(this.share.nowMs) ?? null) === null;
  }

  get #mayCall(): boolean {
    return this.phase === 'INITIALIZING' || this.phase === 'REGISTERED';
  }

  #due(dueAtMs: number): void {
    if (!this.#mayCall) return;
    if (Number.isNaN(this.record.plannedAtMs)) {
      this.record.planned(dueAtMs);
      this.share.facts.planned();
    }
    if (this.binding.state === 'PENDING') this.#waiting = true;
    else this.#place(dueAtMs);
  }

  #place(dueAtMs: number): void {
    const obstacle = this.#obstacle(dueAtMs);
    if (obstacle !== null) {
      this.#forgo(obstacle);
      return;
    }
    this.#dueAtMs = dueAtMs;
    if (!this.hasMedia()) return;
    this.record.calling(this.plan.targetUri);
    this.#offer = this.share.plan.group.signalling.delayedOffer ? '' : this.media.offer();
    this.enter('calling', this.share.nowMs);
    this.share.schedule(dueAtMs + this.share.plan.answerTimeoutMs, this, 'ANSWER_TIMEOUT');
    this.record.lookupStarts();
    this.call = this.userAgent.invite(this.plan.targetUri, this.#offer, this);
  }

  protected onMedia(problem: string | null): void {
    if (!this.#mayCall) return;
    if (problem === null) this.#place(this.#dueAtMs);
    else this.#forgo({ cause: 'MEDIA_PORTS_EXHAUSTED', text: problem });
  }

  /** Why the call cannot be placed now; null: it can. */
  #obstacle(dueAtMs: number): Obstacle | null {
    const breach = this.share.breaker?.obstacle(this.share.nowMs) ?? null;
    if (breach !== null) return { cause: 'BREAKER_OPEN', text: breach };
    const { spent } = this.share.policy.talked;
    if (spent !== null) return { cause: 'MINUTES_SPENT', text: spent };
    // The current policy counts: the plan was checked against an earlier one.
    const refusal = uriRefusal(this.share.policy, this.plan.targetUri, 'the policy of this host forbids');
    if (refusal !== null) return refusal;
    const late = startObstacle(this.share, dueAtMs);
    return late === null ? null : { cause: 'NOT_STARTED', text: late };
  }

  #forgo({ cause, text }: Obstacle): void {
    if (cause === 'BREAKER_OPEN') this.share.facts.heldBack();
    else this.share.facts.notStarted();
    this.fail(cause, text);
    this.depart();
  }

  onInviteSent(atMs: number): void {
    if (!this.record.inviteSent(atMs)) return;
    this.share.facts.started(Math.max(0, atMs - this.#dueAtMs - this.record.waitedMs(this.#dueAtMs)));
  }

  onProvisional(status: number, _reason: string, atMs: number): void {
    if (this.record.provisional(status, atMs)) this.enter('ringing', atMs);
  }

  onAnswered(atMs: number, status: number, reason: string, body: string): void {
    this.record.answered(status, reason, atMs);
    this.record.mediaDue(atMs);
    this.enter('answered', atMs);
    this.share.breaker?.answered(atMs);
    const problem = this.#agree(status, body);
    if (problem !== null) {
      this.failMedia(this.#offer === '' ? 'OFFER_UNUSABLE' : 'ANSWER_UNUSABLE', problem);
      this.hangUp();
      return;
    }
    this.connected(atMs);
    this.lastFor(this.record.answeredAtMs, this.share.plan.callDurationMs);
  }

  /**
   * The offer of the INVITE and the answer to it; not if both were exchanged before (RFC 3262) or in the other
   * direction.
   */
  #agree(status: number, body: string): string | null {
    if (this.#offer === '') return this.#answered;
    this.localDescription = this.#offer;
    if (body === '' && this.#isAgreed) return null;
    return problemOf(this.media.agree(this.#offer, body, 'OFFERER'), body, String(status));
  }

  onEarlyMedia(local: string, remote: string, reliable: boolean): void {
    if (this.phase !== 'CALLING' && this.phase !== 'RINGING') return;
    const isTheirs = this.#offer === '';
    const problem = isTheirs ? this.media.agree(remote, local, 'ANSWERER') : this.media.agree(local, remote, 'OFFERER');
    if (isTheirs) {
      // If the call forks, it continues with the one reported last.
      this.localDescription = local;
      this.#answered = problem;
    } else if (problem === null && reliable) this.#isAgreed = true;
  }

  /** The INVITE had no offer: the peer's arrives with the 2xx, or reliably before it (RFC 3261, 13.2.1). */
  onDelayedOffer(offer: string): string | SdpFault {
    const answer = this.media.answerDelayed(offer);
    if (isSdpFault(answer)) return answer;
    this.localDescription = answer;
    this.#answered = this.media.agree(offer, answer, 'ANSWERER');
    return answer;
  }

  onFailed(failure: SipFailure): void {
    if (failure.status === 488 && this.#offersAgain()) return;
    this.share.breaker?.failed(failure, this.share.nowMs);
    this.record.inviteFailed(failure);
    this.fail(
      causeOfCallFailure(failure, this.#gaveUp, this.record.rang),
      textOfCallFailure(failure),
      failure.status ?? 0,
    );
    this.depart();
  }

  /** The peer does not accept the session: the other profile is tried in a new call (RFC 3261, 21.4.26). */
  #offersAgain(): boolean {
    if ((this.phase !== 'CALLING' && this.phase !== 'RINGING') || this.hasFailed || this.#offer === '') return false;
    const offer = this.media.offerOtherProfile();
    if (offer === null || !this.share.takeReferral()) return false;
    this.#offer = offer;
    this.#isAgreed = false;
    this.call = this.userAgent.invite(this.plan.targetUri, offer, this);
    return true;
  }

  #answerTimeout(): void {
    if (this.phase !== 'CALLING' && this.phase !== 'RINGING') return;
    this.#gaveUp = this.record.rang ? 'NO_ANSWER' : 'CALL_TIMEOUT';
    const seconds = this.share.plan.answerTimeoutMs / 1000;
    this.fail(this.#gaveUp, `not answered within ${seconds} s`);
    this.hangUp();
  }

  stop(cause: Cause, text: string): void {
    this.hurry();
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    if (this.phase === 'INCALL' || this.phase === 'NEGOTIATING') {
      this.hangUp();
      return;
    }
    this.#gaveUp = cause;
    this.fail(cause, text);
    if (this.call !== null) this.hangUp();
    else this.depart();
  }

  /** The only INVITE that a caller accepts is one with Replaces (RFC 3891). */
  onIncomingCall(call: IncomingCall): CallEvents | null {
    return this.replacing(call);
  }
}
