/** Capacity searches: lists, details, and the row lock under which a search moves. */
import { sql } from 'kysely';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import type { Tx } from '../../../store/db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../../../store/list-order.ts';
import type { SearchAnswer, SearchSettings } from '../contract/capacity.ts';
import type { SearchStatus } from '../contract/words.ts';

const shown = [
  'id',
  'project_id as projectId',
  'test_id as testId',
  'test_name as testName',
  'status',
  'settings',
  'trial_count as trialCount',
  'answer',
  'error',
  'created_at as createdAt',
  'ended_at as endedAt',
] as const;

type SearchFilter = { readonly testId?: string | undefined; readonly status?: SearchStatus | undefined };

const some = (tx: Tx, projectId: string, { testId, status }: SearchFilter) =>
  tx
    .selectFrom('capacity_searches')
    .where('project_id', '=', projectId)
    .$if(testId !== undefined, (q) => q.where('test_id', '=', testId as string))
    .$if(status !== undefined, (q) => q.where('status', '=', status as SearchStatus));

const SORTED_BY = { createdAt: ['created_at', 'instant'] } as const;

export const listSearches = (
  tx: Tx,
  projectId: string,
  filter: SearchFilter,
  sort: SortOf<typeof SORTED_BY>,
  w: Slice,
) => sliced(some(tx, projectId, filter).select([...shown]), orderOf(SORTED_BY, sort), w).execute();

export const countSearches = async (tx: Tx, projectId: string, filter: SearchFilter): Promise<number> =>
  (await some(tx, projectId, filter).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

export const findSearch = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('capacity_searches')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([...shown, 'config', 'duration_seconds as durationSeconds'])
    .executeTakeFirst();

export type NewSearch = {
  readonly id: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly testId: string;
  readonly testName: string;
  readonly settings: SearchSettings;
  readonly config: TestConfig;
  readonly durationSeconds: number;
  readonly buildupSeconds: number;
  readonly startedBy: string;
};

export const insertSearch = (tx: Tx, s: NewSearch, status: SearchStatus, at: Date): Promise<unknown> =>
  tx
    .insertInto('capacity_searches')
    .values({
      id: s.id,
      project_id: s.projectId,
      organization_id: s.organizationId,
      test_id: s.testId,
      test_name: s.testName,
      status,
      settings: JSON.stringify(s.settings),
      config: JSON.stringify(s.config),
      duration_seconds: s.durationSeconds,
      buildup_seconds: s.buildupSeconds,
      due_at: at,
      started_by: s.startedBy,
      created_at: at,
    })
    .execute();

export type LockedSearch = Omit<NewSearch, 'startedBy'> & {
  readonly startedBy: string | null;
  readonly status: SearchStatus;
  readonly trialCount: number;
  readonly dueAt: Date | null;
};

/** Locks the search until the transaction ends; it is locked before the runs of its trials. */
export const lockSearch = (tx: Tx, id: string) =>
  tx
    .selectFrom('capacity_searches')
    .where('id', '=', id)
    .select([
      'id',
      'project_id as projectId',
      'organization_id as organizationId',
      'test_id as testId',
      'test_name as testName',
      'settings',
      'config',
      'duration_seconds as durationSeconds',
      'buildup_seconds as buildupSeconds',
      'started_by as startedBy',
      'status',
      'trial_count as trialCount',
      'due_at as dueAt',
    ])
    .forUpdate()
    .executeTakeFirst();

export type SearchChange = {
  readonly status: SearchStatus;
  readonly trialCount?: number;
  readonly dueAt?: Date;
  readonly answer?: SearchAnswer;
  readonly error?: string;
  readonly endedAt?: Date;
};

export const changeSearch = (tx: Tx, id: string, change: SearchChange): Promise<unknown> =>
  tx
    .updateTable('capacity_searches')
    .set({
      status: change.status,
      ...(change.trialCount !== undefined && { trial_count: change.trialCount }),
      ...(change.dueAt && { due_at: change.dueAt }),
      ...(change.answer && { answer: JSON.stringify(change.answer) }),
      ...(change.error !== undefined && { error: change.error }),
      ...(change.endedAt && { ended_at: change.endedAt }),
    })
    .where('id', '=', id)
    .execute();

export const openSearches = (tx: Tx) =>
  tx
    .selectFrom('capacity_searches')
    .where('ended_at', 'is', null)
    .select(['id', 'status', 'trial_count as trialCount'])
    .execute();
