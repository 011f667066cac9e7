/**
 * A request we sent and the responses to it (RFC 3261, 17.1; RFC 6026, 7): retransmits it, filters repeated responses,
 * acknowledges 3xx to 6xx responses to INVITE. The table is the machine; the effects are here.
 */
import type { SipTarget } from '../engine.ts';
import { ackText } from '../message/derived.ts';
import { ownTag, ownText } from '../message/own-text.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientTimer } from '../timers.ts';
import { MAX_UDP_REQUEST_BYTES, overTcp, overUdp, tcpTarget, udpTarget } from '../transport/large-request.ts';
import type { Route } from '../transport/route.ts';
import type { Flow, MessageOwner, SendListener, SendQueue, SendResult } from '../transport/send-queue.ts';
import type { TableSlot } from './client-table.ts';
import { type ClientUser, NO_USER, type NoResponse, type SentRequest } from './client-user.ts';
import type { CompactTransaction, CompactTransactions } from './compact-transactions.ts';
import { CLIENT_ROWS } from './rows.ts';
import type { ClientEvent, ClientState } from './tables.ts';
import { type Timekeeper, Transaction } from './transaction.ts';

/** Distinct responses to one request that are remembered; a peer that sends more must not fill our memory. */
const MAX_REMEMBERED = 64;

/** The way of requests that have several servers, or whose servers must be found first. */
export interface Servers {
  /** Sends a request as soon as its servers are found. */
  start(transaction: ClientTransaction, route: Route): SendResult;
  /** Sends the same request to the next usable server. False: there is none, or it is no longer needed. */
  goOn(from: ClientTransaction, route: Route, text: string, user: ClientUser, reason: string): boolean;
  /** A server that answered 503 is paused for its Retry-After (RFC 3261, 21.5.4). */
  setAside(target: SipTarget, response: SipMessage): void;
  /** One of several servers did not answer a request at all; one did. */
  fellSilent(target: SipTarget): void;
  answers(target: SipTarget): void;
}

export interface ClientLayer extends Timekeeper {
  readonly sendQueue: SendQueue;
  readonly failover: Servers;
  /** Passes a received message and its source to the observer. */
  observe(of: Observed, message: SipMessage, retransmission: boolean, atMs: number, source: SipTarget): void;
  /** It was answered: its place is kept for repetitions, by as little as can be. */
  compact(transaction: ClientTransaction): void;
  /** It has ended. */
  forgetClient(transaction: ClientTransaction): void;
}

export type Observed = { readonly owner: MessageOwner; readonly callId: string };

/** A request in wire text, and the place of its transaction. */
export type NewRequest = { readonly method: string; readonly place: TableSlot; readonly text: string };

export class ClientTransaction
  extends Transaction<ClientState, ClientEvent, ClientTimer, ClientLayer>
  implements SendListener, SentRequest
{
  readonly method: string;
  readonly slot: number;
  readonly use: number;
  readonly owner: MessageOwner;
  callId: string;
  target: SipTarget;
  /** Null: the target is the only one. */
  readonly route: Route | null;
  #user: ClientUser;
  /** Text to retransmit: the request; after a 3xx to 6xx to INVITE, its ACK. */
  #text: string;
  /** 1xx responses so far, to recognize repeated ones. */
  #provisionals: string[] | null = null;
  /** To tags of the final responses so far; forking causes several 2xx. */
  #finalTag: string | null = null;
  #forkTags: string[] | null = null;
  /** Too large for UDP, so under way by TCP. */
  #isLarge = false;
  /** The same, but the peer does not take TCP; '': it does, or is not asked. */
  #tcpRefusal = '';
  #hungUp = '';

  constructor(layer: ClientLayer, { method, place, text }: NewRequest, flow: Flow, user: ClientUser) {
    super(layer, method === 'INVITE' ? CLIENT_ROWS.invite : CLIENT_ROWS.other);
    this.method = method;
    this.slot = place.slot;
    this.use = place.use;
    this.owner = flow.owner;
    this.callId = flow.callId;
    this.target = flow.target;
    // A CANCEL goes where its INVITE went, or nowhere (RFC 3261, 9.1).
    this.route = method === 'CANCEL' ? null : (flow.route ?? null);
    this.#user = user;
    this.#text = text;
  }

  /** Restores a compacted transaction: its answer was repeated. */
  static restore(layer: ClientLayer, compacted: CompactTransaction): ClientTransaction {
    const { method, owner, target } = compacted;
    const request = { method, place: compacted, text: '' };
    const transaction = new ClientTransaction(layer, request, { owner, target, callId: '' }, compacted.user);
    transaction.#finalTag = compacted.tag;
    transaction.resume(method === 'INVITE' ? 'ACCEPTED' : 'COMPLETED', compacted.dueTick);
    return transaction;
  }

  /**
   * Compacts a transaction that only waits for repetitions of one answer, without retransmitting anything, if there is
   * space.
   */
  compact(into: CompactTransactions): boolean {
    const { slot, use, method, owner, target, state, dueTick } = this;
    const user = this.#user;
    const finalTag = this.#finalTag;
    const forkTags = this.#forkTags;
    const isFoldable = state === (method === 'INVITE' ? 'ACCEPTED' : 'COMPLETED') && forkTags === null;
    return isFoldable && into.add({ slot, use, method, owner, target, user, tag: finalTag ?? '', dueTick });
  }

  /**
   * Sends the request; nothing more happens unless it was QUEUED: it is sent, or will be when its servers are found.
   */
  start(): SendResult {
    return this.route === null ? this.send() : this.layer.failover.start(this, this.route);
  }

  /** To where the target is now. */
  send(): SendResult {
    const { sendQueue } = this.layer;
    if (this.#text.length > MAX_UDP_REQUEST_BYTES && this.target.transport === 'UDP') {
      const refusal = sendQueue.tcpRefusal(this.target);
      if (refusal === null) {
        this.#isLarge = true;
        this.#text = overTcp(this.#text);
        this.target = tcpTarget(this.target);
      } else this.#tcpRefusal = refusal;
    }
    const result = sendQueue.sendRequest(this, this.method, this.#text, false, this);
    if (result === 'QUEUED') this.begin();
    return result;
  }

  /** Its destination differs from the one written; nothing of it was sent. */
  readdress(target: SipTarget, text: string): void {
    this.target = target;
    this.#text = text;
    this.#isLarge = false;
  }

  withdraw(): boolean {
    return this.route !== null && !this.route.isFound && this.move('TRANSPORT_ERROR');
  }

  get isOver(): boolean {
    return this.state === 'TERMINATED';
  }

  onLocated(tookMs: number): void {
    this.#user.onLocated?.(this, tookMs);
  }

  get request(): string {
    return this.#finalTag === null ? this.#text : '';
  }

  /** No response at all has come. */
  get isUnanswered(): boolean {
    return this.state === this.initialState;
  }

  get provisionalTexts(): readonly string[] {
    return this.#provisionals ?? [];
  }

  onSent(atMs: number, waitedMs: number): void {
    if (waitedMs > 0) this.#user.onConnectionWait?.(this, waitedMs);
    if (this.#tcpRefusal !== '') this.#user.onSentByUdp?.(this, this.#tcpRefusal, atMs);
    this.#user.onRequestSent(this, atMs);
  }

  receive(response: SipMessage, atMs: number, source: SipTarget): void {
    const status = response.status;
    const repeated = status < 200 ? this.#sawProvisional(response) : this.#sawFinal(response);
    // A restored transaction has none. Our own string is kept: the response's would be a slice, compared character by character.
    if (this.callId === '') this.callId = ownText(response.callId);
    this.layer.observe(this, response, repeated, atMs, source);
    if (this.route !== null && !repeated) this.layer.failover.answers(this.#foundTarget);
    if (!this.move(status < 200 ? 'RESPONSE_1XX' : status < 300 ? 'RESPONSE_2XX' : 'RESPONSE_3XX_6XX')) return;
    if (status === 503 && this.route !== null && !repeated && this.#leaves(this.route, response)) return;
    if (status >= 200) this.#settle(response, status, repeated);
    const isAnswer = status >= 200 && status < 300 && this.method === 'INVITE';
    if (!repeated || isAnswer) this.#user.onResponse(this, response, atMs, repeated);
    else if (status < 200) this.#user.onRepeatedProvisional?.(this);
    // Only a 2xx to INVITE may be followed by something that its user has to see.
    if (status >= 200 && !isAnswer) this.handOver(NO_USER);
  }

  /**
   * The transport could not send it (RFC 3261, 17.1.4), or there was no destination. With a final response it has
   * arrived. `waitedMs`: for a connection that did not open.
   */
  fail(reason: string, cause: NoResponse = 'TRANSPORT', waitedMs = 0): void {
    if (this.#finalTag !== null) return;
    if (waitedMs > 0) this.#user.onConnectionWait?.(this, waitedMs);
    if (this.#isLarge && this.isUnanswered) this.#sendByUdp(reason);
    else if (this.move('TRANSPORT_ERROR')) this.#giveUp(cause, reason, this.layer.clock());
  }

  /** The peer closed the connection in good order: it may answer by one of its own (18.2.2), unless TCP was only tried for the size. */
  onHungUp(reason: string): void {
    if (this.#isLarge && this.isUnanswered) this.#sendByUdp(reason);
    else this.#hungUp = `; ${reason}`;
  }

  abandon(): void {
    this.move('ABANDON');
  }

  handOver(user: ClientUser): void {
    this.#user = user;
    this.layer.compact(this);
  }

  protected override resend(): void {
    this.layer.sendQueue.sendRequest(this, this.method, this.#text, true, null);
  }

  protected override onTimeout(timer: ClientTimer, nowMs: number): void {
    const waiting = this.#finalTag === null;
    const how = this.#isLarge && this.isUnanswered ? this.#silentByTcp() : this.#hungUp;
    this.move(timer);
    if (waiting) this.#giveUp('TIMEOUT', `no final response to ${this.method} within 32 s${how}`, nowMs);
  }

  /** This server does not answer: the next one is tried, or the user is notified. */
  #giveUp(cause: NoResponse, reason: string, atMs: number): void {
    const { route } = this;
    if (route !== null && cause !== 'DNS' && cause !== 'POLICY' && this.#provisionals === null)
      this.layer.failover.fellSilent(this.#foundTarget);
    if (route === null || !this.layer.failover.goOn(this, route, this.#text, this.#user, reason)) {
      this.#user.onNoResponse(this, cause, reason, atMs);
    }
  }

  /** A 503 concerns this server, not all of them (RFC 3263, 4.3). */
  #leaves(route: Route, response: SipMessage): boolean {
    const { failover } = this.layer;
    failover.setAside(this.#foundTarget, response);
    if (!failover.goOn(this, route, this.#text, this.#user, `503 ${response.reason}`)) return false;
    this.#settle(response, response.status, false);
    this.#user = NO_USER;
    return true;
  }

  /** The server as found, by UDP, even if this request was too large for it. */
  get #foundTarget(): SipTarget {
    return this.#isLarge ? udpTarget(this.target) : this.target;
  }

  protected override onTerminated(): void {
    this.layer.forgetClient(this);
  }

  /** After a final response: no more retransmissions, but a 3xx to 6xx to INVITE needs its ACK each time. */
  #settle(response: SipMessage, status: number, repeated: boolean): void {
    this.#provisionals = null;
    if (this.method !== 'INVITE' || status < 300) {
      // Thousands of these wait for timers K and M: they must not hold objects that they do not need.
      this.#text = '';
      this.callId = '';
      return;
    }
    if (!repeated) this.#text = ackText(this.#text, response);
    this.layer.sendQueue.sendRequest(this, 'ACK', this.#text, repeated, null);
  }

  /** Further large requests go by UDP. This one does not: the peer may be working on it. */
  #silentByTcp(): string {
    const { target, layer } = this;
    const text = this.#text;
    layer.sendQueue.noteTcpRefusal(target, `TCP to ${target.address}: no response within 32 s`);
    return `; it went by TCP for its ${text.length} bytes (RFC 3261, 18.1.1), the next such request goes by UDP`;
  }

  /** The peer has no TCP: UDP after all (18.1.1). */
  #sendByUdp(reason: string): void {
    this.layer.sendQueue.noteTcpRefusal(this.target, reason);
    this.#isLarge = false;
    this.#tcpRefusal = reason;
    this.#text = overUdp(this.#text);
    this.target = udpTarget(this.target);
    const result = this.layer.sendQueue.sendRequest(this, this.method, this.#text, false, this);
    if (result === 'QUEUED') this.begin();
    else this.fail(result === 'POLICY' ? 'forbidden' : 'too long for UDP');
  }

  #sawProvisional(response: SipMessage): boolean {
    const seen = this.#provisionals;
    if (seen === null) {
      this.#provisionals = [response.text];
      return false;
    }
    if (seen.includes(response.text)) return true;
    if (seen.length < MAX_REMEMBERED) seen.push(response.text);
    return false;
  }

  #sawFinal(response: SipMessage): boolean {
    const tag = this.method === 'INVITE' ? response.toTag : '';
    if (this.#finalTag === null) {
      this.#finalTag = ownTag(tag);
      return false;
    }
    if (this.#finalTag === tag || this.#forkTags?.includes(tag)) return true;
    this.#forkTags ??= [];
    // A flood of forks: those that cannot be stored are treated like repetitions, with at most an ACK.
    if (this.#forkTags.length === MAX_REMEMBERED) return true;
    this.#forkTags.push(ownTag(tag));
    return false;
  }
}
