/** Makes a run the baseline of its test, or removes it. */
import { isTaken } from '../../store/db.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { endBaseline, makeBaseline } from '../../store/run/run-baseline.ts';
import { findRun } from '../../store/run/views/run-lists.ts';
import { changing, conflict } from '../request/change.ts';
import { byId, known } from '../request/perform.ts';
import { runView } from '../run-view/runs.ts';

export const updateTestRunBaseline = changing<'updateTestRunBaseline'>(
  async ({ ports }, tx, { projectId, testRunId, isBaseline }) => {
    const read = () => findRun(tx, projectId, testRunId);
    known('test run', testRunId, await byId(testRunId, read));
    await lockRun(tx, testRunId);
    const run = known('test run', testRunId, await read());
    if (!isBaseline) await endBaseline(tx, run.id);
    else {
      if (run.status !== 'COMPLETED')
        throw conflict(`The run is ${run.status}: only a run that completed is a baseline.`);
      if (run.result?.verdict === 'VOID')
        throw conflict('The run is VOID, because its agents disturbed it: its figures say nothing of the target.');
      await makeBaseline(tx, { id: run.id, projectId, testId: run.testId }).catch((error: unknown) => {
        if (isTaken(error)) throw conflict('Another run of this test became its baseline at the same moment.');
        throw error;
      });
    }
    ports.log.info({ testRunId: run.id, isBaseline }, 'baseline changed');
    return runView(known('test run', testRunId, await read()));
  },
);
