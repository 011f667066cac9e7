/** Numbered .sql files, forward only, each in a transaction, under an advisory lock: two replicas may start at once. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database, Tx } from './db.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

export type MigrationFile = { readonly name: string; readonly sha256: string; readonly text: string };

/** Of this Carillon, in order. */
export async function migrationFiles(): Promise<MigrationFile[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, FOLDER), 'utf8');
      return { name: file.replace(/\.sql$/, ''), sha256: createHash('sha256').update(text).digest('hex'), text };
    }),
  );
}

/** Names of those that a database has had; none, where it is empty. */
async function appliedMigrations(tx: Tx): Promise<string[]> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('public.kysely_migration') is not null as there`.execute(tx);
  if (!found[0]?.there) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(tx);
  return rows.map((row) => row.name);
}

/**
 * Brings the schema up to date, or to where `only` these migrations bring it; the names of those that were applied.
 * @throws if the database belongs to a newer Carillon
 */
export async function migrate({ db }: Database, only?: readonly string[]): Promise<string[]> {
  const files = (await migrationFiles()).filter(({ name }) => only === undefined || only.includes(name));
  const known = new Set(files.map(({ name }) => name));
  const newer = (await appliedMigrations(db)).filter((name) => !known.has(name));
  if (newer.length > 0) {
    throw new Error(
      `The database belongs to a newer Carillon: it has had ${newer.join(', ')}, which this one does not know. ` +
        'Start the newer one, or restore a backup that was made before the upgrade into an empty database. Nothing was changed.',
    );
  }
  const migrations = Object.fromEntries(
    files.map(({ name, text }) => [name, { up: async (tx: Tx) => void (await sql.raw(text).execute(tx)) }]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((r) => r.status === 'Error')?.migrationName ?? 'before the first';
    throw new Error(`Migration ${failed} failed: ${(error as Error).message}`, { cause: error });
  }
  return (results ?? []).map((r) => r.migrationName);
}
