/** The state of a PostgreSQL that another process may have started, from the operating system and postmaster.pid. */
import { readFileSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIfThere } from '@carillon/proto/base/files.ts';

/**
 * `postmaster.pid` has the pid in its first line, and `ready` in the last one once connections are accepted.
 * @throws if the file exists and cannot be read
 */
export async function postmaster(
  cluster: string,
): Promise<{ readonly pid: number; readonly ready: boolean; readonly alive: boolean } | null> {
  const text = await readIfThere("The database's file", path.join(cluster, 'postmaster.pid'));
  const pid = Number(text?.split('\n')[0]);
  if (!text || !Number.isInteger(pid) || pid <= 0) return null;
  return { pid, ready: /^ready/m.test(text), alive: (await isAlive(pid)) && (await servesCluster(pid, cluster)) };
}

/**
 * After a restart of the host, or of a container, the number in postmaster.pid may belong to another program (checked
 * on Linux; elsewhere it is believed).
 */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(cluster);
}

/**
 * Removes a postmaster.pid whose number now belongs to another program: PostgreSQL would take that program for itself,
 * and not start.
 */
export async function removeMistakenPid(cluster: string): Promise<void> {
  const state = await postmaster(cluster);
  if (state && !state.alive && (await isAlive(state.pid)))
    await rm(path.join(cluster, 'postmaster.pid'), { force: true });
}

/** Null while postmaster.pid does not exist: before a start and after an end, and while a start replaces it. */
export function postmasterPid(cluster: string): number | null {
  try {
    const file = path.join(cluster, 'postmaster.pid');
    if (!statSync(file).isFile()) throw new Error(`The database's file ${file} is not a regular file.`);
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Sends the signal; false: the process no longer exists. */
function tell(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Shuts these processes down fast when this process ends, in whatever way. The returned function cancels this. */
export function endsAtExit(pids: () => readonly (number | null | undefined | false)[]): () => void {
  const end = () => {
    for (const pid of new Set(pids())) if (pid) tell(pid, 'SIGINT');
  };
  process.on('exit', end);
  return () => void process.off('exit', end);
}

/** Sends the signal; true: the process is gone within the limit. */
export async function endsBy(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<boolean> {
  if (!tell(pid, signal)) return true;
  const deadline = Date.now() + limitMs;
  while ((await isAlive(pid)) && Date.now() < deadline) await sleep(10);
  return !(await isAlive(pid));
}

/**
 * Distinguishes a process from a later one with the same pid by its start in clock ticks (Linux); elsewhere the result
 * is '' if the process lives.
 */
export async function startTime(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text !== null) return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  return process.platform !== 'linux' && signalReaches(pid) ? '' : null;
}

/** A zombie (an unreaped child in a container without init) counts as dead. */
async function isAlive(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return signalReaches(pid);
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text !== null && text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3) !== 'Z';
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
