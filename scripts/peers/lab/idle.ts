/** The cost of an idle installation: a control plane with its database, and one agent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { treeCpuSeconds } from '../process.ts';
import type { Lab } from './lab.ts';

/** Percent of a core. The database belongs to the control plane. */
export type IdleShares = { readonly agent: number; readonly controlPlane: number };

export async function idleShares(lab: Lab, seconds: number): Promise<IdleShares> {
  const pids = { agent: lab.agents[0]!.pid, controlPlane: lab.controlPlane.pid };
  const look = async () => ({
    agent: await treeCpuSeconds(pids.agent),
    controlPlane: await treeCpuSeconds(pids.controlPlane),
    atMs: performance.now(),
  });
  const before = await look();
  await sleep(seconds * 1000);
  const after = await look();
  const share = (who: keyof IdleShares) => (100_000 * (after[who] - before[who])) / (after.atMs - before.atMs);
  return { agent: share('agent'), controlPlane: share('controlPlane') };
}
