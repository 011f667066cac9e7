/**
 * A landed migration must never change: databases have applied it, and a control plane refuses a changed one. Checked
 * by the history: no commit after the one that adds a file may change it.
 */
import { spawnSync } from 'node:child_process';

const FOLDER = 'control-plane/store/migrations';
/** Before it, migrations were changed: nothing was released then. */
const SINCE = '82f7841c9aa39595bb6898af23cbd3ec8b3eeb22';

/** A clone without (full) history is checked as far as possible. */
export function changedMigrations(root: string, since = SINCE): string[] {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const names = (...of: string[]): string[] =>
    git(...of, '--no-renames', '--diff-filter=MDT', '--name-only', '--', FOLDER).stdout.split('\n');
  const isKnown = git('cat-file', '-e', `${since}^{commit}`).status === 0;
  const changed = [...(isKnown ? names('log', '--format=', `${since}..HEAD`) : []), ...names('diff', 'HEAD')];
  return [...new Set(changed)]
    .filter((name) => name.endsWith('.sql'))
    .map(
      (name) => `${name} has been changed since the commit that added it: put it back as it was, and add a migration`,
    );
}
