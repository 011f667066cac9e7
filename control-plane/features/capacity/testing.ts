/** Capacity searches in tests of the core. */
import { sql } from 'kysely';
import type { FeatureTestData } from '../../testing/feature-data.ts';
import { CAPACITY_TEMPLATE } from './dashboard/test-template.ts';

export const TEST_DATA: FeatureTestData = {
  testTemplates: [CAPACITY_TEMPLATE],
  creations: async (testPath, n) => [
    [`${await testPath()}/capacity-searches`, () => ({ trialSeconds: 10 + n() }), 'capacity_searches'],
  ],
  fillLists: (db, { projectId, testId }, count) =>
    sql`insert into capacity_searches select (s).* from (
      select jsonb_populate_record(null::capacity_searches, jsonb_build_object('id', gen_random_uuid(), 'project_id', p.id,
        'organization_id', p.organization_id, 'test_id', ${testId}::text, 'test_name', 'x', 'status', 'CANCELLED',
        'settings', '{}'::jsonb, 'config', '{}'::jsonb, 'trial_count', 0, 'created_at', now() - (i % 3) * interval '1 s',
        'ended_at', now(), 'buildup_seconds', 0, 'duration_seconds', 1)) as s
      from projects p, generate_series(1, ${count}) i where p.id = ${projectId}) x`.execute(db),
};
