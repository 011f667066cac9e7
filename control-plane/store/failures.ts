/** How a run's endpoints failed: those that failed alike, together. */
import { sql } from 'kysely';
import type { Outcome } from '../contract/words.ts';
import type { Tx } from './db.ts';

export type ClusterRow = {
  readonly reached: number;
  readonly outcome: Outcome;
  readonly cause: string | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly target: string;
  readonly n: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly examples: string[];
  /** Of all clusters, those beyond `most` included. */
  readonly failures: number;
};

/** The `most` largest; examples: the first that failed so. */
export const failureClusters = async (tx: Tx, runId: string, most: number): Promise<ClusterRow[]> =>
  (
    await sql<ClusterRow>`
      with failed as (
        select e.id, e.number, e.reached, e.outcome, e.cause, e.cause_status, e.cause_text, e.closed_at,
          case when e.outcome = 'REGISTRATION_FAILED' then coalesce(r.uri, '(deleted)')
            else lower(coalesce(substring(e.callee_uri from '^[^:]+:(?:[^@]*@)?(\\[[^]]*\\]|[^:;?>]*)'), '')) end as target
        from endpoints e left join registrars r on r.id = e.registrar_id
        where e.run_id = ${runId}::uuid and e.outcome <> 'SUCCESS'
      ), clusters as (
        select reached, outcome, cause, cause_status as status, cause_text as reason, target, count(*) as n,
          min(closed_at) as "firstAt", max(closed_at) as "lastAt",
          (array_agg(id order by closed_at, number))[1:3] as examples
        from failed group by 1, 2, 3, 4, 5, 6
      )
      select *, (sum(n) over ())::bigint as failures from clusters
      order by n desc, "firstAt", reached, outcome, cause, status, reason, target limit ${most}`.execute(tx)
  ).rows;
