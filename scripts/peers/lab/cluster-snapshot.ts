/** A snapshot of a lab's embedded database on disk: taken during operation, restored when it is not in use. */
import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { familyOf, signalAll, stoppedFamily } from '../family.ts';
import { until } from '../process.ts';
import { postmasterPid } from './database.ts';

const run = promisify(execFile);
const clusterOf = (dataDir: string): string => path.join(dataDir, 'postgres', 'cluster');

/** The postmaster and all of its processes are stopped meanwhile: the copy is the state of the disk at one moment. */
export async function takeSnapshot(dataDir: string, to: string): Promise<void> {
  const postmaster = postmasterPid(dataDir) ?? 0;
  const family = await stoppedFamily(postmaster);
  try {
    await run('cp', ['-a', clusterOf(dataDir), to]);
  } finally {
    signalAll(family.toReversed(), 'SIGCONT');
  }
}

/** Ends the database as a power failure does, and restores the snapshot. No control plane may run. */
export async function putBack(dataDir: string, snapshot: string): Promise<void> {
  const postmaster = postmasterPid(dataDir) ?? 0;
  signalAll(await familyOf(postmaster), 'SIGKILL');
  await until('the database has ended', () => postmasterPid(dataDir) === null);
  await rm(clusterOf(dataDir), { recursive: true, force: true });
  await rename(snapshot, clusterOf(dataDir));
  await rm(path.join(clusterOf(dataDir), 'postmaster.pid'), { force: true });
}
