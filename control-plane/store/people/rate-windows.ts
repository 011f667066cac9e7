/** Requests of an API key or a session in a window of time, shared by all replicas. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Counts this many requests; returns the number in the window. */
export async function takeRequests(tx: Tx, credentialId: string, windowStart: Date, requests: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into rate_windows as w (credential_id, window_start, requests) values (${credentialId}, ${windowStart}, ${requests})
    on conflict (credential_id, window_start) do update set requests = w.requests + excluded.requests
    returning requests as n`.execute(tx);
  return rows[0]?.n ?? requests;
}

export const dropRateWindows = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('rate_windows').where('window_start', '<', before).execute();
