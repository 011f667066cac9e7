/**
 * Simultaneous calls through the whole product, with audio in both directions: control plane, one calling agent, and one
 * answering agent, on this machine. It measures memory and CPU of the calling agent, and planned packets that were not sent in
 * time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { cpuSeconds } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { residentMiB, withInstallation } from '../installation.ts';
import { n, type ResultTable } from '../table.ts';

const CALLS = 1000;
const SECONDS = 60;
const TEST = 'calls-at-once';
const CALLS_A_SECOND = 50;
const SETTLE_MS = 5000;
/** A worker reserves a part of its capacity for probes. */
const CAPACITY = 1.5 * CALLS;
/** On a machine with other load, a call may fail. */
const UP = 0.95;

export async function measureCallsAtOnce(): Promise<ResultTable> {
  const rows: string[][] = [];
  for (const realtime of [false, true]) {
    const priority = realtime ? 'real-time (`CARILLON_REALTIME`)' : 'ordinary';
    rows.push([priority, ...(await callsAtOnce(realtime))]);
  }
  return {
    heads: [
      'priority of media threads',
      'calls, successes',
      'µs of CPU a packet',
      'cores',
      'packets not sent in time, %',
      'kB a call',
      'MiB idle, at most',
      'verdict',
    ],
    rows,
  };
}

function callsAtOnce(realtime: boolean): Promise<string[]> {
  const buildup = CALLS / CALLS_A_SECOND;
  const shape = { endpoints: CALLS, durationSeconds: buildup + SECONDS, buildup };
  return withInstallation(
    {
      agents: 2,
      capacity: CAPACITY,
      agentEnv: { CARILLON_CAPACITY: String(CAPACITY), CARILLON_REALTIME: String(realtime) },
      policy: { maxCallsPerSecond: 2 * CALLS_A_SECOND, maxEndpoints: CAPACITY, targetNetworks: ['127.0.0.0/8'] },
      provision: () => ({
        tests: [callsAmongAgents(TEST, { ...shape, workers: ['agent-1'] }, { workers: ['agent-2'] })],
      }),
    },
    measure,
  );
}

async function measure(lab: Lab): Promise<string[]> {
  const pid = lab.agents[0]?.pid ?? 0;
  await sleep(SETTLE_MS);
  const idle = await residentMiB(pid);
  const id = await lab.begin(TEST);
  await lab.reaches(id, 'has every call up', (run) => run.progress.phases.INCALL >= UP * 2 * CALLS);
  const [before, cpuBefore] = [await slots(lab), await cpuSeconds(pid)];
  let most = 0;
  for (let second = 0; second < SECONDS - 2; second++) {
    await sleep(1000);
    most = Math.max(most, await residentMiB(pid));
  }
  const [after, cpu] = [await slots(lab), (await cpuSeconds(pid)) - cpuBefore];
  const run = await lab.ended(id);
  const planned = after.planned - before.planned;
  return [
    `${n(CALLS)}, ${n(run.callTiming.successCount)}`,
    // The calling agent plans half of the packets, and receives as many.
    n((cpu * 1e6) / planned, 2),
    n((cpu * 1000) / (after.atMs - before.atMs), 2),
    n(((after.skipped - before.skipped) / planned) * 100, 3),
    ...[n(((most - idle) * 1024) / CALLS, 1), `${n(idle)}, ${n(most)}`],
    run.validity?.sentence.split('. ', 1)[0] ?? 'none',
  ];
}

async function slots(lab: Lab): Promise<{ atMs: number; planned: number; skipped: number }> {
  const scrapes = await Promise.all(lab.agents.map((agent) => scrape(agent.metricsUrl)));
  const sum = (name: string): number => scrapes.reduce((total, one) => total + (one.value(name) ?? 0), 0);
  return {
    atMs: performance.now(),
    planned: sum('carillon_agent_rtp_slots_planned_total'),
    skipped: sum('carillon_agent_rtp_slots_skipped_total'),
  };
}
