/**
 * Decides which calls keep their detail (messages, events, samples, stream details): those in the sample, and some for
 * each kind of failure or finding. Figures cover all calls.
 */
import { isInSample } from '@carillon/proto/call-sample.ts';
import type { SharePlan } from '../plan.ts';
import type { OutcomeFact } from './facts.ts';

/**
 * Whether the detail is reported immediately. A callee's call is known only with its INVITE, and both ends of a call
 * are kept together.
 */
export function isReported(plan: Pick<SharePlan, 'keeping' | 'traced' | 'role' | 'group'>, endpoint: number): boolean {
  const { keeping, traced, role, group } = plan;
  if (keeping === null || traced?.endpoints.includes(endpoint)) return true;
  return (role === 'CALLER' || !group.correlate) && isInSample(keeping, endpoint);
}

/** Decides for one allocation which calls keep their detail. */
export class Keeper {
  readonly #plan: SharePlan;
  /** Calls kept beyond the sample, by what they have in common. */
  readonly #ofCluster = new Map<string, number>();

  constructor(plan: SharePlan) {
    this.#plan = plan;
  }

  /** Called once for each call with withheld detail, when its outcome is known. */
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
