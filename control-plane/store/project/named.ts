/** Checks that the objects which a filter names exist. A deleted object that runs still name counts as existing. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

const QUERIES = {
  test: (projectId: string, id: string) => sql<{ found: boolean }>`
    select exists (select from tests where project_id = ${projectId}::uuid and id = ${id}::uuid)
      or exists (select from test_runs where project_id = ${projectId}::uuid and test_id = ${id}::uuid) as found`,
  probe: (projectId: string, id: string) => sql<{ found: boolean }>`
    select exists (select from probes where project_id = ${projectId}::uuid and id = ${id}::uuid)
      or exists (select from test_runs
        where project_id = ${projectId}::uuid and test_id = ${id}::uuid and probe_id is not null) as found`,
  worker: (projectId: string, id: string) => sql<{ found: boolean }>`
    select exists (select from workers w join projects p on p.id = ${projectId}::uuid
      where w.id = ${id}::uuid and (w.organization_id is null or w.organization_id = p.organization_id)) as found`,
};

export type NamedKind = keyof typeof QUERIES;

export const isThere = async (tx: Tx, what: NamedKind, projectId: string, id: string): Promise<boolean> =>
  (await QUERIES[what](projectId, id).execute(tx)).rows[0]?.found === true;
