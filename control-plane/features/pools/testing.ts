/** Pools in tests of the core. */
import { sql } from 'kysely';
import type { FeatureTestData } from '../../testing/feature-data.ts';

export const TEST_DATA: FeatureTestData = {
  fillLists: async (db, { projectId }, count) => {
    await sql`insert into pools (id, organization_id, name, region, capacity, name_pattern, max_agents, hash, created_at)
      select gen_random_uuid(), p.organization_id, 'pool ' || i, 'local', 1, '{n}', 1, sha256(i::text::bytea),
        now() + (i % 3) * interval '1 us'
      from projects p, generate_series(1, ${count}) i where p.id = ${projectId}`.execute(db);
  },
};
