/** The canary of a run, as the run stores it. */
import type { StoredCanary } from '../../domain/probe/canary.ts';
import type { Tx } from '../db.ts';

export const canaryOf = async (tx: Tx, runId: string): Promise<StoredCanary | null> =>
  ((await tx.selectFrom('test_runs').where('id', '=', runId).select('canary').executeTakeFirst())
    ?.canary as StoredCanary | null) ?? null;

export const storeCanary = (tx: Tx, runId: string, canary: StoredCanary): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({ canary: JSON.stringify(canary) })
    .where('id', '=', runId)
    .execute();
