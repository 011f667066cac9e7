/** The table of PBX cases: every test that it names exists, is run by scripts/test, and is on the page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { PBX_CASES, pbxCaseLines, titlesOf } from './pbx-cases.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const LITERAL = `'(?:[^'\\\\\\n]|\\\\.)*'|"(?:[^"\\\\\\n]|\\\\.)*"|\`(?:[^\`\\\\]|\\\\.)*\``;
const TITLE = new RegExp(`\\bt\\.test\\(\\s*(${LITERAL}|[\\w.[\\]]+)\\s*,`, 'g');
const plain = (text: string): string => text.replace(/\\(.)/g, '$1');
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A title of `t.test(…)` in that source. Inserted values, and titles that are names, have to be literals of the file, or keys:
 * `'registrar'`, `registrar:`.
 */
function hasTest(source: string, title: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const isWritten = (value = ''): boolean =>
    new RegExp(`(['"\`])${escaped(value)}\\1|(?<![\\w'.])${escaped(value)}:`).test(code);
  return [...code.matchAll(TITLE)].some(([, written = '']) => {
    const quote = /^['"`]/.exec(written)?.[0];
    if (quote === undefined) return isWritten(title);
    const text = written.slice(1, -1);
    if (quote !== '`') return plain(text) === title;
    const [head = '', ...rest] = text.split(/\$\{[^}]*\}/).map((one) => escaped(plain(one)));
    const filled = new RegExp(`^${[head, ...rest].join('(.+)')}$`).exec(title);
    return filled?.slice(1).every(isWritten) ?? false;
  });
}

/** Tests that run only under a condition. */
const MAY_SKIP = /\bskip\s*:|\bt\.skip\(|\bt\.plan\(0/;

t.test('what is a title, and what only stands in the file', async (t) => {
  const source = [
    "/** t.test('told of', f) */",
    "// t.test('left out', f)",
    "t.test('it\\'s one', async (t) => t.ok(true, 'a message'));",
    "t.test(\n  'on its own line',\n  f);",
    "const FLOWS = { plain: 1, 'by-name': 2 };",
    `for (const slug of SLUGS) t.test(\`\${slug}: figures\`, { skip: false }, f);`,
    `label(\`\${slug}: nothing\`);`,
  ].join('\n');
  for (const title of ["it's one", 'on its own line', 'plain: figures', 'by-name: figures'])
    t.ok(hasTest(source, title), title);
  for (const title of [
    'told of',
    'left out',
    'a message',
    'one',
    'figures',
    'other: figures',
    'plain: nothing',
    'plain',
  ])
    t.notOk(hasTest(source, title), title);
  t.ok(hasTest("const WHAT = { a: 'a title' };\nt.test(WHAT[name], f)", 'a title'));
});

t.test('each case names tests that are there', async (t) => {
  for (const one of PBX_CASES) {
    t.match(one.file, /\.test\.ts$/, 'scripts/test runs files with such names');
    for (const title of titlesOf(one))
      t.ok(hasTest(textOf(one.file), title), `${one.what}: ${one.file} has ${JSON.stringify(title)}`);
  }
});

t.test(
  'no case occurs twice, none is skipped for good, and the places where one may be skipped are named',
  async (t) => {
    const cases = PBX_CASES.map(({ what }) => what);
    t.equal(new Set(cases).size, cases.length);
    for (const { what, file, needs } of PBX_CASES) {
      t.notMatch(textOf(file), /t\.(?:skip|todo)\(|skip: true/, file);
      t.equal(needs !== undefined, MAY_SKIP.test(textOf(file)), `${what}: ${file} is skipped without something`);
    }
  },
);

t.test('the page has the same rows', async (t) => {
  const rows = textOf('docs/pbx-cases.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| case'));
  t.same(rows, pbxCaseLines());
});
