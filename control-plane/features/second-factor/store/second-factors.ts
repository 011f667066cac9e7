/** Second factors of people: the sealed secrets of their authenticators, and the remaining recovery codes. */
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Tx } from '../../../store/db.ts';
import { openIn, sealIn } from '../../../store/secrets/sealing.ts';

const rowOf = (userId: string) => ({ table: 'second_factors', id: userId }) as const;

/** The secret of a confirmed authenticator, or of an offered one. */
export async function totpSecretOf(tx: Tx, userId: string, which: 'secret' | 'offered'): Promise<Secret | null> {
  const row = await tx.selectFrom('second_factors').where('id', '=', userId).select(which).executeTakeFirst();
  const sealed = (row as Partial<Record<string, Buffer | null>> | undefined)?.[which];
  return sealed ? openIn(tx, rowOf(userId), sealed) : null;
}

/** Replaces a secret that was offered earlier. */
export async function offerSecret(tx: Tx, userId: string, secret: Secret): Promise<void> {
  const offered = sealIn(tx, rowOf(userId), secret);
  await tx
    .insertInto('second_factors')
    .values({ id: userId, offered })
    .onConflict((c) => c.column('id').doUpdateSet({ offered }))
    .execute();
}

/** Activates the offered secret, and consumes the code of this step. False: none is offered. */
export const confirmSecret = async (tx: Tx, userId: string, step: number, at: Date): Promise<boolean> =>
  (await tx
    .updateTable('second_factors')
    .set((eb) => ({ secret: eb.ref('offered'), offered: null, confirmed_at: at, last_step: step }))
    .where('id', '=', userId)
    .where('offered', 'is not', null)
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** False: a code of this step or a later one has been used. */
export const takeStep = async (tx: Tx, userId: string, step: number): Promise<boolean> =>
  (await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('id', '=', userId)
    .where('last_step', '<', step)
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** Also deletes recovery codes. False: the user had no second factor. */
export const deleteSecondFactor = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.deleteFrom('second_factors').where('id', '=', userId).returning('confirmed_at').executeTakeFirst())
    ?.confirmed_at != null;

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute();
}

/** False: the code does not exist, or was used. */
export const takeRecoveryCode = async (tx: Tx, userId: string, hash: Buffer): Promise<boolean> =>
  (await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .returning('hash')
    .executeTakeFirst()) !== undefined;
