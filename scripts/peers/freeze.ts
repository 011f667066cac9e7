/** A process that does nothing for a time, like a paused virtual machine. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The length is part of the fault, not a wait for something. A busy host lengthens it: returns how long it was, in
 * milliseconds. `whileFrozen` is called as soon as the process is stopped.
 */
export async function freeze(pid: number, ms: number, whileFrozen: () => void = () => undefined): Promise<number> {
  process.kill(pid, 'SIGSTOP');
  const fromMs = performance.now();
  whileFrozen();
  await sleep(ms).finally(() => process.kill(pid, 'SIGCONT'));
  return performance.now() - fromMs;
}
