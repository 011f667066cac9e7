/** Log-in attempts, and requests of keys and sessions, in windows of time shared by all replicas. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Counts one attempt; returns the number in the window. */
export async function countAttempt(tx: Tx, subject: string, windowStart: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into login_windows as w (subject, window_start, attempts) values (${subject}, ${windowStart}, 1)
    on conflict (subject, window_start) do update set attempts = w.attempts + 1
    returning attempts as n`.execute(tx);
  return rows[0]?.n ?? 1;
}

export const uncountAttempt = (tx: Tx, subject: string, windowStart: Date): Promise<unknown> =>
  tx
    .updateTable('login_windows')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('subject', '=', subject)
    .where('window_start', '=', windowStart)
    .execute();

/** After a successful log-in its attempts no longer count. */
export const forgetAttempts = (tx: Tx, subject: string): Promise<unknown> =>
  tx.deleteFrom('login_windows').where('subject', '=', subject).execute();

/** Deletes the attempts on this account, from any address. */
export const forgetAttemptsOf = (tx: Tx, email: string): Promise<unknown> =>
  sql`delete from login_windows where subject = ${`account ${email}`}
    or starts_with(subject, ${`account ${email} from `})
    or subject = ${`codes of ${email}`} or starts_with(subject, ${`codes of ${email} by `})`.execute(tx);

/** Counts this many requests; returns the number in the window. */
export async function takeRequests(tx: Tx, credentialId: string, windowStart: Date, requests: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into rate_windows as w (credential_id, window_start, requests) values (${credentialId}, ${windowStart}, ${requests})
    on conflict (credential_id, window_start) do update set requests = w.requests + excluded.requests
    returning requests as n`.execute(tx);
  return rows[0]?.n ?? requests;
}

export const dropWindows = (tx: Tx, table: 'login_windows' | 'rate_windows', before: Date): Promise<unknown> =>
  tx.deleteFrom(table).where('window_start', '<', before).execute();
