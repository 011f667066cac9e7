/** Programs of ours below a process that npm or a shell started (proc(5)). */
import { readFile } from 'node:fs/promises';

/** Pids of Node.js processes below `pid` whose command line matches. */
export async function offspring(pid: number, pattern: RegExp): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).trim();
  const found: number[] = [];
  for (const child of children === '' ? [] : children.split(' ').map(Number)) {
    const command = (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
    if (pattern.test(command) && /^\S*node /.test(command)) found.push(child);
    found.push(...(await offspring(child, pattern)));
  }
  return found;
}
