/**
 * Applies the effects of an instance's change of state to its run. The caller holds the run's row, and has locked its
 * instances after it. ready: when all are ready, the run starts. refused: the run cannot start. done, lost: when no
 * instance is left, the run is settled.
 */

import { step } from '@carillon/proto/base/machine.ts';
import type { RunErrorCode } from '../../contract/run/words.ts';
import { INSTANCE, type InstanceEvent, isInstanceOver } from '../../domain/run/instance-machine.ts';
import { isOver, START_LEAD_MS } from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { closeLostEndpoints } from '../../store/run/endpoint-ends.ts';
import { insertWorkerEvent } from '../../store/run/events.ts';
import { type InstanceRow, lockInstancesOfRun, setInstanceStatus } from '../../store/run/instances.ts';
import type { LockedRun } from '../../store/run/locked-run.ts';
import { isFoldedRun } from '../../store/run/run-rows.ts';
import { foldLost } from './fold.ts';
import { moveRun, runError } from './move.ts';
import { orderEach } from './order.ts';

/** The meaning of an agent's reasons for refusal; other reasons are the agent's own. */
const REFUSALS: ReadonlyMap<string, RunErrorCode> = new Map([
  ['MEDIA_MISSING', 'MEDIA_MISSING'],
  ['TARGET_NOT_ALLOWED', 'TARGET_NOT_ALLOWED'],
  ['NUMBER_NOT_ALLOWED', 'TARGET_NOT_ALLOWED'],
  ['CAPACITY', 'INSUFFICIENT_CAPACITY'],
]);

/** Takes the step and stores it; undefined: the table lacks the step. */
export async function moveInstance(
  ports: Ports,
  tx: Tx,
  instance: InstanceRow,
  event: InstanceEvent,
  reason: string | null = null,
): Promise<InstanceRow | undefined> {
  const to = step(INSTANCE.transitions, instance.status, event);
  if (to === null) {
    ports.log.debug({ instanceId: instance.id, status: instance.status, event }, 'the instance ignores this event');
    return undefined;
  }
  await setInstanceStatus(tx, instance.runId, instance.id, to, reason);
  if (to === 'LOST') {
    const why = reason ?? 'The worker was lost.';
    const lost = await closeLostEndpoints(tx, instance.runId, instance.id, why, ports.now());
    if (await isFoldedRun(tx, instance.runId)) await foldLost(tx, instance, lost, why);
    const { endpoints } = instance;
    const words = `timed out with ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}: ${why}`;
    await insertWorkerEvent(tx, instance, ports.now(), words);
  }
  return { ...instance, status: to };
}

type Applied = {
  readonly event: InstanceEvent;
  readonly reason: string | null;
  /** The agent's code, if it refused. */
  readonly refusalCode?: string;
};

/** Applies one event to one instance of a locked run, and its consequences to the run. */
export async function applyInstanceEvent(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  instanceId: string,
  applied: Applied,
): Promise<void> {
  const { event, reason } = applied;
  const instances = await lockInstancesOfRun(tx, run.id);
  const instance = instances.find((i) => i.id === instanceId);
  const moved = instance && (await moveInstance(ports, tx, instance, event, reason));
  if (!moved) return;
  const now = instances.map((i) => (i.id === instanceId ? moved : i));
  if (event === 'ready') await startWhenReady(ports, tx, run, now);
  if (event === 'refused') await giveUp(ports, tx, run, now, applied);
  if (isInstanceOver(moved.status)) await afterInstanceOver(ports, tx, run, now);
}

async function startWhenReady(ports: Ports, tx: Tx, run: LockedRun, instances: readonly InstanceRow[]): Promise<void> {
  if (run.status !== 'QUEUED' || instances.some((i) => i.status !== 'READY')) return;
  const startedAt = new Date(ports.now().getTime() + START_LEAD_MS);
  const deadlineAt = secondsAfter(startedAt, run.maxExecutionSeconds);
  await moveRun(ports, tx, run, 'ready', { startedAt, deadlineAt });
  for (const instance of instances) await moveInstance(ports, tx, instance, 'started');
  await orderEach(tx, instances, (allocationIds) => ({
    kind: 'start',
    runId: run.id,
    allocationIds,
    startUnixMs: startedAt.getTime(),
  }));
}

async function giveUp(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  instances: readonly InstanceRow[],
  { reason, refusalCode = '' }: Applied,
): Promise<void> {
  const code = REFUSALS.get(refusalCode) ?? 'WORKER_REFUSED';
  const error = runError(
    code,
    `An agent refused its share of the run: ${reason ?? 'no reason was given'}`,
    ports.now(),
  );
  if ((await moveRun(ports, tx, run, 'unallocated', { error })) === undefined) return;
  await releaseInstances(ports, tx, run, instances, 'another agent refused');
}

/** Ends instances that have not started; agents drop them. */
export async function releaseInstances(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  instances: readonly InstanceRow[],
  reason: string,
): Promise<void> {
  const open = instances.filter((i) => !isInstanceOver(i.status));
  for (const instance of open) await moveInstance(ports, tx, instance, 'released', reason);
  await orderEach(tx, open, (allocationIds) => ({ kind: 'stop', runId: run.id, allocationIds, reason }));
}

/** When no caller can call any longer, callees need not wait; when nothing is open, the run is settled. */
async function afterInstanceOver(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  instances: readonly InstanceRow[],
): Promise<void> {
  if (isOver(run.status)) {
    // The instance was lost, and came back after the end of the run: the figures are computed again.
    if (instances.every((i) => isInstanceOver(i.status))) await ports.jobs.enqueue(tx, 'run.settle', { runId: run.id });
    return;
  }
  if (run.status !== 'RUNNING') {
    // An agent was lost before the start: the others cannot become ready without it.
    if (run.status === 'QUEUED' && instances.some((i) => i.status === 'LOST')) {
      const error = runError('NO_ONLINE_WORKER', 'A worker was lost before the run could start.', ports.now());
      await moveRun(ports, tx, run, 'unallocated', { error });
      await releaseInstances(ports, tx, run, instances, 'another worker was lost');
    }
    return;
  }
  const open = instances.filter((i) => !isInstanceOver(i.status));
  if (open.length === 0) {
    await ports.jobs.enqueue(tx, 'run.settle', { runId: run.id });
    return;
  }
  const callers = instances.filter((i) => i.role === 'CALLER');
  if (callers.length > 0 && callers.every((i) => isInstanceOver(i.status))) {
    await orderEach(tx, open, (allocationIds) => ({ kind: 'finish', runId: run.id, allocationIds }));
  }
}
