/** Finds the tests and probes that name an object in their configuration, which no foreign key guards. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

const PLACES = {
  registrar: '$.groups[*].registrarId ? (@ == $id)',
  sipAccount: '$.groups[*].subPopulations[*].sipAccountIds[*] ? (@ == $id)',
  mediaFile: '$.groups[*].mediaTracks[*].mediaFileId ? (@ == $id)',
} as const;

export type Referrer = { readonly kind: 'test' | 'probe'; readonly id: string; readonly name: string };

/**
 * Sorted by kind and name. This must be queried under the object's row lock: a writer of a reference holds a share lock
 * on it.
 */
export async function referrers(tx: Tx, projectId: string, what: keyof typeof PLACES, id: string): Promise<Referrer[]> {
  const names = sql`jsonb_path_exists(config, ${PLACES[what]}::jsonpath, jsonb_build_object('id', ${id}::text))`;
  const { rows } = await sql<Referrer>`
    select 'test' as kind, id, name from tests where project_id = ${projectId}::uuid and ${names}
    union all
    select 'probe', id, name from probes where project_id = ${projectId}::uuid and ${names}
    order by kind desc, name, id`.execute(tx);
  return rows;
}
