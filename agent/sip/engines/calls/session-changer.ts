/**
 * Session changes by re-INVITE (RFC 3261, 14) and UPDATE (RFC 3311), ours and the peer's; session refreshes (RFC 4028).
 */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import { offerBehind } from '@carillon/media/sdp/version.ts';
import { allowsUpdate } from '../../dialog/dialog.ts';
import { warningLine } from '../../dialog/warning.ts';
import { glareWaitMs } from '../../dialog/within/session-change.ts';
import { isTooShort, minSeOf } from '../../dialog/within/session-expires.ts';
import type { SessionAsker } from '../../engine.ts';
import { explainedReason } from '../../message/explanation.ts';
import { Timed } from '../../timer-wheel.ts';
import { type Accepted, type Received, type Server, sourceOf } from '../stack.ts';
import { bodyOf, type SessionOwner } from './session-owner.ts';
import { termLines, tooShort } from './session-time.ts';

const MAX_GLARES = 5;
/** A limit for a 422 that asks for more each time. */
const MAX_TOO_SHORT = 5;
const MAX_RETRY_SECONDS = 10;

type Method = 'INVITE' | 'UPDATE';

/** A change by us. `offer` '': the peer sends the offer (re-INVITE), or nothing changes (UPDATE). */
class Change {
  readonly method: Method;
  offer: string;
  readonly isRefresh: boolean;
  isSent = false;
  glares = 0;
  tooShort = 0;

  constructor(method: Method, offer: string, isRefresh: boolean) {
    this.method = method;
    this.offer = offer;
    this.isRefresh = isRefresh;
  }

  /** The peer is asked to agree to something. */
  get hasOffer(): boolean {
    return this.offer !== '' || this.method === 'INVITE';
  }

  get askedBy(): SessionAsker {
    return this.isRefresh ? 'TIMER' : 'OWNER';
  }
}

export class SessionChanger extends Timed {
  readonly #call: SessionOwner;
  #change: Change | null = null;
  /** The owner's, which waits for a refresh. */
  #next: Change | null = null;
  /** Our offer in the answer to the peer's re-INVITE without one: the ACK answers it. */
  #awaitsAnswer = false;

  constructor(call: SessionOwner) {
    super();
    this.#call = call;
  }

  ask(offer: string, method: Method): void {
    const { state, session, peerUpdates } = this.#call;
    const isUpdate = method === 'UPDATE';
    if (state !== 'CONFIRMED') this.#refuse(481, 'There is no dialog');
    else if (isUpdate && session?.update === undefined) this.#refuse(405, 'UPDATE is not known to this engine');
    else if (isUpdate && peerUpdates === false) this.#refuse(405, "the peer's Allow has no UPDATE");
    else if (this.#next !== null || this.#change?.isRefresh === false)
      this.#refuse(491, 'Our own change is in progress');
    else this.#begin(new Change(method, offer, false));
  }

  /** Restarts the session interval; false: a change is pending. */
  refresh(method: Method): boolean {
    const { state, local } = this.#call;
    if (this.#change !== null || state !== 'CONFIRMED') return false;
    this.#begin(new Change(method, method === 'UPDATE' ? '' : local, true));
    return true;
  }

  /** The peer wants a changed session, a refresh, or our offer. */
  onRequest(uas: Server, method: Method): void {
    const call = this.#call;
    const request = sourceOf(uas.message);
    const offer = request?.sdp ?? '';
    const isInvite = method === 'INVITE';
    if (request === null || call.state === 'ENDING' || call.state === 'ENDED') {
      uas.reject({ statusCode: 481 });
      return;
    }
    if (call.state !== 'CONFIRMED') {
      // Our 2xx waits for its ACK: a peer asks again later, at a random time (RFC 3261, 14.2).
      const seconds = Math.floor(Math.random() * (MAX_RETRY_SECONDS + 1));
      uas.reject({ statusCode: 500, extraHeaders: [`Retry-After: ${seconds}`] });
      return;
    }
    const isPending = this.#change?.isSent === true && this.#change.hasOffer;
    if ((isPending || this.#awaitsAnswer) && (isInvite || offer !== '')) {
      uas.reject({ statusCode: 491 });
      return;
    }
    const terms = call.time.termsFor(request);
    if (isTooShort(terms)) {
      uas.reject(tooShort(terms));
      return;
    }
    const described = offer !== '' || isInvite ? call.describe(offer) : '';
    if (isSdpFault(described)) {
      uas.reject({ statusCode: 488, reasonPhrase: 'Not Acceptable Here', extraHeaders: [warningLine(described)] });
      return;
    }
    // The library puts our Contact into its first 2xx only.
    const { contactLine, allowLine, receivedAtMs, engine } = call.agent;
    const body = bodyOf(described);
    uas.accept({
      statusCode: 200,
      extraHeaders: [contactLine, allowLine, ...termLines(terms)],
      ...(body === null ? {} : { body }),
    });
    call.peerUpdates = allowsUpdate(request) ?? call.peerUpdates;
    if (described !== '') call.local = described;
    if (isInvite) this.#awaitsAnswer = offer === '';
    if (terms !== null) {
      call.time.promise(terms);
      engine.tell(() => call.events.onSessionRefreshed?.('REMOTE', receivedAtMs, offer === '' && !isInvite));
    }
    if (offer !== '') this.#changed(described, offer, 'REMOTE', 'PEER');
  }

  onAck(answer: string): void {
    if (!this.#awaitsAnswer) return;
    this.#awaitsAnswer = false;
    if (answer !== '') this.#changed(this.#call.local, answer, 'LOCAL', 'PEER');
  }

  override onDue(): void {
    const call = this.#call;
    const { session } = call;
    const change = this.#change;
    if (change === null || session === null || call.state !== 'CONFIRMED') return;
    if (this.#awaitsAnswer && change.hasOffer) {
      this.#glare(change);
      return;
    }
    if (change.offer !== '' && !change.isRefresh) {
      const versioned = offerBehind(call.local, change.offer);
      if (!isSdpFault(versioned)) change.offer = versioned;
    }
    const { contactLine } = call.agent;
    const body = bodyOf(change.offer);
    const heard = {
      onAccept: (response: Received) => this.#accepted(change, response),
      onRedirect: ({ message }: Received) => this.#rejected(change, message),
      onReject: ({ message }: Received) => this.#rejected(change, message),
    };
    const options = {
      extraHeaders: [contactLine, ...call.time.requestLines],
      ...(body === null ? {} : { body }),
    };
    try {
      if (change.method === 'INVITE') session.invite(heard, options);
      else session.update?.(heard, options);
      change.isSent = true;
    } catch {
      // The peer's own change is not through.
      this.#glare(change);
    }
  }

  stop(): void {
    this.#change = null;
    this.#next = null;
    this.#call.agent.engine.wheel.clear(this);
  }

  #begin(change: Change): void {
    if (this.#change === null) {
      this.#change = change;
      this.#later(0);
    } else this.#next = change;
  }

  #over(): void {
    this.#change = null;
    const next = this.#next;
    this.#next = null;
    if (next !== null) this.#begin(next);
  }

  #accepted(change: Change, response: Received): void {
    const call = this.#call;
    const source = sourceOf(response.message);
    const remote = source?.sdp ?? '';
    const isDelayed = change.method === 'INVITE' && change.offer === '';
    const described = isDelayed && remote !== '' ? call.describe(remote) : '';
    const isLost = isDelayed && (described === '' || isSdpFault(described));
    if (change.method === 'INVITE') {
      const body = isSdpFault(described) ? null : bodyOf(described);
      (response as Accepted).ack(body === null ? {} : { body });
    }
    if (this.#change !== change) return;
    this.#over();
    if (source !== null) this.#timed(change, source);
    if (isLost || isSdpFault(described)) {
      call.hangUp();
    } else if (isDelayed) {
      call.local = described;
      this.#changed(described, remote, 'REMOTE', change.askedBy);
    } else if (change.offer !== '' && remote !== '') {
      call.local = change.offer;
      this.#changed(change.offer, remote, 'LOCAL', change.askedBy);
    } else if (change.offer !== '' && !change.isRefresh) this.#refuse(488, 'the 2xx has no answer to our offer');
  }

  /** The session interval of a 2xx. */
  #timed(change: Change, response: NonNullable<ReturnType<typeof sourceOf>>): void {
    const call = this.#call;
    const { engine, receivedAtMs } = call.agent;
    call.peerUpdates = allowsUpdate(response) ?? call.peerUpdates;
    if (!call.time.keep(response)) return;
    engine.tell(() => call.events.onSessionRefreshed?.('LOCAL', receivedAtMs, !change.hasOffer));
  }

  #rejected(change: Change, message: object): void {
    const call = this.#call;
    const source = sourceOf(message);
    const status = source?.status ?? 408;
    if (this.#change !== change) return;
    change.isSent = false;
    if (status === 491 && change.glares < MAX_GLARES) {
      this.#glare(change);
      return;
    }
    if (status === 422 && source !== null && change.tooShort++ < MAX_TOO_SHORT && call.time.lengthen(minSeOf(source))) {
      this.#later(0);
      return;
    }
    if (change.method === 'UPDATE' && (status === 405 || status === 501)) call.peerUpdates = false;
    this.#over();
    const { receivedAtMs, engine } = call.agent;
    const reason = source === null ? 'no response' : explainedReason(source);
    if (!change.isRefresh) engine.tell(() => call.events.onSessionRefused?.(status, reason, receivedAtMs));
    else if (status === 408 || status === 481) engine.tell(() => call.events.onSessionExpired?.(receivedAtMs));
    else call.time.onRefused(status);
    call.lostBy(status);
  }

  #glare(change: Change): void {
    change.glares++;
    if (change.glares > MAX_GLARES) {
      this.#over();
      if (change.isRefresh) this.#call.time.onRefused(491);
      else this.#refuse(491, 'the peer is changing the session');
      return;
    }
    this.#later(glareWaitMs(this.#call.direction === 'OUTGOING', Math.random()));
  }

  #later(ms: number): void {
    const { wheel, clock } = this.#call.agent.engine;
    wheel.set(this, clock() + ms);
  }

  #refuse(status: number, reason: string): void {
    this.#call.tell((events, atMs) => events.onSessionRefused?.(status, reason, atMs));
  }

  #changed(local: string, remote: string, by: 'LOCAL' | 'REMOTE', asker: SessionAsker): void {
    const { engine, receivedAtMs } = this.#call.agent;
    engine.tell(() => this.#call.events.onSessionChanged?.(local, remote, by, receivedAtMs, asker));
  }
}
