/**
 * Concurrent calls through the whole product: control plane, one calling agent, one answering agent, on this machine.
 * Memory of the calling agent, and planned packets that it did not send in time. node_modules/.bin/node
 * scripts/bench/product/thousand-calls.ts [--calls 1000] [--seconds 60] [--realtime]
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { Lab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { cpuSeconds, residentBytes } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { type CostTrend, trend } from '../media/trend.ts';

export type ManyCallsOptions = { readonly calls: number; readonly seconds: number; readonly realtime?: boolean };

export type ManyCallsReport = {
  readonly calls: number;
  readonly seconds: number;
  readonly successes: number;
  /** SCHED_FIFO for the media threads. */
  readonly realtime: boolean;
  /** Load average: over the minute before the calls, and over their last minute. */
  readonly loadBefore: number;
  readonly loadDuring: number;
  /** Resident memory of the calling agent: idle, the most while every call was up, and the difference a call. */
  readonly idleMiB: number;
  readonly mostMiB: number;
  readonly kBPerCall: number;
  /** While every call was up and the start forgotten, MiB a minute. */
  readonly growth: CostTrend;
  /** CPU of the calling agent while every call was up, in cores. */
  readonly cores: number;
  /** Of the packets that both agents planned while every call was up. */
  readonly skippedPercent: number;
  readonly planned: number;
  readonly verdict: string;
  readonly failures: string;
};

const TEST = 'many-calls';
const CALLS_A_SECOND = 50;
const SETTLE_MS = 5000;
/** A worker reserves a part of its capacity for probes. */
const WITH_RESERVE = 1.5;
/** Garbage of the start of a thousand calls is collected within this time. */
const FORGOTTEN_SECONDS = 10;
/** On a machine that others load, too, a call may fail. */
const UP = 0.95;

/** Starts a separate installation and ends it. Rejects if the run fails. */
export async function manyCalls({ calls, seconds, realtime = false }: ManyCallsOptions): Promise<ManyCallsReport> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-many-'));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const buildup = Math.ceil(calls / CALLS_A_SECOND);
  const capacity = calls * WITH_RESERVE;
  const shape = { endpoints: calls, durationSeconds: buildup + seconds, buildup };
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'given'), await freePort(), {
    agents: 2,
    capacity,
    agentEnv: { CARILLON_CAPACITY: String(capacity), CARILLON_REALTIME: String(realtime) },
    policy: { maxCallsPerSecond: 2 * CALLS_A_SECOND, maxEndpoints: capacity, targetNetworks: ['127.0.0.0/8'] },
    provision: () => ({
      tests: [callsAmongAgents(TEST, { ...shape, workers: ['agent-1'] }, { workers: ['agent-2'] })],
    }),
  });
  try {
    await lab.start();
    return { ...(await measure(lab, calls, seconds)), realtime };
  } finally {
    await lab.stop();
  }
}

async function measure(lab: Lab, calls: number, seconds: number): Promise<Omit<ManyCallsReport, 'realtime'>> {
  const caller = lab.agents[0]!;
  await sleep(SETTLE_MS);
  const idle = await residentBytes(caller.pid);
  const loadBefore = loadavg()[0] as number;
  const id = await lab.begin(TEST);
  try {
    await lab.reaches(id, 'has every call up', (run) => run.progress.phases.INCALL >= UP * 2 * calls);
  } catch (error) {
    const run = await lab.run(id);
    throw new Error(`${(error as Error).message}; ${failuresOf(run)}; ${JSON.stringify(run.validity)}`);
  }
  const before = await slots(lab);
  const cpuBefore = await cpuSeconds(caller.pid);
  const points: [number, number][] = [];
  let most = 0;
  for (let second = 0; second < seconds - 2; second++) {
    await sleep(1000);
    const bytes = await residentBytes(caller.pid);
    most = Math.max(most, bytes);
    if (second >= FORGOTTEN_SECONDS) points.push([second / 60, bytes / 2 ** 20]);
  }
  const after = await slots(lab);
  const cores = ((await cpuSeconds(caller.pid)) - cpuBefore) / ((after.atMs - before.atMs) / 1000);
  const loadDuring = loadavg()[0] as number;
  const run = await lab.ended(id);
  const planned = after.planned - before.planned;
  return {
    calls,
    seconds,
    loadBefore,
    loadDuring,
    successes: run.callTiming?.successCount ?? 0,
    idleMiB: idle / 2 ** 20,
    mostMiB: most / 2 ** 20,
    kBPerCall: (most - idle) / 1000 / calls,
    growth: trend(points),
    cores,
    skippedPercent: ((after.skipped - before.skipped) / planned) * 100,
    planned,
    verdict: run.validity?.verdict ?? 'not told',
    failures: failuresOf(run),
  };
}

const failuresOf = ({ failureClusters }: RunDetail): string =>
  failureClusters.map((c) => `${c.count} x ${c.phase} ${c.cause} ${c.reason}`).join('; ') || 'none';

async function slots(lab: Lab): Promise<{ atMs: number; planned: number; skipped: number }> {
  const scrapes = await Promise.all(lab.agents.map((agent) => scrape(agent.metricsUrl)));
  const sum = (name: string): number => scrapes.reduce((n, one) => n + (one.value(name) ?? 0), 0);
  return {
    atMs: performance.now(),
    planned: sum('carillon_agent_rtp_slots_planned_total'),
    skipped: sum('carillon_agent_rtp_slots_skipped_total'),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '60' },
      realtime: { type: 'boolean', default: false },
    },
  });
  const { calls, seconds, realtime } = values;
  console.log(await manyCalls({ calls: Number(calls), seconds: Number(seconds), realtime }));
}
