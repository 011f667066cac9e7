import { sql } from 'kysely';
import type { Role } from '../../contract/roles.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { newId } from '../new-id.ts';
import { changedNow } from '../versions.ts';

/** A viewer: a member with access to all projects or some. */
export type Viewer = {
  readonly organizationId: string;
  readonly userId: string;
  readonly allProjects: boolean;
  /** The restriction of a key; null: all projects of its creator. */
  readonly onlyProjects: readonly string[] | null;
};

export const visible = (tx: Tx, viewer: Viewer) =>
  tx
    .selectFrom('projects as p')
    .leftJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 'p.id').on('m.user_id', '=', viewer.userId),
    )
    .where('p.organization_id', '=', viewer.organizationId)
    .where('p.deleted_at', 'is', null)
    .$if(viewer.onlyProjects !== null, (q) => q.where('p.id', 'in', [...(viewer.onlyProjects ?? [])]))
    .$if(!viewer.allProjects, (q) => q.where('m.user_id', 'is not', null));

const counts = [
  sql<number>`(select count(*) from tests where project_id = p.id)`.as('testCount'),
  sql<number>`(select count(*) from probes where project_id = p.id)`.as('probeCount'),
  sql<number>`(select count(*) from registrars where project_id = p.id)`.as('registrarCount'),
] as const;

const SORTED_BY = { name: ['p.name', 'text'], createdAt: ['p.created_at', 'instant'] } as const;

export const listProjects = (tx: Tx, viewer: Viewer, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    visible(tx, viewer).select(['p.id', 'p.slug', 'p.name', 'p.description', ...counts]),
    orderOf(SORTED_BY, sort, ['p.id', 'id']),
    w,
  ).execute();

export const countProjects = async (tx: Tx, viewer: Viewer): Promise<number> =>
  (await visible(tx, viewer).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** The project, if accessible, with the viewer's role in it if it differs. */
export const findProject = (
  tx: Tx,
  viewer: Viewer,
  id: string,
): Promise<{ id: string; role: Role | null } | undefined> =>
  visible(tx, viewer).where('p.id', '=', id).select(['p.id', 'm.role']).executeTakeFirst();

/** The projects among `ids` that the viewer can access; `ids` null: all accessible projects. */
export const projectsReached = async (tx: Tx, viewer: Viewer, ids: readonly string[] | null): Promise<string[]> =>
  (
    await visible(tx, viewer)
      .$if(ids !== null, (q) => q.where('p.id', 'in', [...(ids ?? [])]))
      .select('p.id')
      .execute()
  ).map((p) => p.id);

export const projectDetail = (tx: Tx, id: string) =>
  tx
    .selectFrom('projects as p')
    .innerJoin('organizations as o', 'o.id', 'p.organization_id')
    .where('p.id', '=', id)
    .select([
      'p.id',
      'p.slug',
      'p.name',
      'p.description',
      'p.created_at as createdAt',
      'p.updated_at as updatedAt',
      'p.version',
      'o.name as organizationName',
      ...counts,
      sql<number>`(select count(*) from workers where organization_id = p.organization_id or organization_id is null)`.as(
        'workerCount',
      ),
      sql<number>`(select count(*) from media_files where project_id = p.id)`.as('mediaFileCount'),
      sql<Date | null>`(select max(submitted_at) from test_runs where project_id = p.id)`.as('lastRunAt'),
    ])
    .executeTakeFirst();

export type NewProjectRow = {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
};

/** False: the slug is taken. */
export const insertProject = async (tx: Tx, p: NewProjectRow): Promise<boolean> =>
  (await tx
    .insertInto('projects')
    .values({ id: p.id, organization_id: p.organizationId, slug: p.slug, name: p.name, description: p.description })
    .onConflict((c) => c.columns(['organization_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const lockProject = (tx: Tx, id: string) =>
  tx
    .selectFrom('projects')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'version'])
    .forUpdate()
    .executeTakeFirst();

/** False: the project is deleted. Otherwise it is not deleted until the transaction ends. */
export const holdProject = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('projects')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()) !== undefined;

export type ProjectColumns = { readonly name?: string | undefined; readonly description?: string | undefined };

export const updateProject = (tx: Tx, id: string, { name, description }: ProjectColumns): Promise<unknown> =>
  tx
    .updateTable('projects')
    .set({ ...(name !== undefined && { name }), ...(description !== undefined && { description }), ...changedNow() })
    .where('id', '=', id)
    .execute();

/**
 * Moves an ended run to a deleted project of its own: it is hidden, and its rows are deleted like a deleted project's
 * (retention.ts). Its announcements are deleted immediately.
 */
export async function retireRun(tx: Tx, run: { id: string; organizationId: string; projectId: string }, at: Date) {
  const bin = newId();
  const slug = `deleted-${run.id}`;
  const names = { slug, name: slug, description: '' };
  await tx
    .insertInto('projects')
    .values({ id: bin, organization_id: run.organizationId, ...names, deleted_at: at })
    .execute();
  await tx.updateTable('test_runs').set({ project_id: bin }).where('id', '=', run.id).execute();
  await sql`update test_run_totals set runs = runs - 1 where project_id = ${run.projectId}::uuid`.execute(tx);
  await sql`insert into test_run_totals (project_id, runs) values (${bin}::uuid, 1)`.execute(tx);
  await sql`delete from announcements where project_id = ${run.projectId}::uuid and body ->> 'testRunId' = ${run.id}`.execute(
    tx,
  );
}

export const retireProject = (tx: Tx, id: string, at: Date): Promise<unknown> =>
  sql`
  with owner as (select ${id}::uuid as id),
    no_tests as (delete from tests where project_id = (select id from owner)),
    no_probes as (delete from probes where project_id = (select id from owner)),
    no_webhooks as (delete from webhooks where project_id = (select id from owner)),
    no_media as (delete from media_files where project_id = (select id from owner)),
    no_registrars as (delete from registrars where project_id = (select id from owner)),
    no_members as (delete from project_members where project_id = (select id from owner))
  update projects set deleted_at = ${at}, slug = 'deleted-' || id::text where id = (select id from owner)`.execute(tx);
