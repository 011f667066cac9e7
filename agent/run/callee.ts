/** An endpoint that waits for its call, rings and answers at once, and lets the caller hang up, within the owner's limit. */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Cause } from '@carillon/proto';
import type { CallEvents, IncomingCall, SipFailure } from '../sip/engine.ts';
import { Endpoint, type EndpointTimer } from './endpoint.ts';

export class Callee extends Endpoint {
  #offer = '';
  #answer = '';
  #stopping = false;

  /** Free for a call to any number (a trunk's). */
  get isIdle(): boolean {
    return this.call === null && !this.#stopping && (this.phase === 'INITIALIZING' || this.phase === 'REGISTERED');
  }

  /** The engine's user agent, for calls whose Request-URI names nobody. */
  get userAgent() {
    return this.ua;
  }

  onTimer(what: EndpointTimer): void {
    if (this.isClosed) return;
    if (what === 'REGISTER') this.register();
    if (what === 'RECEIVE_END') this.finish();
    if (what === 'DIGITS' && this.phase === 'INCALL') this.media.sendDigits();
    if (what === 'HANG_UP' && this.phase === 'INCALL') this.hangUp();
  }

  protected onIncomingCall(call: IncomingCall): CallEvents | null {
    if (!this.isIdle) {
      call.reject(486, 'Busy Here');
      return BUSY;
    }
    this.call = call;
    this.attempted = true;
    this.calleeUri = call.requestUri;
    this.plannedAtMs = call.receivedAtMs;
    const answer = this.#answerTo(call);
    if (isSdpFault(answer)) {
      this.finalStatus = 488;
      this.finalReason = 'Not Acceptable Here';
      this.fail('OFFER_UNUSABLE', answer.reason, 488);
      call.reject(488, 'Not Acceptable Here');
      return this;
    }
    call.ring();
    this.rang = true;
    this.ringingAtMs = this.share.nowMs;
    this.enter('ringing', this.share.nowMs);
    this.#answer = answer;
    call.answer(answer);
    this.enter('answered', this.share.nowMs);
    this.mediaFromMs = this.share.nowMs;
    this.#startMedia();
    return this;
  }

  /** A delayed offer (no SDP in the INVITE): we offer in the 200, the ACK answers. */
  #answerTo(call: IncomingCall) {
    this.#offer = call.body;
    return call.body === '' ? this.media.offer() : this.media.answer(call.body);
  }

  #startMedia(): void {
    if (this.#offer === '') return;
    const problem = this.media.agree(this.#offer, this.#answer, 'ANSWERER');
    if (problem !== null) this.fail('OFFER_UNUSABLE', problem);
  }

  onInviteSent(): void {
    // Callers alone send INVITE.
  }

  onProvisional(): void {
    // Callers alone receive provisional responses.
  }

  onAnswered(atMs: number, status: number, reason: string, body: string): void {
    this.answeredAtMs = atMs;
    this.finalStatus = status;
    this.finalReason = reason;
    if (this.#offer === '') {
      const problem = this.media.agree(this.#answer, body, 'OFFERER');
      if (problem !== null) this.fail('ANSWER_UNUSABLE', problem);
    }
    if (this.hasFailed || this.#stopping) {
      this.hangUp();
      return;
    }
    this.connected(atMs);
    this.share.schedule(atMs + this.share.plan.longestCallMs, this, 'HANG_UP');
  }

  onFailed(failure: SipFailure): void {
    this.finalStatus ||= failure.status ?? 0;
    if (failure.kind === 'TIMEOUT') this.fail('ACK_MISSING', failure.reason);
    else if (failure.kind === 'CANCELLED') this.fail('CANCELLED_BY_CALLER', failure.reason);
    else this.fail('PROTOCOL_ERROR', failure.reason, failure.status ?? 0);
    this.depart();
  }

  /** No call will come any more. One that goes on is the caller's to end. */
  finish(): void {
    if (!this.isIdle) return;
    this.fail('NO_CALL_RECEIVED', 'nobody called');
    this.depart();
  }

  stop(cause: Cause, text: string): void {
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    const idle = this.isIdle;
    this.#stopping = true;
    if (Number.isNaN(this.answeredAtMs)) this.fail(cause, text);
    if (idle) this.depart();
    else this.hangUp();
  }
}

/** A second call to a busy endpoint is refused and leaves no trace in its figures. */
const BUSY: CallEvents = {
  onInviteSent: () => undefined,
  onProvisional: () => undefined,
  onAnswered: () => undefined,
  onFailed: () => undefined,
  onEnded: () => undefined,
};
