/** An endpoint that does one thing other than a call at its planned instant: REGISTER or OPTIONS. */
import type { Cause } from '@carillon/proto';
import type { CallEvents } from '../../../sip/engine.ts';
import { startObstacle } from '../../limits/start-pace.ts';
import { Endpoint } from '../core/endpoint.ts';
import type { EndpointTimer, Starter } from '../core/endpoint-timer.ts';

export abstract class CalllessEndpoint extends Endpoint implements Starter {
  /** Sends its first request. */
  protected abstract begin(): void;

  wouldStart(dueAtMs: number): boolean {
    const { share } = this;
    return this.phase === 'INITIALIZING' && startObstacle(share, dueAtMs) === null && this.#breach === null;
  }

  get #breach(): string | null {
    return this.share.breaker?.obstacle(this.share.nowMs) ?? null;
  }

  onTimer(what: EndpointTimer, plannedAtMs: number): void {
    if (this.isClosed) return;
    if (what === 'CALL') this.#due(plannedAtMs);
    else if (what === 'HANG_UP') this.depart();
  }

  #due(dueAtMs: number): void {
    const { facts } = this.share;
    this.record.planned(dueAtMs);
    facts.planned();
    const breach = this.#breach;
    const obstacle = startObstacle(this.share, dueAtMs);
    if (breach === null && obstacle === null) {
      this.begin();
      return;
    }
    if (breach !== null) facts.heldBack();
    else facts.notStarted();
    this.fail(breach === null ? 'NOT_STARTED' : 'BREAKER_OPEN', breach ?? obstacle ?? '');
    this.depart();
  }

  /**
   * The first byte of its first request was written. The time of DNS and of the connection set-up is not the agent's
   * lateness.
   */
  protected begun(atMs: number): void {
    this.share.facts.started(
      Math.max(0, atMs - this.record.plannedAtMs - this.record.waitedMs(this.record.plannedAtMs)),
    );
  }

  stop(cause: Cause, text: string): void {
    if (this.isClosed || this.phase === 'DISCONNECTING') return;
    if (!this.record.isDone) this.fail(cause, text);
    this.depart();
  }

  onIncomingCall(): CallEvents | null {
    return null;
  }

  onInviteSent(): void {
    // The endpoint sends no INVITE.
  }

  onProvisional(): void {
    // The endpoint sends no INVITE.
  }

  onAnswered(): void {
    // The endpoint sends no INVITE.
  }

  onFailed(): void {
    // The endpoint sends no INVITE.
  }
}
