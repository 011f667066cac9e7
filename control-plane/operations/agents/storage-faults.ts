/** An agent cannot write its facts to disk: its runs show what would be lost. */
import type { Ports } from '../../ports.ts';
import { insertWorkerEvent } from '../../store/run/events.ts';
import { openInstancesOfWorker } from '../../store/run/instances.ts';

/** `fault` '': the agent can write again. */
export const noteStorageFault = (ports: Ports, workerId: string, fault: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const words =
      fault === ''
        ? 'can store its measurements on disk again'
        : `cannot store its measurements on disk (${fault}): unreported data is lost if it ends while it is disconnected`;
    const open = await openInstancesOfWorker(tx, workerId);
    for (const runId of new Set(open.map((i) => i.runId)))
      await insertWorkerEvent(tx, { runId, workerId }, ports.now(), words);
    ports.log.warn({ workerId, fault }, 'storage of an agent');
  });
