/** Links that set a person's password; used once. */
import type { Tx } from '../db.ts';

export const insertPasswordLink = (tx: Tx, hash: Buffer, userId: string, expiresAt: Date): Promise<unknown> =>
  tx.insertInto('password_links').values({ hash, user_id: userId, expires_at: expiresAt }).execute();

/** Whose link it is; undefined: it is unknown, used or expired. Locked, so that it is used once. */
export const lockPasswordLink = (tx: Tx, hash: Buffer, at: Date) =>
  tx
    .selectFrom('password_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .where('l.hash', '=', hash)
    .where('l.expires_at', '>', at)
    .where('u.suspended_at', 'is', null)
    .select(['u.id', 'u.name', 'u.email'])
    .forUpdate()
    .executeTakeFirst();

export const deletePasswordLinks = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('password_links').where('user_id', '=', userId).execute();

export const dropPasswordLinks = (tx: Tx, at: Date): Promise<unknown> =>
  tx.deleteFrom('password_links').where('expires_at', '<', at).execute();
