#!/usr/bin/env -S node --max-semi-space-size=4 --initial-old-space-size=128 --no-memory-reducer --invocation-count-for-turbofan=10000
/** The process: the command line in, the exit code out. */
import { keepCompiled } from './process/compiled.ts';

keepCompiled(process.env);
// Static imports are already compiled at this point.
import('./commands/program.ts')
  .then(({ agentProgram }) => agentProgram(process.argv.slice(2), process.env))
  .then(
    (code) => process.exit(code),
    (error: Error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
