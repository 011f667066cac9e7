/**
 * A private PostgreSQL in the data folder, on a Unix socket only. It outlives a killed control plane and is adopted by the
 * next; if it dies itself it is started again. Its owner stops it last.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs';
import { access, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterHome, postgresBinaries, reachableByAll, runAs } from './binaries.ts';

export type EmbeddedPostgres = {
  /** Host (socket folder), user and database for the driver. */
  readonly connection: { readonly host: string; readonly user: string; readonly database: string };
  readonly pid: () => number | null;
  /** Called first by a process that is about to end: one that starts meanwhile takes the cluster over instead of losing it. */
  release(): Promise<void>;
  /**
   * If this process owns the cluster and nobody has taken it over: ends it once everyone has left (smart shutdown), or after
   * a moment even with clients connected (fast shutdown).
   */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  readonly dataDir: string;
  /** For tests: no fsync. A crash of the host loses data, a crash of processes does not. */
  readonly unsafe?: boolean;
  /** For tests: it ends when this process ends, however that happens (Linux, prctl PR_SET_PDEATHSIG). */
  readonly diesWithUs?: boolean;
  readonly settings?: readonly string[];
  readonly log: (message: string, fields: Record<string, unknown>) => void;
};

/** sockaddr_un holds 107 bytes of path. */
const SOCKET_PATH_LIMIT = 107 - '/.s.PGSQL.5432'.length;
/** Of util-linux. */
const SETPRIV = '/usr/bin/setpriv';
const WATCH_MS = 1000;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
/** For clients that are leaving: a pool says that it ended before its last connection is closed. */
const LEAVE_LIMIT_MS = 2_000;

/** @throws with PostgreSQL's own last words when it does not come up */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  // Passable, not readable: the database's user has to come through.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const home = await clusterHome(dataDir);
  const ids = runAs();
  await makeFolder(home, ids);
  let owner = await takeOwnership(home);
  const cluster = path.join(home, 'cluster');
  const socketDir = await socketFolder(home, ids);
  const logFile = path.join(home, 'postgres.log');
  const binaries = await postgresBinaries(home);

  if (!(await exists(path.join(cluster, 'PG_VERSION')))) {
    await initialise(path.join(binaries, 'bin', 'initdb'), cluster, home, ids);
    log('created the database cluster', { cluster });
  }

  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${socketDir}`,
    'max_connections=100',
    'shared_buffers=128MB',
    'log_min_messages=warning',
    ...(options.unsafe ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...(options.settings ?? []),
  ];
  const launch = () => {
    const out = openSync(logFile, 'a', 0o600);
    // SIGINT is PostgreSQL's fast shutdown.
    const tied = options.diesWithUs && existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'INT', '--'] : [];
    const [program = '', ...args] = [...tied, path.join(binaries, 'bin', 'postgres'), '-D', cluster];
    const child = spawn(program, [...args, ...settings.flatMap((s) => ['-c', s])], {
      ...ids,
      cwd: home,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      // A Ctrl-C at the terminal must reach us, not the database.
      detached: true,
      stdio: ['ignore', out, out],
    });
    closeSync(out);
    child.on('error', (error) => log('PostgreSQL cannot be started', { error: error.message }));
    child.unref();
  };

  await bringUp();
  let stopping = false;
  let released = false;
  let watching: Promise<void> = Promise.resolve();
  watching = watch();

  /** Ready when postmaster.pid says so and its process lives. */
  async function bringUp(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    let launched = 0;
    for (; Date.now() < deadline; await sleep(20)) {
      const state = await postmaster(cluster);
      if (state?.alive && state.ready) return;
      // A crashed cluster's children linger for a moment and keep the next one out: try again, each second.
      if (!state?.alive && Date.now() - launched > 1000) {
        owner ||= await takeOwnership(home);
        if (!owner) continue;
        launched = Date.now();
        launch();
      }
    }
    const words = await readFile(logFile, 'utf8').catch(() => '');
    throw new Error(
      `PostgreSQL did not come up in ${START_LIMIT_MS / 1000} s. ${logFile} ends with:\n${words.slice(-1500)}`,
    );
  }

  async function watch(): Promise<void> {
    while (!stopping) {
      await sleep(WATCH_MS, undefined, { ref: false });
      if (stopping || (await postmaster(cluster))?.alive) continue;
      if (stopping || released) return;
      log('PostgreSQL is gone, starting it again', { cluster });
      await bringUp().then(
        () => log('PostgreSQL is back', { cluster }),
        (error: Error) => log('PostgreSQL does not come back', { error: error.message }),
      );
    }
  }

  return {
    connection: { host: socketDir, user: 'postgres', database: 'postgres' },
    pid: () => readPidSync(cluster),
    async release() {
      if (owner) await rm(path.join(home, 'owner'), { force: true });
      released = true;
    },
    async stop() {
      stopping = true;
      if (!owner || (released && (await exists(path.join(home, 'owner'))))) return;
      const state = await postmaster(cluster);
      if (state?.alive) {
        const hasEnded =
          (await endsBy(state.pid, 'SIGTERM', LEAVE_LIMIT_MS)) || (await endsBy(state.pid, 'SIGINT', STOP_LIMIT_MS));
        if (!hasEnded) process.kill(state.pid, 'SIGQUIT');
      }
      await rm(path.join(home, 'owner'), { force: true });
      await Promise.race([watching, sleep(2 * WATCH_MS)]);
    },
  };
}

async function endsBy(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<boolean> {
  process.kill(pid, signal);
  const deadline = Date.now() + limitMs;
  while ((await isAlive(pid)) && Date.now() < deadline) await sleep(10);
  return !(await isAlive(pid));
}

type Ids = ReturnType<typeof runAs>;

async function makeFolder(folder: string, ids: Ids): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o711 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ('uid' in ids) await chown(folder, ids.uid as number, ids.gid as number);
}

async function socketFolder(home: string, ids: Ids): Promise<string> {
  if (Buffer.byteLength(home) <= SOCKET_PATH_LIMIT && (!('uid' in ids) || (await reachableByAll(path.dirname(home))))) {
    return home;
  }
  const short = path.join('/tmp', `carillon-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`);
  await makeFolder(short, ids);
  return short;
}

async function initialise(initdb: string, cluster: string, home: string, ids: Ids): Promise<void> {
  const options = ['--auth=trust', '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const child = spawn(initdb, ['-D', cluster, '-U', 'postgres', ...options, '--locale=C', '--no-instructions'], {
    ...ids,
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (d: Buffer) => {
    words += d.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  await rm(cluster, { recursive: true, force: true });
  throw new Error(`initdb failed (${code}): ${words.trim()}`);
}

/** The living process that wrote `owner` stops the cluster; a second process on the same folder only uses it. */
async function takeOwnership(home: string): Promise<boolean> {
  const file = path.join(home, 'owner');
  const [pid, started] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
  if (pid && Number(pid) !== process.pid && (await startTime(Number(pid))) === started) return false;
  await writeFile(file, `${process.pid} ${(await startTime(process.pid)) ?? ''}`, { mode: 0o600 });
  return true;
}

/** What tells a process from a later one with the same number: its start in clock ticks (Linux), '' elsewhere if it lives. */
async function startTime(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text !== null) return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  return process.platform !== 'linux' && signalReaches(pid) ? '' : null;
}

/** postmaster.pid: pid in the first line, `ready` in the last once connections are accepted. */
async function postmaster(cluster: string): Promise<{ pid: number; ready: boolean; alive: boolean } | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  const pid = Number(text?.split('\n')[0]);
  if (!text || !Number.isInteger(pid) || pid <= 0) return null;
  return { pid, ready: /^ready/m.test(text), alive: await isAlive(pid) };
}

function readPidSync(cluster: string): number | null {
  const out = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8');
  const pid = Number(out.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/** A zombie (an unreaped child in a container without init) counts as dead. */
async function isAlive(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return signalReaches(pid);
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return text !== null && text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3) !== 'Z';
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
