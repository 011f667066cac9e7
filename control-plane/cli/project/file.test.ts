/** A project's file is read only if it ends. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { readProjectFile } from './file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-project-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string): string => path.join(folder, name);
execFileSync('mkfifo', [inFolder('pipe')]);

t.test("a project's file that never ends is refused", async (t) => {
  for (const file of [inFolder('pipe'), '/dev/zero', folder])
    await t.rejects(readProjectFile(file, {}), {
      code: 1,
      message: /cannot be read: it is (not a regular file|a folder)/,
    });
  writeFileSync(inFolder('project.yaml'), 'project: x\nmediaFiles:\n  - { name: a, file: pipe }\n');
  await t.rejects(readProjectFile(inFolder('project.yaml'), {}), { code: 1 });
});
