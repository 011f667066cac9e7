/**
 * The operator's command for accounts: `reset EMAIL` prints a link that sets a new password, which works once within an
 * hour, and forgets failed attempts; `remove-second-factor EMAIL` is for users who have lost the device and the
 * recovery codes. Both work with and without a running control plane.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Closers } from '@carillon/proto/closers.ts';
import { Secret } from '@carillon/proto/secret.ts';
import { type Config, readConfig } from '../config.ts';
import { printPasswordLink } from '../operations/people/password-reset.ts';
import { takeAwaySecondFactor } from '../operations/people/second-factor.ts';
import { type Database, openDatabase } from '../store/db.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import { migrate } from '../store/migrate.ts';

const HELP = `npm run account -- reset EMAIL
npm run account -- remove-second-factor EMAIL

  reset prints a link that sets a new password for this account. The link works once and expires after one hour.
  Failed attempts are forgotten. The sessions of the account end when the link is used.

  remove-second-factor takes its authenticator and its recovery codes away: it logs in by the password only. Be sure
  that it is its owner who asks for this.

  The database is the control plane's: DATABASE_URL or CARILLON_DATA_DIR, as for npm start. The link begins with
  CARILLON_PUBLIC_URL, or else with http://HOST:PORT.`;

type Operator = { readonly database: Database; readonly now: () => Date };

async function open(config: Config, closers: Closers): Promise<Operator> {
  const silent = () => undefined;
  if (config.databaseUrl === null && !existsSync(config.dataDir))
    throw new Error(`${config.dataDir} contains no database (CARILLON_DATA_DIR, DATABASE_URL).`);
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: silent }) : null;
  if (embedded) closers.push(() => embedded.stop());
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? new Secret('') };
  const database = openDatabase(connection, { onError: silent });
  closers.push(() => database.close());
  await migrate(database);
  return { database, now: () => new Date() };
}

type CommandOutcome = { readonly result: string; readonly advice: string };

async function reset(operator: Operator, config: Config, email: string): Promise<CommandOutcome> {
  const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const link = await printPasswordLink(operator, email, baseUrl);
  if (link === null) throw new Error(`No account has the address ${email}, or the account is suspended.`);
  return { result: link, advice: 'Open this link within one hour. It works once. Do not share it.' };
}

async function removeSecondFactor(operator: Operator, _config: Config, email: string): Promise<CommandOutcome> {
  if (!(await takeAwaySecondFactor(operator, email)))
    throw new Error(`No account has the address ${email}, or the account has no second factor.`);
  const advice = 'The account logs in by its password only, and can set up another device.';
  return { result: `The second factor of ${email} is removed.`, advice };
}

const COMMANDS = new Map([
  ['reset', reset],
  ['remove-second-factor', removeSecondFactor],
]);

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [name, email, ...more] = positionals;
  const command = COMMANDS.get(name ?? '');
  if (values.help) console.log(HELP);
  else if (!command || email === undefined || more.length > 0) throw new Error(HELP);
  else {
    const config = readConfig(process.env);
    const closers = new Closers();
    const { result, advice } = await open(config, closers)
      .then((operator) => command(operator, config, email.trim().toLowerCase()))
      .finally(() => closers.close());
    console.log(result);
    console.error(advice);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
