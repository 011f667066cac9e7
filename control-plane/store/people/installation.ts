/** The owner of the installation: the OWNERs of one organization (docs/decisions.md, The owner of the installation). */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

const kept = (tx: Tx) => tx.selectFrom('installation').select('organization_id as organizationId').executeTakeFirst();

/**
 * The organization whose OWNERs own the installation; null: nobody does. The first question settles it, so that an
 * organization does not get the installation because the others were deleted.
 */
export async function organizationOfInstallation(tx: Tx): Promise<string | null> {
  const settled = await kept(tx);
  if (settled) return settled.organizationId;
  await sql`
    insert into installation (organization_id)
    select case when count(*) = 1 then (array_agg(id))[1] end from organizations
    where deleted_at is null having count(*) > 0
    on conflict do nothing`.execute(tx);
  return (await kept(tx))?.organizationId ?? null;
}

export const giveInstallation = (tx: Tx, organizationId: string): Promise<unknown> =>
  tx
    .insertInto('installation')
    .values({ organization_id: organizationId })
    .onConflict((c) => c.column('id').doUpdateSet({ organization_id: organizationId }))
    .execute();
