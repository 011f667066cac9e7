/**
 * A database that was reset to an older state (a restore, a failover) lacks its latest commits. Agents keep some of
 * them and send them again; anything they no longer have is lost, and every affected run says so.
 */
import type { Ports } from '../../ports.ts';
import { lockOutbox, passOver } from '../../store/agents/outboxes.ts';
import { lockWorker } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { insertWorkerEvent } from '../../store/run/events.ts';
import { type InstanceRow, openInstancesOfWorker } from '../../store/run/instances.ts';
import { auditWorker } from './refusals.ts';

/** The batches of an outbox that the database has lost. */
export type ForgottenBatches = {
  readonly first: number;
  readonly last: number;
  /** The time at which the agent made the first of them; null: not known. */
  readonly from: Date | null;
  readonly to: Date | null;
};

/** Why an instance is lost although its agent reported its end. */
export const FORGOTTEN =
  'The database came back older than the end of this share, and its agent does not keep data it has already sent.';

const UPGRADE = 'Upgrade this agent: newer ones keep such batches for a while and send them again.';

/**
 * Older agents do not send committed batches again: after the greeting they continue with the number that they had
 * reached. Without this step, their outbox would be refused for ever.
 */
export async function passForgottenOver(
  ports: Ports,
  { workerId, outboxId }: { readonly workerId: string; readonly outboxId: string },
  number: number,
): Promise<void> {
  await ports.database.transaction(async (tx) => {
    const worker = await lockWorker(tx, workerId);
    const committed = await lockOutbox(tx, workerId, outboxId);
    if (!worker || committed === undefined || committed >= number - 1) return;
    await passOver(tx, workerId, outboxId, number - 1);
    const lost = { first: committed + 1, last: number - 1, from: null, to: null };
    await noteForgotten(ports, tx, worker, { ...lost, advice: UPGRADE }, []);
  });
}

export async function noteForgotten(
  ports: Ports,
  tx: Tx,
  worker: { readonly id: string; readonly name: string; readonly organizationId: string | null },
  { first, last, from, to, advice = '' }: ForgottenBatches & { readonly advice?: string },
  /** The lost shares that return with the worker. */
  late: readonly InstanceRow[],
): Promise<void> {
  const when = from && to ? ` from ${from.toISOString()} to ${to.toISOString()}` : '';
  const batches = first === last ? `batch ${first}` : `batches ${first} to ${last}`;
  const words = `had reported data that this database, restored to an older state, does not have: what it reported${when} is lost (${batches})${advice && `. ${advice}`}`;
  const at = ports.now();
  const concerned = [...(await openInstancesOfWorker(tx, worker.id)), ...late];
  for (const runId of new Set(concerned.map((i) => i.runId)))
    await insertWorkerEvent(tx, { runId, workerId: worker.id }, at, words);
  const target = { facts: `${batches}${when}`, ...(advice && { advice }) };
  await auditWorker(tx, worker, { action: 'agentFactsLost', target, address: '', at });
  ports.log.warn(
    { workerId: worker.id, first, last, from, to, ...(advice && { advice }) },
    'earlier reports of an agent are lost: the database is older',
  );
}
