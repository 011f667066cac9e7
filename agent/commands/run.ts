/** `carillon-agent run`: runs the agent until it is ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, type IsolationLimits, startAgent } from '../agent.ts';
import type { Config } from '../config.ts';
import { forgetWorker } from '../state-folder.ts';

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;
/** The limit for a start that is ordered to end: it may wait for something that never arrives. */
const START_ENDS_MS = 10_000;
const COPIED = Symbol('copied');

/**
 * Returns 0 after a signal while it runs; 128 and the signal's number (130, 143) during the start, or after a second
 * signal; 1 if it cannot run.
 */
export async function runCommand(config: Config, patience?: IsolationLimits): Promise<number> {
  const stopped = Promise.withResolvers<number>();
  let stopping = false;
  const stop = (code: number) => {
    // A second Ctrl-C ends it immediately.
    if (stopping) process.exit(code);
    stopping = true;
    stopped.resolve(code);
  };
  for (const [signal, number] of Object.entries(SIGNALS)) process.on(signal, () => stop(128 + number));
  // The program that started us has an IPC channel to us: when that program is killed, we end cleanly.
  process.on('disconnect', () => stopping || stop(0));

  let starting: Promise<Agent> = startAgent(config, patience);
  // Sent by `carillon-agent rotate`, which watches the key file. The handler must exist early: without one the signal
  // ends the process.
  process.on('SIGUSR2', () => void starting.then((one) => one.changeKey()).catch(() => undefined));
  for (;;) {
    const agent = await Promise.race([starting, stopped.promise]);
    if (typeof agent === 'number') {
      const closing = starting.then((one) => one.close()).catch(() => undefined);
      await Promise.race([closing, sleep(START_ENDS_MS, null, { ref: false })]);
      return agent;
    }
    const outcome = await Promise.race([stopped.promise, agent.broken, agent.copied.then(() => COPIED)]);
    if (outcome !== COPIED) return end(agent, outcome instanceof Error ? outcome : null);
    await agent.close();
    await forgetWorker(config.stateDir);
    console.error('Another agent has the key of this one: this one takes a new key, and joins its pool anew.');
    starting = startAgent(config, patience);
  }

  async function end(agent: Agent, error: Error | null): Promise<number> {
    // From here on, one more signal ends the process immediately.
    stopping = true;
    if (error !== null) console.error(error.message);
    if (error === null && config.isDisposable) return leave(agent, config);
    await agent.close();
    return error === null ? 0 : 1;
  }
}

/** Without the control plane's word the key stays: the next agent of this folder delivers what is left. */
async function leave(agent: Agent, { stateDir, drainSeconds }: Config): Promise<number> {
  if (await agent.leave(drainSeconds * 1000)) {
    await forgetWorker(stateDir);
    return 0;
  }
  console.error(
    'The agent stops, but its worker is not archived: the control plane did not answer, or lacks facts of it.',
  );
  return 1;
}
