/** Backs up all rows of a live database at one instant, without blocking; later writes are not included. */
import type pg from 'pg';
import type { ConnectionConfig } from '../../../store/db.ts';
import { migrationFiles } from '../../../store/migration-files.ts';
import { ABOUT, createArchive, JOBS, SEQUENCES } from './archive.ts';
import { openClient } from './client.ts';
import { copyOut } from './copy.ts';
import { listed, type Partition, partitionsOf, quoted, sequencesOf, type Table, tablesOf } from './schema.ts';
import type { Keys } from './signature.ts';

/** The description of a backup: counts and names, but no rows. */
export type About = {
  readonly format: 1;
  readonly createdAt: string;
  /** The versions of the program that wrote the backup. */
  readonly carillon: string;
  readonly postgres: string;
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  readonly tables: readonly Table[];
  readonly partitions: readonly Partition[];
  readonly openRuns: number;
  readonly workers: number;
};

export type BackupFile = {
  readonly about: About;
  readonly rows: number;
  readonly bytes: number;
  /** False: the installation has no sealing key. */
  readonly isSigned: boolean;
};

const OPEN_RUNS = 'select count(*)::int as n from test_runs where ended_at is null';

/**
 * @param jobs the statement that reads the queue's jobs
 * @throws if the file exists, the database is empty, or its schema differs from this version; the file is then deleted
 */
export async function writeBackup(
  config: ConnectionConfig,
  file: string,
  {
    carillon,
    jobs,
    at,
    keys,
  }: { readonly carillon: string; readonly jobs: string; readonly at: Date; readonly keys: Keys },
  ending: AbortSignal,
): Promise<BackupFile> {
  const client = await openClient(config, 'carillon backup', ending);
  try {
    await client.query('begin isolation level repeatable read read only');
    const about = await aboutOf(client, carillon, at);
    const archive = await createArchive(file, at, keys);
    try {
      await archive.json(ABOUT, about);
      let rows = 0;
      for (const { name, columns } of about.tables) {
        const copy = copyOut(client, `copy (select ${listed(columns)} from ${quoted(name)}) to stdout`);
        await archive.pieces(`rows/${name}`, copy.data);
        rows += copy.rows();
      }
      await archive.json(JOBS, (await client.query(jobs)).rows);
      // Sequences are read after the rows, because they increase outside of every snapshot.
      await archive.json(SEQUENCES, await sequencesOf(client));
      return { about, rows, ...(await archive.finish()) };
    } catch (error) {
      await archive.discard();
      throw error;
    }
  } finally {
    await client.end();
  }
}

async function aboutOf(client: pg.Client, carillon: string, at: Date): Promise<About> {
  const tables = await tablesOf(client);
  if (tables.length === 0) throw new Error('There is nothing to back up: the database is empty.');
  const { rows: applied } = await client.query('select name from kysely_migration order by name');
  const files = new Map((await migrationFiles()).map(({ name, sha256 }) => [name, sha256]));
  const migrations = (applied as { name: string }[]).map(({ name }) => ({ name, sha256: files.get(name) ?? '' }));
  const unknown = migrations.filter(({ sha256 }) => sha256 === '').map(({ name }) => name);
  if (unknown.length > 0) {
    throw new Error(
      `The database belongs to a newer Carillon: it contains ${unknown.join(', ')}. Make the backup with that one; no file was written.`,
    );
  }
  const count = async (sql: string): Promise<number> => ((await client.query(sql)).rows[0] as { n: number }).n;
  const { rows: version } = await client.query('show server_version');
  return {
    format: 1,
    createdAt: at.toISOString(),
    carillon,
    postgres: (version[0] as { server_version: string }).server_version,
    migrations,
    tables,
    partitions: await partitionsOf(client),
    openRuns: await count(OPEN_RUNS),
    workers: await count('select count(*)::int as n from workers'),
  };
}
