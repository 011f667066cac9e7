/**
 * Rehearses the main thread's work with the facts of simulated calls (run/threads/warm-up.ts): encodes and drops them,
 * so that the code is compiled by the time the first call of a test ends.
 */
import { encodeAgentFrame } from '@carillon/proto';
import { Outbox } from '../link/outbox.ts';
import { createAgentMetrics } from '../metrics/metrics.ts';
import { OpenEnds } from '../run/outcome/open-ends.ts';
import type { SharePlan } from '../run/plan.ts';
import { encodeAllocation } from '../run/report/encode-facts.ts';
import type { ShareFacts } from '../run/report/facts.ts';
import { Pending } from '../run/report/pending.ts';
import { WithheldDetail } from '../run/report/withheld-detail.ts';

const ALL = { messages: true, bodies: true };
const idBytes = (): Uint8Array => new Uint8Array(16);

export class Rehearsal {
  readonly #ends = new OpenEnds();
  readonly #metrics = createAgentMetrics({ sip: '', rtp: 'ffi', srtp: 'openssl', priority: 'normal' });
  /** An outbox that keeps nothing. */
  readonly #outbox = new Outbox('', 1, [], null, 0);
  /** Ends of calls. */
  encoded = 0;
  #withheld: WithheldDetail | null = null;

  take(facts: ShareFacts, plan: SharePlan): void {
    this.#withheld ??= new WithheldDetail(plan);
    const pending = new Pending('', this.#withheld);
    const taken = this.#ends.take(facts, plan);
    pending.add(taken.facts);
    this.#metrics.onSip(facts);
    for (const closed of taken.closed) {
      pending.close(closed);
      this.#metrics.onOutcome(closed.outcome);
    }
    pending.complete(ALL);
    const allocations = [encodeAllocation(pending, 0, 0, idBytes, true)];
    this.encoded += pending.closed.length;
    this.#outbox.append({ allocations, noise: [] });
    for (const batch of this.#outbox.from(this.#outbox.first, 1)) encodeAgentFrame({ batch });
    this.#outbox.acknowledge(this.#outbox.last);
  }
}
