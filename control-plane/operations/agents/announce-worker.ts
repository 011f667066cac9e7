/** A worker comes, goes or drains: its organization is notified. No organization is notified of a shared worker. */
import type { WorkerStatus } from '../../contract/worker-words.ts';
import type { Ports } from '../../ports.ts';
import type { WorkerRow } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { announce } from '../notify/announce.ts';

export type AnnouncedWorker = Pick<WorkerRow, 'id' | 'name' | 'region' | 'organizationId'>;

export async function announceWorker(
  ports: Ports,
  tx: Tx,
  { id, name, region, organizationId }: AnnouncedWorker,
  from: WorkerStatus,
  to: WorkerStatus,
): Promise<void> {
  if (from === to || organizationId === null) return;
  await announce(ports, tx, {
    kind: 'worker.status_changed',
    organizationId,
    projectId: null,
    at: ports.now(),
    data: { workerId: id, workerName: name, region, from, to },
  });
}
