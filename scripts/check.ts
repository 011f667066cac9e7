/** `npm run check`: what must hold of every commit. Also a test (e2e/repository.test.ts), so that CI says it, too. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { wrongArrows } from './check-arrows.ts';
import { stale } from './generate.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const LONGEST_FILE = 400;
/** Of all source files, half are shorter than this. */
const MEDIAN_FILE = 120;

const bin = (name: string, args: string[]): string[] => {
  // What a test runner preloads into every process is not for compilers.
  const { status, stdout, stderr } = spawnSync(
    'env',
    ['-u', 'NODE_OPTIONS', path.join(ROOT, 'node_modules', '.bin', name), ...args],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return status === 0 ? [] : [`${name} ${args.join(' ')}:\n${stdout}${stderr}`];
};

const sources = (): string[] =>
  globSync('{proto,media,agent,control-plane,scripts}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !/(^|\/)(node_modules|dist|gen)\//.test(file) && !file.endsWith('.gen.ts'),
  );

function longFiles(): string[] {
  const lengths = sources().map((file) => ({
    file,
    lines: readFileSync(path.join(ROOT, file), 'utf8').split('\n').length,
  }));
  const tests = lengths.filter(({ file }) => /(^|\/)(test|e2e)\//.test(file));
  const code = lengths.filter((one) => !tests.includes(one));
  const median = code.map((c) => c.lines).sort((a, b) => a - b)[code.length >> 1] ?? 0;
  return [
    ...code
      .filter(({ lines }) => lines > LONGEST_FILE)
      .map(({ file, lines }) => `${file} has ${lines} lines, over ${LONGEST_FILE}`),
    ...(median > MEDIAN_FILE ? [`half of the source files are longer than ${median} lines`] : []),
  ];
}

/** tap runs a file's tests while its top level goes on: what is awaited there, after the first test, runs beside them. */
const racingSetups = (): string[] =>
  sources()
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => {
      const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n');
      const first = lines.findIndex((line) => line.startsWith('t.test('));
      const late = lines.findIndex((line, n) => first >= 0 && n > first && /^(\w.*= )?await (?!t\.test)/.test(line));
      return late < 0 ? [] : [`${file}:${late + 1} is awaited beside the tests above it: move it before the first`];
    });

/** Each folder with sources has a page, and the page names what is in it. */
function pages(): string[] {
  const folders = new Map<string, string[]>();
  for (const file of sources()) {
    const folder = path.dirname(file);
    if (/(^|\/)test$/.test(folder)) continue;
    folders.set(folder, [...(folders.get(folder) ?? []), path.basename(file)]);
  }
  return [...folders].flatMap(([folder, files]) => {
    // A page may stand one folder up, where a folder is a detail of its parent.
    const page = [folder, path.dirname(folder)].map((f) => path.join(ROOT, f, 'README.md')).find((p) => existsSync(p));
    if (!page) return [`${folder} has no README.md`];
    const text = readFileSync(page, 'utf8');
    const own = path.dirname(page) === path.join(ROOT, folder);
    if (!own) return text.includes(`${path.basename(folder)}/`) ? [] : [`${folder} is not on its parent's page`];
    const unnamed = files.filter(
      (file) => !text.includes(`\`${file}\``) && !text.includes(`${file.replace(/\.ts$/, '')}`),
    );
    return unnamed.map((file) => `${folder}/README.md does not name ${file}`);
  });
}

/** Tables of what is kept: the page, where its tests are, which rows are of it. */
const TABLES = [
  { folder: 'agent/sip', tests: 'agent/test', row: /^\| \d/ },
  { folder: 'agent/rtp', tests: '', row: /^\| (\d|G\.|issue)/ },
] as const;

/** Each row of such a table names a file of ours, a test file, and words of it. */
const conformance = (): string[] =>
  TABLES.flatMap(({ folder, tests, row }) => {
    const page = `${folder}/CONFORMANCE.md`;
    const rows = readFileSync(path.join(ROOT, page), 'utf8')
      .split('\n')
      .filter((line) => row.test(line));
    return rows.length === 0 ? [`${page} has no rows`] : rows.flatMap((line) => wrongRow(page, folder, tests, line));
  });

const bare = (cell: string | undefined): string => (cell ?? '').trim().replace(/^`|`$/g, '');

function wrongRow(page: string, folder: string, tests: string, line: string): string[] {
  const [, of, section, , where, test, shows, ...rest] = line.split('|').map(bare);
  const name = `${page}: ${of}, ${section}`;
  if (!where || !test || !shows || rest.length !== 1) return [`${name} has not six cells`];
  const file = path.join(ROOT, tests, test);
  if (!existsSync(file)) return [`${name}: there is no ${test}`];
  return [
    ...(existsSync(path.join(ROOT, folder, where)) || existsSync(path.join(ROOT, where))
      ? []
      : [`${name}: there is no ${where}`]),
    ...(readFileSync(file, 'utf8').includes(shows) ? [] : [`${name}: ${test} does not say "${shows}"`]),
  ];
}

/** Pages print commands with it, agents greet with it: one version in every package. */
function versions(): string[] {
  const said = (file: string): string =>
    /version"?(?:: | = )["']([\d.]+)["']/i.exec(readFileSync(path.join(ROOT, file), 'utf8'))?.[1] ?? 'none';
  const expected = said('package.json');
  return [
    ...globSync('{proto,media,agent,control-plane,control-plane/dashboard}/package.json', { cwd: ROOT }),
    'agent/version.ts',
  ]
    .filter((file) => said(file) !== expected)
    .map((file) => `${file} has version ${said(file)}, package.json has ${expected}`);
}

const CHECKS: readonly (readonly [string, () => string[] | Promise<string[]>])[] = [
  ['types', () => bin('tsc', ['-p', '.'])],
  ['types of the dashboard', () => bin('tsc', ['-p', 'control-plane/dashboard'])],
  ['style', () => bin('biome', ['check', '--error-on-warnings', '.'])],
  ['arrows', wrongArrows],
  ['sizes', longFiles],
  ['set-ups', racingSetups],
  ['pages', pages],
  ['RFC tables', conformance],
  ['versions', versions],
  ['generated files', async () => (await stale()).map((file) => `${file} is not current: npm run generate`)],
];

/** Name of a check -> what it found. */
export async function check(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [name, run] of CHECKS) found.set(name, await run());
  return found;
}

if (import.meta.main) {
  for (const [name, lines] of await check()) {
    console.log(`${name}: ${lines.length === 0 ? 'fine' : `${lines.length} found`}`);
    for (const line of lines) console.log(`  ${line}`);
    if (lines.length > 0) process.exitCode = 1;
  }
}
