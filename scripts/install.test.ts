/** scripts/install with an npm that only says what it was asked for, and takes as long as it is told. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { type Peer, startPeer, until } from './peers/process.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-install-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (...names: string[]): string => path.join(folder, ...names);
mkdirSync(inFolder('scripts'));
for (const name of ['install', 'install.mjs', 'demo'])
  cpSync(path.join(import.meta.dirname, name), inFolder('scripts', name));
mkdirSync(inFolder('bin'));
writeFileSync(
  inFolder('bin', 'npm'),
  `#!/bin/sh
echo "$*" >>asked
cp .installing begun
echo $$ >pid
sleep \${LASTS:-0}
mkdir -p node_modules/a
touch node_modules/a/a.js node_modules/a/a.js.map
case "$*" in
  *omit=dev*) cp service.json node_modules/.package-lock.json ;;
  *) cp package-lock.json node_modules/.package-lock.json ;;
esac
`,
  { mode: 0o755 },
);

const entry = (more: object = {}) => ({ version: '1.0.0', integrity: 'sha512-x', ...more });
const SERVICE = {
  'node_modules/a': entry({ optionalDependencies: { other: '1' } }),
  'node_modules/other': entry({ optional: true, os: ['none'], dependencies: { 'of-other': '1' } }),
  'node_modules/of-other': entry({ optional: true }),
};
const lock = (name: string, packages: object) => writeFileSync(inFolder(name), JSON.stringify({ packages }));
lock('service.json', { 'node_modules/a': entry() });
const WHOLE = { ...SERVICE, 'node_modules/b': entry({ dev: true }) };
lock('package-lock.json', WHOLE);

const npmArguments = (): string[] => {
  const file = inFolder('asked');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(file, { force: true });
  return lines;
};
const start = (command: string, lasts = 0): Peer =>
  startPeer('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: { PATH: `${inFolder('bin')}:${process.env['PATH']}`, LASTS: String(lasts) },
  });
async function install(what: string): Promise<string> {
  const peer = start(`sh scripts/install ${what}`);
  t.equal(await peer.exited, 0, peer.output());
  return peer.output();
}
/** The npm that runs, as its process. */
const npmPid = (): Promise<number> =>
  until('npm runs', () => existsSync(inFolder('pid')) && Number(readFileSync(inFolder('pid'), 'utf8')));
const isOver = (pid: number) => until('npm has ended', () => !existsSync(`/proc/${pid}`));
const clean = () => {
  for (const name of ['node_modules', 'pid', 'asked']) rmSync(inFolder(name), { recursive: true, force: true });
};

t.test('a service gets what it needs; everything else is added, and stays', async (t) => {
  t.match(await install(''), /Installing packages: 0 of 1\b.*Installed 1 packages/s, 'none for another system');
  t.same(npmArguments(), ['ci --omit=dev --prefer-offline']);
  t.equal(await install(''), '', 'once');
  t.match(await install('all'), 'of 2');
  t.same(npmArguments(), ['install --no-save --include=dev --prefer-offline']);
  t.same(readdirSync(inFolder('node_modules', 'a')), ['a.js'], 'without source maps');
  t.equal(await install('all'), '');
  t.equal(await install(''), '', 'nothing is taken away');
  t.same(npmArguments(), []);
  lock('package-lock.json', { ...WHOLE, 'node_modules/a': entry({ integrity: 'sha512-y' }) });
  await install('');
  t.same(npmArguments(), ['ci --include=dev --prefer-offline'], 'another lock file: what was there is brought again');
  lock('package-lock.json', WHOLE);
});

t.test('a signal to the shell ends npm, too', async (t) => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    clean();
    const peer = start('sh scripts/demo', 600);
    const pid = await npmPid();
    process.kill(peer.pid, signal);
    t.equal(await peer.exited, code);
    await isOver(pid);
    t.notOk(existsSync(inFolder('.installing')));
  }
});

t.test(
  'where the shell is killed, npm ends, or the next start ends it; two starts do not install at once',
  async (t) => {
    clean();
    const shell = start('sh scripts/demo', 600);
    const first = await npmPid();
    process.kill(shell.pid, 'SIGKILL');
    await isOver(first);
    clean();
    const killed = start('sh scripts/install', 600);
    const left = await npmPid();
    t.match(JSON.parse(readFileSync(inFolder('begun'), 'utf8')), { npm: { pid: left } }, 'named before it begins');
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
    clean();
    const next = start('sh scripts/install', 2);
    const beside = start('sh scripts/install', 2);
    await isOver(left);
    t.equal(await next.exited, 0, next.output());
    t.equal(await beside.exited, 0, beside.output());
    t.match(next.output() + beside.output(), /Ending the installation of a start that was killed/);
    t.same(npmArguments(), ['ci --omit=dev --prefer-offline'], 'by one of them');
  },
);
