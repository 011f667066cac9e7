/** Changes of a session by re-INVITE (RFC 3261, 14), ours and the peer's. */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import { offerBehind } from '@carillon/media/sdp/version.ts';
import { warningLine } from '../../dialog/warning.ts';
import { glareWaitMs } from '../../dialog/within/session-change.ts';
import { Timed } from '../../timer-wheel.ts';
import { type Accepted, type Server, sourceOf } from '../stack.ts';
import { ALLOW, bodyOf, type SessionOwner } from './session-owner.ts';

const MOST_GLARES = 5;

export class SessionChanger extends Timed {
  readonly #call: SessionOwner;
  /** What we offer, '' where the peer is to; null: nothing is under way. */
  #offer: string | null = null;
  #glares = 0;
  /** Our offer to a re-INVITE of the peer's that had none: the ACK answers it. */
  #awaitsAnswer = false;

  constructor(call: SessionOwner) {
    super();
    this.#call = call;
  }

  ask(offer: string, method: 'INVITE' | 'UPDATE'): void {
    const { state } = this.#call;
    if (method === 'UPDATE') this.#refuse(405, 'UPDATE is not known to this engine');
    else if (state !== 'CONFIRMED') this.#refuse(481, 'There is no dialog');
    else if (this.#offer !== null) this.#refuse(491, 'A change of ours is under way');
    else {
      this.#offer = offer;
      this.#glares = 0;
      this.#later(0);
    }
  }

  /** The peer wants another session, or asks for our offer. */
  onOffer(uas: Server): void {
    const call = this.#call;
    const offer = sourceOf(uas.message)?.body ?? '';
    if (call.state !== 'CONFIRMED') {
      uas.reject({ statusCode: 481 });
      return;
    }
    const described = call.describe(offer);
    if (isSdpFault(described)) {
      uas.reject({ statusCode: 488, reasonPhrase: 'Not Acceptable Here', extraHeaders: [warningLine(described)] });
      return;
    }
    // The library puts our Contact into its first 2xx only.
    const body = bodyOf(described);
    uas.accept({
      statusCode: 200,
      extraHeaders: [call.agent.contactLine, ALLOW],
      ...(body === null ? {} : { body }),
    });
    call.local = described;
    this.#awaitsAnswer = offer === '';
    if (offer !== '') this.#changed(described, offer, 'REMOTE', 'PEER');
  }

  onAck(answer: string): void {
    if (!this.#awaitsAnswer) return;
    this.#awaitsAnswer = false;
    if (answer !== '') this.#changed(this.#call.local, answer, 'LOCAL', 'PEER');
  }

  override onDue(): void {
    const call = this.#call;
    if (this.#offer === null || call.session === null || call.state !== 'CONFIRMED') return;
    const versioned = this.#offer === '' ? '' : offerBehind(call.local, this.#offer);
    const offer = isSdpFault(versioned) ? this.#offer : versioned;
    const body = bodyOf(offer);
    const { contactLine } = call.agent;
    try {
      call.session.invite(
        {
          onAccept: (response) => this.#accepted(offer, response),
          onRedirect: ({ message }) => this.#rejected(message),
          onReject: ({ message }) => this.#rejected(message),
        },
        { extraHeaders: [contactLine], ...(body === null ? {} : { body }) },
      );
    } catch {
      // The peer's own change is not through.
      this.#glare();
    }
  }

  stop(): void {
    this.#offer = null;
    this.#call.agent.engine.wheel.clear(this);
  }

  #accepted(offer: string, { message, ack }: Accepted): void {
    const call = this.#call;
    const remote = sourceOf(message)?.body ?? '';
    this.#offer = null;
    if (offer !== '') {
      ack();
      call.local = offer;
      this.#changed(offer, remote, 'LOCAL', 'OWNER');
      return;
    }
    const described = remote === '' ? null : call.describe(remote);
    if (described === null || isSdpFault(described)) {
      ack();
      call.hangUp();
      return;
    }
    const body = bodyOf(described);
    ack(body === null ? {} : { body });
    call.local = described;
    this.#changed(described, remote, 'REMOTE', 'OWNER');
  }

  #rejected(message: object): void {
    const source = sourceOf(message);
    const status = source?.status ?? 408;
    if (status === 491 && this.#glares < MOST_GLARES) {
      this.#glare();
      return;
    }
    this.#offer = null;
    const { receivedAtMs, engine } = this.#call.agent;
    const reason = source?.reason ?? 'no response';
    engine.tell(() => this.#call.events.onSessionRefused?.(status, reason, receivedAtMs));
    this.#call.lostBy(status);
  }

  #glare(): void {
    this.#glares++;
    this.#later(glareWaitMs(this.#call.direction === 'OUTGOING', Math.random()));
  }

  #later(ms: number): void {
    const { wheel, clock } = this.#call.agent.engine;
    wheel.set(this, clock() + ms);
  }

  #refuse(status: number, reason: string): void {
    this.#call.tell((events, atMs) => events.onSessionRefused?.(status, reason, atMs));
  }

  #changed(local: string, remote: string, by: 'LOCAL' | 'REMOTE', asker: 'OWNER' | 'PEER'): void {
    const { engine, receivedAtMs } = this.#call.agent;
    engine.tell(() => this.#call.events.onSessionChanged?.(local, remote, by, receivedAtMs, asker));
  }
}
