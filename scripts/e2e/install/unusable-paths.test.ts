/**
 * Every path that a process opens at its start, unusable in each way: it ends with exit code 1 and one line that names the path, and
 * a signal ends it in any case.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { NODE_FLAGS as CONTROL_PLANE_FLAGS } from '../../../control-plane/heap.ts';
import { postgresBinaries } from '../../../control-plane/store/embedded/binaries.ts';
import { AGENT_FLAGS } from '../../../proto/base/agent-heap.ts';
import { mainOf } from '../../peers/lab/programs.ts';
import { startPeer, until } from '../../peers/process.ts';
import { at, FILES, FOLDERS, isRoot, type Way } from './unusable.ts';

const AGENT = {
  CARILLON_URL: 'ws://127.0.0.1:9/agent/v1',
  CARILLON_METRICS_PORT: '0',
  CARILLON_SIP_ADDRESS: '127.0.0.1',
};
const CONTROL_PLANE = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: '', CARILLON_PROVISION: '' };
const PROGRAMS = {
  agent: { args: [...AGENT_FLAGS, mainOf('agent')], env: AGENT, folder: 'CARILLON_AGENT_DIR' },
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

const OVER_TLS = { CARILLON_PUBLIC_URL: 'https://carillon.example' };

const rows: readonly [program: Program, variable: string, ways: readonly Way[], more?: Record<string, string>][] = [
  ['agent', 'CARILLON_AGENT_DIR', FOLDERS],
  ['agent', 'CARILLON_POLICY', FILES],
  ['agent', 'CARILLON_CA', FILES],
  ['agent', 'CARILLON_SIP_TLS_CERTIFICATE', FILES, { CARILLON_SIP_TLS_KEY: at('file') }],
  ['agent', 'CARILLON_SIP_TLS_KEY', FILES, { CARILLON_SIP_TLS_CERTIFICATE: at('file') }],
  ['control-plane', 'CARILLON_DATA_DIR', FOLDERS],
  ['control-plane', 'CARILLON_PROVISION', FILES],
  ['control-plane', 'CARILLON_PLANS', FILES],
  ['control-plane', 'CARILLON_TLS_CERTIFICATE', FILES, { CARILLON_TLS_KEY: at('file'), ...OVER_TLS }],
  ['control-plane', 'CARILLON_TLS_KEY', FILES, { CARILLON_TLS_CERTIFICATE: at('file'), ...OVER_TLS }],
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
