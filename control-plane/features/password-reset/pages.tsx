/** What password resets add to the dashboard. */
import type { FeaturePages } from '../../dashboard/feature.ts';
import type { LoadPage } from '../../dashboard/router.tsx';

const password: LoadPage = () => import('./dashboard/password.tsx');

export const PAGES: FeaturePages = {
  doors: [
    ['/password-link', password, 'PasswordLinkPage'],
    ['/password', password, 'NewPasswordPage'],
  ],
  logInLinks: [{ to: '/password-link', label: 'Forgot your password?' }],
};
