/** `npm run check`: what must hold of every commit. Also a test (scripts/e2e/install/repository.test.ts), so that CI says it, too. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { isTest, wrongArrows } from './check-arrows.ts';
import { importCircles, mutualFolders } from './check-circles.ts';
import { deadExports } from './check-exports.ts';
import { changedMigrations } from './check-migrations.ts';
import { doubleNames } from './check-names.ts';
import { conformance, deadCitations, deadLinks, pages, sources } from './check-pages.ts';
import { secretsOpened } from './check-secrets.ts';
import { hardWords } from './check-words.ts';
import { stale } from './generate.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'carillon');
const LONGEST_FILE = 400;
/** Of all source files, half are no longer than this, and nine of ten no longer than that. */
const MEDIAN_FILE = 100;
const P90_FILE = 250;

/** A compiler or linter, in a process of its own: what it found. What a test runner preloads into every process is not for it. */
async function tool(name: string, args: string[]): Promise<string[]> {
  const program = path.join(ROOT, 'node_modules', '.bin', name);
  const child = spawn('env', ['-u', 'NODE_OPTIONS', program, ...args], { cwd: ROOT });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  const [status] = await once(child, 'close');
  return status === 0 ? [] : [`${name} ${args.join(' ')}:\n${said}`];
}

/** Of each of two projects, which are compiled side by side: with more than there are processors, each learns again what another knows. */
const CHECKERS = Math.max(1, Math.floor(availableParallelism() / 2));

/** What the compiler learned last time is kept: the next time it reads only what has changed. */
const types = (project: string): Promise<string[]> =>
  tool('tsc', [
    '-p',
    project,
    '--checkers',
    String(CHECKERS),
    '--incremental',
    '--tsBuildInfoFile',
    `${CACHE}/${project.replaceAll('/', '-')}.tsbuildinfo`,
  ]);

function longFiles(): string[] {
  const lengths = sources().map((file) => ({
    file,
    lines: readFileSync(path.join(ROOT, file), 'utf8').split('\n').length,
  }));
  const code = lengths.filter(({ file }) => !isTest(file) && !file.startsWith('scripts/e2e/'));
  const ascending = code.map((c) => c.lines).sort((a, b) => a - b);
  const longerThan = (most: number, part: number, what: string): string[] => {
    const lines = ascending[Math.floor(ascending.length * part)] ?? 0;
    return lines > most ? [`${what} of the source files have ${lines} lines or more, over ${most}`] : [];
  };
  return [
    ...code
      .filter(({ lines }) => lines > LONGEST_FILE)
      .map(({ file, lines }) => `${file} has ${lines} lines, over ${LONGEST_FILE}`),
    ...longerThan(MEDIAN_FILE, 0.5, 'half'),
    ...longerThan(P90_FILE, 0.9, 'a tenth'),
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

/** Pages print commands with it, agents greet with it: one version in every package. */
function versions(): string[] {
  const said = (file: string): string =>
    /version"?(?:: | = )["']([\d.]+)["']/i.exec(readFileSync(path.join(ROOT, file), 'utf8'))?.[1] ?? 'none';
  const expected = said('package.json');
  return [
    ...globSync('{proto,media,agent,control-plane,control-plane/dashboard}/package.json', { cwd: ROOT }),
    'agent/version.ts',
    'control-plane/commands/version.ts',
    'control-plane/cli/version.ts',
  ]
    .filter((file) => said(file) !== expected)
    .map((file) => `${file} has version ${said(file)}, package.json has ${expected}`);
}

const CHECKS: readonly (readonly [string, () => string[] | Promise<string[]>])[] = [
  ['types', () => types('.')],
  ['types of the dashboard', () => types('control-plane/dashboard')],
  ['style', () => tool('biome', ['check', '--error-on-warnings', '.'])],
  ['migrations', () => changedMigrations(ROOT)],
  ['generated files', async () => (await stale()).map((file) => `${file} is not current: npm run generate`)],
  ['arrows', wrongArrows],
  ['circles', importCircles],
  ['mutual folders', mutualFolders],
  ['words', hardWords],
  ['exports', deadExports],
  ['names', doubleNames],
  ['secrets', secretsOpened],
  ['sizes', longFiles],
  ['set-ups', racingSetups],
  ['pages', pages],
  ['links', deadLinks],
  ['citations', deadCitations],
  ['RFC tables', conformance],
  ['versions', versions],
];

/** Name of a check -> what it found. They run side by side. */
export const check = async (): Promise<Map<string, string[]>> =>
  new Map(await Promise.all(CHECKS.map(async ([name, run]) => [name, await run()] as const)));

if (import.meta.main) {
  for (const [name, lines] of await check()) {
    console.log(`${name}: ${lines.length === 0 ? 'fine' : `${lines.length} found`}`);
    for (const line of lines) console.log(`  ${line}`);
    if (lines.length > 0) process.exitCode = 1;
  }
}
