/**
 * Every package on a minimal Debian 12: it is installed, enrolled by the command that the dashboard prints, takes part in a run,
 * and is uninstalled. The time and size of each step are measured. It needs root and debootstrap.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundleAgent } from '../../package/bundle.ts';
import { packForNpm } from '../../package/npm-package.ts';
import { buildExecutable } from '../../package/single-executable.ts';
import { startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { n, type ResultTable } from '../table.ts';
import { bootstrap, copyOf, type Debian, hasProgram, installNode } from './debian.ts';
import { proveDebs } from './debian-packages.ts';
import { startInstallation } from './package-installation.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const STATE = '/var/lib/carillon-agent';
const ENV = {
  CARILLON_AGENT_DIR: STATE,
  CARILLON_SIP_ADDRESS: '127.0.0.1',
  CARILLON_METRICS_PORT: '0',
  XDG_CACHE_HOME: '/var/cache/carillon-agent',
  // The authorities that npm trusts, and its own cache, are outside the measured files.
  NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
  npm_config_cache: '/tmp/npm',
  NODE_DISABLE_COMPILE_CACHE: '1',
};

type Kind = {
  /** The dashboard's name for this kind of installation. */
  readonly way: string;
  readonly file: string;
  readonly program: string;
  /** The files that the operator has in advance. */
  prepare(debian: Debian): void;
  /** The commands that remove the package, as in agent/install/README.md. */
  readonly uninstall: readonly string[];
};

export async function packages(): Promise<ResultTable> {
  if (process.getuid?.() !== 0 || !hasProgram('debootstrap'))
    throw new Error('this needs root, and debootstrap: apt-get install debootstrap');
  const dir = mkdtempSync('/tmp/carillon-prove-');
  // The user of the embedded database must be able to pass through the folder.
  chmodSync(dir, 0o711);
  try {
    const bundle = path.join(dir, 'bundle');
    await bundleAgent(bundle);
    const tgz = packForNpm(bundle, dir);
    const executable = buildExecutable(bundle, 'x64', dir);
    const made = process.env['CARILLON_PROVE_DEBIAN'];
    const base = made ?? path.join(dir, 'debian');
    if (made === undefined) bootstrap(base, ['--include=ca-certificates']);
    const rows: string[][] = [];
    for (const kind of kinds(tgz, executable)) rows.push(await proveOne(kind, base, dir));
    rows.push(await proveDebs(base, dir, { bundle, executable }));
    for (const file of ['agent/install/carillon-agent.service', 'control-plane/install/carillon-control-plane.service'])
      unit(file);
    await arm64(bundle, dir);
    return { heads: HEADS, rows };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const kinds = (tgz: string, executable: string): Kind[] => [
  {
    way: 'npm package',
    file: tgz,
    program: 'carillon-agent',
    prepare: ({ root }) => installNode(root),
    // npm leaves the empty folder of a scope.
    uninstall: [
      'npm uninstall -g @carillon-voip/agent && rmdir /usr/local/lib/node_modules/@carillon-voip',
      'rm -r carillon-agent-*.tgz /tmp/npm',
    ],
  },
  {
    way: 'Single file',
    file: executable,
    program: './carillon-agent-linux-x64',
    prepare: () => undefined,
    uninstall: [`rm -r carillon-agent-linux-x64 ${ENV.XDG_CACHE_HOME}`],
  },
];

const HEADS = [
  ...['package', 'MB of the file', 'MB on the host', 'installed in s', 'enrolled in s', 'online and run in s', 'run'],
  ...['uninstalled in s', 'left behind'],
];

async function proveOne(kind: Kind, base: string, dir: string): Promise<string[]> {
  const debian = copyOf(base, path.join(dir, 'root'));
  const dataDir = path.join(dir, 'data');
  const port = await freePort();
  const installation = await startInstallation((provision) => startControlPlaneProcess({ dataDir, provision, port }));
  try {
    for (const name of ['cc', 'gcc', 'g++', 'make', 'git', 'node', 'python3'])
      if (spawnSync('chroot', [debian.root, 'sh', '-c', `command -v ${name}`]).status === 0)
        throw new Error(`this Debian has ${name}`);
    kind.prepare(debian);
    const before = debian.files();
    const bytesBefore = debian.bytes();
    copyFileSync(kind.file, path.join(debian.root, 'root', path.basename(kind.file)));
    const type = (line: string) => debian.says('sh', ['-c', `cd /root && ${line}`], ENV);
    const [install, enroll, start] = (await installation.printed(kind.way)) as [string, string, string];
    const [, installSeconds] = timed(() => type(install));
    const [said, enrollSeconds] = timed(() => type(enroll));
    if (!said.includes('Enrolled as edge')) throw new Error(said);
    const installed = debian.bytes() - bytesBefore;
    const agent = debian.start('sh', ['-c', `cd /root && exec ${start}`], ENV);
    const [run, runSeconds] = await timedAsync(() =>
      installation.run().catch((error: Error) => {
        throw new Error(`${error.message}\n${agent.output()}`);
      }),
    );
    const version = type(`${kind.program} --version`).trim();
    type(`${kind.program} stop`);
    const code = await agent.exited;
    if (code !== 0) throw new Error(`the agent ended with ${code}\n${agent.output()}`);

    const [, uninstallSeconds] = timed(() => kind.uninstall.map(type));
    const left = [...debian.files()].filter((file) => !before.has(file));
    const strangers = left.filter((file) => file !== STATE && !file.startsWith(`${STATE}/`));
    if (strangers.length > 0) throw new Error(`left behind: ${strangers.slice(0, 20).join(', ')}`);
    return [
      ...[`${kind.way} ${version}`, megabytes(statSync(kind.file).size), megabytes(installed), installSeconds],
      ...[enrollSeconds, runSeconds, run, uninstallSeconds],
      left.map((file) => (file === STATE ? file : path.basename(file))).join(' '),
    ];
  } finally {
    await installation.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(`${dataDir}.keys`, { force: true });
    debian.remove();
  }
}

function unit(name: string): void {
  if (!hasProgram('systemd-analyze')) {
    console.log('systemd unit: not looked at, there is no systemd-analyze here');
    return;
  }
  const file = path.join(ROOT, name);
  const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  const found = `${verified.stdout}${verified.stderr}`
    .split('\n')
    .filter((line) => line.includes(path.basename(file, '.service')) && !/is not executable|No such file/.test(line));
  const secured = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' });
  const exposure = /Overall exposure level.*/.exec(secured.stdout)?.[0] ?? `not available: ${secured.stderr.trim()}`;
  console.log(
    `${path.basename(file)}: verify ${found.length === 0 ? 'finds nothing' : found.join('; ')}; ${exposure.replace(/^.*?Overall/, 'overall')}`,
  );
}

/** Runs programs that work under emulation without a suitable kernel, to test their own output and their check of the host. */
async function arm64(bundle: string, dir: string): Promise<void> {
  if (!hasProgram('qemu-aarch64-static')) return console.log('arm64: not run, there is no qemu-user-static here');
  const root = path.join(dir, 'arm64');
  bootstrap(root, ['--arch=arm64', '--foreign', '--include=libstdc++6']);
  const executable = buildExecutable(bundle, 'arm64', dir);
  const say = (...args: string[]) => {
    const env = {
      ...process.env,
      ...ENV,
      CARILLON_AGENT_DIR: path.join(dir, 'arm64-state'),
      XDG_CACHE_HOME: path.join(dir, 'arm64-cache'),
    };
    const run = spawnSync('qemu-aarch64-static', ['-L', root, executable, ...args], { encoding: 'utf8', env });
    return { code: run.status, text: `${run.stdout}${run.stderr}`.trim() };
  };
  const version = say('--version');
  const doctor = say('doctor', '--json');
  console.log(
    `arm64 (${megabytes(statSync(executable).size)} MB) under qemu-aarch64-static: --version says ${version.text} (${version.code})`,
  );
  const findings = JSON.parse(doctor.text.slice(doctor.text.indexOf('['))) as { check: string; state: string }[];
  console.log(`  doctor: ${findings.map((f) => `${f.check} ${f.state}`).join(', ')}`);
  if (version.code !== 0 || findings.length === 0) throw new Error('the executable for arm64 does not run');
}

const megabytes = (bytes: number): string => n(bytes / 1e6, 1);
const secondsSince = (sinceMs: number): string => n((performance.now() - sinceMs) / 1000, 1);
function timed<T>(act: () => T): [T, string] {
  const at = performance.now();
  return [act(), secondsSince(at)];
}
async function timedAsync<T>(act: () => Promise<T>): Promise<[T, string]> {
  const at = performance.now();
  return [await act(), secondsSince(at)];
}
