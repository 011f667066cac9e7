/** Programs that the tests use as peers and references: installed if we are root, named if we are not. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
/** Program that shows that the Debian package is installed -> package. */
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
  ['java', 'default-jre-headless'],
  ['chromium-headless-shell', 'chromium-headless-shell'],
  ['/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
];

/** What faults are shown with (scripts/chaos/). */
export const OF_CHAOS: Needed = [
  ...OF_TESTS.filter(([, name]) => ['sip-tester', 'postgresql-15'].includes(name)),
  [`${LIBRARIES}/faketime/libfaketimeMT.so.1`, 'faketime'],
];

const has = (program: string): boolean =>
  program.startsWith('/') ? existsSync(program) : spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const APT = {
  env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
};

/** A sentence that names what is missing; null: everything is present. */
export function ensurePackages(needed: Needed = OF_TESTS): string | null {
  const missing = () => needed.filter(([program]) => !has(program)).map(([, name]) => name);
  let names = missing();
  if (names.length === 0) return null;
  if (process.getuid?.() === 0 && has('apt-get')) {
    console.log(`Installing ${names.join(', ')} ...`);
    const lock = ['-o', 'DPkg::Lock::Timeout=300', '-qq'];
    spawnSync('apt-get', [...lock, 'update'], APT);
    spawnSync('apt-get', [...lock, 'install', '-y', '--no-install-recommends', ...names], APT);
    names = missing();
    if (names.length === 0) return null;
  }
  return `This needs Debian packages that are not here: ${names.join(', ')}. As root: apt-get install ${names.join(' ')}`;
}
