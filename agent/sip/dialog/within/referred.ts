/**
 * An accepted REFER of the peer: notifies the peer of the progress of the call that our owner places (RFC 3515, 2.4.4
 * to 2.4.7).
 */
import { takeStep } from '../../../steps.ts';
import { Timed } from '../../timer-wheel.ts';
import type { DialogCall } from './dialog-call.ts';
import { Exchange, type ExchangeUser } from './exchange.ts';
import { SIPFRAG, statusFragment } from './sipfrag.ts';
import { REFERRED, type ReferredEvent, type ReferredState } from './within-tables.ts';

/** The time for which a call may ring, and the way there. */
const LIFE_SECONDS = 240;

export class Referred extends Timed implements ExchangeUser {
  state: ReferredState = REFERRED.initial;
  readonly #call: DialogCall;
  /** `Event: refer;id=93809823`: of more than one REFER in a dialog (2.4.6). */
  readonly #event: string;
  readonly #endsAtMs: number;

  /** After the 202: the first NOTIFY follows immediately (2.4.4). */
  constructor(call: DialogCall, cseq: number) {
    super();
    const { wheel, clock } = call.agent.layer;
    this.#call = call;
    this.#event = `Event: refer;id=${cseq}\r\n`;
    this.#endsAtMs = clock() + LIFE_SECONDS * 1000;
    wheel.set(this, this.#endsAtMs);
    this.#notify(100, 'Trying', this.#activeState());
  }

  get isOver(): boolean {
    return this.state === 'OVER';
  }

  tell(status: number, reason: string): void {
    if (status >= 200) this.#last(status, reason, 'noresource');
    else if (this.#move('PROGRESS')) this.#notify(status, reason, this.#activeState());
  }

  override onDue(): void {
    if (this.#move('LIMIT')) this.#notify(408, 'Request Timeout', 'terminated;reason=timeout');
  }

  /** A peer that refuses a NOTIFY has no such subscription (any more) (RFC 6665, 4.2.2). */
  onFinal(_exchange: Exchange, status: number): void {
    if (status >= 300 && this.#move('UNWANTED')) this.#call.agent.layer.wheel.clear(this);
  }

  stop(): void {
    if (this.state !== 'OVER') this.#move('STOPPED');
    this.#call.agent.layer.wheel.clear(this);
  }

  #last(status: number, reason: string, why: string): void {
    if (!this.#move('LAST')) return;
    this.#call.agent.layer.wheel.clear(this);
    this.#notify(status, reason, `terminated;reason=${why}`);
  }

  #activeState(): string {
    const seconds = Math.ceil((this.#endsAtMs - this.#call.agent.layer.clock()) / 1000);
    return `active;expires=${Math.max(0, seconds)}`;
  }

  #notify(status: number, reason: string, state: string): void {
    const lines = `${this.#call.agent.headers.contact}${this.#event}Subscription-State: ${state}\r\n`;
    const body = statusFragment(status, reason);
    const notify = { method: 'NOTIFY', lines, contentType: SIPFRAG, body };
    this.#call.opened.exchange(new Exchange(this.#call, notify, this));
  }

  #move(event: ReferredEvent): boolean {
    const next = takeStep('referred', REFERRED.transitions, this.state, event);
    if (next === null) return false;
    this.state = next;
    if (next === 'OVER') this.#call.within?.onUsageOver();
    return true;
  }
}
