#!/usr/bin/env -S node --max-semi-space-size=4
/** The process: the command line in, the exit code out. */
import { agentProgram } from './commands/program.ts';

try {
  process.exit(await agentProgram(process.argv.slice(2), process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
