/**
 * A private PostgreSQL in the data folder, on a Unix socket only. It outlives a killed control plane and is adopted by
 * the next one; if it dies itself, it is started again. Its owner stops it last.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder as makeWithParents, readIfThere, readRegular } from '@carillon/proto/base/files.ts';
import { clusterHome, postgresBinaries, reachableByAll, runAs } from './binaries.ts';
import { createCluster, expectMajor, type Ids, makeFolder, setHalfMadeAside } from './cluster.ts';
import { type Disk, diskOf } from './disk.ts';
import { keepLogShort } from './log-file.ts';
import { endsAtExit, endsBy, postmaster, postmasterPid, removeMistakenPid, startTime } from './postmaster.ts';

export type EmbeddedPostgres = {
  /** The host (socket folder), user and database for the driver. */
  readonly connection: { readonly host: string; readonly user: string; readonly database: string };
  readonly pid: () => number | null;
  disk(): Promise<Disk>;
  /**
   * A process that is about to end calls this first: a process that starts at the same time takes the cluster over
   * instead of losing it.
   */
  release(): Promise<void>;
  /**
   * If this process owns the cluster and no other process has taken it over, ends it once all clients have left (smart
   * shutdown), or after a moment with clients connected (fast shutdown).
   */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  readonly dataDir: string;
  /** For tests: no fsync. A crash of the host loses data, a crash of processes does not. */
  readonly unsafe?: boolean;
  /** For tests: PostgreSQL ends when this process ends, however that happens (Linux, prctl PR_SET_PDEATHSIG). */
  readonly diesWithUs?: boolean;
  readonly settings?: readonly string[];
  /** For tests: the log is moved when it is longer than this. */
  readonly maxLogBytes?: number;
  /** If it is aborted during the start, everything started is ended, and the start rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly log: (message: string, fields: Record<string, unknown>) => void;
};

/**
 * Other users can access the folder: the agent on this host makes its own folder in it, and the database's user passes
 * through.
 */
export const makeDataFolder = (dataDir: string): Promise<void> =>
  makeWithParents(dataDir, 0o711, 'The data folder (CARILLON_DATA_DIR)');

/** `sockaddr_un` holds 107 bytes of path. */
const SOCKET_PATH_LIMIT = 107 - '/.s.PGSQL.5432'.length;
/** The program is part of util-linux. */
const SETPRIV = '/usr/bin/setpriv';
const WATCH_MS = 1000;
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
/** The time for clients to leave: a pool says that it ended before its last connection is closed. */
const LEAVE_LIMIT_MS = 2_000;

/** @throws with the last output of PostgreSQL if it does not start */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, signal } = options;
  // The folder is passable but not readable, because the database's user has to pass through.
  await makeDataFolder(dataDir);
  const home = await clusterHome(dataDir);
  const ids = runAs();
  await makeFolder(home, ids);
  let owner = await takeOwnership(home);
  const cluster = path.join(home, 'cluster');
  const socketDir = await socketFolder(home, ids);
  const logFile = path.join(home, 'postgres.log');
  const binaries = await postgresBinaries(home);
  let launched: ChildProcess | undefined;
  /** The process that was ready last, started here or adopted. */
  let served: number | undefined;
  let stopping = false;
  let released = false;
  let watching: Promise<void> = Promise.resolve();

  const program = path.join(binaries.folder, 'bin', 'postgres');
  const settings = settingsOf(options, socketDir);
  const launch = () => {
    launched = spawnServer(options, [program, '-D', cluster, ...settings.flatMap((one) => ['-c', one])], ids, logFile);
  };

  // A second signal ends the process at once, and must not leave its database.
  const isLeft = () => !owner || (released && existsSync(path.join(home, 'owner')));
  const leaveBe = endsAtExit(() => (isLeft() ? [] : [served, launched?.exitCode === null && launched.pid]));

  try {
    await makeCluster();
    await bringUp();
    signal?.throwIfAborted();
  } catch (error) {
    await stop();
    throw error;
  }
  log('PostgreSQL is up', { cluster });
  watching = watch();

  /** The owner creates the cluster; another process waits until it exists, or until no owner remains. */
  async function makeCluster(): Promise<void> {
    if (owner) await setHalfMadeAside(cluster, log);
    for (; !(await exists(cluster)); await sleep(100)) {
      signal?.throwIfAborted();
      owner ||= await takeOwnership(home);
      if (!owner) continue;
      log('creating the database cluster', { cluster });
      await createCluster({ binaries, cluster, ids, unsafe: options.unsafe ?? false, signal });
      log('created the database cluster', { cluster });
      return;
    }
    await expectMajor(cluster, binaries.major);
  }

  /** PostgreSQL is ready when postmaster.pid says so and its process lives. */
  async function bringUp(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    let launchedAt = 0;
    for (; Date.now() < deadline; await sleep(20)) {
      const state = await postmaster(cluster);
      if (state?.alive && state.ready) {
        served = state.pid;
        return;
      }
      if (stopping) return;
      signal?.throwIfAborted();
      // A crashed cluster's children may block the next start for a moment, so the start is retried each second.
      if (!state?.alive && Date.now() - launchedAt > 1000) {
        owner ||= await takeOwnership(home);
        if (!owner) continue;
        launchedAt = Date.now();
        await removeMistakenPid(cluster);
        launch();
      }
    }
    const words = await readRegular(logFile, Number.POSITIVE_INFINITY).catch(() => '');
    throw new Error(
      `PostgreSQL did not come up in ${START_LIMIT_MS / 1000} s. ${logFile} ends with:\n${words.slice(-1500)}`,
    );
  }

  async function watch(): Promise<void> {
    while (!stopping) {
      await sleep(WATCH_MS, undefined, { ref: false });
      if (owner && !released) await keepLogShort(logFile, log, options.maxLogBytes);
      // The next start reports why the file is unreadable.
      if (stopping || (await postmaster(cluster).catch(() => null))?.alive) continue;
      if (stopping || released) return;
      log('PostgreSQL is gone, starting it again', { cluster });
      await bringUp().then(
        () => log('PostgreSQL is back', { cluster }),
        (error: Error) => log('PostgreSQL does not come back', { error: error.message }),
      );
    }
  }

  async function stop(): Promise<void> {
    stopping = true;
    if (isLeft()) return leaveBe();
    // A process that was just started has not written its pid yet.
    const own = launched?.exitCode === null && launched.signalCode === null ? launched.pid : undefined;
    const state = await postmaster(cluster).catch(() => null);
    for (const pid of new Set([state?.alive ? state.pid : undefined, own])) {
      if (pid === undefined || (await endsBy(pid, 'SIGTERM', LEAVE_LIMIT_MS))) continue;
      if (!(await endsBy(pid, 'SIGINT', STOP_LIMIT_MS))) await endsBy(pid, 'SIGQUIT', STOP_LIMIT_MS);
    }
    leaveBe();
    await rm(path.join(home, 'owner'), { force: true });
    await Promise.race([watching, sleep(2 * WATCH_MS)]);
  }

  return {
    connection: { host: socketDir, user: 'postgres', database: 'postgres' },
    pid: () => postmasterPid(cluster),
    disk: () => diskOf(cluster),
    async release() {
      if (owner) await rm(path.join(home, 'owner'), { force: true });
      released = true;
    },
    stop,
  };
}

function spawnServer(
  { diesWithUs, log }: EmbeddedOptions,
  command: readonly string[],
  ids: Ids,
  logFile: string,
): ChildProcess {
  const out = openLog(logFile);
  // SIGINT is PostgreSQL's fast shutdown.
  const tied = diesWithUs && existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'INT', '--'] : [];
  const [program = '', ...args] = [...tied, ...command];
  const child = spawn(program, args, {
    ...ids,
    cwd: path.dirname(logFile),
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    // A Ctrl-C at the terminal must reach this process, not the database.
    detached: true,
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  child.on('error', (error) => log('PostgreSQL cannot be started', { error: error.message }));
  child.unref();
  return child;
}

/** Opening a pipe would wait for its reader. @throws if PostgreSQL cannot write to the file */
function openLog(file: string): number {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && !found.isFile()) throw new Error('it is not a regular file');
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw new Error(`The database's log ${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

const settingsOf = ({ unsafe, settings = [] }: EmbeddedOptions, socketDir: string): string[] => [
  'listen_addresses=',
  `unix_socket_directories=${socketDir}`,
  'max_connections=100',
  'shared_buffers=128MB',
  'log_min_messages=warning',
  ...(unsafe ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ...settings,
];

async function socketFolder(home: string, ids: Ids): Promise<string> {
  if (Buffer.byteLength(home) <= SOCKET_PATH_LIMIT && (!('uid' in ids) || (await reachableByAll(path.dirname(home))))) {
    return home;
  }
  const short = path.join('/tmp', `carillon-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`);
  await makeFolder(short, ids);
  return short;
}

/** The living process that wrote `owner` stops the cluster; a second process on the same folder only uses it. */
async function takeOwnership(home: string): Promise<boolean> {
  const file = path.join(home, 'owner');
  const [pid, started] = ((await readIfThere("The database's file", file)) ?? '').split(' ');
  if (pid && Number(pid) !== process.pid && (await startTime(Number(pid))) === started) return false;
  await writeFile(file, `${process.pid} ${(await startTime(process.pid)) ?? ''}`, { mode: 0o600 });
  return true;
}

const exists = (file: string): Promise<boolean> =>
  access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
