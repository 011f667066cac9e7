/** What a log-in through an identity provider adds to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';
import { goToProvider, proveAtProvider } from './dashboard/provider.ts';

const Identity = lazy(() => import('./dashboard/identity.tsx'));

export const PAGES: FeaturePages = {
  // Providers have stored this address.
  doors: [['/sign-in', () => import('./dashboard/provider-log-in.tsx'), 'ProviderLogInPage']],
  waysIn: [
    {
      place: 20,
      proof: 'PROVIDER',
      label: ({ provider }) => provider && `through ${provider}`,
      logIn: async (next) => {
        await goToProvider('LOG_IN', next);
        return false;
      },
      prove: proveAtProvider,
    },
  ],
  accountCards: [{ place: 20, Card: Identity }],
};
