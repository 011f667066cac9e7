/**
 * The figures of a test's ended runs, from one to the next; trials of capacity searches are left out, because each has
 * a load of its own.
 */
import { sql } from 'kysely';
import type { Labels } from '../../../contract/run/start.ts';
import type { Tx } from '../../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../../orders.ts';

const ended = (tx: Tx, projectId: string, testId: string) =>
  tx
    .selectFrom('test_runs as r')
    .where('r.project_id', '=', projectId)
    .where('r.test_id', '=', testId)
    .where(sql<boolean>`not r.labels ? 'capacity-search'`)
    .where('r.validity', 'is not', null)
    .where('r.call_timing', 'is not', null);

const SORTED_BY = { submittedAt: ['r.submitted_at', 'instant'] } as const;

export const listTrend = (tx: Tx, projectId: string, testId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    ended(tx, projectId, testId).select([
      'r.id as testRunId',
      'r.submitted_at as submittedAt',
      'r.status',
      sql<Labels>`r.labels`.as('labels'),
      'r.validity',
      'r.passed',
      'r.is_baseline as isBaseline',
      'r.call_timing as callTiming',
      'r.call_quality as callQuality',
      'r.summary',
    ]),
    orderOf(SORTED_BY, sort, ['r.id', 'id']),
    w,
  ).execute();

export const countTrend = async (tx: Tx, projectId: string, testId: string): Promise<number> =>
  (await ended(tx, projectId, testId).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;
