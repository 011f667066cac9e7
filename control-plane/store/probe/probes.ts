/** Probes with their latest executions, and lists of executions. */
import { sql } from 'kysely';
import type { HealthState } from '../../contract/run/measured-words.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { inOrder, orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { maintenanceUntil } from './maintenance.ts';

const probes = (tx: Tx, projectId: string, at: Date) =>
  tx
    .selectFrom('probes as p')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('probe_instances as i')
          .innerJoin('test_runs as r', 'r.id', 'i.test_run_id')
          .whereRef('i.probe_id', '=', 'p.id')
          .select(['r.status as lastInstanceStatus', 'i.scheduled_at as lastInstanceAt'])
          .orderBy('i.scheduled_at', 'desc')
          .orderBy('i.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .where('p.project_id', '=', projectId)
    .select([
      'p.id',
      'p.name',
      'p.description',
      'p.mode',
      'p.status',
      'p.enabled',
      'p.schedule_type as scheduleType',
      'p.fixed_interval_sec as fixedIntervalSec',
      'p.cron_expression as cronExpression',
      'p.time_of_day_start_utc as timeOfDayStartUtc',
      'p.time_of_day_end_utc as timeOfDayEndUtc',
      'p.timezone',
      'p.duration_seconds as durationSeconds',
      'p.alert_strike_runs as alertStrikeRuns',
      'p.parent_probe_id as parentProbeId',
      'last.lastInstanceStatus',
      'last.lastInstanceAt',
      'p.escalate_after_minutes as escalateAfterMinutes',
      'p.auto_pause_after_hours as autoPauseAfterHours',
      'p.auto_paused_at as autoPausedAt',
      'p.auto_pause_reason as autoPauseReason',
      'p.last_skip_reason as lastSkipReason',
      'p.last_skip_at as lastSkipAt',
      'p.last_message as lastMessage',
      'p.failing_since as failingSince',
      maintenanceUntil('p', at).as('maintenanceUntil'),
      'p.created_at as createdAt',
      'p.updated_at as updatedAt',
    ]);

export type LastInstance = { readonly testRunId: string; readonly status: HealthState; readonly scheduledAt: string };

/** The last `most` executions of probe `p` in a statement, oldest first. */
export const lastInstancesOf = (p: string, most: number) => sql<LastInstance[]>`(
  select coalesce(json_agg(json_build_object(
    'testRunId', i.test_run_id, 'status', i.status, 'scheduledAt', i.scheduled_at) order by i.scheduled_at, i.id), '[]')
  from (select * from probe_instances where probe_id = ${sql.ref(`${p}.id`)}
    order by scheduled_at desc, id desc limit ${most}) i)`;

const SORTED_BY = {
  name: ['p.name', 'text'],
  createdAt: ['p.created_at', 'instant'],
  updatedAt: ['p.updated_at', 'instant'],
} as const;

type Wanted = {
  readonly sort: SortOf<typeof SORTED_BY>;
  /** How many of its last executions each row has; absent: none. */
  readonly instances?: number | undefined;
};

/** The page is selected first, because each row needs a query for its last execution. */
export const listProbes = (tx: Tx, projectId: string, { sort, instances }: Wanted, w: Slice, at: Date) => {
  const order = orderOf(SORTED_BY, sort, ['p.id', 'id']);
  const keys = sliced(tx.selectFrom('probes as p').where('p.project_id', '=', projectId).select('p.id'), order, w);
  const shown = probes(tx, projectId, at)
    .innerJoin(keys.as('k'), 'k.id', 'p.id')
    .select('k.place')
    .$if(instances !== undefined, (q) => q.select(lastInstancesOf('p', instances as number).as('lastInstances')));
  return inOrder(shown, order, w).execute();
};

export const countProbes = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('probes')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findProbe = (tx: Tx, projectId: string, id: string, at: Date) =>
  probes(tx, projectId, at)
    .where('p.id', '=', id)
    .select([
      'p.slug',
      'p.version',
      'p.config',
      'p.expected_status_codes as expectedStatusCodes',
      sql<Date | null>`case when p.enabled and p.next_tick_at < '9999-01-01' then p.next_tick_at end`.as('nextTickAt'),
      'p.strikes',
    ])
    .executeTakeFirst();

export const thresholdsOf = (tx: Tx, probeIds: readonly string[]) =>
  tx
    .selectFrom('probe_thresholds')
    .where(sql<boolean>`probe_id = any (${texts(probeIds)}::uuid[])`)
    .select([
      'id',
      'probe_id as probeId',
      'metric_key as metricKey',
      'green_value as greenValue',
      'orange_value as orangeValue',
      'enabled',
    ])
    .orderBy('metric_key')
    .execute();

export type InstanceFilter = {
  readonly status?: HealthState | undefined;
  /** `from`: scheduled at that instant or later; `to`: scheduled earlier. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const someInstances = (tx: Tx, probeId: string, { status, from, to }: InstanceFilter) =>
  tx
    .selectFrom('probe_instances as i')
    .where('i.probe_id', '=', probeId)
    .$if(status !== undefined, (q) => q.where('i.status', '=', status as HealthState))
    .$if(from !== undefined, (q) => q.where('i.scheduled_at', '>=', sql<Date>`${from}::timestamptz`))
    .$if(to !== undefined, (q) => q.where('i.scheduled_at', '<', sql<Date>`${to}::timestamptz`));

const INSTANCES_BY = { scheduledAt: ['i.scheduled_at', 'instant'] } as const;

export const listProbeInstances = (
  tx: Tx,
  probeId: string,
  filter: InstanceFilter,
  sort: SortOf<typeof INSTANCES_BY>,
  w: Slice,
) => {
  const order = orderOf(INSTANCES_BY, sort, ['i.id', 'id']);
  const keys = sliced(someInstances(tx, probeId, filter).select('i.id'), order, w);
  const shown = shownInstances(tx).innerJoin(keys.as('k'), 'k.id', 'i.id').select('k.place');
  return inOrder(shown, order, w).execute();
};

export const recentInstances = (tx: Tx, probeId: string, limit: number) =>
  listProbeInstances(tx, probeId, {}, '-scheduledAt', { offset: 0, limit, backwards: false, after: null });

/** Newest first: from the first bad execution of the series that opened the incident to the one that resolved it. */
export const executionsOfIncident = (
  tx: Tx,
  incident: { readonly probeId: string; readonly startedAt: Date; readonly endedAt: Date | null },
  most: number,
) =>
  shownInstances(tx)
    .where('i.probe_id', '=', incident.probeId)
    .where('i.graded_at', 'is not', null)
    .where(
      'i.graded_at',
      '>',
      sql<Date>`coalesce((select max(graded_at) from probe_instances where probe_id = ${incident.probeId}::uuid
        and status = 'HEALTHY' and graded_at <= ${incident.startedAt}::timestamptz), '-infinity')`,
    )
    .$if(incident.endedAt !== null, (q) => q.where('i.graded_at', '<=', incident.endedAt as Date))
    .orderBy('i.scheduled_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(most)
    .execute();

const shownInstances = (tx: Tx) =>
  tx
    .selectFrom('probe_instances as i')
    .innerJoin('test_runs as r', 'r.id', 'i.test_run_id')
    .select([
      'i.id',
      'i.status',
      'i.test_run_id as testRunId',
      'i.scheduled_at as scheduledAt',
      'r.started_at as startedAt',
      'r.ended_at as completedAt',
      'i.threshold_results as thresholdResults',
      'i.repeated_run_id as repeatedTestRunId',
      'i.steps',
      'i.message',
      'i.cause',
      'i.party',
      'i.worker_name as workerName',
      'i.in_maintenance as inMaintenance',
      'i.canary_of as watchedRunId',
    ]);

export const countProbeInstances = async (tx: Tx, probeId: string, filter: InstanceFilter): Promise<number> => {
  if (filter.from === undefined && filter.to === undefined) return countAll(tx, probeId, filter);
  const counted = someInstances(tx, probeId, filter).select(sql<number>`count(*)`.as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
};

const countAll = async (tx: Tx, probeId: string, { status }: InstanceFilter): Promise<number> =>
  (
    await tx
      .selectFrom('probe_instance_totals')
      .where('probe_id', '=', probeId)
      .$if(status !== undefined, (q) => q.where('status', '=', status as HealthState))
      .select(sql<number>`coalesce(sum(instances), 0)::bigint`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

/** The execution that a run represents, and its grade. */
export const executionOfRun = (tx: Tx, runId: string) =>
  tx
    .selectFrom('probe_instances as i')
    .innerJoin('probes as p', 'p.id', 'i.probe_id')
    .where('i.test_run_id', '=', runId)
    .select(['p.id', 'p.name', 'i.status', 'i.threshold_results as thresholdResults'])
    .executeTakeFirst();

/** A probe with the maximum duration of its execution. */
export const probeBrief = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('probes')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([
      'name',
      'mode',
      'duration_seconds as durationSeconds',
      sql<number>`coalesce((config #>> '{groups,0,answerTimeoutSeconds}')::int, 60)`.as('answerTimeoutSeconds'),
    ])
    .executeTakeFirst();
