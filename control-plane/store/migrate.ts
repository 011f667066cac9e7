/** Numbered .sql files, forward only, each in a transaction, under an advisory lock: two replicas may start at once. */
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './db.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** Brings the schema up to date; the names of the migrations that were applied. */
export async function migrate({ db }: Database): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((r) => r.status === 'Error')?.migrationName ?? 'before the first';
    throw new Error(`Migration ${failed} failed: ${(error as Error).message}`, { cause: error });
  }
  return (results ?? []).map((r) => r.migrationName);
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      return [
        name.replace(/\.sql$/, ''),
        { up: async (db) => void (await sql.raw(text).execute(db)) },
      ] as const satisfies [string, Migration];
    }),
  );
  return Object.fromEntries(migrations);
}
