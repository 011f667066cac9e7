/** A call that we place (RFC 3261, 13.2). */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import { allowsUpdate } from '../../dialog/dialog.ts';
import { Redirects } from '../../dialog/redirects.ts';
import { RELIABLE, requiresOption } from '../../dialog/reliable-responses.ts';
import { clientLines, extensionLines, minSeOf } from '../../dialog/within/session-expires.ts';
import type { CallEvents, SipFailure, SipTarget } from '../../engine.ts';
import {
  explanationAfter,
  explanationOf,
  type ProvisionalWord,
  provisionalWord,
  retryAfterSecondsOf,
} from '../../message/explanation.ts';
import { lackOf } from '../../message/lack.ts';
import { ownHeaderLines } from '../../message/own-headers.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import {
  type Accepted,
  type Loss,
  type Outgoing,
  type Progressed,
  type Session,
  type StackAgent,
  sourceOf,
} from '../stack.ts';
import { SessionCall } from './session-call.ts';
import { bodyOf } from './session-owner.ts';
import { linesOf } from './session-time.ts';

/** After CANCEL the final response is waited for no longer than timer F (RFC 3261, 9.1). */
const CANCEL_MS = 32_000;
const RING_MS = 200_000;
/** A limit for a 422 that asks for more each time. */
const MAX_TOO_SHORT = 5;
/** Redirects name URIs; all of them are reached by the same line. */
const LINE: SipTarget = { transport: 'WS', address: '', port: 0 };

export class OutgoingSessionCall extends SessionCall {
  readonly callId: string;
  readonly direction = 'OUTGOING';
  readonly #offer: string;
  readonly #fromTag: string;
  /** Header lines from the target's URI (RFC 3261, 19.1.5). */
  readonly #asked: readonly string[];
  #target: string;
  #cseq = 1;
  #request: Outgoing | null = null;
  #redirects: Redirects | null = null;
  #wasSent = false;
  #rangTooLong = false;
  /** Of the last provisional response with an explanation (RFC 6432, 4). */
  #said: ProvisionalWord | null = null;
  /** The dialog that the call continues with. */
  #chosen: Session | null = null;
  /** Early dialogs in which offer and answer were exchanged reliably (RFC 3262, 5). */
  readonly #settled = new Map<Session, { readonly local: string; readonly remote: string }>();
  /** The peer's Min-SE, of a 422. */
  #minSeconds = 0;
  #tooShort = 0;

  constructor(agent: StackAgent, target: string, askedLines: string, offer: string, events: CallEvents) {
    super(agent, events);
    this.callId = agent.engine.identifiers.callId();
    this.#fromTag = agent.engine.identifiers.tag();
    this.#target = target;
    this.#asked = linesOf(askedLines);
    this.#offer = offer;
    this.local = offer;
  }

  start(): void {
    this.agent.attach(this);
    this.#invite();
  }

  refuse(reason: string): void {
    this.fail({ kind: 'TRANSPORT', status: null, reason, atMs: this.agent.engine.clock() });
  }

  override hangUp(): void {
    if (this.state === 'CONFIRMED') this.sendBye();
    else if (this.move('CANCEL')) {
      const { wheel, clock } = this.agent.engine;
      wheel.set(this, clock() + CANCEL_MS);
      this.#request?.cancel();
    }
  }

  override onSent(method: string, atMs: number): void {
    super.onSent(method, atMs);
    if (method !== 'INVITE' || this.#wasSent) return;
    this.#wasSent = true;
    this.agent.engine.tell(() => this.events.onInviteSent(atMs));
  }

  override onLost(loss: Loss, atMs: number): void {
    super.onLost(loss, atMs);
    // Responses go back over the connection that the request came by (RFC 3261, 18.2.2), and it is gone.
    if (this.state === 'EARLY' || this.state === 'CANCELLING') this.fail({ ...loss, status: null, atMs });
  }

  /** The peer violated the protocol: the call cannot continue. */
  break(reason: string): void {
    this.fail({ kind: 'PROTOCOL', status: null, reason, atMs: this.agent.receivedAtMs });
  }

  override onDue(nowMs: number): void {
    if (this.state === 'EARLY') {
      this.#rangTooLong = true;
      this.hangUp();
      return;
    }
    this.#failCancelled(null, 'no final response after CANCEL', nowMs);
  }

  #invite(): void {
    const { allowLine, routeSet, correlationLines, headers } = this.agent;
    // RFC 3261, 8.1.1.8.
    const isSips = /^sips:/i.test(this.#target);
    const contactLine = isSips ? this.agent.contactLine.replace('<sip:', '<sips:') : this.agent.contactLine;
    const parts = {
      callId: this.callId,
      cseq: this.#cseq,
      fromTag: this.#fromTag,
      routes: routeSet,
      lines: [
        ...[...this.#asked, contactLine, allowLine, ...this.#extensions()],
        ...[...correlationLines, ...ownHeaderLines(headers, 'INVITE')],
      ],
      body: bodyOf(this.#offer),
    };
    this.#request = this.agent.request('INVITE', this.#target, parts, {
      onTrying: (response) => this.#provisional(response),
      onProgress: (response) => this.#provisional(response),
      onAccept: (response) => this.#accepted(response),
      onRedirect: ({ message }) => this.#refused(message),
      onReject: ({ message }) => this.#refused(message),
    });
  }

  /** What the INVITE says of 100rel and of the session's time. */
  #extensions(): string[] {
    const { signalling } = this.agent;
    const { sessionTimer: timer } = signalling;
    const first = timer === null ? '' : clientLines(timer.expiresSeconds, timer.refresher, timer.minSeconds);
    return linesOf(extensionLines(signalling, this.#minSeconds, first));
  }

  #provisional(response: Progressed): void {
    const source = sourceOf(response.message);
    if (source === null) return;
    const { status, reason, sdp: body } = source;
    const { engine, receivedAtMs, signalling } = this.agent;
    this.#said = provisionalWord(source, this.#said);
    if (this.state === 'EARLY' && status > 100) engine.wheel.set(this, engine.clock() + RING_MS);
    const { session } = response;
    const isReliable =
      session !== undefined && signalling.reliableProvisional !== 'NONE' && requiresOption(source, RELIABLE);
    const answer = isReliable ? this.#acknowledge(response, session, source) : '';
    engine.tell(() => this.events.onProvisional(status, reason, receivedAtMs, body));
    if (answer === null) engine.tell(() => this.hangUp());
    const settled = session === undefined ? undefined : this.#settled.get(session);
    if (isReliable && body !== '' && settled?.remote === body)
      engine.tell(() => this.events.onEarlyMedia?.(settled.local, body, true, receivedAtMs));
    if (isReliable || settled !== undefined || body === '' || this.#offer === '' || status === 100) return;
    engine.tell(() => this.events.onEarlyMedia?.(this.#offer, body, false, receivedAtMs));
  }

  /** PRACK (RFC 3262, 4); the first description answers our offer, or is an offer (5). Our answer to it; null: none. */
  #acknowledge({ prack }: Progressed, session: Session, source: SipMessage): string | null {
    const { sdp: body } = source;
    const settles = body !== '' && !this.#settled.has(session);
    const answer = settles && this.#offer === '' ? this.#answerTo(body) : '';
    const described = bodyOf(answer ?? '');
    prack?.({
      extraHeaders: [`RAck: ${source.header('rseq')} ${source.cseq} INVITE`],
      ...(described === null ? {} : { body: described }),
    });
    if (settles && answer !== null) this.#settled.set(session, { local: answer || this.#offer, remote: body });
    return answer;
  }

  #accepted({ message, session, ack }: Accepted): void {
    const source = sourceOf(message);
    if (source === null) return;
    // As with the INVITE (RFC 3261, 13.2.2.4).
    const credentials = (this.#request?.credentials ?? '').split('\r\n').filter((line) => line !== '');
    const { receivedAtMs } = this.agent;
    if (this.state !== 'EARLY' || (this.#chosen !== null && this.#chosen !== session)) {
      ack({ extraHeaders: credentials });
      session.bye();
      this.#failCancelled(source.status, 'answered while the CANCEL was in progress; hung up', receivedAtMs);
      return;
    }
    this.#chosen = session;
    this.agent.engine.wheel.clear(this);
    this.adopt(session);
    this.move('CONFIRM');
    const settled = this.#settled.get(session);
    const isOffer = settled === undefined && this.#offer === '' && source.sdp !== '';
    const answer = isOffer ? this.#answerTo(source.sdp) : '';
    const body = bodyOf(answer ?? '');
    ack({ extraHeaders: credentials, ...(body === null ? {} : { body }) });
    if (settled !== undefined) this.#goOn(settled);
    else if (answer !== null && answer !== '') this.local = answer;
    this.replacesValue = `${this.callId};to-tag=${source.toTag};from-tag=${source.fromTag}`;
    this.peerUpdates = allowsUpdate(source);
    this.time.keep(source);
    const { status, reason } = source;
    const remote = settled === undefined ? source.sdp : '';
    this.agent.engine.tell(() => this.events.onAnswered(receivedAtMs, status, reason, remote));
    if (answer === null) this.agent.engine.tell(() => this.hangUp());
  }

  /** The settled session; another fork's may have been reported last. */
  #goOn({ local, remote }: { readonly local: string; readonly remote: string }): void {
    const { engine, receivedAtMs } = this.agent;
    this.local = local;
    if (this.#settled.size > 1) engine.tell(() => this.events.onEarlyMedia?.(local, remote, true, receivedAtMs));
  }

  /** Null: it cannot be used. */
  #answerTo(offer: string): string | null {
    this.agent.engine.tellAll();
    const answer = this.events.onDelayedOffer?.(offer) ?? '';
    return isSdpFault(answer) ? null : answer;
  }

  #refused(message: object): void {
    const source = sourceOf(message);
    const { receivedAtMs, engine } = this.agent;
    if (source === null) {
      if (this.state === 'CANCELLING') this.#failCancelled(null, 'no response', engine.clock());
      else {
        const loss = this.loss ?? { kind: 'TIMEOUT' as const, reason: 'no response within 32 s' };
        this.fail({ ...loss, status: null, atMs: engine.clock() });
      }
      return;
    }
    if (this.#followed(source) || this.#lengthened(source)) return;
    const { status, reason } = source;
    // 487 is the answer to our CANCEL; any other status crossed it, and is the peer's decision.
    if (status === 487 && this.state === 'CANCELLING') this.#failCancelled(status, reason, receivedAtMs);
    else {
      const redirects = Redirects.follows(status) ? this.#redirects : null;
      const why = redirects === null ? lackOf(source) : redirects.problem;
      this.fail({
        kind: redirects?.forbidden ?? 'STATUS',
        status,
        reason: why === null ? reason : `${reason} (${why})`,
        atMs: receivedAtMs,
        ...(status === 503 ? retryAfter(source) : {}),
        explanation: explanationOf(source),
      });
    }
  }

  /** A redirect, or the failure of a target that one named: the next target (RFC 3261, 8.1.3.4). */
  #followed(source: SipMessage): boolean {
    const { maxRedirects } = this.agent.signalling;
    const isRedirect = Redirects.follows(source.status);
    if (maxRedirects === 0 || source.status >= 600 || this.state !== 'EARLY') return false;
    if (source.status === 401 || source.status === 407 || (!isRedirect && this.#redirects === null)) return false;
    this.#redirects ??= new Redirects(
      {
        hopFor: () => LINE,
        addressFor: () => "over WebSocket, only the endpoint's own proxy can be used",
        mayCall: (uri) => this.agent.engine.mayCall(uri),
        mayDial: (uri) => this.agent.engine.mayDial(uri),
      },
      this.#target,
      maxRedirects,
    );
    if (isRedirect) this.#redirects.add(source);
    const next = this.#redirects.next(this.#target);
    if (next === null) return false;
    this.#target = next.requestUri;
    this.#again();
    return true;
  }

  /** 422: the session may not be that short (RFC 4028, 7.3). */
  #lengthened(source: SipMessage): boolean {
    if (source.status !== 422 || this.state !== 'EARLY' || this.agent.signalling.sessionTimer === null) return false;
    const least = minSeOf(source);
    if (least <= this.#minSeconds || this.#tooShort++ >= MAX_TOO_SHORT) return false;
    this.#minSeconds = least;
    this.#again();
    return true;
  }

  #again(): void {
    this.#said = null;
    this.#cseq = (this.#request?.cseq ?? this.#cseq) + 1;
    this.authorization.begin();
    this.#invite();
  }

  protected override fail(failure: SipFailure): void {
    const explanation = explanationAfter(this.#said, failure.explanation ?? null);
    super.fail(this.#said === null ? failure : { ...failure, explanation });
  }

  #failCancelled(status: number | null, reason: string, atMs: number): void {
    const tooLong = 'no final response within 200 s of ringing';
    if (this.#rangTooLong) this.fail({ kind: 'TIMEOUT', status, reason: tooLong, atMs });
    else this.fail({ kind: 'CANCELLED', status, reason, atMs });
  }
}

function retryAfter(source: SipMessage): { readonly retryAfterSeconds?: number } {
  const retryAfterSeconds = retryAfterSecondsOf(source);
  return retryAfterSeconds === 0 ? {} : { retryAfterSeconds };
}
