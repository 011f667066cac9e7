/** How the calls of a run were started: counts from the agents, lateness from its endpoints. */
import { sql } from 'kysely';
import { EVERY_INSTANCE } from '../../domain/figures/start-reports.ts';
import { LATE_MS } from '../../domain/sums/call-sums.ts';
import type { Tx } from '../db.ts';
import type { TimingRow } from './endpoints.ts';

export type StartsRow = {
  readonly planned: number;
  readonly started: number;
  readonly dropped: number;
  readonly heldBack: number;
  readonly noFreeEndpoint: number;
};

/** Steps of all instances repeat what their instances have. */
export async function startsOf(tx: Tx, runId: string): Promise<StartsRow> {
  const counts = await tx
    .selectFrom('start_noise')
    .where('run_id', '=', runId)
    .where('instance_id', '<>', EVERY_INSTANCE)
    .select([
      sql<number>`coalesce(sum(planned), 0)::bigint`.as('planned'),
      sql<number>`coalesce(sum(started), 0)::bigint`.as('started'),
      sql<number>`coalesce(sum(not_started), 0)::bigint`.as('dropped'),
      sql<number>`coalesce(sum(held_back), 0)::bigint`.as('heldBack'),
      sql<number>`coalesce(sum(no_free_endpoint), 0)::bigint`.as('noFreeEndpoint'),
    ])
    .executeTakeFirstOrThrow();
  return counts;
}

/** The lateness of callers that have ended: the time from the planned instant to the first byte of their INVITE. */
export async function latenessOf(tx: Tx, runId: string): Promise<{ late: number; lateness: TimingRow }> {
  const { rows } = await sql<{ late: number; lateness: TimingRow }>`
    select count(*) filter (where invite_late_ms > ${LATE_MS}) as late, json_build_object(
      'percentiles', percentile_disc(array[0.5, 0.95, 0.99]) within group (order by invite_late_ms),
      'avg', avg(invite_late_ms), 'min', min(invite_late_ms), 'max', max(invite_late_ms), 'count', count(invite_late_ms)) as lateness
    from endpoints where run_id = ${runId}::uuid and endpoint_type = 'CALLER'`.execute(tx);
  return rows[0] as { late: number; lateness: TimingRow };
}
