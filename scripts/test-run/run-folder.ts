/**
 * The folder of a test run, and the programs that belong to it: each has the folder in its environment (TMPDIR, inherited), in
 * its command line, or as its working directory. Thus a program that left its process group, or whose parent was killed, is
 * found, too. The name of the folder states which process owns it, so that the next run can clean up a run that was killed.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdlePatience } from '../peers/patience.ts';
import { memoryFolder } from './memory-folder.ts';

export type LeftProgram = { readonly pid: number; readonly command: string };

const NAME = /^carillon-test-(\d+)-(\d+)$/;
/** A program that has been ended may need this much idle time. */
const GRACE_MS = 2000;
const EVERY_MS = 100;

/** The text is empty if the file belongs to another user, or no longer exists. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** The instant of a process's start in the kernel's ticks (proc(5), field 22); empty: no such process. */
function startOf(pid: number | string): string {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** The programs that belong to the folder, except this one. They are found on Linux only. */
export function programsOf(folder: string): LeftProgram[] {
  const names = (text: string): boolean =>
    text.includes(`${folder}/`) || text.endsWith(folder) || text.includes(`${folder}\0`);
  const found: LeftProgram[] = [];
  // Only names are read, because a process that ends in the meantime has no type.
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const at = `/proc/${pid}`;
    const command = textOf(() => readFileSync(`${at}/cmdline`, 'utf8'));
    // A zombie process has neither a command line nor an environment.
    if (
      names(command) ||
      names(textOf(() => readFileSync(`${at}/environ`, 'utf8'))) ||
      names(textOf(() => readlinkSync(`${at}/cwd`)))
    )
      found.push({ pid: Number(pid), command: command.replaceAll('\0', ' ').trim() });
  }
  return found;
}

/** Waits until no program belongs to the folder, and ends those that stay. @returns the programs that were ended */
export async function endPrograms(folder: string, graceMs = GRACE_MS): Promise<LeftProgram[]> {
  for (const patience = new IdlePatience(graceMs); !patience.isOver; await sleep(EVERY_MS))
    if (programsOf(folder).length === 0) return [];
  const left = programsOf(folder);
  for (const patience = new IdlePatience(); !patience.isOver; await sleep(EVERY_MS)) {
    const still = programsOf(folder);
    if (still.length === 0) break;
    for (const { pid } of still) textOf(() => String(process.kill(pid, 'SIGKILL')));
  }
  return left;
}

/**
 * Makes a new folder for this process, in which everything that its tests start can write. The folders of killed runs are removed
 * with their programs.
 */
export async function openRunFolder(): Promise<string> {
  const parent = process.env['TMPDIR'] ?? memoryFolder() ?? tmpdir();
  for (const name of readdirSync(parent)) {
    const [, pid = '', start] = NAME.exec(name) ?? [];
    if (pid === '' || startOf(pid) === start) continue;
    const folder = path.join(parent, name);
    const left = await endPrograms(folder, 0);
    if (left.length > 0)
      console.log(`Ended what a killed run had left: ${left.map(({ command }) => command).join('; ')}`);
    removeFolder(folder);
  }
  return makeFolder(path.join(parent, `carillon-test-${process.pid}-${startOf(process.pid)}`));
}

/** Removes the folder with the file systems mounted in it: a test that was killed may have left its full disk. */
export function removeFolder(folder: string): void {
  const mounts = textOf(() => readFileSync('/proc/self/mountinfo', 'utf8')).split('\n');
  // The mount point is field 5, with octal numbers for blanks (proc(5)). The last mounted file system is above the others.
  const points = mounts.map((line) =>
    (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    ),
  );
  for (const point of points.reverse()) if (point.startsWith(`${folder}/`)) spawnSync('umount', ['-l', point]);
  rmSync(folder, { recursive: true, force: true });
}

/** Databases have users of their own, which must be able to pass through the folder. */
export function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  return folder;
}
