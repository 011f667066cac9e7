/** Passkeys of people, and the challenges that were answered. */
import type { Tx } from '../../../store/db.ts';

export type NewPasskey = {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly at: Date;
};

/** Violates a unique key if the credential is in use. */
export const insertPasskey = (tx: Tx, p: NewPasskey): Promise<unknown> =>
  tx
    .insertInto('passkeys')
    .values({
      id: p.id,
      user_id: p.userId,
      credential_id: p.credentialId,
      public_key: p.publicKey,
      counter: p.counter,
      transports: [...p.transports],
      name: p.name,
      created_at: p.at,
    })
    .execute();

export const passkeysOf = (tx: Tx, userId: string) =>
  tx
    .selectFrom('passkeys')
    .where('user_id', '=', userId)
    .select([
      'id',
      'credential_id as credentialId',
      'transports',
      'name',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Locks the passkey, so that its counter only increases. */
export const lockPasskey = (tx: Tx, credentialId: Buffer) =>
  tx
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .where('p.credential_id', '=', credentialId)
    .where('u.suspended_at', 'is', null)
    .select([
      'p.id',
      'p.public_key as publicKey',
      'p.counter',
      'p.user_id as userId',
      'u.name as userName',
      'u.email as email',
    ])
    .forUpdate('p')
    .executeTakeFirst();

export const usePasskey = (tx: Tx, id: string, counter: number, at: Date): Promise<unknown> =>
  tx.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id).execute();

/** False: the user has no such passkey. */
export const deletePasskey = async (tx: Tx, userId: string, id: string): Promise<boolean> =>
  (await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** False: the challenge was answered before. */
export const takeChallenge = async (tx: Tx, hash: Buffer, expiresAt: Date): Promise<boolean> =>
  (await tx
    .insertInto('taken_challenges')
    .values({ hash, expires_at: expiresAt })
    .onConflict((c) => c.doNothing())
    .returning('hash')
    .executeTakeFirst()) !== undefined;

export const dropTakenChallenges = (tx: Tx, at: Date): Promise<unknown> =>
  tx.deleteFrom('taken_challenges').where('expires_at', '<', at).execute();
