/** Failures of a run's endpoints, grouped by equality. */
import { type RawBuilder, sql } from 'kysely';
import type { ClusterRow } from '../../../domain/sums/failure-sums.ts';
import type { Tx } from '../../db.ts';

/** Masks what differs from call to call: UUIDs, words of six or more hexadecimal digits, numbers with dots and colons. */
const masked = (text: RawBuilder<unknown>) => sql`regexp_replace(regexp_replace(${text},
  '\\m[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\M|\\m(?=[0-9a-f]*[0-9])[0-9a-f]{6,}\\M', '#', 'gi'), '[0-9]+([.:][0-9]+)*', '#', 'g')`;

/**
 * The `most` largest clusters; the examples are the first ones. Numbers in a reason vary from call to call without
 * changing the cause: in the key each number is #. A cluster's reason is exact if all of its endpoints have the same.
 */
export const failureClusters = async (tx: Tx, runId: string, most: number): Promise<ClusterRow[]> =>
  (
    await sql<ClusterRow>`
      with failed as (
        select e.id, e.number, e.reached, e.outcome, e.cause, e.cause_status, e.cause_text, e.q850, e.endpoint_type, e.closed_at,
          ${masked(sql`e.cause_text`)} as pattern,
          coalesce(e.reason_text, e.warning) as explanation,
          case when e.outcome = 'REGISTRATION_FAILED' then coalesce(r.uri, '(deleted)')
            else lower(coalesce(substring(e.callee_uri from '^[^:]+:(?:[^@]*@)?(\\[[^]]*\\](?::[0-9]+)?|[^;?>]*)'), '')) end as target,
          case when e.outcome <> 'REGISTRATION_FAILED'
            then nullif(substring(e.callee_uri from '^[^:]+:([^@;?>]*)(?:;[^@]*)?@'), '') end as dialled
        from endpoints e left join registrars r on r.id = e.registrar_id
        where e.run_id = ${runId}::uuid and e.outcome <> 'SUCCESS'
      ), clusters as (
        select reached, outcome, cause, cause_status as status, q850, endpoint_type as "endpointType", target, pattern,
          case when min(cause_text) = max(cause_text) then min(cause_text) else pattern end as reason,
          case when min(explanation) = max(explanation) then min(explanation)
            else mode() within group (order by explanation) || ' (and others)' end as explanation,
          min(dialled collate "C") as "firstNumber", max(dialled collate "C") as "lastNumber",
          min(length(dialled)) as shortest, max(length(dialled)) as longest, count(*) as n,
          min(closed_at) as "firstAt", max(closed_at) as "lastAt",
          (array_agg(id order by closed_at, number))[1:3] as examples
        from failed group by 1, 2, 3, 4, 5, 6, 7, 8
      )
      select *, (sum(n) over ())::bigint as failures from clusters
      order by n desc, "firstAt", reached, outcome, cause, status, q850, pattern, target, "endpointType" limit ${most}`.execute(
      tx,
    )
  ).rows;
