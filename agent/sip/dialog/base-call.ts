/**
 * What both ends of a call have in common: the machine's steps, the limits of its states, and everything after the
 * answer: ACK and BYE from either side, the end.
 */

import { countRefused } from '../../steps.ts';
import { Authorization } from '../digest/authorization.ts';
import type { ByeDetails, Call, CallEvents, Explanation, SipFailure } from '../engine.ts';
import { explanationOf } from '../message/explanation.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { headerText } from '../message/wire-text.ts';
import { Timed } from '../timer-wheel.ts';
import type { ClientUser, NoResponse, SentRequest } from '../transaction/client-user.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { CallAgent } from './call-agent.ts';
import { CALL_ROWS, type CallEvent, type CallRow, type CallState } from './call-tables.ts';
import type { CallIdentity, Dialog } from './dialog.ts';
import { sendInDialog } from './dialog-request.ts';
import type { LateAnswers } from './late-answers.ts';
import type { DialogCall } from './within/dialog-call.ts';
import { MIN_SESSION_SECONDS, sessionExpiresOf } from './within/session-expires.ts';
import { WithinDialog } from './within/within-dialog.ts';

/** The user agent, as its calls know it. */
export interface CallKeeper extends CallAgent {
  /** Takes 2xx responses that no call wants. */
  readonly lateAnswers: LateAnswers;
  /** Requests that carry the call's tag find it from now on. */
  attach(call: BaseCall): void;
  /** The call is over. */
  detach(call: BaseCall): void;
}

export abstract class BaseCall extends Timed implements Call, ClientUser, DialogCall {
  readonly direction: 'OUTGOING' | 'INCOMING';
  readonly agent: CallKeeper;
  readonly callId: string;
  readonly localTag: string;
  events: CallEvents;
  #row: CallRow;
  dialog: Dialog | null = null;
  localSdp: string;
  /** We offered it in a 2xx to a re-INVITE without an offer; the answer comes in the ACK. */
  awaitsAnswer = false;
  /** Only OpenCalls writes these two. */
  nextOpen: BaseCall | null = null;
  previousOpen: BaseCall | null = null;
  authorization: Authorization | null = null;
  within: WithinDialog | null = null;
  /** The user was told that the call was answered. */
  protected answered = false;
  /** When our BYE was written, or the peer's received; 0: neither. */
  #byeAtMs = 0;
  /** What the peer's BYE says of its reason. */
  protected explanation: Explanation | null = null;
  /** The peer's BYE crossed ours: the result of ours says nothing about the peer. */
  #byesCrossed = false;

  constructor(
    direction: 'OUTGOING' | 'INCOMING',
    agent: CallKeeper,
    { callId, localTag }: CallIdentity,
    localSdp: string,
    events: CallEvents,
  ) {
    super();
    this.direction = direction;
    this.agent = agent;
    this.callId = callId;
    this.localTag = localTag;
    this.localSdp = localSdp;
    this.events = events;
    this.#row = CALL_ROWS[direction].initial;
  }

  get state(): CallState {
    return this.#row.state;
  }

  /** The owner of its messages. */
  get owner(): CallKeeper {
    return this.agent;
  }

  /** The far end's own tag is `to-tag` there (RFC 3891, 3). */
  get replacesValue(): string {
    const { dialog, callId, localTag } = this;
    return dialog === null ? '' : `${callId};to-tag=${dialog.remoteTag};from-tag=${localTag}`;
  }

  /** HANG_UP was taken; `from` is the state it was taken in. */
  protected abstract onHangUp(from: CallState): void;

  /** The limit of the state `from` has passed, and the machine has moved on. */
  protected abstract onLimit(from: CallState, nowMs: number): void;

  protected abstract onInviteResponse(response: SipMessage, atMs: number, repeated: boolean): void;

  /** No response to INVITE. */
  protected abstract onInviteUnanswered(failure: SipFailure): void;

  /** The first ACK to our 2xx to the first INVITE. */
  protected abstract onAcknowledged(ack: SipMessage, atMs: number): void;

  /** The peer's BYE ended the call, `from` is the state it was in. */
  protected abstract onPeerBye(from: CallState, atMs: number): void;

  /** The INVITE is not answered finally. */
  get isEarly(): boolean {
    return false;
  }

  /** Before that: offer and answer were exchanged reliably, so that the session may be changed (RFC 3311, 5.2). */
  isEarlySessionSettled(_dialog: Dialog): boolean {
    return false;
  }

  /** The dialog that a request with this From tag is in: the call's, or of a caller an early one. */
  dialogWith(remoteTag: string): Dialog | null {
    return this.dialog?.remoteTag === remoteTag ? this.dialog : null;
  }

  /** The store of the dialog's session. */
  sessionOf(_dialog: Dialog): { localSdp: string } {
    return this;
  }

  /** An acknowledgement of a provisional response; none was sent reliably. */
  receivePrack(transaction: ServerTransaction, _prack: SipMessage, _atMs: number): void {
    transaction.respond(481, 'Call/Transaction Does Not Exist', this.agent.headers.response, '');
  }

  /** The call has ended: remaining tasks are passed on. */
  protected release(): void {
    return;
  }

  hangUp(): void {
    const from = this.state;
    if (this.move('HANG_UP')) this.onHangUp(from);
  }

  changeSession(offer: string, method: 'INVITE' | 'UPDATE'): void {
    if (!this.#isOver) this.opened.changeSession(offer, method);
  }

  sendInfo(contentType: string, body: string): void {
    if (this.dialog !== null && !this.#isOver) this.opened.sendInfo(headerText(contentType), body);
  }

  refer(targetUri: string): void {
    if (this.dialog !== null && !this.#isOver) this.opened.refer(headerText(targetUri));
  }

  notifyRefer(status: number, reason: string): void {
    this.within?.referred?.tell(status, reason);
  }

  /** The user agent closes: nothing is reported any more. */
  leave(events: CallEvents): void {
    this.events = events;
    this.hangUp();
    this.within?.leave();
  }

  leaveDialog(): void {
    this.agent.detach(this);
  }

  get opened(): WithinDialog {
    this.within ??= new WithinDialog(this);
    return this.within;
  }

  get #isOver(): boolean {
    return this.state === 'ENDING' || this.state === 'ENDED';
  }

  dialogForChange(method: 'INVITE' | 'UPDATE'): Dialog | null {
    if (this.state === 'CONFIRMED' || this.state === 'ANSWERED') return this.dialog;
    const { dialog } = this;
    if (dialog === null || method === 'INVITE' || !this.isEarly) return null;
    return this.isEarlySessionSettled(dialog) ? dialog : null;
  }

  mustWait(method: 'INVITE' | 'UPDATE', offer: string): boolean {
    if (method === 'INVITE') return this.state !== 'CONFIRMED' || this.dialog?.unacknowledged !== null;
    return offer !== '' && (this.awaitsAnswer || this.state === 'ANSWERED');
  }

  /** Our offer waits for the peer's answer. */
  get hasOfferOpen(): boolean {
    const change = this.within?.change ?? null;
    return this.awaitsAnswer || (change?.isPending === true && change.hasOffer);
  }

  /** Our re-INVITE, or our offer, waits for an answer. */
  get hasInviteOpen(): boolean {
    const change = this.within?.change ?? null;
    return change?.isPending === true && (change.method === 'INVITE' || change.hasOffer);
  }

  keepTime(response: SipMessage, atMs: number, refreshesAlone: boolean | null): void {
    if (this.agent.signalling.sessionTimer === null && this.within?.timer == null) return;
    const expires = sessionExpiresOf(response);
    if (expires !== null)
      this.opened.agree(Math.max(expires.seconds, MIN_SESSION_SECONDS), expires.refresher !== 'UAS');
    else this.within?.agree(0, null);
    if (refreshesAlone !== null && expires !== null) {
      this.events.onSessionRefreshed?.('LOCAL', atMs, refreshesAlone);
    }
  }

  /** The peer's BYE; the caller of this has answered it. */
  receiveBye(bye: SipMessage, atMs: number): void {
    const from = this.state;
    this.explanation ??= explanationOf(bye);
    this.#byesCrossed = from === 'ENDING';
    if (!this.move('BYE')) return;
    this.#byeAtMs = atMs;
    this.onPeerBye(from, atMs);
  }

  /** An ACK to our 2xx; repetitions have no effect. */
  receiveAck(ack: SipMessage, atMs: number): void {
    const pending = this.dialog?.unacknowledged ?? null;
    if (this.dialog === null || pending === null || pending.cseq !== ack.cseq) return;
    pending.stop();
    this.dialog.unacknowledged = null;
    if (!this.answered) {
      this.onAcknowledged(ack, atMs);
    } else if (this.awaitsAnswer) {
      this.awaitsAnswer = false;
      const { sdp } = ack;
      if (sdp === '') this.events.onOfferUnanswered?.(atMs);
      else this.events.onSessionChanged?.(this.localSdp, sdp, 'LOCAL', atMs, 'PEER');
    }
  }

  /** Our 2xx to a re-INVITE was not acknowledged: the dialog is hung up (RFC 3261, 14.2). */
  onNoAck(_atMs: number): void {
    if (this.dialog !== null) this.dialog.unacknowledged = null;
    if (this.move('NO_ACK')) this.sendBye();
  }

  onRequestSent(transaction: SentRequest, atMs: number): void {
    if (transaction.method === 'BYE' && this.#byeAtMs === 0) this.#byeAtMs = atMs;
  }

  onResponse(transaction: SentRequest, response: SipMessage, atMs: number, repeated: boolean): void {
    if (transaction.method === 'INVITE') this.onInviteResponse(response, atMs, repeated);
    else if (transaction.method === 'BYE' && response.status >= 200) this.#onByeResponse(response, atMs);
  }

  onLocated(_transaction: SentRequest, tookMs: number): void {
    this.events.onLocated?.(tookMs);
  }

  onConnectionWait(_transaction: SentRequest, waitedMs: number): void {
    this.events.onConnectionWait?.(waitedMs);
  }

  onSentByUdp({ method }: SentRequest, reason: string, atMs: number): void {
    this.events.onSentByUdp?.(method, reason, atMs);
  }

  /** Another server's challenge does not mean that this one refused. */
  onFailover(from: SentRequest, to: SentRequest, reason: string, atMs: number): void {
    this.authorization?.begin();
    this.events.onFailover?.(to.method, from.target, to.target, reason, atMs);
  }

  onNoResponse(transaction: SentRequest, kind: NoResponse, reason: string, atMs: number): void {
    if (transaction.method === 'INVITE') this.onInviteUnanswered({ kind, status: null, reason, atMs });
    else if (transaction.method === 'BYE' && this.move('NO_RESPONSE'))
      this.#endUnanswered(atMs, kind === 'POLICY' ? '' : reason);
  }

  override onDue(nowMs: number): void {
    const from = this.state;
    if (this.move('LIMIT')) this.onLimit(from, nowMs);
  }

  /** The engine closes: the call ends in its current state. */
  abort(atMs: number): void {
    this.within?.end();
    if (this.state === 'ENDED') return;
    this.#row = CALL_ROWS[this.direction].ended;
    if (this.answered) this.#endUnanswered(atMs, '');
    else this.events.onFailed({ kind: 'TRANSPORT', status: null, reason: 'the engine was closed', atMs });
  }

  /** Takes the step if the machine knows it. The end takes the call out of the dialogs, unless a subscription uses its dialog. */
  protected move(event: CallEvent): boolean {
    const row = this.#row.next[event];
    if (row === undefined) {
      countRefused('call', this.#row.state, event);
      return false;
    }
    const begins = row !== this.#row || row.limitRestarts;
    this.#row = row;
    if (begins) this.setLimit();
    const next = row.state;
    if (this.within !== null && (next === 'ENDING' || next === 'ENDED')) this.within.endSession();
    if (next === 'ENDED') {
      this.dialog?.unacknowledged?.stop();
      if (!this.within?.isUsed) this.agent.detach(this);
      this.release();
    }
    return true;
  }

  /** Starts the timer of the current state. */
  protected setLimit(): void {
    const { wheel, clock } = this.agent.layer;
    const { limitMs } = this.#row;
    if (limitMs === 0) wheel.clear(this);
    else wheel.set(this, clock() + limitMs);
  }

  protected sendBye(): void {
    this.authorization?.begin();
    this.#sendByeOnce();
  }

  /** `byeStatus`: of the response to our BYE. */
  protected end(by: 'LOCAL' | 'REMOTE', endedAtMs: number, byeStatus = 0): void {
    const byeAtMs = this.#byeAtMs === 0 ? endedAtMs : this.#byeAtMs;
    this.events.onEnded(by, byeAtMs, endedAtMs, this.#byeDetails(byeStatus, ''));
  }

  /**
   * Our BYE was not answered, or could not be sent; `why` '': the answer is no longer awaited, or the policy forbids
   * it.
   */
  #endUnanswered(atMs: number, why: string): void {
    const byeAtMs = this.#byeAtMs === 0 ? atMs : this.#byeAtMs;
    this.events.onEnded('LOCAL', byeAtMs, Number.NaN, this.#byeDetails(0, why));
  }

  #byeDetails(byeStatus: number, unanswered: string): ByeDetails {
    const { explanation } = this;
    return this.#byesCrossed ? { byeStatus: 0, unanswered: '', explanation } : { byeStatus, unanswered, explanation };
  }

  authorizeAnew(response: SipMessage, first: boolean): string | null {
    if (first) this.authorization?.begin();
    return this.authorize(response);
  }

  /** Handles a challenge; null: send again with credentials; otherwise the reason why not. */
  protected authorize(response: SipMessage): string | null {
    this.authorization ??= new Authorization(this.agent.credentials);
    return this.authorization.accept(response);
  }

  #sendByeOnce(): void {
    const { agent, authorization } = this;
    const result = sendInDialog(agent, this.dialog as Dialog, this, {
      method: 'BYE',
      authorization,
      lines: agent.headers.bye,
    });
    if (typeof result === 'string' && this.move('NO_RESPONSE'))
      this.#endUnanswered(this.agent.layer.clock(), result === 'POLICY' ? '' : 'BYE could not be sent');
  }

  #onByeResponse(response: SipMessage, atMs: number): void {
    const challenged = response.status === 401 || response.status === 407;
    if (challenged && this.authorize(response) === null && this.move('CHALLENGE')) this.#sendByeOnce();
    else if (this.move('BYE_ANSWERED')) this.end('LOCAL', atMs, response.status);
  }
}
