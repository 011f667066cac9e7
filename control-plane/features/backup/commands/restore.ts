/** `npm run restore -- [--unsigned] FILE`: restores a backup into the empty database that the environment names. */
import { pino } from 'pino';
import { calledAs } from '../../../called-as.ts';
import { startQueue } from '../../../queue/boss.ts';
import type { ConnectionConfig, Tx } from '../../../store/db.ts';
import { type KeptJob, storeKeptJobs } from '../queue/kept-jobs.ts';
import { openBackup } from '../store/archive.ts';
import { restoreBackup } from '../store/restore.ts';
import { command } from './command.ts';

const UNSIGNED = '--unsigned';

const [file = '--', ...more] = process.argv.slice(2).filter((word) => word !== UNSIGNED);
const isTrusted = process.argv.includes(UNSIGNED);

await command(
  async (connection, ending, keys) => {
    const storeJobs = (tx: Tx, jobs: unknown) => intoQueue(connection, tx, jobs as KeptJob[]);
    const { about, rows, applied } = await restoreBackup(connection, file, storeJobs, ending, isTrusted ? null : keys);
    const later = applied.length > 0 ? ` and then ${applied.length} later migrations` : '';
    return `${file}: restored ${rows} rows as of ${about.createdAt}${later}; ${about.openRuns} runs were open. Start the control plane: agents reconnect by themselves.`;
  },
  async () => {
    if (file.startsWith('-') || more.length > 0)
      throw new Error(`Name the backup: ${calledAs('restore')} [--unsigned] FILE`);
    await (await openBackup(file)).close();
  },
);

async function intoQueue(connection: ConnectionConfig, tx: Tx, jobs: readonly KeptJob[]): Promise<void> {
  const queue = await startQueue(connection, pino({ level: 'silent' }));
  try {
    await storeKeptJobs(queue, tx, jobs);
  } finally {
    await queue.stop();
  }
}
