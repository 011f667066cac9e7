/** A process and its child processes (Linux): a database server and its connections. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The process first. They are stopped during the search, so that none is missed. */
export async function stoppedFamily(parent: number): Promise<number[]> {
  process.kill(parent, 'SIGSTOP');
  const family = await familyOf(parent);
  signalAll(family, 'SIGSTOP');
  return family;
}

/** The process and its children. */
export async function familyOf(parent: number): Promise<number[]> {
  const found = [parent];
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) found.push(Number(name));
  }
  return found;
}

/** All of them are stopped for this long. */
export async function freezeFamily(parent: number, seconds: number): Promise<void> {
  const family = await stoppedFamily(parent);
  await sleep(seconds * 1000);
  signalAll(family.toReversed(), 'SIGCONT');
}

export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile, and needs no signal.
    }
  }
}
