/** The caller's end: INVITE to answer, refusal or CANCEL (RFC 3261, 13.2 and 9.1; digest: 22). */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Authorization } from '../digest/authorization.ts';
import type { CallEvents, SipFailure, SipTarget } from '../engine.ts';
import { requestText } from '../message/build.ts';
import { cancelText } from '../message/derived.ts';
import { parseMessage } from '../message/parse.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientTransaction } from '../transaction/client-transaction.ts';
import type { Flow, Party, SendResult } from '../transport/outbox.ts';
import { type Hop, Route } from '../transport/route.ts';
import { BaseCall } from './base-call.ts';
import type { CallAgent } from './call-agent.ts';
import type { CallState } from './call-tables.ts';
import { Dialog } from './dialog.ts';
import { ackTo2xx, retryAfter, unsent } from './dialog-request.ts';
import { EarlyDialog, type ForkingCall } from './early-dialog.ts';
import { Redirects } from './redirects.ts';
import { RELIABLE, requiresOption } from './reliable-responses.ts';
import { extensionLines, minSeOf } from './session-expires.ts';

/** A peer that answers from ever new forks must not fill our memory, nor have us send to wherever he likes. */
const MOST_FORKS = 64;
/** To one target: a server that challenges each INVITE, or finds each too short, would keep us calling for ever. */
const MOST_INVITES = 8;

export class OutgoingCall extends BaseCall implements Flow, ForkingCall {
  readonly party: Party;
  private hop: Hop;
  /** Whom we call; a redirect makes it another than To's. */
  private targetUri: string;
  private readonly from: string;
  private identity: string;
  private invite: ClientTransaction | null = null;
  private cseq = 0;
  /** Sent to the present target. */
  private invites = 0;
  /** Requests of forks that have not answered find the call. */
  private attached = false;
  /** Of forks that were needed; the INVITE's next transaction begins without. */
  private earlyDialogs: EarlyDialog[] | null = null;
  private redirects: Redirects | null = null;
  /** The peer's Min-SE, of a 422. */
  private minSeconds = 0;
  private inviteTold = false;
  /** Credentials of the last INVITE, as header lines: its ACK carries the same. */
  private credentials = '';
  /** Sent again for every repetition of the 2xx. */
  private ack = '';
  /** The ringing limit made us CANCEL, not the user. */
  private rangTooLong = false;
  /** A failure before anything was sent, told with the next turn: `invite` has to return first. */
  private deferred: SipFailure | null = null;

  /** `targetUri` is a checked URI in wire text, `hop` where it goes. */
  constructor(agent: CallAgent, targetUri: string, hop: Hop, offer: string, events: CallEvents) {
    super('OUTGOING', agent, agent.identifiers.callId(), agent.identifiers.tag(), offer, events);
    this.party = agent;
    this.hop = hop;
    this.targetUri = targetUri;
    this.from = `${agent.fromValue};tag=${this.localTag}`;
    this.identity = `${agent.routeLine}From: ${this.from}\r\nTo: <${targetUri}>\r\nCall-ID: ${this.callId}\r\n`;
  }

  /** After a failover, and for what follows of this call, the server that the last INVITE went to. */
  get target(): SipTarget {
    return this.hop instanceof Route ? this.hop.target : this.hop;
  }

  get route(): Route | null {
    return this.hop instanceof Route ? this.hop : null;
  }

  start(): void {
    this.sendInvite();
  }

  /** Ends a call that cannot be sent at all. */
  refuse(failure: SipFailure): void {
    this.deferred = failure;
    this.agent.layer.wheel.set(this, failure.atMs);
  }

  override hangUp(): void {
    if (this.deferred === null) super.hangUp();
  }

  override onDue(nowMs: number): void {
    if (this.deferred === null) super.onDue(nowMs);
    else if (this.move('NO_RESPONSE')) this.events.onFailed(this.deferred);
  }

  override onRequestSent(transaction: ClientTransaction, atMs: number): void {
    if (transaction.method !== 'INVITE') super.onRequestSent(transaction, atMs);
    else if (!this.inviteTold) {
      this.inviteTold = true;
      this.events.onInviteSent(atMs);
    }
  }

  /** A call that is given up is not offered to another server. */
  wantsAnother(transaction: ClientTransaction): boolean {
    return transaction !== this.invite || this.move('RETRY');
  }

  override onFailover(from: ClientTransaction, to: ClientTransaction, reason: string, atMs: number): void {
    if (from === this.invite) [this.invite, this.earlyDialogs] = [to, null];
    super.onFailover(from, to, reason, atMs);
  }

  protected override onHangUp(from: CallState): void {
    if (from === 'CONFIRMED') this.sendBye();
    else if (this.state === 'CANCELLING') this.sendCancel();
    else if (this.state === 'CANCEL_WANTED' && this.invite?.withdraw()) {
      const reason = 'given up before its server was found';
      this.refuse({ kind: 'CANCELLED', status: null, reason, atMs: this.agent.layer.clock() });
    }
  }

  protected override onLimit(from: CallState, nowMs: number): void {
    if (from === 'PROCEEDING') {
      this.rangTooLong = true;
      this.sendCancel();
      return;
    }
    this.invite?.abandon();
    this.fail({ kind: 'CANCELLED', status: null, reason: 'no final response within 32 s of the CANCEL', atMs: nowMs });
  }

  protected override onInviteResponse(response: SipMessage, atMs: number, repeated: boolean): void {
    const status = response.status;
    if (status < 200) this.onProvisional(response, atMs);
    else if (status >= 300) this.onRefused(response, atMs);
    else if (repeated && this.dialog?.remoteTag === response.toTag) this.acknowledge(true);
    else if (this.dialog === null && this.state !== 'ENDED') this.onSuccess(response, atMs);
    else if (repeated) this.agent.lateAnswers.onResponse(this.invite as ClientTransaction, response, atMs, true);
    else this.drop(response);
  }

  onRepeatedProvisional(transaction: ClientTransaction): void {
    if (transaction === this.invite && this.state === 'PROCEEDING') this.move('PROVISIONAL');
  }

  protected override onInviteUnanswered(failure: SipFailure): void {
    if (this.redirects !== null && this.retriesElsewhere(null)) return;
    if (this.move('NO_RESPONSE')) this.fail(failure);
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
    return this.earlyDialog(dialog.remoteTag)?.isSettled ?? false;
  }

  override dialogWith(remoteTag: string): Dialog | null {
    if (this.dialog !== null) return super.dialogWith(remoteTag);
    const early = this.earlyDialog(remoteTag);
    if (early !== null) return early.dialog;
    // Most forks never need a dialog before the answer: it is made of what they said when they ask for it.
    for (const text of this.invite?.provisionalTexts ?? []) {
      const response = parseMessage(text);
      if (response !== null && response.status > 100 && response.toTag === remoteTag && remoteTag !== '')
        return this.openEarlyDialog(response)?.dialog ?? null;
    }
    return null;
  }

  override sessionOf(dialog: Dialog): { localSdp: string } {
    return this.dialog === null ? (this.earlyDialog(dialog.remoteTag) ?? this) : this;
  }

  authorizeAgain(response: SipMessage, first: boolean): Authorization | null {
    return this.authorizeAnew(response, first) === null ? this.authorization : null;
  }

  private sendInvite(): void {
    const { headers, layer, signalling } = this.agent;
    const place = layer.reserve();
    const branch = layer.branchOf(place);
    this.cseq++;
    this.invites++;
    this.earlyDialogs = null;
    this.credentials = this.authorization?.headers('INVITE', this.targetUri, this.localSdp) ?? '';
    const lines = this.credentials + extensionLines(signalling, this.minSeconds, headers.session) + headers.invite;
    const text = requestText(
      'INVITE',
      this.targetUri,
      headers.via[this.target.transport],
      branch,
      this.identity,
      this.cseq,
      lines,
      this.localSdp,
    );
    const result = layer.request('INVITE', place, text, this, this);
    if (typeof result !== 'string') this.invite = result;
    else if (this.redirects === null || !this.retriesElsewhere(null))
      this.refuse(unsent(result, this.target.address, layer.clock()));
  }

  private onProvisional(response: SipMessage, atMs: number): void {
    const from = this.state;
    const { status, reason, toTag, body } = response;
    if (!this.move('PROVISIONAL')) return;
    if (from === 'CANCEL_WANTED') this.sendCancel();
    if (status > 100 && toTag !== '' && !this.attached) {
      this.attached = true;
      this.agent.attach(this);
    }
    const isReliable =
      this.agent.signalling.reliableProvisional !== 'NONE' && toTag !== '' && requiresOption(response, RELIABLE);
    if (isReliable) {
      const early = this.earlyDialog(toTag) ?? this.openEarlyDialog(response);
      if (early?.receive(response, this.cseq, atMs) === false) this.hangUp();
      return;
    }
    this.events.onProvisional(status, reason, atMs, body);
    // 199: the fork is over (RFC 6228).
    if (status === 199) this.earlyDialogs = this.earlyDialogs?.filter((one) => one.dialog.remoteTag !== toTag) ?? null;
    else if (body !== '' && this.localSdp !== '' && status > 100 && !this.earlyDialog(toTag)?.isSettled)
      this.events.onEarlyMedia?.(this.localSdp, body, false, atMs);
  }

  /** Our answer to a delayed offer; null: it cannot be used. */
  answerTo(offer: string): string | null {
    const answer = this.events.onDelayedOffer?.(offer) ?? '';
    return isSdpFault(answer) ? null : answer;
  }

  private earlyDialog(remoteTag: string): EarlyDialog | null {
    return this.earlyDialogs?.find(({ dialog }) => dialog.remoteTag === remoteTag) ?? null;
  }

  /** Null: there are too many. */
  private openEarlyDialog(response: SipMessage): EarlyDialog | null {
    this.earlyDialogs ??= [];
    if (this.earlyDialogs.length === MOST_FORKS) return null;
    const early = new EarlyDialog(this, this.dialogOf(response, this.cseq), this.localSdp);
    this.earlyDialogs.push(early);
    return early;
  }

  private onRefused(response: SipMessage, atMs: number): void {
    const { status, reason } = response;
    let refusal: string | null = null;
    if (this.retriesElsewhere(response) || (status === 422 && this.retriesLonger(response))) return;
    if ((status === 401 || status === 407) && (this.state === 'INVITING' || this.state === 'PROCEEDING')) {
      refusal = this.invites < MOST_INVITES ? this.authorize(response) : `to ${MOST_INVITES} INVITEs`;
      if (refusal === null && this.move('CHALLENGE')) {
        this.sendInvite();
        return;
      }
    }
    const from = this.state;
    if (!this.move('FAILURE')) return;
    // 487 is the answer to our CANCEL; any other status crossed it, and says what the peer decided.
    const cancelled = status === 487 && (from === 'CANCELLING' || from === 'CANCEL_WANTED');
    const redirects = Redirects.follows(status) ? this.redirects : null;
    refusal ??= redirects?.problem ?? null;
    this.fail({
      kind: cancelled ? 'CANCELLED' : redirects?.isForbidden ? 'POLICY' : 'STATUS',
      status,
      reason: refusal === null ? reason : `${reason} (${refusal})`,
      atMs,
      ...(status === 503 && retryAfter(response)),
    });
  }

  /** A redirect, or the failure of a target that one named: the next target (RFC 3261, 8.1.3.4). */
  private retriesElsewhere(response: SipMessage | null): boolean {
    const most = this.agent.signalling.maxRedirects;
    const status = response?.status ?? 0;
    const isRedirect = response !== null && Redirects.follows(status);
    if (most === 0 || status >= 600 || (!isRedirect && this.redirects === null)) return false;
    if (status === 401 || status === 407 || (this.state !== 'INVITING' && this.state !== 'PROCEEDING')) return false;
    this.redirects ??= new Redirects(this.agent, this.targetUri, most);
    if (isRedirect) this.redirects.add(response);
    const next = this.redirects.next(this.targetUri);
    if (next === null || !this.move('RETRY')) return false;
    const { routeLine } = this.agent;
    this.identity = (next.route || routeLine) + this.identity.slice(this.identity.indexOf('From: '));
    this.targetUri = next.requestUri;
    this.hop = next.hop;
    this.agent.speak(this.target.transport);
    // Another server has challenges of its own, and none of the first one's business.
    this.authorization = null;
    this.invites = 0;
    this.sendInvite();
    return true;
  }

  /** 422: the session may not be that short (RFC 4028, 7.4). */
  private retriesLonger(response: SipMessage): boolean {
    const least = minSeOf(response);
    if (this.agent.signalling.sessionTimer === null || least <= this.minSeconds) return false;
    if (this.invites === MOST_INVITES || !this.move('RETRY')) return false;
    this.minSeconds = least;
    this.sendInvite();
    return true;
  }

  private onSuccess(response: SipMessage, atMs: number): void {
    if (this.state !== 'INVITING' && this.state !== 'PROCEEDING') {
      this.dropLate(response, atMs);
      return;
    }
    const early = this.earlyDialog(response.toTag);
    const dialog = this.dialogOf(response, early === null ? this.cseq : early.dialog.localCseq);
    const settled = early?.isSettled ? early : null;
    if (early !== null) dialog.remoteCseq = early.dialog.remoteCseq;
    const isOffer = settled === null && this.localSdp === '' && response.body !== '';
    const answer = isOffer ? this.answerTo(response.body) : '';
    this.dialog = dialog;
    this.authorization?.learn(response);
    this.ack = ackTo2xx(this.agent, dialog, this.cseq, this.credentials, answer ?? '');
    const result = this.acknowledge(false);
    if (result !== 'QUEUED') {
      if (this.move('NO_RESPONSE')) this.fail(unsent(result, dialog.target.address, atMs));
      return;
    }
    if (!this.attached) this.agent.attach(this);
    this.move('SUCCESS');
    this.answered = true;
    this.keepTime(response, atMs, null);
    if (settled !== null) {
      this.localSdp = settled.localSdp;
      // Another fork may have been followed last.
      if ((this.earlyDialogs as EarlyDialog[]).length > 1) settled.tell(atMs);
    } else if (answer !== null && answer !== '') {
      this.localSdp = answer;
    }
    this.events.onAnswered(atMs, response.status, response.reason, settled === null ? response.body : '');
    if (answer === null) this.hangUp();
  }

  /** A 2xx that crossed our CANCEL (RFC 3261, 15): the peer has a dialog, we have none. */
  private dropLate(response: SipMessage, atMs: number): void {
    if (!this.move('SUCCESS')) return;
    this.drop(response);
    this.fail({
      kind: 'CANCELLED',
      status: response.status,
      reason: 'answered when the CANCEL was under way; hung up',
      atMs,
    });
  }

  /** A fork that nobody wants any more: acknowledged and hung up. */
  private drop(response: SipMessage): void {
    const cseq = this.earlyDialog(response.toTag)?.dialog.localCseq ?? response.cseq;
    this.agent.lateAnswers.drop(this.invite as ClientTransaction, response, cseq);
  }

  private acknowledge(repeated: boolean): SendResult {
    return this.agent.layer.failover.acknowledge(this.dialog as Dialog, this.ack, repeated);
  }

  private dialogOf(response: SipMessage, cseq: number): Dialog {
    const local = { tag: this.localTag, cseq };
    return Dialog.ofCaller(response, this.party, this.callId, this.from, local, this.targetUri, this.target);
  }

  /**
   * Behind the call's end a 2xx may still come again; the call itself need not stay in memory for it, unless forks have
   * numbers of their own.
   */
  protected override release(): void {
    if (this.earlyDialogs === null && this.invite?.state === 'ACCEPTED') this.invite.handOver(this.agent.lateAnswers);
  }

  private sendCancel(): void {
    const invite = this.invite;
    if (invite === null || invite.request === '') return;
    this.agent.layer.request('CANCEL', invite, cancelText(invite.request), invite, this);
  }

  private fail(failure: SipFailure): void {
    if (!this.rangTooLong || failure.kind !== 'CANCELLED') this.events.onFailed(failure);
    else this.events.onFailed({ ...failure, kind: 'TIMEOUT', reason: 'no final response within 200 s of ringing' });
  }
}
