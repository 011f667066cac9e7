/**
 * A thousand agents at one address, which have only their links (agent/link), and one control plane with embedded PostgreSQL. It
 * measures the cost of enrollment, and the return of the agents after the control plane was killed or stopped.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from '../../peers/lab/fleet.ts';
import type { Lab } from '../../peers/lab/lab.ts';
import { until } from '../../peers/process.ts';
import { cpuOf, withInstallation } from '../installation.ts';
import { n, quantileOf, type ResultTable } from '../table.ts';

const AGENTS = 1000;
const MAX_BACK_SECONDS = 60;
const LIMIT_MS = 600_000;
const REST_MS = 20_000;

export async function measureFleet(): Promise<ResultTable> {
  const fleet = new Fleet(AGENTS, 'fleet');
  try {
    const storms = await withInstallation(
      {
        agents: 0,
        organizations: [{ slug: 'fleet', name: 'Fleet', workers: [...fleet.workers] }],
        provision: () => ({ tests: [] }),
      },
      (lab) => stormsOf(lab, fleet),
    );
    return {
      heads: [
        'after',
        'agents, of them back',
        'control plane down, s',
        'all back, s after it was up',
        'p50, p99 of them, s',
        'refused',
        'control plane, µs of CPU each',
        'PostgreSQL, µs of CPU each',
      ],
      rows: storms.map(({ cells }) => cells),
      faults: storms.flatMap(({ fault }) => fault ?? []),
    };
  } finally {
    fleet.close();
  }
}

type Storm = { readonly cells: readonly string[]; readonly fault: string | null };

async function stormsOf(lab: Lab, fleet: Fleet): Promise<Storm[]> {
  const enrolled = await storm(lab, fleet, 'the first enrollment', async () => {
    await fleet.open(lab.controlPlane.url, path.join(lab.dir, 'agents'));
  });
  const restart = (signal: NodeJS.Signals) => async () => {
    await lab.controlPlane.stop(signal, 60_000);
    await lab.startControlPlane();
  };
  await sleep(REST_MS);
  const killed = await storm(lab, fleet, 'kill -9', restart('SIGKILL'));
  await sleep(REST_MS);
  return [enrolled, killed, await storm(lab, fleet, 'SIGTERM', restart('SIGTERM'))];
}

/** `begin` ends when the control plane is up. Costs are counted from then until all agents have returned. */
async function storm(lab: Lab, fleet: Fleet, what: string, begin: () => Promise<void>): Promise<Storm> {
  fleet.begin();
  const beganMs = performance.now();
  await begin();
  const upMs = performance.now();
  const before = await cpuOf(lab);
  await until('all are back', () => fleet.back === AGENTS, { everyMs: 20, idleMs: LIMIT_MS }).catch((error: Error) =>
    console.error(error),
  );
  const backSeconds = (performance.now() - upMs) / 1000;
  const after = await cpuOf(lab);
  const downMs = upMs - beganMs;
  const seconds = fleet.standings.map(({ welcomedMs }) => ((welcomedMs ?? Number.NaN) - downMs) / 1000);
  const us = (part: 'controlPlane' | 'postgres') => n(((after[part] - before[part]) * 1e6) / AGENTS);
  return {
    cells: [
      ...[what, `${n(AGENTS)}, ${n(fleet.back)}`, n(downMs / 1000, 1), n(backSeconds, 1)],
      `${n(quantileOf(seconds, 0.5), 1)}, ${n(quantileOf(seconds, 0.99), 1)}`,
      ...[n(fleet.standings.filter(({ refused }) => refused !== null).length), us('controlPlane'), us('postgres')],
    ],
    fault: backSeconds > MAX_BACK_SECONDS ? `${what}: all were back after ${n(backSeconds)} s only` : null,
  };
}
