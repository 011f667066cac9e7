/** The canary of a run, as the run stores it. */

import type { Tx } from '../../../store/db.ts';
import type { StoredCanary } from '../domain/canary.ts';

export const canaryOf = async (tx: Tx, runId: string): Promise<StoredCanary | null> =>
  ((await tx.selectFrom('test_runs').where('id', '=', runId).select('canary').executeTakeFirst())
    ?.canary as StoredCanary | null) ?? null;

export const storeCanary = (tx: Tx, runId: string, canary: StoredCanary): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({ canary: JSON.stringify(canary) })
    .where('id', '=', runId)
    .execute();

/** The runs with a canary that have not ended. */
export const runsWithCanary = async (tx: Tx): Promise<string[]> =>
  (
    await tx
      .selectFrom('test_runs')
      .where('ended_at', 'is', null)
      .where('canary', 'is not', null)
      .select('id')
      .execute()
  ).map(({ id }) => id);
