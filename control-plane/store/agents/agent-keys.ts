/** The changed, retired and refused keys of agents. workers.ts has the connected ones. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** CHANGED: the agent has another key. REVOKED: by an operator. PRUNED: no longer in the provisioning file. */
export type Retirement = 'CHANGED' | 'REVOKED' | 'PRUNED';

/** The worker of a former key; undefined: none. */
export const retiredKey = (tx: Tx, publicKey: Buffer): Promise<{ workerId: string; reason: Retirement } | undefined> =>
  tx
    .selectFrom('retired_keys')
    .where('public_key', '=', publicKey)
    .select(['worker_id as workerId', sql<Retirement>`reason`.as('reason')])
    .executeTakeFirst();

/** Retires the current keys of these workers. This must be called before the workers are removed. */
export const retireKeys = (tx: Tx, workerIds: readonly string[], reason: Retirement, at: Date): Promise<unknown> =>
  sql`
    insert into retired_keys (public_key, worker_id, reason, retired_at)
    select public_key, id, ${reason}, ${at}::timestamptz from workers
    where id = any (${workerIds as string[]}::uuid[]) and public_key is not null
    on conflict (public_key) do update set worker_id = excluded.worker_id, reason = excluded.reason,
      retired_at = excluded.retired_at`.execute(tx);

export const reviveKey = (tx: Tx, publicKey: Buffer): Promise<unknown> =>
  tx.deleteFrom('retired_keys').where('public_key', '=', publicKey).execute();

export const keyOfWorker = async (tx: Tx, id: string): Promise<Buffer | null> =>
  (await tx.selectFrom('workers').where('id', '=', id).select('public_key').forUpdate().executeTakeFirst())
    ?.public_key ?? null;

export const setWorkerKey = (tx: Tx, id: string, publicKey: Buffer, at: Date): Promise<unknown> =>
  tx
    .updateTable('workers')
    .set({ public_key: publicKey, key_changed_at: at, former_boots: [], copied_at: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();

/** True if another worker has the key, or if it is a retired one. */
export const isKeyTaken = async (tx: Tx, publicKey: Buffer): Promise<boolean> =>
  (
    await sql<{ taken: boolean }>`
      select exists (select from workers where public_key = ${publicKey}::bytea)
        or exists (select from retired_keys where public_key = ${publicKey}::bytea) as taken`.execute(tx)
  ).rows[0]?.taken === true;

/** Counts one more refusal; true if it is the first of its kind for this worker since `windowStart`. */
export const countRefusal = async (
  tx: Tx,
  r: { readonly workerId: string; readonly reason: string; readonly at: Date; readonly windowStart: Date },
): Promise<boolean> =>
  (
    await sql<{ first: boolean }>`
      insert into link_refusals (worker_id, reason, window_start, attempts)
      values (${r.workerId}::uuid, ${r.reason}, ${r.at}::timestamptz, 1)
      on conflict (worker_id, reason) do update set
        attempts = case when link_refusals.window_start < ${r.windowStart}::timestamptz then 1
          else link_refusals.attempts + 1 end,
        window_start = case when link_refusals.window_start < ${r.windowStart}::timestamptz then ${r.at}::timestamptz
          else link_refusals.window_start end
      returning attempts = 1 as first`.execute(tx)
  ).rows[0]?.first === true;

/** The worker of a token, even if it was used or has expired. */
export const workerOfToken = (tx: Tx, hash: Buffer): Promise<{ workerId: string; usedAt: Date | null } | undefined> =>
  tx
    .selectFrom('join_tokens')
    .where('hash', '=', hash)
    .select(['worker_id as workerId', 'used_at as usedAt'])
    .executeTakeFirst();
