/**
 * A change of the session that we want, or a refresh: re-INVITE (RFC 3261, 14.1) or UPDATE (RFC 3311). The session stays as
 * it was unless a 2xx comes.
 */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import { offerBehind } from '@carillon/media/sdp/version.ts';
import { takeStep } from '../../../steps.ts';
import type { SessionAsker } from '../../engine.ts';
import { cancelText } from '../../message/derived.ts';
import { explainedReason } from '../../message/explanation.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { Timed } from '../../timer-wheel.ts';
import type { ClientUser, SentRequest } from '../../transaction/client-user.ts';
import type { CallAgent } from '../call-agent.ts';
import type { Dialog } from '../dialog.ts';
import { ackTo2xx, sendInDialog, unsent } from '../dialog-request.ts';
import { describeSession } from './describe.ts';
import type { DialogCall } from './dialog-call.ts';
import { minSeOf } from './session-expires.ts';
import { CHANGE_LIMITS_MS, type ChangeEvent, type ChangeState, SESSION_CHANGE } from './within-tables.ts';

/** Peers that both want to change the session part by the next round or two; a peer that always says 491 is believed in the end. */
const MAX_GLARES = 5;
/** A limit for a 422 that asks for more each time. */
const MAX_TOO_SHORT = 5;

/** How long to wait after a 491, in milliseconds: the owner of the Call-ID 2.1 to 4 s, the other end up to 2 s, in steps of 10 ms (RFC 3261, 14.1). */
export const glareWaitMs = (ownsCallId: boolean, random: number): number =>
  ownsCallId ? 2100 + 10 * Math.floor(random * 191) : 10 * Math.floor(random * 201);

/** RFC 3261, 12.2.1.2; no response at all counts as 408. */
const isDialogLost = (status: number): boolean => status === 408 || status === 481;

export class SessionChange extends Timed implements ClientUser {
  readonly isRefresh: boolean;
  state: ChangeState = SESSION_CHANGE.initial;
  /** Our offer; '': none (UPDATE), or the peer offers (re-INVITE). */
  offer: string;
  /** Null: the call is over. The transaction may still bring a 2xx that wants its ACK. */
  #call: DialogCall | null;
  readonly #agent: CallAgent;
  readonly method: 'INVITE' | 'UPDATE';
  #dialog: Dialog | null = null;
  #transaction: SentRequest | null = null;
  #cseq = 0;
  #credentials = '';
  #ack = '';
  #challenged = false;
  #glares = 0;
  #tooShort = 0;

  constructor(call: DialogCall, method: 'INVITE' | 'UPDATE', offer: string, isRefresh: boolean) {
    super();
    this.#call = call;
    this.#agent = call.agent;
    this.method = method;
    this.offer = offer;
    this.isRefresh = isRefresh;
  }

  /** The peer is asked to agree to something: our offer, or its own in the 2xx to an INVITE without one. */
  get hasOffer(): boolean {
    return this.offer !== '' || this.method === 'INVITE';
  }

  get #askedBy(): SessionAsker {
    return this.isRefresh ? 'TIMER' : 'OWNER';
  }

  /** The peer has not yet answered our offer or re-INVITE. */
  get isPending(): boolean {
    return this.state === 'SENT' || this.state === 'CANCELLING';
  }

  /** Sends it with the turn that follows: the caller has returned by then. */
  start(): void {
    this.#agent.layer.wheel.set(this, this.#agent.layer.clock());
  }

  /** The call ends. A re-INVITE that rings is waited for no longer than a BYE. */
  stop(): void {
    const { wheel, clock } = this.#agent.layer;
    this.#call = null;
    if (this.isPending) wheel.set(this, clock() + CHANGE_LIMITS_MS.CANCELLING);
    else wheel.clear(this);
  }

  override onDue(nowMs: number): void {
    const call = this.#call;
    if (call === null) {
      this.#transaction?.abandon();
    } else if (this.state === 'SENT') {
      if (this.#move('LIMIT')) this.#cancel();
    } else if (this.state === 'CANCELLING') {
      if (!this.#move('LIMIT')) return;
      this.#transaction?.abandon();
      this.#refuse(408, 'no final response within 32 s of the CANCEL', nowMs);
    } else {
      this.#attempt(call, nowMs);
    }
  }

  onRequestSent(): void {
    return;
  }

  onResponse(transaction: SentRequest, response: SipMessage, atMs: number, repeated: boolean): void {
    const call = this.#call;
    if (transaction.method === 'CANCEL') return;
    const isSuccess = response.status >= 200 && response.status < 300;
    if (isSuccess && (repeated || call === null)) {
      if (this.method === 'INVITE') this.#acknowledge(this.#dialog as Dialog, repeated);
    } else if (call !== null) {
      if (response.status < 200) this.#onProvisional();
      else if (isSuccess) this.#onSuccess(call, response, atMs);
      else this.#onRefused(call, response, atMs);
    }
  }

  onRepeatedProvisional(transaction: SentRequest): void {
    if (this.#call !== null && transaction === this.#transaction) this.#onProvisional();
  }

  wantsAnother(): boolean {
    return this.#call !== null;
  }

  onFailover(from: SentRequest, to: SentRequest): void {
    if (from !== this.#transaction) return;
    this.#transaction = to;
    this.#challenged = false;
  }

  onNoResponse(transaction: SentRequest, kind: 'TIMEOUT' | 'TRANSPORT', reason: string, atMs: number): void {
    if (this.#call === null || transaction.method === 'CANCEL' || !this.#move('REFUSED')) return;
    this.#refuse(kind === 'TIMEOUT' ? 408 : 503, reason, atMs);
  }

  #attempt(call: DialogCall, nowMs: number): void {
    const dialog = call.dialogForChange(this.method);
    if (dialog === null) {
      this.#giveUp(481, 'the call is not in a state in which its session can be changed', nowMs);
    } else if (this.method === 'UPDATE' && dialog.peerUpdates === false) {
      this.#giveUp(405, "the peer's Allow has no UPDATE", nowMs);
    } else if (call.mustWait(this.method, this.offer)) {
      this.#glare(nowMs, 'the peer is changing the session');
    } else if (this.#move('SEND')) {
      this.#dialog = dialog;
      this.#send(call, dialog, nowMs);
    }
  }

  #send(call: DialogCall, dialog: Dialog, nowMs: number): void {
    const { method } = this;
    const agent = this.#agent;
    if (this.offer !== '' && !this.isRefresh) {
      const offer = offerBehind(call.localSdp, this.offer);
      if (typeof offer === 'string') this.offer = offer;
    }
    const timer = call.within?.timer?.requestLines() ?? '';
    this.#credentials = call.authorization?.headers(method, dialog.requestUri, this.offer) ?? '';
    const lines = this.#credentials + agent.headers.refresh + timer;
    const result = sendInDialog(agent, dialog, this, { method, authorization: null, lines, body: this.offer });
    if (typeof result !== 'string') {
      this.#transaction = result;
      this.#cseq = dialog.localCseq;
    } else if (this.#move('REFUSED')) {
      this.#refuse(result === 'POLICY' ? 403 : 503, unsent(result, dialog.target.address, nowMs).reason, nowMs);
    }
  }

  /** Timer B no longer runs from here on (RFC 3261, 17.1.1.2). */
  #onProvisional(): void {
    if (this.method !== 'INVITE' || !this.#move('PROVISIONAL')) return;
    this.#agent.layer.wheel.set(this, this.#agent.layer.clock() + CHANGE_LIMITS_MS.SENT);
  }

  #onSuccess(call: DialogCall, response: SipMessage, atMs: number): void {
    const dialog = this.#dialog as Dialog;
    const moved = this.#move('SUCCESS');
    const { sdp } = response;
    dialog.refresh(response);
    const delayed = moved && this.method === 'INVITE' && this.offer === '';
    const answer = delayed ? describeSession(call.events, call.localSdp, sdp) : '';
    if (this.method === 'INVITE') {
      const cseq = this.#cseq;
      const credentials = this.#credentials;
      this.#ack = ackTo2xx(this.#agent, dialog, { cseq, credentials, body: isSdpFault(answer) ? '' : answer });
      this.#acknowledge(dialog, false);
    }
    if (!moved) return;
    this.#over(call);
    call.keepTime(response, atMs, !this.hasOffer);
    if (isSdpFault(answer)) {
      // If no answer comes, its offer stays open forever: the call cannot continue (RFC 3261, 14.1 and 13.2.2.4).
      call.events.onSessionRefused?.(488, answer.reason, atMs);
      call.hangUp();
    } else if (delayed) {
      call.localSdp = answer;
      call.events.onSessionChanged?.(answer, sdp, 'REMOTE', atMs, this.#askedBy);
    } else if (this.offer !== '') {
      this.#onAnswer(call, sdp, atMs);
    }
  }

  #onAnswer(call: DialogCall, answer: string, atMs: number): void {
    if (answer === '') {
      if (!this.isRefresh) call.events.onSessionRefused?.(488, 'the 2xx has no answer to our offer', atMs);
      return;
    }
    call.localSdp = this.offer;
    call.events.onSessionChanged?.(this.offer, answer, 'LOCAL', atMs, this.#askedBy);
  }

  #onRefused(call: DialogCall, response: SipMessage, atMs: number): void {
    const { status, reason } = response;
    const dialog = this.#dialog as Dialog;
    if (status === 491) {
      this.#glare(atMs, reason);
    } else if ((status === 401 || status === 407) && this.state === 'SENT' && this.#authorize(call, response)) {
      if (this.#move('AGAIN')) this.#send(call, dialog, atMs);
    } else if (status === 422 && this.#tooShort++ < MAX_TOO_SHORT && call.within?.timer?.lengthen(minSeOf(response))) {
      if (this.#move('AGAIN')) this.#send(call, dialog, atMs);
    } else if (this.#move('REFUSED')) {
      if (this.method === 'UPDATE' && (status === 405 || status === 501)) dialog.peerUpdates = false;
      this.#refuse(status, explainedReason(response), atMs);
    }
  }

  #authorize(call: DialogCall, response: SipMessage): boolean {
    const first = !this.#challenged;
    this.#challenged = true;
    return call.authorizeAnew(response, first) === null;
  }

  #glare(nowMs: number, reason: string): void {
    if (++this.#glares > MAX_GLARES) {
      this.#giveUp(491, reason, nowMs);
      return;
    }
    if (!this.#move('GLARE')) {
      // The answer to what we were giving up already.
      this.#giveUp(491, reason, nowMs);
      return;
    }
    const { wheel, clock } = this.#agent.layer;
    const waitMs = glareWaitMs(this.#call?.direction === 'OUTGOING', this.#agent.identifiers.random());
    wheel.set(this, clock() + waitMs);
  }

  #giveUp(status: number, reason: string, atMs: number): void {
    if (this.#move('REFUSED')) this.#refuse(status, reason, atMs);
  }

  /** SETTLED without success. After a 408 or 481 the dialog is gone (RFC 3261, 12.2.1.2 and 14.1). */
  #refuse(status: number, reason: string, atMs: number): void {
    const call = this.#call as DialogCall;
    this.#over(call);
    try {
      if (!this.isRefresh) call.events.onSessionRefused?.(status, reason, atMs);
      else if (isDialogLost(status)) call.events.onSessionExpired?.(atMs);
      else call.within?.timer?.onRefused(status);
    } finally {
      if (isDialogLost(status)) call.hangUp();
    }
  }

  #over(call: DialogCall): void {
    this.#agent.layer.wheel.clear(this);
    call.within?.onChanged();
  }

  #cancel(): void {
    const { layer } = this.#agent;
    layer.wheel.set(this, layer.clock() + CHANGE_LIMITS_MS.CANCELLING);
    const transaction = this.#transaction;
    if (transaction === null || transaction.request === '') return;
    layer.request('CANCEL', transaction, cancelText(transaction.request), transaction, this);
  }

  /** Every 2xx to a re-INVITE, however often it comes, and after the call's end (RFC 3261, 13.2.2.4). */
  #acknowledge(dialog: Dialog, repeated: boolean): void {
    const cseq = this.#cseq;
    const credentials = this.#credentials;
    if (this.#ack === '') this.#ack = ackTo2xx(this.#agent, dialog, { cseq, credentials });
    this.#agent.layer.failover.acknowledge(dialog, this.#ack, repeated);
  }

  #move(event: ChangeEvent): boolean {
    const next = takeStep('session change', SESSION_CHANGE.transitions, this.state, event);
    if (next === null) return false;
    this.state = next;
    return true;
  }
}
