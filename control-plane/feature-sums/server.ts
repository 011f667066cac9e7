/** What the features of features.ts have in server.ts. Generated: npm run generate. */
import { HANDLERS as HANDLERS_OF_BRANDING, HOOKS as HOOKS_OF_BRANDING } from '../features/branding/server.ts';
import { HOOKS as HOOKS_OF_CANARY, JOB_HANDLERS as JOB_HANDLERS_OF_CANARY } from '../features/canary/server.ts';
import {
  HANDLERS as HANDLERS_OF_CAPACITY,
  HOOKS as HOOKS_OF_CAPACITY,
  JOB_HANDLERS as JOB_HANDLERS_OF_CAPACITY,
  MACHINES as MACHINES_OF_CAPACITY,
} from '../features/capacity/server.ts';
import { HOOKS as HOOKS_OF_CHAT_FORMATS } from '../features/chat-formats/server.ts';
import { HANDLERS as HANDLERS_OF_COMPARISON, HOOKS as HOOKS_OF_COMPARISON } from '../features/comparison/server.ts';
import { HANDLERS as HANDLERS_OF_CUSTOMERS, HOOKS as HOOKS_OF_CUSTOMERS } from '../features/customers/server.ts';
import { HANDLERS as HANDLERS_OF_EXPORTS } from '../features/exports/server.ts';
import {
  ENTRANCES as ENTRANCES_OF_IDENTITY_PROVIDER,
  HANDLERS as HANDLERS_OF_IDENTITY_PROVIDER,
  HOOKS as HOOKS_OF_IDENTITY_PROVIDER,
} from '../features/identity-provider/server.ts';
import {
  HANDLERS as HANDLERS_OF_MAIL,
  HOOKS as HOOKS_OF_MAIL,
  JOB_HANDLERS as JOB_HANDLERS_OF_MAIL,
} from '../features/mail/server.ts';
import {
  ENTRANCES as ENTRANCES_OF_PASSKEYS,
  HANDLERS as HANDLERS_OF_PASSKEYS,
  HOOKS as HOOKS_OF_PASSKEYS,
} from '../features/passkeys/server.ts';
import {
  ENTRANCES as ENTRANCES_OF_PASSWORD_RESET,
  HOOKS as HOOKS_OF_PASSWORD_RESET,
  JOB_HANDLERS as JOB_HANDLERS_OF_PASSWORD_RESET,
  LIMITS as LIMITS_OF_PASSWORD_RESET,
} from '../features/password-reset/server.ts';
import {
  HANDLERS as HANDLERS_OF_POOLS,
  HOOKS as HOOKS_OF_POOLS,
  JOB_HANDLERS as JOB_HANDLERS_OF_POOLS,
} from '../features/pools/server.ts';
import { HANDLERS as HANDLERS_OF_SAVED_FILTERS } from '../features/saved-filters/server.ts';
import {
  HANDLERS as HANDLERS_OF_SECOND_FACTOR,
  HOOKS as HOOKS_OF_SECOND_FACTOR,
  LIMITS as LIMITS_OF_SECOND_FACTOR,
} from '../features/second-factor/server.ts';
import {
  HANDLERS as HANDLERS_OF_SHARE_LINKS,
  HOOKS as HOOKS_OF_SHARE_LINKS,
  LIMITS as LIMITS_OF_SHARE_LINKS,
} from '../features/share-links/server.ts';
import { HANDLERS as HANDLERS_OF_STATUS_PAGE } from '../features/status-page/server.ts';
import {
  HOOKS as HOOKS_OF_WAITING_RUNS,
  JOB_HANDLERS as JOB_HANDLERS_OF_WAITING_RUNS,
} from '../features/waiting-runs/server.ts';
import type { FeatureMachines } from '../hooks.ts';
import type { Hooks } from '../ports.ts';

/** Handlers of operations. */
export const FEATURE_HANDLERS = {
  ...HANDLERS_OF_BRANDING,
  ...HANDLERS_OF_CAPACITY,
  ...HANDLERS_OF_COMPARISON,
  ...HANDLERS_OF_IDENTITY_PROVIDER,
  ...HANDLERS_OF_MAIL,
  ...HANDLERS_OF_PASSKEYS,
  ...HANDLERS_OF_SAVED_FILTERS,
  ...HANDLERS_OF_SECOND_FACTOR,
  ...HANDLERS_OF_CUSTOMERS,
  ...HANDLERS_OF_POOLS,
  ...HANDLERS_OF_EXPORTS,
  ...HANDLERS_OF_SHARE_LINKS,
  ...HANDLERS_OF_STATUS_PAGE,
} as const;
/** Handlers of operations that need no key. */
export const FEATURE_ENTRANCES = {
  ...ENTRANCES_OF_IDENTITY_PROVIDER,
  ...ENTRANCES_OF_PASSKEYS,
  ...ENTRANCES_OF_PASSWORD_RESET,
} as const;
/** Handlers of jobs. */
export const FEATURE_JOB_HANDLERS = {
  ...JOB_HANDLERS_OF_CANARY,
  ...JOB_HANDLERS_OF_CAPACITY,
  ...JOB_HANDLERS_OF_MAIL,
  ...JOB_HANDLERS_OF_PASSWORD_RESET,
  ...JOB_HANDLERS_OF_POOLS,
  ...JOB_HANDLERS_OF_WAITING_RUNS,
} as const;
/** Limits of requests. */
export const FEATURE_LIMITS = {
  ...LIMITS_OF_PASSWORD_RESET,
  ...LIMITS_OF_SECOND_FACTOR,
  ...LIMITS_OF_SHARE_LINKS,
} as const;
/** State machines. */
export const FEATURE_MACHINES: readonly FeatureMachines[] = [MACHINES_OF_CAPACITY];
/** What features do at moments of the core. */
export const FEATURE_HOOKS: readonly Hooks[] = [
  HOOKS_OF_BRANDING,
  HOOKS_OF_CANARY,
  HOOKS_OF_CAPACITY,
  HOOKS_OF_CHAT_FORMATS,
  HOOKS_OF_COMPARISON,
  HOOKS_OF_IDENTITY_PROVIDER,
  HOOKS_OF_MAIL,
  HOOKS_OF_PASSKEYS,
  HOOKS_OF_PASSWORD_RESET,
  HOOKS_OF_SECOND_FACTOR,
  HOOKS_OF_CUSTOMERS,
  HOOKS_OF_POOLS,
  HOOKS_OF_WAITING_RUNS,
  HOOKS_OF_SHARE_LINKS,
];
