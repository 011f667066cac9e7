/** What the features of features.ts have in testing.ts. Generated: npm run generate. */
import { TEST_DATA as TEST_DATA_OF_CAPACITY } from '../features/capacity/testing.ts';
import { TEST_DATA as TEST_DATA_OF_CITUS } from '../features/citus/testing.ts';
import { TEST_DATA as TEST_DATA_OF_POOLS } from '../features/pools/testing.ts';
import { TEST_DATA as TEST_DATA_OF_SHARE_LINKS } from '../features/share-links/testing.ts';
import type { FeatureTestData } from '../testing/feature-data.ts';

/** What tests of the core need, to cover features as well. */
export const FEATURE_TEST_DATA: readonly FeatureTestData[] = [
  TEST_DATA_OF_CAPACITY,
  TEST_DATA_OF_CITUS,
  TEST_DATA_OF_POOLS,
  TEST_DATA_OF_SHARE_LINKS,
];
