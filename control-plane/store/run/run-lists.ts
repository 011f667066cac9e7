/** Test runs in lists. */
import { sql } from 'kysely';
import type { Labels, RunOverrides } from '../../contract/run/start.ts';
import type { Tx } from '../db.ts';
import { type PageWindow, reading } from '../pages.ts';
import { runResult } from './run-results.ts';

/** Of the run `r` of a statement. */
export const RUN_COLUMNS = [
  'r.id',
  'r.status',
  'r.error',
  'r.priority',
  'r.test_id as testId',
  'r.test_name as testName',
  'r.endpoints',
  'r.submitted_at as submittedAt',
  'r.started_at as startedAt',
  'r.ended_at as endedAt',
  sql<Labels>`r.labels`.as('labels'),
  sql<RunOverrides | null>`r.overrides`.as('overrides'),
  'r.probe_id as probeId',
  runResult.as('result'),
] as const;

/** Rows are wide: the page is found in the index, and only then read. */
export const listRuns = (tx: Tx, projectId: string, w: PageWindow) => {
  const keys = tx
    .selectFrom('test_runs')
    .where('project_id', '=', projectId)
    .select(['id', 'submitted_at'])
    .orderBy('submitted_at', reading(w, 'desc'))
    .orderBy('id', reading(w, 'desc'))
    .limit(w.limit)
    .offset(w.offset);
  return tx
    .selectFrom('test_runs as r')
    .innerJoin(keys.as('k'), 'k.id', 'r.id')
    .select([...RUN_COLUMNS])
    .orderBy('k.submitted_at', 'desc')
    .orderBy('k.id', 'desc')
    .execute();
};

export const countRuns = async (tx: Tx, projectId: string): Promise<number> =>
  (await tx.selectFrom('test_run_totals').where('project_id', '=', projectId).select('runs').executeTakeFirst())
    ?.runs ?? 0;

export const findRun = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('test_runs as r')
    .where('r.project_id', '=', projectId)
    .where('r.id', '=', id)
    .select([...RUN_COLUMNS])
    .executeTakeFirst();
