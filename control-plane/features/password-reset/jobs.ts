/** The job that mails a link. The request only enqueues it, whether the address has an account or not. */
import * as z from 'zod';
import type { JobEntry } from '../../queue/entry.ts';

type PasswordMail = { readonly email: string };

export const JOBS = {
  'password.mail': { payload: z.object({ email: z.string() }), retries: 3, pollSeconds: 5, expireSeconds: 180 },
} as const satisfies Record<string, JobEntry<PasswordMail>>;

declare module '../../ports.ts' {
  interface Jobs {
    'password.mail': PasswordMail;
  }
}
