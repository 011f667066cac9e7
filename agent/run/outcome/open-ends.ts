/**
 * Ended calls that wait for the records of their streams: signalling ends shortly before the last media figures are
 * read. Only both together determine the outcome (settle-call.ts).
 */
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import { NumberTable } from '../number-table.ts';
import { phaseIndex } from '../phases.ts';
import type { SharePlan } from '../plan.ts';
import type { Closed, OutcomeFact, PhaseChanges, ShareFacts } from '../report/facts.ts';
import { settleCall } from './settle-call.ts';

const CLOSED = phaseIndex('CLOSED');

type OpenEnd = { readonly plan: SharePlan; readonly outcome: OutcomeFact; readonly closedAtMs: number };

/** State of the endpoints of one allocation, by number. */
class OfOwner {
  readonly ends = new NumberTable<OpenEnd>();
  readonly records = new NumberTable<StreamRecord[]>();
}

export class OpenEnds {
  readonly #owners = new Map<number, OfOwner>();
  #waiting = 0;

  /** Whether outcomes wait for a record. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** The facts, without outcomes that must wait, and with those that are settled. */
  take(facts: ShareFacts, plan: SharePlan): { readonly facts: ShareFacts; readonly closed: readonly Closed[] } {
    if (facts.outcomes.length === 0) return { facts, closed: [] };
    const closedAt = closingInstants(facts);
    const closed: Closed[] = [];
    for (const outcome of facts.outcomes) {
      const end = { plan, outcome, closedAtMs: closedAt.get(outcome.endpoint) ?? Number.NaN };
      this.#of(facts.owner).ends.set(outcome.endpoint, end);
      this.#waiting++;
      const settled = this.#settle(facts.owner, outcome.endpoint, false);
      if (settled) closed.push(settled);
    }
    return {
      facts: { ...facts, phases: withoutClosed(facts.phases), progress: withoutClosed(facts.progress), outcomes: [] },
      closed,
    };
  }

  /** A stream has ended; returns the call end that this completes, or null. */
  add(record: StreamRecord): Closed | null {
    const { records } = this.#of(record.owner);
    const known = records.get(record.endpointNumber);
    if (known) known.push(record);
    else records.set(record.endpointNumber, [record]);
    return this.#settle(record.owner, record.endpointNumber, false);
  }

  /** No more records will arrive: waiting outcomes are settled with those available. */
  flush(owner: number): Closed[] {
    const ends = [...(this.#owners.get(owner)?.ends.keys() ?? [])];
    return ends.flatMap((endpoint) => this.#settle(owner, endpoint, true) ?? []);
  }

  /** The allocation is no longer needed. */
  forget(owner: number): void {
    this.#waiting -= this.#owners.get(owner)?.ends.size ?? 0;
    this.#owners.delete(owner);
  }

  #of(owner: number): OfOwner {
    let of = this.#owners.get(owner);
    if (!of) {
      of = new OfOwner();
      this.#owners.set(owner, of);
    }
    return of;
  }

  #settle(owner: number, endpoint: number, isLast: boolean): Closed | null {
    const { ends, records } = this.#of(owner);
    const end = ends.get(endpoint);
    if (!end) return null;
    const known = records.get(endpoint) ?? [];
    if (!isLast && known.length < (end.outcome.evidence?.streams ?? 0)) return null;
    ends.delete(endpoint);
    records.delete(endpoint);
    this.#waiting--;
    return { owner, outcome: settleCall(end.outcome, known, end.plan), closedAtMs: end.closedAtMs };
  }
}

function closingInstants({ phases, progress }: ShareFacts): Map<number, number> {
  const at = new Map<number, number>();
  for (const columns of [phases, progress])
    for (const [i, phase] of columns.phase.entries())
      if (phase === CLOSED) at.set(columns.endpoint[i] as number, columns.atMs[i] as number);
  return at;
}

/** An endpoint becomes CLOSED when its outcome is known, not before. */
function withoutClosed({ endpoint, phase, atMs }: PhaseChanges): PhaseChanges {
  const stays = (_: number, i: number): boolean => phase[i] !== CLOSED;
  return { endpoint: endpoint.filter(stays), phase: phase.filter(stays), atMs: atMs.filter(stays) };
}
