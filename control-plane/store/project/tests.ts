import { sql } from 'kysely';
import type { RunResult } from '../../contract/run-result.ts';
import type { RunStatus } from '../../contract/run-status.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { runResult } from '../run/views/run-results.ts';
import { changedNow } from '../versions.ts';

const lastRunStatus = sql<RunStatus | null>`(
  select status from test_runs where test_id = t.id order by submitted_at desc, id desc limit 1)`.as('lastRunStatus');
const lastRunResult = sql<RunResult | null>`(
  select ${runResult} from test_runs r where test_id = t.id order by submitted_at desc, id desc limit 1)`.as(
  'lastRunResult',
);

const columns = [
  't.id',
  't.slug',
  't.name',
  't.endpoints',
  't.duration_seconds as durationSeconds',
  't.buildup_seconds as buildup',
  't.created_at as createdAt',
  't.updated_at as updatedAt',
  lastRunStatus,
  lastRunResult,
] as const;

const SORTED_BY = {
  name: ['t.name', 'text'],
  createdAt: ['t.created_at', 'instant'],
  updatedAt: ['t.updated_at', 'instant'],
  endpoints: ['t.endpoints', 'number'],
} as const;

export const listTests = (tx: Tx, projectId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    tx
      .selectFrom('tests as t')
      .where('t.project_id', '=', projectId)
      .select([...columns]),
    orderOf(SORTED_BY, sort, ['t.id', 'id']),
    w,
  ).execute();

export const countTests = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('tests')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findTest = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('tests as t')
    .where('t.project_id', '=', projectId)
    .where('t.id', '=', id)
    .select([...columns, 't.description', 't.config', 't.project_id as projectId', 't.version'])
    .executeTakeFirst();

export type TestColumns = {
  readonly name: string;
  readonly description: string;
  readonly endpoints: number;
  readonly durationSeconds: number;
  readonly buildupSeconds: number;
  readonly config: TestConfig;
};
export type TestRow = TestColumns & { readonly id: string; readonly projectId: string; readonly slug: string };

export const testColumns = (t: TestColumns) => ({
  name: t.name,
  description: t.description,
  endpoints: t.endpoints,
  duration_seconds: t.durationSeconds,
  buildup_seconds: t.buildupSeconds,
  config: JSON.stringify(t.config),
});

/** False: the slug is taken. */
export const insertTest = async (tx: Tx, t: TestRow): Promise<boolean> =>
  (await tx
    .insertInto('tests')
    .values({ id: t.id, project_id: t.projectId, slug: t.slug, ...testColumns(t) })
    .onConflict((c) => c.columns(['project_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const lockTest = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('tests')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([
      'id',
      'name',
      'description',
      'duration_seconds as durationSeconds',
      'buildup_seconds as buildup',
      'config',
      'version',
    ])
    .forUpdate()
    .executeTakeFirst();

export const updateTest = (tx: Tx, id: string, t: TestColumns): Promise<unknown> =>
  tx
    .updateTable('tests')
    .set({ ...testColumns(t), ...changedNow() })
    .where('id', '=', id)
    .execute();

export const deleteTest = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('tests').where('id', '=', id).execute();
