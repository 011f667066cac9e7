/** `carillon-agent run`: runs the agent until it is ended. */
import { type Agent, type IsolationLimits, startAgent } from '../agent.ts';
import type { Config } from '../config.ts';
import { boundOldGeneration } from '../process/old-generation.ts';

export async function runCommand(config: Config, patience?: IsolationLimits): Promise<number> {
  const stopped = Promise.withResolvers<null>();
  let stopping = false;
  const stop = () => {
    // A second Ctrl-C ends it immediately.
    if (stopping) process.exit(130);
    stopping = true;
    stopped.resolve(null);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  // Tied to the program that started us (an IPC channel): when that one is killed, we end in order.
  process.on('disconnect', () => stopping || stop());

  const starting: Promise<Agent> = startAgent(config, patience);
  // Sent by `carillon-agent rotate`, which watches the key file. The handler must exist early: without one the signal
  // ends the process.
  process.on('SIGUSR2', () => void starting.then((one) => one.changeKey()).catch(() => undefined));
  const agent = await starting;
  const unbound = boundOldGeneration();
  const error = await Promise.race([stopped.promise, agent.broken]);
  // From here on, one more signal is one of impatience.
  stopping = true;
  if (error !== null) console.error(error.message);
  unbound();
  await agent.close();
  return error === null ? 0 : 1;
}
