/** The callee's end: from the INVITE to the ACK (RFC 3261, 13.3, 9.2 and 15.1.2). */

import { isSdpFault, type SdpFault, sdpFault } from '@carillon/media/sdp/session-description.ts';
import {
  type CallEvents,
  CORRELATION_HEADER,
  type Explanation,
  type IncomingCall,
  type SipFailure,
} from '../engine.ts';
import { explanationOf } from '../message/explanation.ts';
import { uriAt } from '../message/name-address.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { headerText } from '../message/wire-text.ts';
import type { Arrival } from '../transaction/arrival.ts';
import type { ServerTransaction, ServerUser } from '../transaction/server-transaction.ts';
import { AnswerRepeater } from './answer-repeater.ts';
import { BaseCall, type CallKeeper } from './base-call.ts';
import type { CallState } from './call-tables.ts';
import { Dialog } from './dialog.ts';
import { knowsOption, RELIABLE, ReliableResponses } from './reliable-responses.ts';
import { SILENCE } from './silence.ts';
import { StrayDialog } from './stray-dialog.ts';
import { warningLine } from './warning.ts';
import { describeSession } from './within/describe.ts';
import { type ServerTerms, serverLines } from './within/session-expires.ts';

const CORRELATION = CORRELATION_HEADER.toLowerCase();

const REDIRECTIONS = {
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Moved Temporarily',
  305: 'Use Proxy',
} as const;

/** What an INVITE asks for: the peer's Contact, a session timer, the call that it replaces. */
export type InviteTerms = {
  readonly contact: string;
  readonly terms: ServerTerms | null;
  readonly replaces: BaseCall | null;
};

type RefusedInvite = {
  readonly kind: 'STATUS' | 'CANCELLED' | 'TIMEOUT';
  readonly status: number;
  readonly reason: string;
  readonly atMs?: number;
  readonly explanation?: Explanation | null;
};

const TERMINATED = { kind: 'CANCELLED', status: 487, reason: 'Request Terminated' } as const;

export class ReceivedCall extends BaseCall implements IncomingCall, ServerUser {
  readonly fromUri: string;
  readonly correlation: string;
  readonly requestUri: string;
  readonly receivedAtMs: number;
  readonly body: string;
  replaces: BaseCall | null;
  readonly #transaction: ServerTransaction;
  readonly #cseq: number;
  /** Record-Route lines of the INVITE: responses that create the dialog repeat them (12.1.1). */
  readonly #recordRoutes: string;
  /** Null: 100rel is not used. */
  readonly #reliable: ReliableResponses | null;
  /** Status of the last 180 or 183. */
  #progressed = 0;
  /** A reliable response has described the session: the 2xx need not. */
  #described = false;
  /** The agreed session timer; null: none. */
  readonly #terms: ServerTerms | null;
  #begun = false;
  /** The call ended before the handler returned its events. */
  #early: SipFailure | null = null;

  /** `transaction` has sent nothing yet. */
  constructor(
    agent: CallKeeper,
    arrival: Arrival,
    transaction: ServerTransaction,
    { contact, terms, replaces }: InviteTerms,
  ) {
    const { request } = arrival;
    super('INCOMING', agent, transaction, '', SILENCE);
    this.#transaction = transaction;
    this.#cseq = request.cseq;
    this.fromUri = uriAt(request.text, request.fromAt, request.fromEnd) ?? '';
    this.correlation = request.header(CORRELATION) ?? '';
    this.requestUri = request.requestUri;
    this.receivedAtMs = arrival.atMs;
    this.body = request.sdp;
    this.#recordRoutes = request.hasRecordRoute ? recordRoutesOf(request) : '';
    // Our proxy that forwarded it, at its listening port; otherwise the sender.
    const { source } = arrival;
    const proxy = agent.nextHop?.find(({ address }) => address === source.address);
    this.dialog = Dialog.ofCallee(request, this, contact, source, proxy);
    this.#terms = terms;
    this.replaces = replaces;
    const { reliableProvisional } = agent.signalling;
    this.#reliable =
      reliableProvisional !== 'NONE' && knowsOption(request, RELIABLE)
        ? new ReliableResponses(agent.layer, transaction, request.cseq, this)
        : null;
    transaction.user = this;
    this.setLimit();
  }

  /** After the handler: null means that no endpoint takes the call. */
  begin(events: CallEvents | null): void {
    this.#begun = true;
    if (events === null) {
      this.reject(480, 'Temporarily Unavailable');
      return;
    }
    this.events = events;
    if (this.#early !== null) events.onFailed(this.#early);
  }

  override get isEarly(): boolean {
    return this.state === 'RECEIVED' || this.state === 'RINGING' || this.state === 'ANSWER_WANTED';
  }

  override isEarlySessionSettled(): boolean {
    return this.#described && this.#reliable?.isDescribing === false;
  }

  ring(): void {
    if (this.#progressed !== 180) this.progress(180, '');
  }

  progress(status: 180 | 183, body: string): void {
    if (!this.move('RING')) return;
    this.#progressed = status;
    const reason = status === 180 ? 'Ringing' : 'Session Progress';
    // A reliable description is sent once; our offer must not be sent unreliably (RFC 3261, 13.2.1).
    if (this.#reliable === null) {
      this.#transaction.respond(status, reason, this.#dialogHeaders(), this.body === '' ? '' : body);
      return;
    }
    const describes = body !== '' && !this.#described;
    if (describes) {
      this.#described = true;
      this.localSdp = body;
    }
    this.#reliable.send(status, reason, this.#dialogHeaders(), describes ? body : '');
  }

  answer(body: string): void {
    if (this.#reliable?.isDescribing) {
      this.move('ANSWER_LATER');
      return;
    }
    if (!this.move('ANSWER')) return;
    if (!this.#described) this.localSdp = body;
    this.#sendAnswer();
  }

  /** PRACK (RFC 3262, 3 and 5); it may answer our offer, or have one. */
  override receivePrack(transaction: ServerTransaction, prack: SipMessage, atMs: number): void {
    const { response } = this.agent.headers;
    const reliable = this.#reliable;
    const prackSdp = prack.sdp;
    const rack = prack.header('rack');
    if (reliable === null || rack === null || !reliable.isAwaited(rack)) {
      transaction.respond(481, 'Call/Transaction Does Not Exist', response, '');
      return;
    }
    const answersUs = this.body === '' && reliable.isUnderWay;
    if (answersUs && prackSdp === '') {
      transaction.respond(400, 'Bad Request (the answer to our offer is missing)', response, '');
      return;
    }
    const offer = answersUs ? '' : prackSdp;
    if (offer !== '') {
      const described = this.#described ? describeSession(this.events, this.localSdp, offer) : null;
      if (described === null || isSdpFault(described)) {
        // A PRACK that matches our response always gets a 2xx (RFC 3262, 3): the INVITE is refused instead.
        transaction.respond(200, 'OK', response, '');
        this.#refuseOffer(described ?? sdpFault('MISMATCH', 'an offer in PRACK before the answer to the first one'));
        return;
      }
      this.localSdp = described;
    }
    transaction.respond(200, 'OK', response, offer === '' ? '' : this.localSdp);
    const remote = answersUs ? prackSdp : this.body;
    if (reliable.acknowledge()) this.events.onEarlyMedia?.(this.localSdp, remote, true, atMs);
    if (offer !== '') this.events.onSessionChanged?.(this.localSdp, offer, 'REMOTE', atMs, 'PEER');
    if (!reliable.isDescribing && this.move('PRACKED')) this.#sendAnswer();
  }

  #refuseOffer(fault: SdpFault): void {
    if (!this.move('REJECT')) return;
    const lines = `${warningLine(fault)}\r\n`;
    this.#transaction.respond(488, 'Not Acceptable Here', lines + this.agent.headers.response, '');
    this.#fail({ kind: 'STATUS', status: 488, reason: fault.reason, atMs: this.agent.layer.clock() });
  }

  onNoPrack(atMs: number): void {
    if (!this.move('NO_PRACK')) return;
    this.#transaction.respond(504, 'Server Time-out', this.agent.headers.response, '');
    this.#fail({ kind: 'TIMEOUT', status: 504, reason: 'no PRACK to our provisional response within 32 s', atMs });
  }

  reject(status: number, reason: string, fault: SdpFault | null = null): void {
    const code = status >= 300 && status <= 699 ? status : 500;
    const lines = fault === null ? '' : `${warningLine(fault)}\r\n`;
    if (this.move('REJECT')) this.#refuse({ kind: 'STATUS', status: code, reason: headerText(reason) }, lines);
  }

  redirect(status: 300 | 301 | 302 | 305, contacts: readonly string[]): void {
    if (!this.move('REJECT')) return;
    const lines = contacts.map((contact) => `Contact: <${headerText(contact)}>\r\n`).join('');
    this.#refuse({ kind: 'STATUS', status, reason: REDIRECTIONS[status] }, lines);
  }

  onCancel(cancel: SipMessage, atMs: number): void {
    if (this.move('CANCEL')) this.#refuse({ ...TERMINATED, atMs, explanation: explanationOf(cancel) });
  }

  override onNoAck(atMs: number): void {
    if (this.answered) {
      super.onNoAck(atMs);
    } else if (this.move('NO_ACK')) {
      new StrayDialog(this.agent, this.dialog as Dialog, '', this.authorization).hangUp();
      this.#fail({ kind: 'TIMEOUT', status: null, reason: 'no ACK to our 200 within 32 s', atMs });
    }
  }

  protected override onHangUp(from: CallState): void {
    if (from === 'CONFIRMED') this.sendBye();
    else if (this.state === 'ENDED') this.#refuse({ kind: 'STATUS', status: 603, reason: 'Decline' });
  }

  protected override onLimit(_from: CallState, nowMs: number): void {
    this.#refuse({ kind: 'TIMEOUT', status: 480, reason: 'Temporarily Unavailable', atMs: nowMs });
  }

  protected override onAcknowledged(ack: SipMessage, atMs: number): void {
    // A hang-up within `confirm` has its BYE sent by that.
    const byeIsDue = this.state === 'HANG_UP_WANTED';
    if (!this.move('ACK')) return;
    this.#confirm(ack.sdp, atMs);
    if (byeIsDue) this.sendBye();
  }

  protected override onPeerBye(from: CallState, atMs: number): void {
    if (from === 'RECEIVED' || from === 'RINGING' || from === 'ANSWER_WANTED') {
      this.#refuse({ ...TERMINATED, atMs, explanation: this.explanation });
      return;
    }
    // A peer that hangs up has seen our 2xx: its ACK was lost or arrives after its BYE.
    if (!this.answered) this.#confirm('', atMs);
    this.end('REMOTE', this.agent.layer.clock());
  }

  override get hasOfferOpen(): boolean {
    return super.hasOfferOpen || (this.state === 'ANSWERED' && this.body === '' && !this.#described);
  }

  protected override onInviteResponse(): void {
    return;
  }

  protected override onInviteUnanswered(): void {
    return;
  }

  /** The peer's description is in the INVITE, or, for a delayed offer, in the ACK. */
  #confirm(ackBody: string, atMs: number): void {
    this.answered = true;
    this.events.onAnswered(atMs, 200, 'OK', ackBody === '' ? this.body : ackBody);
  }

  #sendAnswer(): void {
    this.#reliable?.stop();
    const terms = this.#terms;
    const headers = terms === null ? this.#dialogHeaders() : serverLines(terms) + this.#dialogHeaders();
    this.#transaction.respond(200, 'OK', headers, this.#described ? '' : this.localSdp);
    if (terms !== null) this.opened.agree(terms.seconds, terms.refresher === 'UAS');
    (this.dialog as Dialog).unacknowledged = new AnswerRepeater(this.agent.layer, this.#transaction, this.#cseq, this);
    // This call replaces the other: BYE, or CANCEL if we were calling (RFC 3891, 3).
    this.replaces?.hangUp();
  }

  protected override release(): void {
    // A chain of replaced calls must not stay in memory with the last one.
    this.replaces = null;
    this.#reliable?.stop();
  }

  /** `lines` are header lines of the response. Without an instant, it is now. */
  #refuse({ kind, status, reason, atMs, explanation = null }: RefusedInvite, lines = ''): void {
    this.#transaction.respond(status, reason, lines + this.agent.headers.response, '');
    this.#fail({ kind, status, reason, atMs: atMs ?? this.agent.layer.clock(), explanation });
  }

  #fail(failure: SipFailure): void {
    if (this.#begun) this.events.onFailed(failure);
    else this.#early = failure;
  }

  #dialogHeaders(): string {
    return this.#recordRoutes + this.agent.headers.answer;
  }
}

const recordRoutesOf = (request: SipMessage): string =>
  request
    .headerLines('record-route')
    .map((route) => `Record-Route: ${route}\r\n`)
    .join('');
