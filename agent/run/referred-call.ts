/**
 * The call that a REFER of the peer asks for (RFC 3515): placed beside the one in which it came, with the same streams. Answered, it
 * takes that one's place; the peer is told how it goes.
 */
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Call, CallEvents, SipFailure, UserAgent } from '../sip/engine.ts';
import type { EndpointMedia } from './endpoint-media.ts';

/** The endpoint that was referred. */
export interface Referred extends CallEvents {
  readonly media: EndpointMedia;
  adopt(call: Call, local: string, atMs: number): void;
  callEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number): void;
}

export class ReferredCall implements CallEvents {
  readonly #endpoint: Referred;
  readonly #before: Call;
  #call: Call | null = null;
  #offer = '';
  /** CALLING: the call before goes on. TAKEN: this one has its place. LEFT: the one before has ended, too. */
  #state: 'CALLING' | 'TAKEN' | 'LEFT' | 'FAILED' = 'CALLING';

  constructor(endpoint: Referred, before: Call) {
    this.#endpoint = endpoint;
    this.#before = before;
  }

  place(ua: UserAgent, targetUri: string): void {
    this.#offer = this.#endpoint.media.offer();
    this.#call = ua.invite(targetUri, this.#offer, this);
  }

  /** The call before has ended: was that the one that this took the place of? */
  hasLeft(): boolean {
    if (this.#state !== 'TAKEN') return false;
    this.#state = 'LEFT';
    return true;
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

  onAnswered(atMs: number, status: number, reason: string, body: string): void {
    if (this.#state !== 'CALLING' || this.#call === null) return;
    const problem = this.#endpoint.media.agree(this.#offer, body, 'OFFERER');
    if (problem !== null) {
      this.#state = 'FAILED';
      this.#call.hangUp();
      this.#before.notifyRefer(488, 'Not Acceptable Here');
      return;
    }
    this.#state = 'TAKEN';
    this.#before.notifyRefer(status, reason);
    this.#endpoint.adopt(this.#call, this.#offer, atMs);
  }

  onFailed(failure: SipFailure): void {
    if (this.#state !== 'CALLING') return;
    this.#state = 'FAILED';
    this.#before.notifyRefer(failure.status ?? (failure.kind === 'TIMEOUT' ? 408 : 503), failure.reason);
  }

  onEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number): void {
    if (this.#state === 'FAILED') return;
    this.hangUp();
    this.#endpoint.callEnded(by, byeAtMs, endedAtMs);
  }

  onSessionOffer(local: string, offer: string): string | SdpFault {
    return this.#endpoint.media.describeAgain(local, offer);
  }

  onSessionChanged(local: string, remote: string, offeredBy: 'LOCAL' | 'REMOTE', atMs: number): void {
    this.#endpoint.onSessionChanged?.(local, remote, offeredBy, atMs);
  }

  onSessionRefused(status: number, reason: string, atMs: number): void {
    this.#endpoint.onSessionRefused?.(status, reason, atMs);
  }

  onInfo(contentType: string, body: string, atMs: number): void {
    this.#endpoint.onInfo?.(contentType, body, atMs);
  }

  onInfoAnswered(status: number, atMs: number): void {
    this.#endpoint.onInfoAnswered?.(status, atMs);
  }
}
