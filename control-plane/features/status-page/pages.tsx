/** What status pages add to the dashboard. */
import type { FeaturePages } from '../../dashboard/feature.ts';
import { IconBroadcast } from '../../dashboard/show/basics/icons.tsx';

export const PAGES: FeaturePages = {
  chapters: { '/projects/$/status-page': 'guide/probes#status-page' },
  pages: [['/projects/$projectId/status-page', () => import('./dashboard/status-page.tsx'), 'StatusPageSettingsPage']],
  menu: [{ place: 80, to: '/status-page', label: 'Status page', icon: IconBroadcast }],
};
