import { sql } from 'kysely';
import type { Paged } from '../contract/envelope.ts';
import type { RunStatus } from '../contract/words.ts';
import type { Tx } from './db.ts';

const lastRunStatus = sql<RunStatus | null>`(
  select status from test_runs where test_id = t.id order by submitted_at desc, id desc limit 1)`.as('lastRunStatus');

const columns = [
  't.id',
  't.name',
  't.endpoints',
  't.duration_seconds as durationSeconds',
  't.buildup_seconds as buildup',
  't.created_at as createdAt',
  't.updated_at as updatedAt',
  lastRunStatus,
] as const;

export const listTests = (tx: Tx, projectId: string, { page, per_page }: Paged) =>
  tx
    .selectFrom('tests as t')
    .where('t.project_id', '=', projectId)
    .select([...columns])
    .orderBy('t.name')
    .orderBy('t.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

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
    .select([...columns, 't.description', 't.config', 't.project_id as projectId'])
    .executeTakeFirst();
