/** Deleted organizations: some of their data is removed immediately, and the rest in small statements. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import { retireProject } from '../project/projects.ts';

/** The organization's name, locked against changes; undefined: the organization is deleted. */
export const lockOrganization = (tx: Tx, id: string): Promise<{ name: string } | undefined> =>
  tx
    .selectFrom('organizations')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('name')
    .forUpdate()
    .executeTakeFirst();

export const openRunsOfOrganization = (tx: Tx, organizationId: string): Promise<{ id: string }[]> =>
  tx
    .selectFrom('test_runs')
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .select('id')
    .orderBy('id')
    .execute();

export const workersOfOrganization = (tx: Tx, organizationId: string): Promise<{ id: string }[]> =>
  tx.selectFrom('workers').where('organization_id', '=', organizationId).select('id').orderBy('id').execute();

/**
 * No probe is due from now on, and no membership, key or link is valid; users without another organization are deleted
 * as well. The slug is free.
 */
export async function closeOrganization(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`
    update probes set enabled = false
    where project_id in (select id from projects where organization_id = ${id}::uuid)`.execute(tx);
  for (const table of ['idempotency_keys', 'rate_windows'])
    await sql`
      delete from ${sql.table(table)} where credential_id in (
        select id from sessions where organization_id = ${id}::uuid
        union all select id from api_keys where organization_id = ${id}::uuid)`.execute(tx);
  const people = await tx.selectFrom('memberships').where('organization_id', '=', id).select('user_id').execute();
  for (const table of ['sessions', 'api_keys', 'invitations', 'memberships'] as const)
    await tx.deleteFrom(table).where('organization_id', '=', id).execute();
  await sql`
    delete from project_members where project_id in (select id from projects where organization_id = ${id}::uuid)`.execute(
    tx,
  );
  await sql`
    delete from users u where id = any (${sql.val(people.map((p) => p.user_id))}::uuid[])
      and not exists (select from memberships m where m.user_id = u.id)`.execute(tx);
  await tx
    .updateTable('organizations')
    .set({ deleted_at: at, slug: `deleted-${id}` })
    .where('id', '=', id)
    .execute();
}

export const noteDeletion = (
  tx: Tx,
  d: { readonly at: Date; readonly name: string; readonly actor: string; readonly address: string },
): Promise<unknown> => tx.insertInto('organization_deletions').values(d).execute();

/**
 * DONE: none is left, or its deleted projects are deleted first (retention.ts). WAITS: the runs of the remaining ones
 * have not ended yet.
 */
export type Deletion = 'DONE' | 'GOES_ON' | 'WAITS';

/**
 * Deletes the next part of an organization whose runs have ended: its projects are deleted (their runs like those of
 * any deleted project), then large tables, then the rest with its own row.
 */
export async function deleteGoneOrganization(tx: Tx, at: Date, rows: number): Promise<Deletion> {
  const gone = await tx
    .selectFrom('organizations as o')
    .where('deleted_at', 'is not', null)
    .select([
      'o.id',
      sql<boolean>`exists (select from test_runs r where r.organization_id = o.id and r.ended_at is null)`.as('isOpen'),
    ])
    .orderBy('o.id')
    .execute();
  const next = gone.find(({ isOpen }) => !isOpen);
  if (!next) return gone.length === 0 ? 'DONE' : 'WAITS';
  const project = await tx
    .selectFrom('projects')
    .where('organization_id', '=', next.id)
    .select(['id', 'deleted_at'])
    .orderBy(sql`deleted_at is not null`)
    .limit(1)
    .executeTakeFirst();
  if (project && project.deleted_at === null) await retireProject(tx, project.id, at);
  if (project) return project.deleted_at === null ? 'GOES_ON' : 'DONE';
  for (const table of ['audit_entries', 'announcements'] as const) {
    const some = sql`array(select ctid from ${sql.table(table)} where organization_id = ${next.id}::uuid limit ${rows})`;
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any (${some})`.execute(tx);
    if (Number(numAffectedRows ?? 0) > 0) return 'GOES_ON';
  }
  await tx.deleteFrom('organizations').where('id', '=', next.id).execute();
  return 'GOES_ON';
}
