/** What the features of features.ts have in pages.tsx. Generated: npm run generate. */

import type { FeaturePages } from '../dashboard/feature.ts';
import { PAGES as PAGES_OF_BRANDING } from '../features/branding/pages.tsx';
import { PAGES as PAGES_OF_CANARY } from '../features/canary/pages.tsx';
import { PAGES as PAGES_OF_CAPACITY } from '../features/capacity/pages.tsx';
import { PAGES as PAGES_OF_CHAT_FORMATS } from '../features/chat-formats/pages.tsx';
import { PAGES as PAGES_OF_COMPARISON } from '../features/comparison/pages.tsx';
import { PAGES as PAGES_OF_CUSTOMERS } from '../features/customers/pages.tsx';
import { PAGES as PAGES_OF_EXPORTS } from '../features/exports/pages.tsx';
import { PAGES as PAGES_OF_IDENTITY_PROVIDER } from '../features/identity-provider/pages.tsx';
import { PAGES as PAGES_OF_MAIL } from '../features/mail/pages.tsx';
import { PAGES as PAGES_OF_PASSKEYS } from '../features/passkeys/pages.tsx';
import { PAGES as PAGES_OF_PASSWORD_RESET } from '../features/password-reset/pages.tsx';
import { PAGES as PAGES_OF_POOLS } from '../features/pools/pages.tsx';
import { PAGES as PAGES_OF_SAVED_FILTERS } from '../features/saved-filters/pages.tsx';
import { PAGES as PAGES_OF_SECOND_FACTOR } from '../features/second-factor/pages.tsx';
import { PAGES as PAGES_OF_SHARE_LINKS } from '../features/share-links/pages.tsx';
import { PAGES as PAGES_OF_STATUS_PAGE } from '../features/status-page/pages.tsx';
import { PAGES as PAGES_OF_WAITING_RUNS } from '../features/waiting-runs/pages.tsx';

/** Parts of the dashboard. */
export const FEATURE_PAGES: readonly FeaturePages[] = [
  PAGES_OF_BRANDING,
  PAGES_OF_CANARY,
  PAGES_OF_CAPACITY,
  PAGES_OF_CHAT_FORMATS,
  PAGES_OF_COMPARISON,
  PAGES_OF_IDENTITY_PROVIDER,
  PAGES_OF_MAIL,
  PAGES_OF_PASSKEYS,
  PAGES_OF_PASSWORD_RESET,
  PAGES_OF_SAVED_FILTERS,
  PAGES_OF_SECOND_FACTOR,
  PAGES_OF_CUSTOMERS,
  PAGES_OF_POOLS,
  PAGES_OF_WAITING_RUNS,
  PAGES_OF_EXPORTS,
  PAGES_OF_SHARE_LINKS,
  PAGES_OF_STATUS_PAGE,
];
