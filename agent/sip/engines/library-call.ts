/**
 * A call on a library's own session: what its owner is told, once and in order. The library makes the messages; what it does
 * not do by itself (UPDATE, REFER) is refused here, and by name before a run (../abilities.ts).
 */
import { isSdpFault, type SdpFault } from '@carillon/media/sdp/session-description.ts';
import { SILENCE } from '../dialog/silence.ts';
import { describeSession } from '../dialog/within/describe.ts';
import type { ByeDetails, Call, CallEvents, SessionAsker, SipFailure } from '../engine.ts';
import { explanationOf } from '../message/explanation.ts';
import { type OwnHeader, ownHeaderLines } from '../message/own-headers.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { LibraryHost } from './library-engine.ts';

/** The user agent, as its calls know it. */
export interface CallingAgent {
  readonly engine: LibraryHost;
  readonly contactUri: string;
  readonly headers: readonly OwnHeader[];
  /** Header lines of each INVITE, in addition to those of the call. */
  readonly inviteLines: readonly string[];
  attach(call: LibraryCall): void;
  detach(call: LibraryCall): void;
}

/** A message of the peer; null: none came, and `reason` says why. */
export type Outcome = { readonly source: SipMessage | null; readonly atMs: number; readonly reason: string };

/** The library's session. */
export interface Leg {
  info(contentType: string, body: string, done: (outcome: Outcome) => void): void;
  /** `offer` '': the peer sends one. */
  reInvite(offer: string, done: (outcome: Outcome) => void): void;
  bye(headers: readonly string[], done: (outcome: Outcome) => void): void;
}

const MAX_INFOS = 64;
const NO_DETAILS: ByeDetails = { byeStatus: 0, unanswered: '', explanation: null };

export abstract class LibraryCall<L extends Leg = Leg> implements Call {
  abstract readonly callId: string;
  abstract readonly direction: 'OUTGOING' | 'INCOMING';
  /** A library's session has no name that another INVITE could replace. */
  readonly replacesValue = '';
  protected readonly agent: CallingAgent;
  protected abstract readonly leg: L;
  protected events: CallEvents;
  /** Our description as the peer has it. */
  protected local = '';
  /** The call is answered, and its ACK has been sent or has come. */
  protected isUp = false;
  isOver = false;
  #byeAtMs = Number.NaN;
  #isEnding = false;
  #isChanging = false;
  /** In our re-INVITE. */
  #offer = '';
  readonly #infos: { readonly contentType: string; readonly body: string }[] = [];

  constructor(agent: CallingAgent, events: CallEvents) {
    this.agent = agent;
    this.events = events;
    agent.engine.openCalls++;
  }

  abstract hangUp(): void;

  /** An answered call goes on without its connection, but for a BYE that waits. */
  onLost({ reason, atMs }: SipFailure): void {
    if (this.#isEnding) this.#byeAnswered({ source: null, atMs, reason });
  }

  onSent(method: string, atMs: number): void {
    if (method === 'BYE' && Number.isNaN(this.#byeAtMs)) this.#byeAtMs = atMs;
  }

  changeSession(offer: string, method: 'INVITE' | 'UPDATE'): void {
    if (method === 'UPDATE') this.#refused(405, 'UPDATE is not known to this engine');
    else if (!this.isUp || this.isOver) this.#refused(481, 'There is no dialog');
    else if (this.#isChanging) this.#refused(491, 'Our own change is in progress');
    else {
      this.#isChanging = true;
      this.#offer = offer;
      this.leg.reInvite(offer, ({ source, atMs, reason }) => {
        this.#isChanging = false;
        this.#offer = '';
        const status = source?.status ?? 408;
        const answer = source?.sdp ?? '';
        if (status >= 300) {
          this.agent.engine.tell(() => this.events.onSessionRefused?.(status, source?.reason ?? reason, atMs));
          this.#endIfLost(status);
        } else if (answer === '') this.#refused(488, 'the 2xx has no answer to our offer');
        else if (offer !== '') this.changed(offer, answer, 'LOCAL', 'OWNER', atMs);
      });
    }
  }

  sendInfo(contentType: string, body: string): void {
    if (!this.isUp || this.isOver || this.#infos.length === MAX_INFOS)
      this.tell((events, atMs) => events.onInfoAnswered?.(481, atMs));
    else if (this.#infos.push({ contentType, body }) === 1) this.#nextInfo();
  }

  refer(): void {
    this.tell((events, atMs) => events.onReferProgress?.(405, 'REFER is not known to this engine', true, atMs));
  }

  notifyRefer(): void {
    // No REFER of the peer's was taken.
  }

  /** No more events: the user agent is closed. */
  silence(): void {
    this.hangUp();
    this.events = SILENCE;
  }

  abort(atMs: number): void {
    if (this.isUp) this.end('LOCAL', this.#byeAtMs, atMs, NO_DETAILS);
    else this.fail({ kind: 'TRANSPORT', status: null, reason: 'the engine was closed', atMs });
  }

  /** Our answer to an offer of the peer's; a fault refuses it. */
  answerTo(offer: string, atMs: number): string | SdpFault {
    return this.isUp ? this.#describe(offer, atMs) : this.firstAnswer(offer);
  }

  /** Our offer: of the INVITE or its answer, of our re-INVITE, or in the answer to the peer's. */
  ownOffer(atMs: number): string | SdpFault {
    return this.isUp ? this.#offer || this.#describe('', atMs) : this.local;
  }

  /** The ACK answers the offer in our answer to a re-INVITE; the answer to our own re-INVITE is in its response. */
  onAnswer(offer: string, answer: string, atMs: number): void {
    if (this.isUp && offer !== this.#offer) this.changed(offer, answer, 'LOCAL', 'PEER', atMs);
  }

  protected abstract firstAnswer(offer: string): string | SdpFault;

  #describe(offer: string, atMs: number): string | SdpFault {
    this.agent.engine.tellAll();
    const described = describeSession(this.events, this.local, offer);
    if (!isSdpFault(described) && offer !== '') this.changed(described, offer, 'REMOTE', 'PEER', atMs);
    return described;
  }

  protected changed(local: string, remote: string, by: 'LOCAL' | 'REMOTE', asker: SessionAsker, atMs: number): void {
    this.local = local;
    this.agent.engine.tell(() => this.events.onSessionChanged?.(local, remote, by, atMs, asker));
  }

  onInfo(source: SipMessage, atMs: number): void {
    const type = (source.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const { body } = source;
    this.agent.engine.tell(() => this.events.onInfo?.(type, body, atMs));
  }

  onBye(source: SipMessage | null, atMs: number): void {
    this.end('REMOTE', atMs, this.agent.engine.clock(), {
      ...NO_DETAILS,
      explanation: source && explanationOf(source),
    });
  }

  protected sendBye(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.leg.bye(ownHeaderLines(this.agent.headers, 'BYE'), (outcome) => this.#byeAnswered(outcome));
  }

  /** The library has ended the session, for a reason that nothing else told. */
  onGone(): void {
    if (this.#isEnding || this.isOver) return;
    const atMs = this.agent.engine.clock();
    if (this.isUp) this.#byeAnswered({ source: null, atMs, reason: 'the library has ended the session' });
    else this.fail(this.unanswered(atMs));
  }

  protected abstract unanswered(atMs: number): SipFailure;

  #byeAnswered({ source, atMs, reason }: Outcome): void {
    const byeStatus = source?.status ?? 0;
    const unanswered = source === null ? reason : '';
    this.end('LOCAL', this.#byeAtMs, source === null ? Number.NaN : atMs, { byeStatus, unanswered, explanation: null });
  }

  protected answered(atMs: number, status: number, reason: string, body: string): void {
    if (this.isOver || this.isUp) return;
    this.isUp = true;
    this.agent.engine.tell(() => this.events.onAnswered(atMs, status, reason, body));
  }

  protected tell(what: (events: CallEvents, atMs: number) => void): void {
    const atMs = this.agent.engine.clock();
    this.agent.engine.tell(() => what(this.events, atMs));
  }

  protected fail(failure: SipFailure): void {
    if (this.#finish()) this.agent.engine.tell(() => this.events.onFailed(failure));
  }

  protected end(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, bye: ByeDetails): void {
    if (this.#finish()) this.agent.engine.tell(() => this.events.onEnded(by, byeAtMs, endedAtMs, bye));
  }

  #finish(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.agent.engine.openCalls--;
    this.agent.detach(this);
    return true;
  }

  #refused(status: number, reason: string): void {
    this.tell((events, atMs) => events.onSessionRefused?.(status, reason, atMs));
  }

  /** RFC 3261, 12.2.1.2. */
  #endIfLost(status: number): void {
    if (status === 408 || status === 481) this.hangUp();
  }

  #nextInfo(): void {
    const [next] = this.#infos;
    if (next === undefined || this.isOver) return;
    this.leg.info(next.contentType, next.body, ({ source, atMs }) => {
      const status = source?.status ?? 408;
      this.#infos.shift();
      this.agent.engine.tell(() => this.events.onInfoAnswered?.(status, atMs));
      this.#endIfLost(status);
      this.#nextInfo();
    });
  }
}
