/** Browsers that people have logged in from. */
import type { Tx } from '../db.ts';

/** The maximum per user: the least recently used one is removed. */
const MAX_OF_PERSON = 50;

/** The users of a browser; empty: nobody has logged in from it. */
export const peopleOfDevice = async (tx: Tx, hash: Buffer): Promise<string[]> =>
  (await tx.selectFrom('known_devices').where('hash', '=', hash).select('user_id as userId').execute()).map(
    (d) => d.userId,
  );

export async function putDevice(tx: Tx, hash: Buffer, userId: string, at: Date): Promise<void> {
  await tx
    .insertInto('known_devices')
    .values({ hash, user_id: userId, last_used_at: at })
    .onConflict((c) => c.columns(['hash', 'user_id']).doUpdateSet({ last_used_at: at }))
    .execute();
  const kept = tx
    .selectFrom('known_devices')
    .where('user_id', '=', userId)
    .select('hash')
    .orderBy('last_used_at', 'desc')
    .limit(MAX_OF_PERSON);
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).where('hash', 'not in', kept).execute();
}

export const forgetDevices = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();

export const dropDevices = (tx: Tx, usedBefore: Date): Promise<unknown> =>
  tx.deleteFrom('known_devices').where('last_used_at', '<', usedBefore).execute();
