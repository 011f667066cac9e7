/** A process that does nothing for a time, like a paused virtual machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './process.ts';

/**
 * The length is part of the fault, not a wait for something. A busy host lengthens it: returns how long it was, in
 * milliseconds. `whileFrozen` is called as soon as the process is stopped.
 */
export async function freeze(pid: number, ms: number, whileFrozen: () => void = () => undefined): Promise<number> {
  process.kill(pid, 'SIGSTOP');
  // On a busy host the thread that gets the signal waits for a processor, and the others go on meanwhile.
  await until(`all threads of ${pid} are stopped`, () => statesOf(pid).every((state) => state === 'T'), { everyMs: 1 });
  const fromMs = performance.now();
  whileFrozen();
  await sleep(ms).finally(() => process.kill(pid, 'SIGCONT'));
  return performance.now() - fromMs;
}

/** Of each thread (proc(5), field 3). */
const statesOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] ?? '';
  });
