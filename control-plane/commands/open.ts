/** The database of a control plane, for its operator's programs: they work with and without a running control plane. */
import type { Closers } from '@carillon/proto/base/closers.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../store/db.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import type { KeyRing } from '../store/secrets/key-ring.ts';

/** If the control plane runs, its PostgreSQL is used and not stopped. */
export async function openOwnDatabase(config: Config, closers: Closers, ring?: KeyRing): Promise<Database> {
  const { databaseUrl, dataDir } = config;
  const embedded = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log: () => undefined }) : null;
  if (embedded) closers.push(() => embedded.stop());
  const connection = embedded?.connection ?? { connectionString: databaseUrl ?? new Secret('') };
  const database = openDatabase(connection, { max: 2, onError: () => undefined, ...(ring && { ring }) });
  closers.push(() => database.close());
  return database;
}
