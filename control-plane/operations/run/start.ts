/** POST run of a test. */
import { v7 as uuid } from 'uuid';
import { invalid } from '../../contract/errors.ts';
import type { RunOverrides } from '../../contract/run/start.ts';
import { type TestValues, withOverrides } from '../../domain/project/overrides.ts';
import { longestRegistering, longestRinging } from '../../domain/run/callers.ts';
import { testEndpoints } from '../../domain/run/needs.ts';
import { isFoldedBeyond } from '../../domain/run/planned-calls.ts';
import { EXECUTION_MARGIN_SECONDS } from '../../domain/run/run-machine.ts';
import { findTest } from '../../store/project/tests.ts';
import { creating } from '../request/change.ts';
import { byId, known } from '../request/perform.ts';
import { submitRun } from './submit.ts';

export const runTest = creating('runTest', async ({ ports, actor }, tx, input) => {
  const { projectId, testId, overload, labels, overrides } = input;
  const test = known('test', testId, await byId(testId, () => findTest(tx, projectId, testId)));
  const isOther = overrides !== undefined && Object.values(overrides).some((value) => value !== undefined);
  const { config, durationSeconds, buildup } = isOther ? overridden(test, overrides) : test;
  const at = ports.now();
  const id = uuid();
  await submitRun(
    ports,
    tx,
    {
      id,
      projectId,
      organizationId: actor.organizationId,
      testId: test.id,
      testName: test.name,
      endpoints: testEndpoints(config),
      durationSeconds,
      buildupSeconds: buildup,
      maxExecutionSeconds:
        config.maxExecutionSeconds ??
        buildup + longestRegistering(config) + longestRinging(config) + durationSeconds + EXECUTION_MARGIN_SECONDS,
      config: overload === true ? { ...config, breaker: null } : config,
      isFolded: isFoldedBeyond(ports.settings.exactCalls, config, { buildupSeconds: buildup, durationSeconds }),
      startedBy: actor.userId,
      ...(labels && { labels }),
      ...(isOther && { overrides }),
    },
    at,
  );
  return { id, testRunId: id, testId: test.id, status: 'PENDING', createdAt: at.toISOString() };
});

/** @throws ApiError VALIDATION_ERROR */
function overridden(test: TestValues, overrides: RunOverrides): TestValues {
  const { values, faults } = withOverrides(test, overrides);
  if (faults.length > 0) throw invalid(faults.map(({ path, message }) => ({ path: ['overrides', ...path], message })));
  return values;
}
