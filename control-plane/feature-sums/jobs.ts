/** What the features of features.ts have in jobs.ts. Generated: npm run generate. */
import { JOBS as JOBS_OF_CANARY } from '../features/canary/jobs.ts';
import { JOBS as JOBS_OF_CAPACITY } from '../features/capacity/jobs.ts';
import { JOBS as JOBS_OF_MAIL } from '../features/mail/jobs.ts';
import { JOBS as JOBS_OF_PASSWORD_RESET } from '../features/password-reset/jobs.ts';
import { JOBS as JOBS_OF_POOLS } from '../features/pools/jobs.ts';
import { JOBS as JOBS_OF_WAITING_RUNS } from '../features/waiting-runs/jobs.ts';

/** Entries of the catalogue of jobs. */
export const FEATURE_JOBS = {
  ...JOBS_OF_CANARY,
  ...JOBS_OF_CAPACITY,
  ...JOBS_OF_MAIL,
  ...JOBS_OF_PASSWORD_RESET,
  ...JOBS_OF_POOLS,
  ...JOBS_OF_WAITING_RUNS,
} as const;
