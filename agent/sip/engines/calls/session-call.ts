/**
 * Behaviour of calls in both directions once there is a dialog: session changes, INFO, REFER, BYE (the library's
 * SessionDialog).
 */

import { takeStep } from '../../../steps.ts';
import { SILENCE } from '../../dialog/silence.ts';
import { describeSession } from '../../dialog/within/describe.ts';
import { isWithoutSubscription, notifyRefusal, WITHOUT_SUBSCRIPTION } from '../../dialog/within/sipfrag.ts';
import type { Authorization } from '../../digest/authorization.ts';
import type { ByeDetails, Call, CallEvents, SipFailure, SipTarget } from '../../engine.ts';
import { explanationOf } from '../../message/explanation.ts';
import { ownHeaderLines } from '../../message/own-headers.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { Timed } from '../../timer-wheel.ts';
import { type Loss, type RequestSender, type Server, type Session, type StackAgent, sourceOf } from '../stack.ts';
import { SESSION_CALL, type SessionCallEvent, type SessionCallState } from './call-table.ts';
import { ReferralOverSession, ReferredOverSession } from './refer.ts';
import { SessionChanger } from './session-changer.ts';
import { bodyOf, type SessionOwner } from './session-owner.ts';
import { StackSessionTime } from './session-time.ts';

const MAX_INFOS = 64;
const NO_BYE_DETAILS: ByeDetails = { byeStatus: 0, unanswered: '', explanation: null };

export abstract class SessionCall extends Timed implements Call, RequestSender, SessionOwner {
  abstract readonly callId: string;
  abstract readonly direction: 'OUTGOING' | 'INCOMING';
  readonly authorization: Authorization;
  readonly agent: StackAgent;
  events: CallEvents;
  state: SessionCallState = SESSION_CALL.initial;
  session: Session | null = null;
  local = '';
  replacesValue = '';
  peerUpdates: boolean | null = null;
  readonly time: StackSessionTime;
  /** Why the line broke, where it did. */
  protected loss: Loss | null = null;
  readonly #changer = new SessionChanger(this);
  readonly #infos: { readonly contentType: string; readonly body: string }[] = [];
  #referral: ReferralOverSession | null = null;
  #referred: ReferredOverSession | null = null;
  #byeAtMs = Number.NaN;
  #isOver = false;
  /** Nothing uses its dialog any more. */
  #hasLeft = false;

  constructor(agent: StackAgent, events: CallEvents) {
    super();
    this.agent = agent;
    this.events = events;
    this.authorization = agent.newAuthorization();
    this.time = new StackSessionTime(this, (method) => this.#changer.refresh(method));
    agent.engine.openCalls++;
  }

  abstract hangUp(): void;

  onLocated(tookMs: number): void {
    this.events.onLocated?.(tookMs);
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    this.events.onFailover?.('INVITE', from, to, reason, atMs);
  }

  onSent(method: string, atMs: number): void {
    if (method === 'BYE' && Number.isNaN(this.#byeAtMs)) this.#byeAtMs = atMs;
  }

  onLost(loss: Loss, _atMs: number): void {
    this.loss = loss;
  }

  changeSession(offer: string, method: 'INVITE' | 'UPDATE'): void {
    this.#changer.ask(offer, method);
  }

  sendInfo(contentType: string, body: string): void {
    if (this.state !== 'CONFIRMED' || this.#infos.length === MAX_INFOS) {
      this.tell((events, atMs) => events.onInfoAnswered?.(481, atMs));
      return;
    }
    if (this.#infos.push({ contentType, body }) === 1) this.#nextInfo();
  }

  refer(targetUri: string): void {
    if (this.state !== 'CONFIRMED' || this.session === null)
      this.tell((events, atMs) => events.onReferProgress?.(481, 'There is no dialog', true, atMs));
    else if (this.#referral?.isPending)
      this.tell((events, atMs) => events.onReferProgress?.(491, 'A referral is in progress', true, atMs));
    else {
      this.#referral?.stop();
      this.#referral = new ReferralOverSession(this, this.session, targetUri);
    }
  }

  notifyRefer(status: number, reason: string): void {
    this.#referred?.tell(status, reason);
  }

  /** No more events: the user agent is closed. */
  silence(): void {
    this.hangUp();
    this.events = SILENCE;
    this.#referral?.stop();
    this.#referred?.tell(487, 'Request Terminated');
  }

  abort(atMs: number): void {
    this.#referral?.stop();
    this.#referred?.stop();
    if (this.state === 'CONFIRMED' || this.state === 'ENDING') this.end('LOCAL', this.#byeAtMs, atMs, NO_BYE_DETAILS);
    else this.fail({ kind: 'TRANSPORT', status: null, reason: 'the engine was closed', atMs });
  }

  /** The dialog stands. */
  protected adopt(session: Session): void {
    this.session = session;
    session.delegate = {
      isUsed: () => this.#isUsed,
      onAck: ({ message }) => this.onAck(sourceOf(message)),
      onAckTimeout: () => this.onNoAck(),
      onBye: this.#whileUp((uas) => {
        uas.accept();
        this.onPeerBye(sourceOf(uas.message));
      }),
      onInfo: this.#whileUp((uas) => this.#info(uas)),
      onInvite: this.#whileUp((uas) => this.#changer.onRequest(uas, 'INVITE')),
      onMessage: (uas) => uas.reject({ statusCode: 405 }),
      onNotify: (uas) => this.#notify(uas),
      onPrack: (uas) => this.onPrack(uas),
      onRefer: this.#whileUp((uas) => this.#refer(uas)),
      onUpdate: this.#whileUp((uas) => this.#changer.onRequest(uas, 'UPDATE')),
    };
  }

  /** The session has ended: only subscriptions use the dialog. */
  #whileUp(act: (uas: Server) => void): (uas: Server) => void {
    return (uas) => {
      if (this.#isOver) uas.reject({ statusCode: 481 });
      else act(uas);
    };
  }

  get #isUsed(): boolean {
    const isPending = this.#referral?.isOver === false || this.#referred?.isOver === false;
    return isPending && this.session?.forget !== undefined;
  }

  onUsageOver(): void {
    if (this.#isOver && !this.#isUsed) this.#leaveDialog();
  }

  /** An ACK: the first answers our 2xx, others those to changes of the session. */
  protected onAck(source: SipMessage | null): void {
    this.#changer.onAck(source?.sdp ?? '');
  }

  /** None of our requests waits for one. */
  protected onPrack(uas: Server): void {
    uas.reject({ statusCode: 481 });
  }

  protected onNoAck(): void {
    this.hangUp();
  }

  protected onPeerBye(bye: SipMessage | null): void {
    const { receivedAtMs, engine } = this.agent;
    const explanation = bye && explanationOf(bye);
    this.end('REMOTE', receivedAtMs, engine.clock(), { ...NO_BYE_DETAILS, explanation });
  }

  protected sendBye(): void {
    if (!this.move('BYE') || this.session === null) return;
    const over = ({ message }: { message: object }): void => {
      const answer = sourceOf(message);
      const byeStatus = answer?.status ?? 0;
      const loss = this.loss ?? { kind: 'TIMEOUT', reason: 'no final response to BYE within 32 s' };
      const unanswered = answer === null && loss.kind !== 'POLICY' ? loss.reason : '';
      const atMs = answer === null ? Number.NaN : this.agent.receivedAtMs;
      this.end('LOCAL', this.#byeAtMs, atMs, { byeStatus, unanswered, explanation: null });
    };
    const extraHeaders = ownHeaderLines(this.agent.headers, 'BYE');
    this.session.bye({ onAccept: over, onRedirect: over, onReject: over }, { extraHeaders });
  }

  lostBy(status: number): boolean {
    const isLost = status === 408 || status === 481;
    if (isLost) this.hangUp();
    return isLost;
  }

  describe(offer: string): ReturnType<typeof describeSession> {
    this.agent.engine.tellAll();
    return describeSession(this.events, this.local, offer);
  }

  tell(what: (events: CallEvents, atMs: number) => void): void {
    const atMs = this.agent.engine.clock();
    this.agent.engine.tell(() => what(this.events, atMs));
  }

  protected fail(failure: SipFailure): void {
    if (!this.#finish()) return;
    this.agent.engine.tell(() => this.events.onFailed(failure));
  }

  protected end(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, bye: ByeDetails): void {
    if (!this.#finish()) return;
    this.agent.engine.tell(() => this.events.onEnded(by, byeAtMs, endedAtMs, bye));
  }

  move(event: SessionCallEvent): boolean {
    const next = takeStep('call over a library', SESSION_CALL.transitions, this.state, event);
    if (next === null) return false;
    this.state = next;
    return true;
  }

  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    if (this.state !== 'ENDED') this.move('END');
    this.agent.engine.wheel.clear(this);
    this.#changer.stop();
    this.time.stop();
    this.release();
    if (this.#isUsed) return true;
    this.#referral?.lose();
    this.#referred?.stop();
    this.#leaveDialog();
    return true;
  }

  #leaveDialog(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.agent.engine.openCalls--;
    this.agent.detach(this);
    this.session?.forget?.();
  }

  /** Resources outside its dialog are released with it. */
  protected release(): void {
    // Nothing.
  }

  #nextInfo(): void {
    const [next] = this.#infos;
    if (next === undefined || this.session === null || this.state !== 'CONFIRMED') return;
    const over = ({ message }: { message: object }): void => {
      const status = sourceOf(message)?.status ?? 408;
      const atMs = this.agent.receivedAtMs;
      this.#infos.shift();
      this.agent.engine.tell(() => this.events.onInfoAnswered?.(status, atMs));
      if (!this.lostBy(status)) this.#nextInfo();
    };
    const body = bodyOf(next.body, next.contentType, 'render');
    this.session.info({ onAccept: over, onRedirect: over, onReject: over }, body === null ? {} : { body });
  }

  #info(uas: Server): void {
    const source = sourceOf(uas.message);
    uas.accept();
    const type = (source?.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const atMs = this.agent.receivedAtMs;
    this.agent.engine.tell(() => this.events.onInfo?.(type, source?.body ?? '', atMs));
  }

  #notify(uas: Server): void {
    const source = sourceOf(uas.message);
    const refusal = source && notifyRefusal(source, this.#referral);
    if (refusal !== null) {
      const extraHeaders = refusal.status === 489 ? ['Allow-Events: refer'] : [];
      uas.reject({ statusCode: refusal.status, reasonPhrase: refusal.reason, extraHeaders });
      return;
    }
    uas.accept();
    if (source !== null) this.#referral?.onNotify(source, this.agent.receivedAtMs);
  }

  #refer(uas: Server): void {
    const source = sourceOf(uas.message);
    const target = ReferredOverSession.targetOf(source);
    if (source === null || target === null) {
      uas.reject({ statusCode: 400, reasonPhrase: 'Bad Request (Refer-To)' });
      return;
    }
    this.agent.engine.tellAll();
    const isFree = this.#referred?.isOver ?? true;
    if (!isFree || this.session === null || !this.events.onRefer?.(target, this.agent.receivedAtMs)) {
      uas.reject({ statusCode: 603, reasonPhrase: 'Decline' });
      return;
    }
    const isSilent = isWithoutSubscription(source);
    const lines = isSilent ? [WITHOUT_SUBSCRIPTION] : [];
    uas.accept({ statusCode: 202, extraHeaders: [this.agent.contactLine, ...lines] });
    if (!isSilent) this.#referred = new ReferredOverSession(this, this.session, source.cseq);
  }
}
