/** Deletes a run: it disappears at once, and its rows are deleted in small statements. */
import { isOver } from '../../domain/run/run-machine.ts';
import { announceChange } from '../../store/memory.ts';
import { retireRun } from '../../store/project/projects.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { findRun } from '../../store/run/views/run-lists.ts';
import { changing, conflict } from '../request/change.ts';
import { byId, known } from '../request/perform.ts';

export const deleteTestRun = changing<'deleteTestRun'>(async ({ ports }, tx, { projectId, testRunId }) => {
  known('test run', testRunId, await byId(testRunId, () => findRun(tx, projectId, testRunId)));
  const run = known('test run', testRunId, await lockRun(tx, testRunId));
  if (!isOver(run.status)) throw conflict(`The run is ${run.status}. Cancel it, or wait until it has ended.`);
  if (run.probeId !== null) {
    throw conflict('The run is an execution of a probe: it is deleted with its probe, or after the retention period.');
  }
  await retireRun(tx, run, ports.now());
  await announceChange(tx);
  await ports.jobs.enqueue(tx, 'data.retain', {});
  return { id: testRunId, deleted: true };
});
