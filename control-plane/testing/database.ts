/** A separate database for each test file, in the cluster that scripts/test started, or in one of the file. */

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Opened, Secret } from '@carillon/proto/base/secret.ts';
import pg from 'pg';
import type { Test } from 'tap';
import { type ConnectionConfig, type Database, openDatabase, openedConnection } from '../store/db.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import { migrate } from '../store/migrate.ts';
import { KeyRing, newKey } from '../store/secrets/key-ring.ts';

async function cluster(t: Test): Promise<ConnectionConfig> {
  const given = process.env['CARILLON_TEST_PG'];
  if (given) return sealed(JSON.parse(given) as Opened<ConnectionConfig>);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'carillon-unit-'));
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, unsafe: true, diesWithUs: true, log: () => undefined });
  t.teardown(async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return postgres.connection;
}

const sealed = (config: Opened<ConnectionConfig>): ConnectionConfig =>
  'connectionString' in config ? { connectionString: new Secret(config.connectionString) } : config;

const inDatabase = (config: ConnectionConfig, name: string): ConnectionConfig => {
  if (!('connectionString' in config)) return { ...config, database: name };
  const url = new URL(config.connectionString.reveal());
  url.pathname = `/${name}`;
  return { connectionString: new Secret(url.href) };
};

const TEMPLATE = 'migrated';

/** An empty database with the current schema. It is a copy: the first test of a cluster migrates, the others copy. */
export async function createMigrated(cluster: Opened<ConnectionConfig>, name: string): Promise<void> {
  const admin = new pg.Client(cluster);
  await admin.connect();
  try {
    await admin.query(`select pg_advisory_lock(hashtext('${TEMPLATE}'))`);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount === 0) await migrateTemplate(admin, sealed(cluster));
    // By default it goes through the write-ahead log, which costs more than migrating.
    await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  } finally {
    await admin.end();
  }
}

/** It gets its name when it is complete. */
async function migrateTemplate(admin: pg.Client, config: ConnectionConfig): Promise<void> {
  const unfinished = `${TEMPLATE}_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${unfinished}`);
  const database = openDatabase(inDatabase(config, unfinished), { max: 1, onError: () => undefined });
  await migrate(database).finally(() => database.close());
  await admin.query(`alter database ${unfinished} rename to ${TEMPLATE}`);
}

/** An empty, migrated database; dropped when the test ends. Call it once per file, at the top. */
export async function testDatabase(t: Test): Promise<Database> {
  const config = await cluster(t);
  const name = `unit_${randomBytes(6).toString('hex')}`;
  await createMigrated(openedConnection(config), name);
  const database = openDatabase(inDatabase(config, name), {
    max: 12,
    onError: () => undefined,
    ring: new KeyRing({ keys: newKey() }),
  });
  t.teardown(async () => {
    await database.close();
    const admin = new pg.Client(openedConnection(config));
    await admin.connect();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return database;
}
