/** Links by which the installation's first owner enters. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** True if a user has a password, so that log-ins are possible. */
export const isSetUp = async (tx: Tx): Promise<boolean> =>
  (await tx.selectFrom('users').where('password_hash', 'is not', null).select('id').limit(1).executeTakeFirst()) !==
  undefined;

/** Only one transaction at a time may find out whether the installation is set up, and set it up. */
export const lockSetup = (tx: Tx): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('carillon setup'))`.execute(tx);

export const insertSetupLink = (tx: Tx, hash: Buffer, expiresAt: Date): Promise<unknown> =>
  tx.insertInto('setup_links').values({ hash, expires_at: expiresAt }).execute();

/** False: the link is unknown or expired. */
export const isSetupLink = async (tx: Tx, hash: Buffer, at: Date): Promise<boolean> =>
  (await tx
    .selectFrom('setup_links')
    .where('hash', '=', hash)
    .where('expires_at', '>', at)
    .select('hash')
    .executeTakeFirst()) !== undefined;

export const deleteSetupLinks = (tx: Tx): Promise<unknown> => tx.deleteFrom('setup_links').execute();
