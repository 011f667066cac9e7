/** Starts a run of a test (POST). */
import { invalid } from '../../contract/errors.ts';
import type { RunOverrides } from '../../contract/run/start.ts';
import { type TestValues, withOverrides } from '../../domain/project/overrides.ts';
import type { BeforeLoad } from '../../hooks.ts';
import { newId } from '../../store/new-id.ts';
import { findTest } from '../../store/project/tests.ts';
import { creating } from '../request/change.ts';
import { byId, known } from '../request/perform.ts';
import { submitValues } from '../submission/submit-values.ts';

export const runTest = creating('runTest', async ({ ports, actor }, tx, input) => {
  const { projectId, testId, overload, labels, overrides } = input;
  const test = known('test', testId, await byId(testId, () => findTest(tx, projectId, testId)));
  const isOther = overrides !== undefined && Object.values(overrides).some((value) => value !== undefined);
  const values = isOther ? overridden(test, overrides) : test;
  const { config } = values;
  const before: BeforeLoad[] = [];
  for (const { beforeLoad: prepare } of ports.hooks) {
    const one = await prepare?.(ports, tx, input);
    if (one) before.push(one);
  }
  if (before.length > 1) throw invalid([{ path: [], message: 'a run waits for one thing before its load' }]);
  const [beforeLoad] = before;
  const at = ports.now();
  const id = newId();
  await submitValues(
    ports,
    tx,
    {
      id,
      projectId,
      organizationId: actor.organizationId,
      testId: test.id,
      testName: test.name,
      startedBy: actor.userId,
      ...(labels && { labels }),
      ...(isOther && { overrides }),
      ...(beforeLoad && { beforeLoad }),
    },
    { ...values, config: overload === true ? { ...config, breaker: null } : config },
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
