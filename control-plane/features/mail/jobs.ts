/** A mail is sent by a job, so that it outlives the process and a mail server that is down. */
import * as z from 'zod';
import { type JobEntry, UNTIL_IT_WORKS } from '../../queue/entry.ts';

/** `attempt` is its number: the job is harmless if the attempt was already made. */
type MailToSend = { readonly mailId: string; readonly attempt: number };

export const JOBS = {
  'mail.send': {
    payload: z.object({ mailId: z.uuid(), attempt: z.int() }),
    retries: UNTIL_IT_WORKS,
    pollSeconds: 5,
    atOnce: 4,
    // Every step of a slow server has its own 10 s: a mail in progress is not started again.
    expireSeconds: 180,
  },
} as const satisfies Record<string, JobEntry<MailToSend>>;

declare module '../../ports.ts' {
  interface Jobs {
    'mail.send': MailToSend;
  }
}
