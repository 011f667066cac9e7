/** People and the organizations that they belong to. */
import { sql } from 'kysely';
import type { Input } from '../../contract/catalogue.ts';
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';

export const userByEmail = (tx: Tx, email: string) =>
  tx
    .selectFrom('users')
    .where('email', '=', email)
    .select(['id', 'name', 'email', 'password_hash as passwordHash', 'suspended_at as suspendedAt'])
    .executeTakeFirst();

/** The same user, locked against a password change. */
export const lockUserByEmail = (tx: Tx, email: string) =>
  tx
    .selectFrom('users')
    .where('email', '=', email)
    .select(['id', 'name', 'password_hash as passwordHash'])
    .forUpdate()
    .executeTakeFirst();

/**
 * True if anyone uses the account, or can use it, other than by an API key: it was entered, or has an identity of the
 * provider, a passkey or a second factor.
 */
export const isInUse = async (tx: Tx, userId: string): Promise<boolean> =>
  (
    await sql<{ used: boolean }>`
      select exists (select from users where id = ${userId}::uuid and entered_at is not null)
        or exists (select from identities where user_id = ${userId}::uuid)
        or exists (select from passkeys where user_id = ${userId}::uuid)
        or exists (select from second_factors where id = ${userId}::uuid) as used`.execute(tx)
  ).rows[0]?.used === true;

export const noteEntered = (tx: Tx, userId: string, at: Date): Promise<unknown> =>
  tx.updateTable('users').set({ entered_at: at }).where('id', '=', userId).where('entered_at', 'is', null).execute();

/** Violates a unique key if the address is in use. */
export const insertUser = (
  tx: Tx,
  u: { readonly id: string; readonly email: string; readonly name: string; readonly passwordHash: string },
): Promise<unknown> =>
  tx.insertInto('users').values({ id: u.id, email: u.email, name: u.name, password_hash: u.passwordHash }).execute();

export const userById = (tx: Tx, id: string) =>
  tx
    .selectFrom('users')
    .where('id', '=', id)
    .select(['id', 'name', 'email', 'password_hash as passwordHash'])
    .executeTakeFirst();

export const setPassword = (tx: Tx, userId: string, passwordHash: string): Promise<unknown> =>
  tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();

export const organizationsOf = (tx: Tx, userId: string) =>
  tx
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .where('m.user_id', '=', userId)
    .select([
      'o.id',
      'o.name',
      'o.plan',
      'o.key_days as keyDays',
      'o.needs_second_factor as needsSecondFactor',
      'm.role',
      'm.all_projects as allProjects',
    ])
    .orderBy('o.name')
    .orderBy('o.id')
    .execute();

export const updateOrganization = (
  tx: Tx,
  id: string,
  { name, keyDays, needsSecondFactor }: Input<'updateOrganization'>,
) =>
  tx
    .updateTable('organizations')
    .set({
      id,
      ...(name !== undefined && { name }),
      ...(keyDays !== undefined && { key_days: keyDays }),
      ...(needsSecondFactor !== undefined && { needs_second_factor: needsSecondFactor }),
    })
    .where('id', '=', id)
    .returning(['id', 'name', 'plan', 'key_days as keyDays', 'needs_second_factor as needsSecondFactor'])
    .executeTakeFirstOrThrow();

export const keyDaysOf = async (tx: Tx, id: string): Promise<number | null> =>
  (await tx.selectFrom('organizations').where('id', '=', id).select('key_days').executeTakeFirst())?.key_days ?? null;

export const allOrganizations = (tx: Tx) =>
  tx
    .selectFrom('organizations')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'slug'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** The projects in which the member has a different role. */
export const projectRolesOf = (tx: Tx, organizationId: string, userId: string) =>
  tx
    .selectFrom('project_members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .where('m.user_id', '=', userId)
    .where('p.organization_id', '=', organizationId)
    .where('m.role', 'is not', null)
    .select(['m.project_id as projectId', sql<Role>`m.role`.as('role')])
    .orderBy('m.project_id')
    .execute();

const members = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.organization_id', '=', organizationId)
    .select([
      'u.id',
      'u.name',
      'u.email',
      'm.role',
      'm.all_projects as allProjects',
      sql<boolean>`u.password_hash is not null`.as('hasPassword'),
      sql<boolean>`exists (select from second_factors f where f.id = u.id and f.confirmed_at is not null)`.as(
        'hasSecondFactor',
      ),
      sql<string[]>`array(
        select pm.project_id::text from project_members pm join projects p on p.id = pm.project_id
        where pm.user_id = u.id and p.organization_id = m.organization_id and p.deleted_at is null
        order by p.name)`.as('projectIds'),
      sql<Date | null>`(
        select max(s.last_seen_at) from sessions s
        where s.user_id = u.id and s.organization_id = m.organization_id)`.as('lastSeenAt'),
    ]);

const SORTED_BY = { name: ['u.name', 'text'], email: ['u.email', 'text'] } as const;

export const listMembers = (tx: Tx, organizationId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(members(tx, organizationId), orderOf(SORTED_BY, sort, ['u.id', 'id']), w).execute();

export const memberOf = (tx: Tx, organizationId: string, userId: string) =>
  members(tx, organizationId).where('u.id', '=', userId).executeTakeFirst();

export const countMembers = async (tx: Tx, organizationId: string): Promise<number> =>
  (
    await tx
      .selectFrom('memberships')
      .where('organization_id', '=', organizationId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export type LockedMembership = { readonly userId: string; readonly role: Role; readonly allProjects: boolean };

/** Locks the organization's memberships and returns their roles, to check that an owner remains. */
export const lockMemberships = (tx: Tx, organizationId: string): Promise<LockedMembership[]> =>
  tx
    .selectFrom('memberships')
    .where('organization_id', '=', organizationId)
    .select(['user_id as userId', 'role', 'all_projects as allProjects'])
    .orderBy('user_id')
    .forUpdate()
    .execute() as Promise<LockedMembership[]>;

export const setMembership = (
  tx: Tx,
  organizationId: string,
  userId: string,
  change: { readonly role?: Role | undefined; readonly allProjects?: boolean | undefined },
): Promise<unknown> =>
  tx
    .updateTable('memberships')
    .set({
      organization_id: organizationId,
      ...(change.role !== undefined && { role: change.role }),
      ...(change.allProjects !== undefined && { all_projects: change.allProjects }),
    })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();

export const deleteMembership = (tx: Tx, organizationId: string, userId: string): Promise<unknown> =>
  tx.deleteFrom('memberships').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute();

/** The projects among these that belong to the organization. */
export const projectsAmong = async (tx: Tx, organizationId: string, ids: readonly string[]): Promise<string[]> =>
  ids.length === 0
    ? []
    : (
        await tx
          .selectFrom('projects')
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .where('id', 'in', ids)
          .select('id')
          .execute()
      ).map((p) => p.id);
