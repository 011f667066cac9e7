/** The tables of the feature. Generated: npm run generate. */
import type { Generated, Json, Timestamp } from '../../../store/tables.gen.ts';

export interface Pools {
  capacity: number;
  created_at: Timestamp;
  created_by: string | null;
  expires_at: Timestamp | null;
  hash: Buffer;
  id: string;
  joined: Generated<number>;
  max_agents: number;
  name: string;
  name_pattern: string;
  organization_id: string;
  policy: Generated<Json>;
  region: string;
  revoked_at: Timestamp | null;
}

export interface PoolWorkers {
  is_disposable: boolean;
  joined_at: Timestamp;
  left_at: Timestamp | null;
  pool_id: string;
  worker_id: string;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    pools: Pools;
    pool_workers: PoolWorkers;
  }
}
