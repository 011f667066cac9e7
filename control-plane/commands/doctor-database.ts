/** Checks the database of a control plane: whether it answers, its version and schema, the keys to its secrets, its clock. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Closers } from '@carillon/proto/base/closers.ts';
import type { Secret } from '@carillon/proto/base/secret.ts';
import { type CheckResult, fail, ok, warn } from '@carillon/proto/check-result.ts';
import { calledAs } from '../called-as.ts';
import type { Config } from '../config.ts';
import type { Database } from '../store/db.ts';
import { clusterHome, postgresBinaries } from '../store/embedded/binaries.ts';
import { migrationsDue } from '../store/migrate.ts';
import { KeyRing } from '../store/secrets/key-ring.ts';
import { secretsByKey } from '../store/secrets/reseal.ts';
import { usedKeys } from '../store/secrets/sealing-keys.ts';
import { serverFacts } from '../store/server-facts.ts';
import { openStandby } from '../store/standby.ts';
import { openOwnDatabase } from './open.ts';

const OLDEST_POSTGRES = 15;
const CLOCK_WARN_MS = 5000;

export async function examineDatabase(config: Config): Promise<CheckResult[]> {
  const check = 'database';
  if (config.databaseUrl === null && !existsSync(config.dataDir)) return [await examineFirstStart(config)];
  const closers = new Closers();
  try {
    return await look(config, await openOwnDatabase(config, closers));
  } catch (error) {
    const cure = config.databaseUrl === null ? 'CARILLON_DATA_DIR, and its log postgres.log' : 'DATABASE_URL';
    return [fail(check, (error as Error).message, `check ${cure}`)];
  } finally {
    await closers.close();
  }
}

/** No database exists yet: a PostgreSQL must be there that can create it. */
async function examineFirstStart({ dataDir }: Config): Promise<CheckResult> {
  const check = 'database';
  try {
    const { major } = await postgresBinaries(await clusterHome(dataDir));
    return ok(check, `the first start creates it with PostgreSQL ${major} in ${dataDir} (CARILLON_DATA_DIR)`);
  } catch (error) {
    return fail(check, (error as Error).message, 'apt install postgresql, or DATABASE_URL');
  }
}

async function look(config: Config, database: Database): Promise<CheckResult[]> {
  const { version, now } = await serverFacts(database.db);
  const isOld = Number.parseInt(version, 10) < OLDEST_POSTGRES;
  const answers = `PostgreSQL ${version} answers`;
  const cure = `PostgreSQL ${OLDEST_POSTGRES} or later: upgrade the server, or name another one in DATABASE_URL`;
  const schema = await examineSchema(database);
  return [
    isOld ? fail('database', answers, cure) : ok('database', answers),
    schema.result,
    ...(schema.isThere ? [await examineKeys(config, database)] : []),
    examineClock(now.getTime() - Date.now()),
    ...(config.databaseReadUrl ? [await examineStandby(database, config.databaseReadUrl)] : []),
  ];
}

/** Replay of what a look has seen takes a moment even on a standby that keeps up. */
const REPLAY_MS = 2000;

async function examineStandby(primary: Database, connectionString: Secret): Promise<CheckResult> {
  const check = 'standby';
  const standby = openStandby({ primary, standby: { connectionString }, onChange: () => undefined });
  try {
    const fault = await standby.look();
    if (fault === null && standby.lagSeconds() === null) await sleep(REPLAY_MS);
    await standby.look();
    const lag = standby.lagSeconds();
    if (fault !== null) return warn(check, fault, 'DATABASE_READ_URL; until then the primary answers');
    return lag === null
      ? warn(check, `it is more than ${REPLAY_MS / 1000} s behind`, 'see pg_stat_replication on the primary')
      : ok(check, `${lag.toFixed(1)} s behind`);
  } finally {
    await standby.close();
  }
}

async function examineSchema(database: Database): Promise<{ result: CheckResult; isThere: boolean }> {
  const check = 'schema';
  try {
    const { due, all } = await migrationsDue(database);
    const text = due === 0 ? `all ${all} migrations are applied` : `the next start applies ${due} of ${all} migrations`;
    return { result: ok(check, text), isThere: due === 0 };
  } catch (error) {
    const cure = 'start the version that the database belongs to, or restore a backup';
    return { result: fail(check, (error as Error).message, cure), isThere: false };
  }
}

async function examineKeys(config: Config, { db }: Database): Promise<CheckResult> {
  const check = 'sealing keys';
  try {
    const ring = new KeyRing(config.sealingKeys);
    const held = new Set(ring.all().map(({ id }) => id.toString('hex')));
    const [needed] = (await usedKeys(db)).map((id) => id.toString('hex'));
    if (needed !== undefined && !held.has(needed))
      return fail(
        check,
        `key ${needed} is not in ${ring.where}`,
        `CARILLON_SEALING_KEYS_FILE or CARILLON_SEALING_KEYS: the keys of this installation; ${calledAs('sealing-keys')} list names them`,
      );
    const lost = [...(await secretsByKey(db))]
      .filter(([id]) => !held.has(id))
      .reduce((sum, [, count]) => sum + count, 0);
    if (lost > 0)
      return warn(check, `${lost} secrets cannot be read`, `add their keys to ${ring.where}, or set them again`);
    return ok(check, `${ring.where} opens every secret`);
  } catch (error) {
    return fail(check, (error as Error).message, 'CARILLON_SEALING_KEYS_FILE, CARILLON_SEALING_KEYS');
  }
}

function examineClock(offMs: number): CheckResult {
  const check = "database's clock";
  const text = `${(offMs / 1000).toFixed(1)} s ahead of this host`;
  return Math.abs(offMs) < CLOCK_WARN_MS ? ok(check, text) : warn(check, text, 'NTP on both: timedatectl set-ntp true');
}
