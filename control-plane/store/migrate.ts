/**
 * Numbered .sql files, forward only, each in a transaction, under an advisory lock: two replicas may start at the same
 * time.
 */
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database, Tx } from './db.ts';
import { BEFORE_BASELINE, type MigrationFile, migrationFiles, TOO_OLD } from './migration-files.ts';

/** `sha256`: the hash of the file as it was applied; null: the applying Carillon did not keep it. */
type Applied = { readonly name: string; readonly sha256: string | null };

/**
 * The migrations applied to a database; empty for an empty database. Their hashes are in an additional column next to
 * their names.
 */
async function appliedMigrations(tx: Tx): Promise<Applied[]> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('public.kysely_migration') is not null as there`.execute(tx);
  if (!found[0]?.there) return [];
  await keepSums(tx);
  const { rows } = await sql<Applied>`select name, sha256 from kysely_migration order by name`.execute(tx);
  return rows;
}

/** Ensures the column exists. It is added once, because that locks the table. */
async function keepSums(tx: Tx): Promise<void> {
  const { rows } = await sql`
    select from pg_attribute where attrelid = 'public.kysely_migration'::regclass and attname = 'sha256'`.execute(tx);
  if (rows.length === 0) await sql`alter table kysely_migration add column if not exists sha256 text`.execute(tx);
}

/** @throws if an applied migration has changed since */
function expectUnchanged(applied: readonly Applied[], files: readonly MigrationFile[]): void {
  const sums = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const changed = applied.filter(({ name, sha256 }) => sha256 !== null && sums.get(name) !== sha256);
  if (changed.length === 0) return;
  const each = changed.map(({ name, sha256 }) => `${name} (SHA-256 ${sha256}, here ${sums.get(name)})`);
  throw new Error(
    `The database was made by other migrations than those of this Carillon: ${each.join(', ')}. ` +
      'A migration that was applied never changes: start the Carillon that made the database, or put the files in control-plane/store/migrations ' +
      'back as they were released. Nothing was changed.',
  );
}

/** @throws as migrate does */
async function expectUsable(db: Tx, files: readonly MigrationFile[]): Promise<readonly Applied[]> {
  const known = new Set(files.map(({ name }) => name));
  const applied = await appliedMigrations(db);
  if (applied.some(({ name }) => name === BEFORE_BASELINE))
    throw new Error(`The database ${TOO_OLD} Nothing was changed.`);
  const newer = applied.map(({ name }) => name).filter((name) => !known.has(name));
  if (newer.length > 0) {
    throw new Error(
      `The database belongs to a newer Carillon: it contains ${newer.join(', ')}, which this version does not know. ` +
        'Start the newer one, or restore a backup that was made before the upgrade into an empty database. Nothing was changed.',
    );
  }
  expectUnchanged(applied, files);
  return applied;
}

/** How many migrations the next start applies, and how many there are. @throws as migrate does */
export async function migrationsDue({ db }: Database): Promise<{ readonly due: number; readonly all: number }> {
  const files = await migrationFiles();
  return { due: files.length - (await expectUsable(db, files)).length, all: files.length };
}

/**
 * Brings the schema up to date, or up to `only` these migrations; returns the names of the applied ones.
 * @throws if the database belongs to a newer version, or was made by other migrations
 */
export async function migrate({ db }: Database, only?: readonly string[]): Promise<string[]> {
  const files = (await migrationFiles()).filter(({ name }) => only === undefined || only.includes(name));
  await expectUsable(db, files);
  const migrations = Object.fromEntries(
    files.map(({ name, text }) => [name, { up: async (tx: Tx) => void (await sql.raw(text).execute(tx)) }]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find((r) => r.status === 'Error')?.migrationName ?? 'before the first';
    throw new Error(`Migration ${failed} failed: ${(error as Error).message}`, { cause: error });
  }
  await keepSums(db);
  // This also applies to migrations of an earlier version: from now on their hashes are checked.
  const values = sql.join(files.map(({ name, sha256 }) => sql`(${name}, ${sha256})`));
  await sql`
    update kysely_migration m set sha256 = f.sha256 from (values ${values}) f (name, sha256)
    where m.name = f.name and m.sha256 is null`.execute(db);
  return (results ?? []).map((r) => r.migrationName);
}
