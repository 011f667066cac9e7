/** What the features of features.ts have in rows.ts. Generated: npm run generate. */
import { BODIES as BODIES_OF_BRANDING, ROWS as ROWS_OF_BRANDING } from '../features/branding/rows.ts';
import { BODIES as BODIES_OF_CAPACITY, ROWS as ROWS_OF_CAPACITY } from '../features/capacity/rows.ts';
import { ROWS as ROWS_OF_COMPARISON } from '../features/comparison/rows.ts';
import { ROWS as ROWS_OF_CUSTOMERS } from '../features/customers/rows.ts';
import { ROWS as ROWS_OF_EXPORTS } from '../features/exports/rows.ts';
import { ROWS as ROWS_OF_IDENTITY_PROVIDER } from '../features/identity-provider/rows.ts';
import { BODIES as BODIES_OF_MAIL, ROWS as ROWS_OF_MAIL } from '../features/mail/rows.ts';
import { ROWS as ROWS_OF_PASSKEYS } from '../features/passkeys/rows.ts';
import { ROWS as ROWS_OF_PASSWORD_RESET } from '../features/password-reset/rows.ts';
import { BODIES as BODIES_OF_POOLS, ROWS as ROWS_OF_POOLS } from '../features/pools/rows.ts';
import { BODIES as BODIES_OF_SAVED_FILTERS, ROWS as ROWS_OF_SAVED_FILTERS } from '../features/saved-filters/rows.ts';
import { ROWS as ROWS_OF_SECOND_FACTOR } from '../features/second-factor/rows.ts';
import { BODIES as BODIES_OF_SHARE_LINKS, ROWS as ROWS_OF_SHARE_LINKS } from '../features/share-links/rows.ts';
import { BODIES as BODIES_OF_STATUS_PAGE, ROWS as ROWS_OF_STATUS_PAGE } from '../features/status-page/rows.ts';

/** Operations of the API. */
export const FEATURE_ROWS = {
  ...ROWS_OF_BRANDING,
  ...ROWS_OF_CAPACITY,
  ...ROWS_OF_COMPARISON,
  ...ROWS_OF_IDENTITY_PROVIDER,
  ...ROWS_OF_MAIL,
  ...ROWS_OF_PASSKEYS,
  ...ROWS_OF_PASSWORD_RESET,
  ...ROWS_OF_SAVED_FILTERS,
  ...ROWS_OF_SECOND_FACTOR,
  ...ROWS_OF_CUSTOMERS,
  ...ROWS_OF_POOLS,
  ...ROWS_OF_EXPORTS,
  ...ROWS_OF_SHARE_LINKS,
  ...ROWS_OF_STATUS_PAGE,
} as const;
/** Examples of their bodies. */
export const FEATURE_BODIES = {
  ...BODIES_OF_BRANDING,
  ...BODIES_OF_CAPACITY,
  ...BODIES_OF_MAIL,
  ...BODIES_OF_SAVED_FILTERS,
  ...BODIES_OF_POOLS,
  ...BODIES_OF_SHARE_LINKS,
  ...BODIES_OF_STATUS_PAGE,
} as const;
