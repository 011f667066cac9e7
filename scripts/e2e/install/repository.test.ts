/** The checks of `npm run check`, also run in CI: types, style, arrows, sizes, pages, generated files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { changedMigrations, equalNumbers } from '../../check/code/migrations.ts';
import { check } from '../../check.ts';

for (const [name, found] of await check()) t.same(found, [], name);

t.test('a migration that is changed after the commit that adds it is found, committed or not', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'carillon-history-'));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  const folder = 'control-plane/store/migrations';
  mkdirSync(path.join(root, folder), { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  const write = (name: string, text: string) => writeFileSync(path.join(root, folder, name), text);
  const commit = (): string => {
    git('add', '-A');
    git('commit', '-qm', 'one');
    return git('rev-parse', 'HEAD').trim();
  };
  git('init', '-q');
  write('0001-a.sql', 'one');
  const since = commit();
  write('0002-b.sql', 'two');
  commit();
  t.same(changedMigrations(root, since), [], 'what is added is not changed');
  write('0001-a.sql', 'another');
  const found = [
    `${folder}/0001-a.sql has been changed since the commit that added it: put it back as it was, and add a migration`,
  ];
  t.same(changedMigrations(root, since), found, 'not committed');
  commit();
  t.same(changedMigrations(root, since), found, 'committed');
  t.same(changedMigrations(root, '0'.repeat(40)), [], 'a copy that does not know the beginning says nothing of it');
  t.match(equalNumbers(['0001-a.sql', '0002-b.sql', '0002-c.sql']), [
    /^0002-b\.sql and 0002-c\.sql have the same number/,
  ]);
  t.end();
});
