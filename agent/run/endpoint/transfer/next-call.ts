/**
 * A call that replaces the previous one, with the same streams: a REFER (RFC 3515) or Replaces (RFC 3891) requests it.
 * Until it does, the endpoint receives none of its events.
 */
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Cause } from '@carillon/proto';
import { isFinal } from '@carillon/proto/base/machine.ts';
import type { Call, CallEvents, SipFailure } from '../../../sip/engine.ts';
import { takeStep } from '../../../steps.ts';
import type { EndpointMedia } from '../media/endpoint-media.ts';
import { NEXT_CALL, type NextCallEvent, type NextCallState } from './next-call-machine.ts';

/**
 * The endpoint of the call. `from`: the call that reports; null: the first one. Reports of calls other than the current
 * one are ignored.
 */
export interface Moving {
  readonly media: EndpointMedia;
  adopt(by: NextCall, call: Call, local: string, atMs: number): void;
  /** The call that was to replace the previous one failed. */
  notReached(by: NextCall, reason: string, atMs: number): void;
  callEnded(from: NextCall | null, ...ended: CallEnded): void;
  callChanged(from: NextCall | null, ...changed: SessionChanged): void;
  callFailed(from: NextCall | null, cause: Cause, text: string): void;
  onSessionRefused(status: number, reason: string, atMs: number, from: NextCall | null): void;
  onSessionRefreshed(by: 'LOCAL' | 'REMOTE', atMs: number, alone: boolean, from: NextCall | null): void;
  onReferProgress(status: number, reason: string, final: boolean, atMs: number, from: NextCall | null): void;
  onInfo(contentType: string, body: string, atMs: number, from: NextCall | null): void;
  onInfoAnswered(status: number, atMs: number, from: NextCall | null): void;
  onOfferUnanswered(atMs: number): void;
  onRefer(targetUri: string, atMs: number): boolean;
}

export type CallEnded = Parameters<CallEvents['onEnded']>;
export type SessionChanged = Parameters<NonNullable<CallEvents['onSessionChanged']>>;

export const SESSION_EXPIRED = 'the session was not refreshed in time (RFC 4028)';

export abstract class NextCall implements CallEvents {
  protected readonly endpoint: Moving;
  protected readonly before: Call;
  protected call: Call | null = null;
  /** The target; '': this end is called. */
  targetUri = '';
  protected state: NextCallState = NEXT_CALL.initial;

  constructor(endpoint: Moving, before: Call) {
    this.endpoint = endpoint;
    this.before = before;
  }

  abstract onProvisional(status: number, reason: string): void;
  abstract onAnswered(atMs: number, status: number, reason: string, body: string): void;
  abstract onFailed(failure: SipFailure): void;

  /** It has replaced the previous call, or failed: another may follow. */
  get isOver(): boolean {
    return isFinal(NEXT_CALL.transitions, this.state);
  }

  /** The replaced call has ended. */
  leave(): void {
    if (this.state === 'TAKEN') this.move('left');
  }

  protected move(event: NextCallEvent): boolean {
    const next = takeStep('next call', NEXT_CALL.transitions, this.state, event);
    if (next !== null) this.state = next;
    return next !== null;
  }

  /** The endpoint hangs up both calls, as far as they exist. */
  hangUp(): void {
    this.call?.hangUp();
    if (this.state === 'TAKEN') this.before.hangUp();
  }

  onInviteSent(): void {
    return;
  }

  onEnded(...ended: CallEnded): void {
    if (this.state === 'FAILED') return;
    this.hangUp();
    this.endpoint.callEnded(this, ...ended);
  }

  /** Its keys differ from those of the previous call while that one is current (RFC 4568, 7.1.1). */
  onSessionOffer(local: string, offer: string): string | SdpFault {
    const { media } = this.endpoint;
    return this.state === 'CALLING' ? media.describeElsewhere(local, offer) : media.describeAgain(local, offer);
  }

  onSessionChanged(...changed: SessionChanged): void {
    this.endpoint.callChanged(this, ...changed);
  }

  onSessionRefused(status: number, reason: string, atMs: number): void {
    this.endpoint.onSessionRefused(status, reason, atMs, this);
  }

  onSessionRefreshed(by: 'LOCAL' | 'REMOTE', atMs: number, alone: boolean): void {
    this.endpoint.onSessionRefreshed(by, atMs, alone, this);
  }

  onSessionExpired(): void {
    this.endpoint.callFailed(this, 'SESSION_EXPIRED', SESSION_EXPIRED);
  }

  onReferProgress(status: number, reason: string, final: boolean, atMs: number): void {
    this.endpoint.onReferProgress(status, reason, final, atMs, this);
  }

  onOfferUnanswered(atMs: number): void {
    this.endpoint.onOfferUnanswered(atMs);
  }

  onRefer(targetUri: string, atMs: number): boolean {
    return this.state === 'LEFT' && this.endpoint.onRefer(targetUri, atMs);
  }

  onInfo(contentType: string, body: string, atMs: number): void {
    this.endpoint.onInfo(contentType, body, atMs, this);
  }

  onInfoAnswered(status: number, atMs: number): void {
    this.endpoint.onInfoAnswered(status, atMs, this);
  }
}
