/**
 * An incoming call that replaces the endpoint's call (RFC 3891): the last step of an attended transfer (RFC 5589, 7).
 * It is answered immediately, because an endpoint in a call does not ring; the engine ends the earlier call.
 */
import { isSdpFault, sdpFault } from '@carillon/media/sdp/session-description.ts';
import type { IncomingCall, SipFailure } from '../../../sip/engine.ts';
import { problemOf } from '../media/agreed-streams.ts';
import { NextCall } from './next-call.ts';

export class ReplacingCall extends NextCall {
  /** Our offer, if the INVITE had none: its answer comes with the ACK. */
  #offer = '';

  take(call: IncomingCall, atMs: number): void {
    const { media } = this.endpoint;
    const offer = call.body;
    const local = offer === '' ? media.offerElsewhere() : media.answerElsewhere(offer);
    const problem = isSdpFault(local) || offer === '' ? null : media.agreeElsewhere(offer, local, 'ANSWERER');
    if (isSdpFault(local) || problem !== null) {
      this.move('failed');
      call.reject(488, 'Not Acceptable Here', isSdpFault(local) ? local : sdpFault('MISMATCH', problem ?? ''));
      return;
    }
    this.call = call;
    this.move('taken');
    if (offer === '') this.#offer = local;
    this.endpoint.adopt(this, call, local, atMs);
    call.answer(local);
  }

  onProvisional(): void {
    // Only callers receive provisional responses.
  }

  onAnswered(_atMs: number, _status: number, _reason: string, body: string): void {
    if (this.#offer === '') return;
    const problem = problemOf(this.endpoint.media.agreeElsewhere(this.#offer, body, 'OFFERER'), body, 'ACK');
    if (problem === null) return;
    this.endpoint.callFailed(this, 'ANSWER_UNUSABLE', problem);
    this.hangUp();
  }

  onFailed(failure: SipFailure): void {
    if (this.state === 'FAILED') return;
    this.endpoint.callFailed(this, failure.kind === 'TIMEOUT' ? 'ACK_MISSING' : 'PROTOCOL_ERROR', failure.reason);
    this.onEnded('LOCAL', Number.NaN, failure.atMs);
  }
}
