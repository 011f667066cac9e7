/**
 * Runs one test file in a separate process, as `node FILE` does, or several in one, and returns the result. tap's own runner is
 * not used, because it would load a loader into every process that a test starts, including agents and control planes. All of
 * them share Node's compile cache.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { IdlePatience } from '../peers/patience.ts';
import { endPrograms, makeFolder } from './run-folder.ts';
import { type Counts, countsOf } from './tap.ts';

export type Outcome = Counts & {
  readonly file: string;
  readonly seconds: number;
  readonly tap: string;
  /** Failures besides assertions: why the file was ended, and which programs it left. */
  readonly problems: readonly string[];
};

export type FileOptions = {
  readonly name: string;
  /**
   * The folder of the run. Each file gets its own folder in it for its output and its temporary files, which is removed at its
   * end.
   */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly ending: AbortSignal;
};

/** If a file prints nothing in this idle time, it makes no progress. Waits in tests end earlier, with better messages. */
const SILENT_MS = 600_000;
const EVERY_MS = 1000;
/** tap's clock must not end a test, because it counts time in which other programs had the processors. */
const NEVER_S = 100_000;
const PATIENCE_MS = 3000;
const TOGETHER = path.join(import.meta.dirname, 'together.ts');
const STRAY_ERRORS = path.join(import.meta.dirname, 'stray-errors.ts');
const COMPILED = path.resolve(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'carillon', 'compiled');

/**
 * If a busy host stalls the agents of tests, they start their calls late, because tests compare the number of calls with the
 * counts of peers.
 */
const AGENTS = { CARILLON_LATEST_START_MS: '60000' };
const ENVIRONMENT = { TAP_TIMEOUT: String(NEVER_S), NODE_COMPILE_CACHE: COMPILED, ...AGENTS };
/** A large space for young objects. Fewer collections save a sixth of the processor time of a file. */
const ROOMY = ['--max-semi-space-size=64', '--min-semi-space-size=32'];
let files = 0;

export async function runFiles(together: readonly string[], options: FileOptions): Promise<Outcome> {
  const folder = makeFolder(path.join(options.folder, String(++files)));
  const output = path.join(options.folder, `${files}.tap`);
  const startedMs = Date.now();
  const said = await open(output, 'w');
  const program = together.length > 1 ? [TOGETHER, ...together] : [...together];
  // The process has its own process group, so that a signal reaches the whole group.
  const child = spawn(process.execPath, [...ROOMY, '--import', STRAY_ERRORS, ...program], {
    stdio: ['ignore', said.fd, 'inherit'],
    env: { ...process.env, ...ENVIRONMENT, TMPDIR: folder, ...options.env },
    detached: true,
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const problems: string[] = [];
  const end = () => endGroup(child.pid as number, closed);
  options.ending.addEventListener('abort', end, { once: true });
  const watch = watchSilence(said, () => {
    problems.push('It was ended: it said nothing more, although processors were idle.');
    end();
  });
  const [code] = await closed;
  clearInterval(watch);
  options.ending.removeEventListener('abort', end);
  await said.close();
  const tap = await readFile(output, 'utf8');
  const left = await endPrograms(folder, options.ending.aborted ? 0 : undefined);
  if (!options.ending.aborted)
    problems.push(...left.map(({ pid, command }) => `It left a program: ${command} (${pid})`));
  await rm(folder, { recursive: true, force: true });
  const counts = countsOf(tap, code);
  return {
    file: options.name,
    seconds: (Date.now() - startedMs) / 1000,
    tap,
    problems,
    ...counts,
    failed: counts.failed + left.length,
  };
}

function watchSilence(said: FileHandle, onSilence: () => void): NodeJS.Timeout {
  let [patience, bytes] = [new IdlePatience(SILENT_MS), 0];
  const watch = setInterval(async () => {
    const { size } = await said.stat();
    if (size !== bytes) [patience, bytes] = [new IdlePatience(SILENT_MS), size];
    if (!patience.isOver) return;
    clearInterval(watch);
    onSilence();
  }, EVERY_MS);
  return watch;
}

/** Ends the group in order, and kills it after the time that a user would wait. */
function endGroup(pid: number, closed: Promise<unknown>): void {
  signalGroup(pid, 'SIGTERM');
  const late = setTimeout(() => signalGroup(pid, 'SIGKILL'), PATIENCE_MS);
  void closed.then(() => clearTimeout(late));
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
