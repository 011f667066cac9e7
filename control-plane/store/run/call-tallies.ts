/** The results of a group's calls, by second, over all its workers; and the state of its circuit breaker. */
import { sql } from 'kysely';
import type { CallTallyFacts } from '../../domain/run/facts.ts';
import { numbers } from '../arrays.ts';
import type { Tx } from '../db.ts';

/**
 * Locks the group's breaker; true: it has opened permanently. The lock is taken after the locks of runs and instances,
 * breakers in ascending order.
 */
export async function lockBreaker(tx: Tx, runId: string, groupId: string): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    insert into breakers (run_id, group_id) values (${runId}::uuid, ${groupId}::uuid)
    on conflict (run_id, group_id) do update set group_id = excluded.group_id
    returning opened_at is not null as "isOpen"`.execute(tx);
  return rows[0]?.isOpen === true;
}

export const openBreaker = (tx: Tx, runId: string, groupId: string, at: Date): Promise<unknown> =>
  tx
    .updateTable('breakers')
    .set({ opened_at: at })
    .where('run_id', '=', runId)
    .where('group_id', '=', groupId)
    .execute();

export async function addCallTallies(tx: Tx, runId: string, groupId: string, t: CallTallyFacts): Promise<void> {
  await sql`
    insert into call_tallies as c (run_id, group_id, second, calls, failures, blocked)
    select ${runId}::uuid, ${groupId}::uuid, second, sum(calls), sum(failures), sum(blocked)
    from unnest(${numbers(t.second)}::bigint[], ${numbers(t.calls)}::int[], ${numbers(t.failures)}::int[],
      ${numbers(t.blocked)}::int[]) as f (second, calls, failures, blocked)
    group by second
    order by second
    on conflict (run_id, group_id, second) do update set
      calls = c.calls + excluded.calls, failures = c.failures + excluded.failures, blocked = c.blocked + excluded.blocked`.execute(
    tx,
  );
}

/** The sums over the seconds after `after`, and over all seconds. */
export async function callSums(tx: Tx, runId: string, groupId: string, after: number) {
  const { rows } = await sql<{ calls: number; failures: number; allCalls: number; allBlocked: number }>`
    select coalesce(sum(calls) filter (where second > ${after}), 0)::float8 as calls,
      coalesce(sum(failures) filter (where second > ${after}), 0)::float8 as failures,
      coalesce(sum(calls), 0)::float8 as "allCalls", coalesce(sum(blocked), 0)::float8 as "allBlocked"
    from call_tallies where run_id = ${runId}::uuid and group_id = ${groupId}::uuid`.execute(tx);
  return rows[0] as (typeof rows)[number];
}

/** The circuit breaker of the run's test at its start; null: no breaker. */
export async function breakerOfRun(tx: Tx, runId: string) {
  const row = await tx
    .selectFrom('test_runs')
    .where('id', '=', runId)
    .select(sql`config -> 'breaker'`.as('breaker'))
    .executeTakeFirst();
  return (row?.breaker ?? null) as { failurePercent: number; minCalls: number } | null;
}
