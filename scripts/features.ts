/**
 * `npm run features [-- NAME …] [--tests | --tests=e2e]`: deletes each feature by itself in a copy of the checkout, then all of
 * them at once, and proves that what remains is whole: generated files can be made, types and checks are clean; with `--tests`
 * also the units, or the end-to-end files to which features add.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FEATURES } from '../control-plane/features.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const INDEX = 'control-plane/features.ts';

/** A copy of the checkout with its packages, as a repository of its own. The caller removes it. */
function copyOfCheckout(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'carillon-features-'));
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: copy, stdio: 'ignore' });
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== ''))
    cpSync(path.join(ROOT, file), path.join(copy, file), { verbatimSymlinks: true });
  for (const folder of globSync(
    '{,{proto,media,agent,control-plane,control-plane/dashboard,scripts/clients}/}node_modules',
    { cwd: ROOT },
  ))
    cpSync(path.join(ROOT, folder), path.join(copy, folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (from) => !from.includes(`node_modules${path.sep}.cache`),
    });
  run('git', 'init', '-q');
  run('git', 'add', '-A');
  return copy;
}

/** Removes the folder and the line of each. */
function deleteFeatures(copy: string, names: readonly string[]): void {
  const index = path.join(copy, INDEX);
  const lines = readFileSync(index, 'utf8').split('\n');
  const isOf = (line: string) => names.some((name) => new RegExp(`^ {2}'?${name}'?:`).test(line));
  writeFileSync(index, lines.filter((line) => !isOf(line)).join('\n'));
  for (const name of names) rmSync(path.join(copy, 'control-plane/features', name), { recursive: true });
}

/** What the command says, if it fails; null: it succeeded. */
async function failure(copy: string, program: string, ...args: string[]): Promise<string | null> {
  const bin = path.join(copy, 'node_modules', '.bin');
  const child = spawn(program, args, {
    cwd: copy,
    env: { ...process.env, NODE_OPTIONS: '', PATH: `${bin}:${process.env['PATH']}` },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  const [code] = await once(child, 'close');
  return code === 0 ? null : `${program} ${args.join(' ')}:\n${said}`;
}

/** Words for scripts/test, by the option that asks for it. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  '--tests': ['units'],
  '--tests=e2e': ['cli/cli', 'dashboard/dashboard', 'faults/strangers'].map((name) => `scripts/e2e/${name}.test.ts`),
};

/** What is wrong without these features; empty: nothing. `tests`: options. */
export async function withoutFeatures(names: readonly string[], tests: readonly string[] = []): Promise<string[]> {
  const copy = copyOfCheckout();
  try {
    deleteFeatures(copy, names);
    const steps = [
      ['node', 'scripts/draw-features.ts'],
      ['node', 'scripts/generate.ts'],
      ['biome', 'check', '--write', INDEX],
      ['node', 'scripts/check.ts', '--without-feature'],
      ...tests.map((option) => ['sh', 'scripts/test', ...(TESTS[option] ?? [])]),
    ];
    for (const [program = '', ...args] of steps) {
      const why = await failure(copy, program, ...args);
      if (why !== null) return [why];
    }
    return [];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const named = words.filter((word) => !word.startsWith('--'));
  const all = Object.keys(FEATURES);
  const cases = named.length > 0 ? named.map((name) => [name]) : [...all.map((name) => [name]), all];
  for (const names of cases) {
    const wrong = await withoutFeatures(
      names,
      words.filter((word) => word in TESTS),
    );
    console.log(`without ${names.join(', ')}: ${wrong.length === 0 ? 'whole' : 'broken'}`);
    for (const line of wrong) console.log(line);
    if (wrong.length > 0) process.exitCode = 1;
  }
}
