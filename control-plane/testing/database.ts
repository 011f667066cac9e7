/** A separate database for each test file: on the server of CARILLON_TEST_DATABASE, or in a cluster of the file. */

import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import pg from 'pg';
import type { Test } from 'tap';
import { FEATURE_TEST_DATA } from '../feature-sums/testing.ts';
import { type ConnectionConfig, type Database, openDatabase } from '../store/db.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import { migrate } from '../store/migrate.ts';
import { migrationFiles } from '../store/migration-files.ts';
import { KeyRing, newKey } from '../store/secrets/key-ring.ts';

/** The address of a database on the socket of a local server. */
export const urlOf = ({ host, user, database }: Exclude<ConnectionConfig, { connectionString: Secret }>): string =>
  // A URL needs a host; the parameter with a socket's folder overrides it.
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** The same server, and another database. */
export function inDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function serverOf(t: Test): Promise<string> {
  const given = process.env['CARILLON_TEST_DATABASE'];
  if (given) return given;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'carillon-unit-'));
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, unsafe: true, diesWithUs: true, log: () => undefined });
  t.teardown(async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return urlOf(postgres.connection);
}

/** On a server that outlives the tests, a later schema must not find the earlier one's copy. */
async function templateName(): Promise<string> {
  const sums = (await migrationFiles()).map(({ sha256 }) => sha256);
  return `carillon_migrated_${createHash('sha256').update(sums.join()).digest('hex').slice(0, 12)}`;
}

/** An empty database with the current schema. It is a copy: the first test of a server migrates, the others copy. */
export async function createMigrated(server: string, name: string): Promise<void> {
  const template = await templateName();
  const admin = new pg.Client(server);
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await migrateTemplate(admin, server, template);
    // By default it goes through the write-ahead log, which costs more than migrating.
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await admin.end();
  }
}

/** It gets its name when it is complete. */
async function migrateTemplate(admin: pg.Client, server: string, template: string): Promise<void> {
  const unfinished = `${template}_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${unfinished}`);
  const connectionString = new Secret(inDatabase(server, unfinished));
  const database = openDatabase({ connectionString }, { max: 1, onError: () => undefined });
  try {
    await migrate(database);
    for (const { prepareDatabase } of FEATURE_TEST_DATA) await prepareDatabase?.(database);
  } finally {
    await database.close();
  }
  // Nothing may be connected to what is copied, and an extension may have processes of its own.
  await admin.query(`alter database ${unfinished} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [unfinished]);
  await admin.query(`alter database ${unfinished} rename to ${template}`);
}

/** An empty, migrated database; dropped when the test ends. Call it once per file, at the top. */
export async function testDatabase(t: Test): Promise<Database> {
  const server = await serverOf(t);
  const name = `unit_${randomBytes(6).toString('hex')}`;
  await createMigrated(server, name);
  const connectionString = new Secret(inDatabase(server, name));
  const ring = new KeyRing({ keys: newKey() });
  const database = openDatabase({ connectionString }, { max: 12, onError: () => undefined, ring });
  t.teardown(async () => {
    await database.close();
    const admin = new pg.Client(server);
    await admin.connect();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return database;
}

/** Options of a test about plans and counters of PostgreSQL: those of Citus are spread over its shards. */
export async function aboutPlans({ db }: Database): Promise<{ readonly skip?: string }> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length === 0 ? {} : { skip: 'Citus plans by itself' };
}
