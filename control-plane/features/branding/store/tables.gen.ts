/** The tables of the feature. Generated: npm run generate. */
import type { Generated } from '../../../store/tables.gen.ts';

export interface Brands {
  colour: string | null;
  logo: Buffer | null;
  logo_height_px: number | null;
  logo_width_px: number | null;
  name: string | null;
  organization_id: string;
  version: Generated<number>;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    brands: Brands;
  }
}
