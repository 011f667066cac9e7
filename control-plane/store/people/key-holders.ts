/** The owners of keys: users, memberships, API keys. */
import { sql } from 'kysely';
import type { Scope, Tier } from '../../contract/people/words.ts';
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../db.ts';

/** Who acts by a key or a session. */
export type CredentialHolder = {
  /** The id of the key or the session. */
  readonly credentialId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly plan: Tier;
  readonly role: Role;
  readonly allProjects: boolean;
};

export type KeyHolder = CredentialHolder & {
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  /** Null: all projects of its creator. */
  readonly onlyProjects: readonly string[] | null;
  /** The key's own expiry or the organization's limit, whichever is earlier. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly suspendedAt: Date | null;
};

/** The expiry of a key, for `api_keys as k` and `organizations as o`. */
export const KEY_EXPIRY = sql<Date | null>`least(k.expires_at, k.created_at + make_interval(days => o.key_days))`;

/** The key with this SHA-256 and its creator's present role; also undefined when the membership has ended. */
export const findKey = (tx: Tx, hash: Buffer): Promise<KeyHolder | undefined> =>
  tx
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.user_id', '=', 'k.user_id').onRef('m.organization_id', '=', 'k.organization_id'),
    )
    .where('k.hash', '=', hash)
    .select([
      'k.id as credentialId',
      'k.user_id as userId',
      'k.organization_id as organizationId',
      'o.name as organizationName',
      'o.plan',
      'm.role',
      'm.all_projects as allProjects',
      'k.hash',
      sql<Scope[]>`k.scopes`.as('scopes'),
      'k.project_ids as onlyProjects',
      KEY_EXPIRY.as('expiresAt'),
      'k.revoked_at as revokedAt',
      'k.last_used_at as lastUsedAt',
      'u.suspended_at as suspendedAt',
    ])
    .executeTakeFirst();

export const touchKey = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute();
