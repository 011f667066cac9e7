/**
 * The call that a REFER of the peer asks for (RFC 3515): placed beside the one in which it came, with the same streams. Answered, it
 * takes that one's place; the peer is told how it goes.
 */
import type { Side } from '@carillon/media/sdp/negotiated.ts';
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Call, CallEvents, SipFailure, UserAgent } from '../sip/engine.ts';
import type { EndpointMedia } from './endpoint-media.ts';

/** The endpoint that was referred. */
export interface Referred extends CallEvents {
  readonly media: EndpointMedia;
  adopt(by: ReferredCall, call: Call, local: string, atMs: number): void;
  callEnded(from: ReferredCall, by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number): void;
  callChanged(from: ReferredCall, ...changed: SessionChanged): void;
  callExpired(from: ReferredCall): void;
}

export type SessionChanged = Parameters<NonNullable<CallEvents['onSessionChanged']>>;

export class ReferredCall implements CallEvents {
  readonly #endpoint: Referred;
  readonly #before: Call;
  #call: Call | null = null;
  #local = '';
  /** Offer and answer that hold before the 2xx (RFC 3262, RFC 3311); null: it brings the answer. */
  #settled: { readonly offer: string; readonly answer: string; readonly side: Side } | null = null;
  /** CALLING: the call before goes on. TAKEN: this one has its place. LEFT: the one before has ended, too. */
  #state: 'CALLING' | 'TAKEN' | 'LEFT' | 'FAILED' = 'CALLING';

  constructor(endpoint: Referred, before: Call) {
    this.#endpoint = endpoint;
    this.#before = before;
  }

  place(ua: UserAgent, targetUri: string): void {
    this.#local = this.#endpoint.media.offerElsewhere();
    this.#call = ua.invite(targetUri, this.#local, this);
  }

  /** It has the place of the call before, or nothing has come of it: another may follow. */
  get isOver(): boolean {
    return this.#state === 'LEFT' || this.#state === 'FAILED';
  }

  /** The call that this took the place of has ended. */
  leave(): void {
    if (this.#state === 'TAKEN') this.#state = 'LEFT';
  }

  /** The endpoint hangs up: both calls, as far as they are there. */
  hangUp(): void {
    this.#call?.hangUp();
    if (this.#state === 'TAKEN') this.#before.hangUp();
  }

  onInviteSent(): void {
    return;
  }

  onProvisional(status: number, reason: string): void {
    if (status > 100 && this.#state === 'CALLING') this.#before.notifyRefer(status, reason);
  }

  onEarlyMedia(local: string, remote: string, reliable: boolean): void {
    // The streams are with the call before until this one is answered.
    if (!reliable || this.#state !== 'CALLING') return;
    this.#local = local;
    this.#settled = { offer: local, answer: remote, side: 'OFFERER' };
  }

  onAnswered(atMs: number, status: number, reason: string, body: string): void {
    if (this.#state !== 'CALLING' || this.#call === null) return;
    const early = body === '' ? this.#settled : null;
    const { offer, answer, side } = early ?? { offer: this.#local, answer: body, side: 'OFFERER' };
    const problem = this.#endpoint.media.agreeElsewhere(offer, answer, side);
    if (problem !== null) {
      this.#state = 'FAILED';
      this.#call.hangUp();
      this.#before.notifyRefer(488, 'Not Acceptable Here');
      return;
    }
    this.#state = 'TAKEN';
    this.#before.notifyRefer(status, reason);
    this.#endpoint.adopt(this, this.#call, this.#local, atMs);
  }

  onFailed(failure: SipFailure): void {
    if (this.#state !== 'CALLING') return;
    this.#state = 'FAILED';
    this.#before.notifyRefer(failure.status ?? (failure.kind === 'TIMEOUT' ? 408 : 503), failure.reason);
  }

  onEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number): void {
    if (this.#state === 'FAILED') return;
    this.hangUp();
    this.#endpoint.callEnded(this, by, byeAtMs, endedAtMs);
  }

  onSessionOffer(local: string, offer: string): string | SdpFault {
    return this.#endpoint.media.describeAgain(local, offer);
  }

  onSessionChanged(...changed: SessionChanged): void {
    if (this.#state !== 'CALLING') {
      this.#endpoint.callChanged(this, ...changed);
      return;
    }
    const [local, remote, offeredBy] = changed;
    this.#local = local;
    this.#settled =
      offeredBy === 'LOCAL'
        ? { offer: local, answer: remote, side: 'OFFERER' }
        : { offer: remote, answer: local, side: 'ANSWERER' };
  }

  onSessionRefused(status: number, reason: string, atMs: number): void {
    this.#endpoint.onSessionRefused?.(status, reason, atMs);
  }

  onSessionRefreshed(by: 'LOCAL' | 'REMOTE', atMs: number, alone: boolean): void {
    this.#endpoint.onSessionRefreshed?.(by, atMs, alone);
  }

  onSessionExpired(): void {
    this.#endpoint.callExpired(this);
  }

  onReferProgress(status: number, reason: string, final: boolean, atMs: number): void {
    this.#endpoint.onReferProgress?.(status, reason, final, atMs);
  }

  onRefer(targetUri: string, atMs: number): boolean {
    return this.#state === 'LEFT' && this.#endpoint.onRefer?.(targetUri, atMs) === true;
  }

  onInfo(contentType: string, body: string, atMs: number): void {
    this.#endpoint.onInfo?.(contentType, body, atMs);
  }

  onInfoAnswered(status: number, atMs: number): void {
    this.#endpoint.onInfoAnswered?.(status, atMs);
  }
}
