/**
 * The life of a capacity search.
 *
 * due        the wait between two trials is over, and a trial is started
 * tried      the trial has ended, and another one follows
 * settled    the trials have given the result
 * broken     no further trial can be made
 * cancelled  a user stopped it
 */
import type { Machine } from '@carillon/proto/base/machine.ts';
import type { SearchStatus } from '../contract/words.ts';

export type SearchEvent = 'due' | 'tried' | 'settled' | 'broken' | 'cancelled';

export const CAPACITY_SEARCH: Machine<SearchStatus, SearchEvent> = {
  initial: 'WAITING',
  finals: ['COMPLETED', 'FAILED', 'CANCELLED'],
  transitions: {
    WAITING: { due: 'TRYING', broken: 'FAILED', cancelled: 'CANCELLED' },
    TRYING: { tried: 'WAITING', settled: 'COMPLETED', broken: 'FAILED', cancelled: 'CANCELLED' },
    COMPLETED: {},
    FAILED: {},
    CANCELLED: {},
  },
  heldBy: { WAITING: 'JOB', TRYING: 'JOB', COMPLETED: 'NOBODY', FAILED: 'NOBODY', CANCELLED: 'NOBODY' },
};
