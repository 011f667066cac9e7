/** Archives with the same bytes for the same files. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { commitSeconds } from './deb.ts';

/** `what` is below the folder. Neither this user's umask and rights nor the time matters. */
export function tarOf(folder: string, owner: number, what = '.'): Buffer {
  execFileSync('chmod', ['-R', 'u=rwX,go=rX,ug-s', folder]);
  const forAll = ['tmp', 'var/tmp'].map((name) => path.join(folder, name)).filter((one) => existsSync(one));
  if (forAll.length > 0) execFileSync('chmod', ['1777', ...forAll]);
  const args = ['--create', '--format=gnu', '--sort=name', `--mtime=@${commitSeconds()}`, '--numeric-owner'];
  return execFileSync('tar', [...args, `--owner=${owner}`, `--group=${owner}`, '-C', folder, what], { maxBuffer: 1e9 });
}
