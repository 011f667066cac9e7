/** What pools add to the dashboard. */
import type { FeaturePages } from '../../dashboard/feature.ts';
import { PoolsLink } from './dashboard/pools-link.tsx';

export const PAGES: FeaturePages = {
  pages: [['/pools', () => import('./dashboard/pools.tsx'), 'PoolsPage']],
  chapters: { '/pools': 'guide/many-hosts#how-to-begin' },
  workersActions: [['pools', PoolsLink]],
  workerGroupings: [{ by: 'pool', title: 'Pool', none: 'No pool' }],
};
