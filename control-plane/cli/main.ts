#!/usr/bin/env node
/** The process: it runs its command line and exits with the resulting code. A second signal ends it immediately. */
import { EXIT } from './exit-codes.ts';
import { carillon } from './program.ts';

const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (ending.signal.aborted) process.exit(EXIT.ABORTED);
    ending.abort(new Error(`Ended by ${name}.`));
  });
// In `carillon runs | head`, the reader ends before the output does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.GOOD);
  throw error;
});

const { env, stdout: out, stderr: err, stdin: input } = process;
carillon(process.argv.slice(2), { env, out, err, input, ending: ending.signal }).then((code) =>
  // Data written to a pipe may still be in transit.
  out.write('', () => process.exit(code)),
);
