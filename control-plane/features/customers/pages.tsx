/** What customers add to the dashboard. */
import type { FeaturePages } from '../../dashboard/feature.ts';
import { IconBuildingCommunity } from '../../dashboard/show/basics/icons.tsx';
import { UsageLink } from './dashboard/usage-link.tsx';

export const PAGES: FeaturePages = {
  pages: [
    ['/customers', () => import('./dashboard/customers.tsx'), 'CustomersPage'],
    ['/customers/usage', () => import('./dashboard/usage.tsx'), 'CustomersUsagePage'],
    ['/usage', () => import('./dashboard/usage.tsx'), 'UsagePage'],
  ],
  chapters: { '/customers': 'guide/customers', '/usage': 'guide/customers#use-by-month-and-project' },
  organizationMenu: [
    {
      to: '/customers',
      label: 'Customers',
      icon: IconBuildingCommunity,
      isFor: ({ organization, role, allProjects }) => organization.runsInstallation && role === 'OWNER' && allProjects,
    },
  ],
  organizationActions: [['usage', UsageLink]],
};
