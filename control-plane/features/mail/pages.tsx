/** What mail adds to the dashboard. */
import type { FeaturePages } from '../../dashboard/feature.ts';
import { IconMail } from '../../dashboard/show/basics/icons.tsx';

export const PAGES: FeaturePages = {
  chapters: { '/projects/$/mail': 'guide/probes#mail' },
  pages: [['/projects/$projectId/mail', () => import('./dashboard/mail.tsx'), 'MailPage']],
  adminsMenu: [{ place: 5, to: '/mail', label: 'Mail', icon: IconMail }],
};
