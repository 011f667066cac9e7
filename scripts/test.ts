/**
 * Every test. Units, most statements on Debian's PostgreSQL 15, and untimed end-to-end files (those wait more than they work) in
 * parallel; then measuring end-to-end files, in pairs if they permit it, the rest one by one. The last line is `N passed, N
 * failed`. With file names: only those, and without Debian's packages if none of them is end to end. With `units`: only these. A
 * signal ends everything that was started.
 */

import { globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../control-plane/store/embedded/supervisor.ts';
import { buildDashboard } from './build-dashboard.ts';
import { startDebianPostgres } from './peers/lab/debian-postgres.ts';
import { memoryFolder } from './test-run/memory-folder.ts';
import { ensurePackages } from './test-run/packages.ts';
import { type Lanes, runPool, type Task } from './test-run/pool.ts';
import { bundlePrograms, PROGRAMS } from './test-run/programs.ts';
import { type Counts, sum } from './test-run/tap.ts';

/** End to end, and correct on a busy machine, too: they count, or compare times with a peer's log. The longest begin first. */
const UNTIMED = [
  'dashboard/dashboard',
  'dashboard/findings',
  'dashboard/forms',
  'dashboard/ways-in',
  'install/sealing-keys',
  'faults/loss-of-processes',
  'install/operator',
  'install/repository',
  'install/commands',
  'install/pages',
  'cli/cli',
  'cli/project',
  'cli/pipelines',
  'cli/dev',
  'install/first-start',
  'install/packages',
  'install/release',
  'probes/heard',
  'media/heard',
  'calls/identity',
  'calls/first-run',
  'probes/agent-trouble',
  'calls/scenario',
  'faults/frozen-agent',
  'calls/baresip',
  'calls/kamailio',
  'faults/bad-datagrams',
  'faults/bad-frames',
  'faults/bad-requests',
  'faults/strangers',
  'faults/attacks',
  'faults/no-weapon',
  'faults/fleet',
  'install/containers',
  'install/kubernetes',
  'faults/older-database',
  'faults/full-disk',
  'faults/database-loss',
  'faults/backup',
  'calls/pbx-cases',
  'calls/websocket',
  'media/ice',
  'media/browser',
  'calls/call-after-call',
  'calls/dropped',
  'calls/load-that-lasts',
  'media/session',
  'load/idle',
  'load/memory',
  'media/nearly-heard',
  'load/prometheus',
  'load/shared-limit',
  'load/peak',
  'calls/signalling',
  'calls/sipp-callee',
  'calls/without-media',
];

/** The same, several in one process. */
const UNTIMED_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'calls/kept-calls and others': [
    'calls/kept-calls',
    'calls/receiving',
    'calls/transfer',
    'calls/settings',
    'calls/odd-servers',
    'calls/b2bua',
  ],
  'media/ice-phone and others': ['media/ice-phone', 'media/rtpengine', 'media/srtp', 'media/video', 'media/files'],
};

/**
 * End to end, and correct beside one other of these: they measure, but wait more than they work, and repeat or report it if the
 * host delayed their agents, or compare our figures with timestamps of the same kernel. The longest begin first.
 */
const BESIDE_ONE = ['media/selftest', 'media/exact-streams', 'probes/probes', 'media/impairment', 'media/tshark'];

/** Units: those of each line in one process, since separate processes would load the same and prove nothing more. The longest end the list. */
const TOGETHER: Readonly<Record<string, string>> = {
  'agent/sip/dialog': 'agent/sip/dialog/**/*.test.ts',
  'agent/sip/message': 'agent/sip/{core,digest,message,registration,transaction}/**/*.test.ts',
  media: 'media/**/*.test.ts',
  proto: 'proto/**/*.test.ts',
  'agent/run': 'agent/run/**/*.test.ts',
  'agent/link': 'agent/{link,policy,capture,playback,assembly,net,metrics}/**/*.test.ts',
  'control-plane/store': 'control-plane/{store,queue,mcp,courier,observability,readiness}/**/*.test.ts',
  'control-plane/http': 'control-plane/http/**/*.test.ts',
  'control-plane/link': 'control-plane/link/**/*.test.ts',
  'control-plane/operations/run': 'control-plane/operations/{agents,run}/**/*.test.ts',
  'control-plane/operations/run-view': 'control-plane/operations/run-view/**/*.test.ts',
  'control-plane/operations/notify': 'control-plane/operations/{notify,provision,request,capacity}/**/*.test.ts',
  'control-plane/operations/people': 'control-plane/operations/{people,project}/**/*.test.ts',
  'control-plane/operations/probe': 'control-plane/operations/probe/**/*.test.ts',
  'control-plane/domain': 'control-plane/{contract,dashboard,domain}/**/*.test.ts',
};

/**
 * Units that together send most statements of the control plane: on the oldest supported PostgreSQL. The embedded one gets the
 * same statements end to end.
 */
const ON_THE_OLDEST = [
  'operations/probe/executions',
  'operations/run/life',
  'operations/provision/provision',
  'operations/retention',
  'operations/run-view/run-page',
  'store/store',
  'operations/project/writes/*',
];
/** These depend on the server itself. */
const ON_BOTH = ['queue/queue', 'store/backup/backup'];

const SIDE_BY_SIDE = 'end to end, side by side';
const ROOT = path.resolve(import.meta.dirname, '..');
const NOTHING_RAN: Counts = { passed: 0, failed: 1, skipped: 0 };
const ONE_BY_ONE: Lanes = { front: 1, back: 0 };
const TWO_BY_TWO: Lanes = { front: 2, back: 0 };
const find = (pattern: string): string[] => globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
const unit = (name: string): string[] => find(`control-plane/**/${name}.test.ts`);
const endToEnd = (name: string): string => `scripts/e2e/${name}.test.ts`;

const named = process.argv.slice(2);
const onlyUnits = named.length === 1 && named[0] === 'units';
const isUnit = (file: string): boolean => !path.resolve(file).startsWith(path.join(ROOT, 'scripts', 'e2e'));
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort(name));

process.chdir(ROOT);
const inMemory = memoryFolder();
if (inMemory !== null) process.env['TMPDIR'] ??= inMemory;
const counted = !onlyUnits && named.length > 0 && named.every(isUnit) ? unitFiles(named) : withPeers();
const { passed, failed, skipped } = await counted.catch((error: unknown) => {
  if (!ending.signal.aborted) throw error;
  console.error(`Ended by ${ending.signal.reason}.`);
  return NOTHING_RAN;
});
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Those that need a database start their own; no other program is needed. */
async function unitFiles(files: readonly string[]): Promise<Counts> {
  return runPool(batch('asked for', files), ONE_BY_ONE, ending.signal);
}

async function withPeers(): Promise<Counts> {
  const missing = ensurePackages();
  if (missing !== null) {
    console.error(missing);
    return NOTHING_RAN;
  }
  const scratch = await mkdtemp(path.join(tmpdir(), 'carillon-test-'));
  await chmod(scratch, 0o711);
  // What a test or a killed program leaves there is removed with it. Databases have a user of their own, so that it can be passed.
  const temporary = path.join(scratch, 'temporary');
  await mkdir(temporary, { mode: 0o711 });
  process.env['TMPDIR'] = temporary;
  const embedded = await startEmbeddedPostgres({
    dataDir: path.join(scratch, 'database'),
    unsafe: true,
    diesWithUs: true,
    settings: ['max_connections=300'],
    log: () => undefined,
  });
  try {
    if (named.length > 0 && !onlyUnits)
      return await runPool(batch('asked for', named, embedded.connection), ONE_BY_ONE, ending.signal);
    const debian = await startDebianPostgres();
    try {
      const units = unitTasks(embedded.connection, debian.url);
      return await (onlyUnits
        ? runPool(units, { front: 1, back: 1 }, ending.signal)
        : everything(units, embedded.connection));
    } finally {
      await debian.stop();
    }
  } finally {
    await embedded.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

function unitTasks(connection: object, debianUrl: string): Task[] {
  const oldest = ON_THE_OLDEST.flatMap(unit);
  const together = Object.entries(TOGETHER).map(([file, pattern]) => ({
    file,
    together: find(pattern).filter((one) => !oldest.includes(one)),
  }));
  const others = [
    ...find('{proto,media,agent,control-plane}/**/*.test.ts').filter(
      (file) => !together.some((group) => group.together.includes(file)) && !oldest.includes(file),
    ),
    ...find('scripts/**/*.test.ts').filter(isUnit),
  ];
  const title = 'units';
  return [
    ...batch(title, others, connection),
    ...together.map((group) => ({ title, ...group, env: environment(connection) })),
    {
      title: 'PostgreSQL 15',
      file: 'on PostgreSQL 15',
      together: [...oldest, ...ON_BOTH.flatMap(unit)],
      env: environment({ connectionString: debianUrl }),
    },
  ];
}

async function everything(units: readonly Task[], connection: object): Promise<Counts> {
  // In parallel with the units: otherwise the first end-to-end file would start while another builds it.
  const built = Promise.all([buildDashboard(), bundlePrograms()]);
  built.catch(() => undefined);
  const ofLab = { env: { ...environment(connection), CARILLON_TEST_PROGRAMS: PROGRAMS }, needs: built };
  const ofProduct = (title: string, files: readonly string[]): Task[] =>
    files.map((file) => ({ title, file, ...ofLab }));
  const inGroups = Object.entries(UNTIMED_TOGETHER).map(([file, names]) => ({ file, together: names.map(endToEnd) }));
  const untimed = [...UNTIMED.map(endToEnd), ...inGroups.flatMap((group) => group.together)];
  const besideOne = BESIDE_ONE.map(endToEnd);
  const timed = find(endToEnd('**/*')).filter((file) => !untimed.includes(file) && !besideOne.includes(file));
  const sideBySide = [
    ...inGroups.map((group) => ({ title: SIDE_BY_SIDE, ...group, ...ofLab })),
    ...ofProduct(SIDE_BY_SIDE, UNTIMED.map(endToEnd)),
    ...units,
  ];
  return sum([
    await runPool(sideBySide, { front: 5, back: 1 }, ending.signal),
    await runPool(ofProduct('end to end, two by two', besideOne), TWO_BY_TWO, ending.signal),
    await runPool(ofProduct('end to end, one by one', timed), ONE_BY_ONE, ending.signal),
  ]);
}

function batch(title: string, files: readonly string[], connection?: object): Task[] {
  return files.map((file) => ({ title, file, ...(connection && { env: environment(connection) }) }));
}

function environment(connection: object): Record<string, string> {
  return { CARILLON_TEST_PG: JSON.stringify(connection) };
}
