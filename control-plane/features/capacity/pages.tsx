/** What capacity searches add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';
import { IconGauge } from '../../dashboard/show/basics/icons.tsx';
import { CAPACITY_TEMPLATE } from './dashboard/test-template.ts';

const FindCapacity = lazy(() =>
  import('./dashboard/find-capacity.tsx').then(({ CapacityOfTest }) => ({ default: CapacityOfTest })),
);

export const PAGES: FeaturePages = {
  chapters: { '/projects/$/capacity': 'guide/trust#capacity-of-an-agent' },
  pages: [
    ['/projects/$projectId/capacity', () => import('./dashboard/searches.tsx'), 'CapacityPage'],
    ['/projects/$projectId/capacity/$searchId', () => import('./dashboard/search.tsx'), 'CapacitySearchPage'],
  ],
  menu: [{ place: 35, to: '/capacity', label: 'Capacity', icon: IconGauge }],
  testTemplates: [CAPACITY_TEMPLATE],
  testActions: [['capacity', FindCapacity]],
};
