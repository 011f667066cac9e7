/**
 * A dialog (RFC 3261, 12): its ends, the route of requests, and its sequence numbers. Most dialogs send two requests: it
 * stores what they are put together from, not the lines themselves, which would be memory of each call that is up.
 */
import type { SipTarget } from '../engine.ts';
import { parseNameAddress } from '../message/name-address.ts';
import { inOnePiece, ownTag, ownText } from '../message/own-text.ts';
import { rememberPiece } from '../message/remember-last.ts';
import { membersOf, parameter, unfold } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';
import { Connection } from '../transport/connection.ts';
import { nextHop, routeTo } from '../transport/next-hop.ts';
import { isSame, type Route } from '../transport/route.ts';
import type { Flow, MessageOwner } from '../transport/send-queue.ts';
import { isWebSocket } from '../transport/web-socket-line.ts';
import type { AnswerRepeater } from './answer-repeater.ts';

const NO_CSEQ = -1;

/** A call's own part of its dialog. */
export type CallIdentity = { readonly callId: string; readonly localTag: string };

/** Our part of a dialog; `from` is our From line without its end. */
export type OwnPart = {
  readonly owner: MessageOwner;
  readonly callId: string;
  readonly from: string;
  readonly local: { readonly tag: string; readonly cseq: number };
};

export class Dialog implements Flow {
  readonly owner: MessageOwner;
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** CSeq of our last request. */
  localCseq: number;
  /** CSeq of the peer's last request, -1 before its first. */
  remoteCseq = NO_CSEQ;
  requestUri = '';
  /** The route, if its next hop is a name. */
  route: Route | null = null;
  /** Whether the peer's Allow has UPDATE. Null: it sent none. */
  peerUpdates: boolean | null = null;
  /** Our 2xx to an INVITE of the peer, while its ACK is missing. */
  unacknowledged: AnswerRepeater | null = null;
  #routes: readonly string[];
  #routeLine = '';
  /** Our From line and the peer's value, for our requests. */
  readonly #from: string;
  readonly #to: string;
  /** The source of the next hop. */
  #headUri: string | null = null;
  /** The place for requests whose next hop is found nowhere: the way of the INVITE. */
  readonly #fallback: SipTarget;
  #address: SipTarget;
  /** The peer's Contact. */
  #contact = '';
  /** The connection that the peer's INVITE came by. */
  #came: Connection | null = null;

  private constructor(
    { owner, callId, from, local }: OwnPart,
    peer: { readonly tag: string; readonly value: string },
    routes: readonly string[],
    fallback: SipTarget,
  ) {
    this.owner = owner;
    this.callId = callId;
    this.localTag = local.tag;
    this.remoteTag = peer.tag;
    this.localCseq = local.cseq;
    this.#from = from;
    this.#to = peer.value;
    this.#routes = routes;
    this.#fallback = fallback;
    this.#address = fallback;
  }

  /**
   * The dialog of a 2xx to our INVITE: the route set is its Record-Route in reverse (12.1.2).
   * `fallback` is where requests go while host names cannot be resolved: the way the INVITE went.
   */
  static ofCaller(response: SipMessage, own: OwnPart, invitedUri: string, fallback: SipTarget): Dialog {
    const peer = { tag: ownTag(response.toTag), value: inOnePiece(response.to) };
    const dialog = new Dialog(own, peer, routesOf(response), fallback);
    dialog.peerUpdates = allowsUpdate(response);
    dialog.retarget(contactOf(response) ?? invitedUri);
    return dialog;
  }

  /** A dialog by an INVITE that we received: the route set is its Record-Route in order (12.1.1). */
  static ofCallee(
    request: SipMessage,
    { owner, callId, localTag }: CallIdentity & { readonly owner: MessageOwner },
    contact: string,
    source: SipTarget,
    fallback = source,
  ): Dialog {
    const routes = request.hasRecordRoute ? request.headerMembers('record-route') : NO_ROUTES;
    const from = `From: ${request.to};tag=${localTag}`;
    const local = { tag: localTag, cseq: Math.floor(Math.random() * 10_000) };
    const peer = { tag: ownText(request.fromTag), value: request.from };
    const dialog = new Dialog({ owner, callId, from, local }, peer, routes, fallback);
    if (source instanceof Connection) dialog.#came = source;
    dialog.remoteCseq = request.cseq;
    dialog.peerUpdates = allowsUpdate(request);
    dialog.retarget(contact);
    return dialog;
  }

  /** The 2xx to the INVITE that created this as an early dialog: its route set counts (13.2.2.4). */
  confirm(response: SipMessage): void {
    this.#routes = routesOf(response);
    this.peerUpdates = allowsUpdate(response) ?? this.peerUpdates;
    this.retarget(contactOf(response) ?? this.#contact);
  }

  /** A target refresh (12.2), where the peer's message has a Contact. */
  refresh(message: SipMessage): void {
    const contact = contactOf(message);
    if (contact !== null) this.retarget(contact);
  }

  /** The peer's Contact is another. The route set never is. */
  retarget(contactUri: string): void {
    this.#contact = contactUri;
    const first = this.#routes[0];
    if (first === undefined) {
      this.requestUri = contactUri;
      this.#head(contactUri);
      return;
    }
    const routeUri = parseNameAddress(first)?.uri ?? first;
    const isLoose = parameter(routeUri, 0, routeUri.length, 'lr') !== null;
    // A strict router wants to be the Request-URI; the target moves to the end of the route set (12.2.1.1).
    this.requestUri = isLoose ? contactUri : ownText(routeUri);
    const routes = isLoose ? this.#routes : [...this.#routes.slice(1), `<${contactUri}>`];
    this.#routeLine = `Route: ${routes.join(', ')}\r\n`;
    this.#head(routeUri);
  }

  /** Route, From, To and Call-ID lines: the start of a request in the dialog after its Request-URI (12.2.1.1). */
  get identity(): string {
    return `${this.#routeLine}${this.#from}\r\nTo: ${this.#to}\r\nCall-ID: ${this.callId}\r\n`;
  }

  get target(): SipTarget {
    if (this.route !== null) return this.route.target;
    const address = this.#address;
    const came = this.#came;
    const isThere = came !== null && !came.isClosed && isSame(came, address);
    return isThere ? came : address;
  }

  /** A refresh without changes keeps the server that was found. */
  #head(uri: string): void {
    if (uri === this.#headUri) return;
    this.#headUri = uri;
    // A client on a WebSocket has no other way than its server, and nobody but that server has a way to it (RFC 7118, 5).
    if (isWebSocket(this.#fallback.transport) || OF_WEB_SOCKET.test(uri)) {
      this.#address = this.#fallback;
      this.route = null;
      return;
    }
    const hop = nextHop(uri);
    this.#address = typeof hop === 'string' ? this.#fallback : hop;
    this.route = typeof hop === 'string' ? routeTo(uri, this.#fallback) : null;
  }
}

const NO_ROUTES: readonly string[] = [];
const OF_WEB_SOCKET = /;transport=wss?(?![\w-])/i;

/** The caller's, in reverse (12.1.2). */
const routesOf = (response: SipMessage): readonly string[] =>
  response.hasRecordRoute ? response.headerMembers('record-route').toReversed() : NO_ROUTES;

/** Whether the sender's Allow has UPDATE (RFC 3311, 4). Null: it sent none. */
function allowsUpdate(message: SipMessage): boolean | null {
  const first = message.header('allow');
  if (first === null) return null;
  return first.includes('UPDATE') || message.headerMembers('allow').includes('UPDATE');
}

/** URI of the first Contact, null if none is usable. */
export function contactOf(message: SipMessage): string | null {
  if (message.contactEnd === 0) return null;
  return contactUri(message.text, message.contactAt, message.contactEnd);
}

const contactUri = rememberPiece((value) => {
  const contact = parseNameAddress(membersOf(unfold(value))[0] ?? '');
  return contact === null || typeof parseUri(contact.uri) === 'string' ? null : ownText(contact.uri);
});
