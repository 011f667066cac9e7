/** Ends a RUNNING run early: agents are ordered to stop, and have some seconds for BYE, un-REGISTER and last facts. */
import type { RunError } from '../../contract/run/run.ts';
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import { type RunEvent, STOP_LIMIT_SECONDS } from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { lockInstancesOfRun } from '../../store/run/instances.ts';
import { type LockedRun, markEnding } from '../../store/run/locked-run.ts';
import { orderEach } from './order.ts';

/** `event` will end the run once its agents are done, or their time is up. The first cause counts. */
export async function beginEnding(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  event: RunEvent,
  error: RunError | null,
): Promise<void> {
  if (run.status !== 'RUNNING' || run.endingEvent !== null) return;
  const deadlineAt = secondsAfter(ports.now(), STOP_LIMIT_SECONDS);
  await markEnding(tx, run.id, { event, error, deadlineAt });
  const open = (await lockInstancesOfRun(tx, run.id)).filter((i) => !isInstanceOver(i.status));
  const reason = error?.message ?? 'The run was stopped by a user.';
  await orderEach(tx, open, (allocationIds) => ({ kind: 'stop', runId: run.id, allocationIds, reason }));
  await ports.jobs.enqueue(tx, 'run.watch', { runId: run.id, status: 'RUNNING' }, { startAfter: deadlineAt });
  ports.log.info({ runId: run.id, event }, 'run is being ended');
}
