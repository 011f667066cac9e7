/** One run of tap over some files, and what came of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((n, c) => n + c.passed, 0),
  failed: all.reduce((n, c) => n + c.failed, 0),
  skipped: all.reduce((n, c) => n + c.skipped, 0),
});

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** Written when tap was put together; older than what it was put together from, it is stale. */
const BUILT = path.join(ROOT, 'node_modules', '.cache', 'carillon', 'tap-is-built');
const modifiedMs = async (file: string): Promise<number> =>
  stat(path.join(ROOT, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** Puts tap together from the plugins that .taprc names; its first test would otherwise run with those that it ships. */
export async function buildTap(): Promise<void> {
  const builtMs = await stat(BUILT).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (builtMs > (await modifiedMs('.taprc')) && builtMs > (await modifiedMs('node_modules/.package-lock.json'))) return;
  const child = spawn('tap', ['build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`tap build ended with ${code}`);
  await mkdir(path.dirname(BUILT), { recursive: true });
  await writeFile(BUILT, '');
}

/** The whole TAP goes to a file; what failed is printed, with its lines. */
export async function runTap(
  title: string,
  files: readonly string[],
  options: { readonly jobs: number; readonly env?: Readonly<Record<string, string>>; readonly ending: AbortSignal },
): Promise<Counts> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'carillon-tap-'));
  const output = path.join(scratch, 'out.tap');
  const startedMs = Date.now();
  const args = [
    'run',
    '--reporter=tap',
    `--output-file=${output}`,
    '--disable-coverage',
    `--jobs=${options.jobs}`,
    '--timeout=600',
  ];
  options.ending.throwIfAborted();
  // In a group of its own: whatever its tests started ends with it.
  const child = spawn('tap', [...args, ...files], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...options.env },
    detached: true,
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const end = () => endGroup(child.pid as number, closed);
  options.ending.addEventListener('abort', end, { once: true });
  const [code] = await closed;
  options.ending.removeEventListener('abort', end);
  const tap = await readFile(output, 'utf8').catch(() => '');
  await rm(scratch, { recursive: true, force: true });
  const last = [...tap.matchAll(/^# \{ (.*) \}$/gm)].at(-1)?.[1] ?? '';
  const number = (key: string): number => Number(new RegExp(`\\b${key}: (\\d+)`).exec(last)?.[1] ?? 0);
  const counts = {
    passed: number('pass'),
    // A run that ends badly without a failed assertion (a crash, nothing found) has failed all the same.
    failed: Math.max(number('fail'), code === 0 && number('pass') > 0 ? 0 : 1),
    skipped: number('skip') + number('todo'),
  };
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0);
  console.log(`${title}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
  if (files.length > 1) console.log(slowest(tap));
  if (counts.failed > 0) console.log(failures(tap) || tap.slice(-4000));
  return counts;
}

const PATIENCE_MS = 5000;

function endGroup(pid: number, closed: Promise<unknown>): void {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  signal('SIGTERM');
  const timer = setTimeout(() => signal('SIGKILL'), PATIENCE_MS);
  void closed.finally(() => clearTimeout(timer));
}

const SLOWEST = 12;

/** Where a run's time goes. */
function slowest(tap: string): string {
  const times = [...tap.matchAll(/^(?:not )?ok \d+ - (\S+)\.test\.ts # time=([\d.]+)ms/gm)]
    .map(([, file = '', ms = '']) => ({ name: path.basename(file), seconds: Number(ms) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
  return `  ${times.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`;
}

const CONTEXT_LINES = 40;
const MOST_LINES = 400;

/** Failed assertions with their diagnostics. */
function failures(tap: string): string {
  const lines = tap.split('\n');
  const shown: string[] = [];
  lines.forEach((line, i) => {
    if (!/^\s*not ok/.test(line) || /# (TODO|SKIP)/.test(line)) return;
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    shown.push(line);
    for (const next of lines.slice(i + 1, i + 1 + CONTEXT_LINES)) {
      const deeper = (/^\s*/.exec(next)?.[0].length ?? 0) > indent;
      if (!deeper && next.trim() !== '') break;
      shown.push(next);
    }
  });
  return shown.slice(0, MOST_LINES).join('\n');
}
