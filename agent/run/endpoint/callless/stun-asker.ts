/**
 * An endpoint that asks the group's STUN server once for its public address (RFC 8489): an answer shows that the server
 * is available.
 */
import { CalllessEndpoint } from './callless-endpoint.ts';

export class StunAsker extends CalllessEndpoint {
  protected begin(): void {
    this.begun(this.share.nowMs);
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const failure = await this.share.askStun(this.plan.number);
    if (this.isClosed) return;
    if (failure === null) this.record.done();
    else this.fail(failure.cause, failure.text);
    this.depart();
  }
}
