/** Instances that their worker will not end. */
import type { Ports } from '../../ports.ts';
import { type InstanceRow, openInstancesOfWorker } from '../../store/run/instances.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { applyInstanceEvent } from '../run/instance-events.ts';

const RESTARTED = 'The agent was restarted and did not keep its share of the run.';

export async function loseInstances(
  ports: Ports,
  instances: readonly Pick<InstanceRow, 'runId' | 'id'>[],
  reason: string = RESTARTED,
): Promise<void> {
  for (const { runId, id } of instances) {
    await ports.database.transaction(async (tx) => {
      const run = await lockRun(tx, runId);
      if (run) await applyInstanceEvent(ports, tx, run, id, { event: 'lost', reason });
    });
  }
}

/** Facts that were saved before the agent's restart had time to arrive: instances that have not ended by now never will. */
export async function loseUnheld(
  ports: Ports,
  workerId: string,
  instanceIds: readonly string[],
  reason?: string,
): Promise<void> {
  const open = await openInstancesOfWorker(ports.database.db, workerId);
  await loseInstances(
    ports,
    open.filter((i) => instanceIds.includes(i.id)),
    reason,
  );
}
