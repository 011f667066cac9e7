import { sql } from 'kysely';
import type { Paged } from '../contract/envelope.ts';
import type { Role } from '../contract/words.ts';
import type { Tx } from './db.ts';

/** Whose eyes: an organization's member, who reaches all of its projects or some. */
export type Viewer = { readonly organizationId: string; readonly userId: string; readonly allProjects: boolean };

const visible = (tx: Tx, viewer: Viewer) =>
  tx
    .selectFrom('projects as p')
    .leftJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 'p.id').on('m.user_id', '=', viewer.userId),
    )
    .where('p.organization_id', '=', viewer.organizationId)
    .$if(!viewer.allProjects, (q) => q.where('m.user_id', 'is not', null));

const counts = [
  sql<number>`(select count(*) from tests where project_id = p.id)`.as('testCount'),
  sql<number>`(select count(*) from probes where project_id = p.id)`.as('probeCount'),
  sql<number>`(select count(*) from registrars where project_id = p.id)`.as('registrarCount'),
] as const;

export const listProjects = (tx: Tx, viewer: Viewer, { page, per_page }: Paged) =>
  visible(tx, viewer)
    .select(['p.id', 'p.slug', 'p.name', 'p.description', ...counts])
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

export const countProjects = async (tx: Tx, viewer: Viewer): Promise<number> =>
  (await visible(tx, viewer).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** The project, if the viewer reaches it, with the viewer's role in it where it has one of its own. */
export const findProject = (
  tx: Tx,
  viewer: Viewer,
  id: string,
): Promise<{ id: string; role: Role | null } | undefined> =>
  visible(tx, viewer).where('p.id', '=', id).select(['p.id', 'm.role']).executeTakeFirst();

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
      'o.name as organizationName',
      ...counts,
      sql<number>`(select count(*) from workers where organization_id = p.organization_id or organization_id is null)`.as(
        'workerCount',
      ),
      sql<Date | null>`(select max(submitted_at) from test_runs where project_id = p.id)`.as('lastRunAt'),
    ])
    .executeTakeFirst();
