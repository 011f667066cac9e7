/** API keys as people see and create them; access.ts finds the owner of a key. */
import { sql } from 'kysely';
import type { Scope } from '../../contract/people/words.ts';
import type { Tx } from '../db.ts';
import { type ListOrder, orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { KEY_EXPIRY } from './key-holders.ts';

/** `userId` null: the keys of all users. */
type KeyOwner = { readonly organizationId: string; readonly userId: string | null };

const keys = (tx: Tx, { organizationId, userId }: KeyOwner) =>
  tx
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .where('k.organization_id', '=', organizationId)
    .$if(userId !== null, (q) => q.where('k.user_id', '=', userId as string));

const columns = [
  'k.id',
  'k.name',
  'k.last_four as lastFour',
  'u.name as createdBy',
  'k.created_at as createdAt',
  'k.last_used_at as lastUsedAt',
  KEY_EXPIRY.as('expiresAt'),
  'k.revoked_at as revokedAt',
  sql<Scope[]>`k.scopes`.as('scopes'),
  'k.project_ids as projectIds',
] as const;

const SORTED_BY = { name: ['k.name', 'text'], createdAt: ['k.created_at', 'instant'] } as const;
const VALID_FIRST: ListOrder = [
  [sql`(k.revoked_at is not null)`, 'flag', 'asc'],
  ['k.name', 'text', 'asc'],
  ['k.id', 'id', 'asc'],
];

export const listApiKeys = (tx: Tx, whose: KeyOwner, sort: 'validFirst' | SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    keys(tx, whose).select([...columns]),
    sort === 'validFirst' ? VALID_FIRST : orderOf(SORTED_BY, sort, ['k.id', 'id']),
    w,
  ).execute();

export const countApiKeys = async (tx: Tx, whose: KeyOwner): Promise<number> =>
  (await keys(tx, whose).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

export const apiKeyById = (tx: Tx, whose: KeyOwner, id: string) =>
  keys(tx, whose)
    .where('k.id', '=', id)
    .select([...columns])
    .executeTakeFirst();

export const insertApiKey = (
  tx: Tx,
  k: {
    readonly id: string;
    readonly organizationId: string;
    readonly userId: string;
    readonly name: string;
    readonly hash: Buffer;
    readonly lastFour: string;
    readonly expiresAt: Date | null;
    readonly scopes: readonly Scope[];
    readonly projectIds: readonly string[] | null;
  },
): Promise<unknown> =>
  tx
    .insertInto('api_keys')
    .values({
      id: k.id,
      organization_id: k.organizationId,
      user_id: k.userId,
      name: k.name,
      hash: k.hash,
      last_four: k.lastFour,
      expires_at: k.expiresAt,
      scopes: [...k.scopes],
      project_ids: k.projectIds === null ? null : [...k.projectIds],
    })
    .execute();

export const revokeApiKey = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  tx.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null).execute();

export const revokeApiKeysOf = (tx: Tx, organizationId: string, userId: string, at: Date): Promise<unknown> =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
