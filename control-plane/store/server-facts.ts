/** What a PostgreSQL server says about itself. */
import { sql } from 'kysely';
import type { Tx } from './db.ts';

type ServerFacts = { readonly version: string; readonly now: Date };

export async function serverFacts(tx: Tx): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version') as version, clock_timestamp() as now`.execute(tx);
  const [facts] = rows;
  if (!facts) throw new Error('The database server did not say its version.');
  return facts;
}
