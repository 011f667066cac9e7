/** An endpoint that sends the callee one OPTIONS (RFC 3261, 11): any response shows that it is available. */
import { causeOfOptionsResponse } from '@carillon/proto';
import type { PingEvents, SipFailure } from '../../../sip/engine.ts';
import { causeOfPingFailure } from '../../outcome/failure-cause.ts';
import { CalllessEndpoint } from './callless-endpoint.ts';

export class Pinger extends CalllessEndpoint implements PingEvents {
  #sentAtMs = Number.NaN;

  protected begin(): void {
    this.record.calling(this.plan.targetUri);
    this.userAgent.ping(this.plan.targetUri, this);
  }

  onPingSent(atMs: number): void {
    this.#sentAtMs = atMs;
    this.begun(atMs);
  }

  onPingAnswered(status: number, reason: string, atMs: number): void {
    if (this.isClosed) return;
    this.record.pinged(atMs - this.#sentAtMs, status, reason);
    const cause = causeOfOptionsResponse(status);
    if (cause === null) {
      this.record.done();
      this.share.breaker?.answered(atMs);
    } else this.#failed(cause, { kind: 'STATUS', status, reason, atMs });
    this.depart();
  }

  onPingFailed(failure: SipFailure): void {
    if (this.isClosed) return;
    this.#failed(causeOfPingFailure(failure), failure);
    this.depart();
  }

  #failed(cause: ReturnType<typeof causeOfPingFailure>, failure: SipFailure): void {
    this.share.breaker?.failed(failure, this.share.nowMs);
    this.fail(cause, failure.reason, failure.status ?? 0);
  }
}
