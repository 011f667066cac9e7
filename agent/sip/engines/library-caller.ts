/** An outgoing call on a library's session: challenges, the ACK and CANCEL are the library's. */
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import { retryAfter } from '../dialog/dialog-request.ts';
import type { CallEvents, SipFailure, SipTarget } from '../engine.ts';
import { explanationOf } from '../message/explanation.ts';
import { type CallingAgent, type Leg, LibraryCall, type Outcome } from './library-call.ts';

export interface OutgoingLeg extends Leg {
  readonly callId: string;
  /** What comes of it is told to the call. */
  start(): void;
  /** Also twice: of an INVITE that was sent again with credentials. */
  cancel(): void;
}

export class LibraryCaller extends LibraryCall<OutgoingLeg> {
  readonly direction = 'OUTGOING';
  readonly callId: string;
  protected readonly leg: OutgoingLeg;
  #isSent = false;
  #isGivenUp = false;

  constructor(agent: CallingAgent, offer: string, events: CallEvents, legOf: (call: LibraryCaller) => OutgoingLeg) {
    super(agent, events);
    this.local = offer;
    this.leg = legOf(this);
    this.callId = this.leg.callId;
    agent.attach(this);
  }

  start(): void {
    this.leg.start();
  }

  /** It cannot be sent, or not be answered. */
  refuse(failure: SipFailure): void {
    this.fail(failure);
    this.hangUp();
  }

  override onSent(method: string, atMs: number): void {
    super.onSent(method, atMs);
    if (method !== 'INVITE' || this.isUp) return;
    // It has credentials, and we gave up: the library has cancelled the one that was challenged.
    if (this.#isGivenUp) this.agent.engine.tell(() => this.leg.cancel());
    if (!this.#isSent) this.agent.engine.tell(() => this.events.onInviteSent(atMs));
    this.#isSent = true;
  }

  override onLost(failure: SipFailure): void {
    if (this.isUp) super.onLost(failure);
    else this.refuse(failure);
  }

  onLocated(tookMs: number): void {
    this.events.onLocated?.(tookMs);
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    this.events.onFailover?.('INVITE', from, to, reason, atMs);
  }

  override hangUp(): void {
    if (this.isUp) this.sendBye();
    else {
      this.#isGivenUp = true;
      this.leg.cancel();
    }
  }

  onProgress({ source, atMs }: Outcome): void {
    if (source === null || this.isOver) return;
    const { status, reason, sdp } = source;
    const offer = this.local;
    this.agent.engine.tell(() => {
      this.events.onProvisional(status, reason, atMs, sdp);
      if (sdp !== '' && offer !== '') this.events.onEarlyMedia?.(offer, sdp, false, atMs);
    });
  }

  /** Its ACK has been sent. */
  onAccepted({ source, atMs }: Outcome): void {
    if (source !== null) this.answered(atMs, source.status, source.reason, source.sdp);
    if (this.#isGivenUp) this.sendBye();
  }

  /** `failure`: where no response came. */
  onRejected({ source, atMs }: Outcome, failure: SipFailure): void {
    if (source === null) {
      this.fail(this.#isGivenUp ? cancelled(atMs) : failure);
      return;
    }
    const { status, reason } = source;
    const kind = this.#isGivenUp && status === 487 ? 'CANCELLED' : 'STATUS';
    this.fail({ kind, status, reason, atMs, explanation: explanationOf(source), ...retryAfter(source) });
  }

  protected override firstAnswer(offer: string): string | SdpFault {
    this.agent.engine.tellAll();
    const answer = this.events.onDelayedOffer?.(offer) ?? '';
    if (typeof answer === 'string') this.local = answer;
    return answer;
  }

  protected override unanswered(atMs: number): SipFailure {
    const reason = 'the library refused what the peer answered';
    return this.#isGivenUp ? cancelled(atMs) : { kind: 'PROTOCOL', status: null, reason, atMs };
  }
}

const cancelled = (atMs: number): SipFailure => ({ kind: 'CANCELLED', status: null, reason: 'cancelled', atMs });
