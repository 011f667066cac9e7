/** Disposable agents that ended without a word, such as an instance that its cloud has taken back: their workers are archived. */
import { secondsAfter } from '../../../domain/seconds-after.ts';
import { archiveWorker } from '../../../operations/agents/leave.ts';
import type { Ports } from '../../../ports.ts';
import { lockWorker } from '../../../store/agents/workers.ts';
import { goneWorkers } from '../store/pool-workers.ts';

/** Long enough for a network that was away; a shorter absence keeps the worker's place. */
const AWAY_SECONDS = 900;

export async function sweepPools(ports: Ports): Promise<void> {
  const before = secondsAfter(ports.now(), -AWAY_SECONDS);
  for (const workerId of await goneWorkers(ports.database.db, before))
    await ports.database.transaction(async (tx) => {
      const worker = await lockWorker(tx, workerId);
      // It has come back meanwhile.
      if (worker?.status !== 'OFFLINE' || worker.goneAt === null || worker.goneAt >= before) return;
      await archiveWorker(ports, tx, worker, 'Its agent did not come back.');
      ports.log.info({ workerId, name: worker.name }, 'a disposable agent is gone: its worker is archived');
    });
}
