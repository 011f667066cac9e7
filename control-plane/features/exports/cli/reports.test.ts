/** Reports that cannot be written are found before calls are placed, and what is in their place stays as it is. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { reportsCanBeWritten } from './reports.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-reports-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string): string => path.join(folder, name);
writeFileSync(inFolder('there'), 'before');
execFileSync('mkfifo', [inFolder('pipe')]);

for (const [what, file, fault] of [
  ['a new file', inFolder('new'), null],
  ['a file with content', inFolder('there'), null],
  ['a pipe', inFolder('pipe'), null],
  ['a device', '/dev/null', null],
  ['a folder', folder, /EISDIR/],
  ['no such folder', inFolder('none/new'), /ENOENT/],
  ['a file as a folder', inFolder('there/new'), /ENOTDIR/],
  ['a name that is too long', inFolder('x'.repeat(300)), /ENAMETOOLONG/],
  ['where nothing can be made', '/proc/new', /EACCES|ENOENT/],
] as const)
  t.test(what, async (t) => {
    const written = reportsCanBeWritten({ junit: file });
    if (fault === null) await written;
    else await t.rejects(written, { code: 1, message: fault });
    t.notOk(existsSync(inFolder('new')), 'nothing new is left');
    t.equal(readFileSync(inFolder('there'), 'utf8'), 'before');
  });
