/** A separate Debian in a folder: created by debootstrap, entered by chroot, with the host's network. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Peer, startPeer } from '../peers/process.ts';

export type Debian = {
  readonly root: string;
  /** Its output, both streams. @throws Error with the output if the exit code is not 0 */
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

/** Debian 12 with the minimal set of packages. `foreign`: of another architecture, unpacked and not set up. */
export function bootstrap(root: string, more: readonly string[] = []): void {
  execFileSync('debootstrap', ['--variant=minbase', ...more, 'bookworm', root, mirror()], {
    stdio: 'pipe',
    maxBuffer: 1e8,
  });
}

/** A copy; the original Debian is not changed. */
export function copyOf(base: string, root: string): Debian {
  execFileSync('cp', ['-a', '--reflink=auto', base, root]);
  for (const file of ['/etc/resolv.conf', '/etc/hosts'])
    if (existsSync(file)) copyFileSync(file, path.join(root, file));
  // The authorities that this host trusts, for npm.
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  mkdirSync(path.join(root, path.dirname(certificates)), { recursive: true });
  if (existsSync(certificates)) copyFileSync(certificates, path.join(root, certificates));
  execFileSync('mount', ['-t', 'proc', 'proc', path.join(root, 'proc')]);
  const environment = (env: Readonly<Record<string, string>>) =>
    Object.entries({ PATH, HOME: '/root', LANG: 'C.UTF-8', ...env }).map(([name, value]) => `${name}=${value}`);
  const command = (program: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
    [root, '/usr/bin/env', '-i', ...environment(env), program, ...args] as const;
  return {
    root,
    says(program, args = [], env = {}) {
      const { status, stdout, stderr } = spawnSync('chroot', command(program, args, env), { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit code ${status}\n${stdout}${stderr}`);
      return `${stdout}${stderr}`;
    },
    start: (program, args = [], env = {}) => startPeer('chroot', command(program, args, env)),
    files() {
      const found = execFileSync(
        'find',
        [
          root,
          '-xdev',
          '(',
          '-path',
          `${root}/proc`,
          '-o',
          '-path',
          `${root}/dev`,
          '-o',
          '-path',
          `${root}/sys`,
          ')',
          '-prune',
          '-o',
          '-print',
        ],
        { encoding: 'utf8', maxBuffer: 1e8 },
      );
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
