/** A database of its own for each test file, in the cluster that scripts/test started, or in one of the file's own. */

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Opened, Secret } from '@carillon/proto/secret.ts';
import pg from 'pg';
import type { Test } from 'tap';
import { type ConnectionConfig, type Database, openDatabase, openedConnection } from '../store/db.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import { migrate } from '../store/migrate.ts';

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

/** An empty, migrated database; dropped when the test ends. Call it once a file, at the top. */
export async function testDatabase(t: Test): Promise<Database> {
  const config = await cluster(t);
  const name = `unit_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client(openedConnection(config));
  await admin.connect();
  await admin.query(`create database ${name}`);
  const database = openDatabase(inDatabase(config, name), { max: 12, onError: () => undefined });
  await migrate(database);
  t.teardown(async () => {
    await database.close();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return database;
}
