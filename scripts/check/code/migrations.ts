/**
 * A migration must never change after it was committed: databases have applied it, and a control plane refuses a changed one. The
 * history is checked: no commit after the baseline may change a file that it did not add. Each migration has a number of its own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['control-plane/store/migrations', 'control-plane/features'];
/** One of the thirteen of the baseline. Migrations are checked from the commit that added it: nothing was released before. */
const BASELINE = 'control-plane/store/migrations/0008-database.sql';

/**
 * The migrations that were changed, and those with equal numbers. A clone without (full) history is checked as far as possible.
 */
export function wrongMigrations(root: string): string[] {
  return [
    ...changedMigrations(root),
    ...equalNumbers(
      git(root, 'ls-files', '--', ...FOLDERS.map((folder) => `${folder}/*.sql`))
        .split('\n')
        .map((file) => path.basename(file)),
    ),
  ];
}

/** @param since the commit that added the baseline; if it is unknown, only uncommitted changes are found */
export function changedMigrations(root: string, since = baselineOf(root)): string[] {
  const names = (...of: string[]): string[] =>
    git(root, ...of, '-M100%', '--diff-filter=MDT', '--name-only', '--', ...FOLDERS).split('\n');
  const isKnown = since !== '' && git(root, 'rev-list', '-1', since, '--') !== '';
  const changed = [...(isKnown ? names('log', '--format=', `${since}..HEAD`) : []), ...names('diff', 'HEAD')];
  return [...new Set(changed)]
    .filter((name) => name.endsWith('.sql') && !isOfDeletedFeature(root, name))
    .map(
      (name) => `${name} has been changed since the commit that added it: put it back as it was, and add a migration`,
    );
}

/** A feature may be deleted with its tables: its folder is gone. */
const isOfDeletedFeature = (root: string, name: string): boolean =>
  name.startsWith('control-plane/features/') && !existsSync(path.join(root, path.dirname(path.dirname(name))));

const git = (root: string, ...args: string[]): string =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();

const baselineOf = (root: string): string =>
  git(root, 'log', '--diff-filter=A', '--format=%H', '--', BASELINE).split('\n').at(-1) ?? '';

/** Numbers must be unique, because the order of two migrations with the same number would depend on their names. */
export function equalNumbers(files: readonly string[]): string[] {
  const numbers = Object.groupBy(files, (name) => name.slice(0, 4));
  return Object.values(numbers).flatMap((same = []) =>
    same.length > 1 ? [`${same.join(' and ')} have the same number: give the later one the next free number`] : [],
  );
}
