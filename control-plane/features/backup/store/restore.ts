/**
 * Restores a backup into an empty database: its schema by the migrations that it had, its rows in one transaction, then
 * the later migrations.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { type ConnectionConfig, type Database, openDatabase, type Tx } from '../../../store/db.ts';
import { migrate } from '../../../store/migrate.ts';
import { BEFORE_BASELINE, migrationFiles, TOO_OLD } from '../../../store/migration-files.ts';
import type { DB } from '../../../store/tables.gen.ts';
import { ABOUT, JOBS, partsOf, SEQUENCES, verifiedArchive } from './archive.ts';
import type { About } from './backup.ts';
import { openClient } from './client.ts';
import { boundsOf, expectTables, readAbout, readSequences } from './contents.ts';
import { copyIn } from './copy.ts';
import { foreignKeysOf, listed, quoted, type Sequence, tablesOf } from './schema.ts';
import type { Keys } from './signature.ts';

export type Restored = { readonly about: About; readonly rows: number; readonly applied: readonly string[] };

/** People and agents create the rows of these tables: a database with such a row is in use. */
const SIGNS_OF_USE = ['users', 'workers', 'test_runs', 'tests'];
/** PostgreSQL lists the connections of a control plane for a moment after it has ended. */
const LEAVING_MS = 3000;
const LOOK_MS = 100;

/**
 * @param storeJobs stores the jobs of the backup, in the same transaction
 * @param keys the keys of the installation that made the backup; null: its maker is trusted
 * @throws a description, with nothing restored: the file is damaged, from a newer version, or the database is in use
 */
export async function restoreBackup(
  config: ConnectionConfig,
  file: string,
  storeJobs: (tx: Tx, jobs: unknown) => Promise<unknown>,
  ending: AbortSignal,
  keys: Keys | null,
): Promise<Restored> {
  const texts = await verifiedArchive(file, keys);
  const about = readAbout(texts.get(ABOUT), file);
  const sequences = readSequences(texts.get(SEQUENCES), file);
  const partitions = about.partitions.map((one) => ({ ...one, bounds: boundsOf(one, file) }));
  await expectKnown(about, file);
  const client = await openClient(config, 'carillon restore', ending);
  const database = openDatabase(config, { max: 2, onError: () => undefined });
  try {
    await expectUnused(client, ending);
    await clear(client);
    await migrate(
      database,
      about.migrations.map(({ name }) => name),
    );
    expectTables(about, await tablesOf(client), file);
    await client.query('begin');
    const rows = await fill(client, { ...about, partitions }, file, sequences);
    await storeJobs(borrowed(client), texts.get(JOBS));
    await client.query('commit');
    await client.query('analyze');
    return { about, rows, applied: await migrate(database) };
  } finally {
    await database.close();
    await client.end();
  }
}

async function expectKnown(about: About, file: string): Promise<void> {
  const known = new Map((await migrationFiles()).map(({ name, sha256 }) => [name, sha256]));
  if (about.migrations.some(({ name }) => name === BEFORE_BASELINE))
    throw new Error(`${file} ${TOO_OLD} Nothing was restored.`);
  const unknown = about.migrations.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new Error(
      `${file} was made by a newer Carillon (${about.carillon}): it has ${unknown.join(', ')}. Restore it with that one. Nothing was restored.`,
    );
  }
  const other = about.migrations.filter(({ name, sha256 }) => known.get(name) !== sha256).map(({ name }) => name);
  if (other.length > 0) {
    throw new Error(
      `${file} was made by a Carillon whose migrations differ from those of this one: ${other.join(', ')}. Restore it with that one. Nothing was restored.`,
    );
  }
}

/** The connections of a control plane that stays connected. */
async function connectionsOf(client: pg.Client, ending: AbortSignal): Promise<string[]> {
  for (let leftMs = LEAVING_MS; ; leftMs -= LOOK_MS) {
    const { rows } = await client.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'carillon%' order by 1`,
    );
    if (rows.length === 0 || leftMs <= 0) return rows.map(({ name }) => name);
    await sleep(LOOK_MS, undefined, { signal: ending });
  }
}

async function expectUnused(client: pg.Client, ending: AbortSignal): Promise<void> {
  const connected = await connectionsOf(client, ending);
  if (connected.length > 0)
    throw new Error(
      `A control plane is using this database (${connected.join(', ')}). Stop it first. Nothing was restored.`,
    );
  const there = new Set((await tablesOf(client)).map(({ name }) => name));
  const used: string[] = [];
  for (const name of SIGNS_OF_USE.filter((table) => there.has(table))) {
    const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`);
    if (rowCount !== 0) used.push(name);
  }
  const foreign = there.size > 0 && !there.has('test_runs');
  if (used.length === 0 && !foreign) return;
  throw new Error(
    `The database is not empty: it has ${foreign ? 'tables that are not of Carillon' : `rows in ${used.join(', ')}`}. ` +
      'Nothing was restored, nothing was changed. Restore into an empty database: name another one in DATABASE_URL, or, where it is the embedded one, ' +
      'another folder in CARILLON_DATA_DIR.',
  );
}

/** Drops the empty tables of a first start, or of a restore that was cut. */
async function clear(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists pgboss cascade');
  if ((await tablesOf(client)).length === 0) return;
  await client.query('drop schema public cascade');
  await client.query('create schema public');
}

/**
 * Copies the rows without triggers and foreign keys, whose effects are already in the rows: the keys are validated when
 * they are restored.
 */
async function fill(client: pg.Client, about: About, file: string, sequences: readonly Sequence[]): Promise<number> {
  const keys = await foreignKeysOf(client);
  for (const { table, name } of keys)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`);
  for (const { name, parent, bounds } of about.partitions) {
    await client.query(`create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${bounds}`);
  }
  for (const { name } of about.tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
  // The backup's rows include those that the migrations wrote.
  await client.query(`truncate ${listed(about.tables.map(({ name }) => name))}`);
  const columns = new Map(about.tables.map((table) => [`rows/${table.name}`, table]));
  let rows = 0;
  for await (const { part, data } of partsOf(file)) {
    const table = columns.get(part);
    if (table === undefined) throw new Error(`${file} has rows of a table that it does not name: ${part}`);
    rows += await copyIn(client, `copy ${quoted(table.name)} (${listed(table.columns)}) from stdin`, data);
  }
  for (const { name, value } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint)', [`public.${quoted(name)}`, value]);
  }
  for (const { name } of about.tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`);
  }
  return rows;
}

/** The connection, with its open transaction, for the query builder. */
function borrowed(client: pg.Client): Database['db'] {
  const query = client.query.bind(client);
  const connection = { query, release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined };
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as never }) });
}
