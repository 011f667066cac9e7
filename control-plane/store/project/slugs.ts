/** Slugs that are in use, so that a name gets one that is free. */
import type { Tx } from '../db.ts';

const OWNER = {
  projects: 'organization_id',
  registrars: 'project_id',
  tests: 'project_id',
  probes: 'project_id',
} as const;
export type Slugged = keyof typeof OWNER;

/** The slugs of an owner's rows that start with `prefix`, itself a slug. */
export const slugsLike = async (tx: Tx, table: Slugged, ownerId: string, prefix: string): Promise<string[]> => {
  const { ref } = tx.dynamic;
  const rows = await tx
    .selectFrom(table)
    .where(ref(OWNER[table]), '=', ownerId)
    .where('slug', 'like', `${prefix}%`)
    .select('slug')
    .execute();
  return rows.map((row) => row.slug);
};
