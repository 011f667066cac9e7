/**
 * `npm run check`: the requirements for every commit. It is also a test (scripts/e2e/install/repository.test.ts), so that CI runs
 * it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { findInChanged } from './check/clean-files.ts';
import { wrongMigrations } from './check/code/migrations.ts';
import { doubleNames } from './check/code/names.ts';
import { secretsOpened } from './check/code/secrets.ts';
import { timedWaits } from './check/code/waits.ts';
import { hardWords, wordedFiles } from './check/code/words.ts';
import { wrongArrows } from './check/imports/arrows.ts';
import { folderCircles, importCircles } from './check/imports/circles.ts';
import { deadDependencies } from './check/imports/dependencies.ts';
import { effectsOfImports } from './check/imports/effects.ts';
import { crowdedFiles, deadExports } from './check/imports/exports.ts';
import { featureNames } from './check/imports/feature-names.ts';
import { deadCommits } from './check/pages/commits.ts';
import { conformance } from './check/pages/conformance.ts';
import { wrongDirections } from './check/pages/directions.ts';
import { unreachedFolders } from './check/pages/intents.ts';
import { deadCitations, deadLinks, deadTests } from './check/pages/links.ts';
import { unnamedFiles } from './check/pages/named-files.ts';
import { documents, isTest, ROOT, read, sources } from './check/sources.ts';
import { GENERATOR_FILES, GENERATOR_NAMES, type GeneratorName } from './generate/generators.ts';

const CACHE = path.join(ROOT, 'node_modules', '.cache', 'carillon');
const MAX_FILE = 400;
/** Maximum median and 90th percentile of the length of source files. */
const MEDIAN_FILE = 100;
const P90_FILE = 250;

/** The compiler is a Go program. With fewer collections it takes a fifth less processor time, and the same memory. */
const GOGC = '400';

/** Runs a compiler or linter in a separate process and returns its findings, without the preloads of a test runner. */
async function tool(name: string, args: string[]): Promise<string[]> {
  const program = path.join(ROOT, 'node_modules', '.bin', name);
  const child = spawn('env', ['-u', 'NODE_OPTIONS', program, ...args], { cwd: ROOT, env: { ...process.env, GOGC } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  const [status] = await once(child, 'close');
  return status === 0 ? [] : [`${name} ${args.join(' ')}:\n${said}`];
}

/**
 * The number of checkers for each of two projects, which are compiled in parallel. More workers than processors would repeat
 * work.
 */
const CHECKERS = Math.max(1, Math.floor(availableParallelism() / 2));

/** @param find returns what a check finds in those of `files` that have changed since it found nothing in them */
function inChanged(
  name: string,
  basis: string,
  files: readonly string[],
  find: (changed: readonly string[]) => string[] | Promise<string[]>,
): Promise<string[]> {
  const own = [
    'package-lock.json',
    'scripts/check.ts',
    ...filesOf(`{scripts/check/{clean-files,sources}.ts,${basis}}`),
  ];
  return findInChanged(name, { folder: CACHE, basis: own.sort().map(read), files, read }, find);
}

const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (name) => /(^|\/)(node_modules|dist|data|\.tap|\.git)$/.test(name) });

/** If one file has changed, all are compiled. The compiler's state is stored, so that it reads only what has changed. */
const types = (project: string): Promise<string[]> =>
  inChanged(
    `types-${project.replaceAll('/', '-')}`,
    '{tsconfig.json,**/tsconfig.json}',
    filesOf('{proto,media,agent,control-plane,scripts}/**/*.{ts,tsx,json}'),
    () =>
      tool('tsc', [
        '-p',
        project,
        '--checkers',
        String(CHECKERS),
        '--incremental',
        '--tsBuildInfoFile',
        `${CACHE}/${project.replaceAll('/', '-')}.tsbuildinfo`,
      ]),
  );

/** If more files have changed, their names are not passed: the linter then finds the files faster by itself. */
const MAX_NAMED = 300;

/** Each rule of the linter reads one file only. */
const style = (): Promise<string[]> =>
  inChanged('style', '{biome.json,**/package.json}', filesOf('**/*.{ts,tsx,json}'), (changed) => {
    if (changed.length === 0) return [];
    const named = changed.length > MAX_NAMED ? ['.'] : ['--no-errors-on-unmatched', ...changed];
    return tool('biome', ['check', '--error-on-warnings', ...named]);
  });

/** The generators import much of the product, so they are loaded only if they have to run. */
const generated = (name: GeneratorName): Promise<string[]> =>
  inChanged(
    `generated-${name.replaceAll(' ', '-')}`,
    'scripts/{generate,generate/generators}.ts',
    filesOf(GENERATOR_FILES[name]),
    async () => {
      const { stale } = await import('./generate.ts');
      return (await stale(name)).map((file) => `${file} is not current: npm run generate`);
    },
  );

function longFiles(): string[] {
  const lengths = sources().map((file) => ({
    file,
    lines: read(file).split('\n').length,
  }));
  const code = lengths.filter(({ file }) => !isTest(file) && !file.startsWith('scripts/e2e/'));
  const ascending = code.map((c) => c.lines).sort((a, b) => a - b);
  const longerThan = (most: number, part: number, what: string): string[] => {
    const lines = ascending[Math.floor(ascending.length * part)] ?? 0;
    return lines > most ? [`${what} of the source files have ${lines} lines or more, over ${most}`] : [];
  };
  return [
    ...code
      .filter(({ lines }) => lines > MAX_FILE)
      .map(({ file, lines }) => `${file} has ${lines} lines, over ${MAX_FILE}`),
    ...longerThan(MEDIAN_FILE, 0.5, 'half'),
    ...longerThan(P90_FILE, 0.9, 'a tenth'),
  ];
}

/**
 * tap runs a file's tests while its top level continues, so code that is awaited there after the first test runs concurrently.
 */
const racingSetups = (): string[] =>
  sources()
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => {
      const lines = read(file).split('\n');
      const first = lines.findIndex((line) => line.startsWith('t.test('));
      const late = lines.findIndex((line, n) => first >= 0 && n > first && /^(\w.*= )?await (?!t\.test)/.test(line));
      return late < 0 ? [] : [`${file}:${late + 1} is awaited beside the tests above it: move it before the first`];
    });

/** Pages print commands with the version, and agents report it, so every package must have the same one. */
function versions(): string[] {
  const said = (file: string): string => /version"?(?:: | = )["']([\d.]+)["']/i.exec(read(file))?.[1] ?? 'none';
  const expected = said('package.json');
  return [
    ...globSync(
      '{{proto,media,agent,control-plane,control-plane/dashboard}/package.json,{agent,control-plane}/version.ts}',
      { cwd: ROOT },
    ),
  ]
    .filter((file) => said(file) !== expected)
    .map((file) => `${file} has version ${said(file)}, package.json has ${expected}`);
}

const CHECKS: readonly (readonly [string, () => string[] | Promise<string[]>])[] = [
  ['types', () => types('.')],
  ['types of the dashboard', () => types('control-plane/dashboard')],
  ['style', style],
  ['migrations', () => wrongMigrations(ROOT)],
  ['generated files', async () => (await Promise.all(GENERATOR_NAMES.map(generated))).flat()],
  ['arrows', wrongArrows],
  ['circles', importCircles],
  ['circles of folders', folderCircles],
  ['effects of imports', effectsOfImports],
  ['words', () => inChanged('words', 'scripts/check/code/words.ts', wordedFiles(), hardWords)],
  ['features', featureNames],
  ['dependencies', deadDependencies],
  ['exports', deadExports],
  ['crowded files', crowdedFiles],
  ['names', doubleNames],
  ['secrets', secretsOpened],
  ['sizes', longFiles],
  ['set-ups', racingSetups],
  ['waits', timedWaits],
  ['pages', unnamedFiles],
  ['intents', unreachedFolders],
  ['directions', wrongDirections],
  ['links', deadLinks],
  ['tests of pages', () => documents().flatMap((page) => deadTests(page, read(page)))],
  ['citations', deadCitations],
  ['commits', () => deadCommits(ROOT, new Map(documents().map((page) => [page, read(page)])))],
  ['RFC tables', conformance],
  ['versions', versions],
];

/** The name of each check -> its findings. The checks run in parallel. */
export const check = async (): Promise<Map<string, string[]>> =>
  new Map(await Promise.all(CHECKS.map(async ([name, run]) => [name, await run()] as const)));

/**
 * Checks that find what is not needed any more. Without a feature, what the core offers to it alone is not needed, and a page may
 * name tests that are gone with it.
 */
const OF_LEFTOVERS: readonly string[] = ['exports', 'names', 'dependencies', 'tests of pages'];

if (import.meta.main) {
  const isWithoutFeature = process.argv.includes('--without-feature');
  for (const [name, lines] of await check()) {
    if (isWithoutFeature && OF_LEFTOVERS.includes(name)) continue;
    console.log(`${name}: ${lines.length === 0 ? 'fine' : `${lines.length} found`}`);
    for (const line of lines) console.log(`  ${line}`);
    if (lines.length > 0) process.exitCode = 1;
  }
}
