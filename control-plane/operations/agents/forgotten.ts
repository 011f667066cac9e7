/**
 * A database that came back older than it was (a restore, a failover) does not know the last of what it had committed. Agents keep some of
 * that and send it again; what they do not keep any more is lost, and every run that it may concern says so.
 */
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { insertWorkerEvent } from '../../store/run/events.ts';
import { type InstanceRow, openInstancesOfWorker } from '../../store/run/instances.ts';
import { auditWorker } from './refusals.ts';

/** Batches of an outbox that is no more. */
export type ForgottenBatches = {
  readonly first: number;
  readonly last: number;
  /** When the agent made them; null: not known. */
  readonly from: Date | null;
  readonly to: Date | null;
};

/** Why an instance is lost whose end its agent had told. */
export const FORGOTTEN =
  'The database came back older than the end of this share, and its agent does not keep what it told of it.';

export async function noteForgotten(
  ports: Ports,
  tx: Tx,
  worker: { readonly id: string; readonly name: string; readonly organizationId: string | null },
  { first, last, from, to }: ForgottenBatches,
  /** Of its shares that were given up, those that it comes back with. */
  late: readonly InstanceRow[],
): Promise<void> {
  const when = from && to ? ` from ${from.toISOString()} to ${to.toISOString()}` : '';
  const batches = first === last ? `batch ${first}` : `batches ${first} to ${last}`;
  const words = `had reported what this database does not know, because it came back older: what it told${when} is lost (${batches})`;
  const at = ports.now();
  const concerned = [...(await openInstancesOfWorker(tx, worker.id)), ...late];
  for (const runId of new Set(concerned.map((i) => i.runId)))
    await insertWorkerEvent(tx, { runId, workerId: worker.id }, at, words);
  await auditWorker(tx, worker, 'agentFactsLost', { facts: `${batches}${when}` }, '', at);
  ports.log.warn(
    { workerId: worker.id, first, last, from, to },
    'what an agent had reported is lost: the database is older',
  );
}
