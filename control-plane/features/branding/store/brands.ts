/** Brands of organizations: name, colour and logo. */
import { sql } from 'kysely';
import type { Tx } from '../../../store/db.ts';

export type BrandColumns = {
  readonly name: string | null;
  readonly colour: string | null;
  readonly logo: Buffer | null;
  readonly logo_width_px: number | null;
  readonly logo_height_px: number | null;
};

/** Undefined: it was never set, or the organization is deleted. */
export const findBrand = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('brands as b')
    .innerJoin('organizations as o', 'o.id', 'b.organization_id')
    .where('o.id', '=', organizationId)
    .where('o.deleted_at', 'is', null)
    .select(['b.name', 'b.colour', 'b.logo', 'b.logo_width_px', 'b.logo_height_px', 'b.version'])
    .executeTakeFirst();

export const putBrand = (tx: Tx, organizationId: string, columns: BrandColumns): Promise<unknown> =>
  tx
    .insertInto('brands')
    .values({ organization_id: organizationId, ...columns })
    .onConflict((c) => c.column('organization_id').doUpdateSet({ ...columns, version: sql`brands.version + 1` }))
    .execute();
