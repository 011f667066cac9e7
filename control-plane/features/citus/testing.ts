/** Databases of tests on a server with Citus: all units of the control plane then read and write distributed tables. */
import type { FeatureTestData } from '../../testing/feature-data.ts';
import { distribute, hasCitus } from './store/distribution.ts';

const SHARDS = 4;

export const TEST_DATA: FeatureTestData = {
  prepareDatabase: async ({ db }) => {
    if (await hasCitus(db)) await distribute(db, SHARDS);
  },
};
