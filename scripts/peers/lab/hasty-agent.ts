/** An agent whose minute without a control plane is half a second; otherwise it is this checkout's. */
import { runCommand } from '../../../agent/commands/run.ts';
import { readConfig } from '../../../agent/config.ts';

process.exit(await runCommand(readConfig(process.env), { holdAfterMs: 500, stopAfterMs: 2500 }));
