#!/usr/bin/env -S node --max-semi-space-size=4
/** The process: environment in (`--io ffi|dgram` goes before CARILLON_IO), signals handled, everything else in agent.ts. `selftest` needs neither. */
import { parseArgs } from 'node:util';
import { type Agent, startAgent } from './agent.ts';
import { readConfig } from './config.ts';
import { selfTestCommand } from './selftest/command.ts';

let running: Agent | undefined;
let stopping = false;

async function stop(code: number): Promise<void> {
  // A second Ctrl-C ends at once.
  if (stopping) process.exit(130);
  stopping = true;
  await running?.close();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
// Tied to the program that started us (an IPC channel): when that one is killed, we end in order.
process.on('disconnect', () => stopping || void stop(0));

try {
  if (process.argv[2] === 'selftest') process.exit(await selfTestCommand(process.argv.slice(3)));
  const { values } = parseArgs({ options: { io: { type: 'string' } } });
  running = await startAgent(readConfig({ ...process.env, ...(values.io && { CARILLON_IO: values.io }) }));
  if (stopping) await running.close();
  const error = await running.broken;
  if (!stopping) {
    console.error(error.message);
    await stop(1);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
