/** CPU time and memory of a process with all its descendants (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, the same on every Linux that Node.js runs on. */
const CLOCK_TICKS = 100;

type Process = { readonly pid: number; readonly parent: number; readonly cpuSeconds: number; readonly command: string };

/** proc(5). CPU time of all threads, and of ended children. */
function processOf(pid: number): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    const fields = text.slice(end + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    const command = text.slice(text.indexOf('(') + 1, end);
    return { pid, parent: Number(fields[1]), cpuSeconds: ticks / CLOCK_TICKS, command };
  } catch {
    // It has ended since it was listed.
    return null;
  }
}

/** The process itself first. */
export function processTree(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export const cpuSecondsOfTree = (root: number): number => sum(processTree(root).map((p) => p.cpuSeconds));

/** CPU seconds of the running threads of one process, by name and number. */
export function threadSeconds(pid: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    try {
      const text = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'utf8');
      const end = text.lastIndexOf(')');
      const fields = text.slice(end + 2).split(' ');
      const name = `${text.slice(text.indexOf('(') + 1, end)} ${tid}`;
      found.set(name, (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS);
    } catch {
      // It has ended since it was listed.
    }
  }
  return found;
}

/** What a process says that it does, as PostgreSQL's do. */
export function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 60);
  } catch {
    // It has ended since it was listed.
    return '';
  }
}

function sharedMiB(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}

/** Proportional set size: shared memory is counted once. */
export const memoryMiB = (pids: readonly number[]): number => sum(pids.map(sharedMiB));
