/**
 * A lost share whose agent delivers its facts after all counts while the run can be revised. The instance continues as
 * if it had never been lost; if the run has ended, its figures are recomputed when the share is complete.
 */
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import { isOver, isRevisable, REVISABLE_SECONDS, STOP_LIMIT_SECONDS } from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { dropLostSums } from '../../store/run/call-sums.ts';
import { insertWorkerEvent } from '../../store/run/events.ts';
import { type InstanceRow, lockInstancesOfRun } from '../../store/run/instances.ts';
import { markLate, reopenLostEndpoints, revisableRuns } from '../../store/run/late-shares.ts';
import { type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { moveInstance } from '../run/instance-events.ts';
import { orderEach } from '../run/order.ts';

const BACK = 'reconnected with its share, which had timed out: its measurements count';
const ENDED = 'The run has ended.';
const IN_PART = 'The agent reconnected with part of its measurements, without the end of its share.';

/** A batch has facts of lost shares: they are restored, in lock order, before it is written. */
export class LateFacts extends Error {
  readonly instances: readonly InstanceRow[];

  constructor(instances: readonly InstanceRow[]) {
    super('facts of a share that had timed out');
    this.instances = instances;
  }
}

/** Returns the instances that are LOST, in runs that can be revised. */
export async function lateShares(tx: Tx, instances: readonly InstanceRow[], at: Date): Promise<InstanceRow[]> {
  const lost = instances.filter((i) => i.status === 'LOST');
  if (lost.length === 0) return [];
  const runIds = [...new Set(lost.map((i) => i.runId))];
  const runs = await revisableRuns(tx, runIds, secondsAfter(at, -REVISABLE_SECONDS));
  return lost.filter((i) => runs.has(i.runId));
}

export async function takeBack(ports: Ports, late: readonly InstanceRow[]): Promise<void> {
  for (const runId of [...new Set(late.map((i) => i.runId))].sort()) {
    const ids = new Set(late.filter((i) => i.runId === runId).map((i) => i.id));
    await ports.database.transaction(async (tx) => {
      const run = await lockRun(tx, runId);
      if (run && isRevisable(run, ports.now())) await takeBackOf(ports, tx, run, ids);
    });
  }
}

async function takeBackOf(ports: Ports, tx: Tx, run: LockedRun, ids: ReadonlySet<string>): Promise<void> {
  const at = ports.now();
  const back: InstanceRow[] = [];
  for (const instance of await lockInstancesOfRun(tx, run.id)) {
    const moved = ids.has(instance.id) && (await moveInstance(ports, tx, instance, 'returned'));
    if (moved && !isInstanceOver(moved.status)) back.push(moved);
  }
  if (back.length === 0) return;
  for (const { id } of back) {
    await reopenLostEndpoints(tx, run.id, id);
    if (run.isFolded) await dropLostSums(tx, run.id, id);
  }
  for (const workerId of new Set(back.map((i) => i.workerId)))
    await insertWorkerEvent(tx, { runId: run.id, workerId }, at, BACK);
  if (!isOver(run.status)) return;
  await markLate(tx, run.id, at);
  await orderEach(tx, back, (allocationIds) => ({ kind: 'stop', runId: run.id, allocationIds, reason: ENDED }));
  // The run no longer has a deadline: instances that have not ended by then never will.
  const startAfter = secondsAfter(at, Math.max(ports.settings.workerGraceSeconds, 2 * STOP_LIMIT_SECONDS));
  for (const { workerId, id } of back)
    await ports.jobs.enqueue(tx, 'instances.lost', { workerId, instanceIds: [id], reason: IN_PART }, { startAfter });
}
