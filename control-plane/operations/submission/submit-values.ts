/** Submits a run of a test with given values, such as those of an earlier run. */

import { longestExecution } from '../../contract/test-settings/longest.ts';
import type { TestValues } from '../../domain/project/overrides.ts';
import { isFoldedBeyond } from '../../domain/run/load/planned-calls.ts';
import { testEndpoints } from '../../domain/run/preflight/needs.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { type SubmittedRun, submitRun } from './submit.ts';

type SubmittedBy = Pick<
  SubmittedRun,
  'id' | 'projectId' | 'organizationId' | 'testId' | 'testName' | 'startedBy' | 'labels' | 'overrides' | 'beforeLoad'
>;

/** @throws ApiError NOT_FOUND: the project was deleted in the meantime */
export async function submitValues(
  ports: Ports,
  tx: Tx,
  run: SubmittedBy,
  { config, durationSeconds, buildup: buildupSeconds }: TestValues,
  at: Date,
): Promise<void> {
  await submitRun(
    ports,
    tx,
    {
      ...run,
      endpoints: testEndpoints(config),
      durationSeconds,
      buildupSeconds,
      maxExecutionSeconds: longestExecution(config, buildupSeconds, durationSeconds),
      config,
      isFolded: isFoldedBeyond(ports.settings.exactCalls, config, { buildupSeconds, durationSeconds }),
    },
    at,
  );
}
