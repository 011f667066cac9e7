/** Users as the identity provider knows them, and its answers for log-ins in progress. */
import type { Tx } from '../../../store/db.ts';

export const identityOf = (tx: Tx, userId: string, issuer: string) =>
  tx
    .selectFrom('identities')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .select(['email', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .executeTakeFirst();

export const userOfIdentity = async (tx: Tx, issuer: string, subject: string): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('identities')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .select('user_id')
      .executeTakeFirst()
  )?.user_id;

export type NewIdentity = {
  readonly issuer: string;
  readonly subject: string;
  readonly userId: string;
  readonly email: string;
  readonly at: Date;
};

/** Violates a unique key if the subject belongs to another user, or if the user has another identity of this issuer. */
export const insertIdentity = (tx: Tx, { issuer, subject, userId, email, at }: NewIdentity): Promise<unknown> =>
  tx
    .insertInto('identities')
    .values({ issuer, subject, user_id: userId, email, created_at: at, last_used_at: at })
    .execute();

export const touchIdentity = (tx: Tx, issuer: string, subject: string, at: Date): Promise<unknown> =>
  tx
    .updateTable('identities')
    .set({ last_used_at: at })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();

/** False: the user has no such identity. */
export const deleteIdentity = async (tx: Tx, userId: string, issuer: string): Promise<boolean> =>
  (await tx
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .returning('subject')
    .executeTakeFirst()) !== undefined;

export type SignIn = {
  readonly issuer: string;
  readonly subject: string;
  /** The address that the provider verified; null: none. */
  readonly email: string | null;
  readonly isStrong: boolean;
};

export const keepSignIn = (tx: Tx, hash: Buffer, signIn: SignIn, expiresAt: Date): Promise<unknown> =>
  tx
    .insertInto('sign_ins')
    .values({
      hash,
      issuer: signIn.issuer,
      subject: signIn.subject,
      email: signIn.email,
      is_strong: signIn.isStrong,
      expires_at: expiresAt,
    })
    .onConflict((c) => c.doNothing())
    .execute();

export const keptSignIn = (tx: Tx, hash: Buffer, at: Date) =>
  tx
    .selectFrom('sign_ins')
    .where('hash', '=', hash)
    .where('expires_at', '>', at)
    .select(['issuer', 'subject', 'email', 'is_strong as isStrong', 'is_done as isDone'])
    .executeTakeFirst();

/** False: it was used before. */
export const finishSignIn = async (tx: Tx, hash: Buffer): Promise<boolean> =>
  (await tx
    .updateTable('sign_ins')
    .set({ is_done: true })
    .where('hash', '=', hash)
    .where('is_done', '=', false)
    .returning('hash')
    .executeTakeFirst()) !== undefined;

export const dropSignIns = (tx: Tx, at: Date): Promise<unknown> =>
  tx.deleteFrom('sign_ins').where('expires_at', '<', at).execute();
