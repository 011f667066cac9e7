/** Orders to agents, in the transaction that decides them. */
import type { Order } from '../../domain/run/orders/orders.ts';
import { insertCommand } from '../../store/agents/commands.ts';
import type { Tx } from '../../store/db.ts';
import type { InstanceRow } from '../../store/run/instances.ts';

export const order = (tx: Tx, workerId: string, body: Order): Promise<void> =>
  insertCommand(tx, {
    workerId,
    runId: body.runId,
    kind: body.kind,
    body,
    ...(body.kind === 'allocate' && { instanceId: body.allocationId }),
  });

/** Sends one order to each worker with some of these instances. */
export async function orderEach(
  tx: Tx,
  instances: readonly InstanceRow[],
  make: (allocationIds: string[]) => Order,
): Promise<void> {
  for (const workerId of [...new Set(instances.map((i) => i.workerId))].sort()) {
    const ids = instances.filter((i) => i.workerId === workerId).map((i) => i.id);
    await order(tx, workerId, make(ids));
  }
}
