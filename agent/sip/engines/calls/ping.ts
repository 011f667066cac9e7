/** One OPTIONS outside any dialog (RFC 3261, 11.1). */
import type { Authorization } from '../../digest/authorization.ts';
import type { PingEvents, SipTarget } from '../../engine.ts';
import { type Loss, type RequestSender, type StackAgent, sourceOf } from '../stack.ts';

export class StackPing implements RequestSender {
  readonly callId: string;
  readonly authorization: Authorization;
  readonly #agent: StackAgent;
  readonly #target: string;
  readonly #events: PingEvents;
  #isSent = false;
  #isOver = false;
  #loss: Loss | null = null;

  constructor(agent: StackAgent, target: string, events: PingEvents) {
    this.#agent = agent;
    this.#target = target;
    this.#events = events;
    this.callId = agent.engine.identifiers.callId();
    this.authorization = agent.newAuthorization();
  }

  start(): void {
    const { engine, routeSet, contactLine } = this.#agent;
    this.#agent.attach(this);
    const over = ({ message }: { message: object }): void => this.#answered(message);
    const parts = {
      callId: this.callId,
      cseq: 1,
      fromTag: engine.identifiers.tag(),
      routes: routeSet,
      lines: [contactLine, 'Accept: application/sdp'],
      body: null,
    };
    this.#agent.request('OPTIONS', this.#target, parts, { onAccept: over, onRedirect: over, onReject: over });
  }

  refuse(reason: string): void {
    this.#fail({ kind: 'TRANSPORT', reason }, this.#agent.engine.clock());
  }

  onSent(_method: string, atMs: number): void {
    if (this.#isSent) return;
    this.#isSent = true;
    this.#agent.engine.tell(() => this.#events.onPingSent(atMs));
  }

  onLocated(tookMs: number): void {
    this.#events.onLocated?.(tookMs);
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    this.#events.onFailover?.('OPTIONS', from, to, reason, atMs);
  }

  onLost(loss: Loss): void {
    this.#loss = loss;
  }

  /** No more events: the user agent is closed. */
  silence(): void {
    this.#end();
  }

  abort(atMs: number): void {
    this.#fail({ kind: 'TRANSPORT', reason: 'the engine was closed' }, atMs);
  }

  #answered(message: object): void {
    const source = sourceOf(message);
    const { engine, receivedAtMs } = this.#agent;
    if (source === null) {
      this.#fail(this.#loss ?? { kind: 'TIMEOUT', reason: 'no response within 32 s' }, engine.clock());
      return;
    }
    if (!this.#end()) return;
    const { status, reason } = source;
    engine.tell(() => this.#events.onPingAnswered(status, reason, receivedAtMs));
  }

  #fail(loss: Loss | { readonly kind: 'TIMEOUT'; readonly reason: string }, atMs: number): void {
    if (!this.#end()) return;
    this.#agent.engine.tell(() => this.#events.onPingFailed({ ...loss, status: null, atMs }));
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#agent.detach(this);
    return true;
  }
}
