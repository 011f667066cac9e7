/** A test run: in full, and the row lock under which it moves. */
import { sql } from 'kysely';
import type { CallQuality, RunFinding } from '../../contract/run/findings.ts';
import type { MosScale } from '../../contract/run/measured-words.ts';
import type {
  CallTiming,
  FailureClusters,
  ProgressCounts,
  RunError,
  SipRequest,
  SipResponse,
  Starts,
  Summary,
  Validity,
} from '../../contract/run/run.ts';
import type { Labels, RunOverrides } from '../../contract/run/start.ts';
import type { RunMedia } from '../../contract/run/timeline.ts';
import type { RunStatus } from '../../contract/run-words.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { JudgedThreshold } from '../../contract/threshold.ts';
import { OPEN_INSTANCE_STATUSES } from '../../domain/run/instance-machine.ts';
import type { Keeping } from '../../domain/run/load/keeping.ts';
import type { LoadChange } from '../../domain/run/load/load-change.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { RUN_COLUMNS } from './views/run-lists.ts';

/** True if the run has ended and later facts of its agents are dropped. */
const isFinal = sql<boolean>`r.ended_at is not null and not exists (
  select from sub_population_instances where run_id = r.id and status = any (${texts(OPEN_INSTANCE_STATUSES)}))`.as(
  'isFinal',
);

/** For the run `r` of a statement: its endpoints have several calls, each with a row. */
export const isLasting = sql<boolean>`jsonb_path_exists(r.config, '$.groups[*].subPopulations[*] ? (@.calls != 1)')`;

/** The part of a run that is needed to read the rest. */
export const runExtent = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('test_runs as r')
    .where('r.project_id', '=', projectId)
    .where('r.id', '=', id)
    .select([
      'r.id',
      'r.status',
      'r.started_at as startedAt',
      'r.ended_at as endedAt',
      'r.folded as isFolded',
      'r.endpoints',
      // Null: the run has not ended, or had no ratings, or ended before scales were stored.
      sql<MosScale | null>`r.summary ->> 'mosScale'`.as('mosScale'),
      isFinal,
      isLasting.as('isLasting'),
    ])
    .executeTakeFirst();

export const runDetail = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('test_runs as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .innerJoin('organizations as o', 'o.id', 'r.organization_id')
    .where('r.project_id', '=', projectId)
    .where('r.id', '=', id)
    .select([
      ...RUN_COLUMNS,
      isFinal,
      isLasting.as('isLasting'),
      'r.folded as isFolded',
      'r.revised_at as revisedAt',
      'p.name as projectName',
      'o.name as organizationName',
      'r.duration_seconds as durationSeconds',
      'r.buildup_seconds as buildup',
      'r.summary',
      'r.call_timing as callTiming',
      'r.sip_responses as sipResponses',
      'r.sip_requests as sipRequests',
      'r.validity',
      'r.failure_clusters as failureClusters',
      'r.progress',
      'r.starts',
      sql<TestConfig | null>`case when r.status = 'RUNNING' then r.config end`.as('runningConfig'),
      sql<LoadChange[]>`r.load_changes`.as('loadChanges'),
      'r.findings',
      'r.call_quality as callQuality',
      'r.thresholds',
      'r.passed',
      sql<number>`(select coalesce(sum(events), 0)::bigint from run_counts where run_id = r.id)`.as('events'),
      sql<number>`(select coalesce(sum(messages), 0)::bigint from run_counts where run_id = r.id)`.as('sipMessages'),
      sql<Keeping | null>`r.keeping`.as('keeping'),
      sql<number>`(select coalesce(sum(kept), 0)::bigint from run_counts where run_id = r.id)`.as('keptCalls'),
    ])
    .executeTakeFirst();

/** The test as it was when the run was submitted. */
export const runConfiguration = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('test_runs')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([
      'id as testRunId',
      'test_id as testId',
      'test_name as testName',
      'endpoints',
      'duration_seconds as durationSeconds',
      'buildup_seconds as buildup',
      'config',
      'folded as isFolded',
      sql<LoadChange[]>`load_changes`.as('loadChanges'),
      sql<RunMedia[]>`media`.as('media'),
    ])
    .executeTakeFirst();

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

export const isFoldedRun = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('test_runs').where('id', '=', id).select('folded').executeTakeFirst())?.folded ?? false;

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

export const openRunsOfProject = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('test_runs')
      .where('ended_at', 'is', null)
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

/** A run as the rules that end it see it. */
export const abortingRun = (tx: Tx, id: string) =>
  tx
    .selectFrom('test_runs')
    .where('id', '=', id)
    .where('ending_event', 'is', null)
    .select([
      'id',
      'status',
      'folded as isFolded',
      'started_at as startedAt',
      sql<string | null>`config ->> 'abortOn'`.as('abortOn'),
    ])
    .executeTakeFirst();

export const openRuns = (tx: Tx) =>
  tx.selectFrom('test_runs').where('ended_at', 'is', null).select(['id', 'status']).execute();

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

export type RunFigures = {
  readonly summary: Summary;
  readonly callTiming: CallTiming;
  readonly sipResponses: SipResponse[];
  readonly sipRequests: SipRequest[];
  readonly validity: Validity;
  readonly clusters: FailureClusters;
  readonly progress: ProgressCounts;
  readonly starts: Starts;
  readonly callQuality: CallQuality;
  readonly findings: RunFinding[];
  readonly thresholds: JudgedThreshold[];
  readonly passed: boolean | null;
};

export const storeFigures = (tx: Tx, id: string, f: RunFigures): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({
      summary: JSON.stringify(f.summary),
      call_timing: JSON.stringify(f.callTiming),
      sip_responses: JSON.stringify(f.sipResponses),
      sip_requests: JSON.stringify(f.sipRequests),
      validity: JSON.stringify(f.validity),
      failure_clusters: JSON.stringify(f.clusters),
      progress: JSON.stringify(f.progress),
      starts: JSON.stringify(f.starts),
      call_quality: JSON.stringify(f.callQuality),
      findings: JSON.stringify(f.findings),
      thresholds: JSON.stringify(f.thresholds),
      passed: f.passed,
    })
    .where('id', '=', id)
    .execute();
