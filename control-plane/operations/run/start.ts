/** POST run: a row and a job in one transaction; everything else follows from the job. */
import { v7 as uuid } from 'uuid';
import { testEndpoints } from '../../domain/needs.ts';
import { EXECUTION_MARGIN_SECONDS, PENDING_LIMIT_SECONDS } from '../../domain/run-machine.ts';
import { insertEvents } from '../../store/events.ts';
import { appendHistory, insertRun, type NewRun, runByIdempotencyKey } from '../../store/runs.ts';
import { findTest } from '../../store/tests.ts';
import { byId, type Handler, known } from '../perform.ts';
import { secondsAfter } from './move.ts';

export const runTest: Handler<'runTest'> = async ({ ports, actor, idempotencyKey }, { projectId, testId }) => {
  const { db } = ports.database;
  const test = known('test', testId, await byId(testId, () => findTest(db, projectId, testId)));
  const run: NewRun = {
    id: uuid(),
    projectId,
    organizationId: actor.organizationId,
    testId: test.id,
    testName: test.name,
    endpoints: testEndpoints(test.config),
    durationSeconds: test.durationSeconds,
    buildupSeconds: test.buildup,
    maxExecutionSeconds:
      test.config.maxExecutionSeconds ?? test.buildup + test.durationSeconds + EXECUTION_MARGIN_SECONDS,
    config: test.config,
    startedBy: actor.userId,
    idempotencyKey,
  };
  const at = ports.now();
  const inserted = await ports.database.transaction(async (tx) => {
    if (!(await insertRun(tx, run, at))) return false;
    await appendHistory(tx, run.id, { from: null, to: 'PENDING', event: 'submitted', at });
    await insertEvents(tx, run.id, {
      unixMs: [at.getTime()],
      endpoint: [Number.NaN],
      kind: ['STATUS'],
      detail: ['PENDING'],
    });
    await ports.jobs.enqueue(tx, 'run.validate', { runId: run.id });
    const due = secondsAfter(at, PENDING_LIMIT_SECONDS);
    await ports.jobs.enqueue(tx, 'run.watch', { runId: run.id, status: 'PENDING' }, { startAfter: due });
    return true;
  });
  if (inserted)
    return { id: run.id, testRunId: run.id, testId: run.testId, status: 'PENDING', createdAt: at.toISOString() };
  const first = known('test run', idempotencyKey ?? '', await runByIdempotencyKey(db, test.id, idempotencyKey ?? ''));
  return {
    id: first.id,
    testRunId: first.id,
    testId: first.testId,
    status: first.status,
    createdAt: first.submittedAt.toISOString(),
  };
};
