/** Inserts a run with what is known when it is submitted. */
import type { Labels, RunOverrides } from '../../contract/run/start.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { Tx } from '../db.ts';

export type NewRun = {
  readonly id: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly testId: string;
  readonly testName: string;
  readonly endpoints: number;
  readonly durationSeconds: number;
  readonly buildupSeconds: number;
  readonly maxExecutionSeconds: number;
  readonly config: TestConfig;
  /** The run's calls are added to sums, and only some have rows; absent: each has one. */
  readonly isFolded?: boolean;
  readonly startedBy: string | null;
  readonly labels?: Labels;
  /** Overrides of the test's values at its start; absent: none. */
  readonly overrides?: RunOverrides;
};

/** `reserveShare`: the share of each worker's capacity that is left to probes. */
export const insertRun = (
  tx: Tx,
  run: NewRun & { readonly reserveShare: number },
  submittedAt: Date,
): Promise<unknown> =>
  tx
    .insertInto('test_runs')
    .values({
      id: run.id,
      project_id: run.projectId,
      organization_id: run.organizationId,
      test_id: run.testId,
      test_name: run.testName,
      status: 'PENDING',
      endpoints: run.endpoints,
      duration_seconds: run.durationSeconds,
      buildup_seconds: run.buildupSeconds,
      max_execution_seconds: run.maxExecutionSeconds,
      config: JSON.stringify(run.config),
      folded: run.isFolded ?? false,
      started_by: run.startedBy,
      labels: JSON.stringify(run.labels ?? {}),
      overrides: run.overrides ? JSON.stringify(run.overrides) : null,
      reserve_share: run.reserveShare,
      submitted_at: submittedAt,
    })
    .execute();
