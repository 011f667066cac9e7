/**
 * Of which calls detail is kept (messages, events, samples, what is known of streams): of those in the sample, and of some of each kind that
 * failed or have a finding. Figures are of all calls.
 */
import { isInSample } from '@carillon/proto/call-sample.ts';
import type { SharePlan } from '../plan.ts';
import type { OutcomeFact } from './facts.ts';

/** Its detail is told as it comes. Of a callee it is known only with its INVITE which call it is, and both ends of a call are kept together. */
export function isTold(plan: Pick<SharePlan, 'keeping' | 'traced' | 'role' | 'group'>, endpoint: number): boolean {
  const { keeping, traced, role, group } = plan;
  if (keeping === null || traced?.endpoints.includes(endpoint)) return true;
  return (role === 'CALLER' || !group.correlate) && isInSample(keeping, endpoint);
}

/** Of one allocation. */
export class Keeper {
  readonly #plan: SharePlan;
  /** Calls that are kept beyond the sample, by what they have in common. */
  readonly #ofCluster = new Map<string, number>();

  constructor(plan: SharePlan) {
    this.#plan = plan;
  }

  /** Asked once for each call that is not told as it comes, when it is known what became of it. */
  keeps({ endpoint, peer, outcome, cause, sipStatus, findings }: OutcomeFact): boolean {
    const { keeping } = this.#plan;
    if (keeping === null || isInSample(keeping, peer ?? endpoint)) return true;
    if (outcome === 'SUCCESS' && findings.length === 0) return false;
    const cluster = `${outcome} ${cause} ${sipStatus} ${findings[0]?.kind}`;
    const kept = this.#ofCluster.get(cluster) ?? 0;
    if (kept >= keeping.ofCluster) return false;
    this.#ofCluster.set(cluster, kept + 1);
    return true;
  }
}
