/**
 * A request within the dialog that does not change the session (INFO, REFER, NOTIFY), and its final response.
 * Challenges are answered. A call sends one at a time, so that they arrive in order.
 */
import type { SipMessage } from '../../message/sip-message.ts';
import { Timed } from '../../timer-wheel.ts';
import type { ClientUser, SentRequest } from '../../transaction/client-user.ts';
import type { Dialog } from '../dialog.ts';
import { sendInDialog, unsent } from '../dialog-request.ts';
import type { DialogCall, QueuedExchange } from './dialog-call.ts';

/**
 * Receives the final response; 408 if none came, 503 if the request could not be sent, 403 if the policy forbids it.
 */
export interface ExchangeUser {
  onFinal(exchange: Exchange, status: number, reason: string, atMs: number, response: SipMessage | null): void;
}

/** `lines` are header lines. */
export type ExchangeRequest = {
  readonly method: string;
  readonly lines?: string;
  readonly contentType?: string;
  readonly body?: string;
};

export class Exchange extends Timed implements ClientUser, QueuedExchange {
  readonly method: string;
  /** CSeq of the request as it was first sent: the id of a REFER's subscription (RFC 3515, 2.4.6). */
  cseq = 0;
  /** Null: the call is over, or the exchange is. */
  #call: DialogCall | null;
  readonly #lines: string;
  readonly #contentType: string;
  readonly #body: string;
  readonly #user: ExchangeUser;
  #challenged = false;
  isBegun = false;

  constructor(
    call: DialogCall,
    { method, lines = '', contentType = '', body = '' }: ExchangeRequest,
    user: ExchangeUser,
  ) {
    super();
    this.#call = call;
    this.method = method;
    this.#lines = lines;
    this.#contentType = contentType;
    this.#body = body;
    this.#user = user;
  }

  /** Sends it with the turn that follows: the caller has returned by then. */
  start(): void {
    const { wheel, clock } = (this.#call as DialogCall).agent.layer;
    wheel.set(this, clock());
  }

  stop(): void {
    this.#call?.agent.layer.wheel.clear(this);
    this.#call = null;
  }

  override onDue(nowMs: number): void {
    this.#send(nowMs);
  }

  onRequestSent(): void {
    return;
  }

  onResponse(_transaction: SentRequest, response: SipMessage, atMs: number): void {
    const call = this.#call;
    const { status } = response;
    if (call === null || status < 200) return;
    if ((status === 401 || status === 407) && call.authorizeAnew(response, !this.#challenged) === null) {
      this.#challenged = true;
      this.#send(atMs);
    } else {
      this.#finish(status, response.reason, atMs, response);
    }
  }

  /** Another server has its own challenges. */
  onFailover(): void {
    this.#challenged = false;
  }

  onNoResponse(_transaction: SentRequest, kind: 'TIMEOUT' | 'TRANSPORT', reason: string, atMs: number): void {
    if (this.#call !== null) this.#finish(kind === 'TIMEOUT' ? 408 : 503, reason, atMs, null);
  }

  #send(nowMs: number): void {
    const call = this.#call as DialogCall;
    const { agent, authorization } = call;
    const dialog = call.dialog as Dialog;
    this.isBegun = true;
    const { method } = this;
    const contentType = this.#contentType;
    const body = this.#body;
    const lines = this.#lines + agent.headers.plain;
    const result = sendInDialog(agent, dialog, this, { method, authorization, lines, body, contentType });
    if (typeof result === 'string') {
      this.#finish(result === 'POLICY' ? 403 : 503, unsent(result, dialog.target.address, nowMs).reason, nowMs, null);
    } else {
      this.cseq = dialog.localCseq;
    }
  }

  #finish(status: number, reason: string, atMs: number, response: SipMessage | null): void {
    const call = this.#call as DialogCall;
    this.#call = null;
    try {
      this.#user.onFinal(this, status, reason, atMs, response);
    } finally {
      // A subscription may end while the call continues (RFC 5057, 4.1); for other methods the dialog ends (12.2.1.2).
      if (this.method !== 'NOTIFY' && (status === 408 || status === 481)) call.hangUp();
      call.within?.onExchanged();
    }
  }
}
