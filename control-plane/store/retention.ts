/** Deletes old data: details of runs, deleted projects, former outboxes, unclaimed orders. */
import { sql } from 'kysely';
import type { Tx } from './db.ts';
import { samplePartitions } from './measured/samples.ts';

/**
 * A run's row, history, instances, endpoints, streams and counts stay. Samples are dropped by day (samples.ts). The
 * counts are cleared first, so that lists are then empty.
 */
const DETAILS = [
  'run_counts',
  'sip_messages',
  'sip_chunks',
  'rtp_headers',
  'run_events',
  'noise',
  'noise_steps',
  'noise_sums',
  'start_noise',
  'call_tallies',
  'rollups',
  'mos_counts',
] as const;

/** Deletes up to `rows` rows of details of the oldest run that ended before then; false: none is left. */
export async function deleteOldDetails(tx: Tx, before: Date, rows: number): Promise<boolean> {
  const run = await tx
    .selectFrom('test_runs')
    .where('ended_at', '<', before)
    .where('details_deleted_at', 'is', null)
    .select('id')
    .orderBy('ended_at')
    .limit(1)
    .executeTakeFirst();
  if (!run) return false;
  if (!(await deleteRows(tx, run.id, DETAILS, rows))) return true;
  await tx.updateTable('test_runs').set({ details_deleted_at: sql`now()` }).where('id', '=', run.id).execute();
  return true;
}

/** Deletes up to `rows` of a run's rows in these tables; true: none is left. */
async function deleteRows(tx: Tx, runId: string, tables: readonly string[], rows: number): Promise<boolean> {
  let room = rows;
  for (const table of tables) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where run_id = ${runId}::uuid and ctid = any (array(
        select ctid from ${sql.table(table)} where run_id = ${runId}::uuid limit ${room}))`.execute(tx);
    room -= Number(numAffectedRows ?? 0);
    if (room <= 0) return false;
  }
  return true;
}

/** Deletes everything of a run except its own row in the same way; samples are dropped by day, with their partitions. */
const deleteAllRows = async (tx: Tx, runId: string, rows: number): Promise<boolean> =>
  deleteRows(tx, runId, [...(await samplePartitions(tx)), ...DETAILS, ...FIGURES], rows);

/** Tables without a foreign key to the run, or with too many rows for one statement. */
const FIGURES = ['streams', 'sip_counts', 'findings', 'endpoints', 'call_sums', 'call_seconds'] as const;

/** Executions of probes are small and many: this many are deleted per statement and table. */
const EXECUTIONS = 200;

/** Deletes details of the oldest executions that ended before then; false: none is left. */
export async function deleteOldExecutionDetails(tx: Tx, before: Date): Promise<boolean> {
  const ids = (await oldExecutions(tx, before).where('details_deleted_at', 'is', null).execute()).map((run) => run.id);
  if (ids.length === 0) return false;
  await deleteAll(tx, ids, DETAILS);
  await tx.updateTable('test_runs').set({ details_deleted_at: sql`now()` }).where('id', 'in', ids).execute();
  return true;
}

/** Deletes the oldest executions that ended before then, completely: incidents and daily verdicts stay. False: none is left. */
export async function deleteOldExecutions(tx: Tx, before: Date): Promise<boolean> {
  const ids = (await oldExecutions(tx, before).execute()).map((run) => run.id);
  if (ids.length === 0) return false;
  await deleteAll(tx, ids, [...DETAILS, ...FIGURES]);
  await tx.deleteFrom('test_runs').where('id', 'in', ids).execute();
  return true;
}

const oldExecutions = (tx: Tx, before: Date) =>
  tx
    .selectFrom('test_runs')
    .where('probe_id', 'is not', null)
    .where('ended_at', '<', before)
    .select('id')
    .orderBy('ended_at')
    .limit(EXECUTIONS);

async function deleteAll(tx: Tx, runIds: readonly string[], tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where run_id = any (${sql.val(runIds)}::uuid[])`.execute(tx);
}

/** Deletes up to `rows` rows of the oldest test run that ended before then, finally the run; false: none is left. */
export async function deleteOldRuns(tx: Tx, before: Date, rows: number): Promise<boolean> {
  const run = await tx
    .selectFrom('test_runs')
    .where('probe_id', 'is', null)
    .where('ended_at', '<', before)
    .select('id')
    .orderBy('ended_at')
    .limit(1)
    .executeTakeFirst();
  if (!run) return false;
  if (await deleteAllRows(tx, run.id, rows)) await tx.deleteFrom('test_runs').where('id', '=', run.id).execute();
  return true;
}

/** Deletes up to `rows` rows of a run of a deleted project, then the run, and finally the project; false: nothing is left. */
export async function deleteRetired(tx: Tx, rows: number): Promise<boolean> {
  const project = await tx
    .selectFrom('projects')
    .where('deleted_at', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!project) return false;
  const run = await tx
    .selectFrom('test_runs')
    .where('project_id', '=', project.id)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!run) await tx.deleteFrom('projects').where('id', '=', project.id).execute();
  else if (await deleteAllRows(tx, run.id, rows)) {
    await tx.deleteFrom('test_runs').where('id', '=', run.id).execute();
  }
  return true;
}

/** A worker's last outbox stays at any age: its agent may still have batches that continue it. */
export const deleteOldOutboxes = (tx: Tx, before: Date): Promise<unknown> =>
  sql`
    delete from outboxes o where updated_at < ${before}
      and exists (select from outboxes n where n.worker_id = o.worker_id and n.updated_at > o.updated_at)`.execute(tx);

export const deleteOldCommands = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('worker_commands').where('created_at', '<', before).execute();
