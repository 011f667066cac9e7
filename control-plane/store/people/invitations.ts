/** Invitations work once, and end when they are accepted. */
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../db.ts';

export type NewInvitation = {
  readonly id: string;
  readonly organizationId: string;
  readonly hash: Buffer;
  readonly email: string;
  readonly role: Role;
  readonly projectIds: readonly string[] | null;
  readonly invitedBy: string;
  readonly at: Date;
  readonly expiresAt: Date;
};

/** An address has one invitation per organization: a second one replaces the first. */
export async function putInvitation(tx: Tx, i: NewInvitation): Promise<void> {
  const row = {
    id: i.id,
    hash: i.hash,
    role: i.role,
    project_ids: i.projectIds === null ? null : [...i.projectIds],
    invited_by: i.invitedBy,
    created_at: i.at,
    expires_at: i.expiresAt,
  };
  await tx
    .insertInto('invitations')
    .values({ organization_id: i.organizationId, email: i.email, ...row })
    .onConflict((c) => c.columns(['organization_id', 'email']).doUpdateSet(row))
    .execute();
}

const columns = [
  'i.id',
  'i.email',
  'i.role',
  'i.project_ids as projectIds',
  'u.name as invitedBy',
  'i.created_at as createdAt',
  'i.expires_at as expiresAt',
] as const;

export const openInvitations = (tx: Tx, organizationId: string, at: Date) =>
  tx
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .where('i.organization_id', '=', organizationId)
    .where('i.expires_at', '>', at)
    .select([...columns])
    .orderBy('i.email')
    .execute();

/** The invitation with this secret, if it is open. */
export const invitationOf = (tx: Tx, hash: Buffer, at: Date) =>
  tx
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .leftJoin('users as u', 'u.email', 'i.email')
    .where('i.hash', '=', hash)
    .where('i.expires_at', '>', at)
    .select([
      'i.id',
      'i.organization_id as organizationId',
      'o.name as organizationName',
      'i.email',
      'i.role',
      'i.project_ids as projectIds',
      'u.id as userId',
      'u.password_hash as passwordHash',
    ])
    .executeTakeFirst();

export const invitationById = (tx: Tx, id: string, at: Date) =>
  tx
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .where('i.id', '=', id)
    .where('i.expires_at', '>', at)
    .select(['i.email', 'i.expires_at as expiresAt', 'o.id as organizationId', 'o.name as organizationName'])
    .executeTakeFirst();

export const setInvitationHash = (tx: Tx, id: string, hash: Buffer): Promise<unknown> =>
  tx.updateTable('invitations').set({ hash }).where('id', '=', id).execute();

/** False: it was accepted or withdrawn in the meantime. */
export const deleteInvitation = async (tx: Tx, organizationId: string, id: string): Promise<boolean> =>
  (await tx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** Deletes the invitations that the user made, and those for the user. */
export const deleteInvitationsOf = (tx: Tx, organizationId: string, userId: string): Promise<unknown> =>
  tx
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where((eb) =>
      eb.or([
        eb('invited_by', '=', userId),
        eb('email', '=', eb.selectFrom('users').where('id', '=', userId).select('email')),
      ]),
    )
    .execute();

/** All invitations to the organization. */
export const deleteInvitations = (tx: Tx, organizationId: string): Promise<unknown> =>
  tx.deleteFrom('invitations').where('organization_id', '=', organizationId).execute();

export const dropInvitations = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('invitations').where('expires_at', '<', before).execute();
