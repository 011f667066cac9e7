/** Shares whose worker was lost, and has returned. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Opens the share's endpoints again, and deletes estimates of their streams: an estimate names neither codec nor far end. */
export async function reopenLostEndpoints(tx: Tx, runId: string, instanceId: string): Promise<void> {
  await sql`
    delete from streams s using endpoints e
    where s.run_id = ${runId}::uuid and s.codec = '' and s.remote = '' and e.run_id = s.run_id
      and e.number = s.endpoint_number and e.instance_id = ${instanceId}::uuid`.execute(tx);
  await sql`
    update endpoints set phase = least(reached, phase), closed_at = null, outcome = null, cause = null, cause_text = null,
      attempted = false, call_result = null
    where run_id = ${runId}::uuid and instance_id = ${instanceId}::uuid and cause = 'WORKER_LOST'`.execute(tx);
}

/** The runs among these that have started, and have not ended before `since`. */
export const revisableRuns = async (tx: Tx, ids: readonly string[], since: Date): Promise<Set<string>> =>
  new Set(
    (
      await tx
        .selectFrom('test_runs')
        .where('id', 'in', ids)
        .where('started_at', 'is not', null)
        .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', since)]))
        .select('id')
        .execute()
    ).map((row) => row.id),
  );

/**
 * The runs of a worker that have ended since then, and since its present process replaced another one, and whose
 * figures are believed.
 */
export const believedRunsOf = async (tx: Tx, workerId: string, since: Date): Promise<string[]> =>
  (
    await tx
      .selectFrom('test_runs as r')
      .where('r.ended_at', '>=', since)
      .where('r.ended_at', '>=', (eb) => eb.selectFrom('workers').where('id', '=', workerId).select('replaced_at'))
      .where(sql<boolean>`r.validity ->> 'verdict' <> 'VOID'`)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('sub_population_instances as i')
            .whereRef('i.run_id', '=', 'r.id')
            .where('i.worker_id', '=', workerId)
            .select('i.id'),
        ),
      )
      .select('r.id')
      .execute()
  ).map((row) => row.id);

export const markLate = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('test_runs').set({ late_at: at }).where('id', '=', id).execute();

export const markRevised = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('test_runs').set({ revised_at: at }).where('id', '=', id).execute();
