/**
 * `npm run account -- NAME EMAIL`: what features do for a person's account, with and without a running control plane.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Closers } from '@carillon/proto/base/closers.ts';
import { calledAs } from '../called-as.ts';
import { type Config, readConfig } from '../config.ts';
import { installMessages } from '../contract/plain-issues.ts';
import { FEATURE_HOOKS } from '../feature-sums/server.ts';
import type { AccountCommand } from '../hooks.ts';
import type { Database } from '../store/db.ts';
import { migrate } from '../store/migrate.ts';
import { openOwnDatabase } from './open.ts';

const COMMANDS: Readonly<Record<string, AccountCommand>> = Object.assign(
  {},
  ...FEATURE_HOOKS.map(({ account }) => account),
);

const HELP = [
  ...Object.keys(COMMANDS).map((name) => `${calledAs('account')} ${name} EMAIL`),
  '',
  ...Object.values(COMMANDS).map(({ help }) => `  ${help}\n`),
  "  The database is the control plane's: DATABASE_URL or CARILLON_DATA_DIR. The link begins with",
  '  CARILLON_PUBLIC_URL, or else with http://HOST:PORT.',
].join('\n');

type Operator = { readonly database: Database; readonly now: () => Date };

async function open(config: Config, closers: Closers): Promise<Operator> {
  if (config.databaseUrl === null && !existsSync(config.dataDir))
    throw new Error(`${config.dataDir} contains no database (CARILLON_DATA_DIR, DATABASE_URL).`);
  const database = await openOwnDatabase(config, closers);
  await migrate(database);
  return { database, now: () => new Date() };
}

installMessages();
try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [name, email, ...more] = positionals;
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name ?? ''] : undefined;
  if (values.help) console.log(HELP);
  else if (!command || email === undefined || more.length > 0) throw new Error(HELP);
  else {
    const config = readConfig(process.env);
    const closers = new Closers();
    const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const { result, advice } = await open(config, closers)
      .then((operator) => command.act(operator, email.trim().toLowerCase(), baseUrl))
      .finally(() => closers.close());
    console.log(result);
    console.error(advice);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
