/**
 * The figures of a test's ended runs, from one to the next. Runs that a feature started are left out, because they repeat the
 * test under conditions that differ.
 */
import { sql } from 'kysely';
import type { Labels } from '../../../contract/run/start.ts';
import type { Tx } from '../../../store/db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../../../store/list-order.ts';

/** `without`: lists of labels; runs that have all labels of one list are left out. */
export type TrendOfTest = {
  readonly projectId: string;
  readonly testId: string;
  readonly without: readonly (readonly string[])[];
};

const ended = (tx: Tx, { projectId, testId, without }: TrendOfTest) =>
  tx
    .selectFrom('test_runs as r')
    .where('r.project_id', '=', projectId)
    .where('r.test_id', '=', testId)
    .where(({ and, not }) => and(without.map((labels) => not(sql<boolean>`r.labels ?& ${[...labels]}::text[]`))))
    .where('r.validity', 'is not', null)
    .where('r.call_timing', 'is not', null);

const SORTED_BY = { submittedAt: ['r.submitted_at', 'instant'] } as const;

export const listTrend = (tx: Tx, of: TrendOfTest, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    ended(tx, of).select([
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

export const countTrend = async (tx: Tx, of: TrendOfTest): Promise<number> =>
  (await ended(tx, of).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;
