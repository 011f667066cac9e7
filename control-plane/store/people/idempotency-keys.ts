/** The answers to requests with an Idempotency-Key, so that a repetition gets the same answer. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

export type Claim = { readonly credentialId: string; readonly key: string };

/**
 * False: the key has been taken since `after`, and the transaction that took it has ended. A concurrent claim waits for
 * the other transaction to end.
 */
export async function claimKey(tx: Tx, c: Claim, request: Buffer, at: Date, after: Date): Promise<boolean> {
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ credential_id: c.credentialId, key: c.key, request, created_at: at })
    .onConflict((on) =>
      on
        .columns(['credential_id', 'key'])
        .doUpdateSet({ request, answer: null, created_at: at })
        .where('idempotency_keys.created_at', '<', after),
    )
    .returning(sql<boolean>`true`.as('claimed'))
    .executeTakeFirst();
  return claimed !== undefined;
}

export const keepAnswer = (tx: Tx, c: Claim, answer: unknown): Promise<unknown> =>
  tx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('credential_id', '=', c.credentialId)
    .where('key', '=', c.key)
    .execute();

export const keptAnswer = (tx: Tx, c: Claim) =>
  tx
    .selectFrom('idempotency_keys')
    .where('credential_id', '=', c.credentialId)
    .where('key', '=', c.key)
    .select(['request', 'answer'])
    .executeTakeFirst();

export const dropIdempotencyKeys = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('idempotency_keys').where('created_at', '<', before).execute();
