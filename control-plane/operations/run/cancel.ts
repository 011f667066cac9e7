/**
 * A user stops a run (docs/decisions.md, Runs that end without a result). Before the start this takes effect
 * immediately, afterwards when the agents have ended their calls.
 */

import { ApiError } from '../../contract/errors.ts';
import { isOver } from '../../domain/run/run-machine.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { lockInstancesOfRun } from '../../store/run/instances.ts';
import { type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { findRun } from '../../store/run/views/run-lists.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { runView } from '../run-view/runs.ts';
import { beginEnding } from './end.ts';
import { releaseInstances } from './instance-events.ts';
import { moveRun } from './move.ts';

export const cancelTestRun: Handler<'cancelTestRun'> = async ({ ports }, { projectId, testRunId }) => {
  const { db } = ports.database;
  known('test run', testRunId, await byId(testRunId, () => findRun(db, projectId, testRunId)));
  await ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, testRunId);
    if (!run) return;
    if (isOver(run.status)) {
      throw new ApiError('CONFLICT', `The run has already ended: ${run.status}. Nothing was changed.`);
    }
    await cancelRun(ports, tx, run);
  });
  return runView(known('test run', testRunId, await findRun(db, projectId, testRunId)));
};

/** Cancels a run that has not ended. */
export async function cancelRun(ports: Ports, tx: Tx, run: LockedRun): Promise<void> {
  if (run.status === 'RUNNING') {
    await beginEnding(ports, tx, run, 'cancelled', null);
    return;
  }
  if (isOver(run.status)) return;
  await moveRun(ports, tx, run, 'cancelled');
  await releaseInstances(ports, tx, run, await lockInstancesOfRun(tx, run.id), 'The run was cancelled.');
}
