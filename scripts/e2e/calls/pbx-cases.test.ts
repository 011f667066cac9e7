/** The table of PBX cases: every test that it names is there, is run by scripts/test, and stands in the page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { PBX_CASES, pbxCaseLines } from './pbx-cases.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

t.test('each case names a test that is there', async (t) => {
  for (const { what, file, test } of PBX_CASES) {
    t.match(file, /\.test\.ts$/, 'scripts/test runs what is called so');
    t.ok(textOf(file).includes(test), `${what}: ${file} has ${JSON.stringify(test)}`);
  }
});

t.test('no case stands twice, and none is skipped for good', async (t) => {
  const cases = PBX_CASES.map(({ what }) => what);
  t.equal(new Set(cases).size, cases.length);
  for (const file of new Set(PBX_CASES.map((one) => one.file)))
    t.notMatch(textOf(file), /t\.(?:skip|todo)\(|skip: true/, file);
});

t.test('the page has the same rows', async (t) => {
  const rows = textOf('docs/pbx-cases.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| case'));
  t.same(rows, pbxCaseLines());
});
