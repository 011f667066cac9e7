/** An incoming call on a library's session. */
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import { SILENCE } from '../dialog/silence.ts';
import { warningLine } from '../dialog/warning.ts';
import { type CallEvents, CORRELATION_HEADER, type IncomingCall } from '../engine.ts';
import { explanationOf } from '../message/explanation.ts';
import { parseNameAddress } from '../message/name-address.ts';
import { reasonPhrase } from '../message/reason-phrase.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { headerText } from '../message/wire-text.ts';
import { type CallingAgent, type Leg, LibraryCall, type Outcome } from './library-call.ts';

export interface IncomingLeg extends Leg {
  /** `body` '' for none. */
  progress(status: 180 | 183, body: string): void;
  /** 200 with the description; its ACK is told to the call. */
  answer(body: string): void;
  refuse(status: number, reason: string, headers: readonly string[]): void;
}

export class LibraryCallee extends LibraryCall<IncomingLeg> implements IncomingCall {
  readonly direction = 'INCOMING';
  readonly callId: string;
  readonly fromUri: string;
  readonly requestUri: string;
  readonly receivedAtMs: number;
  readonly correlation: string;
  readonly body: string;
  protected readonly leg: IncomingLeg;
  #isAnswered = false;
  #isRinging = false;
  /** To be hung up once the ACK is there. */
  #isGivenUp = false;

  constructor(agent: CallingAgent, source: SipMessage, atMs: number, legOf: (call: LibraryCallee) => IncomingLeg) {
    super(agent, SILENCE);
    this.callId = source.callId;
    this.fromUri = parseNameAddress(source.from)?.uri ?? '';
    this.requestUri = source.requestUri;
    this.correlation = source.header(CORRELATION_HEADER.toLowerCase()) ?? '';
    this.body = source.sdp;
    this.receivedAtMs = atMs;
    this.leg = legOf(this);
    agent.attach(this);
  }

  /** After the handler: null means that no endpoint takes the call. */
  begin(events: CallEvents | null): void {
    if (events === null) this.reject(480, 'Temporarily Unavailable');
    else this.events = events;
  }

  ring(): void {
    if (!this.#isRinging) this.progress(180, '');
  }

  progress(status: 180 | 183, description: string): void {
    if (!this.#isOpen) return;
    this.#isRinging = status === 180;
    // Our offer must not be sent unreliably (RFC 3261, 13.2.1).
    this.leg.progress(status, this.body === '' ? '' : description);
  }

  answer(body: string): void {
    if (!this.#isOpen) return;
    this.#isAnswered = true;
    this.local = body;
    this.leg.answer(body);
  }

  reject(status: number, reason: string, fault: SdpFault | null = null): void {
    const code = status >= 300 && status <= 699 ? status : 500;
    this.#refuse(code, headerText(reason), fault === null ? [] : [warningLine(fault)]);
  }

  redirect(status: 300 | 301 | 302 | 305, contacts: readonly string[]): void {
    const lines = contacts.map((contact) => `Contact: <${headerText(contact)}>`);
    this.#refuse(status, reasonPhrase(status), lines);
  }

  override hangUp(): void {
    if (this.isUp) this.sendBye();
    else if (this.#isOpen) this.#refuse(603, 'Decline', []);
    else this.#isGivenUp = true;
  }

  /** The ACK to our 200, or to one of a re-INVITE: after a delayed offer it has the peer's description. */
  onAck({ source, atMs }: Outcome): void {
    if (this.isUp || this.isOver) return;
    this.answered(atMs, 200, 'OK', source?.sdp || this.body);
    // The library is not done with the ACK.
    if (this.#isGivenUp) this.agent.engine.tell(() => this.sendBye());
  }

  /** It is not awaited any more. */
  onNoAck(): void {
    if (!this.isUp) this.onGone();
  }

  onCancel({ source, atMs }: Outcome): void {
    const explanation = source && explanationOf(source);
    this.fail({ kind: 'CANCELLED', status: 487, reason: 'Request Terminated', atMs, explanation });
  }

  override onBye(source: SipMessage | null, atMs: number): void {
    // A peer that hangs up has seen our 2xx: its ACK was lost, or comes after its BYE.
    this.answered(atMs, 200, 'OK', this.body);
    super.onBye(source, atMs);
  }

  protected override firstAnswer(): string {
    return this.local;
  }

  protected override unanswered(atMs: number) {
    const reason = 'no ACK to our 200 within 32 s';
    if (this.#isAnswered) return { kind: 'TIMEOUT', status: null, reason, atMs } as const;
    return { kind: 'TIMEOUT', status: 480, reason: 'Temporarily Unavailable', atMs } as const;
  }

  get #isOpen(): boolean {
    return !this.isOver && !this.#isAnswered;
  }

  #refuse(status: number, reason: string, headers: readonly string[]): void {
    if (!this.#isOpen) return;
    this.fail({ kind: 'STATUS', status, reason, atMs: this.agent.engine.clock() });
    this.leg.refuse(status, reason, headers);
  }
}
