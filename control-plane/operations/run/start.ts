/** POST run of a test. */
import { v7 as uuid } from 'uuid';
import { longestRegistering, longestRinging } from '../../domain/run/callers.ts';
import { testEndpoints } from '../../domain/run/needs.ts';
import { isFoldedBeyond } from '../../domain/run/planned-calls.ts';
import { EXECUTION_MARGIN_SECONDS } from '../../domain/run/run-machine.ts';
import { findTest } from '../../store/project/tests.ts';
import { type NewRun, runByIdempotencyKey } from '../../store/run/runs.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { submitRun } from './submit.ts';

export const runTest: Handler<'runTest'> = async (
  { ports, actor, idempotencyKey },
  { projectId, testId, overload },
) => {
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
      test.config.maxExecutionSeconds ??
      test.buildup +
        longestRegistering(test.config) +
        longestRinging(test.config) +
        test.durationSeconds +
        EXECUTION_MARGIN_SECONDS,
    config: overload === true ? { ...test.config, breaker: null } : test.config,
    isFolded: isFoldedBeyond(ports.settings.exactCalls, test.config, {
      buildupSeconds: test.buildup,
      durationSeconds: test.durationSeconds,
    }),
    startedBy: actor.userId,
    idempotencyKey,
  };
  const at = ports.now();
  const inserted = await ports.database.transaction((tx) => submitRun(ports, tx, run, at));
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
