/** A call that came by our connection (RFC 3261, 13.3). */

import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import { SILENCE } from '../../dialog/silence.ts';
import { warningLine } from '../../dialog/warning.ts';
import { type CallEvents, CORRELATION_HEADER, type IncomingCall } from '../../engine.ts';
import { explanationOf } from '../../message/explanation.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { reasonPhrase } from '../../message/reason-phrase.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { headerText } from '../../message/wire-text.ts';
import { type InviteServer, type StackAgent, sourceOf } from '../stack.ts';
import { SessionCall } from './session-call.ts';
import { bodyOf } from './session-owner.ts';

/** How long nobody may decide (RFC 3261, 13.3.1.1 leaves it to us). */
const DECIDE_MS = 200_000;

export class IncomingSessionCall extends SessionCall implements IncomingCall {
  readonly callId: string;
  readonly direction = 'INCOMING';
  readonly fromUri: string;
  readonly correlation: string;
  readonly requestUri: string;
  readonly receivedAtMs: number;
  readonly body: string;
  readonly #server: InviteServer;
  #progressed = 0;

  constructor(agent: StackAgent, server: InviteServer, receivedAtMs: number) {
    super(agent, SILENCE);
    const source = sourceOf(server.message) as SipMessage;
    this.callId = source.callId;
    this.fromUri = parseNameAddress(source.from)?.uri ?? '';
    this.correlation = source.header(CORRELATION_HEADER.toLowerCase()) ?? '';
    this.requestUri = source.requestUri;
    this.receivedAtMs = receivedAtMs;
    this.body = source.body;
    this.#server = server;
    server.delegate = { onCancel: (cancel) => this.#cancelled(sourceOf(cancel)) };
    agent.attach(this);
    agent.engine.wheel.set(this, agent.engine.clock() + DECIDE_MS);
  }

  /** After the handler: null means that nobody wants the call. */
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
    // An offer of ours may not go unreliably (RFC 3261, 13.2.1).
    const described = this.body === '' ? null : bodyOf(body);
    const reason = reasonPhrase(status);
    const { session } = this.#server.progress({
      statusCode: status,
      reasonPhrase: reason,
      ...(described === null ? {} : { body: described }),
    });
    this.adopt(session);
  }

  answer(body: string): void {
    if (!this.move('ANSWER')) return;
    this.agent.engine.wheel.clear(this);
    this.local = body;
    const described = bodyOf(body);
    const { session } = this.#server.accept({ statusCode: 200, ...(described === null ? {} : { body: described }) });
    this.adopt(session);
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
    else if (this.state === 'EARLY') this.#refuse(603, 'Decline', 'STATUS');
    else this.move('WANT_HANG_UP');
  }

  override onDue(nowMs: number): void {
    if (this.state === 'EARLY') this.#refuse(480, 'Temporarily Unavailable', 'TIMEOUT', [], nowMs);
  }

  protected override onAck(source: SipMessage | null): void {
    const byeIsDue = this.state === 'HANG_UP_WANTED';
    if (!this.move('CONFIRM')) {
      super.onAck(source);
      return;
    }
    this.#confirmed(source?.body ?? '');
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
    if (this.state === 'EARLY') {
      this.#cancelled(bye);
      return;
    }
    // A peer that hangs up has seen our 2xx: its ACK was lost or arrives after its BYE.
    if (this.move('CONFIRM')) this.#confirmed('');
    super.onPeerBye(bye);
  }

  /** By CANCEL, or by BYE in the early dialog (RFC 3261, 15). */
  #cancelled(cancel: SipMessage | null): void {
    if (this.state !== 'EARLY') return;
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
