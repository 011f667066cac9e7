/** The filters that people have saved. */
import { sql } from 'kysely';
import type { Tx } from '../../../store/db.ts';

type Own = { readonly projectId: string; readonly userId: string };
type Filter = { readonly id: string; readonly list: 'RUNS' | 'CALLS'; readonly name: string; readonly query: string };

const COLUMNS = ['id', 'list', 'name', 'query'] as const;

/** The filters are ordered by name. */
export const filtersOf = (tx: Tx, { projectId, userId }: Own): Promise<Filter[]> =>
  tx
    .selectFrom('saved_filters')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .select([...COLUMNS])
    .orderBy('name')
    .orderBy('id')
    .$castTo<Filter>()
    .execute();

/** If one person saves two filters at the same time, one is counted after the other. */
export const lockFilters = (tx: Tx, { projectId, userId }: Own): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`saved filters ${projectId} ${userId}`}, 0))`.execute(tx);

/** One of the same list and name gets the new query. */
export const putFilter = (tx: Tx, { projectId, userId }: Own, filter: Filter): Promise<Filter> =>
  tx
    .insertInto('saved_filters')
    .values({ ...filter, project_id: projectId, user_id: userId })
    .onConflict((c) => c.columns(['project_id', 'user_id', 'list', 'name']).doUpdateSet({ query: filter.query }))
    .returning([...COLUMNS])
    .$castTo<Filter>()
    .executeTakeFirstOrThrow();

/** False: this person has no such filter there. */
export const removeFilter = async (tx: Tx, { projectId, userId }: Own, id: string): Promise<boolean> =>
  (await tx
    .deleteFrom('saved_filters')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()) !== undefined;
