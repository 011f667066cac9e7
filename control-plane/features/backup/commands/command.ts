/**
 * Runs one command on the database that the environment names. The embedded database is started if it does not run, and then
 * stopped again.
 */
import { Closers } from '@carillon/proto/base/closers.ts';
import { readConfig } from '../../../config.ts';
import { installMessages } from '../../../contract/plain-issues.ts';
import type { ConnectionConfig } from '../../../store/db.ts';
import { startEmbeddedPostgres } from '../../../store/embedded/supervisor.ts';
import { KeyRing } from '../../../store/secrets/key-ring.ts';

type Work = (connection: ConnectionConfig, ending: AbortSignal, keys: KeyRing) => Promise<string>;

/**
 * Prints the answer of `work`. Before the database is opened, `look` may refuse the request. The exit code is 0, 1 if the command
 * failed, or 130 or 143 if a signal ended it.
 */
export async function command(work: Work, look?: () => Promise<void>): Promise<never> {
  installMessages();
  const ending = new AbortController();
  let code = 1;
  for (const [name, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.once(name, () => {
      code = 128 + number;
      ending.abort(new Error(`Ended by ${name}.`));
    });
  }
  try {
    await look?.();
    console.log(await onDatabase(work, ending.signal));
    return process.exit(0);
  } catch (error) {
    console.error(((ending.signal.aborted ? ending.signal.reason : error) as Error).message);
    return process.exit(code);
  }
}

async function onDatabase(work: Work, ending: AbortSignal): Promise<string> {
  const { databaseUrl, dataDir, sealingKeys } = readConfig(process.env);
  const keys = new KeyRing(sealingKeys);
  if (databaseUrl !== null) return work({ connectionString: databaseUrl }, ending, keys);
  const closers = new Closers();
  try {
    const embedded = await startEmbeddedPostgres({ dataDir, signal: ending, log: () => undefined });
    closers.push(() => embedded.stop());
    return await work(embedded.connection, ending, keys);
  } finally {
    await closers.close();
  }
}
