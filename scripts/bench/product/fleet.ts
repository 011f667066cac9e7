/**
 * A thousand agents with one address, with only their links (agent/link), and one control plane with embedded
 * PostgreSQL: cost of enrolment, idle cost, and their return after the control plane was killed or stopped.
 * node_modules/.bin/node scripts/bench/product/fleet.ts [--agents 1000] [--idle 60] [--profiles FOLDER]
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLabDatabase, postmasterPid } from '../../peers/lab/database.ts';
import { Fleet } from '../../peers/lab/fleet.ts';
import { Lab } from '../../peers/lab/lab.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { memoryMiB, processTree } from './process-tree.ts';

/** CPU is user and system time. */
type FleetCost = { readonly controlPlaneUs: number; readonly postgresUs: number; readonly agentsUs: number };

export type FleetStorm = FleetCost & {
  readonly what: string;
  readonly agents: number;
  readonly back: number;
  /** Until the control plane had ended, and was up again; until all agents had returned after that. */
  readonly downSeconds: number;
  readonly backSeconds: number;
  readonly p50Seconds: number;
  readonly p99Seconds: number;
  /** How often an agent was told to retry later: mean, maximum. */
  readonly toldLater: readonly [number, number];
  readonly refused: number;
};

export type FleetIdle = FleetCost & {
  readonly agents: number;
  readonly controlPlaneMiB: number;
  readonly postgresMiB: number;
};

export type FleetReport = { readonly storms: readonly FleetStorm[]; readonly idle: readonly FleetIdle[] };

const LIMIT_MS = 600_000;

/** `profiles`: folder for CPU profiles of the control plane. */
export async function benchFleet(agents = 1000, idleSeconds = 60, profiles?: string): Promise<FleetReport> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-fleet-'));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const fleet = new Fleet(agents, 'fleet');
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'embedded'), await freePort(), {
    agents: 0,
    ...(profiles !== undefined && { controlPlaneEnv: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` } }),
    organizations: [{ slug: 'fleet', name: 'Fleet', workers: [...fleet.workers] }],
    provision: () => ({ tests: [] }),
  });
  try {
    await lab.start();
    const idle = [await measureIdle(lab, 0, idleSeconds)];
    const storms = [
      await measureStorm(lab, fleet, 'enrolled, the first time', async () => {
        await fleet.open(lab.controlPlane.url, path.join(dir, 'agents'));
        return performance.now();
      }),
    ];
    idle.push(await measureIdle(lab, agents, idleSeconds));
    const restart = (signal: NodeJS.Signals) => async () => {
      await lab.controlPlane.stop(signal, 60_000);
      await lab.startControlPlane();
      return performance.now();
    };
    storms.push(await measureStorm(lab, fleet, 'kill -9', restart('SIGKILL')));
    await sleep(20_000);
    storms.push(await measureStorm(lab, fleet, 'SIGTERM', restart('SIGTERM')));
    return { storms, idle };
  } finally {
    fleet.close();
    await lab.stop();
  }
}

/**
 * CPU seconds so far of the control plane's processes except PostgreSQL, of PostgreSQL, and of the links, which belong
 * to the benchmark.
 */
function cpuOf(lab: Lab): { readonly controlPlane: number; readonly postgres: number; readonly agents: number } {
  const sum = (pids: ReturnType<typeof processTree>) => pids.reduce((all, one) => all + one.cpuSeconds, 0);
  const postgres = processTree(postmasterPid(lab.dataDir) ?? 0);
  const own = processTree(lab.controlPlane.pid).filter(({ pid }) => postgres.every((one) => one.pid !== pid));
  const { user, system } = process.cpuUsage();
  return { controlPlane: sum(own), postgres: sum(postgres), agents: (user + system) / 1e6 };
}

/** Microseconds of each, for `parts` of them. */
function costSince(lab: Lab, before: ReturnType<typeof cpuOf>, parts: number): FleetCost {
  const after = cpuOf(lab);
  const us = (what: keyof typeof after) => (1e6 * (after[what] - before[what])) / parts;
  return { controlPlaneUs: us('controlPlane'), postgresUs: us('postgres'), agentsUs: us('agents') };
}

/**
 * `begin` ends when the control plane is up, and returns the time. Cost: from then on until all have returned, each.
 */
async function measureStorm(lab: Lab, fleet: Fleet, what: string, begin: () => Promise<number>): Promise<FleetStorm> {
  const agents = fleet.workers.length;
  fleet.begin();
  const beganMs = performance.now();
  const upMs = await begin();
  const before = cpuOf(lab);
  await until('all are back', () => fleet.back === agents, { everyMs: 20, idleMs: LIMIT_MS }).catch((error: Error) =>
    console.error(error),
  );
  const backSeconds = (performance.now() - upMs) / 1000;
  const cost = costSince(lab, before, agents);
  const { standings } = fleet;
  const times = standings.map(({ welcomedMs }) => welcomedMs ?? Number.NaN).sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (agents - 1))] as number) / 1000;
  const later = standings.map(({ toldLater }) => toldLater);
  const downSeconds = (upMs - beganMs) / 1000;
  return {
    ...{ what, agents, back: fleet.back, downSeconds, backSeconds },
    p50Seconds: at(0.5) - downSeconds,
    p99Seconds: at(0.99) - downSeconds,
    toldLater: [later.reduce((sum, one) => sum + one, 0) / agents, Math.max(...later)],
    refused: standings.filter(({ refused }) => refused !== null).length,
    ...cost,
  };
}

/** Microseconds a second; of all. */
async function measureIdle(lab: Lab, agents: number, seconds: number): Promise<FleetIdle> {
  await sleep(20_000);
  const before = cpuOf(lab);
  const sinceMs = performance.now();
  await sleep(seconds * 1000);
  const cost = costSince(lab, before, (performance.now() - sinceMs) / 1000);
  const postgres = processTree(postmasterPid(lab.dataDir) ?? 0).map(({ pid }) => pid);
  return {
    agents,
    ...cost,
    controlPlaneMiB: memoryMiB([lab.controlPlane.pid]),
    postgresMiB: memoryMiB(postgres),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      agents: { type: 'string', default: '1000' },
      idle: { type: 'string', default: '60' },
      profiles: { type: 'string' },
    },
  });
  const { storms, idle } = await benchFleet(Number(values.agents), Number(values.idle), values.profiles);
  console.table(storms);
  console.table(idle);
}
