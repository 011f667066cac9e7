/** A test run, as it is read: in full, in part, and which of them are open. */
import { sql } from 'kysely';
import type { MosScale } from '../../contract/run/measured-words.ts';
import type { RunMedia } from '../../contract/run/timeline.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { OPEN_INSTANCE_STATUSES } from '../../domain/run/instance-machine.ts';
import type { Keeping } from '../../domain/run/load/keeping.ts';
import type { LoadChange } from '../../domain/run/load/load-change.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { isLarge } from './kept-figures.ts';
import { runCounts } from './views/run-counts.ts';
import { RUN_COLUMNS } from './views/run-lists.ts';

/** True if the run has ended and later facts of its agents are dropped. */
const isFinal = sql<boolean>`r.ended_at is not null and not exists (
  select from sub_population_instances where run_id = r.id and status = any (${texts(OPEN_INSTANCE_STATUSES)}))`.as(
  'isFinal',
);

/** For the run `r` of a statement: its endpoints have several calls, each with a row. */
export const isLasting = sql<boolean>`jsonb_path_exists(r.config, '$.groups[*].subPopulations[*] ? (@.calls != 1)')`;

/** False also of an unknown run. */
export const isFinalRun = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('test_runs as r').where('r.id', '=', id).select(isFinal).executeTakeFirst())?.isFinal ?? false;

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
      isLarge.as('isLarge'),
      'r.revised_at as revisedAt',
    ])
    .executeTakeFirst();

export const runDetail = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('test_runs as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .innerJoin('organizations as o', 'o.id', 'r.organization_id')
    .innerJoin(runCounts(tx, id).as('c'), (join) => join.onTrue())
    .where('r.project_id', '=', projectId)
    .where('r.id', '=', id)
    .select([
      ...RUN_COLUMNS,
      isFinal,
      isLasting.as('isLasting'),
      isLarge.as('isLarge'),
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
      sql<Keeping | null>`r.keeping`.as('keeping'),
      'c.events',
      'c.messages as sipMessages',
      'c.kept as keptCalls',
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

export const isFoldedRun = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('test_runs').where('id', '=', id).select('folded').executeTakeFirst())?.folded ?? false;

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
  tx.selectFrom('test_runs').where('ended_at', 'is', null).select(['id', 'status', 'endpoints']).execute();

/** Runs whose seconds are gathered as they go on. */
export const gatheredRuns = async (tx: Tx): Promise<string[]> =>
  (
    await tx
      .selectFrom('test_runs')
      .where('ended_at', 'is', null)
      .where('status', '=', 'RUNNING')
      .where('folded', '=', true)
      .select('id')
      .execute()
  ).map(({ id }) => id);
