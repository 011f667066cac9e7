/** The workers of pools: they join, leave, and return. */
import { sql } from 'kysely';
import type { WorkerStatus } from '../../../contract/worker-words.ts';
import type { Tx } from '../../../store/db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../../../store/list-order.ts';
import type { PoolPolicy } from '../contract/pool.ts';
import type { JoinedPool } from './pools.ts';

/** The name of the pool of worker `w`. */
export const POOL_OF_WORKER = sql<string | null>`(select p.name from pool_workers pw join pools p on p.id = pw.pool_id
  where pw.worker_id = w.id and pw.left_at is null)`;

export const countPresent = async (tx: Tx, poolId: string): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('pool_workers')
        .where('pool_id', '=', poolId)
        .where('left_at', 'is', null)
        .select(tx.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

/** The number of the next agent; no other agent of the pool has it. */
export const nextNumber = async (tx: Tx, poolId: string): Promise<number> =>
  (
    await tx
      .updateTable('pools')
      .set({ joined: sql`joined + 1` })
      .where('id', '=', poolId)
      .returning('joined')
      .executeTakeFirstOrThrow()
  ).joined;

type Joining = { readonly id: string; readonly name: string; readonly isDisposable: boolean; readonly at: Date };

/** False: a worker has the name, or had it. The row of an archived worker is never used again: its figures are its own. */
export async function insertPoolWorker(tx: Tx, pool: JoinedPool, w: Joining): Promise<boolean> {
  const { organizationId, region, capacity } = pool;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('workers')
    .values({ id: w.id, organization_id: organizationId, name: w.name, region, capacity })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await tx
    .insertInto('pool_workers')
    .values({ worker_id: w.id, pool_id: pool.id, is_disposable: w.isDisposable, joined_at: w.at })
    .execute();
  return true;
}

/** Takes an archived worker back into its pool; false: this is none. */
export async function takeBack(tx: Tx, poolId: string, workerId: string, isDisposable: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('workers as w')
    .from('pool_workers as pw')
    .set({ revoked_at: null, drained_at: null, updated_at: sql`now()` })
    .whereRef('pw.worker_id', '=', 'w.id')
    .where('w.id', '=', workerId)
    .where('w.revoked_at', 'is not', null)
    .where('pw.pool_id', '=', poolId)
    .where('pw.left_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx
    .updateTable('pool_workers')
    .set({ left_at: null, is_disposable: isDisposable })
    .where('worker_id', '=', workerId)
    .execute();
  return true;
}

/** The pool of a worker that has not left it. */
export const poolOfWorker = (tx: Tx, workerId: string) =>
  tx
    .selectFrom('pool_workers as pw')
    .innerJoin('pools as p', 'p.id', 'pw.pool_id')
    .where('pw.worker_id', '=', workerId)
    .where('pw.left_at', 'is', null)
    .select([
      'p.name',
      'p.hash',
      'p.expires_at as expiresAt',
      'p.revoked_at as revokedAt',
      sql<PoolPolicy>`p.policy`.as('policy'),
    ])
    .executeTakeFirst();

/** Disposable agents that are away since before that instant. */
export const goneWorkers = async (tx: Tx, before: Date): Promise<string[]> =>
  (
    await tx
      .selectFrom('pool_workers as pw')
      .innerJoin('workers as w', 'w.id', 'pw.worker_id')
      .where('pw.left_at', 'is', null)
      .where('pw.is_disposable', '=', true)
      .where('w.status', '=', 'OFFLINE')
      .where('w.gone_at', '<', before)
      .select('w.id')
      .execute()
  ).map(({ id }) => id);

const SORTED_BY = { joinedAt: ['pw.joined_at', 'instant'] } as const;

export const listPoolAgents = (tx: Tx, poolId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    tx
      .selectFrom('pool_workers as pw')
      .innerJoin('workers as w', 'w.id', 'pw.worker_id')
      .where('pw.pool_id', '=', poolId)
      .select([
        'w.id',
        'w.name',
        sql<WorkerStatus>`w.status`.as('status'),
        'pw.is_disposable as isDisposable',
        'pw.joined_at as joinedAt',
        'pw.left_at as leftAt',
        sql<number>`(select count(distinct i.run_id)::int from sub_population_instances i where i.worker_id = w.id)`.as(
          'runs',
        ),
        sql<number>`(select coalesce(sum(i.endpoints), 0)::bigint from sub_population_instances i where i.worker_id = w.id)`.as(
          'endpoints',
        ),
      ]),
    orderOf(SORTED_BY, sort, ['w.id', 'id']),
    w,
  ).execute();

export const countPoolAgents = async (tx: Tx, poolId: string): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('pool_workers')
        .where('pool_id', '=', poolId)
        .select(tx.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );
