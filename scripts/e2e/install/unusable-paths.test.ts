/**
 * Every path that a process opens at its start, unusable in each way: it ends with exit code 1 and one line that names the path, and
 * a signal ends it in any case. Rows for other users, full and read-only disks need root.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t, { type Test } from 'tap';
import { NODE_FLAGS } from '../../../agent/process/heap.ts';
import { NODE_FLAGS as CONTROL_PLANE_FLAGS } from '../../../control-plane/heap.ts';
import { postgresBinaries } from '../../../control-plane/store/embedded/binaries.ts';
import { mainOf } from '../../peers/lab/programs.ts';
import { startPeer, until } from '../../peers/process.ts';

const isRoot = process.getuid?.() === 0;
const dir = mkdtempSync(path.join(tmpdir(), 'carillon-paths-'));
chmodSync(dir, 0o755);
const mounts: string[] = [];
t.teardown(() => {
  for (const mount of mounts) spawnSync('umount', [mount]);
  rmSync(dir, { recursive: true, force: true });
});
const at = (...names: string[]) => path.join(dir, ...names);

function disk(name: string, options: string): string | null {
  mkdirSync(at(name), { mode: 0o755 });
  if (!isRoot || spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at(name)]).status !== 0) return null;
  mounts.push(at(name));
  return at(name);
}

writeFileSync(at('file'), 'x');
mkdirSync(at('folder'));
mkdirSync(at('closed'), { mode: 0o700 });
writeFileSync(at('closed', 'secret'), '{}', { mode: 0o600 });
chmodSync(at('closed'), 0o700);
spawnSync('mkfifo', [at('pipe')]);
const readOnly = disk('read-only', 'ro,size=64k');
const full = disk('full', 'size=16k,mode=755');
if (full !== null) {
  mkdirSync(path.join(full, 'data'), { mode: 0o711 });
  spawnSync('sh', ['-c', `cat /dev/zero > ${full}/filler`]);
}

type Way = readonly [what: string, target: string | null, asNobody?: boolean];
/** A folder that cannot be one. */
const FOLDERS: readonly Way[] = [
  ['nothing can be made there', '/proc/x'],
  ['nothing can be made above it', '/proc/x/y/z'],
  ['a file in its place', at('file')],
  ['a file above it', at('file', 'below')],
  ['a device in its place', '/dev/null'],
  ['a pipe in its place', at('pipe')],
  ['below what is closed to its user', at('closed', 'data'), true],
  ['closed to its user', at('closed'), true],
  ['on a read-only disk', readOnly && path.join(readOnly, 'data')],
  ['on a full disk', full && path.join(full, 'data')],
  ['a name that is too long', at('x'.repeat(300))],
];
/** A file that cannot be read. */
const FILES: readonly Way[] = [
  ['missing', at('missing')],
  ['its folder is missing', at('missing', 'file')],
  ['a folder in its place', at('folder')],
  ['a file above it', at('file', 'below')],
  ['a pipe that nobody writes to', at('pipe')],
  ['a device that never ends', '/dev/zero'],
  ['a file of the kernel that has no end', '/proc/self/pagemap'],
  ['a file of the kernel that may say nothing for ever', '/proc/kmsg'],
  ['closed to its user', at('closed', 'secret'), true],
];

const AGENT = {
  CARILLON_URL: 'ws://127.0.0.1:9/agent/v1',
  CARILLON_METRICS_PORT: '0',
  CARILLON_SIP_ADDRESS: '127.0.0.1',
};
const CONTROL_PLANE = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: '', CARILLON_PROVISION: '' };
const PROGRAMS = {
  agent: { args: [...NODE_FLAGS, mainOf('agent')], env: AGENT, folder: 'CARILLON_AGENT_DIR' },
  'control-plane': {
    ...{ args: [...CONTROL_PLANE_FLAGS, mainOf('control-plane')], env: CONTROL_PLANE },
    folder: 'CARILLON_DATA_DIR',
  },
} as const;
type Program = keyof typeof PROGRAMS;

let n = 0;
function begin(program: Program, env: Readonly<Record<string, string>>, asNobody = false) {
  const { args, env: own, folder } = PROGRAMS[program];
  const state = at(`state-${n++}`);
  mkdirSync(state, { mode: 0o777 });
  // mkdir heeds the umask.
  chmodSync(state, 0o777);
  const command = [process.execPath, ...args];
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];
  const [first = '', ...rest] = asNobody ? [...nobody, ...command] : command;
  return startPeer(first, rest, { tied: !asNobody, env: { ...own, [folder]: path.join(state, 'data'), ...env } });
}

const IDLE_MS = 180_000;
/** Its log is JSON: what people read is the rest. */
const wordsOf = (output: string) => output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));

async function endsInWords(t: Test, program: Program, what: string, env: Record<string, string>, asNobody = false) {
  const peer = begin(program, env, asNobody);
  const { child } = peer;
  await until(`${what}: ended`, () => child.exitCode !== null || child.signalCode !== null, { idleMs: IDLE_MS });
  await peer.exited;
  const words = wordsOf(peer.output());
  t.equal(child.exitCode, 1, `${program}: ${what}: ${peer.output().slice(-500)}`);
  const [target = ''] = Object.values(env);
  const name = Object.keys(env)[0] ?? '';
  const told = words.at(-1) ?? '';
  t.ok(
    words.length > 0 && words.length <= 3 && !/^\s+at /m.test(words.join('\n')),
    `${what}: a line, no stack: ${words}`,
  );
  t.ok(told.includes(name) || told.includes(target), `${what}: it names the path: ${told}`);
}

const rows: readonly [program: Program, variable: string, ways: readonly Way[], more?: Record<string, string>][] = [
  ['agent', 'CARILLON_AGENT_DIR', FOLDERS],
  ['agent', 'CARILLON_POLICY', FILES],
  ['agent', 'CARILLON_CA', FILES],
  ['agent', 'CARILLON_SIP_TLS_CERTIFICATE', FILES, { CARILLON_SIP_TLS_KEY: at('file') }],
  ['agent', 'CARILLON_SIP_TLS_KEY', FILES, { CARILLON_SIP_TLS_CERTIFICATE: at('file') }],
  ['control-plane', 'CARILLON_DATA_DIR', FOLDERS],
  ['control-plane', 'CARILLON_PROVISION', FILES],
  ['control-plane', 'CARILLON_PLANS', FILES],
  ['control-plane', 'CARILLON_SEALING_KEYS_FILE', FILES.filter(([what]) => what !== 'missing')],
];
for (const [program, variable, ways, more] of rows)
  t.test(`${program}: ${variable}`, async (t) => {
    for (const [what, target, asNobody] of ways) {
      if (target === null || (asNobody && !isRoot)) t.comment(`${what}: not possible here`);
      else await endsInWords(t, program, what, { [variable]: target, ...more }, asNobody);
    }
  });

t.test("files of the agent's folder that are folders, or damaged", async (t) => {
  const state = (name: string) => {
    const folder = at(`own-${n++}`);
    mkdirSync(path.join(folder, name), { recursive: true });
    return folder;
  };
  for (const name of ['enrolment.json', 'agent.key', 'agent.lock', 'minutes.json'])
    await endsInWords(t, 'agent', `${name} is a folder`, { CARILLON_AGENT_DIR: state(name) });
});

t.test("files of the control plane's own database that are pipes, or folders", async (t) => {
  const { major } = await postgresBinaries(at('binaries'));
  for (const name of ['owner', 'postgres.log', 'cluster', 'cluster/PG_VERSION', 'cluster/postmaster.pid'])
    for (const what of ['pipe', 'folder'] as const) {
      const data = at(`own-${n++}`);
      const file = path.join(data, 'postgres', name);
      // As much as is looked at before PostgreSQL is started.
      mkdirSync(path.join(data, 'postgres/cluster/base/5'), { recursive: true });
      writeFileSync(path.join(data, 'postgres/cluster/PG_VERSION'), `${major}\n`);
      rmSync(file, { recursive: true, force: true });
      if (what === 'folder') mkdirSync(file);
      else spawnSync('mkfifo', [file]);
      await endsInWords(t, 'control-plane', `${name} is a ${what}`, { CARILLON_DATA_DIR: data });
    }
});

const RESTORE = path.resolve(import.meta.dirname, '../../../control-plane/features/backup/commands/restore.ts');

t.test('a backup that is none is refused before a database is started', async (t) => {
  for (const [what, target] of FILES.filter(([, , asNobody]) => !asNobody)) {
    const data = at(`restored-${n++}`);
    const peer = startPeer(process.execPath, [RESTORE, target ?? ''], {
      tied: true,
      env: { DATABASE_URL: '', CARILLON_DATA_DIR: data },
    });
    t.equal(await peer.exited, 1, `${what}: ${peer.output()}`);
    const isRead = what.startsWith('a file of the kernel');
    t.match(
      peer.output(),
      isRead ? /cannot be read|is not a complete backup/ : /^The backup \S+ cannot be read: /,
      what,
    );
    if (!isRead) t.notOk(existsSync(data), `${what}: no database`);
  }
});

t.test('a log on a full disk ends no start', async (t) => {
  const data = at(`log-${n++}`);
  const command = [process.execPath, ...CONTROL_PLANE_FLAGS, mainOf('control-plane')];
  const peer = startPeer('sh', ['-c', 'exec "$@" 2>/dev/full', 'sh', ...command], {
    tied: true,
    env: { ...CONTROL_PLANE, CARILLON_DATA_DIR: data },
  });
  const isUp = () => peer.output().includes('No account exists yet') || peer.child.exitCode !== null;
  await until('it is up', isUp, { idleMs: IDLE_MS });
  t.equal(await peer.stop('SIGTERM', IDLE_MS), 0, peer.output());
});

t.test('a signal ends a start that would never end', async (t) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const { port } = silent.address() as { port: number };
  const waits: [Program, string, Record<string, string>][] = [
    ['control-plane', 'a database that says nothing', { DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` }],
    ['control-plane', 'its own database', {}],
    ['agent', 'a control plane that says nothing', { CARILLON_URL: `ws://127.0.0.1:${port}/agent/v1` }],
  ];
  for (const [program, what, env] of waits)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const peer = begin(program, env);
      // Its handler exists once it says anything; before, a signal ends it by itself.
      await until(`${what}: it has begun`, () => peer.output() !== '' || peer.child.exitCode !== null, {
        idleMs: 5000,
      }).catch(() => t.comment(`${what}: it says nothing`));
      const code = await peer.stop(signal, IDLE_MS);
      t.ok(
        ([0, 128 + (signal === 'SIGTERM' ? 15 : 2), signal, 1] as readonly (number | string)[]).includes(code),
        `${program}: ${what}: ${signal}: ${code}`,
      );
      t.not(code, 'SIGKILL');
    }
});
