/** Pages cite commits that are in the history: one that was rewritten can be looked at by nobody. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A commit in a page, as `git log --abbrev=8` writes it. */
const COMMIT = /`([0-9a-f]{8})`/g;

/**
 * Commits of pages that are no ancestors of HEAD. Without history, as in an archive or a shallow clone, nothing is known.
 * @param pages the text of each page by its name
 */
export function deadCommits(root: string, pages: ReadonlyMap<string, string>): string[] {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const [isShallow, hasHead] = git('rev-parse', '--is-shallow-repository', '--verify', 'HEAD').stdout.split('\n');
  if (!existsSync(path.join(root, '.git')) || isShallow !== 'false' || !hasHead) return [];
  return [...pages].flatMap(([page, text]) =>
    [...new Set([...text.matchAll(COMMIT)].map(([, commit]) => commit as string))]
      .filter((commit) => git('merge-base', '--is-ancestor', commit, 'HEAD').status !== 0)
      .map((commit) => `${page} cites commit ${commit}, which is not in the history`),
  );
}
