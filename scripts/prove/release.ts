/** `npm run release` in two clones of this commit, in different places, with packages installed by npm in each: the same bytes, executables too. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** One by one: each has its own umask, time zone and folder. */
const PLACES = [
  { folder: 'one', umask: '022', env: { TZ: 'UTC', LANG: 'C.UTF-8' } },
  { folder: 'a/longer/place', umask: '077', env: { TZ: 'Asia/Tokyo', LANG: 'C' } },
] as const;

export async function release(): Promise<void> {
  const dir = mkdtempSync('/tmp/carillon-release-');
  try {
    const sums = PLACES.map(({ folder, umask, env }) => {
      const at = performance.now();
      const clone = path.join(dir, folder);
      const sh = (line: string, cwd: string): string =>
        execFileSync('sh', ['-c', `umask ${umask} && ${line}`], {
          cwd,
          env: { ...process.env, ...env },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      sh(`git clone --quiet "file://${ROOT}" "${clone}"`, dir);
      sh('npm run release', clone);
      console.log(`${folder}: ${Math.round((performance.now() - at) / 1000)} s`);
      return readFileSync(path.join(clone, 'dist', 'release', 'SHA256SUMS'), 'utf8');
    });
    console.log(sums[0]);
    if (sums[0] !== sums[1]) throw new Error(`the second has other bytes:\n${sums[1]}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
