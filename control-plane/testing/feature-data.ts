/** What a feature gives to tests of the core, so that they cover its rows as well (control-plane/features). */
import type { TestTemplate } from '../dashboard/show/test-form/drafts/templates.ts';
import type { Database } from '../store/db.ts';
import type { DB } from '../store/tables.gen.ts';

export type Creation = readonly [path: string, bodyOf: () => object | undefined, table: keyof DB];

export type FeatureTestData = {
  /** Before a migrated database is copied for tests. */
  readonly prepareDatabase?: (database: Database) => Promise<void>;
  /** What it adds to the templates of tests. */
  readonly testTemplates?: readonly TestTemplate[];
  /** A row of each kind that the feature makes once per Idempotency-Key; `testPath`: of a new test; `n`: another number each time. */
  readonly creations?: (testPath: () => Promise<string>, n: () => number) => Promise<readonly Creation[]>;
  /** Inserts `count` rows for each list of the feature, some of them in the same second. */
  readonly fillLists?: (
    db: Database['db'],
    ids: { projectId: string; testId: string; runId: string },
    count: number,
  ) => Promise<unknown>;
};
