/** Which test files each run of `./scripts/test` has, in the order in which they begin: the longest first. */
import { globSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** The shortest end-to-end proof of each promise. All of them are correct on a busy machine. */
export const PROOFS = [
  'dashboard/newcomer',
  'calls/first-run',
  'probes/agent-trouble',
  'cli/project',
  'media/heard',
  'calls/kamailio',
  'faults/strangers',
  'faults/frozen-agent',
  'calls/sipp-callee',
].map(endToEnd);

/** The other end-to-end files that are correct on a busy machine, too: they count, or compare times with a peer's log. */
const WAITING: readonly string[] = [
  'dashboard/dashboard',
  'install/repository',
  'install/pages',
  'install/commands',
  'install/packages',
  'cli/dev',
  'cli/cli',
  'probes/heard',
  'faults/loss-of-processes',
  'install/operator',
  'install/first-start',
  'cli/pipelines',
  'install/containers',
  'install/release',
  'faults/older-database',
  'faults/fleet',
  'faults/database-loss',
  'faults/full-disk',
  'calls/identity',
  'calls/scenario',
  'faults/bad-datagrams',
  'faults/bad-frames',
  'faults/bad-requests',
  'faults/attacks',
  'faults/no-weapon',
  'faults/backup',
  'install/sealing-keys',
  'install/kubernetes',
  'calls/baresip',
  'calls/pbx-cases',
  'calls/websocket',
  'calls/call-after-call',
  'calls/dropped',
  'calls/load-that-lasts',
  'calls/signalling',
  'calls/without-media',
  'media/ice',
  'media/browser',
  'media/session',
  'media/nearly-heard',
  'load/idle',
  'load/memory',
  'load/prometheus',
  'load/shared-limit',
  'load/peak',
];

/** The same, several in one process. */
const WAITING_TOGETHER: Readonly<Record<string, readonly string[]>> = {
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

/** Units: those of each line in one process, since separate processes would load the same and prove nothing more. */
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

export type FileGroup = { readonly file: string; readonly together: readonly string[] };

function endToEnd(name: string): string {
  return `scripts/e2e/${name}.test.ts`;
}
const find = (pattern: string): string[] => globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
const unit = (name: string): string[] => find(`control-plane/**/${name}.test.ts`);
/** A file in a process of its own. */
export const single = (file: string): FileGroup => ({ file, together: [file] });

export const isUnit = (file: string): boolean => !path.resolve(file).startsWith(path.join(ROOT, 'scripts', 'e2e'));

/** Units; those of `oldest` on the oldest supported PostgreSQL. */
export function units(): { readonly embedded: readonly FileGroup[]; readonly oldest: FileGroup } {
  const oldest = ON_THE_OLDEST.flatMap(unit);
  const together = Object.entries(TOGETHER).map(([file, pattern]) => ({
    file,
    together: find(pattern).filter((one) => !oldest.includes(one)),
  }));
  const others = find('{proto,media,agent,control-plane,scripts}/**/*.test.ts').filter(
    (file) => isUnit(file) && !oldest.includes(file) && !together.some((group) => group.together.includes(file)),
  );
  return {
    embedded: [...together, ...others.map(single)],
    oldest: { file: 'on PostgreSQL 15', together: [...oldest, ...ON_BOTH.flatMap(unit)] },
  };
}

/** Every end-to-end file that is no proof. What is in no list measures: it needs the machine for itself. */
export function slow(): { readonly waiting: readonly FileGroup[]; readonly measuring: readonly FileGroup[] } {
  const groups = Object.entries(WAITING_TOGETHER).map(([file, names]) => ({ file, together: names.map(endToEnd) }));
  const waiting = [...groups, ...WAITING.map(endToEnd).map(single)];
  const listed = [...PROOFS, ...waiting.flatMap(({ together }) => together)];
  return {
    waiting,
    measuring: find(endToEnd('**/*'))
      .filter((file) => !listed.includes(file))
      .map(single),
  };
}
