/**
 * The operator's command about accounts: `reset EMAIL` prints a link that sets a new password, good once and for an hour, and forgets what
 * was guessed of the account. It works whether the control plane runs or not.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Closers } from '@carillon/proto/closers.ts';
import { Secret } from '@carillon/proto/secret.ts';
import { type Config, readConfig } from '../config.ts';
import { printPasswordLink } from '../operations/people/password-reset.ts';
import { openDatabase } from '../store/db.ts';
import { startEmbeddedPostgres } from '../store/embedded/supervisor.ts';
import { migrate } from '../store/migrate.ts';

const HELP = `npm run account -- reset EMAIL

  Prints a link that sets a new password for this account: good once, for an hour. What was guessed of the account
  is forgotten: it can log in at once. Its sessions end when the link is used.

  The database is the control plane's: DATABASE_URL or CARILLON_DATA_DIR, as for npm start. The link begins with
  CARILLON_PUBLIC_URL, or else with http://HOST:PORT.`;

async function reset(config: Config, email: string, closers: Closers): Promise<string> {
  const silent = () => undefined;
  if (config.databaseUrl === null && !existsSync(config.dataDir))
    throw new Error(`There is no database in ${config.dataDir} (CARILLON_DATA_DIR, DATABASE_URL).`);
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: silent }) : null;
  if (embedded) closers.push(() => embedded.stop());
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? new Secret('') };
  const database = openDatabase(connection, { onError: silent });
  closers.push(() => database.close());
  await migrate(database);
  const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const link = await printPasswordLink({ database, now: () => new Date() }, email.trim().toLowerCase(), baseUrl);
  if (link === null) throw new Error(`Nobody has the address ${email} here, or the account is suspended.`);
  return link;
}

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [command, email, ...more] = positionals;
  if (values.help) console.log(HELP);
  else if (command !== 'reset' || email === undefined || more.length > 0) throw new Error(HELP);
  else {
    const closers = new Closers();
    const link = await reset(readConfig(process.env), email, closers).finally(() => closers.close());
    console.log(link);
    console.error('Open this link within an hour, once. Nobody else must see it.');
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
