/** The run of a test that other runs are compared with: at most one. */
import type { Tx } from '../db.ts';

/** Makes the run the baseline in place of the previous one. */
export async function makeBaseline(tx: Tx, run: { id: string; projectId: string; testId: string }): Promise<void> {
  await tx
    .updateTable('test_runs')
    .set({ is_baseline: false })
    .where('project_id', '=', run.projectId)
    .where('test_id', '=', run.testId)
    .where('is_baseline', '=', true)
    .execute();
  await tx.updateTable('test_runs').set({ is_baseline: true }).where('id', '=', run.id).execute();
}

export const endBaseline = (tx: Tx, id: string): Promise<unknown> =>
  tx.updateTable('test_runs').set({ is_baseline: false }).where('id', '=', id).execute();
