/** The caller's end: INVITE to answer, refusal or CANCEL (RFC 3261, 13.2 and 9.1; digest: 22). */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import { Authorization } from '../digest/authorization.ts';
import type { CallEvents, SipFailure } from '../engine.ts';
import { cancelText } from '../message/derived.ts';
import { explanationAfter, explanationOf, type ProvisionalWord, provisionalWord } from '../message/explanation.ts';
import { lackOf } from '../message/lack.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { SentRequest } from '../transaction/client-user.ts';
import type { SendResult } from '../transport/send-queue.ts';
import { BaseCall, type CallKeeper } from './base-call.ts';
import type { CallState } from './call-tables.ts';
import type { Dialog } from './dialog.ts';
import { ackTo2xx, retryAfter, unsent } from './dialog-request.ts';
import type { EarlyDialog, ForkingCall } from './early-dialog.ts';
import { Forks } from './forks.ts';
import { type CallDestination, Invitation } from './invitation.ts';
import { LateAnswers } from './late-answers.ts';
import { Redirects } from './redirects.ts';
import { RELIABLE, requiresOption } from './reliable-responses.ts';
import { minSeOf } from './within/session-expires.ts';

export class OutgoingCall extends BaseCall implements ForkingCall {
  readonly #invitation: Invitation;
  #invite: SentRequest | null = null;
  /** Requests of forks that have not answered find the call. */
  #attached = false;
  /** The INVITE's next transaction starts without it. */
  #forks: Forks | null = null;
  #redirects: Redirects | null = null;
  #inviteTold = false;
  /** The number of the ACK, which is sent again for every repetition of the 2xx. Its text is made again, not kept. */
  #ackNumber = 0;
  #ackBody = '';
  /** What the last provisional response with an explanation says (RFC 6432, 4); null: none has one. */
  #said: ProvisionalWord | null = null;
  /** The ringing limit caused the CANCEL, not the user. */
  #rangTooLong = false;
  /** A failure before anything was sent, reported in the next turn: `invite` must return first. */
  #deferred: SipFailure | null = null;

  constructor(agent: CallKeeper, destination: CallDestination, offer: string, events: CallEvents) {
    super('OUTGOING', agent, { callId: agent.identifiers.callId(), localTag: agent.identifiers.tag() }, offer, events);
    this.#invitation = new Invitation(agent, this, destination);
    const { challenges, credentials } = agent;
    if (challenges !== null) this.authorization = new Authorization(credentials, challenges.to(destination.targetUri));
  }

  start(): void {
    this.#sendInvite();
  }

  /** Ends a call that cannot be sent at all. */
  refuse(failure: SipFailure): void {
    this.#deferred = failure;
    this.agent.layer.wheel.set(this, failure.atMs);
  }

  override hangUp(): void {
    if (this.#deferred === null) super.hangUp();
  }

  override onDue(nowMs: number): void {
    if (this.#deferred === null) super.onDue(nowMs);
    else if (this.move('NO_RESPONSE')) this.events.onFailed(this.#deferred);
  }

  override onRequestSent(transaction: SentRequest, atMs: number): void {
    if (transaction.method !== 'INVITE') super.onRequestSent(transaction, atMs);
    else if (!this.#inviteTold) {
      this.#inviteTold = true;
      this.events.onInviteSent(atMs);
    }
  }

  /** A call that is given up is not offered to another server. */
  wantsAnother(transaction: SentRequest): boolean {
    return transaction !== this.#invite || this.move('RETRY');
  }

  override onFailover(from: SentRequest, to: SentRequest, reason: string, atMs: number): void {
    if (from === this.#invite) {
      this.#invite = to;
      this.#forgetForks();
    }
    super.onFailover(from, to, reason, atMs);
  }

  protected override onHangUp(from: CallState): void {
    if (from === 'CONFIRMED') this.sendBye();
    else if (this.state === 'CANCELLING') this.#sendCancel();
    else if (this.state === 'CANCEL_WANTED' && this.#invite?.withdraw()) {
      const reason = 'cancelled before its server was found';
      this.refuse({ kind: 'CANCELLED', status: null, reason, atMs: this.agent.layer.clock() });
    }
  }

  protected override onLimit(from: CallState, nowMs: number): void {
    if (from === 'PROCEEDING') {
      this.#rangTooLong = true;
      this.#sendCancel();
      return;
    }
    this.#invite?.abandon();
    this.#fail({ kind: 'CANCELLED', status: null, reason: 'no final response within 32 s of the CANCEL', atMs: nowMs });
  }

  protected override onInviteResponse(response: SipMessage, atMs: number, repeated: boolean): void {
    const status = response.status;
    if (status < 200) this.#onProvisional(response, atMs);
    else if (status >= 300) this.#onRefused(response, atMs);
    else if (repeated && this.dialog?.remoteTag === response.toTag) this.#acknowledge(true);
    else if (this.dialog === null && this.state !== 'ENDED') this.#onSuccess(response, atMs);
    else if (repeated) this.#lateAnswers.onResponse(this.#invite as SentRequest, response, atMs, true);
    else this.#drop(response);
  }

  onRepeatedProvisional(transaction: SentRequest): void {
    if (transaction === this.#invite && this.state === 'PROCEEDING') this.move('PROVISIONAL');
  }

  protected override onInviteUnanswered(failure: SipFailure): void {
    if (this.#redirects !== null && this.#retriesElsewhere(null)) return;
    if (this.move('NO_RESPONSE')) this.#fail(failure);
  }

  protected override onAcknowledged(): void {
    return;
  }

  protected override onPeerBye(): void {
    this.end('REMOTE', this.agent.layer.clock());
  }

  override get isEarly(): boolean {
    return this.dialog === null && this.state !== 'ENDED';
  }

  override isEarlySessionSettled(dialog: Dialog): boolean {
    return this.#earlyDialog(dialog.remoteTag)?.isSettled ?? false;
  }

  override dialogWith(remoteTag: string): Dialog | null {
    if (this.dialog !== null) return super.dialogWith(remoteTag);
    this.#forks ??= this.#newForks();
    return this.#forks.openOf(this.#invite?.provisionalTexts ?? [], remoteTag, this.localSdp)?.dialog ?? null;
  }

  override sessionOf(dialog: Dialog): { localSdp: string } {
    return this.dialog === null ? (this.#earlyDialog(dialog.remoteTag) ?? this) : this;
  }

  authorizeAgain(response: SipMessage, first: boolean): Authorization | null {
    return this.authorizeAnew(response, first) === null ? this.authorization : null;
  }

  #sendInvite(): void {
    const invitation = this.#invitation;
    const { layer } = this.agent;
    const place = layer.reserve();
    this.#forgetForks();
    const text = invitation.compose(layer.branchOf(place), this.authorization, this.localSdp);
    const result = layer.request('INVITE', place, text, invitation, this);
    if (typeof result !== 'string') this.#invite = result;
    else if (this.#redirects === null || !this.#retriesElsewhere(null))
      this.refuse(unsent(result, invitation.target.address, layer.clock()));
  }

  #onProvisional(response: SipMessage, atMs: number): void {
    const from = this.state;
    const { status, reason, toTag, sdp: body } = response;
    if (!this.move('PROVISIONAL')) return;
    if (from === 'CANCEL_WANTED') this.#sendCancel();
    this.#said = provisionalWord(response, this.#said);
    if (status > 100 && toTag !== '' && !this.#attached) {
      this.#attached = true;
      this.agent.attach(this);
    }
    const isReliable =
      this.agent.signalling.reliableProvisional !== 'NONE' && toTag !== '' && requiresOption(response, RELIABLE);
    if (this.#forks?.isOver(toTag)) return;
    if (isReliable) {
      this.#forks ??= this.#newForks();
      if (this.#forks.open(response, this.localSdp)?.receive(response, this.#invitation.cseq, atMs) === false)
        this.hangUp();
    } else {
      this.events.onProvisional(status, reason, atMs, body);
      const describes = body !== '' && this.localSdp !== '' && status > 100 && status !== 199;
      if (describes && !this.#earlyDialog(toTag)?.isSettled)
        this.events.onEarlyMedia?.(this.localSdp, body, false, atMs);
    }
    if (status === 199) {
      this.#forks ??= this.#newForks();
      this.#forks.end(toTag);
    }
  }

  /** Our answer to a delayed offer; null: it cannot be used. */
  answerTo(offer: string): string | null {
    const answer = this.events.onDelayedOffer?.(offer) ?? '';
    return isSdpFault(answer) ? null : answer;
  }

  #earlyDialog(remoteTag: string): EarlyDialog | null {
    return this.#forks?.of(remoteTag) ?? null;
  }

  #newForks(): Forks {
    return new Forks(this, (response) => this.#invitation.dialogOf(response));
  }

  #forgetForks(): void {
    this.#said = null;
    this.#forks?.stop();
    this.#forks = null;
  }

  #onRefused(response: SipMessage, atMs: number): void {
    const { status, reason } = response;
    let refusal: string | null = null;
    if (this.#retriesElsewhere(response) || (status === 422 && this.#retriesLonger(response))) return;
    if ((status === 401 || status === 407) && (this.state === 'INVITING' || this.state === 'PROCEEDING')) {
      refusal = this.#invitation.mayBeSentAgain ? this.authorize(response) : this.#invitation.exhausted;
      if (refusal === null && this.move('CHALLENGE')) {
        this.#sendInvite();
        return;
      }
    }
    const from = this.state;
    if (!this.move('FAILURE')) return;
    // 487 is the answer to our CANCEL; any other status crossed it, and is the peer's decision.
    const cancelled = status === 487 && (from === 'CANCELLING' || from === 'CANCEL_WANTED');
    const redirects = Redirects.follows(status) ? this.#redirects : null;
    refusal ??= redirects?.problem ?? lackOf(response);
    this.#fail({
      kind: cancelled ? 'CANCELLED' : (redirects?.forbidden ?? 'STATUS'),
      status,
      reason: refusal === null ? reason : `${reason} (${refusal})`,
      atMs,
      ...(status === 503 && retryAfter(response)),
      explanation: explanationOf(response),
    });
  }

  /** A redirect, or the failure of a target that one named: the next target (RFC 3261, 8.1.3.4). */
  #retriesElsewhere(response: SipMessage | null): boolean {
    const most = this.agent.signalling.maxRedirects;
    const status = response?.status ?? 0;
    const isRedirect = response !== null && Redirects.follows(status);
    if (most === 0 || status >= 600 || (!isRedirect && this.#redirects === null)) return false;
    if (status === 401 || status === 407 || (this.state !== 'INVITING' && this.state !== 'PROCEEDING')) return false;
    this.#redirects ??= new Redirects(this.agent, this.#invitation.targetUri, most);
    if (isRedirect) this.#redirects.add(response);
    const next = this.#redirects.next(this.#invitation.targetUri);
    if (next === null || !this.move('RETRY')) return false;
    this.#invitation.redirect(next);
    // Another server has its own challenges, independent of the first one's.
    this.authorization = null;
    this.#sendInvite();
    return true;
  }

  /** 422: the session may not be that short (RFC 4028, 7.4). */
  #retriesLonger(response: SipMessage): boolean {
    if (!this.#invitation.lengthen(minSeOf(response)) || !this.move('RETRY')) return false;
    this.#sendInvite();
    return true;
  }

  #onSuccess(response: SipMessage, atMs: number): void {
    if (this.state !== 'INVITING' && this.state !== 'PROCEEDING') {
      this.#dropLate(response, atMs);
      return;
    }
    const early = this.#earlyDialog(response.toTag);
    const dialog = early?.dialog ?? this.#invitation.dialogOf(response);
    early?.dialog.confirm(response);
    const settled = early?.isSettled ? early : null;
    const { sdp } = response;
    const isOffer = settled === null && this.localSdp === '' && sdp !== '';
    const answer = isOffer ? this.answerTo(sdp) : '';
    this.dialog = dialog;
    this.authorization?.learn(response);
    this.#ackNumber = this.agent.identifiers.nextAck();
    this.#ackBody = answer ?? '';
    const result = this.#acknowledge(false);
    if (result !== 'QUEUED') {
      if (this.move('NO_RESPONSE')) this.#fail(unsent(result, dialog.target.address, atMs));
      return;
    }
    if (!this.#attached) this.agent.attach(this);
    this.move('SUCCESS');
    this.answered = true;
    this.keepTime(response, atMs, null);
    if (settled !== null) {
      this.localSdp = settled.localSdp;
      // Another fork may have been followed last.
      if (this.#forks?.several) settled.tell(atMs);
    } else if (answer !== null && answer !== '') {
      this.localSdp = answer;
    }
    this.events.onAnswered(atMs, response.status, response.reason, settled === null ? sdp : '');
    if (answer === null) this.hangUp();
  }

  /** A 2xx that crossed our CANCEL (RFC 3261, 15): the peer has a dialog, we have none. */
  #dropLate(response: SipMessage, atMs: number): void {
    if (!this.move('SUCCESS')) return;
    this.#drop(response);
    this.#fail({
      kind: 'CANCELLED',
      status: response.status,
      reason: 'answered while the CANCEL was in progress; hung up',
      atMs,
    });
  }

  /** A fork that is no longer needed: acknowledged and ended. */
  #drop(response: SipMessage): void {
    const early = this.#earlyDialog(response.toTag);
    early?.end();
    early?.dialog.confirm(response);
    this.#lateAnswers.drop(this.#invite as SentRequest, response, early?.dialog);
  }

  /** If the INVITE of the call had credentials, these late answers know them. */
  get #lateAnswers(): LateAnswers {
    const { agent, authorization } = this;
    const { credentials } = this.#invitation;
    return credentials === '' ? agent.lateAnswers : new LateAnswers(agent, authorization, credentials);
  }

  #acknowledge(repeated: boolean): SendResult {
    const { agent } = this;
    const ackBody = this.#ackBody;
    const { cseq, credentials } = this.#invitation;
    const dialog = this.dialog as Dialog;
    const branch = agent.identifiers.ackBranch(this.#ackNumber);
    return agent.layer.failover.acknowledge(
      dialog,
      ackTo2xx(agent, dialog, { cseq, credentials, body: ackBody, branch }),
      repeated,
    );
  }

  /**
   * After the call's end a 2xx may be repeated; the call need not stay in memory for it, unless forks have their own
   * numbers.
   */
  protected override release(): void {
    this.#forks?.stop();
    if (this.#forks === null && this.#invite?.state === 'ACCEPTED') this.#invite.handOver(this.#lateAnswers);
  }

  #sendCancel(): void {
    const invite = this.#invite;
    if (invite === null || invite.request === '') return;
    this.agent.layer.request('CANCEL', invite, cancelText(invite.request), invite, this);
  }

  #fail(failed: SipFailure): void {
    const said = this.#said;
    const failure =
      said === null ? failed : { ...failed, explanation: explanationAfter(said, failed.explanation ?? null) };
    if (!this.#rangTooLong || failure.kind !== 'CANCELLED') this.events.onFailed(failure);
    else this.events.onFailed({ ...failure, kind: 'TIMEOUT', reason: 'no final response within 200 s of ringing' });
  }
}
