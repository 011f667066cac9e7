/** Delivers orders: unacknowledged ones are sent again on the agent's next connection. */
import type { Order } from '../../domain/run/orders/orders.ts';
import type { Ports } from '../../ports.ts';
import { acknowledgeCommand, openCommands, workersWithCommands } from '../../store/agents/commands.ts';
import { seeConnections } from '../../store/agents/workers.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { applyInstanceEvent } from '../run/instance-events.ts';
import { announceWorker } from './announce-worker.ts';
import { copiesSince } from './copied-identity.ts';

export const openOrders = (
  ports: Ports,
  workerId: string,
  sent: readonly number[],
): Promise<{ id: number; order: Order }[]> => openCommands(ports.database.db, workerId, sent);

/** The workers with unacknowledged orders. */
export const workersWithOrders = async (ports: Ports, workerIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(workerIds.length === 0 ? [] : await workersWithCommands(ports.database.db, workerIds));

export const acknowledgeOrder = async (ports: Ports, workerId: string, id: number): Promise<void> => {
  await acknowledgeCommand(ports.database.db, workerId, id);
};

/** An order that cannot be encoded: its instance is refused, and it is not tried again. */
export const refuseOrder = (ports: Ports, workerId: string, id: number, order: Order): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = order.kind === 'allocate' ? await lockRun(tx, order.runId) : undefined;
    if (run && order.kind === 'allocate') {
      const reason = 'The order could not be sent to the agent. Run the test again.';
      await applyInstanceEvent(ports, tx, run, order.allocationId, { event: 'refused', reason });
    }
    await acknowledgeCommand(tx, workerId, id);
  });

/** Renews the connections of this replica. Returns those that no longer belong to a worker, and must be dropped. */
export async function vouch(ports: Ports, connectionIds: readonly string[]): Promise<string[]> {
  if (connectionIds.length === 0) return [];
  const seen = await ports.database.transaction(async (tx) => {
    const workers = await seeConnections(tx, connectionIds, ports.now(), copiesSince(ports.now()));
    for (const w of workers) await announceWorker(ports, tx, w, w.from, w.to);
    return new Set(workers.map((w) => w.connectionId));
  });
  return connectionIds.filter((id) => !seen.has(id));
}
