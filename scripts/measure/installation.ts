/** A separate installation for a measurement, with the embedded database. It is removed afterwards. */
import { rm } from 'node:fs/promises';
import { postmasterPid } from '../peers/lab/database.ts';
import { type Lab, type LabOptions, openLab } from '../peers/lab/lab.ts';
import { residentBytes, treeCpuSeconds } from '../peers/process.ts';

export async function withInstallation<T>(options: LabOptions, act: (lab: Lab) => Promise<T>): Promise<T> {
  const closers: (() => unknown)[] = [];
  let dir: string | null = null;
  try {
    const lab = await openLab(
      { teardown: (close: () => unknown) => closers.push(close) },
      { database: 'embedded', ...options },
    );
    dir = lab.dir;
    return await act(lab);
  } finally {
    for (const close of closers.reverse()) await close();
    if (dir !== null) await rm(dir, { recursive: true, force: true });
  }
}

/** User and system time in seconds. The control plane's time is without that of PostgreSQL. */
export type InstallationCpu = { readonly agent: number; readonly controlPlane: number; readonly postgres: number };

export async function cpuOf(lab: Lab): Promise<InstallationCpu> {
  const [agent] = lab.agents;
  const postgres = await treeCpuSeconds(postmasterPid(lab.dataDir) ?? 0);
  return {
    agent: agent ? await treeCpuSeconds(agent.pid) : 0,
    controlPlane: (await treeCpuSeconds(lab.controlPlane.pid)) - postgres,
    postgres,
  };
}

export const residentMiB = async (pid: number): Promise<number> => (await residentBytes(pid)) / 2 ** 20;
