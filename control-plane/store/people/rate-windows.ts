/** Requests of an API key or a session in a window of time, counted where all replicas see it. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Counts one request; how many the window holds with it. */
export async function countRequest(tx: Tx, credentialId: string, windowStart: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into rate_windows as w (credential_id, window_start, requests) values (${credentialId}, ${windowStart}, 1)
    on conflict (credential_id, window_start) do update set requests = w.requests + 1
    returning requests as n`.execute(tx);
  return rows[0]?.n ?? 1;
}

export const dropRateWindows = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('rate_windows').where('window_start', '<', before).execute();
