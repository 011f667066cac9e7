/** What saved filters add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';

const SavedFilters = lazy(() =>
  import('./dashboard/saved-filters.tsx').then(({ SavedFilters }) => ({ default: SavedFilters })),
);

export const PAGES: FeaturePages = { filterActions: [['saved-filters', SavedFilters]] };
