/** Restarts itself with the flag that is its first argument; prints each start, and ends with exit code 3. */
import { restartWith } from '../base/restart.ts';

const { pid, execArgv, argv, env } = process;
const [flag = '', ...args] = argv.slice(2);
console.log(JSON.stringify({ pid, execArgv, args, word: env['RESTARTED'] }));
restartWith([flag]);
process.exitCode = 3;
process.disconnect?.();
