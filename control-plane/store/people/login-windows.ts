/** Attempts to log in, in windows of time that all replicas share. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Counts one attempt; how many the window holds with it. */
export async function countAttempt(tx: Tx, subject: string, windowStart: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into login_windows as w (subject, window_start, attempts) values (${subject}, ${windowStart}, 1)
    on conflict (subject, window_start) do update set attempts = w.attempts + 1
    returning attempts as n`.execute(tx);
  return rows[0]?.n ?? 1;
}

/** A successful login was no guess: its attempts no longer count. */
export const forgetAttempts = (tx: Tx, subject: string): Promise<unknown> =>
  tx.deleteFrom('login_windows').where('subject', '=', subject).execute();

export const dropLoginWindows = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('login_windows').where('window_start', '<', before).execute();
