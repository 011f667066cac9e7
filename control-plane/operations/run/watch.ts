/** The time limit of a state: the job carries the state that it watches, and does nothing if the run has moved on. */
import type { RunStatus } from '../../contract/run-status.ts';
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { lockInstancesOfRun } from '../../store/run/instances.ts';
import { type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { beginEnding } from './end.ts';
import { moveInstance, releaseInstances } from './instance-events.ts';
import { dueAt, moveRun, overtime, runError } from './move.ts';

export const watchRun = (ports: Ports, runId: string, status: RunStatus): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== status) return;
    const due = await dueAt(ports, tx, run);
    if (due && ports.now() < due) {
      await ports.jobs.enqueue(tx, 'run.watch', { runId, status }, { startAfter: due });
    } else if (status === 'RUNNING') {
      await runningOverdue(ports, tx, run);
    } else {
      await waitingOverdue(ports, tx, run);
    }
  });

async function waitingOverdue(ports: Ports, tx: Tx, run: LockedRun): Promise<void> {
  const at = ports.now();
  const error =
    run.status === 'PENDING'
      ? runError('INTERNAL', 'The run could not be validated in time. Run the test again.', at)
      : runError('WORKER_REFUSED', 'The agents did not get ready in time. Their logs say why.', at);
  await moveRun(ports, tx, run, 'overdue', { error });
  await releaseInstances(ports, tx, run, await lockInstancesOfRun(tx, run.id), 'The agents did not get ready in time.');
}

async function runningOverdue(ports: Ports, tx: Tx, run: LockedRun): Promise<void> {
  if (run.endingEvent === null) {
    await beginEnding(ports, tx, run, 'overdue', overtime(ports, run));
    return;
  }
  const open = (await lockInstancesOfRun(tx, run.id)).filter((i) => !isInstanceOver(i.status));
  for (const instance of open) {
    await moveInstance(ports, tx, instance, 'lost', 'The agent did not end its share in time.');
  }
  await ports.jobs.enqueue(tx, 'run.settle', { runId: run.id });
}
