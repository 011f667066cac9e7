/**
 * The call requested by a REFER of the peer (RFC 3515), placed while the call that carried the REFER continues. Once
 * answered, it replaces that call; the peer is notified of its progress.
 */
import type { Side } from '@carillon/media/sdp/negotiated.ts';
import { isSdpFault, type SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { SipFailure, UserAgent } from '../../../sip/engine.ts';
import { problemOf } from '../media/agreed-streams.ts';
import { NextCall, type SessionChanged } from './next-call.ts';

export class ReferredCall extends NextCall {
  #local = '';
  /** Offer and answer that were final before the 2xx (RFC 3262, RFC 3311); null: the 2xx has the answer. */
  #settled: { readonly offer: string; readonly answer: string; readonly side: Side } | null = null;

  place(ua: UserAgent, targetUri: string): void {
    this.targetUri = targetUri;
    this.#local = this.endpoint.media.offerElsewhere();
    this.call = ua.invite(targetUri, this.#local, this);
  }

  onProvisional(status: number, reason: string): void {
    if (status > 100 && this.state === 'CALLING') this.before.notifyRefer(status, reason);
  }

  onEarlyMedia(local: string, remote: string, reliable: boolean): void {
    // The streams belong to the previous call until this one is answered.
    if (!reliable || this.state !== 'CALLING') return;
    this.#local = local;
    this.#settled = { offer: local, answer: remote, side: 'OFFERER' };
  }

  /** Without SDP from us the peer may send the offer (RFC 3261, 13.2.1). */
  onDelayedOffer(offer: string): string | SdpFault {
    const answer = this.endpoint.media.answerElsewhere(offer);
    if (!isSdpFault(answer)) {
      this.#local = answer;
      this.#settled = { offer, answer, side: 'ANSWERER' };
    }
    return answer;
  }

  onAnswered(atMs: number, status: number, reason: string, body: string): void {
    if (this.state !== 'CALLING' || this.call === null) return;
    const early = body === '' ? this.#settled : null;
    const { offer, answer, side } = early ?? { offer: this.#local, answer: body, side: 'OFFERER' };
    const problem = problemOf(this.endpoint.media.agreeElsewhere(offer, answer, side), answer, String(status));
    if (problem !== null) {
      this.move('failed');
      this.call.hangUp();
      this.before.notifyRefer(488, 'Not Acceptable Here');
      this.endpoint.notReached(this, problem, atMs);
      return;
    }
    this.move('taken');
    this.before.notifyRefer(status, reason);
    this.endpoint.adopt(this, this.call, this.#local, atMs);
  }

  onFailed(failure: SipFailure): void {
    if (this.state !== 'CALLING') return;
    this.move('failed');
    const status = failure.status ?? (failure.kind === 'TIMEOUT' ? 408 : 503);
    this.before.notifyRefer(status, failure.reason);
    this.endpoint.notReached(this, `${status} ${failure.reason}`, failure.atMs);
  }

  override onSessionChanged(...changed: SessionChanged): void {
    if (this.state !== 'CALLING') {
      super.onSessionChanged(...changed);
      return;
    }
    const [local, remote, offeredBy] = changed;
    this.#local = local;
    this.#settled =
      offeredBy === 'LOCAL'
        ? { offer: local, answer: remote, side: 'OFFERER' }
        : { offer: remote, answer: local, side: 'ANSWERER' };
  }
}
