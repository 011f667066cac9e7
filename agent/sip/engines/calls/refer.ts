/**
 * REFER over the library's dialogs, in both directions (RFC 3515): ours with the peer's reports, and the peer's with
 * ours.
 */
import { isWithoutSubscription, reportOf, SIPFRAG, statusFragment, subscribedMs } from '../../dialog/within/sipfrag.ts';
import { explainedReason } from '../../message/explanation.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { parseUri } from '../../message/uri.ts';
import { headerText } from '../../message/wire-text.ts';
import { Timed } from '../../timer-wheel.ts';
import { type Session, sourceOf } from '../stack.ts';
import { bodyOf, type SessionOwner } from './session-owner.ts';

/** After a 202, time for the first NOTIFY (RFC 6665, 4.1.2.4); after the result, for the last one. */
const FIRST_NOTIFY_MS = 32_000;
const LAST_NOTIFY_MS = 32_000;
/** As long as a call may ring, and the way there. */
const LIFE_SECONDS = 240;

export class ReferralOverSession extends Timed {
  isOver = false;
  #isTold = false;
  #isNotified = false;
  /** Of our REFER; null: the stack has not shown it yet. */
  #cseq: number | null = null;
  readonly #call: SessionOwner;

  constructor(call: SessionOwner, session: Session, targetUri: string) {
    super();
    this.#call = call;
    const { contactLine, fromValue } = call.agent;
    const lines = [contactLine, `Refer-To: <${headerText(targetUri)}>`, `Referred-By: ${fromValue}`];
    const refused = ({ message }: { message: object }): void => {
      const source = sourceOf(message);
      this.#tell(source?.status ?? 408, source === null ? 'no response' : explainedReason(source), true);
      this.stop();
      if (source === null || source.status === 481) call.hangUp();
    };
    session.refer(
      {
        onAccept: ({ message }) => {
          if (this.isOver) return;
          const source = sourceOf(message);
          // The peer accepts it without a subscription (RFC 4488, 4): no further information will come.
          const isSilent = source !== null && isWithoutSubscription(source);
          this.#cseq = source?.cseq ?? null;
          // A NOTIFY may come before the 202 (RFC 6665, 4.1.2.4).
          if (!isSilent && this.#isNotified) return;
          this.#tell(source?.status ?? 202, source?.reason ?? 'Accepted', isSilent);
          if (isSilent) this.stop();
          else this.#wait(FIRST_NOTIFY_MS);
        },
        onRedirect: refused,
        onReject: refused,
      },
      { extraHeaders: lines },
    );
  }

  /** Whether a NOTIFY with this `id` is ours. (RFC 3515, 2.4.6: the first one may lack it.) */
  isFor(id: string | null): boolean {
    return !this.isOver && (id === null || this.#cseq === null || id === String(this.#cseq));
  }

  onNotify(request: SipMessage, atMs: number): void {
    const { status, reason, isResult, isLast, expires } = reportOf(request);
    this.#isNotified = true;
    if (!isLast) this.#wait(isResult || this.#isTold ? LAST_NOTIFY_MS : subscribedMs(expires));
    if (isResult || status !== 0) this.#tell(status, reason, isResult, atMs);
    if (isLast) this.stop();
  }

  /** The result is not known yet. */
  get isPending(): boolean {
    return !this.isOver && !this.#isTold;
  }

  override onDue(): void {
    this.#tell(0, 'the peer stopped sending NOTIFY', true);
    this.stop();
  }

  /** The stack has forgotten the dialog with the call. */
  lose(): void {
    this.#tell(0, 'the engine keeps no dialog after BYE', true);
    this.stop();
  }

  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#call.agent.engine.wheel.clear(this);
    this.#call.onUsageOver();
  }

  #wait(ms: number): void {
    const { wheel, clock } = this.#call.agent.engine;
    if (!this.isOver) wheel.set(this, clock() + ms);
  }

  #tell(status: number, reason: string, final: boolean, atMs = this.#call.agent.engine.clock()): void {
    if (!this.isPending) return;
    this.#isTold = final;
    this.#call.agent.engine.tell(() => this.#call.events.onReferProgress?.(status, reason, final, atMs));
  }
}

export class ReferredOverSession extends Timed {
  isOver = false;
  readonly #call: SessionOwner;
  readonly #session: Session;
  readonly #cseq: number;

  /** After the 202: the first NOTIFY follows immediately (RFC 3515, 2.4.4). */
  constructor(call: SessionOwner, session: Session, cseq: number) {
    super();
    this.#call = call;
    this.#session = session;
    this.#cseq = cseq;
    const { wheel, clock } = call.agent.engine;
    wheel.set(this, clock() + LIFE_SECONDS * 1000);
    this.#notify(100, 'Trying', `active;expires=${LIFE_SECONDS}`);
  }

  /** The single SIP URI of Refer-To (2.4.2); null: there is none. */
  static targetOf(request: SipMessage | null): string | null {
    const [value, ...others] = request?.headerMembers('refer-to') ?? [];
    const uri = others.length === 0 && value !== undefined ? (parseNameAddress(value)?.uri ?? '') : '';
    return typeof parseUri(uri) === 'string' ? null : uri;
  }

  tell(status: number, reason: string): void {
    if (this.isOver) return;
    this.#notify(status, reason, status >= 200 ? 'terminated;reason=noresource' : `active;expires=${LIFE_SECONDS}`);
    if (status >= 200) this.stop();
  }

  override onDue(): void {
    if (this.isOver) return;
    this.#notify(408, 'Request Timeout', 'terminated;reason=timeout');
    this.stop();
  }

  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#call.agent.engine.wheel.clear(this);
    this.#call.onUsageOver();
  }

  #notify(status: number, reason: string, state: string): void {
    if (this.#call.state !== 'CONFIRMED' && this.#session.forget === undefined) return;
    const lines = [this.#call.agent.contactLine, `Event: refer;id=${this.#cseq}`, `Subscription-State: ${state}`];
    const body = bodyOf(statusFragment(status, reason), SIPFRAG, 'render');
    const refused = (): void => this.stop();
    this.#session.notify({ onReject: refused }, { extraHeaders: lines, ...(body === null ? {} : { body }) });
  }
}
