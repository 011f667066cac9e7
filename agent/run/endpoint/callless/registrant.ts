/** An endpoint that registers, stays registered for as long as a call would last, and un-registers. */
import type { SipFailure } from '../../../sip/engine.ts';
import { causeOfRegistrationFailure } from '../../outcome/failure-cause.ts';
import { CalllessEndpoint } from './callless-endpoint.ts';

export class Registrant extends CalllessEndpoint {
  #registeredAtMs = Number.NaN;

  protected begin(): void {
    this.register();
  }

  override onRegisterSent(atMs: number): void {
    super.onRegisterSent(atMs);
    this.begun(atMs);
  }

  override onRegistered(atMs: number): void {
    super.onRegistered(atMs);
    if (this.binding.state !== 'REGISTERED') return;
    this.share.breaker?.answered(atMs);
    this.record.done();
    this.#registeredAtMs = atMs;
    this.#stay();
  }

  protected override shorten(): void {
    if (this.binding.state === 'REGISTERED') this.#stay();
  }

  #stay(): void {
    this.lastFor(this.#registeredAtMs, this.share.plan.callDurationMs);
  }

  override onRegistrationFailed(failure: SipFailure): void {
    this.share.breaker?.failed(failure, this.share.nowMs);
    const wasRegistered = this.binding.state === 'REGISTERED';
    super.onRegistrationFailed(failure);
    if (!wasRegistered) return;
    // A failed refresh ends the registration, which is the only purpose of this endpoint.
    this.fail(causeOfRegistrationFailure(failure), failure.reason, failure.status ?? 0);
    this.depart();
  }
}
