/** A REFER that we sent, and its subscription: the progress of the peer's own call (RFC 3515). */

import { takeStep } from '../../../steps.ts';
import { explainedReason } from '../../message/explanation.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { Timed } from '../../timer-wheel.ts';
import { T1_MS } from '../../timers.ts';
import type { DialogCall } from './dialog-call.ts';
import { Exchange, type ExchangeUser } from './exchange.ts';
import { isWithoutSubscription, reportOf, subscribedMs } from './sipfrag.ts';
import { REFERRAL, type ReferralEvent, type ReferralState } from './within-tables.ts';

/** After a 202, the first NOTIFY (RFC 6665, 4.1.2.4: timer N). */
const FIRST_NOTIFY_MS = 64 * T1_MS;
/** After the result, the NOTIFY that ends the subscription. */
const LAST_NOTIFY_MS = 64 * T1_MS;

export class Referral extends Timed implements ExchangeUser {
  state: ReferralState = REFERRAL.initial;
  readonly #call: DialogCall;
  readonly #exchange: Exchange;

  constructor(call: DialogCall, targetUri: string) {
    super();
    this.#call = call;
    const lines = `${call.agent.headers.contact}Refer-To: <${targetUri}>\r\nReferred-By: ${call.agent.fromValue}\r\nSupported: norefersub\r\n`;
    this.#exchange = new Exchange(call, { method: 'REFER', lines }, this);
    call.opened.exchange(this.#exchange);
  }

  get isOver(): boolean {
    return this.state === 'OVER';
  }

  /** The result is not known yet. */
  get isPending(): boolean {
    return this.state !== 'OVER' && this.state !== 'ENDING';
  }

  onFinal(_exchange: Exchange, status: number, reason: string, atMs: number, response: SipMessage | null): void {
    if (status >= 300) {
      const { isPending } = this;
      if (!this.#move('REFUSED')) return;
      this.#stopTimer();
      if (isPending) this.#tell(status, response === null ? reason : explainedReason(response), true, atMs);
      return;
    }
    const wasNotified = this.state === 'SUBSCRIBED' || this.state === 'ENDING';
    if (!this.#move('ACCEPTED')) return;
    // The peer accepts it without a subscription (RFC 4488, 4): no further information will come.
    const isSilent = response !== null && isWithoutSubscription(response);
    if (isSilent && this.#move('LAST')) this.#tell(status, reason, true, atMs);
    else if (!wasNotified) {
      this.#wait(FIRST_NOTIFY_MS);
      this.#tell(status, reason, false, atMs);
    }
  }

  /** Whether a NOTIFY with this `id` is ours. (RFC 3515, 2.4.6: the first one may lack it.) */
  isFor(id: string | null): boolean {
    return this.state !== 'OVER' && (id === null || id === String(this.#exchange.cseq));
  }

  /** A NOTIFY that was answered with 200. */
  onNotify(request: SipMessage, atMs: number): void {
    const { status, reason, isResult, isLast, expires } = reportOf(request);
    const { isPending } = this;
    if (!this.#move(isLast ? 'LAST' : isResult ? 'RESULT' : 'NOTIFIED')) return;
    if (isLast) this.#stopTimer();
    else if (this.state === 'ENDING') this.#wait(LAST_NOTIFY_MS);
    else this.#wait(subscribedMs(expires));
    if (isPending && (isResult || status !== 0)) this.#tell(status, reason, isResult, atMs);
  }

  override onDue(nowMs: number): void {
    const { isPending } = this;
    if (this.#move('LIMIT') && isPending) this.#tell(0, 'the peer stopped sending NOTIFY', true, nowMs);
  }

  /** The call ended before REFER was sent. */
  onUnsent(atMs: number): void {
    if (this.#move('REFUSED')) this.#tell(481, 'the call ended before REFER was sent', true, atMs);
  }

  /** Nobody waits for its reports any more. */
  stop(): void {
    if (this.state !== 'OVER') this.#move('STOPPED');
    this.#stopTimer();
  }

  #wait(ms: number): void {
    const { wheel, clock } = this.#call.agent.layer;
    wheel.set(this, clock() + ms);
  }

  #stopTimer(): void {
    this.#call.agent.layer.wheel.clear(this);
  }

  #tell(status: number, reason: string, final: boolean, atMs: number): void {
    this.#call.events.onReferProgress?.(status, reason, final, atMs);
  }

  #move(event: ReferralEvent): boolean {
    const next = takeStep('referral', REFERRAL.transitions, this.state, event);
    if (next === null) return false;
    this.state = next;
    if (next === 'OVER') this.#call.within?.onUsageOver();
    return true;
  }
}
