/**
 * An attended transfer as the transferor (RFC 5589, 7): the far end is put on hold, the target answers a consultation
 * call, then a REFER sends the far end to the target, with the consultation call in Replaces (RFC 3891). The
 * consultation call has no media, because only its dialog is needed: the streams stay with the transferred call.
 */
import { isFinal } from '@carillon/proto/machine.ts';
import type { Call, CallEvents, SipFailure, UserAgent } from '../../../sip/engine.ts';
import { takeStep } from '../../../steps.ts';
import { textOfCallFailure } from '../../outcome/failure-cause.ts';
import type { TransferFailure } from '../../report/facts.ts';
import { TRANSFER, type TransferEvent, type TransferState } from './transfer-machine.ts';

/** The result of the transfer. */
export interface TransferListener {
  /** The far end is to call this URI. */
  onConsulted(referTo: string): void;
  onTransferred(atMs: number): void;
  onTransferFailed(failure: TransferFailure, detail: string, atMs: number): void;
}

export class AttendedTransfer implements CallEvents {
  readonly target: string;
  state: TransferState = TRANSFER.initial;
  readonly #listener: TransferListener;
  #call: Call | null = null;
  /** Why we gave the consultation call up; '': we did not. */
  #givenUp = '';
  /** The far end has taken the REFER. */
  #isTaken = false;
  /** The target ended the consultation call, as it does once another call has replaced it (RFC 3891, 3). */
  #isReplaced = false;

  constructor(target: string, listener: TransferListener) {
    this.target = target;
    this.#listener = listener;
  }

  consult(userAgent: UserAgent, offer: string): void {
    if (this.#move('held')) this.#call = userAgent.invite(this.target, offer, this);
  }

  /** The time for the answer is up. */
  giveUp(seconds: number): void {
    if (this.state !== 'CONSULTING') return;
    this.#givenUp = `not answered within ${seconds} s`;
    this.#call?.hangUp();
  }

  /** The far end's word on our REFER. */
  onReferProgress(status: number, reason: string, final: boolean, atMs: number): void {
    if (this.state !== 'REFERRING') return;
    if (!final) {
      this.#isTaken = true;
    } else if (status >= 200 && status < 300) {
      if (this.#move('reached')) this.#listener.onTransferred(atMs);
    } else if (status === 0) {
      this.#fail('TRANSFER_UNTOLD', reason || 'its last NOTIFY has no status line', atMs);
    } else {
      this.#fail(this.#isTaken ? 'TRANSFER_FAILED' : 'TRANSFER_REFUSED', `${status} ${reason}`, atMs);
    }
  }

  /** The call to be transferred ends. False: the far end was not referred before, and nothing is reported. */
  end(atMs: number): boolean {
    const isReferred = this.state === 'REFERRING';
    if (isReferred && this.#isReplaced) {
      if (this.#move('reached')) this.#listener.onTransferred(atMs);
    } else if (isReferred) this.#fail('TRANSFER_UNTOLD', 'the call ended before', atMs);
    else this.abandon();
    this.#hangUp();
    return isReferred;
  }

  /** The result is no longer needed. */
  abandon(): void {
    if (!isFinal(TRANSFER.transitions, this.state)) this.#move('failed');
    this.#hangUp();
  }

  onInviteSent(): void {
    // The transferred call has the figures, this one has none.
  }

  onProvisional(): void {
    // Only the answer counts.
  }

  onAnswered(): void {
    if (this.#call === null || this.state !== 'CONSULTING' || !this.#move('answered')) return;
    this.#listener.onConsulted(`${this.target}?Replaces=${encodeURIComponent(this.#call.replacesValue)}`);
  }

  onFailed(failure: SipFailure): void {
    this.#call = null;
    if (this.state !== 'CONSULTING') return;
    const { status } = failure;
    const text = textOfCallFailure(failure);
    this.#fail('CONSULTATION_FAILED', this.#givenUp || (status === null ? text : `${status} ${text}`), failure.atMs);
  }

  onEnded(by: 'LOCAL' | 'REMOTE'): void {
    this.#call = null;
    this.#isReplaced = by === 'REMOTE';
  }

  #fail(failure: TransferFailure, detail: string, atMs: number): void {
    if (!this.#move('failed')) return;
    this.#hangUp();
    this.#listener.onTransferFailed(failure, detail, atMs);
  }

  #hangUp(): void {
    this.#call?.hangUp();
  }

  #move(event: TransferEvent): boolean {
    const next = takeStep('transfer', TRANSFER.transitions, this.state, event);
    if (next !== null) this.state = next;
    return next !== null;
  }
}
