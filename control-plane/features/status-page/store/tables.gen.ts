/** The tables of the feature. Generated: npm run generate. */
import type { Generated, Timestamp } from '../../../store/tables.gen.ts';

export interface StatusPages {
  description: Generated<string>;
  project_id: string;
  published: boolean;
  slug: string;
  title: string;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface StatusPageProbes {
  display_name: string;
  position: number;
  probe_id: string;
  project_id: string;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    status_pages: StatusPages;
    status_page_probes: StatusPageProbes;
  }
}
