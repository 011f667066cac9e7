/** The lock of a test run under which it moves, and what is written of it meanwhile. */
import { sql } from 'kysely';
import type { RunError } from '../../contract/run/run.ts';
import type { RunMedia } from '../../contract/run/timeline.ts';
import type { RunStatus } from '../../contract/run-status.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { Keeping } from '../../domain/run/load/keeping.ts';
import type { LoadChange } from '../../domain/run/load/load-change.ts';
import type { Tx } from '../db.ts';

export type LockedRun = {
  readonly id: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly testId: string;
  readonly testName: string;
  readonly status: RunStatus;
  readonly endpoints: number;
  readonly durationSeconds: number;
  readonly buildupSeconds: number;
  readonly maxExecutionSeconds: number;
  readonly config: TestConfig;
  readonly isFolded: boolean;
  readonly loadChanges: readonly LoadChange[];
  readonly submittedAt: Date;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly deadlineAt: Date | null;
  /** The time at which a share came back after the run had ended. */
  readonly lateAt: Date | null;
  readonly revisedAt: Date | null;
  readonly endingEvent: string | null;
  readonly endingError: RunError | null;
  readonly endingDeadlineAt: Date | null;
  readonly probeId: string | null;
  readonly avoidWorkerId: string | null;
  /** The share of each worker's capacity that the run leaves to probes. */
  readonly reserveShare: number;
};

/**
 * Locks the run until the transaction ends. The lock order everywhere is: run, instances, workers, the rest. The lock
 * does not exclude rows that refer to the run: facts are written with only their instances locked, and would otherwise
 * wait in the opposite order.
 */
export const lockRun = (tx: Tx, id: string): Promise<LockedRun | undefined> =>
  tx
    .selectFrom('test_runs')
    .where('id', '=', id)
    .select([
      'id',
      'project_id as projectId',
      'organization_id as organizationId',
      'test_id as testId',
      'test_name as testName',
      'status',
      'endpoints',
      'duration_seconds as durationSeconds',
      'buildup_seconds as buildupSeconds',
      'max_execution_seconds as maxExecutionSeconds',
      'config',
      'folded as isFolded',
      sql<LoadChange[]>`load_changes`.as('loadChanges'),
      'submitted_at as submittedAt',
      'queued_at as queuedAt',
      'started_at as startedAt',
      'ended_at as endedAt',
      'deadline_at as deadlineAt',
      'late_at as lateAt',
      'revised_at as revisedAt',
      'ending_event as endingEvent',
      'ending_error as endingError',
      'ending_deadline_at as endingDeadlineAt',
      'probe_id as probeId',
      'avoid_worker_id as avoidWorkerId',
      'reserve_share as reserveShare',
    ])
    .forNoKeyUpdate()
    .executeTakeFirst();

export const addLoadChange = (tx: Tx, runId: string, change: LoadChange): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({ load_changes: sql`load_changes || ${JSON.stringify(change)}::jsonb` })
    .where('id', '=', runId)
    .execute();

/** Stores the recordings that the run plays, because a replay must play them as well. */
export const setRunMedia = (tx: Tx, runId: string, media: readonly RunMedia[]): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({ media: JSON.stringify(media) })
    .where('id', '=', runId)
    .execute();

export const setKeeping = (tx: Tx, runId: string, keeping: Keeping): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({ keeping: JSON.stringify(keeping) })
    .where('id', '=', runId)
    .execute();

export type RunChange = {
  readonly status: RunStatus;
  readonly queuedAt?: Date;
  readonly startedAt?: Date;
  readonly endedAt?: Date;
  readonly deadlineAt?: Date;
  readonly maxExecutionSeconds?: number;
  readonly error?: RunError | null;
};

export const changeRun = (tx: Tx, id: string, change: RunChange): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({
      status: change.status,
      ...(change.queuedAt && { queued_at: change.queuedAt }),
      ...(change.startedAt && { started_at: change.startedAt }),
      ...(change.endedAt && { ended_at: change.endedAt }),
      ...(change.deadlineAt && { deadline_at: change.deadlineAt }),
      ...(change.maxExecutionSeconds && { max_execution_seconds: change.maxExecutionSeconds }),
      ...(change.error && { error: JSON.stringify(change.error) }),
    })
    .where('id', '=', id)
    .execute();

export const markEnding = (
  tx: Tx,
  id: string,
  ending: { event: string; error: RunError | null; deadlineAt: Date },
): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({
      ending_event: ending.event,
      ending_error: ending.error && JSON.stringify(ending.error),
      ending_deadline_at: ending.deadlineAt,
    })
    .where('id', '=', id)
    .execute();

export const appendHistory = (
  tx: Tx,
  runId: string,
  entry: { from: RunStatus | null; to: RunStatus; event: string; at: Date },
): Promise<unknown> =>
  tx
    .insertInto('run_history')
    .values({ run_id: runId, from_status: entry.from, to_status: entry.to, event: entry.event, at: entry.at })
    .execute();
