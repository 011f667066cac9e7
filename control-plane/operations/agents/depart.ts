/** A connection has ended. The worker may come back within the grace; its calls go on meanwhile. */

import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { disconnectWorker, lockWorker, silentConnections } from '../../store/agents/workers.ts';
import { openInstancesOfWorker } from '../../store/run/instances.ts';
import { announceWorker } from './announce-worker.ts';
import { loseInstances } from './lose.ts';

/** A replica vouches for its connections every few seconds; one that nobody has vouched for in this time is dead. */
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
 * The grace is over: if the worker has been away for all of it, its instances are lost. A worker that came back meanwhile and left
 * again has a job of its own.
 */
export async function loseWorker(ports: Ports, workerId: string): Promise<void> {
  const { db } = ports.database;
  const worker = await lockWorker(db, workerId);
  if (worker?.status !== 'OFFLINE' || worker.goneAt === null) return;
  if (secondsAfter(worker.goneAt, ports.settings.workerGraceSeconds) > ports.now()) return;
  const open = await openInstancesOfWorker(db, workerId);
  await loseInstances(ports, open, 'The worker was lost: its agent did not come back.');
  ports.log.warn({ workerId }, 'worker given up');
}

/** Connections that a killed replica held never said goodbye. */
export async function sweepConnections(ports: Ports): Promise<void> {
  for (const { connectionId } of await silent(ports)) await depart(ports, connectionId);
}

export const isAnyConnectionSilent = async (ports: Ports): Promise<boolean> => (await silent(ports)).length > 0;

const silent = (ports: Ports) => silentConnections(ports.database.db, secondsAfter(ports.now(), -SILENCE_SECONDS));
