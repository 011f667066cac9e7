/** What the features of features.ts have in jobs.ts. Generated: npm run generate. */
import { JOBS as JOBS_OF_CAPACITY } from './features/capacity/jobs.ts';

/** Entries of the catalogue of jobs. */
export const FEATURE_JOBS = { ...JOBS_OF_CAPACITY } as const;
