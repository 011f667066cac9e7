/**
 * An early dialog of an INVITE that we sent (RFC 3261, 12.1), one per fork: created when a fork answers reliably (RFC
 * 3262, 4) or sends requests. It has its own sequence numbers and session, independent of other forks.
 */
import type { Authorization } from '../digest/authorization.ts';
import type { CallEvents } from '../engine.ts';
import { digits } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientUser, SentRequest } from '../transaction/client-user.ts';
import type { CallAgent } from './call-agent.ts';
import type { Dialog } from './dialog.ts';
import { sendInDialog } from './dialog-request.ts';

/** The INVITE's call. */
export interface ForkingCall {
  readonly agent: CallAgent;
  readonly events: CallEvents;
  /** Our answer to a delayed offer, '' without a handler; null: it cannot be used. */
  answerTo(offer: string): string | null;
  /** Null: no challenge so far. */
  readonly authorization: Authorization | null;
  /** Takes a 401 or 407, `first` of the request that it answers; null: sending again is of no use. */
  authorizeAgain(response: SipMessage, first: boolean): Authorization | null;
}

export class EarlyDialog implements ClientUser {
  readonly dialog: Dialog;
  /** Our description in this dialog; '': none. */
  localSdp: string;
  /** The peer's, once offer and answer were exchanged reliably; '' before. */
  remoteSdp = '';
  readonly #call: ForkingCall;
  #isChanged = false;
  /** The RSeq of the last reliable response; 0 before the first. */
  #rseq = 0;
  /** RAck line and body of the last PRACK. */
  #lines = '';
  #body = '';
  #prack: SentRequest | null = null;
  #challenged = false;
  #isOver = false;

  constructor(call: ForkingCall, dialog: Dialog, localSdp: string) {
    this.#call = call;
    this.dialog = dialog;
    this.localSdp = localSdp;
  }

  /** Offer and answer were exchanged reliably. */
  get isSettled(): boolean {
    return this.remoteSdp !== '';
  }

  /**
   * A reliable response: acknowledged if it is in order. Its first description answers our offer, or is an offer (5);
   * false: an offer that cannot be answered. `inviteCseq` is the INVITE's.
   */
  receive(response: SipMessage, inviteCseq: number, atMs: number): boolean {
    if (!this.#takes(response)) return true;
    const { status, reason, sdp: body } = response;
    const settles = body !== '' && !this.isSettled;
    const answer = settles && this.localSdp === '' ? this.#call.answerTo(body) : '';
    this.#acknowledge(inviteCseq, answer ?? '');
    this.#call.events.onProvisional(status, reason, atMs, body);
    if (!settles || answer === null) return answer !== null;
    this.remoteSdp = body;
    if (answer !== '') this.localSdp = answer;
    this.tell(atMs);
    return true;
  }

  /** A challenge of its PRACK is no longer answered. */
  end(): void {
    this.#isOver = true;
  }

  /** The peer's UPDATE was taken (RFC 3311). */
  change(offer: string, answer: string): void {
    this.localSdp = answer;
    this.remoteSdp = offer;
    this.#isChanged = true;
  }

  /** Reports the settled session. */
  tell(atMs: number): void {
    const { events } = this.#call;
    if (this.#isChanged) events.onSessionChanged?.(this.localSdp, this.remoteSdp, 'REMOTE', atMs, 'PEER');
    else events.onEarlyMedia?.(this.localSdp, this.remoteSdp, true, atMs);
  }

  onRequestSent(): void {
    return;
  }

  onResponse(transaction: SentRequest, response: SipMessage): void {
    const challenged = response.status === 401 || response.status === 407;
    // Only the last is retransmitted: a reliable response follows the PRACK of the previous one.
    if (!challenged || transaction !== this.#prack || this.#isOver) return;
    const first = !this.#challenged;
    this.#challenged = true;
    const authorization = this.#call.authorizeAgain(response, first);
    if (authorization !== null) this.#send(authorization);
  }

  /** Our PRACK is not answered: the peer gives up the INVITE, and reports it there. */
  onFailover(from: SentRequest, to: SentRequest): void {
    if (from !== this.#prack) return;
    this.#prack = to;
    this.#challenged = false;
  }

  onNoResponse(): void {
    return;
  }

  /**
   * Whether this is the next reliable response. Others are ignored: repeated, or one before is missing (RFC 3262, 4).
   */
  #takes(response: SipMessage): boolean {
    const text = response.header('rseq') ?? '';
    const rseq = digits(text, 0, text.length);
    if (rseq < 1 || (this.#rseq !== 0 && rseq !== this.#rseq + 1)) return false;
    this.#rseq = rseq;
    return true;
  }

  /** Acknowledges the last accepted response; `answer` is ours to an offer in it, or ''. */
  #acknowledge(inviteCseq: number, answer: string): void {
    this.#lines = `RAck: ${this.#rseq} ${inviteCseq} INVITE\r\n`;
    this.#body = answer;
    this.#challenged = false;
    this.#send(this.#call.authorization);
  }

  #send(authorization: Authorization | null): void {
    const { agent } = this.#call;
    const lines = this.#lines + agent.headers.plain;
    const result = sendInDialog(agent, this.dialog, this, { method: 'PRACK', authorization, lines, body: this.#body });
    this.#prack = typeof result === 'string' ? null : result;
  }
}
