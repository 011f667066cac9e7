/** The committed position of each agent's outbox, which makes every batch count once. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Returns the last committed batch of the outbox, 0 for a new one, which is registered. `resumed`: it was known already. */
export async function openOutbox(
  tx: Tx,
  workerId: string,
  outboxId: string,
): Promise<{ lastBatch: number; resumed: boolean }> {
  const found = await tx
    .updateTable('outboxes')
    .set({ updated_at: sql`now()` })
    .where('worker_id', '=', workerId)
    .where('outbox_id', '=', outboxId)
    .returning('last_batch')
    .executeTakeFirst();
  if (found) return { lastBatch: found.last_batch, resumed: true };
  await tx.insertInto('outboxes').values({ worker_id: workerId, outbox_id: outboxId }).execute();
  return { lastBatch: 0, resumed: false };
}

/** Locks the outbox until the transaction ends, and returns its last committed batch. */
export const lockOutbox = async (tx: Tx, workerId: string, outboxId: string): Promise<number | undefined> =>
  (
    await tx
      .selectFrom('outboxes')
      .where('worker_id', '=', workerId)
      .where('outbox_id', '=', outboxId)
      .select('last_batch')
      .forUpdate()
      .executeTakeFirst()
  )?.last_batch;

export const passOver = (tx: Tx, workerId: string, outboxId: string, number: number): Promise<unknown> =>
  tx
    .updateTable('outboxes')
    .set({ last_batch: number, updated_at: sql`now()` })
    .where('worker_id', '=', workerId)
    .where('outbox_id', '=', outboxId)
    .execute();

/** `advanced`: `number` was the next batch and is now the last committed one. `gap`: a batch with a lower number is missing. */
export type Advance = 'advanced' | 'repeated' | 'gap';

/** Serializes an outbox's batches by its row lock. */
export async function advanceOutbox(tx: Tx, workerId: string, outboxId: string, number: number): Promise<Advance> {
  const { numUpdatedRows } = await tx
    .updateTable('outboxes')
    .set({ last_batch: number, updated_at: sql`now()` })
    .where('worker_id', '=', workerId)
    .where('outbox_id', '=', outboxId)
    .where('last_batch', '=', number - 1)
    .executeTakeFirst();
  if (numUpdatedRows > 0) return 'advanced';
  const row = await tx
    .selectFrom('outboxes')
    .where('worker_id', '=', workerId)
    .where('outbox_id', '=', outboxId)
    .select('last_batch')
    .executeTakeFirst();
  return row && number <= row.last_batch ? 'repeated' : 'gap';
}
