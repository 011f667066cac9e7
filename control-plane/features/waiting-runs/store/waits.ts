/** For what runs wait, and what was found last. */
import type { Tx } from '../../../store/db.ts';

type NewWait = { readonly runId: string; readonly agents: number | null; readonly until: Date };

export const insertWait = (tx: Tx, { runId, agents, until }: NewWait): Promise<unknown> =>
  tx.insertInto('run_waits').values({ run_id: runId, agents, until }).execute();

export const waitOf = (tx: Tx, runId: string) =>
  tx
    .selectFrom('run_waits as w')
    .innerJoin('test_runs as r', 'r.id', 'w.run_id')
    .where('w.run_id', '=', runId)
    .select(['w.agents', 'w.until', 'w.online', 'w.missing', 'r.submitted_at as submittedAt'])
    .executeTakeFirst();

export const setFound = (tx: Tx, runId: string, online: number, missing: string | null): Promise<unknown> =>
  tx.updateTable('run_waits').set({ online, missing }).where('run_id', '=', runId).execute();
