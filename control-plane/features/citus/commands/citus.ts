/** `npm run citus -- check | distribute`: checks, or spreads the measured tables over, the nodes of a Citus cluster. */
import { parseArgs } from 'node:util';
import { exitCodeOf, tableOf } from '@carillon/proto/check-result.ts';
import { calledAs } from '../../../called-as.ts';
import { readConfig } from '../../../config.ts';
import { installMessages } from '../../../contract/plain-issues.ts';
import { type Database, openDatabase } from '../../../store/db.ts';
import { migrate } from '../../../store/migrate.ts';
import { distribute, distributionOf, hasCitus } from '../store/distribution.ts';
import { findingsOf } from './findings.ts';

const USAGE = `${calledAs('citus')} COMMAND

  check                      which measured tables are distributed, and how many shards each node has
  distribute [--shards N]    distributes those that are not yet, with their rows; N: shards of each table, if none is distributed
                             yet (default: citus.shard_count)

  The database is that of DATABASE_URL: the coordinator.`;

const NOT_LOADED = "The server has not loaded Citus: set shared_preload_libraries = 'citus', and restart it.";
/** Rows of a large installation take long to copy. */
const LIMIT_MS = 24 * 3_600_000;
const MAX_SHARDS = 64_000;

async function check({ db }: Database): Promise<void> {
  const results = findingsOf(await distributionOf(db), `${calledAs('citus')} distribute`);
  for (const line of tableOf(results)) console.log(line);
  process.exitCode = exitCodeOf(results);
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { shards: { type: 'string' } } });
  const [command, ...more] = positionals;
  const shards = values.shards === undefined ? null : Number(values.shards);
  const isWrong = shards !== null && !(Number.isInteger(shards) && shards >= 1 && shards <= MAX_SHARDS);
  if ((command !== 'check' && command !== 'distribute') || more.length > 0 || isWrong) throw new Error(USAGE);
  const { databaseUrl } = readConfig(process.env);
  if (databaseUrl === null) throw new Error('DATABASE_URL is not set: the embedded database has no Citus.');
  const database = openDatabase(
    { connectionString: databaseUrl },
    { max: 1, statementLimitMs: LIMIT_MS, onError: () => undefined },
  );
  try {
    if (command === 'distribute') {
      if (!(await hasCitus(database.db))) throw new Error(NOT_LOADED);
      await migrate(database);
      const names = await distribute(database.db, shards);
      console.log(names.length === 0 ? 'Every measured table is distributed.' : `Distributed: ${names.join(', ')}.`);
    }
    await check(database);
  } finally {
    await database.close();
  }
}

installMessages();
try {
  await run();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
