/** Log-in attempts, in windows of time shared by all replicas. */
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

/** Uncounts an attempt. */
export const uncountAttempt = (tx: Tx, subject: string, windowStart: Date): Promise<unknown> =>
  tx
    .updateTable('login_windows')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('subject', '=', subject)
    .where('window_start', '=', windowStart)
    .execute();

/** A successful log-in: its attempts no longer count. */
export const forgetAttempts = (tx: Tx, subject: string): Promise<unknown> =>
  tx.deleteFrom('login_windows').where('subject', '=', subject).execute();

/** Deletes the attempts on this account, from any address. */
export const forgetAttemptsOf = (tx: Tx, email: string): Promise<unknown> =>
  sql`delete from login_windows where subject = ${`account ${email}`}
    or starts_with(subject, ${`account ${email} from `})
    or subject = ${`codes of ${email}`} or starts_with(subject, ${`codes of ${email} by `})`.execute(tx);

export const dropLoginWindows = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('login_windows').where('window_start', '<', before).execute();
