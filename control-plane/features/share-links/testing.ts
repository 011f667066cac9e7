/** Share links in tests of the core. */
import { sql } from 'kysely';
import type { FeatureTestData } from '../../testing/feature-data.ts';

export const TEST_DATA: FeatureTestData = {
  fillLists: (db, { projectId, runId }, count) =>
    sql`insert into share_links (id, run_id, hash, created_at, expires_at)
      select gen_random_uuid(), r.id, sha256((r.id::text || i)::bytea), now() + (i % 3) * interval '1 us',
        now() + interval '9 days' + (i % 2) * interval '1 day'
      from test_runs r, generate_series(1, ${count}) i
      where r.project_id = ${projectId} and (i = 1 or r.id = ${runId})`.execute(db),
};
