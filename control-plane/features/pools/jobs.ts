/** The job that looks for disposable agents that are gone. */
import * as z from 'zod';
import type { JobEntry } from '../../queue/entry.ts';

type Nothing = Record<string, never>;

export const JOBS = {
  'pools.sweep': { payload: z.object({}), retries: 0, pollSeconds: 5, everySeconds: 60 },
} as const satisfies Record<string, JobEntry<Nothing>>;

declare module '../../ports.ts' {
  interface Jobs {
    'pools.sweep': Nothing;
  }
}
