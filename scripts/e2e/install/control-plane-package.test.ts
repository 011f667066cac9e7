/**
 * The packages of the control plane, without a checkout and with the PostgreSQL of Debian: what its program says, that it starts and
 * serves everything, and that each command finds the same database. `npm run prove -- packages` installs it in a Debian of its own.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { bundleControlPlane } from '../../package/control-plane-bundle.ts';
import { buildControlPlaneDeb } from '../../package/deb.ts';
import { packControlPlaneForNpm } from '../../package/npm-package.ts';
import { copyNode } from '../../package/single-executable.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { startPeer, until } from '../../peers/process.ts';

const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x64';
const dir = await mkdtemp(path.join(tmpdir(), 'carillon-control-plane-package-'));
chmodSync(dir, 0o711);
t.teardown(() => rm(dir, { recursive: true, force: true }));
const bundle = path.join(dir, 'bundle');
await bundleControlPlane(bundle);
const node = copyNode(ARCHITECTURE, dir);
const root = path.join(dir, 'root');

const makeDeb = (umask: number): string => {
  const into = path.join(dir, `deb-${umask}`);
  mkdirSync(into);
  const before = process.umask(umask);
  const deb = buildControlPlaneDeb(bundle, node, ARCHITECTURE, into);
  process.umask(before);
  return deb;
};
const deb = makeDeb(0o022);
execFileSync('dpkg-deb', ['--extract', deb, root]);
const program = path.join(root, 'usr/lib/carillon-control-plane/carillon-control-plane.js');
const own = path.join(path.dirname(program), 'node');

t.test('the Debian package', async (t) => {
  t.ok(readFileSync(deb).equals(readFileSync(makeDeb(0o077))), 'twice made, the same bytes');
  const listed = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' }).trim().split('\n');
  t.same(
    listed.filter((line) => !/^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root\/root /.test(line)),
    [],
    'modes and owners',
  );
  const control = path.join(dir, 'control');
  execFileSync('dpkg-deb', ['--control', deb, control]);
  for (const script of ['postinst', 'prerm', 'postrm']) execFileSync('sh', ['-n', path.join(control, script)]);
  const settings = '/etc/carillon/control-plane.env';
  t.equal(readFileSync(path.join(control, 'conffiles'), 'utf8'), `${settings}\n`, 'an upgrade keeps the settings');
  const starter = path.join(root, 'usr/bin/carillon-control-plane');
  execFileSync('sh', ['-n', starter]);
  t.match(readFileSync(starter, 'utf8'), `settings=${settings}\n`);

  const unit = path.join(root, 'usr/lib/systemd/system/carillon-control-plane.service');
  const verified = execFileSync('sh', ['-c', `systemd-analyze verify ${unit} 2>&1 || true`], { encoding: 'utf8' });
  t.notMatch(verified, /Unknown|Failed to parse|Invalid/, 'systemd reads the unit');
  const right = /^AmbientCapabilities=CAP_(\w+)$/m.exec(readFileSync(unit, 'utf8'))?.[1]?.toLowerCase();
  t.match(readFileSync(starter, 'utf8'), `--ambient-caps=+${right}`, 'commands as root have the rights of the service');
});

t.test('it starts with the PostgreSQL of Debian, and each command finds its database', async (t) => {
  const port = await freePort();
  const data = (name: string) => ({ CARILLON_DATA_DIR: path.join(dir, name), HOST: '127.0.0.1', PORT: String(port) });
  const says = (env: Record<string, string>, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(own, [program, ...args], { env, cwd: dir, encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  const env = data('data');
  t.match(says({}, 'version'), { status: 0, said: /^0\.1\.0\n$/ });
  t.match(says({}, '--version'), { status: 0, said: /^0\.1\.0\n$/ });
  const { said: help } = says({}, 'help');
  for (const name of ['start', 'doctor', 'account', 'backup', 'restore', 'sealing-keys', 'version'])
    t.match(help, new RegExp(`^  ${name} +\\S`, 'm'), 'help has a line for it');
  t.match(says({}, 'nothing'), { status: 1, said: /no command nothing[\s\S]*doctor/ });
  t.match(says(env, 'doctor'), { status: 0, said: /first start creates it with PostgreSQL \d+/ });

  const service = startPeer(own, [program], { env, cwd: dir });
  t.teardown(() => service.stop('SIGKILL'));
  const link = await until('it prints the link', () => /http\S+\/set-up#\S+/.exec(service.output())?.[0], {
    idleMs: 120_000,
  });
  for (const [url, type] of [
    [link, 'text/html'],
    ['/', 'text/html'],
    ['/docs/guide/get-started', 'text/html'],
    ['/api/reference/', 'text/html'],
    ['/api/reference/static/swagger-ui-bundle.js', 'javascript'],
    ['/readyz', 'json'],
  ] as const) {
    const answer = await fetch(new URL(url, `http://127.0.0.1:${port}`), { headers: { accept: 'text/html,*/*' } });
    t.equal(answer.status, 200, url);
    t.match(answer.headers.get('content-type'), type, url);
    await answer.arrayBuffer();
  }
  t.match(says(env, 'doctor'), { status: 0, said: /PostgreSQL \d+.* answers/ });
  t.match(says(env, 'sealing-keys', 'list'), { status: 0, said: /seals/ });
  t.match(says(env, 'account'), { status: 1, said: /carillon-control-plane account reset EMAIL/ });
  t.match(says(env, 'backup', 'one.backup'), { status: 0, said: /rows of \d+ tables/ });
  t.equal(await service.stop(), 0, 'SIGTERM ends it in order');
  const other = { ...data('other'), CARILLON_SEALING_KEYS_FILE: path.join(dir, 'data.keys') };
  t.match(says(other, 'restore', 'one.backup'), { status: 0, said: /restored \d+ rows/ });
});

const alone = { skip: spawnSync('unshare', ['--mount', 'true']).status === 0 ? false : 'this needs root' };
t.test('without any PostgreSQL, the doctor names what is missing', alone, async (t) => {
  const script = 'mount -t tmpfs none /usr/lib/postgresql && exec "$0" "$@"';
  const env = { CARILLON_DATA_DIR: path.join(dir, 'none'), PATH: process.env['PATH'] ?? '' };
  const args = ['--mount', 'sh', '-c', script, own, program, 'doctor'];
  const { status, stdout } = spawnSync('unshare', args, { env, encoding: 'utf8' });
  t.match({ status, stdout }, { status: 1, stdout: /^FAIL +database.*no PostgreSQL[\s\S]*apt install postgresql/m });
});

t.test('the package of npm has the same program', async (t) => {
  const prefix = path.join(dir, 'prefix');
  const tgz = packControlPlaneForNpm(bundle, dir);
  const args = [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--omit=optional',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    tgz,
  ];
  execFileSync('npm', args, { stdio: 'pipe' });
  const installed = path.join(prefix, 'bin', 'carillon-control-plane');
  t.equal(execFileSync(installed, ['version'], { encoding: 'utf8' }), '0.1.0\n');
  rmSync(prefix, { recursive: true });
});
