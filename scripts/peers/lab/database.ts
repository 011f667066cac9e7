/** A separate database for a lab: in the cluster that scripts/test started, or in the embedded one of the lab's data folder. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createMigrated, inDatabase, urlOf } from '../../../control-plane/testing/database.ts';

export type LabDatabase = {
  /** For the control plane; undefined: it starts its own. */
  readonly url: string | undefined;
  /** One statement on a new connection: unaffected by what the test does to others. */
  query<T>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  /** After the control plane has ended. */
  close(): Promise<void>;
};

/** bigint and count(*) as numbers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

export async function ask<T>(url: string, sql: string, values: readonly unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows as T[];
  } finally {
    await client.end();
  }
}

/** On a given server; `migrated`: the control plane finds its schema, as at its second start. */
export const openLabDatabase = (dataDir: string, where: 'given' | 'migrated' | 'embedded'): Promise<LabDatabase> => {
  const given = process.env['CARILLON_TEST_DATABASE'];
  if (where === 'embedded' || !given) return embedded(dataDir);
  return ownDatabase(given, where === 'migrated' ? createMigrated : (to, name) => ask(to, `create database ${name}`));
};

async function ownDatabase(
  server: string,
  create: (server: string, name: string) => Promise<unknown>,
): Promise<LabDatabase> {
  const name = `lab_${randomBytes(6).toString('hex')}`;
  await create(server, name);
  const url = inDatabase(server, name);
  return {
    url,
    query: (sql, values) => ask(url, sql, values),
    close: async () => {
      await ask(server, `drop database ${name} with (force)`);
    },
  };
}

async function embedded(dataDir: string): Promise<LabDatabase> {
  const host = path.join(dataDir, 'postgres');
  const leftOver = () => killLeftOver(dataDir);
  // A killed control plane leaves its database running; a test that dies must not.
  process.on('exit', leftOver);
  return {
    url: undefined,
    query: (sql, values) => ask(urlOf({ host, user: 'postgres', database: 'postgres' }), sql, values),
    async close() {
      leftOver();
      process.off('exit', leftOver);
    },
  };
}

/** Pid of the postmaster of a data folder, null if none runs there. */
export function postmasterPid(dataDir: string): number | null {
  try {
    const pid = Number(
      readFileSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes(dataDir) ? pid : null;
  } catch {
    return null;
  }
}

function killLeftOver(dataDir: string): void {
  const pid = postmasterPid(dataDir);
  if (pid !== null) process.kill(pid, 'SIGQUIT');
}
