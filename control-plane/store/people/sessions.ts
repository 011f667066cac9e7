/** People's sessions in the dashboard. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import type { CredentialHolder } from './key-holders.ts';

export type NewSession = {
  readonly id: string;
  readonly hash: Buffer;
  readonly userId: string;
  readonly organizationId: string;
  readonly at: Date;
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string;
  readonly isStrong: boolean;
};

export const insertSession = (tx: Tx, s: NewSession): Promise<unknown> =>
  tx
    .insertInto('sessions')
    .values({
      id: s.id,
      hash: s.hash,
      user_id: s.userId,
      organization_id: s.organizationId,
      created_at: s.at,
      last_seen_at: s.at,
      expires_at: s.expiresAt,
      proved_at: s.at,
      address: s.address,
      user_agent: s.userAgent,
      is_strong: s.isStrong,
    })
    .execute();

export type SessionHolder = CredentialHolder & {
  readonly hash: Buffer;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  /** The last time at which the user confirmed their identity. */
  readonly provedAt: Date;
  /** The organization requires a second factor, and the user has none and has only used a password. */
  readonly lacksSecondFactor: boolean;
  readonly suspendedAt: Date | null;
};

/** The session with this SHA-256 and its user's present role; also undefined when the membership has ended. */
export const findSession = (tx: Tx, hash: Buffer): Promise<SessionHolder | undefined> =>
  tx
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('organizations as o', 'o.id', 's.organization_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.user_id', '=', 's.user_id').onRef('m.organization_id', '=', 's.organization_id'),
    )
    .where('s.hash', '=', hash)
    .select([
      's.id as credentialId',
      's.user_id as userId',
      's.organization_id as organizationId',
      'o.name as organizationName',
      'o.plan',
      'm.role',
      'm.all_projects as allProjects',
      's.hash',
      's.last_seen_at as lastSeenAt',
      's.expires_at as expiresAt',
      's.proved_at as provedAt',
      sql<boolean>`o.needs_second_factor and not s.is_strong and not exists (
        select from second_factors f where f.id = u.id and f.confirmed_at is not null)`.as('lacksSecondFactor'),
      'u.suspended_at as suspendedAt',
    ])
    .executeTakeFirst() as Promise<SessionHolder | undefined>;

export const proveSession = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('sessions').set({ proved_at: at }).where('id', '=', id).execute();

export const sessionProof = async (tx: Tx, id: string): Promise<Date | undefined> =>
  (await tx.selectFrom('sessions').where('id', '=', id).select('proved_at').executeTakeFirst())?.proved_at;

/** True if the session started with more than a password. */
export const isStrongSession = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('sessions').where('id', '=', id).select('is_strong').executeTakeFirst())?.is_strong ?? false;

export const touchSession = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute();

export const moveSession = (tx: Tx, id: string, organizationId: string): Promise<unknown> =>
  tx.updateTable('sessions').set({ organization_id: organizationId }).where('id', '=', id).execute();

export const sessionsOf = (tx: Tx, userId: string, seenAfter: Date, at: Date) =>
  tx
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', seenAfter)
    .where('expires_at', '>', at)
    .select([
      'id',
      'created_at as createdAt',
      'last_seen_at as lastSeenAt',
      'expires_at as expiresAt',
      'address',
      'user_agent as userAgent',
    ])
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();

/** False: the user has no such session. */
export const deleteSession = async (tx: Tx, userId: string, id: string): Promise<boolean> =>
  (await tx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const deleteSessionsOf = (tx: Tx, userId: string): Promise<unknown> =>
  tx.deleteFrom('sessions').where('user_id', '=', userId).execute();

export const deleteOtherSessions = (tx: Tx, userId: string, keepId: string): Promise<unknown> =>
  tx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', keepId).execute();

export const deleteSessionsIn = (tx: Tx, userId: string, organizationId: string): Promise<unknown> =>
  tx.deleteFrom('sessions').where('user_id', '=', userId).where('organization_id', '=', organizationId).execute();

export const dropSessions = (tx: Tx, seenBefore: Date, at: Date): Promise<unknown> =>
  tx
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('last_seen_at', '<', seenBefore), eb('expires_at', '<', at)]))
    .execute();
