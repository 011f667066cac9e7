/**
 * One test file in a separate process, as `node FILE` runs it, or several in one, and the result. tap's own runner is not used:
 * it would load a loader into every process that a test starts, including agents and control planes. Node's compile cache is
 * shared by all of them.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Counts, countsOf } from './tap.ts';

export type Outcome = Counts & { readonly file: string; readonly seconds: number; readonly tap: string };

export type FileOptions = {
  /** The key of the result. */
  readonly name: string;
  /** Where the file's output is stored. */
  readonly scratch: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly ending: AbortSignal;
};

/** tap then ends a file and reports what it waited for; one that is too busy is killed. */
const TIMEOUT_S = 600;
const LAST_MS = (TIMEOUT_S + 30) * 1000;
const PATIENCE_MS = 5000;
const TOGETHER = path.join(import.meta.dirname, 'together.ts');
const STRAY_ERRORS = path.join(import.meta.dirname, 'stray-errors.ts');
const COMPILED = path.resolve(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'carillon', 'compiled');

/**
 * Agents of tests make few calls: the rehearsal would cost more than it saves. And if a busy host stalls them, they start
 * their calls late: tests compare the number of calls with what their peers counted.
 */
const AGENTS = { CARILLON_WARM_UP: 'false', CARILLON_LATEST_START_MS: '60000' };
const ENVIRONMENT = { TAP_TIMEOUT: String(TIMEOUT_S), NODE_COMPILE_CACHE: COMPILED, ...AGENTS };

export async function runFiles(files: readonly string[], options: FileOptions): Promise<Outcome> {
  const output = path.join(options.scratch, `${randomUUID()}.tap`);
  const startedMs = Date.now();
  const said = await open(output, 'w');
  // In its own process group: everything it started ends with it.
  const program = files.length > 1 ? [TOGETHER, ...files] : [...files];
  const child = spawn(process.execPath, ['--import', STRAY_ERRORS, ...program], {
    stdio: ['ignore', said.fd, 'inherit'],
    env: { ...process.env, ...ENVIRONMENT, ...options.env },
    detached: true,
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const end = () => endGroup(child.pid as number, closed);
  options.ending.addEventListener('abort', end, { once: true });
  const last = setTimeout(end, LAST_MS);
  const [code] = await closed;
  clearTimeout(last);
  options.ending.removeEventListener('abort', end);
  await said.close();
  const tap = await readFile(output, 'utf8');
  return { file: options.name, seconds: (Date.now() - startedMs) / 1000, tap, ...countsOf(tap, code) };
}

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
