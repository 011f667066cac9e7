/** Probes, their executions and their incidents. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { Paged } from '../contract/envelope.ts';
import type { HealthState, Severity } from '../contract/words.ts';
import type { Tables, Tx } from './db.ts';

const probes = (tx: Tx, projectId: string) =>
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
      'p.created_at as createdAt',
      'p.updated_at as updatedAt',
    ]);

export const listProbes = (tx: Tx, projectId: string, { page, per_page }: Paged) =>
  probes(tx, projectId)
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

export const countProbes = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('probes')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findProbe = (tx: Tx, projectId: string, id: string) =>
  probes(tx, projectId).where('p.id', '=', id).executeTakeFirst();

/** What a run of the probe is made from. */
export const probePlan = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('probes')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select(['id', 'name', 'duration_seconds as durationSeconds', 'config'])
    .executeTakeFirst();

export const thresholdsOf = (tx: Tx, probeIds: readonly string[]) =>
  tx
    .selectFrom('probe_thresholds')
    .where('probe_id', 'in', probeIds.length > 0 ? [...probeIds] : [null as unknown as string])
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

export type InstanceFilter = { readonly status?: HealthState | undefined };

const instances = (tx: Tx, probeId: string, { status }: InstanceFilter) =>
  tx
    .selectFrom('probe_instances as i')
    .where('i.probe_id', '=', probeId)
    .$if(status !== undefined, (q) => q.where('i.status', '=', status as HealthState));

export const listProbeInstances = (tx: Tx, probeId: string, filter: InstanceFilter, { page, per_page }: Paged) =>
  instances(tx, probeId, filter)
    .innerJoin('test_runs as r', 'r.id', 'i.test_run_id')
    .select([
      'i.id',
      'i.status',
      'i.test_run_id as testRunId',
      'i.scheduled_at as scheduledAt',
      'r.started_at as startedAt',
      'r.ended_at as completedAt',
      'i.threshold_results as thresholdResults',
    ])
    .orderBy('i.scheduled_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

export const countProbeInstances = async (tx: Tx, probeId: string, filter: InstanceFilter): Promise<number> =>
  (await instances(tx, probeId, filter).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

export const insertProbeInstance = (
  tx: Tx,
  i: { id: string; probeId: string; testRunId: string; scheduledAt: Date },
): Promise<unknown> =>
  tx
    .insertInto('probe_instances')
    .values({ id: i.id, probe_id: i.probeId, test_run_id: i.testRunId, scheduled_at: i.scheduledAt })
    .execute();

export type IncidentFilter = {
  readonly severity?: Severity | undefined;
  readonly state?: 'open' | 'resolved' | undefined;
};

/** Siblings: probes with the same parent, and the parent (design 3). */
const incidents = (
  tx: Tx,
  probe: { id: string; parentProbeId: string | null },
  { severity, state }: IncidentFilter,
) => {
  const parent = probe.parentProbeId ?? probe.id;
  return tx
    .selectFrom('probe_incidents as i')
    .innerJoin('probes as p', 'p.id', 'i.probe_id')
    .where((eb: ExpressionBuilder<Tables & { p: Tables['probes'] }, 'p'>) =>
      eb.or([eb('p.id', '=', parent), eb('p.parent_probe_id', '=', parent)]),
    )
    .$if(severity !== undefined, (q) => q.where('i.severity', '=', severity as Severity))
    .$if(state === 'open', (q) => q.where('i.ended_at', 'is', null))
    .$if(state === 'resolved', (q) => q.where('i.ended_at', 'is not', null));
};

export const listIncidents = (
  tx: Tx,
  probe: { id: string; parentProbeId: string | null },
  filter: IncidentFilter,
  { page, per_page }: Paged,
) =>
  incidents(tx, probe, filter)
    .select([
      'i.id',
      'i.probe_id as probeId',
      'p.name as probeName',
      'i.severity',
      'i.started_at as startedAt',
      'i.ended_at as endedAt',
    ])
    .orderBy(sql`i.ended_at is not null`)
    .orderBy('i.started_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

export const countIncidents = async (
  tx: Tx,
  probe: { id: string; parentProbeId: string | null },
  filter: IncidentFilter,
): Promise<number> =>
  (await incidents(tx, probe, filter).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;
