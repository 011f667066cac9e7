/**
 * In-dialog activities besides INVITE and BYE. Created on demand, so that other calls do not carry it. What belongs to the
 * session ends with the call; a subscription of REFER is a usage of the dialog of its own (RFC 5057, 4.1).
 */
import { parseUri } from '../../message/uri.ts';
import { Later } from '../later.ts';
import type { DialogCall, DialogParts, QueuedExchange } from './dialog-call.ts';
import { Exchange, type ExchangeUser } from './exchange.ts';
import { Referral } from './referral.ts';
import type { Referred } from './referred.ts';
import { SessionChange } from './session-change.ts';
import { SessionTimer } from './session-timer.ts';

export class WithinDialog implements DialogParts, ExchangeUser {
  /** Our re-INVITE or UPDATE that is under way. */
  change: SessionChange | null = null;
  timer: SessionTimer | null = null;
  referral: Referral | null = null;
  referred: Referred | null = null;
  readonly #call: DialogCall;
  /** Begins when `change` has ended. */
  #next: SessionChange | null = null;
  /** The first is under way. */
  readonly #exchanges: QueuedExchange[] = [];

  constructor(call: DialogCall) {
    this.#call = call;
  }

  /** A requested change waits for a refresh, but not for another requested change. */
  changeSession(offer: string, method: 'INVITE' | 'UPDATE'): void {
    if (this.#next === null && this.change?.isRefresh !== false) {
      this.#begin(new SessionChange(this.#call, method, offer, false));
    } else {
      this.#later((atMs) => {
        this.#call.events.onSessionRefused?.(491, 'a change of the session is already in progress', atMs);
      });
    }
  }

  refresh(method: 'INVITE' | 'UPDATE'): boolean {
    if (this.change !== null) return false;
    this.#begin(new SessionChange(this.#call, method, method === 'UPDATE' ? '' : this.#call.localSdp, true));
    return true;
  }

  onChanged(): void {
    this.change = null;
    const next = this.#next;
    this.#next = null;
    if (next !== null) this.#begin(next);
  }

  sendInfo(contentType: string, body: string): void {
    this.exchange(new Exchange(this.#call, { method: 'INFO', contentType, body }, this));
  }

  /** Takes the final response to an INFO. */
  onFinal(_exchange: Exchange, status: number, _reason: string, atMs: number): void {
    this.#call.events.onInfoAnswered?.(status, atMs);
  }

  refer(targetUri: string): void {
    if (typeof parseUri(targetUri) === 'string')
      this.#refuseReferral(416, `not a URI that can be called: ${targetUri}`);
    else if (this.referral?.isPending) this.#refuseReferral(491, 'a REFER is already in progress');
    else {
      this.referral?.stop();
      this.referral = new Referral(this.#call, targetUri);
    }
  }

  exchange(exchange: QueuedExchange): void {
    this.#exchanges.push(exchange);
    if (this.#exchanges.length === 1) exchange.start();
  }

  onExchanged(): void {
    this.#exchanges.shift();
    this.#exchanges[0]?.start();
    this.onUsageOver();
  }

  /** The agreed interval; `weRefresh` null: there is none any more. */
  agree(seconds: number, weRefresh: boolean | null): void {
    // An ended one is not restarted, although our answer may promise an interval again.
    if (weRefresh !== null && (this.timer === null || this.timer.state === 'OVER'))
      this.timer = new SessionTimer(this.#call);
    this.timer?.agree(seconds, weRefresh);
  }

  /** The call has ended: REFER, if it was sent, and NOTIFY go on. */
  endSession(): void {
    this.change?.stop();
    this.timer?.stop();
    this.change = null;
    this.#next = null;
    const [first] = this.#exchanges;
    for (const exchange of this.#exchanges.splice(0)) {
      if (exchange.method === 'NOTIFY' || (exchange.method === 'REFER' && exchange.isBegun))
        this.#exchanges.push(exchange);
      else this.#drop(exchange);
    }
    if (this.#exchanges[0] !== first) this.#exchanges[0]?.start();
  }

  /** A subscription, or a request of one, uses the dialog. */
  get isUsed(): boolean {
    return this.#exchanges.length > 0 || this.referral?.isOver === false || this.referred?.isOver === false;
  }

  onUsageOver(): void {
    if (this.#call.state === 'ENDED' && !this.isUsed) this.#call.leaveDialog();
  }

  /** The owner wants no more reports, and gives none: the peer is told so. */
  leave(): void {
    this.referral?.stop();
    this.referred?.tell(487, 'Request Terminated');
  }

  /** The engine closes. */
  end(): void {
    this.endSession();
    for (const exchange of this.#exchanges.splice(0)) exchange.stop();
    this.referral?.stop();
    this.referred?.stop();
  }

  #drop(exchange: QueuedExchange): void {
    exchange.stop();
    const { referral } = this;
    if (exchange.method === 'REFER') new Later(this.#call.agent.layer, (atMs) => referral?.onUnsent(atMs));
  }

  #begin(change: SessionChange): void {
    if (this.change !== null) {
      this.#next = change;
      return;
    }
    this.change = change;
    change.start();
  }

  #refuseReferral(status: number, reason: string): void {
    this.#later((atMs) => {
      this.#call.events.onReferProgress?.(status, reason, true, atMs);
    });
  }

  /** Not after the end of the call. */
  #later(tell: (atMs: number) => void): void {
    new Later(this.#call.agent.layer, (atMs) => {
      if (this.#call.state !== 'ENDED' && this.#call.state !== 'ENDING') tell(atMs);
    });
  }
}
