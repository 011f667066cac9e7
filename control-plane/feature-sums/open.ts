/** What the features of features.ts have in open.ts. Generated: npm run generate. */
import { OPENERS as OPENERS_OF_IDENTITY_PROVIDER } from '../features/identity-provider/open.ts';
import { OPENERS as OPENERS_OF_MAIL } from '../features/mail/open.ts';

/** What opens the ports of features. */
export const FEATURE_OPENERS = { ...OPENERS_OF_IDENTITY_PROVIDER, ...OPENERS_OF_MAIL } as const;
