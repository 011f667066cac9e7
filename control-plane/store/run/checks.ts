/** The last run that checked a test's dependencies. */
import { sql } from 'kysely';
import type { LastCheck, Reached } from '../../domain/project/reach.ts';
import type { Tx } from '../db.ts';

const OVER: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'CANNOT_RUN_FOR_NOW'];

/** `checkId`: the id that its runs have instead of a test's. */
export async function lastCheck(tx: Tx, projectId: string, checkId: string): Promise<LastCheck | null> {
  const run = await tx
    .selectFrom('test_runs')
    .where('project_id', '=', projectId)
    .where('test_id', '=', checkId)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'status', 'error', 'config'])
    .executeTakeFirst();
  if (!run) return null;
  const names = new Map(run.config.groups.map((group) => [group.id, group.name]));
  const { rows } = await sql<Omit<Reached, 'name'> & { readonly groupId: string }>`
    select i.group_id as "groupId", e.outcome, e.cause, e.cause_text as text, nullif(e.cause_status, 0) as status,
      coalesce(e.register_rtt_ms, e.options_rtt_ms) as "rttMs", coalesce(e.failovers, 0)::int as failovers
    from endpoints e join sub_population_instances i on i.run_id = e.run_id and i.id = e.instance_id
    where e.run_id = ${run.id}::uuid`.execute(tx);
  const reached = rows.map(({ groupId, ...row }) => ({
    ...row,
    name: names.get(groupId) ?? '',
  }));
  return { testRunId: run.id, isOver: OVER.includes(run.status), error: run.error?.message ?? null, reached };
}
