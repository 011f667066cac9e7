#!/usr/bin/env node
/** The process: runs the command line, and exits with its code. */
import { AGENT_FLAGS } from '@carillon/proto/base/agent-heap.ts';
import { restartWith } from '@carillon/proto/base/restart.ts';
import { keepCompiled } from './process/compiled.ts';

restartWith(AGENT_FLAGS);
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
