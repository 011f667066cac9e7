/** A call that came by our connection (RFC 3261, 13.3). */

import { isSdpFault, type SdpFault, sdpFault } from '@carillon/media/sdp/session-description.ts';
import { allowsUpdate } from '../../dialog/dialog.ts';
import { knowsOption, RELIABLE, ReliableResponses, type Responding } from '../../dialog/reliable-responses.ts';
import { SILENCE } from '../../dialog/silence.ts';
import { warningLine } from '../../dialog/warning.ts';
import type { ServerTerms } from '../../dialog/within/session-expires.ts';
import { type CallEvents, CORRELATION_HEADER, type IncomingCall } from '../../engine.ts';
import { explanationOf } from '../../message/explanation.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { reasonPhrase } from '../../message/reason-phrase.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { headerText } from '../../message/wire-text.ts';
import { type InviteServer, type Reply, type Server, type StackAgent, sourceOf } from '../stack.ts';
import { SessionCall } from './session-call.ts';
import { bodyOf } from './session-owner.ts';
import { linesOf, termLines } from './session-time.ts';

/** How long a decision may take (RFC 3261, 13.3.1.1 leaves it open). */
const DECIDE_MS = 200_000;

export class IncomingSessionCall extends SessionCall implements IncomingCall, Responding {
  readonly callId: string;
  readonly direction = 'INCOMING';
  readonly fromUri: string;
  readonly correlation: string;
  readonly requestUri: string;
  readonly receivedAtMs: number;
  readonly body: string;
  readonly #server: InviteServer;
  /** The agreed session timer; null: none. */
  readonly #terms: ServerTerms | null;
  /** Null: 100rel is not used. */
  readonly #reliable: ReliableResponses | null;
  #progressed = 0;
  #lastProgress: Reply = { statusCode: 180 };
  /** A reliable response has described the session: the 2xx need not. */
  #isDescribed = false;

  constructor(agent: StackAgent, server: InviteServer, terms: ServerTerms | null, receivedAtMs: number) {
    super(agent, SILENCE);
    const source = sourceOf(server.message) as SipMessage;
    this.callId = source.callId;
    this.fromUri = parseNameAddress(source.from)?.uri ?? '';
    this.correlation = source.header(CORRELATION_HEADER.toLowerCase()) ?? '';
    this.requestUri = source.requestUri;
    this.receivedAtMs = receivedAtMs;
    this.body = source.sdp;
    this.#server = server;
    this.#terms = terms;
    this.peerUpdates = allowsUpdate(source);
    this.#reliable =
      agent.signalling.reliableProvisional !== 'NONE' && knowsOption(source, RELIABLE)
        ? new ReliableResponses(agent.engine, this, source.cseq, this)
        : null;
    server.delegate = { onCancel: (cancel) => this.#cancelled(sourceOf(cancel)) };
    agent.attach(this);
    agent.engine.wheel.set(this, agent.engine.clock() + DECIDE_MS);
  }

  /** After the handler: null means that no endpoint takes the call. */
  begin(events: CallEvents | null): void {
    if (events === null) {
      this.reject(480, 'Temporarily Unavailable');
      return;
    }
    this.events = events;
  }

  ring(): void {
    if (this.#progressed !== 180) this.progress(180, '');
  }

  progress(status: 180 | 183, body: string): void {
    if (this.state !== 'EARLY') return;
    this.#progressed = status;
    const reason = reasonPhrase(status);
    if (this.#reliable === null) {
      // Our offer must not be sent unreliably (RFC 3261, 13.2.1).
      this.respond(status, reason, '', this.body === '' ? '' : body);
      return;
    }
    // A reliable description is sent once.
    const describes = body !== '' && !this.#isDescribed;
    if (describes) {
      this.#isDescribed = true;
      this.local = body;
    }
    this.#reliable.send(status, reason, '', describes ? body : '');
  }

  respond(status: number, reason: string, headers: string, body: string): void {
    const described = bodyOf(body);
    this.#lastProgress = {
      statusCode: status,
      reasonPhrase: reason,
      extraHeaders: linesOf(headers),
      ...(described === null ? {} : { body: described }),
    };
    this.repeat1xx();
  }

  repeat1xx(): void {
    // The library modifies its argument.
    const { session } = this.#server.progress({ ...this.#lastProgress });
    this.adopt(session);
  }

  answer(body: string): void {
    if (this.state === 'EARLY' && !this.#isDescribed) this.local = body;
    if (this.#reliable?.isDescribing) this.move('ANSWER_LATER');
    else this.#sendAnswer();
  }

  #sendAnswer(): void {
    if (!this.move('ANSWER')) return;
    this.agent.engine.wheel.clear(this);
    this.#reliable?.stop();
    const described = this.#isDescribed ? null : bodyOf(this.local);
    const { session } = this.#server.accept({
      statusCode: 200,
      extraHeaders: termLines(this.#terms),
      ...(described === null ? {} : { body: described }),
    });
    this.adopt(session);
    if (this.#terms !== null) this.time.promise(this.#terms);
  }

  /** PRACK (RFC 3262, 3 and 5); it may answer our offer, or have one. */
  protected override onPrack(uas: Server): void {
    const prack = sourceOf(uas.message);
    const reliable = this.#reliable;
    const rack = prack?.header('rack') ?? '';
    if (prack === null || reliable === null || !reliable.isAwaited(rack)) {
      super.onPrack(uas);
      return;
    }
    const answersUs = this.body === '' && reliable.isUnderWay;
    if (answersUs && prack.sdp === '') {
      uas.reject({ statusCode: 400, reasonPhrase: 'Bad Request (the answer to our offer is missing)' });
      return;
    }
    const offer = answersUs ? '' : prack.sdp;
    if (offer !== '') {
      const described = this.#isDescribed ? this.describe(offer) : null;
      if (described === null || isSdpFault(described)) {
        // A PRACK that matches our response always gets a 2xx (RFC 3262, 3): the INVITE is refused instead.
        uas.accept({ statusCode: 200 });
        this.#refuseOffer(described ?? sdpFault('MISMATCH', 'an offer in PRACK before the answer to the first one'));
        return;
      }
      this.local = described;
    }
    const body = offer === '' ? null : bodyOf(this.local);
    uas.accept({ statusCode: 200, ...(body === null ? {} : { body }) });
    this.#acknowledged(reliable, answersUs ? prack.sdp : this.body, offer);
  }

  #refuseOffer(fault: SdpFault): void {
    if (!this.#isOpen) return;
    this.move('END');
    const extraHeaders = [warningLine(fault)];
    this.#server.reject({ statusCode: 488, reasonPhrase: 'Not Acceptable Here', extraHeaders });
    this.fail({ kind: 'STATUS', status: 488, reason: fault.reason, atMs: this.agent.engine.clock() });
  }

  #acknowledged(reliable: ReliableResponses, remote: string, offer: string): void {
    const { engine, receivedAtMs } = this.agent;
    const { local } = this;
    if (reliable.acknowledge()) engine.tell(() => this.events.onEarlyMedia?.(local, remote, true, receivedAtMs));
    if (offer !== '') engine.tell(() => this.events.onSessionChanged?.(local, offer, 'REMOTE', receivedAtMs, 'PEER'));
    if (!reliable.isDescribing && this.state === 'ANSWER_WANTED') this.#sendAnswer();
  }

  onNoPrack(nowMs: number): void {
    if (this.#isOpen) this.#refuse(504, 'Server Time-out', 'TIMEOUT', [], nowMs);
  }

  /** Not answered by us. */
  get #isOpen(): boolean {
    return this.state === 'EARLY' || this.state === 'ANSWER_WANTED';
  }

  protected override release(): void {
    this.#reliable?.stop();
  }

  reject(status: number, reason: string, fault: SdpFault | null = null): void {
    const code = status >= 300 && status <= 699 ? status : 500;
    if (this.state === 'EARLY')
      this.#refuse(code, headerText(reason), 'STATUS', fault === null ? [] : [warningLine(fault)]);
  }

  redirect(status: 300 | 301 | 302 | 305, contacts: readonly string[]): void {
    if (this.state !== 'EARLY') return;
    const lines = contacts.map((contact) => `Contact: <${headerText(contact)}>`);
    this.#refuse(status, reasonPhrase(status), 'STATUS', lines);
  }

  override hangUp(): void {
    if (this.state === 'CONFIRMED') this.sendBye();
    else if (this.#isOpen) this.#refuse(603, 'Decline', 'STATUS');
    else this.move('WANT_HANG_UP');
  }

  override onDue(nowMs: number): void {
    if (this.#isOpen) this.#refuse(480, 'Temporarily Unavailable', 'TIMEOUT', [], nowMs);
  }

  protected override onAck(source: SipMessage | null): void {
    const byeIsDue = this.state === 'HANG_UP_WANTED';
    if (!this.move('CONFIRM')) {
      super.onAck(source);
      return;
    }
    this.#confirmed(source?.sdp ?? '');
    if (byeIsDue) this.hangUp();
  }

  protected override onNoAck(): void {
    const wasAnswered = this.state === 'CONFIRMED';
    if (wasAnswered) {
      super.onNoAck();
      return;
    }
    const atMs = this.agent.engine.clock();
    const session = this.session;
    this.fail({ kind: 'TIMEOUT', status: null, reason: 'no ACK to our 200 within 32 s', atMs });
    session?.bye();
  }

  protected override onPeerBye(bye: SipMessage | null): void {
    if (this.#isOpen) {
      this.#cancelled(bye);
      return;
    }
    // A peer that hangs up has seen our 2xx: its ACK was lost or arrives after its BYE.
    if (this.move('CONFIRM')) this.#confirmed('');
    super.onPeerBye(bye);
  }

  /** By CANCEL, or by BYE in the early dialog (RFC 3261, 15). */
  #cancelled(cancel: SipMessage | null): void {
    if (!this.#isOpen) return;
    this.#refuse(487, 'Request Terminated', 'CANCELLED', [], this.agent.receivedAtMs, cancel);
  }

  /** The peer's description is in the INVITE, or, for a delayed offer, in the ACK. */
  #confirmed(ackBody: string): void {
    const { receivedAtMs, engine } = this.agent;
    const body = ackBody === '' ? this.body : ackBody;
    engine.tell(() => this.events.onAnswered(receivedAtMs, 200, 'OK', body));
  }

  #refuse(
    status: number,
    reason: string,
    kind: 'STATUS' | 'CANCELLED' | 'TIMEOUT',
    lines: readonly string[] = [],
    atMs = this.agent.engine.clock(),
    cancel: SipMessage | null = null,
  ): void {
    this.move('END');
    const options = { statusCode: status, reasonPhrase: reason, extraHeaders: [...lines] };
    if (status < 400) this.#server.redirect([], options);
    else this.#server.reject(options);
    this.fail({ kind, status, reason, atMs, explanation: cancel && explanationOf(cancel) });
  }
}
