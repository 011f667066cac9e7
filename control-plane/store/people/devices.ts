/** Browsers that people have logged in from. */
import type { Tx } from '../db.ts';

/** A person has no more of them: the one that was used longest ago goes. */
const MOST_OF_PERSON = 50;

/** Whose browser it is; empty: nobody has logged in there. */
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
    .limit(MOST_OF_PERSON);
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).where('hash', 'not in', kept).execute();
}

export const forgetDevices = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();

export const dropDevices = (tx: Tx, usedBefore: Date): Promise<unknown> =>
  tx.deleteFrom('known_devices').where('last_used_at', '<', usedBefore).execute();
