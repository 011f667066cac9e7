/** The job that looks whether the agents that a run waits for have come. */
import * as z from 'zod';
import { type JobEntry, UNTIL_IT_WORKS } from '../../queue/entry.ts';

type Waited = { readonly runId: string };

export const JOBS = {
  'run.wait': { payload: z.object({ runId: z.uuid() }), retries: UNTIL_IT_WORKS, pollSeconds: 1 },
} as const satisfies Record<string, JobEntry<Waited>>;

declare module '../../ports.ts' {
  interface Jobs {
    'run.wait': Waited;
  }
}
