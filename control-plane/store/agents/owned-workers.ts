/** Workers as their organization sees, enrolls, drains and revokes them; workers.ts has their connections. */
import { type InferResult, type RawBuilder, sql } from 'kysely';
import type { FeatureWorkerFields } from '../../contract/worker.ts';
import type { WorkerStatus } from '../../contract/worker-words.ts';
import { OPEN_INSTANCE_STATUSES } from '../../domain/run/instance-machine.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { isMeant, type WorkerQuery, type WorkerTexts, workersOf } from './fleet.ts';
import type { WorkerHello } from './workers.ts';

function details(tx: Tx, organizationId: string, texts: WorkerTexts) {
  const own = workersOf(tx, organizationId).select((eb) => [
    'w.id',
    'w.organization_id as organizationId',
    'w.name',
    'w.region',
    'w.capacity',
    'w.status',
    'w.connected_at as connectedAt',
    'w.seen_at as seenAt',
    'w.drained_at as drainedAt',
    'w.key_changed_at as keyChangedAt',
    sql<boolean>`w.public_key is not null`.as('isEnrolled'),
    sql<Partial<WorkerHello>>`w.hello`.as('hello'),
    sql<Date | null>`(
      select max(expires_at) from join_tokens j where j.worker_id = w.id and j.used_at is null)`.as(
      'joinTokenExpiresAt',
    ),
    eb
      .selectFrom('sub_population_instances as i')
      .whereRef('i.worker_id', '=', 'w.id')
      .where('i.status', 'in', OPEN_INSTANCE_STATUSES)
      .select(sql<number>`coalesce(sum(coalesce(i.at_once, i.endpoints)), 0)::int`.as('n'))
      .as('endpoints'),
  ]);
  const said = Object.entries<RawBuilder<string | null>>(texts).map(([name, text]) => text.as(name));
  return own.select(said).$castTo<InferResult<typeof own>[number] & FeatureWorkerFields>();
}

const SORTED_BY = {
  name: ['w.name', 'text'],
  region: ['w.region', 'text'],
  capacity: ['w.capacity', 'number'],
} as const;

export const listWorkers = (
  tx: Tx,
  organizationId: string,
  query: WorkerQuery,
  sort: SortOf<typeof SORTED_BY>,
  w: Slice,
) => {
  const meant = details(tx, organizationId, query.texts).where(isMeant(query));
  return sliced(meant, orderOf(SORTED_BY, sort, ['w.id', 'id']), w).execute();
};

export const allWorkers = (tx: Tx, organizationId: string, texts: WorkerTexts) =>
  details(tx, organizationId, texts).execute();

/** `waiting`: no agent has joined with their token yet. `query`: of these only. */
export const countWorkers = (tx: Tx, organizationId: string, query?: WorkerQuery) =>
  workersOf(tx, organizationId)
    .$if(query !== undefined, (q) => q.where(isMeant(query as WorkerQuery)))
    .select([
      sql<number>`count(*)`.as('all'),
      sql<number>`count(*) filter (where w.status = 'ONLINE')`.as('online'),
      sql<number>`count(*) filter (where w.public_key is null)`.as('waiting'),
    ])
    .executeTakeFirstOrThrow();

export const workerDetail = (tx: Tx, organizationId: string, id: string, texts: WorkerTexts) =>
  details(tx, organizationId, texts).where('w.id', '=', id).executeTakeFirst();

export type WorkerColumns = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly region: string;
  readonly capacity: number;
};

/** The name of a revoked worker is free, and its row is used again. Returns the id; undefined: a worker has the name. */
export const putWorker = async (tx: Tx, w: WorkerColumns): Promise<string | undefined> =>
  (
    await tx
      .insertInto('workers')
      .values({ id: w.id, organization_id: w.organizationId, name: w.name, region: w.region, capacity: w.capacity })
      .onConflict((c) =>
        c
          .columns(['organization_id', 'name'])
          .doUpdateSet({
            region: w.region,
            capacity: w.capacity,
            revoked_at: null,
            drained_at: null,
            hello: '{}',
            updated_at: sql`now()`,
          })
          .where('workers.revoked_at', 'is not', null),
      )
      .returning('id')
      .executeTakeFirst()
  )?.id;

/** A new token ends all unused ones. */
export async function replaceJoinToken(
  tx: Tx,
  t: { readonly id: string; readonly workerId: string; readonly hash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await deleteJoinTokens(tx, t.workerId);
  await tx
    .insertInto('join_tokens')
    .values({ id: t.id, worker_id: t.workerId, hash: t.hash, expires_at: t.expiresAt })
    .execute();
}

export const deleteJoinTokens = (tx: Tx, workerId: string): Promise<unknown> =>
  tx.deleteFrom('join_tokens').where('worker_id', '=', workerId).where('used_at', 'is', null).execute();

/** `at`: the time since which the worker gets no new runs; null: it gets them. */
export const drain = (tx: Tx, id: string, status: WorkerStatus, at: Date | null): Promise<unknown> =>
  tx.updateTable('workers').set({ status, drained_at: at, updated_at: sql`now()` }).where('id', '=', id).execute();

export const setCapacity = (tx: Tx, id: string, capacity: number): Promise<unknown> =>
  tx.updateTable('workers').set({ capacity, updated_at: sql`now()` }).where('id', '=', id).execute();

/**
 * Removes the key and the connection: the process that renews its session drops it. The row stays because its runs
 * refer to it.
 */
export const revokeWorker = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx
    .updateTable('workers')
    .set({
      public_key: null,
      connection_id: null,
      status: 'OFFLINE',
      gone_at: sql`coalesce(gone_at, ${at})`,
      revoked_at: at,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
