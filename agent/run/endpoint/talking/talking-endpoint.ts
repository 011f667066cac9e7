/** Common behaviour of both ends of an answered call: session changes, the group's actions, INFO, and transfers. */
import { signalledDigit } from '@carillon/media/dtmf/signalled-digits.ts';
import { isSdpFault, type SdpFault, sdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Cause } from '@carillon/proto';
import type { MediaStream } from '../../../rtp/media-engine.ts';
import { SILENCE } from '../../../sip/dialog/silence.ts';
import type { Call, CallEvents, IncomingCall, SessionAsker } from '../../../sip/engine.ts';
import { uriRefusal } from '../../limits/policy-change.ts';
import type { EndpointPlan } from '../../plan.ts';
import type { TransferFailure } from '../../report/facts.ts';
import { ownActions } from '../account/own-values.ts';
import { Endpoint, type EndpointShare } from '../core/endpoint.ts';
import type { EndpointTimer } from '../core/endpoint-timer.ts';
import type { CallHolder, StreamHolder } from '../core/holders.ts';
import type { AttendedTransfer } from '../transfer/attended-transfer.ts';
import {
  type CallEnded,
  type Moving,
  type NextCall,
  SESSION_EXPIRED,
  type SessionChanged,
} from '../transfer/next-call.ts';
import { ReferredCall } from '../transfer/referred-call.ts';
import { ReplacingCall } from '../transfer/replacing-call.ts';
import { Scenario, type ScenarioHost } from './scenario.ts';

export abstract class TalkingEndpoint extends Endpoint implements ScenarioHost, Moving, StreamHolder {
  /** Our session description as the peer knows it. */
  localDescription = '';
  /** Null: the endpoint has no actions. */
  readonly #scenario: Scenario | null;
  #held = false;
  #awaitsMedia = false;
  /** The last call that was to replace the previous one. */
  #nextCall: NextCall | null = null;
  /** The current call; null: the endpoint's first call. */
  #current: NextCall | null = null;
  /** The target of a REFER that was accepted in this turn. */
  #referTarget = '';
  /** How the previous call ended, while the call that it asked for by REFER is under way. */
  #left: CallEnded | null = null;
  /** The call has ended, and a report on our REFER is waited for. */
  #isLingering = false;
  #isStopped = false;

  constructor(share: EndpointShare, plan: EndpointPlan, over: CallHolder | null = null) {
    super(share, plan, over);
    const actions = ownActions(share.plan.group.actions, plan.values);
    this.#scenario = actions.length === 0 ? null : new Scenario(this, actions);
  }

  get wantsStreams(): boolean {
    return this.call === null && !this.isClosed && !this.media.isOpen;
  }

  onStreams(streams: readonly MediaStream[] | Error | null): void {
    if (streams !== null && !(streams instanceof Error)) this.media.open(streams);
    if (!this.#awaitsMedia || this.isClosed || this.phase === 'DISCONNECTING') return;
    if (streams === null) {
      this.share.openStreams(this);
      return;
    }
    this.#awaitsMedia = false;
    this.onMedia(streams instanceof Error ? streams.message : null);
  }

  /** True: the streams of its call are open. Otherwise they are requested, and `onMedia` follows. */
  protected hasMedia(): boolean {
    if (this.media.isOpen) return true;
    if (!this.#awaitsMedia) {
      this.#awaitsMedia = true;
      this.share.openStreams(this);
    }
    return false;
  }

  /** The streams of its call are open; `problem`: why they are not. */
  protected abstract onMedia(problem: string | null): void;

  protected override connected(atMs: number): void {
    super.connected(atMs);
    this.#held = this.media.isHeld;
    this.#scenario?.onConnected(atMs);
  }

  protected override hangUp(): void {
    this.#scenario?.onEnded(this.share.nowMs);
    this.#nextCall?.hangUp();
    super.hangUp();
    if (this.#referTarget !== '') this.#endLeft();
  }

  protected override depart(): void {
    this.#isLingering = false;
    this.#scenario?.onLeft(this.share.nowMs);
    this.#nextCall?.hangUp();
    super.depart();
  }

  /** The run is stopped: no report is waited for. */
  protected hurry(): void {
    this.#isStopped = true;
    if (this.#isLingering) this.depart();
  }

  onReported(): void {
    if (this.#isLingering) this.depart();
  }

  override onEnded(...ended: CallEnded): void {
    this.callEnded(null, ...ended);
  }

  /**
   * The end of a replaced call is ignored: this end has continued. A far end that has referred this end may hang up
   * immediately, as telephones do in a blind transfer: the call that it asked for continues (RFC 5057, 4.1).
   */
  callEnded(from: NextCall | null, ...ended: CallEnded): void {
    if (from !== this.#current) this.#current?.leave();
    else if (ended[0] === 'REMOTE' && this.phase === 'INCALL' && this.#isCallingTarget) {
      this.#left = ended;
      this.media.suspend();
    } else this.#end(ended);
  }

  #end(ended: CallEnded): void {
    this.record.ended(...ended);
    if (this.#isStopped || !this.#scenario?.awaitsReport) {
      this.depart();
      return;
    }
    this.#isLingering = true;
    this.#scenario.onEnded(this.share.nowMs);
    this.enter('hangingUp', this.share.nowMs);
    this.endMedia();
    this.share.schedule(this.share.nowMs + this.share.plan.answerTimeoutMs, this, 'REPORT_DUE');
  }

  /** The call that the peer asked for has failed, and the previous one has ended. */
  #endLeft(): void {
    const left = this.#left;
    if (left === null) return;
    this.#left = null;
    this.record.mediaEnded(left[1], this.media.firstPacketAtMs());
    this.#end(left);
  }

  notReached({ targetUri }: NextCall, reason: string, atMs: number): void {
    if (this.#left === null) return;
    const detail = `the call to ${targetUri}, which the far end asked for by REFER: ${reason}`;
    this.share.facts.action(this.plan.number, true, detail, atMs);
    this.#endLeft();
  }

  /** The session cannot be used: the policy forbids it, or it is faulty. */
  protected failMedia(cause: Cause, problem: string): void {
    this.fail(problem === this.media.policy.forbidden ? 'TARGET_NOT_ALLOWED' : cause, problem);
  }

  onSessionOffer(local: string, offer: string): string | SdpFault {
    // The keys already belong to another call.
    if (this.#current !== null) return sdpFault('NO_ADDRESS', 'the call has moved');
    const answer = this.media.describeAgain(local, offer);
    // The session is unchanged; the failed request is reported.
    if (isSdpFault(answer) && answer.reason === this.media.policy.forbidden)
      this.fail('TARGET_NOT_ALLOWED', answer.reason);
    return answer;
  }

  onSessionChanged(...changed: SessionChanged): void {
    this.callChanged(null, ...changed);
  }

  /** The streams belong to the current call already. */
  callChanged(from: NextCall | null, ...[local, remote, offeredBy, atMs, askedBy]: SessionChanged): void {
    if (from !== this.#current) return;
    if (this.phase === 'DISCONNECTING' || this.isClosed) return;
    const { media } = this;
    const problem =
      offeredBy === 'LOCAL' ? media.agree(local, remote, 'OFFERER') : media.agree(remote, local, 'ANSWERER');
    this.localDescription = local;
    if (askedBy === 'OWNER') {
      this.#held = media.isHeld;
      this.#scenario?.onOurChange(problem, atMs);
    }
    if (problem !== null) {
      this.failMedia(offeredBy === 'LOCAL' ? 'ANSWER_UNUSABLE' : 'OFFER_UNUSABLE', problem);
      this.hangUp();
    } else if (askedBy !== 'OWNER') this.#peerChanged(askedBy, atMs);
  }

  /** The peer also holds or resumes in the answer to our refresh. */
  #peerChanged(askedBy: SessionAsker, atMs: number): void {
    const { isHeld } = this.media;
    if (isHeld === this.#held) {
      if (askedBy === 'PEER') this.#scenario?.onRefreshed(atMs);
    } else if (isHeld) this.#scenario?.onHeld(atMs);
    else this.#scenario?.onResumed(atMs);
    this.#held = isHeld;
  }

  onSessionRefused(status: number, reason: string, atMs: number, from: NextCall | null = null): void {
    if (from === this.#current) this.#scenario?.onRefused(status, reason, atMs);
  }

  onOfferUnanswered(atMs: number): void {
    const why =
      'the ACK to our 200 had no session description, although its re-INVITE asked for an offer (RFC 3261, 14.2)';
    this.share.facts.action(this.plan.number, true, why, atMs);
  }

  onSessionRefreshed(by: 'LOCAL' | 'REMOTE', atMs: number, alone: boolean, from: NextCall | null = null): void {
    if (from === this.#current && by === 'REMOTE' && alone) this.#scenario?.onRefreshed(atMs);
  }

  onSessionExpired(): void {
    this.callFailed(null, 'SESSION_EXPIRED', SESSION_EXPIRED);
  }

  callFailed(from: NextCall | null, cause: Cause, text: string): void {
    if (from === this.#current) this.fail(cause, text);
  }

  onInfo(contentType: string, body: string, atMs: number, from: NextCall | null = null): void {
    if (from !== this.#current) return;
    // Digits that arrived by RTP were sent earlier, and are handled first.
    this.#scenario?.hearNew(atMs);
    const pressed = signalledDigit(contentType, body);
    if (pressed !== null) this.media.noteDigit('RECEIVED', pressed.digit, pressed.durationMs ?? 0);
    this.#scenario?.onInfo(contentType, body, atMs);
  }

  onInfoAnswered(status: number, atMs: number, from: NextCall | null = null): void {
    if (from === this.#current) this.#scenario?.onInfoAnswered(status, atMs);
  }

  /** A peer that has reached the target no longer needs this call. */
  onReferProgress(status: number, reason: string, final: boolean, atMs: number, from: NextCall | null = null): void {
    if (from !== this.#current) return;
    const moved = this.#scenario?.onReferProgress(status, reason, final, atMs) ?? false;
    if (moved && this.phase === 'INCALL') this.hangUp();
  }

  /** Transfers the call: this end calls the target, and releases the peer once it has answered (RFC 3515, RFC 5589). */
  onRefer(targetUri: string, atMs: number): boolean {
    if (this.phase !== 'INCALL' || this.#isMoving) return false;
    if (this.#isRefused(targetUri)) return false;
    if (!this.share.takeReferral()) return false;
    this.#referTarget = targetUri;
    this.share.schedule(atMs, this, 'REFERRED');
    return true;
  }

  get #isCallingTarget(): boolean {
    return this.#referTarget !== '' || (this.#nextCall !== this.#current && this.#nextCall?.isOver === false);
  }

  get #isMoving(): boolean {
    return this.#referTarget !== '' || this.#nextCall?.isOver === false;
  }

  protected override get referredTo(): readonly string[] {
    const next = this.#nextCall?.isOver === false ? this.#nextCall : null;
    return [...[this.#current, next].map((call) => call?.targetUri ?? ''), this.#scenario?.consulted ?? ''];
  }

  #callTarget(): void {
    if (this.phase !== 'INCALL' || this.call === null) return;
    const target = this.#referTarget;
    this.#referTarget = '';
    // The owner may have changed the policy since it was accepted.
    if (this.#isRefused(target)) {
      this.call.notifyRefer(603, 'Decline');
      this.#endLeft();
      return;
    }
    const referred = new ReferredCall(this, this.call);
    this.#nextCall = referred;
    referred.place(this.userAgent, target);
  }

  #isRefused(targetUri: string): boolean {
    const refusal = uriRefusal(this.share.policy, targetUri, 'the policy of this host forbids the target of a REFER:');
    if (refusal !== null) this.fail(refusal.cause, refusal.text);
    return refusal !== null;
  }

  /** Another call is to take the place of the present one (RFC 3891); null: `call` is an ordinary one. */
  protected replacing(call: IncomingCall): CallEvents | null {
    const { replaces } = call;
    if (replaces == null) return null;
    if (this.phase !== 'INCALL' || this.call === null || replaces !== this.call || this.#isMoving) {
      call.reject(603, 'Decline');
      return SILENCE;
    }
    const next = new ReplacingCall(this, this.call);
    this.#nextCall = next;
    next.take(call, this.share.nowMs);
    return next;
  }

  /** The call replaces the previous one; its pending actions have ended. */
  adopt(by: NextCall, call: Call, local: string, atMs: number): void {
    this.#scenario?.onMoved(atMs);
    this.#current = by;
    this.call = call;
    this.#held = this.media.isHeld;
    this.localDescription = local;
    if (this.#left !== null) by.leave();
    this.#left = null;
    // A caller has its own planned end; a callee would wait for a caller that has gone.
    if (this.share.plan.role === 'CALLEE') this.lastFor(this.record.answeredAtMs, this.share.plan.callDurationMs);
  }

  noteReferred(): void {
    this.record.referred();
  }

  consult(transfer: AttendedTransfer): string | null {
    const { share } = this;
    const refusal = uriRefusal(share.policy, transfer.target, 'the policy of this host forbids the consultation call:');
    if (refusal !== null) {
      this.fail(refusal.cause, refusal.text);
      return refusal.text;
    }
    if (!share.takeReferral()) return 'the policy of this host allows no more calls in this second';
    share.schedule(share.nowMs + share.plan.answerTimeoutMs, this, 'CONSULTED');
    transfer.consult(this.userAgent, this.media.offerInactive());
    return null;
  }

  noteTransferFailed(failure: TransferFailure, detail: string): void {
    this.record.transferFailed(failure, detail);
  }

  get currentCall(): Call | null {
    return this.phase === 'INCALL' && this.#left === null ? this.call : null;
  }

  scheduleAction(atMs: number, index: number): void {
    this.share.schedule(atMs, this, index);
  }

  scheduleListening(atMs: number): void {
    this.share.schedule(atMs, this, 'LISTEN');
  }

  tellAction(detail: string, problem: string | null, fails: boolean, atMs: number): void {
    this.share.facts.action(
      this.plan.number,
      problem !== null,
      problem === null ? detail : `${detail}: ${problem}`,
      atMs,
    );
    if (fails) this.fail('ACTION_FAILED', `${detail}: ${problem}`);
  }

  hangUpNow(): void {
    this.hangUp();
  }

  /** Handles the timers that both ends of an answered call use. */
  protected inCall(what: EndpointTimer): void {
    if (what === 'REPORT_DUE' && this.#isLingering) this.depart();
    if (this.phase !== 'INCALL') return;
    if (what === 'DIGITS') this.media.sendDigits();
    else if (what === 'LISTEN') this.#scenario?.listen(this.share.nowMs);
    else if (what === 'REFERRED') this.#callTarget();
    else if (what === 'CONSULTED') this.#scenario?.onConsultationDue(this.share.plan.answerTimeoutMs / 1000);
    else if (what === 'HANG_UP') this.hangUp();
    else if (typeof what === 'number') this.#scenario?.due(what, this.share.nowMs);
  }
}
