/** The test files of each run of `./scripts/test`, in the order in which they begin: the longest first. */
import { globSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Those of features, which are deleted with them. A proof is named as such; each other one is correct on a busy machine, too. */
const OF_FEATURES = find('control-plane/features/*/e2e/**/*.test.ts');
const isProof = (file: string): boolean => file.endsWith('.proof.test.ts');

/** The shortest end-to-end proof of each promise. All of them are correct on a busy machine. */
export const PROOFS = [
  ...[
    ...['dashboard/newcomer', 'calls/first-run', 'probes/agent-trouble', 'cli/project', 'media/heard'],
    ...['calls/kamailio', 'faults/strangers', 'faults/frozen-agent', 'calls/sipp-callee'],
  ].map(endToEnd),
  ...OF_FEATURES.filter(isProof),
];

/** The other end-to-end files that are also correct on a busy machine: they count, or compare times with a peer's log. */
const WAITING: readonly string[] = [
  'dashboard/dashboard',
  'install/repository',
  'install/pages',
  'install/tutorials',
  'install/commands',
  'install/packages',
  'install/control-plane-package',
  'install/images',
  'cli/dev',
  'cli/cli',
  'probes/heard',
  'probes/dead-port',
  'faults/loss-of-processes',
  'faults/frozen-ends',
  'install/operator',
  'install/first-start',
  'install/unusable-paths',
  'cli/pipelines',
  'cli/examples',
  'install/containers',
  'install/release',
  'faults/older-database',
  'faults/fleet',
  'faults/database-loss',
  'faults/standby',
  'faults/full-disk',
  'faults/copied-agent',
  'calls/identity',
  'calls/scenario',
  'faults/bad-datagrams',
  'faults/bad-frames',
  'faults/bad-requests',
  'faults/attacks',
  'faults/strangers-wait',
  'faults/strangers-memory',
  'faults/no-weapon',
  'install/sealing-keys',
  'install/kubernetes',
  'calls/baresip',
  'calls/pbx-cases',
  'calls/websocket',
  'calls/asterisk',
  'calls/call-after-call',
  'calls/dropped',
  'calls/load-that-lasts',
  'calls/signalling',
  'calls/without-media',
  'media/ice',
  'media/browser',
  'media/session',
  'media/nearly-heard',
  'media/lost-numbers',
  'load/idle',
  'load/memory',
  'load/prometheus',
  'load/shared-limit',
  'load/peak',
];

/** Such files of which several run in one process. */
const WAITING_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'calls/kept-calls and others': [
    'calls/kept-calls',
    'calls/receiving',
    'calls/transfer',
    'calls/settings',
    'calls/odd-servers',
    'calls/odd-dialogs',
    'calls/b2bua',
  ],
  'media/ice-phone and others': ['media/ice-phone', 'media/rtpengine', 'media/srtp', 'media/video', 'media/files'],
};

/** Units that take long by nature: random histories, floods, silent networks, whole weeks. They are run as slow tests. */
const LONG: Readonly<Record<string, string>> = {
  'long units of the store': 'control-plane/store/{silence,lists,embedded/embedded}.test.ts',
  'long units of the doors': 'control-plane/{http/{clients,open-doors},link/{attacks,many-agents}}.test.ts',
  'long units of the operations':
    'control-plane/operations/{people/accounts,probe/{week,alarms},project/write-{random,races},run/folded}.test.ts',
  'long units of the domain': 'control-plane/domain/probe/schedule.test.ts',
  'long units of the features': 'control-plane/features/**/*.long.test.ts',
  'long units of RTP': 'agent/rtp/{sockets/{relay,marks},threads/{engine,shards},loop/life}.test.ts',
  'long units of the agent':
    'agent/{sip/core/fuzz,run/report/withheld-detail,net/ciphers/srtp-ciphers,link/outbox,calibrate/calibrate,state-folder,black-box/start}.test.ts',
  'long units of scripts': 'scripts/{put-build,site/blocks,test-run/pool,check/code/patterns}.test.ts',
};

/**
 * Units. Those of each line run in one process, because separate processes would load the same modules and prove nothing more.
 * Those that wait most come first.
 */
const TOGETHER: Readonly<Record<string, string>> = {
  'control-plane/http': 'control-plane/http/**/*.test.ts',
  'control-plane/store': 'control-plane/store/**/*.test.ts',
  'agent/black-box': 'agent/{black-box,link,policy,capture,playback,assembly,net,metrics}/**/*.test.ts',
  'control-plane/operations/run-view': 'control-plane/operations/run-view/**/*.test.ts',
  'control-plane/operations': 'control-plane/operations/**/*.test.ts',
  'control-plane/link': 'control-plane/{link,queue,mcp,courier,observability,readiness}/**/*.test.ts',
  'agent/sip': 'agent/sip/**/*.test.ts',
  'agent/rtp': 'agent/rtp/**/*.test.ts',
  'control-plane/domain and others': 'control-plane/**/*.test.ts',
  'agent/run and others': 'agent/**/*.test.ts',
  'media and proto': '{media,proto}/**/*.test.ts',
  scripts: 'scripts/**/*.test.ts',
};

/**
 * Units that together send most statements of the control plane. They run on the oldest supported PostgreSQL. The embedded one
 * gets the same statements end to end.
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
/** These units depend on the server itself. */
const ON_BOTH = ['queue/queue', 'store/backup'];

export type FileGroup = { readonly file: string; readonly together: readonly string[] };

function endToEnd(name: string): string {
  return `scripts/e2e/${name}.test.ts`;
}
function find(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
}
const unit = (name: string): string[] => find(`control-plane/**/${name}.test.ts`);
/** A file that runs in a process of its own. */
export const single = (file: string): FileGroup => ({ file, together: [file] });

const END_TO_END = /^(scripts|control-plane\/features\/[^/]+)\/e2e\//;
export const isUnit = (file: string): boolean => !END_TO_END.test(path.relative(ROOT, path.resolve(ROOT, file)));

/** The files of each line, without those in `taken`. They are added to `taken`. */
function groupsOf(lines: Readonly<Record<string, string>>, taken: Set<string>): FileGroup[] {
  return Object.entries(lines).map(([file, pattern]) => {
    const together = find(pattern).filter((one) => isUnit(one) && !taken.has(one));
    for (const one of together) taken.add(one);
    return { file, together };
  });
}

/** The units. Those of `oldest` run on the oldest supported PostgreSQL. A file belongs to the first line that names it. */
export function units(): Record<'embedded' | 'long', readonly FileGroup[]> & { readonly oldest: FileGroup } {
  const oldest = ON_THE_OLDEST.flatMap(unit);
  const taken = new Set(oldest);
  const long = groupsOf(LONG, taken);
  const together = groupsOf(TOGETHER, taken);
  const others = find('{proto,media,agent,control-plane,scripts}/**/*.test.ts').filter(
    (file) => isUnit(file) && !taken.has(file),
  );
  return {
    long,
    embedded: [...together, ...others.map(single)],
    oldest: { file: 'on PostgreSQL 15', together: [...oldest, ...ON_BOTH.flatMap(unit)] },
  };
}

/** The units of the control plane, long ones included. */
export function ofControlPlane(): readonly FileGroup[] {
  const { oldest, embedded, long } = units();
  const isOurs = ({ together }: FileGroup) => together.every((file) => file.startsWith('control-plane/'));
  return [oldest, ...embedded, ...long].filter((group) => group.together.length > 0 && isOurs(group));
}

/** Long units, and every end-to-end file that is no proof. Files in no list measure, so each needs the machine for itself. */
export function slow(): Record<'computing' | 'waiting' | 'measuring', readonly FileGroup[]> {
  const groups = Object.entries(WAITING_TOGETHER).map(([file, names]) => ({ file, together: names.map(endToEnd) }));
  const ofFeatures = OF_FEATURES.filter((file) => !isProof(file));
  const waiting = [...groups, ...[...ofFeatures, ...WAITING.map(endToEnd)].map(single)];
  const listed = [...PROOFS, ...waiting.flatMap(({ together }) => together)];
  return {
    computing: units().long,
    waiting,
    measuring: find(endToEnd('**/*'))
      .filter((file) => !listed.includes(file))
      .map(single),
  };
}
