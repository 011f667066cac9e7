/** Access of people and agents: existing rows, upserts, and removals by pruning. */
import { sql } from 'kysely';
import type { Tier } from '../../contract/people/words.ts';
import type { Role } from '../../contract/roles.ts';
import { retiredKey, retireKeys } from '../agents/agent-keys.ts';
import type { Tx } from '../db.ts';

export const organizationBySlug = (tx: Tx, slug: string): Promise<{ id: string; plan: Tier } | undefined> =>
  tx
    .selectFrom('organizations')
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .select(['id', 'plan'])
    .executeTakeFirst();

export const workerIdsByName = async (tx: Tx, organizationId: string): Promise<Map<string, string>> => {
  const query = tx.selectFrom('workers').where('organization_id', '=', organizationId).select(['name', 'id']);
  return new Map((await query.execute()).map(({ name, id }) => [name, id]));
};

export const userByEmail = (tx: Tx, email: string): Promise<{ id: string; passwordHash: string | null } | undefined> =>
  tx
    .selectFrom('users')
    .where('email', '=', email.toLowerCase())
    .select(['id', 'password_hash as passwordHash'])
    .executeTakeFirst();

export const upsertOrganization = async (
  tx: Tx,
  o: { id: string; slug: string; name: string; plan: Tier },
): Promise<string> =>
  (
    await tx
      .insertInto('organizations')
      .values(o)
      .onConflict((c) => c.column('slug').doUpdateSet({ name: o.name, plan: o.plan, updated_at: sql`now()` }))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** `passwordHash` undefined: unchanged. */
export const upsertUser = async (
  tx: Tx,
  u: { id: string; email: string; name: string; passwordHash?: string },
): Promise<string> =>
  (
    await tx
      .insertInto('users')
      .values({ id: u.id, email: u.email.toLowerCase(), name: u.name, password_hash: u.passwordHash ?? null })
      .onConflict((c) =>
        c
          .column('email')
          .doUpdateSet({ name: u.name, ...(u.passwordHash !== undefined && { password_hash: u.passwordHash }) }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** `changes`: which fields are written if the membership exists. */
export const upsertMembership = (
  tx: Tx,
  m: { organizationId: string; userId: string; role: Role; allProjects: boolean },
  changes = { role: true, allProjects: true },
): Promise<unknown> =>
  tx
    .insertInto('memberships')
    .values({ organization_id: m.organizationId, user_id: m.userId, role: m.role, all_projects: m.allProjects })
    .onConflict((c) =>
      c.columns(['organization_id', 'user_id']).doUpdateSet((eb) => ({
        role: changes.role ? m.role : eb.ref('memberships.role'),
        all_projects: changes.allProjects ? m.allProjects : eb.ref('memberships.all_projects'),
      })),
    )
    .execute();

export async function setProjectMembers(
  tx: Tx,
  organizationId: string,
  userId: string,
  projectIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('project_members')
    .where('user_id', '=', userId)
    .where('project_id', 'in', (eb) =>
      eb.selectFrom('projects').where('organization_id', '=', organizationId).select('id'),
    )
    .execute();
  if (projectIds.length === 0) return;
  await tx
    .insertInto('project_members')
    .values(projectIds.map((project_id) => ({ project_id, user_id: userId })))
    .execute();
}

type ApiKey = {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly expiresAt: string | null;
};

/** A known key under a new name is renamed. A revoked key stays revoked, unless the name gets another key. */
export async function upsertApiKey(tx: Tx, k: ApiKey): Promise<void> {
  const named = await tx
    .selectFrom('api_keys')
    .where('organization_id', '=', k.organizationId)
    .where('name', '=', k.name)
    .select('id')
    .executeTakeFirst();
  if (named) {
    await tx.deleteFrom('api_keys').where('hash', '=', k.hash).where('id', '!=', named.id).execute();
  } else {
    const renamed = { organization_id: k.organizationId, name: k.name };
    await tx.updateTable('api_keys').set(renamed).where('hash', '=', k.hash).execute();
  }
  await tx
    .insertInto('api_keys')
    .values({
      id: k.id,
      organization_id: k.organizationId,
      user_id: k.userId,
      name: k.name,
      hash: k.hash,
      last_four: k.lastFour,
      expires_at: k.expiresAt,
    })
    .onConflict((c) =>
      c.columns(['organization_id', 'name']).doUpdateSet({
        user_id: k.userId,
        hash: k.hash,
        last_four: k.lastFour,
        expires_at: k.expiresAt,
        revoked_at: sql`case when api_keys.hash = excluded.hash then api_keys.revoked_at end`,
      }),
    )
    .execute();
}

export type ProvisionedWorker = {
  readonly id: string;
  readonly organizationId: string | null;
  readonly name: string;
  readonly region: string;
  readonly capacity: number;
  readonly publicKey?: Buffer;
  readonly tokenHash?: Buffer;
};

/**
 * The worker is found by its name, or under another name by its key or its join token: then it is renamed, and keeps
 * its runs.
 */
export async function upsertWorker(tx: Tx, w: ProvisionedWorker): Promise<string> {
  const columns = { name: w.name, region: w.region, capacity: w.capacity };
  const { rows } = await sql<{ id: string }>`
    select w.id from workers w
    where w.organization_id is not distinct from ${w.organizationId}::uuid
      and (w.name = ${w.name} or w.public_key = ${w.publicKey ?? null}::bytea
        or exists (select from join_tokens where worker_id = w.id and hash = ${w.tokenHash ?? null}::bytea))
    order by w.name = ${w.name} desc, coalesce(w.public_key = ${w.publicKey ?? null}::bytea, false) desc
    limit 1`.execute(tx);
  const id = rows[0]?.id ?? w.id;
  if (rows[0]) {
    await tx
      .updateTable('workers')
      .set({ ...columns, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
  } else {
    await tx
      .insertInto('workers')
      .values({ id, organization_id: w.organizationId, ...columns })
      .execute();
  }
  if (w.tokenHash) await keepJoinToken(tx, { id: w.id, workerId: id, hash: w.tokenHash });
  if (w.publicKey) await setWorkerPublicKey(tx, id, w.publicKey);
  return id;
}

/** A token that the file named earlier keeps its state: a used token stays used. */
const keepJoinToken = (tx: Tx, t: { id: string; workerId: string; hash: Buffer }): Promise<unknown> =>
  tx
    .insertInto('join_tokens')
    .values({ id: t.id, worker_id: t.workerId, hash: t.hash })
    .onConflict((c) => c.column('hash').doUpdateSet({ worker_id: t.workerId }))
    .execute();

/**
 * Disconnects an agent that is connected with another key, and another worker that had this one. A key that its agent
 * has changed, or an operator revoked, stays so, even if the file still names it.
 */
async function setWorkerPublicKey(tx: Tx, id: string, publicKey: Buffer): Promise<void> {
  if ((await retiredKey(tx, publicKey).then((r) => r?.reason ?? 'PRUNED')) !== 'PRUNED') return;
  await tx.updateTable('workers').set(revoked).where('public_key', '=', publicKey).where('id', '!=', id).execute();
  await tx
    .updateTable('workers')
    .set({ ...revoked, public_key: publicKey, key_changed_at: sql`now()` })
    .where('id', '=', id)
    .where('public_key', 'is distinct from', publicKey)
    .execute();
}

/** The processes with these sessions drop them, because they are no longer the worker's connection. */
const revoked = {
  public_key: null,
  connection_id: null,
  status: 'OFFLINE' as const,
  gone_at: sql<Date>`coalesce(gone_at, now())`,
};

/** The ids of the users who were members. */
export const pruneMembers = async (tx: Tx, organizationId: string, keepUserIds: readonly string[]): Promise<string[]> =>
  (
    await sql<{ userId: string }>`
      delete from memberships
      where organization_id = ${organizationId}::uuid and user_id <> all (${keepUserIds as string[]}::uuid[])
      returning user_id as "userId"`.execute(tx)
  ).rows.map((row) => row.userId);

/**
 * Workers with runs keep their row, for the runs, and lose their key, unused tokens and connection; the others are
 * deleted. Returns the ids of the removed ones.
 */
export async function pruneWorkers(
  tx: Tx,
  organizationId: string,
  keep: readonly string[],
  at: Date,
): Promise<string[]> {
  const condition = sql<boolean>`organization_id = ${organizationId}::uuid and name <> all (${keep as string[]}::text[])`;
  const { rows: deleted } = await sql<{ id: string }>`
    delete from workers w where ${condition}
      and not exists (select from sub_population_instances where worker_id = w.id)
    returning id`.execute(tx);
  await sql`
    delete from join_tokens where used_at is null
      and worker_id in (select id from workers where ${condition})`.execute(tx);
  const { rows: leaving } = await sql<{ id: string }>`select id from workers where ${condition}`.execute(tx);
  await retireKeys(
    tx,
    leaving.map((row) => row.id),
    'PRUNED',
    at,
  );
  const rows = await tx
    .updateTable('workers')
    .set(revoked)
    .where(condition)
    .where((eb) => eb.or([eb('public_key', 'is not', null), eb('connection_id', 'is not', null)]))
    .returning('id')
    .execute();
  return [...deleted, ...rows].map((row) => row.id);
}
