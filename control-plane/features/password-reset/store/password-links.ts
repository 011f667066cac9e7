/** Links that set a user's password; they work once. */
import type { Tx } from '../../../store/db.ts';

export const insertPasswordLink = (tx: Tx, hash: Buffer, userId: string, expiresAt: Date): Promise<unknown> =>
  tx.insertInto('password_links').values({ hash, user_id: userId, expires_at: expiresAt }).execute();

/** The owner of a link; undefined: unknown, used or expired. The link is locked, so that it works once. */
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
