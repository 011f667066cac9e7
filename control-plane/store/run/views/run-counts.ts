/**
 * The numbers of events, messages and kept calls of a run: they are counted as they are written, by run and instance,
 * without contention.
 */
import { sql } from 'kysely';
import type { Tx } from '../../db.ts';
import { NIL } from '../../new-id.ts';

/** The instance id for rows of the run itself. */
export const OF_THE_RUN = NIL;

/** A part of the writing statement: it counts the rows of `written`, which are new ones, or some `of` them. */
export const counted = (
  column: 'events' | 'messages' | 'kept',
  runId: string,
  instanceId: string,
  of = sql`written`,
) => sql`
  insert into run_counts as c (run_id, instance_id, ${sql.ref(column)})
  select ${runId}::uuid, ${instanceId}::uuid, count(*) from ${of} having count(*) > 0
  on conflict (run_id, instance_id) do update
  set ${sql.ref(column)} = ${sql.ref(`c.${column}`)} + ${sql.ref(`excluded.${column}`)}`;

/** One row, also of a run without any. */
export const runCounts = (tx: Tx, runId: string) =>
  tx
    .selectFrom('run_counts')
    .where('run_id', '=', runId)
    .select([
      sql<number>`coalesce(sum(events), 0)::bigint`.as('events'),
      sql<number>`coalesce(sum(messages), 0)::bigint`.as('messages'),
      sql<number>`coalesce(sum(kept), 0)::bigint`.as('kept'),
    ]);
