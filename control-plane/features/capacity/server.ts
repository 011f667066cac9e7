/** What capacity searches add to the control plane. */

import type { FeatureMachines } from '../../hooks.ts';
import type { JobHandlers } from '../../operations/jobs.ts';
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import { CAPACITY_SEARCH } from './domain/search-machine.ts';
import type { JOBS } from './jobs.ts';
import {
  cancelCapacitySearch,
  getCapacitySearch,
  listCapacitySearches,
  startCapacitySearch,
} from './operations/searches.ts';
import { continueSearch, resumeSearches, SEARCH_LABELS, stepSearch } from './operations/step.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = {
  startCapacitySearch,
  listCapacitySearches,
  getCapacitySearch,
  cancelCapacitySearch,
};

export const JOB_HANDLERS: Pick<JobHandlers, keyof typeof JOBS> = { 'capacity.step': stepSearch };

export const HOOKS: Hooks = { runEnded: continueSearch, resume: resumeSearches, ownLabels: SEARCH_LABELS };

export const MACHINES: FeatureMachines = [
  {
    name: 'CAPACITY_SEARCH',
    title: 'Capacity search',
    file: 'control-plane/features/capacity/domain/search-machine.ts',
    says: 'Trials one after another, until they answer how much a system takes.',
    of: CAPACITY_SEARCH,
  },
];
