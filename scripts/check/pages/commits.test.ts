/** Commits of pages: in a history, in a rewritten one, in a shallow clone, and in an archive. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { deadCommits } from './commits.ts';

t.test('a commit that is not in the history is found where the history is known', async (t) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'carillon-commits-'));
  t.teardown(() => rmSync(dir, { recursive: true, force: true }));
  const [root, shallow, archive] = ['root', 'shallow', 'archive'].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      encoding: 'utf8',
    });
  const commit = (...args: string[]): string => {
    git('commit', '-q', '--allow-empty', ...args);
    return git('rev-parse', '--short=8', 'HEAD').trim();
  };
  execFileSync('git', ['init', '-q', root]);
  const pages = (...commits: string[]) => new Map([['a.md', commits.map((one) => `\`${one}\``).join(' ')]]);
  t.strictSame(deadCommits(root, pages('00000000')), [], 'a repository without a commit');
  const first = commit('-m', 'one');
  const rewritten = commit('-m', 'two');
  const second = commit('--amend', '-m', 'three');
  const dead = [rewritten, '00000000'].map((one) => `a.md cites commit ${one}, which is not in the history`);
  t.strictSame(deadCommits(root, pages(first, rewritten, second, '00000000')), dead);
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${root}`, shallow]);
  execFileSync('mkdir', [archive]);
  for (const copy of [shallow, archive]) t.strictSame(deadCommits(copy, pages(first, '00000000')), [], copy);
});
