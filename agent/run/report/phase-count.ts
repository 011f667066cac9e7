/**
 * Number of endpoints in each phase, from the changes that shares report. An endpoint is removed when it closes, or its
 * share ends.
 */
import { PHASES } from '../phases.ts';
import type { ShareFacts } from './facts.ts';

const CLOSED = PHASES.indexOf('CLOSED');

type CountedFacts = Pick<ShareFacts, 'owner' | 'phases' | 'progress' | 'state'>;

export class PhaseCount {
  /** The phase by endpoint number, by owner. */
  readonly #open = new Map<number, Map<number, number>>();

  add({ owner, phases, progress, state }: CountedFacts): void {
    const open = this.#open.get(owner) ?? new Map<number, number>();
    for (const facts of [phases, progress]) {
      facts.endpoint.forEach((endpoint, i) => {
        const phase = facts.phase[i] as number;
        if (phase === CLOSED) open.delete(endpoint);
        else open.set(endpoint, phase);
      });
    }
    if (open.size === 0 || state === 'REFUSED') this.#open.delete(owner);
    else this.#open.set(owner, open);
  }

  /** The counts of every phase but CLOSED. */
  counts(): [string, number][] {
    const counts = PHASES.slice(0, CLOSED).map((phase): [string, number] => [phase, 0]);
    for (const open of this.#open.values()) for (const phase of open.values()) (counts[phase] as [string, number])[1]++;
    return counts;
  }
}
