/**
 * Checks whether everything that a test needs answers: a run of one endpoint for each server, gateway and STUN server,
 * from the places of the test's own endpoints. It is kept with the test's runs, under an id of its own, and the
 * preflight reports its result.
 */

import { EXECUTION_MARGIN_SECONDS, longestRinging } from '../../contract/test-settings/longest.ts';
import { defaultsOf, TEST_SETTINGS } from '../../contract/test-settings/settings.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { type CheckedPlace, placesOf } from '../../domain/project/reach.ts';
import type { Tx } from '../../store/db.ts';
import { derivedId, newId } from '../../store/new-id.ts';
import { registrarPlans, sipAccountFacts } from '../../store/project/registrars.ts';
import { findTest } from '../../store/project/tests.ts';
import { configOf } from '../project/draft.ts';
import { conflict, creating } from '../request/change.ts';
import { byId, known } from '../request/perform.ts';
import { submitRun } from '../submission/submit.ts';

const DURATION_SECONDS = 1;

/** The test id of check runs. */
export const checkIdOf = (testId: string): string => derivedId('check', testId);

export async function placesOfTest(tx: Tx, projectId: string, config: TestConfig): Promise<CheckedPlace[]> {
  const registrars = new Map((await registrarPlans(tx, projectId)).map((r) => [r.id, r]));
  const owners = new Set((await sipAccountFacts(tx, projectId)).map((account) => account.registrarId));
  return placesOf(config, registrars, (id) => owners.has(id));
}

export const checkTest = creating('checkTest', async ({ ports, actor }, tx, { projectId, testId }) => {
  const test = known('test', testId, await byId(testId, () => findTest(tx, projectId, testId)));
  const places = await placesOfTest(tx, projectId, test.config);
  if (places.length === 0) throw conflict('The test asks no server: agents call each other.');
  const draft = {
    maxExecutionSeconds: null,
    thresholds: [],
    ...defaultsOf(TEST_SETTINGS),
    breaker: null,
    groups: places.map(({ group }) => group),
  };
  const config = await configOf(tx, { organizationId: actor.organizationId, projectId }, draft, null);
  const at = ports.now();
  const id = newId();
  const checkId = checkIdOf(test.id);
  await submitRun(
    ports,
    tx,
    {
      id,
      projectId,
      organizationId: actor.organizationId,
      testId: checkId,
      testName: `Check of ${test.name}`,
      endpoints: places.length,
      durationSeconds: DURATION_SECONDS,
      buildupSeconds: 0,
      maxExecutionSeconds: longestRinging(config) + DURATION_SECONDS + EXECUTION_MARGIN_SECONDS,
      config,
      startedBy: actor.userId,
    },
    at,
  );
  return { id, testRunId: id, testId: checkId, status: 'PENDING', createdAt: at.toISOString() };
});
