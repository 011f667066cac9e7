/** The caller's end: INVITE to answer, refusal or CANCEL (RFC 3261, 13.2 and 9.1; digest: 22). */
import type { CallEvents, SipFailure, SipTarget } from '../engine.ts';
import { requestText } from '../message/build.ts';
import { cancelText } from '../message/derived.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientTransaction } from '../transaction/client-transaction.ts';
import type { Flow, Party, SendResult } from '../transport/outbox.ts';
import { BaseCall } from './base-call.ts';
import type { CallAgent } from './call-agent.ts';
import type { CallState } from './call-tables.ts';
import { Dialog } from './dialog.ts';
import { ackTo2xx, unsent } from './dialog-request.ts';

export class OutgoingCall extends BaseCall implements Flow {
  readonly party: Party;
  readonly target: SipTarget;
  private readonly targetUri: string;
  private readonly from: string;
  private readonly identity: string;
  private invite: ClientTransaction | null = null;
  private cseq = 0;
  private inviteTold = false;
  /** Credentials of the last INVITE, as header lines: its ACK carries the same. */
  private credentials = '';
  /** Sent again for every repetition of the 2xx. */
  private ack = '';
  /** The ringing limit made us CANCEL, not the user. */
  private rangTooLong = false;
  /** A failure before anything was sent, told with the next turn: `invite` has to return first. */
  private deferred: SipFailure | null = null;

  /** `targetUri` is a checked URI in wire text, `hop` the resolved address it goes to. */
  constructor(agent: CallAgent, targetUri: string, hop: SipTarget, offer: string, events: CallEvents) {
    super('OUTGOING', agent, agent.identifiers.callId(), agent.identifiers.tag(), offer, events);
    this.party = agent;
    this.target = hop;
    this.targetUri = targetUri;
    this.from = `${agent.fromValue};tag=${this.localTag}`;
    this.identity = `${agent.routeLine}From: ${this.from}\r\nTo: <${targetUri}>\r\nCall-ID: ${this.callId}\r\n`;
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

  protected override onHangUp(from: CallState): void {
    if (from === 'CONFIRMED') this.sendBye();
    else if (this.state === 'CANCELLING') this.sendCancel();
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
    else if (this.dialog === null) this.onSuccess(response, atMs);
    else this.agent.lateAnswers.onResponse(this.invite as ClientTransaction, response, atMs, repeated);
  }

  protected override onInviteUnanswered(failure: SipFailure): void {
    if (this.move('NO_RESPONSE')) this.fail(failure);
  }

  protected override onAcknowledged(): void {
    return;
  }

  protected override onPeerBye(): void {
    this.end('REMOTE', this.agent.layer.clock());
  }

  private sendInvite(): void {
    const { headers, layer } = this.agent;
    const place = layer.reserve();
    const branch = layer.branchOf(place);
    this.cseq++;
    this.credentials = this.authorization?.headers('INVITE', this.targetUri, this.localSdp) ?? '';
    const lines = this.credentials + headers.session + headers.invite;
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
    if (typeof result === 'string') this.refuse(unsent(result, this.target.address, layer.clock()));
    else this.invite = result;
  }

  private onProvisional(response: SipMessage, atMs: number): void {
    const from = this.state;
    if (!this.move('PROVISIONAL')) return;
    if (from === 'CANCEL_WANTED') this.sendCancel();
    this.events.onProvisional(response.status, response.reason, atMs, response.body);
  }

  private onRefused(response: SipMessage, atMs: number): void {
    const { status, reason } = response;
    let refusal: string | null = null;
    if ((status === 401 || status === 407) && (this.state === 'INVITING' || this.state === 'PROCEEDING')) {
      refusal = this.authorize(response);
      if (refusal === null && this.move('CHALLENGE')) {
        this.sendInvite();
        return;
      }
    }
    const from = this.state;
    if (!this.move('FAILURE')) return;
    // 487 is the answer to our CANCEL; any other status crossed it, and says what the peer decided.
    const cancelled = status === 487 && (from === 'CANCELLING' || from === 'CANCEL_WANTED');
    this.fail({
      kind: cancelled ? 'CANCELLED' : 'STATUS',
      status,
      reason: refusal === null ? reason : `${reason} (${refusal})`,
      atMs,
    });
  }

  private onSuccess(response: SipMessage, atMs: number): void {
    if (this.state !== 'INVITING' && this.state !== 'PROCEEDING') {
      this.dropLate(response, atMs);
      return;
    }
    const dialog = this.dialogOf(response);
    this.dialog = dialog;
    this.ack = ackTo2xx(this.agent, dialog, this.cseq, this.credentials);
    const result = this.acknowledge(false);
    if (result !== 'QUEUED') {
      if (this.move('NO_RESPONSE')) this.fail(unsent(result, dialog.target.address, atMs));
      return;
    }
    this.agent.attach(this);
    this.move('SUCCESS');
    this.answered = true;
    this.keepTime(response, atMs, false);
    this.events.onAnswered(atMs, response.status, response.reason, response.body);
  }

  /** A 2xx that crossed our CANCEL (RFC 3261, 15): the peer has a dialog, we have none. */
  private dropLate(response: SipMessage, atMs: number): void {
    if (!this.move('SUCCESS')) return;
    this.agent.lateAnswers.drop(this, response);
    this.fail({
      kind: 'CANCELLED',
      status: response.status,
      reason: 'answered when the CANCEL was under way; hung up',
      atMs,
    });
  }

  private acknowledge(repeated: boolean): SendResult {
    return this.agent.layer.outbox.sendRequest(this.dialog as Dialog, 'ACK', this.ack, repeated, null);
  }

  private dialogOf(response: SipMessage): Dialog {
    const local = { tag: this.localTag, cseq: this.cseq };
    return Dialog.ofCaller(
      response,
      this.party,
      this.callId,
      this.from,
      local,
      this.targetUri,
      this.agent.nextHop?.[0] ?? this.target,
    );
  }

  /** Behind the call's end a 2xx may still come again; the call itself need not stay in memory for it. */
  protected override release(): void {
    if (this.invite?.state === 'ACCEPTED') this.invite.handOver(this.agent.lateAnswers);
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
