/**
 * An agent leaves for good by itself, as those do that are made for a while. First its worker is drained; once its facts are
 * committed, the worker is archived: the key is retired, and the row stays, because its runs refer to it.
 */
import { step } from '@carillon/proto/base/machine.ts';
import { WORKER } from '../../domain/worker-machine.ts';
import type { Ports } from '../../ports.ts';
import { retireKeys } from '../../store/agents/agent-keys.ts';
import { deleteJoinTokens, drain, revokeWorker } from '../../store/agents/owned-workers.ts';
import { lockWorker, type WorkerRow } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { openInstancesOfWorker } from '../../store/run/instances.ts';
import { announceWorker } from './announce-worker.ts';
import { loseOpen } from './keys.ts';
import { auditWorker, type From } from './refusals.ts';

const GONE = 'Its agent is gone.';

export const drainLeaving = (ports: Ports, workerId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const worker = await lockWorker(tx, workerId);
    const next = worker && step(WORKER.transitions, worker.status, 'drained');
    if (!worker || !next) return;
    await drain(tx, workerId, next, ports.now());
    await announceWorker(ports, tx, worker, worker.status, next);
  });

/** False: it has an open instance, the order of which may still be on its way; the agent asks again. */
export const archiveLeaving = (ports: Ports, workerId: string, { address }: From): Promise<boolean> =>
  ports.database.transaction(async (tx) => {
    const worker = await lockWorker(tx, workerId);
    if (!worker || (await openInstancesOfWorker(tx, workerId)).length > 0) return false;
    await archiveWorker(ports, tx, worker, GONE);
    await auditWorker(tx, worker, { action: 'agentLeft', target: {}, address, at: ports.now() });
    ports.log.info({ workerId, name: worker.name }, 'agent left');
    return true;
  });

/** The worker has no agent from now on, as if it were revoked. `reason`: why its open instances are lost. */
export async function archiveWorker(ports: Ports, tx: Tx, worker: WorkerRow, reason: string): Promise<void> {
  const at = ports.now();
  await deleteJoinTokens(tx, worker.id);
  await retireKeys(tx, [worker.id], 'REVOKED', at);
  await revokeWorker(tx, worker.id, at);
  await loseOpen(ports, tx, worker.id, reason);
  await announceWorker(ports, tx, worker, worker.status, 'OFFLINE');
}
