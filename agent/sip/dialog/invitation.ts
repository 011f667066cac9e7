/**
 * The INVITE of an outgoing call as it is sent, and sent again: with credentials, for a longer session, to another target
 * (RFC 3261, 8.1.3 and 22.2; RFC 4028, 7.3). One Call-ID, From and To throughout; the CSeq counts on.
 */
import type { Authorization } from '../digest/authorization.ts';
import type { SipTarget } from '../engine.ts';
import { beginning, ending, requestText } from '../message/build.ts';
import { inOnePiece } from '../message/own-text.ts';
import { rememberLast } from '../message/remember-last.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { type Hop, Route } from '../transport/route.ts';
import type { Flow, MessageOwner } from '../transport/send-queue.ts';
import type { CallAgent } from './call-agent.ts';
import { type CallIdentity, Dialog } from './dialog.ts';
import type { NextTarget } from './redirects.ts';
import { extensionLines } from './within/session-expires.ts';

/**
 * Limit per target: a server that challenges each INVITE, or finds each interval too short, would keep us calling
 * forever.
 */
const MAX_INVITES = 8;

/** To, between the end of From and the Call-ID: equal for all calls of a load. */
const toLine = rememberLast((uri) => inOnePiece(`\r\nTo: <${uri}>\r\nCall-ID: `));

/** `targetUri` is a checked URI in wire text without headers, `askedLines` its header lines, `hop` where it goes. */
export type CallDestination = { readonly targetUri: string; readonly askedLines: string; readonly hop: Hop };

export class Invitation implements Flow {
  readonly owner: MessageOwner;
  readonly callId: string;
  /** The called URI; after a redirect it differs from To. */
  targetUri: string;
  cseq = 0;
  /** The header lines of the last INVITE's credentials: its ACK carries the same. */
  credentials = '';
  readonly #agent: CallAgent;
  readonly #localTag: string;
  /** The From line, without its end. */
  readonly #from: string;
  /** The text from the end of From to the Call-ID. */
  readonly #to: string;
  #hop: Hop;
  /** The Route of the present target; '' without a route set. */
  #routeLine: string;
  /** Header lines from the target's URI (RFC 3261, 19.1.5). */
  readonly #askedLines: string;
  /** Sent to the present target. */
  #sent = 0;
  /** The peer's Min-SE, of a 422. */
  #minSeconds = 0;

  constructor(agent: CallAgent, { callId, localTag }: CallIdentity, { targetUri, askedLines, hop }: CallDestination) {
    this.#agent = agent;
    this.owner = agent;
    this.callId = callId;
    this.#localTag = localTag;
    this.#hop = hop;
    this.targetUri = targetUri;
    this.#askedLines = askedLines;
    this.#from = agent.fromHead + localTag;
    this.#to = toLine(targetUri);
    this.#routeLine = agent.routeLine;
  }

  /** After a failover, and for the rest of this call, the server of the last INVITE. */
  get target(): SipTarget {
    return this.#hop instanceof Route ? this.#hop.target : this.#hop;
  }

  get route(): Route | null {
    return this.#hop instanceof Route ? this.#hop : null;
  }

  get mayBeSentAgain(): boolean {
    return this.#sent < MAX_INVITES;
  }

  /** Why it is not, after a challenge. */
  get exhausted(): string {
    return `to ${MAX_INVITES} INVITEs`;
  }

  /** The next INVITE; `offer` is its body. */
  compose(branch: string, authorization: Authorization | null, offer: string): string {
    const { headers, signalling } = this.#agent;
    this.cseq++;
    this.#sent++;
    this.credentials = authorization?.headers('INVITE', this.targetUri, offer) ?? '';
    const extensions = extensionLines(signalling, this.#minSeconds, headers.session);
    const lines = this.#askedLines + this.credentials + extensions + headers.invite;
    return requestText(
      beginning('INVITE', this.targetUri, headers.via[this.target.transport]),
      branch,
      `${this.#routeLine}${this.#from}${this.#to}${this.callId}\r\n`,
      ending('INVITE', this.cseq, lines, offer),
    );
  }

  /** Another target has its turn (RFC 3261, 8.1.3.4). */
  redirect({ requestUri, route, hop }: NextTarget): void {
    this.#routeLine = route || this.#agent.routeLine;
    this.targetUri = requestUri;
    this.#hop = hop;
    this.#sent = 0;
    this.#agent.speak(this.target.transport);
  }

  /** Sets a longer session interval (422); false: it was already that long, or there were too many INVITEs. */
  lengthen(least: number): boolean {
    if (this.#agent.signalling.sessionTimer === null || least <= this.#minSeconds || !this.mayBeSentAgain) return false;
    this.#minSeconds = least;
    return true;
  }

  dialogOf(response: SipMessage): Dialog {
    const local = { tag: this.#localTag, cseq: this.cseq };
    const { owner, callId } = this;
    const from = this.#from;
    return Dialog.ofCaller(response, { owner, callId, from, local }, this.targetUri, this.target);
  }
}
