/** Every job, of the core and of all features: name -> entry. */
import { FEATURE_JOBS } from './feature-sums/jobs.ts';
import type { JobName, Jobs } from './ports.ts';
import { CORE_JOBS } from './queue/catalogue.ts';
import type { JobEntry } from './queue/entry.ts';

export const JOB_CATALOGUE: { readonly [N in JobName]: JobEntry<Jobs[N]> } = { ...CORE_JOBS, ...FEATURE_JOBS };

export const JOB_NAMES = Object.keys(JOB_CATALOGUE) as JobName[];
