/** What the features of features.ts have in settings.ts. Generated: npm run generate. */
import {
  ENVIRONMENT as ENVIRONMENT_OF_IDENTITY_PROVIDER,
  FAULTS as FAULTS_OF_IDENTITY_PROVIDER,
} from '../features/identity-provider/settings.ts';
import { ENVIRONMENT as ENVIRONMENT_OF_MAIL } from '../features/mail/settings.ts';

/** Environment variables. */
export const FEATURE_ENVIRONMENT = { ...ENVIRONMENT_OF_IDENTITY_PROVIDER, ...ENVIRONMENT_OF_MAIL } as const;
/** Faults of their values together. */
export const FEATURE_FAULTS = { ...FAULTS_OF_IDENTITY_PROVIDER } as const;
