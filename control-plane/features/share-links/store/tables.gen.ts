/** The tables of the feature. Generated: npm run generate. */
import type { Generated, Timestamp } from '../../../store/tables.gen.ts';

export interface ShareLinks {
  created_at: Timestamp;
  created_by: string | null;
  expires_at: Timestamp;
  hash: Buffer;
  id: string;
  last_viewed_at: Timestamp | null;
  run_id: string;
  views: Generated<number>;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    share_links: ShareLinks;
  }
}
