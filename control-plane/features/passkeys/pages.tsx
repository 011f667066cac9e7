/** What passkeys add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';
import { logInByPasskey, mayUsePasskeys, proveByPasskey } from './dashboard/passkey.ts';

const Passkeys = lazy(() => import('./dashboard/passkeys.tsx'));

export const PAGES: FeaturePages = {
  waysIn: [
    {
      place: 10,
      proof: 'PASSKEY',
      label: ({ passkeyHost }) => (mayUsePasskeys(passkeyHost) ? 'with a passkey' : null),
      logIn: logInByPasskey,
      prove: proveByPasskey,
    },
  ],
  accountCards: [
    {
      place: 10,
      Card: Passkeys,
      ifRequired: 'If you have a passkey, log out and log in with it: it needs no second factor.',
    },
  ],
};
