/** One OPTIONS outside any dialog (RFC 3261, 11.1): availability and response time of the server. */
import type { CallAgent } from '../dialog/call-agent.ts';
import { unsent } from '../dialog/dialog-request.ts';
import { Authorization } from '../digest/authorization.ts';
import type { PingEvents, SipFailure, SipTarget } from '../engine.ts';
import { beginning, ending, requestText, SUPPORTED_BODY } from '../message/build.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { Timed } from '../timer-wheel.ts';
import type { ClientUser, NoResponse, SentRequest } from '../transaction/client-user.ts';
import { type Hop, Route } from '../transport/route.ts';
import type { Flow, MessageOwner } from '../transport/send-queue.ts';

const ACCEPT = `Accept: ${SUPPORTED_BODY}\r\n`;

export class Ping extends Timed implements ClientUser, Flow {
  readonly owner: MessageOwner;
  readonly callId: string;
  readonly #hop: Hop;
  readonly #agent: CallAgent;
  readonly #uri: string;
  readonly #identity: string;
  readonly #authorization: Authorization;
  readonly #onOver: (ping: Ping) => void;
  /** Null: it is over. */
  #events: PingEvents | null;
  #cseq = 0;
  #sentTold = false;
  /** Reported in the next turn: the user's call must return first. */
  #failure: SipFailure | null = null;

  /** `onOver`: no more events. */
  constructor(agent: CallAgent, uri: string, hop: Hop, events: PingEvents, onOver: (ping: Ping) => void) {
    super();
    this.#agent = agent;
    this.owner = agent;
    this.#uri = uri;
    this.#hop = hop;
    this.#events = events;
    this.#onOver = onOver;
    this.#authorization = new Authorization(agent.credentials);
    this.callId = agent.identifiers.callId();
    const from = agent.fromHead + agent.identifiers.tag();
    this.#identity = `${agent.routeLine}${from}\r\nTo: <${uri}>\r\nCall-ID: ${this.callId}\r\n`;
  }

  get route(): Route | null {
    return this.#hop instanceof Route ? this.#hop : null;
  }

  get target(): SipTarget {
    return this.#hop instanceof Route ? this.#hop.target : this.#hop;
  }

  send(): void {
    const { headers, layer } = this.#agent;
    const { target } = this;
    const place = layer.reserve();
    this.#cseq++;
    const lines = `${headers.contact}${ACCEPT}${this.#authorization.headers('OPTIONS', this.#uri, '')}${headers.plain}`;
    const text = requestText(
      beginning('OPTIONS', this.#uri, headers.via[target.transport]),
      layer.branchOf(place),
      this.#identity,
      ending('OPTIONS', this.#cseq, lines),
    );
    const result = layer.request('OPTIONS', place, text, this, this);
    if (typeof result === 'string') this.refuse(unsent(result, target.address, layer.clock()));
  }

  /** Ends one that cannot be sent. */
  refuse(failure: SipFailure): void {
    this.#failure = failure;
    this.#agent.layer.wheel.set(this, this.#agent.layer.clock());
  }

  /** No more events. */
  drop(): void {
    this.#events = null;
    this.#agent.layer.wheel.clear(this);
  }

  /** The engine closes. */
  abort(atMs: number): void {
    this.#fail(this.#failure ?? { kind: 'TRANSPORT', status: null, reason: 'the engine was closed', atMs });
  }

  override onDue(): void {
    if (this.#failure !== null) this.#fail(this.#failure);
  }

  onRequestSent(_transaction: SentRequest, atMs: number): void {
    if (this.#sentTold) return;
    this.#sentTold = true;
    this.#events?.onPingSent(atMs);
  }

  onResponse(_transaction: SentRequest, response: SipMessage, atMs: number): void {
    const { status, reason } = response;
    if (status < 200 || this.#events === null) return;
    if ((status === 401 || status === 407) && this.#authorization.accept(response) === null) this.send();
    else this.#end()?.onPingAnswered(status, reason, atMs);
  }

  onNoResponse(_transaction: SentRequest, kind: NoResponse, reason: string, atMs: number): void {
    this.#fail({ kind, status: null, reason, atMs });
  }

  wantsAnother(): boolean {
    return this.#events !== null;
  }

  onLocated(_transaction: SentRequest, tookMs: number): void {
    this.#events?.onLocated?.(tookMs);
  }

  onConnectionWait(_transaction: SentRequest, waitedMs: number): void {
    this.#events?.onConnectionWait?.(waitedMs);
  }

  onSentByUdp({ method }: SentRequest, reason: string, atMs: number): void {
    this.#events?.onSentByUdp?.(method, reason, atMs);
  }

  /** Another server's challenge does not mean that this one refused. */
  onFailover(from: SentRequest, to: SentRequest, reason: string, atMs: number): void {
    this.#authorization.begin();
    this.#events?.onFailover?.(to.method, from.target, to.target, reason, atMs);
  }

  #fail(failure: SipFailure): void {
    this.#end()?.onPingFailed(failure);
  }

  #end(): PingEvents | null {
    const events = this.#events;
    this.drop();
    this.#onOver(this);
    return events;
  }
}
