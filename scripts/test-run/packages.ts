/** Programs that the tests use as peers and references. They are installed if we are root, and named if we are not. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
/** The program that shows that a Debian package is installed -> the package. */
type Needed = readonly (readonly [program: string, debianPackage: string])[];

const OF_TESTS: Needed = [
  ['sipp', 'sip-tester'],
  ['kamailio', 'kamailio'],
  ['/etc/kamailio/tls.cfg', 'kamailio-tls-modules'],
  [`${LIBRARIES}/kamailio/modules/websocket.so`, 'kamailio-websocket-modules'],
  ['rtpengine', 'rtpengine-daemon'],
  ['baresip', 'baresip-core'],
  ['sipsak', 'sipsak'],
  ['tshark', 'tshark'],
  ['ffmpeg', 'ffmpeg'],
  ['gst-launch-1.0', 'gstreamer1.0-tools'],
  [`${LIBRARIES}/gstreamer-1.0/libgstvideotestsrc.so`, 'gstreamer1.0-plugins-base'],
  [`${LIBRARIES}/gstreamer-1.0/libgstvpx.so`, 'gstreamer1.0-plugins-good'],
  ['promtool', 'prometheus'],
  ['go', 'golang-go'],
  ['/usr/share/gocode/src/github.com/Masterminds/sprig', 'golang-github-masterminds-sprig-dev'],
  ['/usr/share/gocode/src/sigs.k8s.io/yaml', 'golang-k8s-sigs-yaml-dev'],
  ['/usr/sbin/nginx', 'nginx'],
  ['caddy', 'caddy'],
  ['/usr/sbin/haproxy', 'haproxy'],
  ['java', 'default-jre-headless'],
  ['chromium-headless-shell', 'chromium-headless-shell'],
  ['/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
];

/** The programs that prove faults (scripts/measure/chaos/chaos.ts). */
export const OF_CHAOS: Needed = [
  ...OF_TESTS.filter(([, name]) => ['sip-tester', 'postgresql-15'].includes(name)),
  [`${LIBRARIES}/faketime/libfaketimeMT.so.1`, 'faketime'],
];

const has = (program: string): boolean =>
  program.startsWith('/') ? existsSync(program) : spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

async function aptGet(args: readonly string[], ending?: AbortSignal): Promise<void> {
  const child = spawn('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = () => child.kill('SIGTERM');
  ending?.addEventListener('abort', end, { once: true });
  await once(child, 'close');
  ending?.removeEventListener('abort', end);
  ending?.throwIfAborted();
}

/** A sentence that names what is missing; null: everything is present. A signal ends the installation. */
export async function ensurePackages(needed: Needed = OF_TESTS, ending?: AbortSignal): Promise<string | null> {
  const missing = () => needed.filter(([program]) => !has(program)).map(([, name]) => name);
  let names = missing();
  if (names.length === 0) return null;
  if (process.getuid?.() === 0 && has('apt-get')) {
    console.log(`Installing ${names.join(', ')} ...`);
    const lock = ['-o', 'DPkg::Lock::Timeout=300', '-qq'];
    await aptGet([...lock, 'update'], ending);
    await aptGet([...lock, 'install', '-y', '--no-install-recommends', ...names], ending);
    names = missing();
    if (names.length === 0) return null;
  }
  return `This needs Debian packages that are not here: ${names.join(', ')}. As root: apt-get install ${names.join(' ')}`;
}
