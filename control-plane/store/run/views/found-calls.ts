/**
 * Calls over the runs of projects. The runs are chosen first, as many as may be read, because rows of calls are found by
 * their run: an index over their Call-IDs would be written with every end of a call, and cost the ingest more than the
 * search saves.
 */
import { sql } from 'kysely';
import type { Outcome } from '../../../contract/run/words.ts';
import { cleanText, texts } from '../../arrays.ts';
import type { Tx } from '../../db.ts';
import { cut, inOrder, type ListOrder, placeIn, type Slice } from '../../list-order.ts';
import { isLasting } from '../run-rows.ts';
import { containing, isCall } from './endpoint-query.ts';

export type FoundQuery = {
  readonly outcomes?: readonly Outcome[] | undefined;
  readonly sipStatus?: number | undefined;
  readonly cause?: string | undefined;
  /** A part of the called address. */
  readonly number?: string | undefined;
  readonly callId?: string | undefined;
  readonly workerId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

type RunsQuery = Pick<FoundQuery, 'outcomes' | 'from' | 'to'> & {
  readonly testId?: string | undefined;
  /** Includes runs of this millisecond. */
  readonly submittedTo?: Date | undefined;
};

const isOfFailed = ({ outcomes }: RunsQuery): boolean => outcomes !== undefined && !outcomes.includes('SUCCESS');

/** One project by itself: its runs are read in the order of its index. */
const ofProjects = (ids: readonly string[]) =>
  ids.length === 1
    ? sql<boolean>`r.project_id = ${ids[0]}::uuid`
    : sql<boolean>`r.project_id = any (${texts(ids)}::uuid[])`;

/** Runs that had calls in that time, or failures if only these are wanted, last submitted first, with the most rows that each can have. */
export const runsWithCalls = (tx: Tx, projectIds: readonly string[], q: RunsQuery, limit: number) =>
  tx
    .selectFrom('test_runs as r')
    .where(ofProjects(projectIds))
    .where('r.started_at', 'is not', null)
    .$if(isOfFailed(q), (s) => s.where(sql<boolean>`coalesce((r.progress ->> 'failures')::bigint, 1) > 0`))
    .$if(q.testId !== undefined, (s) => s.where('r.test_id', '=', q.testId as string))
    .$if(q.to !== undefined, (s) => s.where('r.submitted_at', '<', q.to as Date))
    .$if(q.submittedTo !== undefined, (s) =>
      s.where('r.submitted_at', '<', new Date((q.submittedTo as Date).getTime() + 1)),
    )
    .$if(q.from !== undefined, (s) =>
      s.where((eb) => eb.or([eb('r.ended_at', 'is', null), eb('r.ended_at', '>=', q.from as Date)])),
    )
    .select([
      'r.id',
      'r.submitted_at as submittedAt',
      sql<number>`greatest(r.endpoints, coalesce((r.call_timing ->> 'totalCalls')::bigint, 0))`.as('rows'),
    ])
    .orderBy('r.submitted_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();

const found = (tx: Tx, runIds: readonly string[], q: FoundQuery) =>
  tx
    .selectFrom('endpoints as e')
    .where(sql<boolean>`e.run_id = any (${texts(runIds)}::uuid[])`)
    .where(isCall)
    .$if(q.outcomes !== undefined, (s) => s.where('e.outcome', 'in', q.outcomes as readonly Outcome[]))
    .$if(q.cause !== undefined, (s) => s.where('e.cause', '=', cleanText(q.cause as string)))
    .$if(q.callId !== undefined, (s) => s.where('e.call_id', '=', cleanText(q.callId as string)))
    .$if(q.workerId !== undefined, (s) => s.where('e.worker_id', '=', q.workerId as string))
    .$if(q.number !== undefined, (s) => s.where('e.callee_uri', 'ilike', containing(q.number as string)))
    .$if(q.from !== undefined, (s) => s.where('e.planned_at', '>=', q.from as Date))
    .$if(q.to !== undefined, (s) => s.where('e.planned_at', '<', q.to as Date))
    .$if(q.sipStatus !== undefined, (s) => {
      const status = q.sipStatus as number;
      return s.where((eb) => eb.or([eb('e.cause_status', '=', status), eb('e.final_status', '=', status)]));
    });

export const countFoundCalls = async (tx: Tx, runIds: readonly string[], q: FoundQuery): Promise<number> =>
  runIds.length === 0
    ? 0
    : (await found(tx, runIds, q).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** Registrations have no planned instant. */
const PLANNED_AT = sql`coalesce(e.planned_at, '-infinity')`;
const LAST_PLANNED_FIRST: ListOrder = [
  [PLANNED_AT, 'instant', 'desc'],
  ['e.run_id', 'id', 'desc'],
  ['e.number', 'number', 'asc'],
];
const FIRST_PLANNED_FIRST: ListOrder = [
  [PLANNED_AT, 'instant', 'asc'],
  ['e.run_id', 'id', 'asc'],
  ['e.number', 'number', 'asc'],
];

const lowestMos = sql<number | null>`(
  select min(s.mos) from streams s where s.run_id = e.run_id and s.endpoint_number = e.number)`;

/**
 * The page is selected first: otherwise the other tables would be joined to each call that is found, and its place
 * written. `counts`: each row also has the number of calls that are found, so that they are read once.
 */
export const foundCalls = async (
  tx: Tx,
  runIds: readonly string[],
  q: FoundQuery,
  sort: '-plannedAt' | 'plannedAt',
  { counts = false, ...w }: Slice & { readonly counts?: boolean },
) => {
  if (runIds.length === 0 || w.limit === 0) return [];
  const order = sort === 'plannedAt' ? FIRST_PLANNED_FIRST : LAST_PLANNED_FIRST;
  const all = found(tx, runIds, q)
    .select(['e.run_id', 'e.number'])
    .$if(counts, (s) => s.select(sql<number>`count(*) over ()`.as('total')));
  const keys = cut(all, order, w);
  const rows = tx
    .with(
      (cte) => cte('e').materialized(),
      () =>
        tx
          .selectFrom('endpoints as e')
          .innerJoin(keys.as('k'), (join) => join.onRef('k.run_id', '=', 'e.run_id').onRef('k.number', '=', 'e.number'))
          .selectAll('e')
          .select(lowestMos.as('mos'))
          .$if(counts, (s) => s.select('k.total')),
    )
    .selectFrom('e')
    .innerJoin('workers as w', 'w.id', 'e.worker_id')
    .innerJoin('test_runs as r', 'r.id', 'e.run_id')
    .selectAll('e')
    .select([
      'w.name as workerName',
      sql<boolean>`w.organization_id is null`.as('isPlatform'),
      'r.project_id as projectId',
      'r.test_id as testId',
      'r.test_name as testName',
      'r.submitted_at as submittedAt',
      'r.endpoints as runEndpoints',
      isLasting.as('isLasting'),
      placeIn(order).as('place'),
    ]);
  return await inOrder(rows, order, w).execute();
};
