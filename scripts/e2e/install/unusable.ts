/** Paths that a start may open, unusable in each way. Rows for other users, full and read-only disks need root. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';

export const isRoot = process.getuid?.() === 0;
const dir = mkdtempSync(path.join(tmpdir(), 'carillon-paths-'));
chmodSync(dir, 0o755);
const mounts: string[] = [];
t.teardown(() => {
  for (const mount of mounts) spawnSync('umount', [mount]);
  rmSync(dir, { recursive: true, force: true });
});
export const at = (...names: string[]) => path.join(dir, ...names);

function disk(name: string, options: string): string | null {
  mkdirSync(at(name), { mode: 0o755 });
  if (!isRoot || spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at(name)]).status !== 0) return null;
  mounts.push(at(name));
  return at(name);
}

writeFileSync(at('file'), 'x');
mkdirSync(at('folder'));
mkdirSync(at('closed'), { mode: 0o700 });
writeFileSync(at('closed', 'secret'), '{}', { mode: 0o600 });
chmodSync(at('closed'), 0o700);
spawnSync('mkfifo', [at('pipe')]);
const readOnly = disk('read-only', 'ro,size=64k');
const full = disk('full', 'size=16k,mode=755');
if (full !== null) {
  mkdirSync(path.join(full, 'data'), { mode: 0o711 });
  spawnSync('sh', ['-c', `cat /dev/zero > ${full}/filler`]);
}

export type Way = readonly [what: string, target: string | null, asNobody?: boolean];
/** A folder that cannot be one. */
export const FOLDERS: readonly Way[] = [
  ['nothing can be made there', '/proc/x'],
  ['nothing can be made above it', '/proc/x/y/z'],
  ['a file in its place', at('file')],
  ['a file above it', at('file', 'below')],
  ['a device in its place', '/dev/null'],
  ['a pipe in its place', at('pipe')],
  ['below what is closed to its user', at('closed', 'data'), true],
  ['closed to its user', at('closed'), true],
  ['on a read-only disk', readOnly && path.join(readOnly, 'data')],
  ['on a full disk', full && path.join(full, 'data')],
  ['a name that is too long', at('x'.repeat(300))],
];
/** A file that cannot be read. */
export const FILES: readonly Way[] = [
  ['missing', at('missing')],
  ['its folder is missing', at('missing', 'file')],
  ['a folder in its place', at('folder')],
  ['a file above it', at('file', 'below')],
  ['a pipe that nobody writes to', at('pipe')],
  ['a device that never ends', '/dev/zero'],
  ['a file of the kernel that has no end', '/proc/self/pagemap'],
  ['a file of the kernel that may say nothing for ever', '/proc/kmsg'],
  ['closed to its user', at('closed', 'secret'), true],
];
