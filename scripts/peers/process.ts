/** Processes that scripts and tests start: their output is kept, and they always end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdlePatience } from './patience.ts';

export type Peer = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Its output so far, both streams. */
  readonly output: () => string;
  /** Exit code, or the signal's name. */
  readonly exited: Promise<number | string>;
  /** Ends it with `signal`, and with SIGKILL if it has not ended after `idleMs` of idle time (patience.ts). */
  stop(signal?: NodeJS.Signals, idleMs?: number): Promise<number | string>;
};

export type PeerOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: 'pipe' | 'ignore';
  /** A program of ours: it ends by itself when this process is killed. */
  readonly tied?: boolean;
  /** Ctrl-C reaches only this process, which ends it in order: a second signal would end it at once. */
  readonly ownGroup?: boolean;
};

const OUTPUT_LIMIT = 256 * 1024;
/** A program that has not ended in order after so much idle time does not end. */
const STOP_IDLE_MS = 30_000;
const LOOK_MS = 200;
/** USER_HZ, the same on every Linux that Node.js runs on. */
const CLOCK_TICKS = 100;
const running = new Set<Peer>();

// Whatever ends this process ends the processes that it started.
process.on('exit', () => {
  for (const { child } of running) child.kill('SIGKILL');
});

export function startPeer(command: string, args: readonly string[], options: PeerOptions = {}): Peer {
  const child = spawn(command, args, {
    cwd: options.cwd,
    detached: options.ownGroup ?? false,
    env: { ...process.env, ...options.env } as NodeJS.ProcessEnv,
    stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe', ...(options.tied ? ['ipc' as const] : [])],
  });
  child.channel?.unref();
  let output = '';
  const keep = (data: Buffer) => {
    output = (output + data.toString()).slice(-OUTPUT_LIMIT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const exited = new Promise<number | string>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      running.delete(peer);
      resolve(127);
    });
    child.once('close', (code, signal) => {
      running.delete(peer);
      resolve(code ?? signal ?? 'gone');
    });
  });
  const peer: Peer = {
    pid: child.pid ?? 0,
    child,
    output: () => output,
    exited,
    async stop(signal = 'SIGTERM', idleMs = STOP_IDLE_MS) {
      if (!hasEnded(peer)) child.kill(signal);
      const patience = new IdlePatience(idleMs);
      const watch = setInterval(() => {
        if (patience.isOver) child.kill('SIGKILL');
      }, LOOK_MS);
      return exited.finally(() => clearInterval(watch));
    },
  };
  running.add(peer);
  return peer;
}

export type Waiting = {
  readonly everyMs?: number;
  /** Brings it about: done after each look. */
  readonly turn?: () => void;
  /** Idle time after which nothing comes any more, if not a minute: more than what is waited for takes by its own clock. */
  readonly idleMs?: number;
  /** Nothing comes any more once one of these has ended. */
  readonly of?: readonly Peer[];
};

type Found<T> = T | undefined | null | false;

/**
 * Waits until `condition` returns a value.
 * @throws Error that names the condition and shows what the programs said last, if nothing comes any more (patience.ts)
 */
export async function until<T>(
  what: string | (() => string),
  condition: () => Promise<Found<T>> | Found<T>,
  { everyMs = 100, turn, idleMs, of = [] }: Waiting = {},
): Promise<T> {
  const named = (): string => (typeof what === 'string' ? what : what());
  const startedMs = performance.now();
  for (const patience = new IdlePatience(idleMs); ; await sleep(everyMs)) {
    // Before the look, since a program may end well just after it.
    const ended = of.find(hasEnded);
    const found = await condition();
    if (found !== undefined && found !== null && found !== false) return found;
    if (ended !== undefined)
      throw new Error(`${named()}: does not come, since this program has ended:\n${lastWords(ended)}`);
    if (patience.isOver) {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
      throw new Error([`${named()}: has not come for ${seconds} s`, ...lastWordsOfAll()].join('\n'));
    }
    turn?.();
  }
}

/** True once the condition holds. @throws Error as `until`, with the condition's own text */
export const holds = (condition: () => Promise<boolean> | boolean, waiting?: Waiting): Promise<boolean> =>
  until(`${condition}`, condition, waiting);

export const hasEnded = ({ child }: Pick<Peer, 'child'>): boolean =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

const LAST_CHARACTERS = 2000;

/** What each process that runs said last. */
export const lastWordsOfAll = (): string[] => [...running].map(lastWords);

export function lastWords(peer: Peer): string {
  const { child } = peer;
  const state = hasEnded(peer) ? `ended (${child.exitCode ?? child.signalCode ?? 'not found'})` : 'runs';
  return `${child.spawnargs.join(' ').slice(-200)}: ${state}, and said last:\n${peer.output().slice(-LAST_CHARACTERS)}`;
}

/** Memory that a process has in use (Linux). */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** User and system time of a process, of all its descendants, and of those that have ended (Linux). */
export async function treeCpuSeconds(pid: number): Promise<number> {
  const all = new Map<number, { parent: number; ticks: number }>();
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null) : null;
    if (stat === null) continue;
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    all.set(Number(name), { parent: fields[1]!, ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! });
  }
  const below = (parent: number): number =>
    (all.get(parent)?.ticks ?? 0) +
    [...all].filter(([, one]) => one.parent === parent).reduce((sum, [child]) => sum + below(child), 0);
  return below(pid) / CLOCK_TICKS;
}

/** How often the threads of a process were given a processor, and how long they waited for that (Linux). */
export async function processorWaits(pid: number): Promise<{ readonly times: number; readonly waitedMs: number }> {
  const folder = `/proc/${pid}/task`;
  const texts = await Promise.all(
    (await readdir(folder)).map((task) => readFile(`${folder}/${task}/schedstat`, 'utf8')),
  );
  const rows = texts.map((text) => text.trim().split(' ').map(Number));
  const total = (column: number): number => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0);
  return { waitedMs: total(1) / 1e6, times: total(2) };
}

/** User and system time of a process and all of its threads (Linux). */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}
