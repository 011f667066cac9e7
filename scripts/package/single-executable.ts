/**
 * `carillon-agent-linux-ARCH`: node and the bundle in one file (Node.js, "Single executable applications"). Files that C code
 * must open, and threads, which node starts only from files, are written to the user's cache at the first start, in a folder
 * named by the hash of all of them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AGENT_FLAGS } from '../../proto/base/agent-heap.ts';
import { packageNamed } from './lock.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** The word by which node finds the added data. postject searches the same word. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const MAIN = 'main.cjs';

export type Architecture = 'x64' | 'arm64';

/** Makes the executable of the agent. @throws Error if npm cannot download node or koffi for that architecture */
export function buildExecutable(bundle: string, architecture: Architecture, into: string): string {
  const name = `carillon-agent-linux-${architecture}`;
  return inWorkFolder(into, name, (work) => {
    const koffi = npmPackage('koffi', work);
    const assets = assetsOf(bundle, koffi, npmPackage(`@koromix/koffi-linux-${architecture}`, work));
    const main = path.join(work, 'boot.cjs.in');
    const boot = readFileSync(path.join(import.meta.dirname, 'boot.cjs'), 'utf8');
    writeFileSync(main, boot.replace('HASH', hashOf(assets)));
    return embed({ main, assets, execArgv: AGENT_FLAGS }, architecture, work, path.join(into, name));
  });
}

/**
 * Makes the executable of the command line, from its bundle's folder. @throws Error if npm cannot download node for that
 * architecture
 */
export const buildClient = (bundle: string, architecture: Architecture, into: string): string => {
  const name = `carillon-linux-${architecture}`;
  return inWorkFolder(into, name, (work) =>
    embed({ main: path.join(bundle, 'carillon.cjs') }, architecture, work, path.join(into, name)),
  );
};

/** Node.js for that architecture, as a file in `into`. @throws Error if npm cannot download it */
export const copyNode = (architecture: Architecture, into: string): string => {
  const name = `node-linux-${architecture}`;
  return inWorkFolder(into, name, (work) => {
    copyFileSync(path.join(npmPackage(name, work), 'bin', 'node'), path.join(into, name));
    return path.join(into, name);
  });
};

function inWorkFolder(into: string, name: string, build: (work: string) => string): string {
  const work = path.join(into, `.sea-${name}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const executable = build(work);
  rmSync(work, { recursive: true, force: true });
  return executable;
}

type Contents = {
  readonly main: string;
  readonly assets?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
};

function embed(contents: Contents, architecture: Architecture, work: string, executable: string): string {
  const blob = path.join(work, 'program.blob');
  // node writes the name of the main file into the blob, so the name is the same wherever it is built.
  copyFileSync(contents.main, path.join(work, MAIN));
  const configuration = {
    ...contents,
    main: MAIN,
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
  };
  writeFileSync(path.join(work, 'sea.json'), JSON.stringify(configuration));
  execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { stdio: 'pipe', cwd: work });
  copyFileSync(path.join(npmPackage(`node-linux-${architecture}`, work), 'bin', 'node'), executable);
  chmodSync(executable, 0o755);
  // postject runs in a separate process, because it prints warnings about unknown sections.
  const postject = path.join(ROOT, 'node_modules', 'postject', 'dist', 'cli.js');
  const what = [postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE];
  execFileSync(process.execPath, what, { stdio: 'pipe' });
  return executable;
}

/** The name in the cache -> the file. */
function assetsOf(bundle: string, koffi: string, koffiBinary: string): Record<string, string> {
  const tree = (folder: string, pattern: string, prefix: string) =>
    globSync(pattern, { cwd: folder }).map((name) => [`${prefix}${name}`, path.join(folder, name)] as const);
  return Object.fromEntries(
    [
      ...tree(bundle, '{*.js,*.txt,package.json,pattern/*}', ''),
      ...tree(
        koffi,
        '{package.json,index.{js,cjs},indirect.{js,cjs},src/koffi/**/*.{js,cjs},LICENSE.txt}',
        'node_modules/koffi/',
      ),
      ...tree(
        koffiBinary,
        '{package.json,index.js,linux_*/*}',
        `node_modules/${JSON.parse(readFileSync(path.join(koffiBinary, 'package.json'), 'utf8')).name}/`,
      ),
    ].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function hashOf(assets: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const [name, file] of Object.entries(assets)) hash.update(name).update('\0').update(readFileSync(file));
  return hash.digest('hex').slice(0, 32);
}

/**
 * The folder of a package. It is installed here or, for another architecture, downloaded by npm in the version of the lock file.
 */
function npmPackage(name: string, work: string): string {
  const installed = path.join(ROOT, 'node_modules', name);
  if (existsSync(path.join(installed, 'package.json'))) return installed;
  const { version } = packageNamed(name);
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', work, `${name}@${version}`], {
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const folder = path.join(work, name.replaceAll('/', '-'));
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', path.join(work, filename), '-C', folder, '--strip-components=1']);
  return folder;
}
