/**
 * An attended transfer as the transferor (RFC 5589, 7): the far end is put on hold, the target answers a consultation
 * call, then a REFER sends the far end to the target, with the consultation call in Replaces (RFC 3891). The
 * consultation call has no media, because only its dialog is needed: the streams stay with the transferred call.
 */
import { isFinal } from '@carillon/proto/base/machine.ts';
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
  /** Why we gave up the consultation call; '': we did not. */
  #givenUp = '';
  /** The far end has accepted the REFER. */
  #isTaken = false;
  /** The target ended the consultation call, as it does once another call has replaced it (RFC 3891, 3). */
  #isReplaced = false;
  /** The call to be transferred has ended. */
  #isLeft = false;

  constructor(target: string, listener: TransferListener) {
    this.target = target;
    this.#listener = listener;
  }

  consult(userAgent: UserAgent, offer: string): void {
    if (this.#move('held')) this.#call = userAgent.invite(this.target, offer, this);
  }

  /** The time for the answer is over. */
  giveUp(seconds: number): void {
    if (this.state !== 'CONSULTING') return;
    this.#givenUp = `not answered within ${seconds} s`;
    this.#call?.hangUp();
  }

  /** The far end's report on our REFER. */
  onReferProgress(status: number, reason: string, final: boolean, atMs: number): void {
    if (this.state !== 'REFERRING') return;
    if (!final) {
      this.#isTaken = true;
    } else if (status >= 200 && status < 300) {
      this.#reached(atMs);
    } else if (status === 0) {
      this.#fail('TRANSFER_UNTOLD', reason || 'its last NOTIFY has no status line', atMs);
    } else {
      this.#fail(this.#isTaken ? 'TRANSFER_FAILED' : 'TRANSFER_REFUSED', `${status} ${reason}`, atMs);
    }
  }

  /** The call to be transferred has ended. A far end that was referred may still take the consultation call over, and report. */
  onCallEnded(atMs: number): void {
    this.#isLeft = true;
    if (this.state !== 'REFERRING') this.abandon();
    else if (this.#isReplaced) this.#reached(atMs);
  }

  /** No report arrived in time. */
  giveUpReport(atMs: number): void {
    if (this.state === 'REFERRING')
      this.#fail('TRANSFER_UNTOLD', 'the call ended before, and no report came after it', atMs);
  }

  /** The result is no longer needed. */
  abandon(): void {
    if (!isFinal(TRANSFER.transitions, this.state)) this.#move('failed');
    this.#hangUp();
  }

  onInviteSent(): void {
    // The figures belong to the transferred call; this call has none.
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

  onEnded(by: 'LOCAL' | 'REMOTE', _byeAtMs: number, endedAtMs: number): void {
    this.#call = null;
    this.#isReplaced = by === 'REMOTE';
    if (this.#isReplaced && this.#isLeft) this.#reached(endedAtMs);
  }

  #reached(atMs: number): void {
    if (this.state !== 'REFERRING' || !this.#move('reached')) return;
    this.#hangUp();
    this.#listener.onTransferred(atMs);
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
