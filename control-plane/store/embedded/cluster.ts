/**
 * The folder of the database cluster: it gets its name when it is complete and on disk, wherever creation was
 * interrupted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder as make, readIfThere } from '@carillon/proto/base/files.ts';
import { calledAs } from '../../called-as.ts';
import type { Binaries, runAs } from './binaries.ts';

/** The user that PostgreSQL runs as. */
export type Ids = ReturnType<typeof runAs>;

export type ClusterPlan = {
  readonly binaries: Binaries;
  readonly cluster: string;
  readonly ids: Ids;
  /** For tests: no fsync. */
  readonly unsafe: boolean;
  readonly signal?: AbortSignal | undefined;
};

type Tell = (message: string, fields: Record<string, unknown>) => void;

/** Prefix of unfinished folders. */
const UNFINISHED = 'cluster.new-';

/**
 * Runs initdb in a temporary folder, which is synced to disk and then renamed. Leftovers of an earlier start are
 * removed.
 * @throws with the last output of initdb, or the signal's reason
 */
export async function createCluster(plan: ClusterPlan): Promise<void> {
  const { cluster, signal } = plan;
  const home = path.dirname(cluster);
  await removeUnfinished(home);
  const unfinished = path.join(home, `${UNFINISHED}${process.pid}-${Date.now()}`);
  await makeFolder(unfinished, plan.ids);
  try {
    await run(plan, unfinished);
    signal?.throwIfAborted();
    await rename(unfinished, cluster);
  } catch (error) {
    await removeFolder(unfinished);
    throw error;
  }
  // initdb has written its files to the disk; this does the same for the name.
  if (!plan.unsafe) await syncFolder(home);
  // An initdb that outlived its killed parent has ended by now.
  await removeUnfinished(home);
}

/** OIDs of the databases template1 and postgres (pg_database.dat); initdb creates the second last. */
const FIRST_DATABASE = path.join('base', '1');
const LAST_DATABASE = path.join('base', '5');

/**
 * An older version created the cluster in place and may have left it incomplete: it has at most template1, and no data.
 * Such a cluster is renamed. A complete one, a missing one, or anything not made by initdb does not change.
 */
export async function setHalfMadeAside(cluster: string, log: Tell): Promise<void> {
  const has = (name: string): Promise<boolean> =>
    stat(path.join(cluster, name)).then(
      () => true,
      () => false,
    );
  const isHalfMade =
    (await has('PG_VERSION')) && ((await has(FIRST_DATABASE)) || !(await has('base'))) && !(await has(LAST_DATABASE));
  if (!isHalfMade) return;
  const aside = `${cluster}.half-made-${Date.now()}`;
  await rename(cluster, aside);
  log('an older start was cut before the database was made: its files were set aside', { aside });
}

async function removeUnfinished(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(names.map((name) => removeFolder(path.join(home, name)).catch(() => undefined)));
}

/** @throws if the cluster was created by another major version than the binaries */
export async function expectMajor(cluster: string, major: string): Promise<void> {
  const madeBy = (await readIfThere("The database's file", path.join(cluster, 'PG_VERSION')))?.trim() ?? '';
  if (madeBy === major) return;
  if (madeBy === '')
    throw new Error(`${cluster} holds no database: it has no file PG_VERSION. Move the folder away and start again.`);
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${madeBy}, and this Carillon has PostgreSQL ${major}. ` +
      `Make a backup with the Carillon that made it (backup FILE), move the folder away, and restore the backup with this one: ${calledAs('restore')} FILE`,
  );
}

const WHAT = 'The folder of the database (CARILLON_DATA_DIR)';

const ROOT = 0;
/** @throws if it is another user's: that user could not open the database any more once it is ours */
async function expectOurs(folder: string, uid: number): Promise<void> {
  const owner = (await stat(folder)).uid;
  if (owner === uid || owner === ROOT) return;
  throw new Error(
    `${folder} belongs to the user with the id ${owner}, for whom this installation runs. Do this as that user: runuser -u NAME -- COMMAND. Nothing was changed.`,
  );
}

export async function makeFolder(folder: string, ids: Ids): Promise<void> {
  await make(path.dirname(folder), 0o711, WHAT);
  await make(folder, 0o700, WHAT);
  if ('uid' in ids) await expectOurs(folder, ids.uid as number);
  if ('uid' in ids) await chown(folder, ids.uid as number, ids.gid as number);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** The children of a killed initdb may write for a moment longer. */
const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

/** Strings are compared by their characters' numbers. PostgreSQL has had a locale of its own for that since 17. */
const localeOptions = (major: string): readonly string[] =>
  Number(major) < 17 ? ['--lc-ctype=C.UTF-8'] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

async function run({ binaries, ids, unsafe, signal }: ClusterPlan, folder: string): Promise<void> {
  const initdb = path.join(binaries.folder, 'bin', 'initdb');
  const options = ['--auth=trust', '--encoding=UTF8', ...localeOptions(binaries.major)];
  const sync = unsafe ? ['--no-sync'] : [];
  const child = spawn(
    initdb,
    ['-D', folder, '-U', 'postgres', ...options, '--locale=C', '--no-instructions', ...sync],
    {
      ...ids,
      cwd: path.dirname(folder),
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const end = () => void child.kill('SIGTERM');
  signal?.addEventListener('abort', end, { once: true });
  process.on('exit', end);
  let words = '';
  child.stderr.on('data', (d: Buffer) => {
    words += d.toString();
  });
  const [code] = (await once(child, 'close').finally(() => {
    signal?.removeEventListener('abort', end);
    process.off('exit', end);
  })) as [number | null];
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`initdb failed (${code}): ${words.trim()}`);
}
