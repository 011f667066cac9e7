/** The tables of the feature. Generated: npm run generate. */
import type { Generated, Timestamp } from '../../../store/tables.gen.ts';

export interface RunWaits {
  agents: number | null;
  missing: string | null;
  online: Generated<number>;
  run_id: string;
  until: Timestamp;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    run_waits: RunWaits;
  }
}
