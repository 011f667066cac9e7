/** A connection has ended. The worker may come back within the grace; its calls go on meanwhile. */
import type { Ports } from '../../ports.ts';
import { openInstancesOfWorker } from '../../store/instances.ts';
import { lockRun } from '../../store/runs.ts';
import { disconnectWorker, lockWorker, silentConnections } from '../../store/workers.ts';
import { applyInstanceEvent } from '../run/instance-events.ts';
import { secondsAfter } from '../run/move.ts';

/** A replica vouches for its connections every few seconds; one that nobody has vouched for in this time is dead. */
const SILENCE_SECONDS = 15;

export const depart = (ports: Ports, connectionId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const at = ports.now();
    const worker = await disconnectWorker(tx, connectionId, at);
    if (!worker) return;
    const startAfter = secondsAfter(at, ports.settings.workerGraceSeconds);
    await ports.jobs.enqueue(tx, 'worker.lost', { workerId: worker.id, connectionId }, { startAfter });
    ports.log.info({ workerId: worker.id }, 'agent is offline');
  });

/** The grace is over: if the worker is still away since that connection, its shares are lost. */
export async function loseWorker(ports: Ports, workerId: string, connectionId: string): Promise<void> {
  const worker = await lockWorker(ports.database.db, workerId);
  if (worker?.status !== 'OFFLINE' || worker.connectionId !== connectionId) return;
  for (const instance of await openInstancesOfWorker(ports.database.db, workerId)) {
    await ports.database.transaction(async (tx) => {
      const run = await lockRun(tx, instance.runId);
      if (run)
        await applyInstanceEvent(
          ports,
          tx,
          run,
          instance.id,
          'lost',
          'The worker was lost: its agent did not come back.',
        );
    });
  }
  ports.log.warn({ workerId }, 'worker given up');
}

/** Connections that a killed replica held never said goodbye. */
export async function sweepConnections(ports: Ports): Promise<void> {
  const before = secondsAfter(ports.now(), -SILENCE_SECONDS);
  for (const { connectionId } of await silentConnections(ports.database.db, before)) await depart(ports, connectionId);
}
