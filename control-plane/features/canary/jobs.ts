/** The job that takes a canary's next step, and waits for the one after it. */
import * as z from 'zod';
import { type JobEntry, UNTIL_IT_WORKS } from '../../queue/entry.ts';

type Watched = { readonly runId: string };

export const JOBS = {
  'run.canary': { payload: z.object({ runId: z.uuid() }), retries: UNTIL_IT_WORKS, pollSeconds: 1 },
} as const satisfies Record<string, JobEntry<Watched>>;

declare module '../../ports.ts' {
  interface Jobs {
    'run.canary': Watched;
  }
}
