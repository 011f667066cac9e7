/** The job that takes the next step of a capacity search: it follows the end of each trial. */
import * as z from 'zod';
import { type JobEntry, UNTIL_IT_WORKS } from '../../queue/entry.ts';
import { SEARCH_STATUSES, type SearchStatus } from './contract/words.ts';

/** `trials`: the number of trials when it was enqueued. */
type Watched = { readonly searchId: string; readonly status: SearchStatus; readonly trials: number };

export const JOBS = {
  'capacity.step': {
    payload: z.object({ searchId: z.uuid(), status: z.enum(SEARCH_STATUSES), trials: z.int() }),
    retries: UNTIL_IT_WORKS,
    pollSeconds: 1,
  },
} as const satisfies Record<string, JobEntry<Watched>>;

declare module '../../ports.ts' {
  interface Jobs {
    'capacity.step': Watched;
  }
}
