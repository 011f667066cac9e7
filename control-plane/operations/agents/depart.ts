/** A connection has ended. The worker may return within the grace period; its calls continue in the meantime. */

import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { disconnectWorker, lockWorker, silentConnections } from '../../store/agents/workers.ts';
import { openInstancesOfWorker } from '../../store/run/instances.ts';
import { announceWorker } from './announce-worker.ts';
import { loseInstances } from './lose.ts';

/** A replica renews its connections every few seconds; one that was not renewed within this time is dead. */
const SILENCE_SECONDS = 15;

export const depart = (ports: Ports, connectionId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const at = ports.now();
    const worker = await disconnectWorker(tx, connectionId, at);
    if (!worker) return;
    await announceWorker(ports, tx, worker, worker.from, 'OFFLINE');
    const startAfter = secondsAfter(at, ports.settings.workerGraceSeconds);
    await ports.jobs.enqueue(tx, 'worker.lost', { workerId: worker.id }, { startAfter });
    ports.log.info({ workerId: worker.id }, 'agent is offline');
  });

/**
 * The grace period is over: if the worker was away for all of it, its instances are lost. A worker that returned and
 * left again has another job.
 */
export async function loseWorker(ports: Ports, workerId: string): Promise<void> {
  const { db } = ports.database;
  const worker = await lockWorker(db, workerId);
  if (worker?.status !== 'OFFLINE' || worker.goneAt === null) return;
  if (secondsAfter(worker.goneAt, ports.settings.workerGraceSeconds) > ports.now()) return;
  const open = await openInstancesOfWorker(db, workerId);
  await loseInstances(ports, open, 'The worker was lost: its agent did not come back.');
  ports.log.warn({ workerId }, 'worker timed out');
}

/** Connections of a killed replica sent no farewell. */
export async function sweepConnections(ports: Ports): Promise<void> {
  for (const { connectionId } of await silent(ports)) await depart(ports, connectionId);
}

export const isAnyConnectionSilent = async (ports: Ports): Promise<boolean> => (await silent(ports)).length > 0;

const silent = (ports: Ports) => silentConnections(ports.database.db, secondsAfter(ports.now(), -SILENCE_SECONDS));
