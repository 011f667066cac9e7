/**
 * An endpoint that waits for its call, rings and answers as its group says, and lets the caller hang up, within the
 * owner's limit.
 */
import { isSdpFault, type SdpFault } from '@carillon/media/sdp/session-description.ts';
import { type Cause, causeOfInviteResponse } from '@carillon/proto';
import { SILENCE } from '../../../sip/dialog/silence.ts';
import type { CallEvents, IncomingCall, SipFailure } from '../../../sip/engine.ts';
import { reasonPhrase } from '../../../sip/message/reason-phrase.ts';
import { CALLER_FIRST_MS } from '../../plan.ts';
import { callerOf } from '../core/call-name.ts';
import type { EndpointTimer } from '../core/endpoint-timer.ts';
import { problemOf } from '../media/agreed-streams.ts';
import { TalkingEndpoint } from './talking-endpoint.ts';

export class Callee extends TalkingEndpoint {
  #offer = '';
  /** Our answer to the offer, or our offer; null: the streams are not open yet. */
  #answer: string | null = null;
  /** The step that continues once the streams are open. */
  #waits: 'PROGRESS' | 'ANSWER' | null = null;
  /** The call that is neither answered nor rejected yet. */
  #incoming: IncomingCall | null = null;
  /** Our delayed offer was answered before the call was (RFC 3262, 5). */
  #isAgreed = false;
  #stopping = false;

  /** Free for a call to any number (on a trunk). */
  override get isIdle(): boolean {
    return this.call === null && !this.#stopping && (this.phase === 'INITIALIZING' || this.phase === 'REGISTERED');
  }

  onTimer(what: EndpointTimer): void {
    if (this.isClosed) return;
    if (what === 'REGISTER') this.register();
    if (what === 'RECEIVE_END') this.finish();
    if (what === 'PROGRESS') this.#progress();
    if (what === 'ANSWER') this.#decide();
    this.inCall(what);
  }

  onIncomingCall(call: IncomingCall): CallEvents | null {
    if (!this.isIdle) {
      const replacing = this.replacing(call);
      if (replacing !== null) return replacing;
      call.reject(486, 'Busy Here');
      return SILENCE;
    }
    this.call = call;
    this.over?.onCalled();
    const peer = callerOf(call.correlation, this.share.plan.run);
    this.traffic.caller = peer;
    this.#incoming = call;
    this.record.inviteReceived(call, peer);
    const { spent } = this.share.policy.talked;
    if (spent !== null) {
      this.#refuse(480, 'MINUTES_SPENT', spent);
      return this;
    }
    this.#offer = call.body;
    const { delayMs, provisional, rejectStatus } = this.share.plan.group.answering;
    if (rejectStatus === null || provisional === 183) this.#look(call);
    if (this.#incoming === null) return this;
    if (delayMs > 0) this.share.schedule(this.share.nowMs + delayMs, this, 'PROGRESS');
    else this.#progress();
    return this;
  }

  protected onMedia(problem: string | null): void {
    const call = this.#incoming;
    if (call === null || this.#stopping) return;
    if (problem !== null) this.#refuse(480, 'MEDIA_PORTS_EXHAUSTED', problem);
    else this.#describe(call);
    const step = this.#waits;
    this.#waits = null;
    if (step === 'PROGRESS') this.#progress();
    else if (step === 'ANSWER') this.#decide();
  }

  /** Refuses an unusable offer before ringing, without taking ports. */
  #look(call: IncomingCall): void {
    const preview = this.media.isOpen || call.body === '' ? '' : this.media.answer(call.body);
    if (isSdpFault(preview)) this.#turnDown(preview);
    else if (this.hasMedia()) this.#describe(call);
  }

  #describe(call: IncomingCall): void {
    const answer = this.#answerTo(call);
    if (isSdpFault(answer)) this.#turnDown(answer);
    else this.#answer = answer;
  }

  #turnDown(fault: SdpFault): void {
    this.#refuse(488, fault.fault === 'FORBIDDEN' ? 'TARGET_NOT_ALLOWED' : 'OFFER_UNUSABLE', fault.reason, fault);
  }

  #refuse(status: 480 | 488, cause: Cause, text: string, fault: SdpFault | null = null): void {
    const call = this.#incoming;
    this.#incoming = null;
    const reason = reasonPhrase(status);
    this.record.finished(status, reason);
    this.fail(cause, text, status);
    call?.reject(status, reason, fault);
  }

  /** Rings; with 183 there are early media. Our offer is sent with the response if it is acknowledged (RFC 3262). */
  #progress(): void {
    const { answering } = this.share.plan.group;
    if (this.#incoming === null || this.#stopping) return;
    if (answering.provisional === 183) {
      if (this.#answer === null) {
        this.#waits = 'PROGRESS';
        return;
      }
      this.localDescription = this.#answer;
      this.#incoming.progress(183, this.#answer);
      if (this.#offer !== '') this.#startMedia();
    } else this.#incoming.ring();
    this.record.ringing(this.share.nowMs);
    this.enter('ringing', this.share.nowMs);
    if (answering.ringMs > 0) this.share.schedule(this.share.nowMs + answering.ringMs, this, 'ANSWER');
    else this.#decide();
  }

  #decide(): void {
    const { rejectStatus } = this.share.plan.group.answering;
    const call = this.#incoming;
    if (call === null || this.#stopping) return;
    if (rejectStatus === null && this.#answer === null) {
      this.#waits = 'ANSWER';
      return;
    }
    this.#incoming = null;
    if (rejectStatus !== null) {
      const reason = reasonPhrase(rejectStatus);
      this.record.finished(rejectStatus, reason);
      this.fail(causeOfInviteResponse(rejectStatus, this.record.rang), reason, rejectStatus);
      call.reject(rejectStatus, reason);
      return;
    }
    this.localDescription = this.#answer as string;
    call.answer(this.localDescription);
    this.enter('answered', this.share.nowMs);
    this.record.mediaDue(this.share.nowMs);
    this.#startMedia();
  }

  /** A delayed offer (no SDP in the INVITE): we offer in the 200, the ACK answers. */
  #answerTo(call: IncomingCall) {
    // The offer is '' if there is no SDP at all.
    return call.body === '' ? this.media.offer() : this.media.answer(call.body);
  }

  #startMedia(): void {
    if (this.#offer === '') return;
    const problem = this.media.agree(this.#offer, this.localDescription, 'ANSWERER', true);
    if (problem !== null) this.failMedia('OFFER_UNUSABLE', problem);
  }

  /**
   * A reliable session: one agreed on in a provisional response is final. The answer to our delayed offer arrives only here.
   */
  onEarlyMedia(local: string, remote: string): void {
    this.media.consented();
    if (this.#offer !== '' || this.#isAgreed) return;
    const problem = this.media.agree(local, remote, 'OFFERER');
    if (problem === null) this.#isAgreed = true;
    else this.failMedia('ANSWER_UNUSABLE', problem);
  }

  onInviteSent(): void {
    // Only callers send INVITE.
  }

  onProvisional(): void {
    // Only callers receive provisional responses.
  }

  onAnswered(atMs: number, status: number, reason: string, body: string): void {
    this.record.answered(status, reason, atMs);
    this.media.consented();
    if (this.#offer === '' && !(body === '' && this.#isAgreed)) {
      const problem = problemOf(this.media.agree(this.localDescription, body, 'OFFERER'), body, 'ACK');
      if (problem !== null) this.failMedia('ANSWER_UNUSABLE', problem);
    }
    if (this.hasFailed || this.#stopping) {
      this.hangUp();
      return;
    }
    this.connected(atMs);
    this.lastFor(this.record.answeredAtMs, this.share.plan.longestCallMs, CALLER_FIRST_MS);
  }

  onFailed(failure: SipFailure): void {
    this.#incoming = null;
    this.record.incomingFailed(failure);
    if (failure.kind === 'TIMEOUT') this.fail('ACK_MISSING', failure.reason);
    else if (failure.kind === 'CANCELLED') this.fail('CANCELLED_BY_CALLER', failure.reason);
    // The unusable offer arrived with a PRACK.
    else if (failure.status === 488) this.fail('OFFER_UNUSABLE', failure.reason, failure.status);
    else this.fail('PROTOCOL_ERROR', failure.reason, failure.status ?? 0);
    this.depart();
  }

  /** No further call will arrive. The caller ends one in progress. */
  finish(): void {
    if (!this.isIdle) return;
    this.fail('NO_CALL_RECEIVED', 'no call arrived');
    this.depart();
  }

  stop(cause: Cause, text: string): void {
    this.hurry();
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    const idle = this.isIdle;
    this.#stopping = true;
    if (Number.isNaN(this.record.answeredAtMs)) this.fail(cause, text);
    if (idle) this.depart();
    else this.hangUp();
  }
}
