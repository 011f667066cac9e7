/** `npm run backup -- FILE`: saves the complete database, while control planes and agents continue. */

import { calledAs } from '../../../called-as.ts';
import { VERSION } from '../../../version.ts';
import { KEPT_JOBS } from '../queue/kept-jobs.ts';
import { writeBackup } from '../store/backup.ts';
import { command } from './command.ts';

await command(async (connection, ending, keys) => {
  const [file] = process.argv.slice(2);
  if (file === undefined || file.startsWith('-')) throw new Error(`Name the file: ${calledAs('backup')} FILE`);
  const parts = { carillon: VERSION, jobs: KEPT_JOBS, at: new Date(), keys };
  const { about, rows, bytes, isSigned } = await writeBackup(connection, file, parts, ending);
  const signed = isSigned ? '' : ` It is not signed: there is no sealing key in ${keys.where}.`;
  const { openRuns, workers, tables } = about;
  return `${file}: ${rows} rows of ${tables.length} tables, ${bytes} bytes; ${openRuns} open runs, ${workers} workers. Keep it as you keep the database. The keys that seal its secrets are not in it: keep a copy of them elsewhere.${signed}`;
});
